export { readRunsToFuse, tuneRuns } from '../../experiment/index.js';
export { fuseRuns } from '../../fusion/index.js';
