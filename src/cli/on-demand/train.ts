export { crossValidate, crossValidateSeveral, trainFromFiles, trainOnEngine, tune } from '../../experiment/index.js';
export { nodePlatform } from '../../node/index.js';
