/** trec_eval's measures for one topic, each written out by itself from the description of the tool with plain arrays. */

export interface SlowTopic {
  /** Grade of each ranked document; -1 outside the pool, -2 in the pool and not judged. */
  readonly codes: readonly number[];
  /** Grades from 0 up of all judged documents. */
  readonly judged: readonly number[];
  /** What gains see as judged: that of an earlier topic if this one has no judgement at all. */
  readonly judgedForGains: readonly number[];
  /** `-l` */
  readonly level: number;
  /** `-N` */
  readonly collection: number;
  readonly version: string;
}

export type SlowValue = readonly [name: string, value: number | string];

const depths = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const defaultCutoffs: Record<string, number[]> = { success: [1, 5, 10], unj: [5, 10, 20] };
const defaultReals: Record<string, number[]> = {
  iprec_at_recall: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  Rprec_mult: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2],
};
const wholeCutoffMeasures = ['P', 'recall', 'ndcg_cut', 'map_cut', 'relative_P', 'success', 'unj'];

/** All printed values of one measure. */
export function slowMeasure(name: string, params: string | undefined, topic: SlowTopic): SlowValue[] {
  if (wholeCutoffMeasures.includes(name)) {
    const cutoffs = params === undefined ? (defaultCutoffs[name] ?? depths) : params.split(',').map((text) => Number.parseInt(text, 10));
    return [...cutoffs].sort((a, b) => a - b).map((k) => [`${name}_${k}`, atDepth(name, k, topic)]);
  }
  if (Object.hasOwn(defaultReals, name)) {
    const cutoffs = params === undefined ? defaultReals[name] : params.split(',').map(Number);
    return [...cutoffs]
      .sort((a, b) => a - b)
      .map((x) => [`${name}_${slowFixed(x, 2).slice(0, 8)}`, name === 'Rprec_mult' ? rprecMult(x, topic) : interpolated([x], topic)[0]]);
  }
  const printed = params === undefined ? name : `${name}_${params}`;
  return [[printed, whole(name, params, topic)]];
}

/** C's `%.4f` by the rule of thumb: `toFixed` is right except on exact ties, which are odd multiples of 1/32. */
export function slowFixed(x: number, decimals: number): string {
  if (Number.isNaN(x)) return '-nan';
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf';
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  const size = Math.abs(x);
  if (decimals === 4 && Number.isInteger(size * 32) && (size * 32) % 2 === 1) {
    const below = Math.floor(size * 10000);
    const even = below % 2 === 0 ? below : below + 1;
    return `${sign}${Math.floor(even / 10000)}.${String(even % 10000).padStart(4, '0')}`;
  }
  return sign + size.toFixed(decimals);
}

function relevant(topic: SlowTopic, i: number): boolean {
  return topic.codes[i] >= topic.level;
}

function hits(topic: SlowTopic, k: number): number {
  return topic.codes.slice(0, k).filter((code) => code >= topic.level).length;
}

function numRelevant({ judged, level }: SlowTopic): number {
  return judged.filter((grade) => grade >= level).length;
}

function numRelevantRetrieved({ codes, level }: SlowTopic): number {
  return codes.filter((code) => code >= 0 && code >= level).length;
}

function precisionSum(topic: SlowTopic, k: number): number {
  let sum = 0;
  for (let i = 0; i < Math.min(k, topic.codes.length); i++) if (relevant(topic, i)) sum += hits(topic, i + 1) / (i + 1);
  return sum;
}

function atDepth(name: string, k: number, topic: SlowTopic): number {
  const R = numRelevant(topic);
  switch (name) {
    case 'P':
      return hits(topic, k) / k;
    case 'recall':
      return R === 0 ? 0 : hits(topic, k) / R;
    case 'relative_P':
      return R === 0 ? 0 : hits(topic, k) / Math.min(k, R);
    case 'success':
      return hits(topic, k) > 0 ? 1 : 0;
    case 'unj':
      return topic.codes.slice(0, k).filter((code) => code < 0).length / k;
    case 'map_cut':
      return R === 0 ? 0 : precisionSum(topic, k) / R;
    default: {
      const gain = (codes: readonly number[]): number =>
        codes.slice(0, k).reduce((sum, code, i) => (code > 0 ? sum + code / Math.log2(i + 2) : sum), 0);
      const ideal = gain([...topic.judgedForGains].sort((a, b) => b - a));
      return ideal > 0 ? gain(topic.codes) / ideal : 0;
    }
  }
}

function rprecMult(x: number, topic: SlowTopic): number {
  const k = Math.trunc(x * numRelevant(topic) + 0.9);
  if (k < 1) return 0;
  return (k > topic.codes.length ? numRelevantRetrieved(topic) : hits(topic, k)) / k;
}

