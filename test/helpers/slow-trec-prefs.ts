/** trec_eval's preference measures for one topic, by enumeration of all pairs. */

export interface SlowPreference {
  readonly group: string;
  readonly subgroup: string;
  readonly doc: string;
  readonly level: number;
}

interface Counts {
  ret: number;
  retFul: number;
  imp: number;
  impFul: number;
  none: number;
}

/** Text on standard error if the preferences contradict each other. */
export class SlowConflict extends Error {}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `ranking` holds document ids in ranked order. */
export function slowPreferenceMeasures(ranking: readonly string[], preferences: readonly SlowPreference[]): Record<string, number> {
  const judged = [...new Set(preferences.map(({ doc }) => doc))].sort(order);
  const found = ranking.filter((doc) => judged.includes(doc));
  const numbered = [...found, ...judged.filter((doc) => !found.includes(doc))];
  const K = found.length;
  const J = numbered.length;
  const numberOf = (doc: string): number => numbered.indexOf(doc);
  const C = Array.from({ length: J }, () => new Array<number>(J).fill(0));
  const groupIds = [...new Set(preferences.map(({ group }) => group))].sort(order);
  const shares: { all: Counts; balanced: number; balancedRet: number }[] = [];

  for (const id of groupIds) {
    const records = preferences
      .filter(({ group }) => group === id)
      .sort((a, b) => order(a.subgroup, b.subgroup) || b.level - a.level || numberOf(a.doc) - numberOf(b.doc));
    const oneSubgroup = records.every(({ subgroup }) => subgroup === records[0].subgroup);
    const all: Counts = { ret: 0, retFul: 0, imp: 0, impFul: 0, none: 0 };
    const prefer = (x: number, y: number): void => {
      C[x][y]++;
      if (x < K && y < K) {
        all.ret++;
        if (x < y) all.retFul++;
      } else if (x < K || y < K) {
        all.imp++;
        if (x < K) all.impFul++;
      } else all.none++;
    };
    if (oneSubgroup) {
      const levels = [...new Set(records.map(({ level }) => level))];
      const classes = levels.map((level) => records.filter((record) => record.level === level).map(({ doc }) => numberOf(doc)));
      for (const [a, high] of classes.entries()) {
        for (const low of classes.slice(a + 1)) {
          const both = high.find((x) => low.includes(x));
          if (both !== undefined) {
            throw new SlowConflict(`trec_eval.form_prefs_counts: Internal docid ${both} occurs with different rel_level in same jsg\n`);
          }
          for (const x of high) for (const y of low) prefer(x, y);
        }
      }
      const rel = classes.filter((_, c) => levels[c] > 0).flat();
      const non = classes.filter((_, c) => levels[c] <= 0).flat();
      const recount = (take: number, counts: (x: number) => boolean): number => {
        const last = classes[classes.length - 1].slice(0, take);
        const pairs: [number, number][] = [];
        for (const [a, high] of classes.entries()) {
          for (const low of classes.slice(a + 1, -1)) for (const x of high) for (const y of low) pairs.push([x, y]);
          for (const x of high) for (const y of last) pairs.push([x, y]);
        }
        const counted = pairs.filter(([x, y]) => counts(x) && counts(y));
        return counted.filter(([x, y]) => x < y && x < K).length / counted.length;
      };
      shares.push(
        balance(
          all,
          rel,
          non,
          K,
          (take) => recount(take, () => true),
          (take) => recount(take, (x) => x < K),
        ),
      );
    } else {
      const level = new Map<number, number>();
      const over = new Set<string>();
      for (const [i, record] of records.entries()) {
        const x = numberOf(record.doc);
        const known = level.get(x) ?? -1;
        if ((known > 0 && record.level === 0) || (known === 0 && record.level > 0)) {
          throw new SlowConflict(`trec_eval.form_prefs_counts: doc '${record.doc}' has both 0 and non-0 rel_level assigned\n`);
        }
        level.set(x, record.level);
        for (const other of records.slice(i + 1)) {
          if (other.subgroup === record.subgroup && other.level < record.level) over.add(`${x} ${numberOf(other.doc)}`);
        }
      }
      const holds = (x: number, y: number): boolean => over.has(`${x} ${y}`);
      for (let before = -1; before !== over.size; ) {
        before = over.size;
        for (let x = 0; x < J; x++) {
          for (let y = 0; y < J; y++) for (let z = 0; z < J; z++) if (holds(x, y) && holds(y, z)) over.add(`${x} ${z}`);
        }
      }
      for (let x = 0; x < J; x++) over.delete(`${x} ${x}`);
      for (let x = 0; x < J; x++) for (let y = 0; y < J; y++) if (holds(x, y)) prefer(x, y);
      const numbers = [...level.keys()].sort((a, b) => a - b);
      const rel = numbers.filter((x) => (level.get(x) ?? -1) > 0);
      const non = numbers.filter((x) => level.get(x) === 0);
      const ignored = new Set(non.slice(rel.length));
      const recount = (counts: (x: number) => boolean): number => {
        let ful = 0;
        let poss = 0;
        for (const x of numbers) {
          for (const y of numbers) {
            if (!holds(x, y) || ignored.has(x) || ignored.has(y) || !counts(x) || !counts(y)) continue;
            poss++;
            if (x < K && x < y) ful++;
          }
        }
        return ful / poss;
      };
      shares.push(
        balance(
          all,
          rel,
          non,
          K,
          () => recount(() => true),
          () => recount((x) => x < K),
        ),
      );
    }
  }

  const scopes = {
    '': { ful: (c: Counts) => c.retFul + c.impFul, poss: (c: Counts) => c.ret + c.imp + c.none },
    _ret: { ful: (c: Counts) => c.retFul, poss: (c: Counts) => c.ret },
    _imp: { ful: (c: Counts) => c.retFul + c.impFul, poss: (c: Counts) => c.ret + c.imp },
  };
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const values: Record<string, number> = {
    prefs_num_prefs_poss: sum(shares.map(({ all }) => scopes[''].poss(all))),
    prefs_num_prefs_ful: sum(shares.map(({ all }) => scopes[''].ful(all))),
    prefs_num_prefs_ful_ret: sum(shares.map(({ all }) => scopes._ret.ful(all))),
  };
  for (const [suffix, { ful, poss }] of Object.entries(scopes)) {
    const possible = sum(shares.map(({ all }) => poss(all)));
    values[`prefs_simp${suffix}`] = possible > 0 ? sum(shares.map(({ all }) => ful(all))) / possible : 0;
    values[`prefs_avgjg${suffix}`] = sum(shares.map(({ all }) => (poss(all) > 0 ? ful(all) / poss(all) : 0))) / shares.length;
    const terms: number[] = [];
    for (let x = 0; x < J; x++) {
      for (let y = x + 1; y < J; y++) {
        const total = C[x][y] + C[y][x];
        if (total === 0 || (suffix === '_ret' && y >= K) || (suffix === '_imp' && x >= K)) continue;
        terms.push(x < K ? C[x][y] / total : 0);
      }
    }
    values[`prefs_pair${suffix}`] = terms.length > 0 ? sum(terms) / terms.length : 0;
  }
  const mean = (parts: readonly number[]): number => (Number.isNaN(sum(parts)) ? 0 : sum(parts) / parts.length);
  values.prefs_avgjg_Rnonrel = mean(shares.map(({ balanced }) => balanced));
  values.prefs_avgjg_Rnonrel_ret = mean(shares.map(({ balancedRet }) => balancedRet));
  return values;
}

function balance(
  all: Counts,
  rel: readonly number[],
  non: readonly number[],
  K: number,
  recount: (take: number) => number,
  recountRet: (take: number) => number,
): { all: Counts; balanced: number; balancedRet: number } {
  const relr = rel.filter((x) => x < K).length;
  const nonr = non.filter((x) => x < K).length;
  const surplus = rel.length - non.length;
  const surplusRet = relr - nonr;
  return {
    all,
    balanced:
      surplus >= 0
        ? (all.retFul + all.impFul + relr * surplus) / (all.ret + all.imp + all.none + rel.length * surplus)
        : recount(rel.length),
    balancedRet: surplusRet >= 0 ? (all.retFul + relr * surplusRet) / (all.ret + rel.length * surplusRet) : recountRet(relr),
  };
}
