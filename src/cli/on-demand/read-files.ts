export { openSource, readJudgements, readLetor, readPredictions, readRun, readText, withParts } from '../../formats/index.js';
export { fileSource } from '../../node/index.js';
