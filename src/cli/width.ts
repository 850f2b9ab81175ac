export { displayWidth, padEnd, padStart, wrapText } from '../report/width.js';