/** The walk up the ranking that hands its maxima to recall levels. Levels are taken from the last to the first. */
function interpolated(levels: readonly number[], topic: SlowTopic): number[] {
  const R = numRelevant(topic);
  const rr = numRelevantRetrieved(topic);
  const n = topic.codes.length;
  const wanted = levels.map((x) => {
    if (topic.version !== '10.0') return Math.trunc(x * R + 0.9);
    const size = Math.abs(x * R);
    return Math.sign(x) * (size - Math.floor(size) >= 0.5 ? Math.ceil(size) : Math.floor(size));
  });
  const values = levels.map(() => 0);
  let pointer = levels.length - 1;
  while (pointer >= 0 && wanted[pointer] > rr) pointer--;
  let best = rr / n;
  let h = rr;
  for (let i = n; i >= 1 && h > 0; i--) {
    best = Math.max(best, h / i);
    if (!relevant(topic, i - 1)) continue;
    while (pointer >= 0 && wanted[pointer] === h) values[pointer--] = best;
    h--;
  }
  while (pointer >= 0) values[pointer--] = best;
  return values;
}

function whole(name: string, params: string | undefined, topic: SlowTopic): number | string {
  const { codes, level } = topic;
  const n = codes.length;
  const R = numRelevant(topic);
  const rr = numRelevantRetrieved(topic);
  const list = params?.split(',').map(Number);
  switch (name) {
    case 'num_ret':
      return n;
    case 'num_rel':
      return R;
    case 'num_rel_ret':
      return rr;
    case 'num_nonrel_judged_ret':
      return codes.filter((code) => code >= 0).length - rr;
    case 'map':
    case 'gm_map':
      return hits(topic, n) > 0 ? precisionSum(topic, n) / R : 0;
    case 'Rprec':
      return Math.min(n, R) === 0 ? 0 : hits(topic, Math.min(n, R)) / R;
    case 'bpref':
    case 'gm_bpref': {
      const NR = topic.judged.length - R;
      let above = 0;
      let sum = 0;
      for (const code of codes) {
        if (code < 0) continue;
        if (code < level) above++;
        else sum += above > 0 ? 1 - Math.min(above, R) / Math.min(NR, R) : 1;
      }
      return R > 0 ? sum / R : sum;
    }
    case 'recip_rank': {
      const first = codes.findIndex((code) => code >= level);
      return first < 0 ? 0 : 1 / (first + 1);
    }
    case 'infAP': {
      const e = 0.00001;
      let sum = 0;
      for (let j = 0; j < n; j++) {
        if (codes[j] < 0 || codes[j] < level) continue;
        const above = codes.slice(0, j);
        const h = above.filter((code) => code >= 0 && code >= level).length;
        const f = above.filter((code) => code >= 0 && code < level).length;
        const u = above.filter((code) => code === -2).length;
        sum += j === 0 ? 1 : 1 / (j + 1) + (j / (j + 1)) * ((h + f + u) / j) * ((h + e) / (h + f + 2 * e));
      }
      return R > 0 ? sum / R : sum;
    }
    case 'utility': {
      const [a, b, c, d] = list ?? [1, -1, 0, 0];
      return a * rr + b * (n - rr) + c * (R - rr) + d * (topic.collection + rr - n - R);
    }
    case '11pt_avg': {
      const levels = list ?? defaultReals.iprec_at_recall;
      // the tool adds up from the last level to the first
      return interpolated(levels, topic).reduceRight((sum, value) => sum + value, 0) / levels.length;
    }
    case 'set_P':
      return n > 0 ? rr / n : 0;
    case 'set_recall':
      return R > 0 ? rr / R : 0;
    case 'set_relative_P':
      return Math.min(n, R) > 0 ? rr / Math.min(n, R) : 0;
    case 'set_map':
      return n > 0 && R > 0 ? (rr * rr) / (n * R) : 0;
    case 'set_F': {
      const x = list?.[0] ?? 1;
      return rr > 0 ? ((x + 1) * (rr / n) * (rr / R)) / (x * (rr / n) + rr / R) : 0;
    }
    case 'yaap':
      return Math.log((1 + precisionSum(topic, n)) / (1 + R - precisionSum(topic, n)));
    case 'binG': {
      let sum = 0;
      for (let i = 1; i <= n; i++) if (relevant(topic, i - 1)) sum += 1 / Math.log2(2 + i - hits(topic, i));
      return hits(topic, n) > 0 ? sum / R : 0;
    }
    case 'relstring':
      return codes
        .slice(0, Math.max(0, Math.trunc(list?.[0] ?? 10)))
        .map((code) => (code > 9 ? '>' : code >= 0 ? String(code) : code === -1 ? '-' : '.'))
        .join('');
    case 'rbp_resid': {
      const p = persistence(params);
      if (!codes.some((code) => code < 0)) return 0;
      const weights = powers(p, n);
      return weights[n] + (1 - p) * codes.reduce((sum, code, i) => (code < 0 ? sum + weights[i] : sum), 0);
    }
    default:
      return gained(name, params, topic);
  }
}

function persistence(params: string | undefined): number {
  const pairs = params?.split(',').map((pair) => pair.split('=')) ?? [];
  const found = pairs.filter(([key]) => key === 'p').pop();
  return found === undefined ? 0.9 : Number(found[1]);
}

