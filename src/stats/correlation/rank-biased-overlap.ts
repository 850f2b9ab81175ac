import { requireFraction, requireOneOf } from '../checks.js';
import { requireRanking, type TiedRanking } from './overlap.js';

/** Two rankings, and how the attention to them falls with depth. */
export interface RankBiasedOverlapOptions {
  readonly first: TiedRanking;
  readonly second: TiedRanking;
  /** Persistence: the chance that a reader goes on from one depth to the next. 0.9 puts 86% of the weight on the first ten ranks. */
  readonly p: number;
  /** What a tie means. *w* (sports): the tied share the best place, and all of them are seen at once. *a* (the default): the order is
   *  unknown, and the value is the mean over all orders. *b*: as *a*, with the agreement corrected for the information that the
   *  ties lack, so that a list agrees fully with itself. Without ties all three are the same. */
  readonly ties?: 'w' | 'a' | 'b';
}

/** The agreement of two rankings: its best estimate, and the bounds that further documents leave open. */
export interface RankBiasedOverlap {
  readonly method: 'rank-biased overlap, ties w' | 'rank-biased overlap, ties a' | 'rank-biased overlap, ties b';
  /** Extrapolated: the agreement seen is taken to continue. */
  readonly ext: number;
  /** Lower bound: no further agreement. */
  readonly min: number;
  /** Upper bound: all further agreement there can be. */
  readonly max: number;
  /** max − min: how much the lists leave open. */
  readonly res: number;
}

/** Rank-biased overlap of two lists that may be uneven in length and have ties. W. Webber, A. Moffat and J. Zobel,
 *  doi:10.1145/1852102.1852106; with ties by M. Corsi and J. Urbano, doi:10.1145/3626772.3657700. */
export function rankBiasedOverlap(options: RankBiasedOverlapOptions): RankBiasedOverlap {
  const { first, second, p, ties = 'a' } = options;
  requireFraction('p', p);
  requireOneOf('treatment of ties', ties, ['w', 'a', 'b']);
  requireRanking('first', first);
  requireRanking('second', second);
  const rankings = [flatten(first), flatten(second)].sort((x, y) => x.ids.length - y.ids.length);
  return overlapOf(rankings[0], rankings[1], p, ties);
}

/** A ranking laid out by rank, from 1: the id at each rank and the first and last rank of its tie group. */
interface FlatRanking {
  readonly ids: readonly string[];
  readonly top: Uint32Array;
  readonly bottom: Uint32Array;
}

function flatten(ranking: TiedRanking): FlatRanking {
  const ids = ranking.flat();
  const top = new Uint32Array(ids.length + 1); // fits: entries
  const bottom = new Uint32Array(ids.length + 1); // fits: entries
  let filled = 0;
  for (const group of ranking) {
    for (let i = 1; i <= group.length; i++) {
      top[filled + i] = filled + 1;
      bottom[filled + i] = filled + group.length;
    }
    filled += group.length;
  }
  return { ids, top, bottom };
}

const UNSEEN = 0;
const ACTIVE = 1;
const FULL = 2;

/** Walks both lists down together. At every depth each list has at most one tie group that is only partly passed (*active*);
 *  everything above it counts in full. So the overlap needs no more than the numbers of ids that are active or full in the short and
 *  in the long list, which change once per id. */
