/** Steps of the table below per unit, and where it ends: beyond, the distribution is 0 or 1 to the last bit
 *  and the density below 1e-17. */
const STEPS = 128;
const END = 9;

let table: Float64Array | undefined;

/** The distribution function and the density of the standard normal distribution at the first n points: the former to about
 *  1e-15, by Taylor's series around the nearest point of a table. */
export function normalAt(points: Float64Array, n: number, probabilities: Float64Array, densities: Float64Array): void {
  table ??= makeTable();
  for (let i = 0; i < n; i++) {
    const point = points[i];
    const x = Math.abs(point);
    let probability = 1;
    let density = 0;
    if (x < END) {
      const nearest = (x * STEPS + 0.5) | 0;
      const at = nearest / STEPS;
      const h = x - at;
      const square = at * at;
      // the derivatives of the density are it times Hermite's polynomials, signs alternating; the next term is below 1e-18
      const fifth = (square * (square - 6) + 3) / 120 - (h * at * (square * (square - 10) + 15)) / 720;
      const series = 1 + h * (-at / 2 + h * ((square - 1) / 6 + h * ((-at * (square - 3)) / 24 + h * fifth)));
      // e^-(x² - at²)/2
      const t = -h * (at + h / 2);
      const factor = 1 + t * (1 + (t / 2) * (1 + (t / 3) * (1 + (t / 4) * (1 + (t / 5) * (1 + t / 6)))));
      probability = table[2 * nearest] + table[2 * nearest + 1] * h * series;
      density = table[2 * nearest + 1] * factor;
    }
    probabilities[i] = point < 0 ? 1 - probability : probability;
    densities[i] = density;
  }
}

/** Value and density at every step from 0. ½ + density · (x + x³/3 + x⁵/15 + …), all terms positive. */
function makeTable(): Float64Array {
  const entries = new Float64Array(2 * (STEPS * END + 1));
  for (let i = 0; i <= STEPS * END; i++) {
    const x = i / STEPS;
    const density = Math.exp(-0.5 * x * x) * 0.3989422804014327;
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
