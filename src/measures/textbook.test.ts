import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluator } from './evaluate.js';

/** Measures by their formulas as papers print them: slow, with no state kept from rank to rank. */

interface Topic {
  /** The grade of each ranked document; undefined if nobody judged it, negative if it was in the pool and not drawn. */
  readonly ranked: readonly (number | undefined)[];
  /** The grades of judged documents that were not retrieved. */
  readonly missed: readonly number[];
}

const grade = fc.constantFrom(undefined, undefined, 0, 0, 0, 1, 1, 2, 3, -1);
const topics: fc.Arbitrary<Topic> = fc.record({
  ranked: fc.oneof(fc.array(grade, { minLength: 1, maxLength: 9 }), fc.array(grade, { minLength: 10, maxLength: 30 })),
  missed: fc.array(fc.constantFrom(0, 0, 1, 2, 3), { maxLength: 4 }),
});

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const count = <T>(values: readonly T[], holds: (value: T) => boolean): number => values.filter(holds).length;
const isAt =
  (level: number) =>
  (value: number | undefined): boolean =>
    value !== undefined && value >= level;

/** The ranks, from 1, of documents at or above the level. */
const hitRanks = ({ ranked }: Topic, level: number): number[] => ranked.flatMap((value, i) => (isAt(level)(value) ? [i + 1] : []));
const judgedGrades = ({ ranked, missed }: Topic): number[] =>
  [...ranked, ...missed].filter((value) => value !== undefined && value >= 0) as number[];
const numRelevant = (topic: Topic, level: number): number => count(judgedGrades(topic), isAt(level));
const hitsTo = (topic: Topic, rank: number, level: number): number => count(topic.ranked.slice(0, rank), isAt(level));
const precisionSum = (topic: Topic, depth: number, level: number): number =>
  total(
    hitRanks(topic, level)
      .filter((rank) => rank <= depth)
      .map((rank) => hitsTo(topic, rank, level) / rank),
  );
const over = (sum: number, divisor: number): number => (divisor > 0 ? sum / divisor : 0);

function bpref(topic: Topic, level: number): number {
  const relevant = numRelevant(topic, level);
  const others = judgedGrades(topic).length - relevant;
  const isOther = (value: number | undefined): boolean => value !== undefined && value >= 0 && value < level;
  const parts = hitRanks(topic, level).map((rank) => {
    const above = count(topic.ranked.slice(0, rank - 1), isOther);
    return above === 0 ? 1 : 1 - Math.min(above, relevant) / Math.min(others, relevant);
  });
  return over(total(parts), relevant);
}

function infAp(topic: Topic, level: number): number {
  const e = 0.00001;
  const parts = hitRanks(topic, level).map((rank) => {
    if (rank === 1) return 1;
    const above = topic.ranked.slice(0, rank - 1);
    const pool = count(above, (value) => value !== undefined);
    const relevant = count(above, isAt(level));
    const judged = count(above, isAt(0));
    return 1 / rank + ((rank - 1) / rank) * (pool / (rank - 1)) * ((relevant + e) / (judged + 2 * e));
  });
  return over(total(parts), numRelevant(topic, level));
}

function binG(topic: Topic, level: number): number {
  const parts = hitRanks(topic, level).map((rank) => 1 / Math.log2(2 + rank - hitsTo(topic, rank, level)));
  return over(total(parts), numRelevant(topic, level));
}

/** The highest precision from the rank on at which enough relevant documents have been seen. */
function interpolated(topic: Topic, recall: number, level: number): number {
  const wanted = recall * numRelevant(topic, level) - 1e-9;
  const precisions = topic.ranked.flatMap((_, i) => {
    const hits = hitsTo(topic, i + 1, level);
    return hits >= wanted ? [hits / (i + 1)] : [];
  });
  return Math.max(0, ...precisions);
}

type Gain = (grade: number) => number;
const linear: Gain = (value) => Math.max(0, value);
const exponential: Gain = (value) => (value > 0 ? 2 ** value - 1 : 0);

const gainsOf = ({ ranked }: Topic, gain: Gain): number[] => ranked.map((value) => gain(value ?? 0));
const idealGains = (topic: Topic, gain: Gain): number[] =>
  judgedGrades(topic)
    .map(gain)
    .filter((value) => value > 0)
    .sort((a, b) => b - a);

function blendedRatio(topic: Topic, rank: number, beta: number, gain: Gain): number {
  const gains = gainsOf(topic, gain).slice(0, rank);
  const ideal = total(idealGains(topic, gain).slice(0, rank));
  return (count(gains, (value) => value > 0) + beta * total(gains)) / (rank + beta * ideal);
}

