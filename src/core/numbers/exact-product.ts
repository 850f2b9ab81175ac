/** The exact product of two doubles less the rounded one, itself a double (Dekker 1971, doi:10.1007/BF01397083). Right as
 *  long as nothing overflows or comes near the smallest doubles. */
export function lostInProduct(a: number, b: number, product: number): number {
  const aSpread = a * 134217729; // 2^27 + 1 cuts a double into two halves
  const aHigh = aSpread - (aSpread - a);
  const aLow = a - aHigh;
  const bSpread = b * 134217729;
  const bHigh = bSpread - (bSpread - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
