export { scoreDocuments } from '../../experiment/index.js';
