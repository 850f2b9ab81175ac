import type { Params } from '../../measures/measure.js';
import { allMeasures } from '../../measures/registry.js';
import { objectiveOf } from '../objectives/index.js';
import type { PreparedObjective } from '../objectives/objective.js';
import { helpWithJobs } from './job-runner.js';
import { type ThreadSetup, TreeThread } from './tree-thread.js';

/** What a helping thread is sent. */
export interface HelperTask {
  readonly setup: ThreadSetup;
  /** The measure whose swaps are asked for, by name. */
  readonly measure: { readonly name: string; readonly text: string; readonly params: Params } | undefined;
}

/** What a team of threads calls: helps to grow trees until training ends. */
export function work(task: HelperTask, number: number): void {
  // there may be room for fewer threads than there are
  if (number >= task.setup.layout.threads) return;
  helpWithJobs(new TreeThread(task.setup, number, preparedFor(task)));
}

function preparedFor({ setup, measure }: HelperTask): PreparedObjective | undefined {
  if (measure === undefined) return undefined;
  const def = allMeasures.find(({ name }) => name === measure.name);
  if (def === undefined) throw new Error(`no measure ${measure.name}`);
  const { layout, memory } = setup;
  const labels = new Float64Array(memory.buffer, layout.labels, layout.numRows);
  const offsets = new Uint32Array(memory.buffer, layout.queryOffsets, layout.numQueries + 1); // fits: entries
  return objectiveOf({ def, params: measure.params, text: measure.text }).prepare(labels, offsets);
}
