import { openSync, writeSync } from 'node:fs';
import { attempt, fuzzLoop, TooMuch, workDone } from './loop.js';
import { beThorough } from './outcome.js';
import type { Finding, Progress } from './target.js';
import { findTarget } from './targets/index.js';

/** What a process of its own is asked to do: cases of a target, or inputs that are given. */
export interface Task {
  readonly target: string;
  readonly seed: number;
  readonly firstCase: number;
  readonly numCases: number;
  readonly deadline: number;
  /** Inputs of the corpus: to start from, or all that there is to do. */
  readonly inputs: readonly Uint8Array[];
  readonly onlyInputs: boolean;
  /** Whether checks that take long run on every case. */
  readonly isThorough: boolean;
  /** Where the case at hand is written down: its number, its length, its bytes. */
  readonly caseFile: string;
}

export type Message = { readonly type: 'finding'; readonly finding: Finding } | { readonly type: 'done'; readonly progress: Progress };

export const CASE_HEADER = 8;

// without anybody to report to there is nothing to do
process.once('disconnect', () => process.exit());

process.once('message', async (task: Task) => {
  const send = (message: Message): void => void process.send?.(message);
  const caseFile = openSync(task.caseFile, 'w');
  const onCase = (caseNumber: number, input: Uint8Array): void => {
    const record = Buffer.alloc(CASE_HEADER + input.length);
    record.writeUInt32LE(caseNumber, 0);
    record.writeUInt32LE(input.length, 4);
    record.set(input, CASE_HEADER);
    writeSync(caseFile, record, 0, record.length, 0);
  };
  const target = findTarget(task.target);
  if (task.isThorough) beThorough();
  if (!task.onlyInputs) {
    const onFinding = (finding: Finding): void => send({ type: 'finding', finding });
    send({ type: 'done', progress: await fuzzLoop(target, task.inputs, { ...task, onCase, onFinding }) });
    return;
  }
  for (const [caseNumber, input] of task.inputs.entries()) {
    onCase(caseNumber, input);
    const { failure } = await attempt(target, input);
    if (failure === undefined) continue;
    const details = failure instanceof Error ? `${failure.stack}` : String(failure);
    const isUnsure = failure instanceof TooMuch;
    const [kind] = details.split('\n');
    send({ type: 'finding', finding: { target: target.name, seed: 0, caseNumber, kind, details, input, isUnsure } });
  }
  send({ type: 'done', progress: { numCases: task.inputs.length, numKinds: 0, numRepeated: 0, work: workDone() } });
});
