export { isFile, loadFeatures } from '../../node/index.js';
