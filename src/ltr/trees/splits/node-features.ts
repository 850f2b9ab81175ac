import { type Random, shuffleInPlace } from '../../../core/numbers/random.js';

/** Which features single leaves may be split by. */
export interface NodeFeatureRules {
  /** Share of the features of the tree that each leaf may be split by, drawn anew. */
  readonly nodeFeatureSample: number;
  /** Sets of features that may meet on a way from the root to a leaf; undefined: all may. */
  readonly interactions: readonly ReadonlySet<number>[] | undefined;
  /** A feature that cannot split a leaf is not tried on the leaves below it. */
  readonly dropsUselessFeatures: boolean;
}

/** Whether a leaf may be split by any feature of its tree. */
export function allowsAll({ nodeFeatureSample, interactions, dropsUselessFeatures }: NodeFeatureRules): boolean {
  return nodeFeatureSample >= 1 && interactions === undefined && !dropsUselessFeatures;
}

/** Marks the features that a leaf may be split by with 1.
 *  @param sources  which column of the data each feature is, where some columns are several features
 *  @param active   1 for each feature that the tree may use
 *  @param path     the features that the leaf lies under
 *  @param allowed  set to 1 for each feature that the leaf may be split by, else to 0 */
export function markAllowed(
  { nodeFeatureSample, interactions }: NodeFeatureRules,
  sources: Uint32Array | undefined,
  active: Uint8Array,
  path: readonly number[],
  random: Random,
  allowed: Uint8Array,
): void {
  const open = interactions?.filter((group) => path.every((feature) => group.has(feature)));
  const choices = new Set<number>();
  const columnOf = (f: number): number => sources?.[f] ?? f;
  for (let f = 0; f < active.length; f++) {
    allowed[f] = 0;
    if (active[f] === 1 && (open === undefined || open.some((group) => group.has(f)))) choices.add(columnOf(f));
  }
  const drawn = Uint32Array.from(choices); // fits: entries
  if (nodeFeatureSample < 1) shuffleInPlace(random, drawn);
  const kept = new Set(drawn.subarray(0, Math.ceil(nodeFeatureSample * drawn.length)));
  for (let f = 0; f < active.length; f++) if (kept.has(columnOf(f)) && active[f] === 1) allowed[f] = 1;
}

/** Marks the features that are worth trying on a leaf with 1: LightGBM tries those too that the leaf may not be split by, to know whether
 *  they are worth trying below it. */
export function markUseful(active: Uint8Array, useless: ReadonlySet<number>, tried: Uint8Array): void {
  for (let f = 0; f < active.length; f++) tried[f] = active[f] === 1 && !useless.has(f) ? 1 : 0;
}
