import { lostInProduct } from './exact-product.js';

/** The exact binary value rounded to so many decimals, up to 15, exact ties to even: the number that C prints with `%.*f`. Only a number of
 *  2^52 units or more leaves its exact ties to `toFixed`, which rounds them up. */
export function roundedTo(x: number, decimals: number): number {
  const power = 10 ** decimals;
  const scaled = roundedScaled(Math.abs(x), power);
  return scaled >= 0 ? (Math.sign(x) * scaled) / power : Number(x.toFixed(decimals));
}

/** `size * power` rounded to a whole number, exact ties to even; -1 when that cannot be decided with doubles. */
export function roundedScaled(size: number, power: number): number {
  const product = size * power;
  if (!(product < 0x10000000000000)) return -1;
  const whole = Math.floor(product);
  const aboveHalf = product - whole - 0.5;
  // the product is off by half its last place at most, and this is a whole number of last places: unless it is none, its
  // sign is that of the exact difference
  if (aboveHalf !== 0) return aboveHalf > 0 ? whole + 1 : whole;
  const lost = lostInProduct(size, power, product);
  if (lost === 0) return whole % 2 === 0 ? whole : whole + 1;
  return lost > 0 ? whole + 1 : whole;
}
