import { parentPort } from 'node:worker_threads';
import type { TeamAnswer, TeamTask } from './team.js';

type Work = (data: unknown, number: number) => unknown;

/** One thread of a team: does what it is asked, one task after the other. */
parentPort?.on('message', async (task: TeamTask) => parentPort?.postMessage(await answerTo(task)));

async function answerTo({ module, data, number }: TeamTask): Promise<TeamAnswer> {
  let work: Work;
  try {
    ({ work } = (await import(module)) as { work: Work });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { unloaded: { code, message } };
  }
  try {
    return { result: await work(data, number) };
  } catch (error) {
    return { error };
  }
}
