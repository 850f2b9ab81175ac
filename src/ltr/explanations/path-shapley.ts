import { InputError } from '../../core/problem.js';
import type { TreeScorer } from '../ranker.js';
import { goesLeft } from '../scoring/trees.js';

/** Deeper trees than this are not explained by path. */
const DEEPEST = 500;

/** The features on the way from the root to a node, each once, with what the algorithm keeps of them. */
interface Path {
  readonly feature: Int32Array;
  /** The share of documents that take this way when the feature is not known. */
  readonly zero: Float64Array;
  /** 1 if the document itself takes it, else 0. */
  readonly one: Float64Array;
  /** Weights of subsets of the path's features, by their size. */
  readonly weight: Float64Array;
}

/** Path-dependent TreeSHAP (Lundberg, Erion and Lee 2018, https://doi.org/10.48550/arXiv.1802.03888): Shapley values of a game in which
 *  a document whose feature is not known goes both ways, in the shares in which training documents did. Needs the documents that reached
 *  each node in training. Contributions are of the sum of the trees, also where a forest divides it. */
export class PathShapley {
  private readonly scorer: TreeScorer;
  private readonly cover: Float64Array;
  private readonly paths: readonly Path[];
  /** The mean of each subtree, as the game without any known feature has it. */
  private readonly means: Float64Array;
  readonly base: number;

  constructor(scorer: TreeScorer) {
    const { cover } = scorer;
    if (cover === undefined) {
      throw new InputError({
        message: 'the model does not say how many documents reached each node, which contributions by path need',
        wayOut: 'use the interventional method, or count the documents of some data',
      });
    }
    this.scorer = scorer;
    this.cover = cover;
    const depth = deepest(scorer);
    if (depth > DEEPEST) {
      throw new InputError({
        message: `a tree of the model is ${depth} splits deep, and contributions by path lose their digits far before`,
        wayOut: 'use the interventional method',
      });
    }
    this.paths = Array.from({ length: depth + 2 }, (_, level) => emptyPath(level + 1));
    this.means = subtreeMeans(scorer, cover);
    this.base = scorer.treeWeights.reduce((sum, weight, tree) => sum + weight * this.means[scorer.nodeOffsets[tree]], scorer.base);
  }

  /** What each feature adds for the document whose cells begin at a place, written into `out`, one number per feature.
   *  `condition` is 0 for the game itself; 1 and -1 hold one feature to be known and not known, which interactions are made of. */
  explain(cells: Float64Array, at: number, out: Float64Array, condition: 0 | 1 | -1 = 0, conditionFeature = -1): void {
    out.fill(0);
    const { nodeOffsets, treeWeights } = this.scorer;
    for (let tree = 0; tree < treeWeights.length; tree++) {
      const task = { cells, at, out, weight: treeWeights[tree], condition, conditionFeature };
      this.visit(task, nodeOffsets[tree], 0, 0, 1, 1, -1, 1);
    }
  }

  /** Saabas' approximation: the feature of each split on the document's way gets what the mean changes there. */
  approximate(cells: Float64Array, at: number, out: Float64Array): void {
    out.fill(0);
    const { scorer, means } = this;
    const { nodeOffsets, treeWeights, feature, left, right } = scorer;
    for (let tree = 0; tree < treeWeights.length; tree++) {
      let node = nodeOffsets[tree];
      for (let column = feature[node]; column >= 0; column = feature[node]) {
        const child = goesLeft(scorer, node, cells[at + column]) ? left[node] : right[node];
        out[column] += treeWeights[tree] * (means[child] - means[node]);
        node = child;
      }
    }
  }

  private visit(task: Task, node: number, level: number, length: number, zero: number, one: number, column: number, share: number): void {
    // a way that neither training documents nor this one took adds nothing
    if (share === 0 || (zero === 0 && one === 0)) return;
    const path = this.paths[level];
    if (level > 0) copyPath(this.paths[level - 1], path, length);
    let size = length;
    if (task.condition === 0 || task.conditionFeature !== column || column < 0) {
      extend(path, length, zero, one, column);
      size = length + 1;
    }
    const { scorer, cover } = this;
    const { feature, left, right, value } = scorer;
    const asked = feature[node];
    if (asked < 0) {
      for (let i = 1; i < size; i++) {
        const weight = unwoundSum(path, size - 1, i);
        task.out[path.feature[i]] += task.weight * weight * (path.one[i] - path.zero[i]) * value[node] * share;
      }
      return;
    }
    const taken = goesLeft(scorer, node, task.cells[task.at + asked]) ? left[node] : right[node];
    const other = taken === left[node] ? right[node] : left[node];
    // a node that no document reached is left both ways alike
    const partOf = (child: number): number => (cover[node] === 0 ? 0.5 : cover[child] / cover[node]);
    let [knownZero, knownOne] = [1, 1];
    let known = 1;
    while (known < size && path.feature[known] !== asked) known++;
    if (known < size) {
      knownZero = path.zero[known];
      knownOne = path.one[known];
      unwind(path, size - 1, known);
      size--;
    }
    let [takenShare, otherShare] = [share, share];
    if (task.condition !== 0 && asked === task.conditionFeature) {
      takenShare *= task.condition > 0 ? 1 : partOf(taken);
      otherShare *= task.condition > 0 ? 0 : partOf(other);
    }
    this.visit(task, taken, level + 1, size, knownZero * partOf(taken), knownOne, asked, takenShare);
    // the path was changed by the branch above only on its own level
    this.visit(task, other, level + 1, size, knownZero * partOf(other), 0, asked, otherShare);
  }
}

