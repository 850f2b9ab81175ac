export { reportModel } from '../../experiment/index.js';
export { nodePlatform } from '../../node/index.js';
