/** Fusion as the papers define it, one document at a time over plain objects. */

export type PlainRun = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface SlowFusionOptions {
  readonly method: string;
  readonly norm?: string;
  readonly weights?: readonly number[] | undefined;
  readonly k?: number;
  readonly p?: number;
  readonly gamma?: number;
  readonly sigma?: number;
  readonly absent?: 'zero' | 'least';
  readonly window?: number;
}

const bytes = (id: string): Buffer => Buffer.from(id);
/** Best first; equal scores by descending id. */
const ranked = (docs: Readonly<Record<string, number>>, window: number): string[] =>
  Object.keys(docs)
    .sort((a, b) => docs[b] - docs[a] || Buffer.compare(bytes(b), bytes(a)))
    .slice(0, window);

function normalised(
  norm: string,
  list: readonly string[],
  docs: Readonly<Record<string, number>>,
  all: readonly string[],
): Map<string, number> {
  const scores = list.map((doc) => docs[doc]);
  const least = Math.min(...scores);
  const most = Math.max(...scores);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
  const shifted = scores.reduce((sum, score) => sum + (score - least), 0);
  const value = (doc: string, place: number): number => {
    const score = docs[doc];
    if (norm === 'min-max') return most === least ? 1 : (score - least) / (most - least);
    if (norm === 'max') return score / most;
    if (norm === 'sum') return most === least ? 1 / list.length : (score - least) / shifted;
    if (norm === 'z-score') return most === least ? 0 : (score - mean) / deviation;
    if (norm === 'rank') return 1 - place / list.length;
    if (norm === 'borda') return 1 - place / all.length;
    return score;
  };
  const found = new Map(list.map((doc, place) => [doc, value(doc, place)]));
  if (norm === 'borda') {
    // a document that was left out stands on any of the remaining places
    const left = all.filter((doc) => !found.has(doc));
    const points = left.map((_, i) => 1 - (list.length + i) / all.length);
    for (const doc of left) found.set(doc, points.reduce((sum, point) => sum + point, 0) / points.length);
  }
  return found;
}

/** topic → document → fused score. Every topic of any run is fused. */
export function slowFuse(runs: readonly PlainRun[], options: SlowFusionOptions): Map<string, Map<string, number>> {
  const { method, norm = 'min-max', k = 60, p = 0.8, gamma = 1, sigma = 0.01, window = Infinity } = options;
  const weights = options.weights ?? runs.map(() => 1);
  const result = new Map<string, Map<string, number>>();
  for (const topic of new Set(runs.flatMap((run) => Object.keys(run)))) {
    const lists = runs.map((run) => ranked(run[topic] ?? {}, window));
    const all = [...new Set(lists.flat())];
    if (all.length === 0) continue;
    const byRun = lists.map((list, r): Map<string, number> => {
      const rank = (doc: string): number => list.indexOf(doc) + 1;
      const of = (value: (doc: string) => number): Map<string, number> => new Map(list.map((doc) => [doc, value(doc)]));
      if (method === 'rrf') return of((doc) => 1 / (k + rank(doc)));
      if (method === 'rbc') return of((doc) => (1 - p) * p ** (rank(doc) - 1));
      if (method.endsWith('isr')) return of((doc) => 1 / rank(doc) ** 2);
      if (method === 'borda') {
        const shared = all.length - list.length;
        // places list.length + 1 … all.length are worth shared, shared − 1, … 1 points
        return new Map(all.map((doc) => [doc, list.includes(doc) ? all.length - rank(doc) + 1 : (shared + 1) / 2]));
      }
      const scores = normalised(norm, list, runs[r][topic] ?? {}, all);
      if (options.absent === 'least' && list.length > 0) {
        const least = Math.min(...scores.values());
        for (const doc of all) if (!scores.has(doc)) scores.set(doc, least);
      }
      return scores;
    });
    const fused = new Map<string, number>();
    for (const doc of all) {
      const having = byRun.flatMap((values, r) => (values.has(doc) ? [{ value: values.get(doc) ?? 0, weight: weights[r] }] : []));
      const n = having.length;
      const plain = having.map(({ value }) => value).sort((a, b) => a - b);
      const sum = having.reduce((total, { value, weight }) => total + weight * value, 0);
      const score: Record<string, () => number> = {
        combmnz: () => sum * n,
        combmin: () => plain[0],
        combmax: () => plain[n - 1],
        combmed: () => (plain[Math.floor((n - 1) / 2)] + plain[Math.ceil((n - 1) / 2)]) / 2,
        combanz: () => sum / n,
        combgmnz: () => sum * n ** gamma,
        mixed: () => sum * Math.sqrt(n),
        wmnz: () => plain.reduce((total, value) => total + value, 0) * having.reduce((total, { weight }) => total + weight, 0),
        isr: () => sum * n,
        logisr: () => sum * Math.log(n),
        lognisr: () => sum * Math.log(n + sigma),
      };
      fused.set(doc, score[method]?.() ?? sum);
    }
    result.set(topic, fused);
  }
  return result;
}

/** Whether a majority (by weight) of the runs prefers the second document to the first. */
export function isBeaten(runs: readonly PlainRun[], weights: readonly number[], topic: string, first: string, second: string): boolean {
  let votes = 0;
  for (const [r, run] of runs.entries()) {
    const list = ranked(run[topic] ?? {}, Infinity);
    const a = list.includes(first) ? list.indexOf(first) : Infinity;
    const b = list.includes(second) ? list.indexOf(second) : Infinity;
    if (a !== b) votes += b < a ? weights[r] : -weights[r];
  }
  return votes > 1e-9;
}
