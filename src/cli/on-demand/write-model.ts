export { writeModel } from '../../ltr/index.js';
