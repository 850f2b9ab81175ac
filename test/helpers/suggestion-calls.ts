import { toQrels } from '../../src/core/qrels.js';
import { type RunLike, toRun } from '../../src/core/run.js';
import { joinSystems, ScoreTable } from '../../src/core/score-table.js';
import { tuneFusion } from '../../src/fusion/tune.js';
import { evaluate } from '../../src/measures/evaluate.js';
import { discriminativePower } from '../../src/meta/discriminative-power.js';
import { orderAgreements, swapRates } from '../../src/meta/stability.js';
import { alignTables } from '../../src/stats/alignment.js';
import { compareSystems } from '../../src/stats/compare.js';
import { correctPValues } from '../../src/stats/correction.js';
import { apCorrelation } from '../../src/stats/correlation/ap-correlation.js';
import { pearsonCorrelation } from '../../src/stats/correlation/correlation.js';
import { overlapAt } from '../../src/stats/correlation/overlap.js';
import { friedmanTest } from '../../src/stats/friedman.js';
import { gateCandidate } from '../../src/stats/gate.js';
import { detectableDifference, topicsNeeded } from '../../src/stats/power.js';
import { randomizationTest } from '../../src/stats/randomization.js';
import { pairedTTest } from '../../src/stats/t-test.js';
import { wilcoxonSignedRank } from '../../src/stats/wilcoxon.js';

/** A call that the library refuses with a suggestion, and the call with the suggestion followed. */
export interface SuggestionCall {
  readonly suggestion: string;
  readonly refused: () => unknown;
  readonly followed: () => unknown;
  /** What the second call answers. */
  readonly gives: unknown;
}

const qrels = { 1: { a: 1, b: 0 }, 2: { c: 1, d: 0 } };
const run = { 1: { a: 2, b: 1 }, 2: { d: 2, c: 1 } };
const other = { 1: { b: 2, a: 1 }, 2: { d: 2, c: 1 } };

/** Systems by row, topics by column. */
function table(values: Readonly<Record<string, readonly number[]>>, measure = 'AP', firstTopic = 1): ScoreTable {
  const rows = Object.values(values);
  const topics = rows[0].map((_, t) => String(firstTopic + t));
  return new ScoreTable(Object.keys(values), topics, [{ name: measure, aggregate: 'mean' }], Float64Array.from(rows.flat()));
}

const two = table({ r: [1, 0.5, 0.75], s: [0.5, 0.5, 0.25] });
const meansOf = ({ measures }: ReturnType<typeof compareSystems>): number[] => measures[0].systems.map(({ mean }) => mean);
const ones = (length: number): number[] => new Array<number>(length).fill(1);
const zeros = (length: number): number[] => new Array<number>(length).fill(0);

