import { type FeatureMatrix, type Features, numQueries, toDense } from '../../core/feature-matrix.js';
import { IdTable } from '../../core/ids.js';
import { unknownParam } from '../../core/params.js';
import { InputError } from '../../core/problem.js';
import type { EvaluationRules } from '../evaluate-model.js';
import type { Objective } from '../objectives/objective.js';
import type { Iteration, TrainingSet } from '../ranker.js';
import { watchOf } from './watch.js';

/** What was seen after each iteration of a training. */
export interface TrainingCurves {
  /** The iterations that were looked at, counted from 1. */
  readonly iterations: readonly number[];
  readonly curves: readonly TrainingCurve[];
}

/** One number for each of those iterations. */
export interface TrainingCurve {
  /** `train`, `validation`, or the name of a further set. */
  readonly set: string;
  /** The measure, or what the learner minimises or maximises by itself. */
  readonly measure: string;
  readonly values: readonly number[];
}

/** A set that is watched while a model is trained. */
export interface WatchedSet {
  readonly name: string;
  readonly matrix: FeatureMatrix;
}

/** Documents of several sets as one, so that a learner scores them together. Only rows and features are asked of it. */
export function stackSets(sets: readonly TrainingSet[], missing: number): TrainingSet {
  const [first] = sets;
  if (sets.length === 1) return first;
  const numRows = sets.reduce((sum, set) => sum + set.numRows, 0);
  const labels = new Float64Array(numRows);
  const offsets = [0];
  const parts = sets.map(({ features }) => toDense(features, missing));
  const values = new Float64Array(numRows * first.features.numFeatures);
  let row = 0;
  sets.forEach((set, s) => {
    labels.set(set.labels, row);
    values.set(parts[s].values, row * first.features.numFeatures);
    for (let q = 1; q <= numQueries(set); q++) offsets.push(row + set.queryOffsets[q]);
    row += set.numRows;
  });
  const count = offsets.length - 1;
  const features: Features = { ...parts[0], numGiven: values.length, values };
  return {
    ...first,
    numRows,
    numRecords: numRows,
    labels,
    queryOffsets: Uint32Array.from(offsets), // fits: entries
    queries: IdTable.of(Array.from({ length: count }, (_, q) => String(q + 1))),
    queryOf: Uint32Array.from({ length: count }, (_, q) => q), // fits: entries
    lines: Uint32Array.from({ length: numRows }, (_, i) => i + 1), // fits: entries
    records: undefined,
    comments: undefined,
    features,
  };
}

/** Watches all measures on all sets, and notes what they are worth after each iteration. One of them decides when to stop. */
export class CurveRecorder {
  /** What a learner watches. */
  readonly metric: Objective;
  private readonly iterations: number[] = [];
  private readonly training: number[] = [];
  private readonly watched: { readonly set: string; readonly measure: string; readonly values: number[]; last: number }[] = [];
  private readonly trainingName: string;

  /** @param stopOn  `set:measure`; the first measure on the first set by default */
  constructor(
    sets: readonly WatchedSet[],
    measures: readonly Objective[],
    rules: EvaluationRules | undefined,
    stopOn: string | undefined,
    trainingName: string,
  ) {
    this.trainingName = trainingName;
    const asked: ((scores: Float64Array) => number)[] = [];
    let from = 0;
    for (const { name, matrix } of sets) {
      const to = from + matrix.numRows;
      const start = from;
      for (const objective of measures) {
        const measure = objective.watched?.name ?? objective.measure.text;
        const watch = watchOf(objective, matrix, rules);
        asked.push((scores) => watch(scores.subarray(start, to)));
        this.watched.push({ set: name, measure, values: [], last: Number.NaN });
      }
      from = to;
    }
    const names = this.watched.map(({ set, measure }) => `${set}:${measure}`);
    const decisive = stopOn === undefined ? 0 : names.indexOf(stopOn);
    if (decisive < 0) throw new InputError(unknownParam('what is watched', 'parameter', stopOn ?? '', names));
    const { watched } = this;
    const value = (scores: Float64Array): number => {
      watched.forEach((curve, i) => {
        curve.last = asked[i](scores);
      });
      return watched[decisive]?.last ?? Number.NaN;
    };
    this.metric = { ...measures[0], watched: { name: names[decisive] ?? '', value } };
  }

  /** After an iteration. */
  note({ iteration, training }: Iteration): void {
    this.iterations.push(iteration);
    if (training !== undefined) this.training.push(training);
    for (const curve of this.watched) curve.values.push(curve.last);
  }

  get curves(): TrainingCurves {
    const { iterations, training, watched, trainingName } = this;
    const own = training.length === iterations.length && training.length > 0;
    return {
      iterations,
      curves: [
        ...(own ? [{ set: 'train', measure: trainingName, values: training }] : []),
        ...watched.map(({ set, measure, values }) => ({ set, measure, values })),
      ],
    };
  }
}
