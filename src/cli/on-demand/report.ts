export { reportExperiment, reportScores } from '../../experiment/index.js';
