import type { Split } from './splits/growing-leaf.js';

/** One tree as it grows: nodes in the order in which they came to be, node 0 the root. */
export class GrownTree {
  readonly feature: number[] = [];
  /** Last bin that goes left. */
  readonly lastLeftBin: number[] = [];
  readonly missingLeft: number[] = [];
  /** Bins that go left, one bit each, where a node splits by category. */
  readonly leftSet: (Uint32Array | undefined)[] = [];
  readonly left: number[] = [];
  readonly right: number[] = [];
  readonly value: number[] = [];
  readonly gain: number[] = [];
  readonly cover: number[] = [];

  addLeaf(value: number, cover: number): number {
    const node = this.feature.length;
    this.feature.push(-1);
    this.lastLeftBin.push(0);
    this.missingLeft.push(0);
    this.leftSet.push(undefined);
    this.left.push(node);
    this.right.push(node);
    this.value.push(value);
    this.gain.push(0);
    this.cover.push(cover);
    return node;
  }

  /** What the rows of a node that is no leaf are divided by. */
  splitAt(node: number): Pick<Split, 'feature' | 'lastLeftBin' | 'missingLeft' | 'leftSet'> {
    const { feature, lastLeftBin, missingLeft, leftSet } = this;
    return { feature: feature[node], lastLeftBin: lastLeftBin[node], missingLeft: missingLeft[node], leftSet: leftSet[node] };
  }

  get numNodes(): number {
    return this.feature.length;
  }
}
