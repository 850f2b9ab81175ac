export { type Input, openInput } from './files.js';
export { type LoadOptions, loadQrels, loadRun, type SaveOptions, saveQrels, saveRun } from './load.js';
export { holdsScores, type LoadScoresOptions, loadScores } from './load-scores.js';
export { createTeam, type WorkerTeam } from './team.js';
