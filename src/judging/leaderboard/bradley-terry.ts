import { InputError } from '../../core/problem.js';
import { strongGroups, type WinTable } from './preferences.js';
import type { EstimatedMeans } from './rank-sets.js';
import { choleskyFactor, inverseCholesky, solveCholesky } from './symmetric-solve.js';

/** Strengths of systems, from who beat whom. */
export interface BradleyTerry {
  readonly names: readonly string[];
  /** Logarithms of strengths, which sum to 0. */
  readonly strengths: Float64Array;
  readonly standardErrors: Float64Array;
  /** Covariance of the strengths, by rows. */
  readonly covariance: Float64Array;
  /** On the scale of Elo's numbers: 1000 on average, 400 for odds of ten to one. */
  readonly elo: Float64Array;
}

/** One of Elo's points in logarithms of odds. */
export const ELO_SCALE: number = 400 / Math.LN10;

/** The Bradley–Terry model by maximum likelihood (doi:10.2307/2334029), by Newton's steps.
 *  @param prior Virtual ties between every two systems, which make the strengths exist where they do not.
 *  @throws An `InputError` if some systems never lost to others, directly or through others. */
export function bradleyTerry(table: WinTable, prior = 0): BradleyTerry {
  const { names } = table;
  const n = names.length;
  if (n < 2)
    throw new InputError({ message: `found ${n === 1 ? '1 system' : 'no systems'} to compare`, wayOut: 'give at least 2 systems' });
  const wins = table.wins.map((count, at) => (at % (n + 1) === 0 ? 0 : count + prior / 2));
  if (prior === 0) refuseUnconnected(table);
  const strengths = new Float64Array(n);
  for (let step = 0; step < 200; step++) {
    const { gradient, information } = slopes(wins, strengths, n);
    const factor = informationFactor(information, n);
    const move = solveCholesky(factor, n, gradient);
    const most = move.reduce((largest, change) => Math.max(largest, Math.abs(change)), 0);
    // long steps far from the maximum would overshoot
    const scale = most > 2 ? 2 / most : 1;
    let mean = 0;
    for (let i = 0; i < n; i++) {
      strengths[i] += scale * move[i];
      mean += strengths[i] / n;
    }
    for (let i = 0; i < n; i++) strengths[i] -= mean;
    if (most < 1e-13) break;
  }
  const inverse = inverseCholesky(informationFactor(slopes(wins, strengths, n).information, n), n);
  // the pseudo-inverse: what was added along the direction that changes nothing is taken away again
  const covariance = inverse.map((value) => value - 1 / n);
  return {
    names,
    strengths,
    standardErrors: Float64Array.from({ length: n }, (_, i) => Math.sqrt(covariance[i * n + i])),
    covariance,
    elo: strengths.map((strength) => 1000 + ELO_SCALE * strength),
  };
}

function refuseUnconnected(table: WinTable): void {
  const groups = strongGroups(table);
  if (groups.length === 1) return;
  const told = groups
    .slice(0, 5)
    .map((group) => (group.length > 5 ? `${group.slice(0, 5).join(', ')} and ${group.length - 5} more` : group.join(', ')));
  throw new InputError({
    message: `strengths are not defined: some systems never lost to others, directly or through others; the groups are ${told.join(' / ')}${groups.length > 5 ? ' / …' : ''}`,
    wayOut: 'compare the groups with each other, or add virtual ties with --prior 0.1',
  });
}

function slopes(wins: Float64Array, strengths: Float64Array, n: number): { gradient: Float64Array; information: Float64Array } {
  const gradient = new Float64Array(n);
  const information = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const games = wins[i * n + j] + wins[j * n + i];
      if (games === 0) continue;
      const chance = 1 / (1 + Math.exp(strengths[j] - strengths[i]));
      gradient[i] += wins[i * n + j] - games * chance;
      const weight = games * chance * (1 - chance);
      information[i * n + i] += weight;
      information[i * n + j] -= weight;
    }
  }
  return { gradient, information };
}

/** Strengths are known up to a constant; adding the same to all cells fixes it at a sum of 0 and makes the matrix invertible. */
function informationFactor(information: Float64Array, n: number): Float64Array {
  const factor = choleskyFactor(
    information.map((value) => value + 1 / n),
    n,
  );
  if (factor === undefined) {
    throw new InputError({
      message: 'strengths are too uncertain to be computed: some systems were hardly compared',
      wayOut: 'give more comparisons, or add virtual ties with --prior 0.1',
    });
  }
  return factor;
}

/** The strengths as means for rank sets. A constant added to all of them changes no difference. */
export function estimatedStrengths({ strengths, covariance }: BradleyTerry): EstimatedMeans {
  const n = strengths.length;
  const factor = choleskyFactor(
    covariance.map((value) => value + 1 / n),
    n,
  );
  return { means: strengths, factor: factor ?? new Float64Array(n * n), columns: n, degreesOfFreedom: Number.POSITIVE_INFINITY };
}
