import type { Learner, Team } from '../ltr/ranker.js';
import { findLearner } from '../ltr/registry.js';

/** Threads for a learner that can use them; none otherwise. */
export async function openTeam(learner: Learner, threads: number | undefined): Promise<Team | undefined> {
  if (findLearner(learner.name).usesThreads !== true || threads === 1) return undefined;
  const { createTeam } = await import('../node/team.js');
  return createTeam(threads);
}
