import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { TreeScorer } from '../ranker.js';
import { checkNodeCount, checkTreeCount, checkWeightCount } from './check.js';

/** A node as readers of model files describe it. */
export type NodeSpec = LeafSpec | SplitSpec;

/** A leaf, with the number of documents that reached it in training, where the file says so. */
export interface LeafSpec {
  readonly value: number;
  readonly cover?: number | undefined;
}

/** Left for values of at most the threshold or, where there are categories, for those above it that are among them. The branches are named by whatever numbers the file uses. */
export interface SplitSpec {
  readonly feature: number;
  readonly threshold: number;
  readonly categories?: Iterable<number> | undefined;
  readonly missingLeft: boolean;
  readonly left: number;
  readonly right: number;
  readonly gain?: number | undefined;
  readonly cover?: number | undefined;
}

/** A split that holds its branches. */
export interface NestedSplit<T> extends Omit<SplitSpec, 'left' | 'right'> {
  readonly left: T;
  readonly right: T;
}

/** Collects trees, from files that number their nodes in ways of their own, in flat arrays: nodes level by level. */
export class TreeBuilder {
  private readonly nodeOffsets: number[] = [0];
  private readonly treeWeights: number[] = [];
  private readonly feature: number[] = [];
  private readonly threshold: number[] = [];
  private readonly left: number[] = [];
  private readonly right: number[] = [];
  private readonly missingLeft: number[] = [];
  private readonly value: number[] = [];
  private readonly gain: number[] = [];
  private readonly cover: number[] = [];
  private readonly setOf: number[] = [];
  private readonly setOffsets: number[] = [0];
  private readonly setWords: number[] = [];
  private gains = true;
  private covers = true;

  get numTrees(): number {
    return this.treeWeights.length;
  }

  /** Adds the tree whose root the file calls `root`; `describe` tells what the file says of a node. */
  add(root: number, weight: number, describe: (node: number) => NodeSpec): void {
    const seen = new Set([root]);
    const pending = [root];
    const start = this.feature.length;
    for (let next = 0; next < pending.length; next++) {
      const spec = describe(pending[next]);
      const split = 'feature' in spec ? spec : undefined;
      if (split !== undefined) {
        for (const child of [split.left, split.right]) {
          if (seen.has(child)) {
            throw new InputError(`tree ${this.numTrees}: several branches lead to node ${child}, so it is not a tree`);
          }
          seen.add(child);
          pending.push(child);
        }
      }
      this.feature.push(split?.feature ?? -1);
      this.threshold.push(split?.threshold ?? 0);
      this.left.push(split === undefined ? 0 : start + pending.length - 2);
      this.right.push(split === undefined ? 0 : start + pending.length - 1);
      this.missingLeft.push(split?.missingLeft === true ? 1 : 0);
      this.value.push('value' in spec ? spec.value : 0);
      this.setOf.push(split?.categories === undefined ? -1 : this.addSet(split.categories));
      this.gain.push(split?.gain ?? 0);
      this.cover.push(spec.cover ?? 0);
      if (split !== undefined && split.gain === undefined) this.gains = false;
      // a tree of one leaf gives the same to all documents, however many there were
      if (spec.cover === undefined && (split !== undefined || next > 0)) this.covers = false;
    }
    checkNodeCount(this.feature.length);
    checkTreeCount(this.numTrees + 1);
    this.nodeOffsets.push(this.feature.length);
    this.treeWeights.push(weight);
  }

  /** Adds a tree whose splits hold their branches themselves, as files with nested objects have them. */
  addNested<T>(root: T, weight: number, describe: (node: T, tree: number) => LeafSpec | NestedSplit<T>): void {
    const nodes = [root];
    const tree = this.numTrees;
    this.add(0, weight, (number) => {
      const spec = describe(nodes[number], tree);
      if (!('feature' in spec)) return spec;
      checkNodeCount(nodes.length + 2);
      return { ...spec, left: nodes.push(spec.left) - 1, right: nodes.push(spec.right) - 1 };
    });
  }

  private addSet(categories: Iterable<number>): number {
    const start = this.setWords.length;
    for (const category of categories) {
      const word = start + Math.floor(category / 32);
      if (word > limits.modelWeights) checkWeightCount(word);
      while (this.setWords.length <= word) this.setWords.push(0);
      this.setWords[word] |= 1 << (category % 32);
    }
    return this.setOffsets.push(this.setWords.length) - 2;
  }

  finish(more: Partial<TreeScorer> = {}): TreeScorer {
    return {
      kind: 'trees',
      base: 0,
      nodeOffsets: Uint32Array.from(this.nodeOffsets), // fits: nodes
      treeWeights: Float64Array.from(this.treeWeights),
      feature: Int32Array.from(this.feature), // fits: features, at most limits.features, or -1
      threshold: Float64Array.from(this.threshold),
      left: Uint32Array.from(this.left), // fits: nodes
      right: Uint32Array.from(this.right), // fits: nodes
      missingLeft: Uint8Array.from(this.missingLeft), // fits: flags
      value: Float64Array.from(this.value),
      ...(this.gains && this.gain.length > 0 ? { gain: Float64Array.from(this.gain) } : {}),
      ...(this.covers && this.cover.length > 0 ? { cover: Float64Array.from(this.cover) } : {}),
      ...(this.setOffsets.length > 1
        ? {
            categories: {
              setOf: Int32Array.from(this.setOf), // fits: sets, fewer than nodes, or -1
              offsets: Uint32Array.from(this.setOffsets), // fits: words, at most limits.modelWeights
              words: Uint32Array.from(this.setWords, (word) => word >>> 0), // fits: 32 bits each
            },
          }
        : {}),
      ...more,
    };
  }
}
