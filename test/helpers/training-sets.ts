import type { FeatureMatrix } from '../../src/core/feature-matrix.js';
import { seededRandom } from '../../src/core/numbers/random.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { featuresOf } from '../../src/ltr/dataset.js';
import { objectiveOf } from '../../src/ltr/objectives/index.js';
import type { Objective } from '../../src/ltr/objectives/objective.js';
import type { Learner, OptionValue, TrainingRequest, TrainingSet } from '../../src/ltr/ranker.js';
import { cellsOf, type TrainingCells } from '../../src/ltr/training/training-cells.js';
import { parseMeasure } from '../../src/measures/parse.js';

/** Documents as `[label, ...features]`, query by query. */
export function matrixOf(queries: readonly (readonly (readonly number[])[])[]): TrainingSet {
  const lines = queries.flatMap((documents, q) =>
    documents.map(([label, ...features]) => `${label} qid:${q + 1} ${features.map((value, c) => `${c + 1}:${value}`).join(' ')}`),
  );
  return withFeatures(parseLetor(`${lines.join('\n')}\n`, { features: 'dense', nonFinite: true }).matrix);
}

/** For a learner that is called without `trainRanker`, which would look at the data first. */
export function withFeatures(matrix: FeatureMatrix): TrainingSet {
  return { ...matrix, features: featuresOf(matrix) };
}

export function dataOf(queries: readonly (readonly (readonly number[])[])[]): TrainingCells {
  return cellsOf(matrixOf(queries));
}

/** Queries of a few documents whose labels follow the features, with noise. Feature 1 says most, the last one never changes. */
export function noisyQueries(seed: number, numQueries: number, numFeatures = 4): number[][][] {
  const random = seededRandom(seed);
  return Array.from({ length: numQueries }, () =>
    Array.from({ length: 3 + random.below(8) }, () => {
      const features = Array.from({ length: numFeatures }, (_, c) =>
        c === numFeatures - 1 ? 2.5 : Math.round(1000 * random.normal()) / 100,
      );
      const merit = features[0] + 0.5 * features[1] + 2 * random.normal();
      return [merit > 8 ? 2 : merit > 2 ? 1 : 0, ...features];
    }),
  );
}

export function objective(text: string): Objective {
  return objectiveOf(parseMeasure(text));
}

export function requestFor(
  learner: Learner,
  train: TrainingSet,
  more: Partial<Omit<TrainingRequest, 'options'>> & { readonly options?: Readonly<Record<string, OptionValue>> } = {},
): TrainingRequest {
  const defaults = Object.fromEntries(Object.entries(learner.options).map(([name, spec]) => [name, spec.default]));
  return { train, objective: objective("nDCG(gain='exp')@10"), seed: 1, ...more, options: { ...defaults, ...more.options } };
}
