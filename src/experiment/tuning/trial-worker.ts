import { type TrialResult, type TrialWork, takeTrials } from './trials.js';

/** What a team of threads calls: takes part in the trials until none is left. */
export function work(task: TrialWork): Promise<[job: number, result: TrialResult][]> {
  return takeTrials(task);
}
