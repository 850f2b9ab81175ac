export { oneFeatureNote, summariseModel } from '../../ltr/index.js';
