export { crossValidate, crossValidateSeveral, trainFromFiles, tune } from '../../experiment/index.js';
export { nodePlatform } from '../../node/index.js';
