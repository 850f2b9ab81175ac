import type { LabelledDoc } from './feature-lists.js';

/** The first tree of LambdaMART for nDCG, written down from the papers: every exchange recomputed from scratch, every split of every leaf
 *  tried by walking over all documents. Features must have few values; none may be missing. */
export interface SlowNode {
  readonly docs: number;
  value: number;
  feature?: number;
  left?: SlowNode;
  right?: SlowNode;
  gain?: number;
}

interface WithGradient {
  readonly cells: readonly number[];
  readonly gradient: number;
  readonly curvature: number;
}

export interface SlowRules {
  readonly leaves: number;
  readonly minDocs: number;
  readonly l2: number;
  readonly cutoff: number;
  readonly truncation: number;
  readonly sigma: number;
  readonly normalise: boolean;
  readonly splitBy: string;
}

/** Derivatives of the loss by the scores of one query's documents. */
export function slowGradients(
  labels: readonly number[],
  scores: readonly number[],
  rules: SlowRules,
): { gradient: number; curvature: number }[] {
  const order = labels.map((_, doc) => doc).sort((a, b) => scores[b] - scores[a] || a - b);
  const ndcg = (docs: readonly number[]): number => {
    const dcg = (grades: readonly number[]): number =>
      grades.slice(0, rules.cutoff).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);
    return dcg(docs.map((doc) => labels[doc])) / dcg([...labels].sort((a, b) => b - a));
  };
  const result = labels.map(() => ({ gradient: 0, curvature: 0 }));
  if (labels.every((label) => label === labels[0])) return result;
  const isFlat = scores.every((score) => score === scores[0]);
  let size = 0;
  for (let i = 0; i < order.length; i++) {
    for (let j = i + 1; j < order.length; j++) {
      const [a, b] = labels[order[i]] > labels[order[j]] ? [order[i], order[j]] : [order[j], order[i]];
      if (i >= rules.truncation || labels[a] === labels[b]) continue;
      const swapped = [...order];
      [swapped[i], swapped[j]] = [swapped[j], swapped[i]];
      let weight = Math.abs(ndcg(swapped) - ndcg(order));
      if (rules.normalise && !isFlat) weight /= 0.01 + Math.abs(scores[a] - scores[b]);
      const doubt = 1 / (1 + Math.exp(rules.sigma * (scores[a] - scores[b])));
      const force = rules.sigma * weight * doubt;
      const bend = rules.sigma ** 2 * weight * doubt * (1 - doubt);
      result[a].gradient -= force;
      result[b].gradient += force;
      result[a].curvature += bend;
      result[b].curvature += bend;
      size += 2 * force;
    }
  }
  const factor = rules.normalise && size > 0 ? Math.log2(1 + size) / size : 1;
  return result.map(({ gradient, curvature }) => ({ gradient: gradient * factor, curvature: curvature * factor }));
}

/** Leaves are steps of Newton's method, without any shrinking. */
export function slowFirstTree(queries: readonly (readonly LabelledDoc[])[], rules: SlowRules): SlowNode {
  const docs = queries.flatMap((query) => {
    const labels = query.map(({ label }) => label);
    if (labels.every((label) => label === labels[0])) return [];
    const gradients = slowGradients(
      labels,
      query.map(() => 0),
      rules,
    );
    return query.map(({ cells }, i): WithGradient => ({ cells, ...gradients[i] }));
  });
  const root = nodeOf(docs, rules);
  const leaves = [{ node: root, docs, best: bestSplit(docs, rules) }];
  while (leaves.length < rules.leaves) {
    leaves.sort((a, b) => (b.best?.gain ?? 0) - (a.best?.gain ?? 0));
    const leaf = leaves.shift();
    if (leaf?.best === undefined) break;
    const { feature, threshold, gain } = leaf.best;
    const [left, right] = [true, false].map((isLeft) => leaf.docs.filter(({ cells }) => cells[feature] <= threshold === isLeft));
    Object.assign(leaf.node, { feature, gain, left: nodeOf(left, rules), right: nodeOf(right, rules) });
    for (const [node, own] of [
      [leaf.node.left, left],
      [leaf.node.right, right],
    ] as const) {
      if (node !== undefined) leaves.push({ node, docs: own, best: bestSplit(own, rules) });
    }
  }
  return root;
}

const LEAST_CURVATURE = 0.001;

const sum = (docs: readonly WithGradient[], key: 'gradient' | 'curvature'): number => docs.reduce((total, doc) => total + doc[key], 0);

function nodeOf(docs: readonly WithGradient[], { l2 }: SlowRules): SlowNode {
  return { docs: docs.length, value: -sum(docs, 'gradient') / (Math.max(LEAST_CURVATURE, sum(docs, 'curvature')) + l2) };
}

function bestSplit(docs: readonly WithGradient[], { minDocs, l2, splitBy }: SlowRules) {
  const weight = (some: readonly WithGradient[]): number => (splitBy === 'documents' ? some.length : sum(some, 'curvature'));
  const score = (some: readonly WithGradient[]): number => sum(some, 'gradient') ** 2 / (weight(some) + l2);
  let best: { feature: number; threshold: number; gain: number } | undefined;
  for (let feature = 0; feature < (docs[0]?.cells.length ?? 0); feature++) {
    // the first of equals wins: the lowest threshold of the first feature
    for (const threshold of [...new Set(docs.map(({ cells }) => cells[feature]))].sort((a, b) => a - b)) {
      const left = docs.filter(({ cells }) => cells[feature] <= threshold);
      const right = docs.filter(({ cells }) => cells[feature] > threshold);
      if (left.length < minDocs || right.length < minDocs) continue;
      if (weight(left) < LEAST_CURVATURE || weight(right) < LEAST_CURVATURE) continue;
      const gain = score(left) + score(right) - score(docs);
      if (gain > 1e-12 && gain > (best?.gain ?? 0)) best = { feature, threshold, gain };
    }
  }
  return best;
}