function overlapOf(short: FlatRanking, long: FlatRanking, p: number, ties: 'w' | 'a' | 'b'): RankBiasedOverlap {
  const s = short.ids.length;
  const l = long.ids.length;
  const stateShort = new Map<string, number>();
  const stateLong = new Map<string, number>();
  for (const id of short.ids) stateShort.set(id, UNSEEN);
  // number of ids by state in the short list (row) and the long one (column)
  const both = new Int32Array(9); // fits: documents of two rankings in JavaScript arrays, plus and minus
  let uniqueActive = 0;
  let uniqueFull = 0;
  const enter = (ranking: FlatRanking, own: Map<string, number>, other: Map<string, number>, depth: number, state: number): void => {
    for (let rank = ranking.top[depth]; rank <= ranking.bottom[depth]; rank++) {
      const id = ranking.ids[rank - 1];
      const before = own.get(id) ?? UNSEEN;
      const elsewhere = other.get(id) ?? UNSEEN;
      const isShort = own === stateShort;
      both[isShort ? before * 3 + elsewhere : elsewhere * 3 + before]--;
      both[isShort ? state * 3 + elsewhere : elsewhere * 3 + state]++;
      own.set(id, state);
      if (!isShort && !stateShort.has(id)) {
        if (state === ACTIVE) uniqueActive++;
        else {
          uniqueActive--;
          uniqueFull++;
        }
      }
    }
  };

  let weight = p;
  let weightSum = 0; // Σ p^d/d
  let sumMin = 0;
  let sumMax = 0;
  let sumExt = 0;
  let agreementAtShort = 0;
  let overlap = 0;
  for (let depth = 1; depth <= l; depth++) {
    const inShort = depth <= s;
    if (inShort && short.top[depth] === depth) enter(short, stateShort, stateLong, depth, ACTIVE);
    if (long.top[depth] === depth) enter(long, stateLong, stateShort, depth, ACTIVE);
    const shareShort = inShort ? groupShare(short, depth, ties) : 1;
    const shareLong = groupShare(long, depth, ties);
    overlap =
      both[FULL * 3 + FULL] +
      shareShort * both[ACTIVE * 3 + FULL] +
      shareLong * both[FULL * 3 + ACTIVE] +
      shareShort * shareLong * both[ACTIVE * 3 + ACTIVE];
    // below the end of the short list its unseen part is taken to go on without ties
    const sizeShort = inShort ? groupSize(short, depth, shareShort, ties) : depth;
    const sizeLong = groupSize(long, depth, shareLong, ties);
    const divisor = ties === 'w' ? (sizeShort + sizeLong) / 2 : ties === 'a' ? depth : Math.sqrt(sizeShort) * Math.sqrt(sizeLong);
    let most = overlap;
    let expected = overlap;
    if (!inShort) {
      // each unseen rank of the short list may hold one of the ids that only the long one has
      const unseen = depth - s;
      most += Math.min(unseen, uniqueFull) + shareLong * Math.min(Math.max(unseen - uniqueFull, 0), uniqueActive);
      const meanShare = (uniqueFull + shareLong * uniqueActive) / (uniqueFull + uniqueActive);
      expected += unseen * agreementAtShort * meanShare;
    }
    sumMin += (weight * overlap) / divisor;
    sumMax += (weight * most) / divisor;
    sumExt += (weight * expected) / divisor;
    if (depth === s) agreementAtShort = overlap / divisor;
    weightSum += weight / depth;
    weight *= p;
    if (inShort && short.bottom[depth] === depth) enter(short, stateShort, stateLong, depth, FULL);
    if (long.bottom[depth] === depth) enter(long, stateLong, stateShort, depth, FULL);
  }

  // below both lists; `weight` is now p^(l+1)
  const rest = 1 - p;
  sumMin += overlap * (-Math.log1p(-p) - weightSum);
  const full = l + s - overlap;
  for (let depth = l + 1; depth <= full; depth++) {
    sumMax += (weight * (2 * depth - full)) / depth;
    weight *= p;
  }
  sumMax += weight / rest;
  sumExt += (((overlap + (l - s) * agreementAtShort) / l) * p ** (l + 1)) / rest;

  const scale = rest / p;
  const min = clamp(scale * sumMin);
  const max = clamp(scale * sumMax);
  return { method: `rank-biased overlap, ties ${ties}`, ext: clamp(scale * sumExt), min, max, res: clamp(scale * (sumMax - sumMin)) };
}

/** How much of each member of the tie group at `depth` counts there. */
function groupShare(ranking: FlatRanking, depth: number, ties: 'w' | 'a' | 'b'): number {
  if (ties === 'w') return 1;
  const top = ranking.top[depth];
  return (depth - top + 1) / (ranking.bottom[depth] - top + 1);
}

/** The size of the list down to `depth` that its agreement is measured by: the ids seen (w) or the squared length of the vector of
 *  shares (b). */
function groupSize(ranking: FlatRanking, depth: number, share: number, ties: 'w' | 'a' | 'b'): number {
  if (ties === 'w') return ranking.bottom[depth];
  const top = ranking.top[depth];
  return top - 1 + (ranking.bottom[depth] - top + 1) * share * share;
}

/** Rounding must not carry a value out of [0, 1]. */
function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}
