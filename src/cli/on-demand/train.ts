export { crossValidate, trainFromFiles } from '../../experiment/index.js';
export { nodePlatform } from '../../node/index.js';
