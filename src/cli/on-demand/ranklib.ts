export { nodeRankLibHost } from '../../node/index.js';
export { readRankLibModel, runRankLibTraining } from '../../tools/index.js';
