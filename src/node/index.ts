/** Files and threads in Node: experiments with files, loading and saving with compression, and teams of workers. */

export { experiment, FileExperiment } from './experiment.js';
export { type FileSource, fileSource } from './files.js';
export { loadQrels, loadRun, loadScores } from './load.js';
export { nodePlatform } from './platform.js';
export { type SaveOptions, saveQrels, saveRun } from './save.js';
export { saveReport } from './save-report.js';
export { createTeam, type WorkerTeam } from './team.js';
