export { formatToWrite, saveParquetScores, saveQrels, saveRun } from '../../node/index.js';
