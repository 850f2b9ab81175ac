export { reportExperiment } from '../../experiment/index.js';
