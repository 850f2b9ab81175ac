export { gradusVersion } from '../../node/index.js';
