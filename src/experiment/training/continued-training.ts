/** Training that goes on from a model, and saves what it has on the way. */
import { readModelFile } from '../../ltr/models/read-model.js';
import type { Model, TrainingSnapshots } from '../../ltr/ranker.js';
import type { TrainRankerOptions } from '../../ltr/train.js';
import { sourceOf } from '../material.js';
import type { Platform } from '../platform.js';
import type { FeatureInput, TrainingData } from './training-data.js';

/** What training goes on from, and where it is saved on the way. */
export interface ContinuedTraining {
  /** A model of trees that further ones are added to. */
  readonly from?: FeatureInput | undefined;
  /** What an ended training of the same kind has saved, to go on from there; a file that is not there yet is no mistake. */
  readonly checkpoint?: FeatureInput | undefined;
  /** Called with what is to be saved there. */
  readonly onCheckpoint?: ((model: Model) => Promise<void>) | undefined;
  /** Iterations after each of which the model is saved as it is then. */
  readonly snapshotEvery?: number | undefined;
  /** Called with each of these models, and how many iterations it is the result of. */
  readonly onSnapshot?: ((model: Model, iteration: number) => Promise<void>) | undefined;
}

/** How much longer training goes on before it is saved again than saving took. */
const WORTH = 20;

/** Whether there is no model that training goes on from. */
export function beginsAnew({ from, checkpoint }: ContinuedTraining, platform: Platform): boolean {
  return from === undefined && (checkpoint === undefined || !sourceOf(checkpoint, platform).isReopenable);
}

/** The model that training goes on from: what it has saved itself, if that is there, or the one that it is to add to. */
export async function startOf(
  { from, checkpoint }: ContinuedTraining,
  { whole }: Pick<TrainingData, 'whole'>,
  platform: Platform,
): Promise<TrainRankerOptions['from']> {
  const reading = { firstFeature: (whole.features ?? whole.binned)?.firstFeature };
  const saved = checkpoint === undefined ? undefined : sourceOf(checkpoint, platform);
  if (saved?.isReopenable === true) return { model: await readModelFile(saved, reading), resumes: true };
  return from === undefined ? undefined : { model: await readModelFile(sourceOf(from, platform), reading) };
}

/** When the model is saved: after every so many iterations, and to go on from as often as is cheap. */
export function snapshotsFor({ snapshotEvery, onSnapshot, onCheckpoint }: ContinuedTraining): TrainingSnapshots | undefined {
  if (onCheckpoint === undefined && (snapshotEvery === undefined || onSnapshot === undefined)) return undefined;
  let savedAt = performance.now();
  let took = 0;
  const isKept = (iteration: number): boolean => snapshotEvery !== undefined && iteration % snapshotEvery === 0;
  const isDue = (): boolean => onCheckpoint !== undefined && performance.now() - savedAt >= WORTH * took;
  return {
    isDue: (iteration) => isKept(iteration) || isDue(),
    async save(model: Model) {
      const iteration = model.training?.iterations ?? 0;
      if (isKept(iteration)) await onSnapshot?.(model, iteration);
      if (!isDue()) return;
      const begun = performance.now();
      await onCheckpoint?.(model);
      savedAt = performance.now();
      took = savedAt - begun;
    },
  };
}
