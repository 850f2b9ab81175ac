export { summariseModel } from '../../ltr/index.js';
