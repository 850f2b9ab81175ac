import type { Random } from '../core/numbers/random.js';

/** A draw from the gamma distribution with scale 1 (Marsaglia and Tsang, doi:10.1145/358407.358414). */
export function gammaDraw(random: Random, shape: number): number {
  // a small shape is drawn with one more and scaled back
  const boost = shape < 1 ? (1 - random.float()) ** (1 / shape) : 1;
  const d = (shape < 1 ? shape + 1 : shape) - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - random.float();
    if (Math.log(u) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v * boost;
  }
}

/** A draw from the chi-square distribution. */
export function chiSquareDraw(random: Random, degreesOfFreedom: number): number {
  return 2 * gammaDraw(random, degreesOfFreedom / 2);
}

/** A draw from the beta distribution. */
export function betaDraw(random: Random, a: number, b: number): number {
  const x = gammaDraw(random, a);
  return x / (x + gammaDraw(random, b));
}

/** A draw from the Dirichlet distribution, into `out`. */
export function dirichletDraw(random: Random, weights: ArrayLike<number>, out: Float64Array): void {
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    out[i] = gammaDraw(random, weights[i]);
    total += out[i];
  }
  for (let i = 0; i < weights.length; i++) out[i] /= total;
}
