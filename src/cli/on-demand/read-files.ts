export { readText } from '../../formats/index.js';
export { fileSource } from '../../node/index.js';
