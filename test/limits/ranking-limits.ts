import { IdTable } from '../../src/core/ids.js';
import { PreferenceJudge, type PreferenceTopic } from '../../src/core/judging/judge-preferences.js';
import { toQrels } from '../../src/core/qrels.js';
import { toRun } from '../../src/core/run.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { parseJsonRun } from '../../src/formats/tables/json.js';
import { parseTrecQrels } from '../../src/formats/trec/qrels.js';
import { parseTrecRun } from '../../src/formats/trec/run.js';
import { objectiveOf } from '../../src/ltr/objectives/index.js';
import { parseMeasure } from '../../src/measures/parse.js';
import type { LimitCase, LimitCases } from './limit-case.js';

const encoder = new TextEncoder();
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const lines = (count: number, line: (i: number) => string): Uint8Array => encoder.encode(numbers(count).map(line).join(''));

/** A case whose limit is lowered to 100. */
function small(name: string, use: (amount: number) => unknown): LimitCase {
  return { name, lowered: 100, use };
}

export const rankingLimits: LimitCases = {
  topicDocuments: [
    small('a TREC run', (amount) => parseTrecRun(lines(amount, (i) => `q1 Q0 d${i} 1 ${-i} t\n`))),
    small('a TREC run that repeats a document, leniently', (amount) =>
      parseTrecRun(
        lines(amount, (i) => `q1 Q0 d${i % 50} 1 ${-i} t\n`),
        { lenient: true },
      ),
    ),
    small('TREC judgements', (amount) => parseTrecQrels(lines(amount, (i) => `q1 0 d${i} 1\n`))),
    small('ranks of a JSON run', (amount) => parseJsonRun(JSON.stringify({ q1: numbers(amount).map((i) => `d${i}`) }))),
    small('a run in the library', (amount) => toRun({ q1: Object.fromEntries(numbers(amount).map((i) => [`d${i}`, i])) })),
    small('judgements in the library', (amount) => toQrels({ q1: Object.fromEntries(numbers(amount).map((i) => [`d${i}`, 1])) })),
    small('a feature file', (amount) => parseLetor(lines(amount, (i) => `1 qid:1 1:${i}\n`))),
    small('a feature file with group sizes', (amount) =>
      parseLetor(
        lines(amount, (i) => `1 1:${i}\n`),
        { groupSizes: [amount] },
      ),
    ),
  ],
  thresholdCells: [
    {
      name: 'GAP as what a model is trained for',
      lowered: 11 * 5,
      use: (amount) =>
        objectiveOf(parseMeasure('GAP')).prepare(
          Float64Array.from({ length: amount === 55 ? 10 : 11 }, (_, i) => i % 6),
          Uint32Array.of(0, amount === 55 ? 10 : 11),
        ),
    },
  ],
  pairedDocuments: [small('a mean over pairs', (amount) => judgePreferences(amount, () => 's').agreement('pair', 'all'))],
  partialOrder: [small('two lists of one judge', (amount) => judgePreferences(amount, (i) => `s${i % 2}`).agreement('simple', 'all'))],
};

/** A ranking of two documents and so many judged ones, all by one judge. */
function judgePreferences(amount: number, listOf: (i: number) => string): PreferenceTopic {
  const subgroups = new IdTable();
  const qrels = {
    topics: IdTable.of(['t']),
    docs: IdTable.of(numbers(amount).map((i) => `d${i}`)),
    offsets: Uint32Array.of(0, amount),
    docOf: Uint32Array.from(numbers(amount)),
    grades: Float64Array.from(numbers(amount)),
    groups: { ids: IdTable.of(['g']), of: new Uint32Array(amount) },
    subgroups: { ids: subgroups, of: Uint32Array.from(numbers(amount), (i) => subgroups.intern(listOf(i))) },
  };
  const rules = { ties: 'docno-ascending', depth: Infinity, scorePrecision: 'double' } as const;
  return new PreferenceJudge(qrels, toRun({ t: { d1: 2, d2: 1 } }), rules).judge(0);
}
