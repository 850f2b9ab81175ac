import type { NodeFeatureRules } from './splits/node-features.js';
import type { SplitLimits } from './tree-thread.js';

/** How large a tree may become, and which splits it may make. */
export interface GrowthRules extends SplitLimits, NodeFeatureRules {
  readonly maxLeaves: number;
  /** 0: as deep as it goes. */
  readonly maxDepth: number;
  /** Gain that a split must exceed. */
  readonly minGain: number;
  /** Splits are those that fit the gradients best by least squares, every document counting alike; second derivatives only make
   *  the values of leaves. No feature may be bound then. */
  readonly byDocuments: boolean;
}