/** 1, p, p p … up to the n-th power, each by multiplying the one before, as the tool does. */
function powers(p: number, n: number): number[] {
  const weights = [1];
  while (weights.length <= n) weights.push(weights[weights.length - 1] * p);
  return weights;
}

/** The measures on gains. */
function gained(name: string, params: string | undefined, topic: SlowTopic): number {
  const { codes } = topic;
  const n = codes.length;
  const { gainOf, ideal, top, entries } = gainTable(params, topic);
  const positive = ideal.filter((z) => z > 0);
  const discounted = (gains: readonly number[]): number => gains.reduce((sum, g, i) => (g !== 0 ? sum + g / Math.log2(i + 2) : sum), 0);
  const gains = codes.map(gainOf);
  switch (name) {
    case 'dcg':
      return discounted(gains);
    case 'ideal_dcg':
      return discounted(positive);
    case 'ndcg':
      return discounted(positive) > 0 ? discounted(gains) / discounted(positive) : 0;
    case 'ndcg_rel': {
      let sum = 0;
      for (let i = 0; i < n; i++) if (gains[i] > 0) sum += discounted(gains.slice(0, i + 1)) / discounted(positive.slice(0, i + 1));
      const found = gains.filter((g) => g > 0).length;
      sum += ((positive.length - found) * discounted(gains)) / discounted(positive);
      return sum > 0 ? sum / positive.length : 0;
    }
    case 'Rndcg': {
      if (numRelevant(topic) === 0) return 0;
      let sum = 0;
      let changes = 0;
      const note = (rank: number, idealRank: number): void => {
        const I = discounted(ideal.slice(0, idealRank).filter((z) => z > 0));
        if (I > 0) {
          sum += discounted(gains.slice(0, rank)) / I;
          changes++;
        }
      };
      let old = top;
      for (const [i, z] of ideal.entries()) {
        if (z !== old) note(Math.min(i, n), i);
        old = z;
      }
      if (ideal.length < n) note(n, ideal.length);
      return sum / changes;
    }
    case 'G': {
      let sum = 0;
      let cost = 0;
      let total = 0;
      for (let i = 0; i < n; i++) {
        total += gains[i];
        cost += i < ideal.length ? Math.max(ideal[i], 1) : 1;
        if (gains[i] !== 0) sum += gains[i] / Math.log2(2 + cost - total);
      }
      const I = positive.reduce((a, b) => a + b, 0);
      return I > 0 ? sum / I : 0;
    }
    case 'rbp': {
      const p = persistence(params);
      const low = Math.min(0, ...entries.map(([, gain]) => gain));
      const high = Math.max(0, ...entries.map(([, gain]) => gain));
      const listed = new Set(entries.map(([grade]) => grade));
      const scaled = (code: number): number =>
        listed.has(code) && (low < 0 || high > 1) ? (gainOf(code) - low) / (high - low) : gainOf(code);
      const weights = powers(p, n);
      return (1 - p) * codes.reduce((sum, code, i) => sum + scaled(code) * weights[i], 0);
    }
    default:
      throw new Error(`no measure ${name}`);
  }
}

function gainTable(params: string | undefined, topic: SlowTopic) {
  const counts = new Map<number, number>();
  for (const grade of topic.judgedForGains) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  let entries: [grade: number, gain: number, count: number][] = [];
  for (const pair of params?.split(',') ?? []) {
    const [key, value] = pair.split('=');
    if (topic.version === '10.0' && !/^[+-]?\d+$/.test(key)) continue;
    entries.push([Number.parseInt(key, 10) || 0, Number.parseFloat(value) || 0, 0]);
  }
  for (let grade = 0; grade <= Math.max(-1, ...topic.judgedForGains); grade++) {
    const listed = entries.find(([known]) => known === grade);
    if (listed !== undefined) listed[2] = counts.get(grade) ?? 0;
    else entries.push([grade, grade, counts.get(grade) ?? 0]);
  }
  entries = slowMergeSort(entries, (a, b) => Math.trunc(a[1] - b[1]));
  const ideal: number[] = [];
  let p = entries.length - 1;
  let gain = p >= 0 ? entries[p][1] : 0;
  let taken = 0;
  while (gain > 0) {
    taken++;
    while (p >= 0 && taken > entries[p][2]) {
      taken = 1;
      p--;
      gain = p >= 0 ? entries[p][1] : 0;
    }
    ideal.push(gain);
  }
  const top = entries.length > 0 ? entries[entries.length - 1][1] : 0;
  return { entries, ideal, top, gainOf: (code: number): number => entries.find(([grade]) => grade === code)?.[1] ?? 0 };
}

/** Halve, sort, merge; the left one goes first unless it is greater. */
export function slowMergeSort<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  if (items.length < 2) return [...items];
  const half = Math.floor(items.length / 2);
  const left = slowMergeSort(items.slice(0, half), compare);
  const right = slowMergeSort(items.slice(half), compare);
  const merged: T[] = [];
  while (left.length > 0 && right.length > 0) {
    const next = compare(left[0], right[0]) <= 0 ? left.shift() : right.shift();
    if (next !== undefined) merged.push(next);
  }
  return [...merged, ...left, ...right];
}
