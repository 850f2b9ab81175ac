/** Whether more of a measure is better. How much was judged says how far other numbers can be trusted, not how good a system is, so no
 *  table marks the best of it. */
export function isQuality(measure: string): boolean {
  return !/^Judged(@|$)/.test(measure);
}
