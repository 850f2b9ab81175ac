/** From which grade on a document is relevant by the rule of OpenSearch's search relevance workbench of 2026: half of the highest grade, or
 *  the 90th percentile by nearest rank if that is higher; 0 without grades and where the highest is 0. */
export function upperThreshold(grades: Iterable<number>): number {
  const ascending = Float64Array.from(grades).sort();
  const highest = ascending.at(-1) ?? 0;
  if (highest === 0) return 0;
  return Math.max(highest / 2, ascending[Math.ceil(0.9 * ascending.length) - 1]);
}
