import type { Random } from '../../core/numbers/random.js';
import { binomialDistribution, normalDistribution } from '../distributions/distributions.js';

/** Whose document it is. */
export type InterleavingTeam = 'A' | 'B';

/** A list made of two rankings. */
export interface InterleavedList {
  readonly list: readonly string[];
  /** Who gave each document; for team draft. */
  readonly teams?: readonly InterleavingTeam[] | undefined;
  /** Who was first; for balanced interleaving. */
  readonly first?: InterleavingTeam | undefined;
}

/** How two rankings can be interleaved. */
export const interleavingMethods = ['team-draft', 'balanced', 'probabilistic'] as const;
/** A way of interleaving two rankings. */
export type InterleavingMethod = (typeof interleavingMethods)[number];

/** How steeply probabilistic interleaving prefers the first ranks. */
const STEEPNESS = 3;

/** Interleaves two rankings (Radlinski, Kurup and Joachims 2008, doi:10.1145/1458082.1458092; Joachims 2003; Hofmann, Whiteson and de Rijke
 *  2011, doi:10.1145/2063576.2063618). */
export function interleave(
  method: InterleavingMethod,
  a: readonly string[],
  b: readonly string[],
  length: number,
  random: Pick<Random, 'float'>,
): InterleavedList {
  const coin = (): InterleavingTeam => (random.float() < 0.5 ? 'A' : 'B');
  if (method === 'team-draft') return teamDraft(a, b, length, coin);
  if (method === 'balanced') return balanced(a, b, length, coin());
  return { list: probabilistic(a, b, length, random) };
}

/** Whoever has fewer picks takes its best unused document; on a tie the coin says who. */
function teamDraft(
  a: readonly string[],
  b: readonly string[],
  length: number,
  coin: () => InterleavingTeam,
): { readonly list: readonly string[]; readonly teams: readonly InterleavingTeam[] } {
  const list: string[] = [];
  const teams: InterleavingTeam[] = [];
  const picks = { A: 0, B: 0 };
  while (list.length < length) {
    const best = { A: a.find((doc) => !list.includes(doc)), B: b.find((doc) => !list.includes(doc)) };
    if (best.A === undefined && best.B === undefined) break;
    let team: InterleavingTeam = picks.A < picks.B ? 'A' : picks.B < picks.A ? 'B' : coin();
    if (best[team] === undefined) team = team === 'A' ? 'B' : 'A';
    list.push(best[team] ?? '');
    teams.push(team);
    picks[team]++;
  }
  return { list, teams };
}

/** All lists of team draft with their chances. */
export function teamDraftOutcomes(
  a: readonly string[],
  b: readonly string[],
  length: number,
): { readonly list: readonly string[]; readonly teams: readonly InterleavingTeam[]; readonly probability: number }[] {
  const outcomes: { list: readonly string[]; teams: readonly InterleavingTeam[]; probability: number }[] = [];
  const explore = (tosses: readonly InterleavingTeam[]): void => {
    let used = 0;
    const drawn = teamDraft(a, b, length, () => tosses[used++] ?? 'A');
    if (used > tosses.length) {
      explore([...tosses, 'A']);
      explore([...tosses, 'B']);
    } else outcomes.push({ ...drawn, probability: 2 ** -tosses.length });
  };
  explore([]);
  return outcomes;
}

/** Balanced interleaving, with the one who is first. */
export function balanced(a: readonly string[], b: readonly string[], length: number, first: InterleavingTeam): InterleavedList {
  const list: string[] = [];
  let [nextA, nextB] = [0, 0];
  while (list.length < length && (nextA < a.length || nextB < b.length)) {
    const takesA = nextB >= b.length || (nextA < a.length && (nextA < nextB || (nextA === nextB && first === 'A')));
    const doc = takesA ? a[nextA++] : b[nextB++];
    if (!list.includes(doc)) list.push(doc);
  }
  return { list, first };
}

function probabilistic(a: readonly string[], b: readonly string[], length: number, random: Pick<Random, 'float'>): string[] {
  const list: string[] = [];
  const all = new Set([...a, ...b]).size;
  while (list.length < Math.min(length, all)) {
    const own = random.float() < 0.5 ? a : b;
    const rest = own.filter((doc) => !list.includes(doc));
    const from = rest.length > 0 ? own : own === a ? b : a;
    let left = random.float();
    const open = from.filter((doc) => !list.includes(doc));
    const drawn = open.find((doc) => {
      left -= chanceOf(from, list, doc);
      return left < 0;
    });
    list.push(drawn ?? open[open.length - 1]);
  }
  return list;
}

