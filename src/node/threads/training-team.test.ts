import { describe, expect, it } from 'vitest';
import { InputError } from '../../core/problem.js';
import { loadLearner } from '../../ltr/registry.js';
import { trainingTeam } from './training-team.js';

const numWorkers = (): number => (process.report.getReport() as { workers: unknown[] }).workers.length;

describe('trainingTeam(learner, threads)', () => {
  it('starts no thread before one is needed', async () => {
    const before = numWorkers();
    const team = await trainingTeam(await loadLearner('lambdamart'), 3);
    team?.check();
    expect(numWorkers()).toBe(before);
    await team?.close();
    expect(numWorkers()).toBe(before);
  });

  it('is none for one thread, and for learners that use no more', async () => {
    expect(await trainingTeam(await loadLearner('lambdamart'), 1)).toBeUndefined();
    expect(await trainingTeam(await loadLearner('ranknet'), 2)).toBeUndefined();
  });

  it('refuses numbers of threads at once', async () => {
    await expect(trainingTeam(await loadLearner('lambdamart'), 0)).rejects.toThrow(InputError);
  });
});
