/** Lists that may be shown, with their chances. */
export interface OptimisedInterleaving {
  /** Each next document is the best unused one of A or of B. */
  readonly lists: readonly (readonly string[])[];
  /** How well clicks on each list tell A from B. */
  readonly sensitivity: readonly number[];
  readonly probabilities: readonly number[];
  /** The mean sensitivity under these chances. */
  readonly objective: number;
  /** Whether there are chances under which a user who clicks anywhere favours neither. */
  readonly feasible: boolean;
}

/** Chooses the chances of lists so that a user who clicks at random favours neither ranking, and clicks tell as much as they can (Radlinski
 *  and Craswell 2013, doi:10.1145/2433396.2433429). */
export function optimisedInterleaving(a: readonly string[], b: readonly string[], length: number): OptimisedInterleaving {
  const lists = allowedLists(a, b, length);
  const rankIn = (ranking: readonly string[], doc: string): number => {
    const place = ranking.indexOf(doc);
    return place < 0 ? ranking.length + 1 : place + 1;
  };
  const lead = (doc: string): number => rankIn(b, doc) - rankIn(a, doc);
  const sensitivity = lists.map((list) => sensitivityOf(list, lead));
  // one row for the sum of the chances, and one for each prefix
  const depth = Math.max(0, ...lists.map((list) => list.length));
  const rows = [lists.map(() => 1)];
  for (let m = 1; m <= depth; m++) rows.push(lists.map((list) => list.slice(0, m).reduce((sum, doc) => sum + lead(doc), 0)));
  const probabilities = maximise(
    sensitivity,
    rows,
    rows.map((_, i) => (i === 0 ? 1 : 0)),
  );
  return {
    lists,
    sensitivity,
    probabilities: probabilities ?? lists.map(() => 0),
    objective: (probabilities ?? []).reduce((sum, chance, i) => sum + chance * sensitivity[i], 0),
    feasible: probabilities !== undefined,
  };
}

function allowedLists(a: readonly string[], b: readonly string[], length: number): string[][] {
  const lists = new Map<string, string[]>();
  const extend = (list: string[]): void => {
    const next = new Set([a, b].map((ranking) => ranking.find((doc) => !list.includes(doc))));
    next.delete(undefined);
    if (list.length === length || next.size === 0) lists.set(JSON.stringify(list), list);
    else for (const doc of next) if (doc !== undefined) extend([...list, doc]);
  };
  extend([]);
  return [...lists.values()];
}

/** (1 - weight of documents that favour neither) · entropy of the others, ranks weighing 1 / rank. */
function sensitivityOf(list: readonly string[], lead: (doc: string) => number): number {
  const weights = { a: 0, b: 0, none: 0 };
  for (const [i, doc] of list.entries()) weights[lead(doc) > 0 ? 'a' : lead(doc) < 0 ? 'b' : 'none'] += 1 / (i + 1);
  const all = weights.a + weights.b + weights.none;
  const telling = weights.a + weights.b;
  const part = (weight: number): number => (weight > 0 ? -(weight / telling) * Math.log2(weight / telling) : 0);
  return telling > 0 ? (1 - weights.none / all) * (part(weights.a) + part(weights.b)) : 0;
}

const TINY = 1e-10;

/** The x >= 0 with rows · x = sums for which goal · x is greatest: the simplex method in two phases, by Bland's rule, which cannot cycle.
 *  Undefined if there is no such x. */
function maximise(goal: readonly number[], rows: readonly (readonly number[])[], sums: readonly number[]): number[] | undefined {
  const [numRows, numColumns] = [rows.length, goal.length];
  const width = numColumns + numRows;
  const table = rows.map((row, i) => {
    const sign = sums[i] < 0 ? -1 : 1;
    return [...row.map((value) => sign * value), ...rows.map((_, j) => (i === j ? 1 : 0)), sign * sums[i]];
  });
  const basis = rows.map((_, i) => numColumns + i);
  const solve = (costs: readonly number[], usable: number): void => {
    for (;;) {
      const gain = (c: number): number => costs[c] - basis.reduce((sum, basic, i) => sum + costs[basic] * table[i][c], 0);
      const enter = Array.from({ length: usable }, (_, c) => c).find((c) => gain(c) > TINY);
      if (enter === undefined) return;
      let leave = -1;
      for (let i = 0; i < numRows; i++) {
        if (!(table[i][enter] > TINY)) continue;
        const ratio = table[i][width] / table[i][enter];
        const best = leave < 0 ? Number.POSITIVE_INFINITY : table[leave][width] / table[leave][enter];
        if (ratio < best - TINY || (ratio <= best + TINY && (leave < 0 || basis[i] < basis[leave]))) leave = i;
      }
      // chances are bounded by their sum
      if (leave < 0) return;
      pivot(table, leave, enter);
      basis[leave] = enter;
    }
  };
  solve(
    Array.from({ length: width }, (_, c) => (c < numColumns ? 0 : -1)),
    width,
  );
  if (basis.some((basic, i) => basic >= numColumns && table[i][width] > 1e-7)) return undefined;
  // what is left of the first phase must not come back: it stays at 0
  for (const [i, basic] of basis.entries()) {
    if (basic < numColumns) continue;
    const enter = table[i].slice(0, numColumns).findIndex((value) => Math.abs(value) > TINY);
    if (enter < 0) continue;
    pivot(table, i, enter);
    basis[i] = enter;
  }
  solve([...goal, ...rows.map(() => 0)], numColumns);
  const found = new Array<number>(numColumns).fill(0);
  for (const [i, basic] of basis.entries()) if (basic < numColumns) found[basic] = Math.max(0, table[i][width]);
  return found;
}

function pivot(table: number[][], row: number, column: number): void {
  const by = table[row][column];
  table[row] = table[row].map((value) => value / by);
  for (let i = 0; i < table.length; i++) {
    const factor = table[i][column];
    if (i !== row && factor !== 0) table[i] = table[i].map((value, c) => value - factor * table[row][c]);
  }
}
