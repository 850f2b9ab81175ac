/** The rows of a leaderboard: sorted, searched, hidden and pinned. */
import type { BoardSystem } from 'gradus/experiment';
import type { LeaderboardAnswer } from '../engine/glance.js';
import type { Results } from '../engine/protocol.js';
import type { SystemLabel } from '../kept/session.js';

export interface BoardRow extends BoardSystem {
  /** Its place in the list of systems. */
  readonly system: number;
  readonly name: string;
  /** Its place among the rows. */
  readonly place: number;
  /** Its place in the order by the mean, which groups go by. */
  readonly byMean: number;
  readonly unjudged: number | null;
  /** Whether it is the best, or not told apart from it. */
  readonly isTied: boolean;
  /** What it belongs to: what somebody said, or how its name begins. */
  readonly group: string;
}

/** *no*: one list; *yes*: the groups one below the other, the one with the best system first; *best*: the best system of each. */
export type Grouping = 'no' | 'yes' | 'best';

/** The group of a system: a team, a type of run. Runs of one team mostly begin alike. */
export function groupOf(name: string, label: SystemLabel | undefined): string {
  return label?.group ?? /^\p{L}+/u.exec(name)?.[0] ?? name;
}

export const boardSorts = [
  { id: 'mean', title: 'mean' },
  { id: 'name', title: 'name' },
  { id: 'unjudged', title: 'unjudged' },
  { id: 'file', title: 'order of files' },
] as const;

export type BoardSort = (typeof boardSorts)[number]['id'];

interface Arrangement {
  readonly sort: BoardSort;
  readonly wanted: string;
  readonly pinned: ReadonlySet<number>;
  readonly hidden: ReadonlySet<number>;
  readonly grouping: Grouping;
  /** By file. */
  readonly labels: ReadonlyMap<number, SystemLabel>;
}

export function boardRows(
  { standings, unjudged }: LeaderboardAnswer,
  results: Results,
  { sort, wanted, hidden, grouping, labels }: Arrangement,
): BoardRow[] {
  const told = new Set(standings.againstBest.filter(({ toldApart }) => toldApart).map(({ system }) => system));
  const text = wanted.trim().toLowerCase();
  const rows = standings.order.map((system, byMean) => {
    const { name, file } = results.systems[system];
    return {
      ...standings.systems[system],
      system,
      byMean,
      name,
      unjudged: unjudged[system] ?? null,
      isTied: !told.has(system),
      group: groupOf(name, labels.get(file)),
    };
  });
  const collator = new Intl.Collator('en', { numeric: true });
  const orders: Readonly<Record<BoardSort, (a: (typeof rows)[number], b: (typeof rows)[number]) => number>> = {
    mean: (a, b) => a.byMean - b.byMean,
    name: (a, b) => collator.compare(a.name, b.name) || a.byMean - b.byMean,
    unjudged: (a, b) => (b.unjudged ?? 0) - (a.unjudged ?? 0) || a.byMean - b.byMean,
    file: (a, b) => a.system - b.system,
  };
  // the order by the mean is that of the rows so far, so the first of a group is its best
  const leaders = new Map<string, number>();
  for (const { group, byMean } of rows) if (!leaders.has(group)) leaders.set(group, byMean);
  const leaderOf = ({ group }: { group: string }): number => leaders.get(group) ?? 0;
  return rows
    .filter(({ system, name, group }) => !hidden.has(system) && (text === '' || `${name} ${group}`.toLowerCase().includes(text)))
    .filter((row) => grouping !== 'best' || leaderOf(row) === row.byMean)
    .sort((a, b) => (grouping === 'yes' ? leaderOf(a) - leaderOf(b) : 0) || orders[sort](a, b))
    .map((row, place) => ({ ...row, place }));
}
