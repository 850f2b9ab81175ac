import type { FeatureMatrix } from '../../core/feature-matrix.js';
import type { Measure } from '../../measures/measure.js';
import { type EvaluationRules, evaluateScores } from '../evaluate-model.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { firstTrees, treeAlone } from './joined-trees.js';

/** A model of trees cut where it is best, and what was seen after each tree. */
export interface ChosenLength {
  readonly model: Model;
  /** Trees that were kept, and the value there. */
  readonly best: { readonly iteration: number; readonly validation: number };
  readonly values: readonly number[];
}

/** Cuts a model of trees, whoever made it, after the tree with which it is best by a measure; the first of equal ones.
 *  @throws An `Error` if it has no trees. */
export function chosenLength(model: Model, validation: FeatureMatrix, metric: Measure, rules: EvaluationRules): ChosenLength {
  const { scorer } = model;
  if (scorer.kind !== 'trees') throw new Error(`expected trees, found ${scorer.kind}`);
  const values: number[] = [];
  for (const scores of scoresByTree(model, validation)) {
    values.push(evaluateScores(scores, validation, [metric], rules).aggregate(0));
  }
  const at = values.indexOf(values.reduce((most, value) => Math.max(most, value)));
  return {
    model: { ...model, scorer: firstTrees(scorer, at + 1) },
    best: { iteration: at + 1, validation: values[at] },
    values,
  };
}

/** The scores after each tree, in the arithmetic of the model. The array is the same each time. */
export function* scoresByTree(model: Model, matrix: FeatureMatrix): Generator<Float64Array> {
  const { scorer } = model;
  if (scorer.kind !== 'trees') return;
  const scores = new Float64Array(matrix.numRows).fill(scorer.base);
  for (let tree = 0; tree < scorer.treeWeights.length; tree++) {
    const added = scoreMatrix({ ...model, scorer: treeAlone(scorer, tree) }, matrix);
    for (let row = 0; row < scores.length; row++) {
      const sum = scores[row] + added[row];
      scores[row] = scorer.sums === 'float32' ? Math.fround(sum) : sum;
    }
    yield scores;
  }
}
