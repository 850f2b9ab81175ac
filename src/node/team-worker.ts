import { parentPort } from 'node:worker_threads';
import type { TeamAnswer, TeamTask } from './team.js';

/** One thread of a team: does what it is asked, one task after the other. */
parentPort?.on('message', async ({ module, data, number }: TeamTask) => {
  let answer: TeamAnswer;
  try {
    const { work } = (await import(module)) as { work: (data: unknown, number: number) => unknown };
    answer = { error: undefined, result: await work(data, number) };
  } catch (error) {
    answer = { error, result: undefined };
  }
  parentPort?.postMessage(answer);
});
