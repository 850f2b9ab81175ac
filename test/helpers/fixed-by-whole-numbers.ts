/** A finite double with so many decimals, ties to even, by exact fractions: numerator and denominator are read off the
 *  bits, and the division is done with its remainder in sight. */
export function fixedByWholeNumbers(x: number, decimals: number): string {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0];
  const negative = bits >> 63n === 1n;
  const biased = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  let numerator = biased === 0n ? fraction : fraction + (1n << 52n);
  let denominator = 1n;
  const exponent = (biased === 0n ? 1n : biased) - 1075n;
  if (exponent > 0n) numerator *= 2n ** exponent;
  else denominator *= 2n ** -exponent;
  numerator *= 10n ** BigInt(decimals);
  let quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator) quotient += 1n;
  else if (twice === denominator && quotient % 2n === 1n) quotient += 1n;
  const digits = quotient.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = negative ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - decimals)}`;
}