export const suggestionCalls: readonly SuggestionCall[] = [
  // comparing two systems
  {
    suggestion: 'align both by topic id before comparing',
    refused: () => pairedTTest({ first: [1, 0, 1], second: [0, 1] }),
    followed: () => pairedTTest({ first: [1, 1], second: [0, 1] }).meanDifference,
    gives: 0.5,
  },
  {
    suggestion: 'leave the topic out of every system or give it a value',
    refused: () => pairedTTest({ first: [1, Number.NaN, 1], second: [0, 1, 1] }),
    followed: () => pairedTTest({ first: [1, 1], second: [0, 1] }).meanDifference,
    gives: 0.5,
  },
  {
    suggestion: 'align all systems by topic id before comparing',
    refused: () =>
      friedmanTest({
        systems: [
          [1, 2],
          [1, 2, 3],
        ],
      }),
    followed: () =>
      friedmanTest({
        systems: [
          [1, 2],
          [3, 4],
        ],
      }).topics,
    gives: 2,
  },
  {
    suggestion: 'use the asymptotic method',
    refused: () => wilcoxonSignedRank({ first: ones(1001), second: zeros(1001), method: 'exact' }),
    followed: () => wilcoxonSignedRank({ first: ones(1001), second: zeros(1001), method: 'asymptotic' }).positiveRankSum,
    gives: (1001 * 1002) / 2,
  },
  {
    // no arrangement of 45 equal differences but the two with one sign throughout is as extreme, and these are hardly ever drawn
    suggestion: 'use the sampled method',
    refused: () => randomizationTest({ first: ones(45), second: zeros(45), method: 'exact', seed: 1 }),
    followed: () => randomizationTest({ first: ones(45), second: zeros(45), method: 'sampled', resamples: 999, seed: 1 }).pValue,
    gives: 1 / 1000,
  },
  {
    suggestion: 'leave out tests that could not be made',
    refused: () => correctPValues({ pValues: [0.01, Number.NaN, 0.02], method: 'bonferroni' }),
    followed: () => [...correctPValues({ pValues: [0.01, 0.02], method: 'bonferroni' }).pValues],
    gives: [0.02, 0.04],
  },
  {
    // 9 topics find a difference of one standard deviation with power 0.75, 10 with 0.80 (G*Power: paired t, two-sided, 0.05)
    suggestion: 'ask for a larger difference or less power',
    refused: () => topicsNeeded({ standardDeviation: 1, difference: 1e-9 }),
    followed: () => topicsNeeded({ standardDeviation: 1, difference: 1 }).topics,
    gives: 10,
  },
  {
    suggestion: 'ask for more power or a smaller alpha',
    refused: () => detectableDifference({ standardDeviation: 1, topics: 10, power: 0.05 }),
    followed: () => Math.round(detectableDifference({ standardDeviation: 1, topics: 10, power: 0.8 }).difference * 10) / 10,
    gives: 1,
  },

  // comparing many
  {
    suggestion: 'use correction none, or a test of single pairs such as t',
    refused: () => compareSystems(two, { test: 'tukey', correction: 'holm' }),
    followed: () => meansOf(compareSystems(two, { test: 'tukey', correction: 'none' })),
    gives: [0.75, 1.25 / 3],
  },
  {
    suggestion: 'use a test of single pairs',
    refused: () => compareSystems(two, { test: 'tukey', alternative: 'greater' }),
    followed: () => meansOf(compareSystems(two, { test: 't', alternative: 'greater' })),
    gives: [0.75, 1.25 / 3],
  },
  {
    suggestion: 'use randomization, t, wilcoxon, sign or bootstrap',
    refused: () => gateCandidate(two, { test: 'tukey', minTopics: 2 }),
    followed: () => gateCandidate(two, { test: 't', minTopics: 2 }).measures[0].candidate,
    gives: 1.25 / 3,
  },
  {
    suggestion: 'it looks at AP',
    refused: () => gateCandidate(two, { test: 't', minTopics: 2, maxDrops: { RR: 0.1 } }),
    followed: () => gateCandidate(two, { test: 't', minTopics: 2, maxDrops: { AP: 0.1 } }).measures[0].maxDrop,
    gives: 0.1,
  },
  {
    suggestion: 'score all systems with the same measures',
    refused: () => alignTables([table({ r: [1, 0.5] }), table({ s: [1, 0.5] }, 'RR')]),
    followed: () => alignTables([table({ r: [1, 0.5] }), table({ s: [1, 0.5] })]).systems,
    gives: ['r', 's'],
  },
  {
    suggestion: 'score both on all judged topics',
    refused: () => joinSystems([table({ r: [1, 0.5] }), table({ s: [1, 0.5] }, 'AP', 2)]),
    followed: () => [...joinSystems([table({ r: [1, 0.5] }), table({ s: [0.25, 0.5] })]).values],
    gives: [1, 0.5, 0.25, 0.5],
  },
  {
    suggestion: 'give several runs',
    refused: () => discriminativePower(table({ r: [1, 0.5] }), { seed: 1 }),
    followed: () => discriminativePower(two, { seed: 1 }).pairs,
    gives: 1,
  },
  {
    suggestion: 'choose topics that every system has a value for',
    refused: () => discriminativePower(table({ r: [1, 0.5, 1], s: [0.5, 0.5, Number.NaN] }), { seed: 1 }),
    followed: () => discriminativePower(table({ r: [1, 0.5], s: [0.5, 0.5] }), { seed: 1 }).topics,
    gives: 2,
  },
  {
    suggestion: 'choose sizes up to 1',
    refused: () => swapRates(two, 0, { seed: 1, sizes: [2] }),
    followed: () => swapRates(two, 0, { seed: 1, sizes: [1] }).map(({ size }) => size),
    gives: [1],
  },
  {
    suggestion: 'give more systems, or other measures',
    refused: () =>
      orderAgreements([
        { name: 'AP', values: Float64Array.of(1, 2) },
        { name: 'P@1', values: Float64Array.of(1, 1) },
      ]),
    followed: () =>
      orderAgreements([
        { name: 'AP', values: Float64Array.of(1, 2) },
        { name: 'RR', values: Float64Array.of(3, 4) },
      ]).map(({ tau }) => tau),
    gives: [1],
  },

  // correlation and overlap
  {
    suggestion: 'use ties b',
    refused: () => apCorrelation({ truth: [3, 2, 2], estimate: [3, 2, 1] }),
    followed: () => apCorrelation({ truth: [3, 2, 2], estimate: [3, 2, 2], ties: 'b' }).tau,
    gives: 1,
  },
  {
    // the mean over both orders, of which one agrees and one does not
    suggestion: 'use ties a or b',
    refused: () => apCorrelation({ truth: [2, 1], estimate: [1, 1] }),
    followed: () => apCorrelation({ truth: [2, 1], estimate: [1, 1], ties: 'a' }).tau,
    gives: 0,
  },
  {
    suggestion: 'compare values that differ',
    refused: () => pearsonCorrelation({ first: [1, 1], second: [2, 4] }),
    followed: () => pearsonCorrelation({ first: [1, 2], second: [4, 2] }).toFixed(9),
    gives: '-1.000000000',
  },
  {
    suggestion: 'keep its first occurrence',
    refused: () => overlapAt({ first: ['a', 'b', 'a'], second: ['a', 'c'], cutoff: 2 }),
    followed: () => overlapAt({ first: ['a', 'b'], second: ['a', 'c'], cutoff: 2 }),
    gives: 0.5,
  },

  // judgements and runs as objects
  {
    suggestion: "name one, or several in a list: ['nDCG@10', 'AP']",
    refused: () => evaluate(qrels, run, undefined as never),
    followed: () => evaluate(qrels, run, ['AP']).aggregate(0),
    gives: 0.75,
  },
  {
    suggestion: 'give at least one judged topic',
    refused: () => evaluate({}, run, 'AP'),
    followed: () => evaluate({ 1: { a: 1, b: 0 } }, run, 'AP'),
    gives: 1,
  },
  {
    suggestion: 'pass { topic: { document: score } } or a list of records',
    refused: () => toRun(5 as never),
    followed: () => evaluate(qrels, run, 'AP'),
    gives: 0.75,
  },
  {
    suggestion: 'topic and doc, or query_id and doc_id, are understood too',
    refused: () => toRun([{ query: '1', document: 'a', score: 1 }] as never),
    followed: () => evaluate(qrels, [{ topic: '1', doc: 'a', score: 1 }], 'AP'),
    gives: 0.5,
  },
  {
    suggestion: 'give every document a score, or none',
    refused: () =>
      toRun([
        { topic: '1', doc: 'a', rank: 1 },
        { topic: '1', doc: 'b', score: 2 },
      ] as RunLike),
    followed: () =>
      evaluate(
        qrels,
        [
          { topic: '1', doc: 'a', score: 1 },
          { topic: '1', doc: 'b', score: 2 },
        ] as RunLike,
        'AP',
      ),
    gives: 0.25,
  },
  {
    suggestion: 'leave the document out or give it a score',
    refused: () => toRun({ 1: { a: Number.NaN, b: 1 } }),
    followed: () => evaluate(qrels, { 1: { a: 2, b: 1 } }, 'AP'),
    gives: 0.5,
  },
  {
    suggestion: 'leave the document out if it was not judged',
    refused: () => toQrels({ 1: { a: 1, b: Number.NaN } }),
    followed: () => evaluate({ 1: { a: 1 } }, run, 'AP'),
    gives: 1,
  },

  // fusing
  {
    suggestion: 'use wsum, or rrf with weights',
    refused: () => tuneFusion(qrels, [run, other], { measure: 'AP', method: 'combmax', folds: 2 }),
    followed: () => tuneFusion(qrels, [run, other], { measure: 'AP', method: 'wsum', folds: 2 }).parts.length,
    gives: 2,
  },
  {
    suggestion: 'use the coordinate search, or a larger step',
    refused: () => tuneFusion(qrels, [run, other, run, other], { measure: 'AP', method: 'wsum', folds: 2, search: 'grid', step: 0.01 }),
    // 4 weights in steps of 1/2 that add up to 1, (4 + 2 - 1 over 2), and equal weights
    followed: () =>
      tuneFusion(qrels, [run, other, run, other], { measure: 'AP', method: 'wsum', folds: 2, search: 'grid', step: 0.5 }).tried,
    gives: 11,
  },
];
