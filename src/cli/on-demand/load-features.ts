export { readFeatureFile, readFeatureFiles, readFold, readTrainingData } from '../../experiment/index.js';
export { nodePlatform } from '../../node/index.js';
