import type { CategorySplits, TreeScorer } from '../ranker.js';

/** So many trees from the first on; all if there are no more. */
export function firstTrees(scorer: TreeScorer, count: number): TreeScorer {
  if (count >= scorer.treeWeights.length) return scorer;
  return {
    ...scorer,
    treeWeights: scorer.treeWeights.slice(0, count),
    nodeOffsets: scorer.nodeOffsets.slice(0, count + 1),
    ...nodesUpTo(scorer, scorer.nodeOffsets[count]),
  };
}

function nodesUpTo({ feature, threshold, left, right, missingLeft, value, gain, cover, categories }: TreeScorer, end: number) {
  return {
    feature: feature.slice(0, end),
    threshold: threshold.slice(0, end),
    left: left.slice(0, end),
    right: right.slice(0, end),
    missingLeft: missingLeft.slice(0, end),
    value: value.slice(0, end),
    gain: gain?.slice(0, end),
    cover: cover?.slice(0, end),
    categories: categories && { ...categories, setOf: categories.setOf.slice(0, end) },
  };
}

/** One tree alone, without a base. */
export function treeAlone(scorer: TreeScorer, tree: number): TreeScorer {
  const [from, to] = [scorer.nodeOffsets[tree], scorer.nodeOffsets[tree + 1]];
  const moved = (children: Uint32Array): Uint32Array => children.slice(from, to).map((child) => (child === 0 ? 0 : child - from));
  return {
    ...scorer,
    base: 0,
    treeWeights: scorer.treeWeights.slice(tree, tree + 1),
    nodeOffsets: Uint32Array.of(0, to - from), // fits: nodes
    feature: scorer.feature.slice(from, to),
    threshold: scorer.threshold.slice(from, to),
    left: moved(scorer.left),
    right: moved(scorer.right),
    missingLeft: scorer.missingLeft.slice(from, to),
    value: scorer.value.slice(from, to),
    gain: undefined,
    cover: undefined,
    categories: scorer.categories && { ...scorer.categories, setOf: scorer.categories.setOf.slice(from, to) },
  };
}

/** First trees, then further ones. */
export function joinedTrees(first: TreeScorer, further: TreeScorer): TreeScorer {
  const shift = first.feature.length;
  const nodes = (a: Uint32Array, b: Uint32Array): Uint32Array => {
    const both = new Uint32Array(a.length + b.length); // fits: nodes
    both.set(a);
    b.forEach((node, i) => {
      both[a.length + i] = node + shift;
    });
    return both;
  };
  const numbers = (a: Float64Array, b: Float64Array): Float64Array => {
    const joined = new Float64Array(a.length + b.length);
    joined.set(a);
    joined.set(b, a.length);
    return joined;
  };
  const both = (a: Float64Array | undefined, b: Float64Array | undefined) =>
    a === undefined || b === undefined ? undefined : numbers(a, b);
  const nodeOffsets = nodes(first.nodeOffsets, further.nodeOffsets.subarray(1));
  return {
    kind: 'trees',
    base: first.base + further.base,
    nodeOffsets,
    treeWeights: numbers(first.treeWeights, further.treeWeights),
    feature: Int32Array.from([...first.feature, ...further.feature]), // fits: features, or -1
    threshold: numbers(first.threshold, further.threshold),
    left: nodes(first.left, further.left),
    right: nodes(first.right, further.right),
    missingLeft: Uint8Array.from([...first.missingLeft, ...further.missingLeft]), // fits: flags
    value: numbers(first.value, further.value),
    gain: both(first.gain, further.gain),
    cover: both(first.cover, further.cover),
    categories: joinedCategories(first, further),
  };
}

function joinedCategories(first: TreeScorer, further: TreeScorer): CategorySplits | undefined {
  if (first.categories === undefined && further.categories === undefined) return undefined;
  const sets = [first, further].map(
    ({ categories, feature }) =>
      categories ?? { setOf: new Int32Array(feature.length).fill(-1), offsets: Uint32Array.of(0), words: new Uint32Array(0) }, // fits: sets, fewer than nodes, or -1
  );
  const [a, b] = sets;
  const numSets = a.offsets.length - 1;
  return {
    setOf: Int32Array.from([...a.setOf, ...b.setOf.map((set) => (set < 0 ? set : set + numSets))]), // fits: sets, fewer than nodes, or -1
    offsets: Uint32Array.from([...a.offsets, ...b.offsets.subarray(1).map((offset) => offset + a.words.length)]), // fits: entries
    words: Uint32Array.from([...a.words, ...b.words]), // fits: words of 32 flags
  };
}
