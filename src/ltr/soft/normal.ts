/** Steps of the table below per unit, and where it ends: beyond, the distribution is 0 or 1 to the last bit. */
const STEPS = 128;
const END = 9;

let table: Float64Array | undefined;

/** The density of the standard normal distribution. */
export function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) * 0.3989422804014327;
}

/** The distribution function of the standard normal distribution, to about 1e-16: Taylor's series around the nearest point
 *  of a table, whose terms come from the density there. */
export function normalProbability(x: number): number {
  if (x < 0) return 1 - normalProbability(-x);
  if (x >= END) return 1;
  table ??= makeTable();
  const nearest = (x * STEPS + 0.5) | 0;
  const at = nearest / STEPS;
  const h = x - at;
  // the derivatives of the density are it times Hermite's polynomials, signs alternating; the next term is below 1e-18
  const square = at * at;
  const series =
    1 +
    h *
      (-at / 2 +
        h *
          ((square - 1) / 6 +
            h * ((-at * (square - 3)) / 24 + h * ((square * (square - 6) + 3) / 120 - (h * at * (square * (square - 10) + 15)) / 720))));
  return table[2 * nearest] + table[2 * nearest + 1] * h * series;
}

/** Value and density at every step from 0. ½ + density · (x + x³/3 + x⁵/15 + …), all terms positive. */
function makeTable(): Float64Array {
  const entries = new Float64Array(2 * (STEPS * END + 1));
  for (let i = 0; i <= STEPS * END; i++) {
    const x = i / STEPS;
    const density = normalDensity(x);
    let term = x;
    let sum = 0;
    for (let k = 1; sum + term !== sum; k++) {
      sum += term;
      term *= (x * x) / (2 * k + 1);
    }
    entries[2 * i] = 0.5 + density * sum;
    entries[2 * i + 1] = density;
  }
  return entries;
}
