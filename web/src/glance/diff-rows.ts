/** Measures of the two lists and the ribbons between them, which have to fit together. */
export const ROW_HEIGHT = 29;
/** Room for the names of columns. */
export const HEAD_HEIGHT = 30;
/** Room for the line below which the measure does not read. */
export const RULE_HEIGHT = 20;

/** How far below the top the middle of a rank is, counted from 1. */
export function middleOf(rank: number, cut: number): number {
  return HEAD_HEIGHT + (rank - 0.5) * ROW_HEIGHT + (rank > cut ? RULE_HEIGHT : 0);
}