interface Task {
  readonly cells: Float64Array;
  readonly at: number;
  readonly out: Float64Array;
  readonly weight: number;
  readonly condition: 0 | 1 | -1;
  readonly conditionFeature: number;
}

function emptyPath(length: number): Path {
  return {
    feature: new Int32Array(length), // fits: features, at most limits.features, or -1
    zero: new Float64Array(length),
    one: new Float64Array(length),
    weight: new Float64Array(length),
  };
}

function copyPath(from: Path, to: Path, length: number): void {
  for (let i = 0; i < length; i++) {
    to.feature[i] = from.feature[i];
    to.zero[i] = from.zero[i];
    to.one[i] = from.one[i];
    to.weight[i] = from.weight[i];
  }
}

/** Adds a feature to a path of `depth` features. */
function extend({ feature, zero, one, weight }: Path, depth: number, zeroShare: number, oneShare: number, column: number): void {
  feature[depth] = column;
  zero[depth] = zeroShare;
  one[depth] = oneShare;
  weight[depth] = depth === 0 ? 1 : 0;
  for (let k = depth - 1; k >= 0; k--) {
    weight[k + 1] += (oneShare * weight[k] * (k + 1)) / (depth + 1);
    weight[k] = (zeroShare * weight[k] * (depth - k)) / (depth + 1);
  }
}

/** Takes feature i out of a path whose last place is `depth`. */
function unwind({ feature, zero, one, weight }: Path, depth: number, i: number): void {
  const oneShare = one[i];
  const zeroShare = zero[i];
  let next = weight[depth];
  for (let k = depth - 1; k >= 0; k--) {
    if (oneShare !== 0) {
      const before = weight[k];
      weight[k] = (next * (depth + 1)) / ((k + 1) * oneShare);
      next = before - (weight[k] * zeroShare * (depth - k)) / (depth + 1);
    } else weight[k] = (weight[k] * (depth + 1)) / (zeroShare * (depth - k));
  }
  for (let k = i; k < depth; k++) {
    feature[k] = feature[k + 1];
    zero[k] = zero[k + 1];
    one[k] = one[k + 1];
  }
}

/** The sum of the weights that `unwind` would leave, without changing the path. */
function unwoundSum({ zero, one, weight }: Path, depth: number, i: number): number {
  const oneShare = one[i];
  const zeroShare = zero[i];
  let next = weight[depth];
  let total = 0;
  for (let k = depth - 1; k >= 0; k--) {
    if (oneShare !== 0) {
      const own = (next * (depth + 1)) / ((k + 1) * oneShare);
      total += own;
      next = weight[k] - (own * zeroShare * (depth - k)) / (depth + 1);
    } else if (zeroShare !== 0) total += (weight[k] * (depth + 1)) / (zeroShare * (depth - k));
  }
  return total;
}

function deepest({ nodeOffsets, treeWeights, feature, left, right }: TreeScorer): number {
  let most = 0;
  for (let tree = 0; tree < treeWeights.length; tree++) {
    const pending: [number, number][] = [[nodeOffsets[tree], 0]];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      const [node, depth] = place;
      most = Math.max(most, depth);
      if (feature[node] >= 0) pending.push([left[node], depth + 1], [right[node], depth + 1]);
    }
  }
  return most;
}

/** The mean of the leaves below each node, weighed by the documents that reached them. */
function subtreeMeans({ nodeOffsets, treeWeights, feature, left, right, value }: TreeScorer, cover: Float64Array): Float64Array {
  const means = Float64Array.from(value);
  for (let tree = 0; tree < treeWeights.length; tree++) {
    const order = [nodeOffsets[tree]];
    for (const node of order) if (feature[node] >= 0) order.push(left[node], right[node]);
    for (const node of order.reverse()) {
      if (feature[node] < 0) continue;
      const [a, b] = [left[node], right[node]];
      means[node] = cover[node] === 0 ? (means[a] + means[b]) / 2 : (cover[a] * means[a] + cover[b] * means[b]) / cover[node];
    }
  }
  return means;
}
