import { parentPort } from 'node:worker_threads';
import { InputError } from '../../core/problem.js';
import { isSystemError } from '../reading.js';
import type { SystemFailure, TeamAnswer, TeamPreparation, TeamTask } from './team.js';

type Work = (data: unknown, number: number) => unknown;

/** One thread of a team: does what it is asked, one task after the other. */
parentPort?.on('message', async (task: TeamTask | TeamPreparation) => {
  if ('prepare' in task) await prepare(task);
  else parentPort?.postMessage(await answerTo(task));
});

/** What is wrong with a module is said when it is asked to work. */
async function prepare({ prepare: module }: TeamPreparation): Promise<void> {
  await import(module).catch(() => undefined);
}

async function answerTo({ module, data, number }: TeamTask): Promise<TeamAnswer> {
  let work: Work;
  try {
    ({ work } = (await import(module)) as { work: Work });
  } catch (error) {
    return { unloaded: failureOf(error) };
  }
  try {
    return { result: await work(data, number) };
  } catch (error) {
    if (error instanceof InputError) return { problems: error.problems };
    return isSystemError(error) ? { failure: failureOf(error) } : { error };
  }
}

function failureOf(error: unknown): SystemFailure {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return { code, syscall, message };
}
