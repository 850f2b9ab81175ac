const none: ReadonlySet<number> = new Set();

/** A leaf of the tree as it grows. */
export class Leaf {
  readonly node: number;
  /** Where its rows are: which of the two buffers, from where, how many. */
  readonly buffer: number;
  readonly start: number;
  readonly count: number;
  readonly depth: number;
  /** Sums of gradients and hessians, in units of the fixed point. */
  readonly gradient: number;
  readonly hessian: number;
  /** Bounds of its value. */
  readonly lower: number;
  readonly upper: number;
  /** Which histogram it has; -1 for none. */
  histogram = -1;
  split: Split | undefined;
  /** Features that it lies under, where that matters. */
  path: readonly number[] = [];
  /** Features that could not split it or a leaf above it, where that matters. */
  useless: ReadonlySet<number> = none;
  /** 1 for each feature that it may be split by, where that is not every feature of its tree. */
  allowed: Uint8Array | undefined;

  // by place and not by name: there are two for every split, and records that are put together from others take longer than the split
  constructor(
    node: number,
    buffer: number,
    start: number,
    count: number,
    depth: number,
    gradient: number,
    hessian: number,
    lower: number,
    upper: number,
  ) {
    this.node = node;
    this.buffer = buffer;
    this.start = start;
    this.count = count;
    this.depth = depth;
    this.gradient = gradient;
    this.hessian = hessian;
    this.lower = lower;
    this.upper = upper;
  }
}

/** How a leaf would be split best. */
export interface Split {
  readonly feature: number;
  readonly gain: number;
  readonly leftGradient: number;
  readonly leftHessian: number;
  readonly leftCount: number;
  /** Documents that the left side is taken to have where values are held back. */
  readonly leftDocs: number;
  readonly lastLeftBin: number;
  readonly missingLeft: number;
  /** The bins that go left, where the feature has categories. */
  readonly leftSet: Uint32Array | undefined;
  /** Penalty on the squares of the values of both sides. */
  readonly l2: number;
}
