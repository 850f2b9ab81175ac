export { reportExperiment, reportModel, reportScores } from '../../experiment/index.js';
