/** What the test parts say of several rankers: which is ahead, and which cannot be told apart from it. */
import { seededRandom } from '../../core/numbers/random.js';
import { ScoreTable } from '../../core/score-table.js';
import type { Measure } from '../../measures/measure.js';
import { scoreColumns } from '../../measures/plan.js';
import { compareSystems } from '../../stats/compare.js';
import { meanInterval } from '../../stats/effect-size.js';
import { type Interval, plainMean } from '../../stats/moments.js';
import type { TrialResult } from './trials.js';

/** A ranker with what came of it on the test part of each fold. */
export interface TestedRanker {
  readonly name: string;
  readonly folds: readonly TrialResult[];
}

/** One ranker beside the one that is ahead. */
export interface RankedRanker {
  readonly name: string;
  /** Mean over all queries, with its interval. */
  readonly mean: number;
  readonly interval: Interval;
  /** Mean and standard deviation of the values of the folds. */
  readonly foldMeans: readonly number[];
  /** How it differs from the one that is ahead; null for that one itself. */
  readonly against: {
    readonly difference: number;
    readonly interval: Interval;
    readonly pValue: number;
    /** Holm's correction for all that were compared with the one that is ahead. */
    readonly correctedPValue: number;
    readonly toldApart: boolean;
  } | null;
  /** How many numbers its models hold, on average over the folds. */
  readonly size: number;
  /** What training one took, on average over the folds. */
  readonly seconds: number;
}

/** Rankers compared by the same queries. */
export interface RankerVerdict {
  readonly measure: string;
  readonly queries: number;
  /** In the order of their means, the one that is ahead first. */
  readonly rankers: readonly RankedRanker[];
  /** Those that cannot be told apart from the one that is ahead and hold fewer numbers, the simplest first. */
  readonly simpler: readonly string[];
  /** What the one that is ahead would be ahead of the average by luck alone, if all were equally good. */
  readonly luck: number;
}

const DRAWS = 1000;

/** Compares rankers over the queries of all folds: a Holm-corrected t test of each against the one with the highest mean. */
export function verdictOn(measure: Measure, tested: readonly TestedRanker[], seed: number): RankerVerdict {
  const table = tableOf(measure, tested);
  const means = tested.map((_, s) => table.aggregate(0, s));
  const ahead = means.reduce((best, mean, s) => (mean > means[best] ? s : best), 0);
  const isAlone = tested.length === 1;
  const compared = isAlone ? undefined : compareSystems(table, { baseline: table.systems[ahead], effectIntervals: false }).measures[0];
  const rankers = tested.map(({ name, folds }, s): RankedRanker => {
    const pair = compared?.pairs.find(({ system }) => system === s);
    return {
      name,
      mean: means[s],
      interval: compared?.systems[s].interval ?? meanInterval({ values: table.column(0).filter(Number.isFinite) }).interval,
      foldMeans: folds.map(({ mean }) => mean),
      against:
        pair === undefined
          ? null
          : {
              difference: pair.difference,
              interval: pair.interval,
              pValue: pair.pValue,
              correctedPValue: pair.correctedPValue,
              toldApart: pair.significant,
            },
      size: Math.round(plainMean(folds.map(({ size }) => size))),
      seconds: plainMean(folds.map(({ seconds }) => seconds)),
    };
  });
  const inOrder = rankers.map((_, s) => s).sort((a, b) => Number(b === ahead) - Number(a === ahead) || means[b] - means[a] || a - b);
  const simpler = inOrder
    .map((s) => rankers[s])
    .filter(({ against, size }) => against !== null && !against.toldApart && size < rankers[ahead].size)
    // of equally simple ones the better first, which they are in already
    .sort((a, b) => a.size - b.size);
  return {
    measure: measure.text,
    queries: table.topics.length,
    rankers: inOrder.map((s) => rankers[s]),
    simpler: simpler.map(({ name }) => name),
    luck: luckOf(table, seed),
  };
}

function tableOf(measure: Measure, tested: readonly TestedRanker[]): ScoreTable {
  const rows = tested.map(({ folds }) => folds.flatMap(({ values }) => values));
  const topics = tested[0].folds.flatMap(({ values }, f) => values.map((_, q) => `${f + 1} ${q + 1}`));
  return new ScoreTable(
    tested.map(({ name }) => name),
    topics,
    scoreColumns([measure]),
    Float64Array.from(rows.flat()),
  );
}

/** By how much the best of rankers that are all equally good comes out above their average: queries are drawn again from differences that
 *  have no mean. */
function luckOf(table: ScoreTable, seed: number): number {
  const columns = table.systems.map((_, s) => table.column(0, s));
  const defined = table.topics.map((_, t) => t).filter((t) => columns.every((values) => Number.isFinite(values[t])));
  if (defined.length < 2) return 0;
  const centred = columns.map((values) => {
    const apart = defined.map((t) => values[t] - plainMean(columns.map((others) => others[t])));
    const middle = plainMean(apart);
    return apart.map((value) => value - middle);
  });
  const random = seededRandom(seed);
  let sum = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const means = new Float64Array(centred.length);
    for (let i = 0; i < defined.length; i++) {
      const t = random.below(defined.length);
      for (let s = 0; s < means.length; s++) means[s] += centred[s][t];
    }
    sum += Math.max(...means) / defined.length;
  }
  return sum / DRAWS;
}
