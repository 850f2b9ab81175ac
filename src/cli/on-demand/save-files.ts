export { formatToWrite } from '../../formats/index.js';
export { saveParquetScores, savePredictions, saveQrels, saveRun } from '../../node/index.js';
