export { writeOutputFile, writeWholeFile } from '../../node/index.js';