/** The chance of a document to be drawn next from a ranking of which some documents are used. */
function chanceOf(ranking: readonly string[], used: readonly string[], doc: string): number {
  let sum = 0;
  let own = 0;
  for (const [i, other] of ranking.entries()) {
    if (used.includes(other)) continue;
    const weight = (i + 1) ** -STEEPNESS;
    sum += weight;
    if (other === doc) own = weight;
  }
  return sum > 0 ? own / sum : 0;
}

/** The chance of a list under probabilistic interleaving. */
export function probabilityOfList(a: readonly string[], b: readonly string[], list: readonly string[]): number {
  return list.reduce((product, doc, k) => {
    const used = list.slice(0, k);
    return (product * (chanceOf(a, used, doc) + chanceOf(b, used, doc))) / 2;
  }, 1);
}

/** What clicks on an interleaved list are worth to both. */
export interface InterleavingCredit {
  readonly a: number;
  readonly b: number;
}

/** Team draft: clicks on one's own picks. */
export function teamDraftCredit({ list, teams = [] }: InterleavedList, clicked: readonly string[]): InterleavingCredit {
  const of = (team: InterleavingTeam): number => list.filter((doc, i) => teams[i] === team && clicked.includes(doc)).length;
  return { a: of('A'), b: of('B') };
}

/** Balanced: clicks within the first k of either ranking, k being the smaller rank there of the lowest clicked document. */
export function balancedCredit(
  a: readonly string[],
  b: readonly string[],
  list: readonly string[],
  clicked: readonly string[],
): InterleavingCredit & { readonly k: number } {
  const last = list.findLast((doc) => clicked.includes(doc));
  if (last === undefined) return { a: 0, b: 0, k: 0 };
  const ranks = [a.indexOf(last), b.indexOf(last)].filter((place) => place >= 0);
  const k = Math.min(...ranks) + 1;
  const within = (ranking: readonly string[]): number => ranking.slice(0, k).filter((doc) => clicked.includes(doc)).length;
  return { a: within(a), b: within(b), k };
}

/** Probabilistic: the mean over all assignments that could have made the list. Ranks are independent given the list, so that no assignment
 *  has to be gone through. */
export function probabilisticCredit(
  a: readonly string[],
  b: readonly string[],
  list: readonly string[],
  clicked: readonly string[],
): InterleavingCredit {
  let [creditA, creditB] = [0, 0];
  for (const [k, doc] of list.entries()) {
    if (!clicked.includes(doc)) continue;
    const used = list.slice(0, k);
    const [chanceA, chanceB] = [chanceOf(a, used, doc), chanceOf(b, used, doc)];
    if (chanceA + chanceB === 0) continue;
    creditA += chanceA / (chanceA + chanceB);
    creditB += chanceB / (chanceA + chanceB);
  }
  return { a: creditA, b: creditB };
}

/** Who won how often, and whether that is more than chance. */
export interface InterleavingTest {
  readonly winsA: number;
  readonly winsB: number;
  readonly ties: number;
  /** Sign test without ties, two-sided. */
  readonly pValue: number;
  /** (wins of A + half the ties) / n - 1/2, with Wilson's interval. */
  readonly effect: number;
  readonly low: number;
  readonly high: number;
}

/** Tests differences of credit, A minus B, one for each impression, or for each user where users have many. */
export function interleavingTest(differences: ArrayLike<number>, level = 0.95): InterleavingTest {
  const all = Array.from(differences);
  const winsA = all.filter((difference) => difference > 0).length;
  const winsB = all.filter((difference) => difference < 0).length;
  const n = all.length;
  const ties = n - winsA - winsB;
  const decided = winsA + winsB;
  const fewer = Math.min(winsA, winsB);
  const pValue = decided === 0 ? 1 : Math.min(1, 2 * binomialDistribution(decided, 0.5).cdf(fewer));
  const share = n === 0 ? 0.5 : (winsA + ties / 2) / n;
  const z = normalDistribution.upperQuantile((1 - level) / 2);
  const width = 1 + (z * z) / Math.max(1, n);
  const centre = (share + (z * z) / (2 * Math.max(1, n))) / width;
  const reach = (z / width) * Math.sqrt((share * (1 - share)) / Math.max(1, n) + (z * z) / (4 * Math.max(1, n) ** 2));
  return { winsA, winsB, ties, pValue, effect: share - 0.5, low: centre - reach - 0.5, high: centre + reach - 0.5 };
}
