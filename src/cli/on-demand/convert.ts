export { readToConvert } from '../../experiment/index.js';
export { fileSource, saveQrels, saveRun } from '../../node/index.js';