const gainRanks = (topic: Topic, gain: Gain): number[] => gainsOf(topic, gain).flatMap((value, i) => (value > 0 ? [i + 1] : []));

function qMeasure(topic: Topic, depth: number, beta: number, gain: Gain): number {
  const ranks = gainRanks(topic, gain).filter((rank) => rank <= depth);
  return over(total(ranks.map((rank) => blendedRatio(topic, rank, beta, gain))), Math.min(depth, idealGains(topic, gain).length));
}

function oMeasure(topic: Topic, beta: number, gain: Gain): number {
  const [first] = gainRanks(topic, gain);
  return first === undefined ? 0 : blendedRatio(topic, first, beta, gain);
}

/** The rank of the first document with the highest gain of the ranking, if it has any gain. */
function preferredRank(topic: Topic, gain: Gain): number | undefined {
  const gains = gainsOf(topic, gain);
  const highest = Math.max(...gains);
  return highest > 0 ? gains.indexOf(highest) + 1 : undefined;
}

function pMeasure(topic: Topic, beta: number, gain: Gain): number {
  const rank = preferredRank(topic, gain);
  return rank === undefined ? 0 : blendedRatio(topic, rank, beta, gain);
}

function pPlus(topic: Topic, beta: number, gain: Gain): number {
  const last = preferredRank(topic, gain) ?? 0;
  const ranks = gainRanks(topic, gain).filter((rank) => rank <= last);
  return over(total(ranks.map((rank) => blendedRatio(topic, rank, beta, gain))), ranks.length);
}

/** NCU with how often users stop at the relevant documents, retrieved or not; `weight` has a grade and its place among the hits. */
function ncu(topic: Topic, depth: number, beta: number, weight: (value: number, hit: number) => number, all: number): number {
  const parts = gainRanks(topic, linear).map((rank, hit) => {
    return rank > depth ? 0 : weight(topic.ranked[rank - 1] ?? 0, hit) * blendedRatio(topic, rank, beta, linear);
  });
  return over(total(parts), all);
}

function dcg(gains: readonly number[], depth: number): number {
  return total(gains.slice(0, depth).map((value, i) => value / Math.log2(i + 2)));
}

function ndcg(topic: Topic, depth: number, gain: Gain): number {
  return over(dcg(gainsOf(topic, gain), depth), dcg(idealGains(topic, gain), depth));
}

/** Chapelle’s reader, who stops at a document with (2^g − 1)/2^4: 4 is the highest grade unless told. */
function err(topic: Topic, depth: number): number {
  const stops = topic.ranked.map((value) => exponential(value ?? 0) / 16);
  return total(stops.slice(0, depth).map((stop, i) => (stop * stops.slice(0, i).reduce((left, one) => left * (1 - one), 1)) / (i + 1)));
}

function rbp(topic: Topic, p: number, level: number): number {
  return (1 - p) * total(hitRanks(topic, level).map((rank) => p ** (rank - 1)));
}

const gradesAbove = (topic: Topic): number[] => judgedGrades(topic).filter((value) => value > 0);
const powers = (n: number, gamma: number): number => total(Array.from({ length: n }, (_, i) => gamma ** i));

