export { loadModel } from '../../node/index.js';
