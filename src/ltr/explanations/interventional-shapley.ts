import type { TreeScorer } from '../ranker.js';
import { goesLeft, leafOf } from '../scoring/trees.js';

/** Interventional TreeSHAP (Lundberg et al. 2020, https://doi.org/10.1038/s42256-019-0138-9): Shapley values of a game in which features
 *  that are not known come from documents of a background. Exact for each pair of a document and one of the background. */
export class InterventionalShapley {
  private readonly scorer: TreeScorer;
  private readonly background: Float64Array;
  private readonly numRows: number;
  private readonly width: number;
  private readonly factorials: Float64Array;
  /** The mean score of the background, which contributions add to. */
  readonly base: number;

  /** @param background  rows side by side, each as wide as the model has features */
  constructor(scorer: TreeScorer, background: Float64Array, numRows: number) {
    this.scorer = scorer;
    this.background = background;
    this.numRows = numRows;
    this.width = background.length / numRows;
    this.factorials = factorialsTo(170);
    let sum = 0;
    for (let row = 0; row < numRows; row++) sum += this.scoreOf(row * this.width);
    this.base = sum / numRows;
  }

  /** What each feature adds for the document whose cells begin at a place, written into `out`. */
  explain(cells: Float64Array, at: number, out: Float64Array): void {
    out.fill(0);
    const { nodeOffsets, treeWeights } = this.scorer;
    for (let row = 0; row < this.numRows; row++) {
      for (let tree = 0; tree < treeWeights.length; tree++) {
        this.visit(
          { cells, at, other: row * this.width, weight: treeWeights[tree] / this.numRows, out, own: [], others: [] },
          nodeOffsets[tree],
        );
      }
    }
  }

  private scoreOf(at: number): number {
    const { scorer, background } = this;
    return scorer.treeWeights.reduce(
      (sum, weight, tree) => sum + weight * scorer.value[leafOf(scorer, scorer.nodeOffsets[tree], background, at)],
      scorer.base,
    );
  }

  private visit(task: Task, start: number): void {
    const { scorer } = this;
    const { feature, left, right } = scorer;
    let node = start;
    for (let column = feature[node]; column >= 0; column = feature[node]) {
      const own = goesLeft(scorer, node, task.cells[task.at + column]) ? left[node] : right[node];
      const other = goesLeft(scorer, node, this.background[task.other + column]) ? left[node] : right[node];
      if (own === other || task.own.includes(column)) node = own;
      else if (task.others.includes(column)) node = other;
      else {
        task.own.push(column);
        this.visit(task, own);
        task.own.pop();
        task.others.push(column);
        this.visit(task, other);
        task.others.pop();
        return;
      }
    }
    this.credit(task, scorer.value[node]);
  }

  /** A leaf that is reached with some features of the document and the others of the background. */
  private credit({ own, others, out, weight }: Task, value: number): void {
    const [a, b] = [own.length, others.length];
    if (a > 0) {
      const part = weight * value * this.orderings(a - 1, b);
      for (const column of own) out[column] += part;
    }
    if (b > 0) {
      const part = weight * value * this.orderings(a, b - 1);
      for (const column of others) out[column] -= part;
    }
  }

  /** a! b! / (a + b + 1)!: the share of orders in which a given feature comes after a others and before b others. */
  private orderings(a: number, b: number): number {
    if (a + b + 1 < this.factorials.length) return (this.factorials[a] * this.factorials[b]) / this.factorials[a + b + 1];
    let share = 1 / (a + b + 1);
    for (let k = 1; k <= b; k++) share *= k / (a + k);
    return share;
  }
}

interface Task {
  readonly cells: Float64Array;
  readonly at: number;
  readonly other: number;
  readonly weight: number;
  readonly out: Float64Array;
  /** Features that are the document's own on this way, and those that are the background's. */
  readonly own: number[];
  readonly others: number[];
}

function factorialsTo(n: number): Float64Array {
  const factorials = new Float64Array(n + 1).fill(1);
  for (let k = 1; k <= n; k++) factorials[k] = factorials[k - 1] * k;
  return factorials;
}
