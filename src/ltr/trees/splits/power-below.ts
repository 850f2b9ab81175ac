/** The largest power of two that does not exceed x; 1 where x is infinite (all values are 0 then). */
export function powerBelow(x: number): number {
  if (!(x < Infinity)) return 1;
  let power = 2 ** Math.floor(Math.log2(x));
  // a logarithm may be off by its last bit; powers of two are not
  while (power > x) power /= 2;
  while (power * 2 <= x) power *= 2;
  return power;
}
