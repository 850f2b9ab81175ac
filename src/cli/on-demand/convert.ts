export { readToConvert } from '../../experiment/index.js';
export { readText } from '../../formats/index.js';
export { fileSource, saveQrels, saveRun } from '../../node/index.js';
