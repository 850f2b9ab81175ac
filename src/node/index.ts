/** Files and threads in Node: loading and saving with compression, and teams of workers. */

export { type Input, openInput } from './files.js';
export { type LoadOptions, loadQrels, loadRun, type SaveOptions, saveQrels, saveRun } from './load.js';
export { holdsScores, type LoadScoresOptions, loadScores } from './load-scores.js';
export { createTeam, type WorkerTeam } from './team.js';
