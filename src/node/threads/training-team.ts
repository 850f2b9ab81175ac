import type { Learner } from '../../ltr/ranker.js';
import { learnerEntries } from '../../ltr/registry.js';
import type { WorkerTeam } from './team.js';

/** Threads to train with, for a learner that can use them; none otherwise. Whoever asked for them closes them.
 *  @param threads Threads in all, the caller's among them; all cores by default. */
export async function trainingTeam(learner: Learner, threads?: number): Promise<WorkerTeam | undefined> {
  const entry = learnerEntries.find(({ name }) => name === learner.name);
  if (entry?.usesThreads !== true || threads === 1) return undefined;
  const { createTeam } = await import('./team.js');
  return createTeam(threads);
}
