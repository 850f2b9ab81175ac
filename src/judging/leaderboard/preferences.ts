import { InputError } from '../../core/problem.js';

/** One comparison of two systems. */
export interface Preference {
  readonly first: string;
  readonly second: string;
  readonly outcome: 'first' | 'second' | 'tie';
  readonly topic?: string | undefined;
  readonly judge?: string | undefined;
  /** 1 by default. */
  readonly weight?: number | undefined;
}

/** Who beat whom how often. */
export interface WinTable {
  readonly names: readonly string[];
  /** How often system i beat system j, at i * systems + j; a tie is half a win of either. */
  readonly wins: Float64Array;
}

/** Counts comparisons.
 *  @param names Systems in the order wanted; by default in the order in which they occur. */
export function winTable(preferences: readonly Preference[], names?: readonly string[]): WinTable {
  const known = names ?? [...new Set(preferences.flatMap(({ first, second }) => [first, second]))];
  const placeOf = new Map(known.map((name, i) => [name, i]));
  const n = known.length;
  const wins = new Float64Array(n * n);
  for (const { first, second, outcome, weight = 1 } of preferences) {
    const i = placeOf.get(first);
    const j = placeOf.get(second);
    if (i === undefined || j === undefined || i === j) {
      throw new InputError({
        message: i === j ? `${first} was compared with itself` : `${i === undefined ? first : second} is none of the systems`,
        wayOut: 'name two different systems in every comparison',
      });
    }
    if (!(weight >= 0 && Number.isFinite(weight))) {
      throw new InputError({ message: `a comparison of ${first} and ${second} has weight ${weight}`, wayOut: 'give weights from 0 on' });
    }
    const share = outcome === 'tie' ? 0.5 : outcome === 'first' ? 1 : 0;
    wins[i * n + j] += share * weight;
    wins[j * n + i] += (1 - share) * weight;
  }
  return { names: known, wins };
}

/** Groups of systems of which each beat each other one, directly or through others. The strengths of a Bradley–Terry model exist only if
 *  all systems are one group. */
export function strongGroups({ names, wins }: WinTable): string[][] {
  const n = names.length;
  const reach = Array.from({ length: n }, (_, from) => reachable(wins, n, from));
  const groups: string[][] = [];
  const grouped = new Set<number>();
  for (let i = 0; i < n; i++) {
    if (grouped.has(i)) continue;
    const group: string[] = [];
    for (let j = i; j < n; j++) {
      if (grouped.has(j) || !reach[i].has(j) || !reach[j].has(i)) continue;
      grouped.add(j);
      group.push(names[j]);
    }
    groups.push(group);
  }
  return groups;
}

function reachable(wins: Float64Array, n: number, from: number): Set<number> {
  const seen = new Set([from]);
  const open = [from];
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    for (let j = 0; j < n; j++) {
      if (wins[i * n + j] === 0 || seen.has(j)) continue;
      seen.add(j);
      open.push(j);
    }
  }
  return seen;
}
