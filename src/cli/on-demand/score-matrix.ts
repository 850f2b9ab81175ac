export { scoreMatrix } from '../../ltr/index.js';
