/** Brent's method: a root of `f` between `low` and `high`, where `f` has opposite signs. Guaranteed like bisection, and
 *  as fast as interpolation where `f` is smooth. R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4. */
export function rootBetween(f: (x: number) => number, low: number, high: number): number {
  let best = high;
  let fBest = f(high);
  let previous = low;
  let fPrevious = f(low);
  // the root always lies between best and opposite
  let opposite = previous;
  let fOpposite = fPrevious;
  let step = best - previous;
  let stepBefore = step;
  for (let round = 0; round < 200; round++) {
    if (fBest > 0 === fOpposite > 0) {
      opposite = previous;
      fOpposite = fPrevious;
      step = best - previous;
      stepBefore = step;
    }
    if (Math.abs(fOpposite) < Math.abs(fBest)) {
      previous = best;
      best = opposite;
      opposite = previous;
      fPrevious = fBest;
      fBest = fOpposite;
      fOpposite = fPrevious;
    }
    const tolerance = 2 * Number.EPSILON * Math.abs(best) + 1e-300;
    const half = 0.5 * (opposite - best);
    if (Math.abs(half) <= tolerance || fBest === 0) return best;

    // try the secant or the inverse parabola; fall back to halving when it would not gain enough
    let bisect = true;
    if (Math.abs(stepBefore) >= tolerance && Math.abs(fPrevious) > Math.abs(fBest)) {
      const s = fBest / fPrevious;
      let p: number;
      let q: number;
      if (previous === opposite) {
        p = 2 * half * s;
        q = 1 - s;
      } else {
        const r = fPrevious / fOpposite;
        const t = fBest / fOpposite;
        p = s * (2 * half * r * (r - t) - (best - previous) * (t - 1));
        q = (r - 1) * (t - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      else p = -p;
      if (2 * p < Math.min(3 * half * q - Math.abs(tolerance * q), Math.abs(stepBefore * q))) {
        stepBefore = step;
        step = p / q;
        bisect = false;
      }
    }
    if (bisect) {
      step = half;
      stepBefore = half;
    }
    previous = best;
    fPrevious = fBest;
    best += Math.abs(step) > tolerance ? step : Math.sign(half) * tolerance;
    fBest = f(best);
  }
  return best;
}

/** Logarithms of quantiles are looked for up to here; beyond it they are 0 or infinite in a double. */
const FURTHEST = 700;

/** The x > 0 at which a tail that is monotone in x has the value p, found in ln x and ln p: heavy and light tails alike are
 *  nearly straight lines there. `direction` is 1 for a tail that grows with x, −1 for one that falls; `start` is any guess. */
export function positiveQuantile(tail: (x: number) => number, p: number, direction: 1 | -1, start: number): number {
  const logP = Math.log(p);
  const excess = (logX: number): number => {
    const value = tail(Math.exp(logX));
    // a tail that has underflowed is far beyond any p that can be asked for
    return direction * ((value > 0 ? Math.log(value) : -1e4) - logP);
  };
  // excess grows with ln x in either case: widen until it changes sign
  let low = Math.log(start);
  let high = low;
  for (let width = 0.5; excess(low) > 0; width *= 2) {
    if (low === -FURTHEST) return 0;
    low = Math.max(-FURTHEST, low - width);
  }
  for (let width = 0.5; excess(high) < 0; width *= 2) {
    if (high === FURTHEST) return Number.POSITIVE_INFINITY;
    high = Math.min(FURTHEST, high + width);
  }
  return low === high ? Math.exp(low) : Math.exp(rootBetween(excess, low, high));
}