const definitions: Readonly<Record<string, (topic: Topic) => number>> = {
  AP: (topic) => over(precisionSum(topic, Infinity, 1), numRelevant(topic, 1)),
  'AP(rel=2)': (topic) => over(precisionSum(topic, Infinity, 2), numRelevant(topic, 2)),
  'AP@5': (topic) => over(precisionSum(topic, 5, 1), numRelevant(topic, 1)),
  "AP(denominator='min')@3": (topic) => over(precisionSum(topic, 3, 1), Math.min(3, numRelevant(topic, 1))),
  "AP(denominator='list')@3": (topic) => over(precisionSum(topic, 3, 1), hitRanks(topic, 1).length),
  "AP(denominator='list-min')@3": (topic) => over(precisionSum(topic, 3, 1), Math.min(3, hitRanks(topic, 1).length)),
  "AP(denominator='found')@3": (topic) => over(precisionSum(topic, 3, 1), hitsTo(topic, 3, 1)),
  YAAP: (topic) => {
    const sum = precisionSum(topic, Infinity, 1);
    return Math.log((1 + sum) / (1 + numRelevant(topic, 1) - sum));
  },
  Bpref: (topic) => bpref(topic, 1),
  'Bpref(rel=2)': (topic) => bpref(topic, 2),
  infAP: (topic) => infAp(topic, 1),
  'infAP(rel=2)': (topic) => infAp(topic, 2),
  BinG: (topic) => binG(topic, 1),
  'BinG(rel=2)': (topic) => binG(topic, 2),
  'IPrec@0': (topic) => interpolated(topic, 0, 1),
  'IPrec@0.4': (topic) => interpolated(topic, 0.4, 1),
  'IPrec@1': (topic) => interpolated(topic, 1, 1),
  'IPrec(rel=2)@0.7': (topic) => interpolated(topic, 0.7, 2),
  IAP: (topic) => total(Array.from({ length: 11 }, (_, i) => interpolated(topic, i / 10, 1))) / 11,
  'IAP(levels=[0.2,0.5,0.8])': (topic) => total([0.2, 0.5, 0.8].map((recall) => interpolated(topic, recall, 1))) / 3,
  Q: (topic) => qMeasure(topic, Infinity, 1, linear),
  "Q(beta=0.5,gain='exp')@4": (topic) => qMeasure(topic, 4, 0.5, exponential),
  OMeasure: (topic) => oMeasure(topic, 1, linear),
  "OMeasure(beta=3,gain='exp')": (topic) => oMeasure(topic, 3, exponential),
  PMeasure: (topic) => pMeasure(topic, 1, linear),
  'PMeasure(beta=10)': (topic) => pMeasure(topic, 10, linear),
  PPlus: (topic) => pPlus(topic, 1, linear),
  "PPlus(beta=2,gain='exp')": (topic) => pPlus(topic, 2, exponential),
  NCU: (topic) => ncu(topic, Infinity, 1, () => 1, gradesAbove(topic).length),
  'NCU@4': (topic) => ncu(topic, 4, 1, () => 1, Math.min(4, gradesAbove(topic).length)),
  "NCU(stop='graded',beta=2)": (topic) => ncu(topic, Infinity, 2, (value) => value, total(gradesAbove(topic))),
  "NCU(stop='graded',stops=[1,5,2])@6": (topic) => {
    const stops = (value: number): number => [0, 1, 5, 2][value];
    return ncu(topic, 6, 1, stops, total(gradesAbove(topic).map(stops)));
  },
  "NCU(stop='rank-biased',gamma=0.7)": (topic) => ncu(topic, Infinity, 1, (_, hit) => 0.7 ** hit, powers(gradesAbove(topic).length, 0.7)),
  nDCG: (topic) => ndcg(topic, Infinity, linear),
  'nDCG@5': (topic) => ndcg(topic, 5, linear),
  "nDCG(gain='exp')@7": (topic) => ndcg(topic, 7, exponential),
  'DCG@6': (topic) => dcg(gainsOf(topic, linear), 6),
  'CG@6': (topic) => total(gainsOf(topic, linear).slice(0, 6)),
  ERR: (topic) => err(topic, Infinity),
  'ERR@4': (topic) => err(topic, 4),
  'RBP(p=0.8)': (topic) => rbp(topic, 0.8, 1),
  'RBP(p=0.5,rel=2)': (topic) => rbp(topic, 0.5, 2),
  'RR@4': (topic) => over(1, hitRanks(topic, 1).filter((rank) => rank <= 4)[0] ?? 0),
  'RR(rel=2)': (topic) => over(1, hitRanks(topic, 2)[0] ?? 0),
  'P@4': (topic) => hitsTo(topic, 4, 1) / 4,
  'R@4': (topic) => over(hitsTo(topic, 4, 1), numRelevant(topic, 1)),
  Rprec: (topic) => over(hitsTo(topic, numRelevant(topic, 1), 1), numRelevant(topic, 1)),
  'Judged@4': (topic) => count(topic.ranked.slice(0, 4), isAt(0)) / Math.min(4, topic.ranked.length),
};

const names = Object.keys(definitions);

test('measures agree with the formulas of their papers on random rankings', () => {
  fc.assert(
    fc.property(topics, (topic) => {
      const qrels: Record<string, number> = {};
      for (const [i, value] of topic.ranked.entries()) if (value !== undefined) qrels[`d${i}`] = value;
      for (const [i, value] of topic.missed.entries()) qrels[`m${i}`] = value;
      // a topic must have a judgement
      qrels.none = 0;
      const run = { q: Object.fromEntries(topic.ranked.map((_, i) => [`d${i}`, 100 - i])) };
      const table = evaluator({ q: qrels }, names, { highestGrade: 3 }).evaluate(run);
      const whole = { ...topic, missed: [...topic.missed, 0] };
      for (const [m, name] of names.entries()) {
        const expected = definitions[name](whole);
        if (!(Math.abs(table.value(0, m) - expected) <= 1e-12)) expect({ [name]: table.value(0, m) }).toEqual({ [name]: expected });
      }
    }),
    { numRuns: 250, seed: 14 },
  );
});
