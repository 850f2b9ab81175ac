import type { Model, Scorer, TreeScorer } from '../ranker.js';

/** What can be said of a model without data. */
export interface ModelSummary {
  readonly learner: string;
  readonly scorer: Scorer['kind'];
  readonly features: { readonly first: number; readonly last: number; readonly used: number };
  readonly trees?: TreesSummary;
  /** Units of each layer, from the features to the score. */
  readonly layers?: readonly number[];
}

/** How many trees there are, and how large. */
export interface TreesSummary {
  readonly trees: number;
  readonly leaves: { readonly least: number; readonly mean: number; readonly most: number };
  readonly depth: { readonly least: number; readonly mean: number; readonly most: number };
}

/** What there is to tell about a model at a glance: its kind, its size, and the features it uses. */
export function summariseModel(model: Model): ModelSummary {
  const { scorer, learner, firstFeature, numFeatures } = model;
  const used = usedFeatures(model).reduce((sum, flag) => sum + flag, 0);
  return {
    learner,
    scorer: scorer.kind,
    features: { first: firstFeature, last: firstFeature + numFeatures - 1, used },
    ...(scorer.kind === 'trees' ? { trees: summariseTrees(scorer) } : {}),
    ...(scorer.kind === 'net' ? { layers: [numFeatures, ...scorer.layers.map(({ units }) => units)] } : {}),
  };
}

/** Learners that add up weak rankers of one feature each. */
const boosting: readonly string[] = ['adarank', 'rankboost'];

/** That boosting ended where it began, with one feature: a model whose numbers say nothing about the learner. Undefined otherwise. */
export function oneFeatureNote(model: Model): string | undefined {
  const { learner, firstFeature, featureNames, numFeatures } = model;
  if (!boosting.includes(learner) || numFeatures < 2) return undefined;
  const used = usedFeatures(model);
  if (used.reduce((sum, flag) => sum + flag, 0) !== 1) return undefined;
  const only = used.indexOf(1);
  return `${learner} kept one feature of ${numFeatures} (${featureNames?.[only] ?? firstFeature + only}): the model ranks by it alone, and its numbers say little about the learner`;
}

/** 1 for each feature that can make a difference. */
export function usedFeatures({ scorer, numFeatures }: Model): Uint8Array {
  const used = new Uint8Array(numFeatures); // fits: flags
  if (scorer.kind === 'trees') {
    for (const feature of scorer.feature) if (feature >= 0) used[feature] = 1;
  } else {
    const weights = scorer.kind === 'linear' ? scorer.weights : scorer.layers[0].weights;
    for (let i = 0; i < weights.length; i++) if (weights[i] !== 0) used[i % numFeatures] = 1;
  }
  return used;
}

function summariseTrees({ nodeOffsets, treeWeights, feature, left, right }: TreeScorer): TreesSummary {
  const leaves: number[] = [];
  const depths: number[] = [];
  const depth = new Uint32Array(feature.length); // fits: nodes
  for (let tree = 0; tree < treeWeights.length; tree++) {
    let numLeaves = 0;
    let deepest = 0;
    const pending = [nodeOffsets[tree]];
    while (pending.length > 0) {
      const node = pending.pop()!;
      if (feature[node] < 0) {
        numLeaves++;
        deepest = Math.max(deepest, depth[node]);
        continue;
      }
      depth[left[node]] = depth[node] + 1;
      depth[right[node]] = depth[node] + 1;
      pending.push(left[node], right[node]);
    }
    leaves.push(numLeaves);
    depths.push(deepest);
  }
  return { trees: treeWeights.length, leaves: spread(leaves), depth: spread(depths) };
}

function spread(values: readonly number[]): { least: number; mean: number; most: number } {
  if (values.length === 0) return { least: 0, mean: 0, most: 0 };
  return {
    least: values.reduce((least, value) => Math.min(least, value)),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    most: values.reduce((most, value) => Math.max(most, value)),
  };
}
