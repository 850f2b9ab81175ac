import { compareCommand } from '../../src/cli/commands/compare.js';
import { evalCommand } from '../../src/cli/commands/eval.js';
import { parseArguments } from '../../src/cli/parse/arguments.js';
import { readMeasures } from '../../src/conventions/read-measures.js';
import { defaultTrecEvalVersion } from '../../src/conventions/trec-eval-versions.js';
import { IdTable } from '../../src/core/ids.js';
import { limits } from '../../src/core/limits.js';
import { toQrels } from '../../src/core/qrels.js';
import { toRun } from '../../src/core/run.js';
import { joinSystems, ScoreTable } from '../../src/core/score-table.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { PairTable } from '../../src/formats/pair-table.js';
import { parseScoreFile } from '../../src/formats/read.js';
import { parseTrecQrels } from '../../src/formats/trec/qrels.js';
import { parseTrecRun } from '../../src/formats/trec/run.js';
import { stepsOf } from '../../src/fusion/weight-search.js';
import { evaluator } from '../../src/measures/evaluate.js';
import { parseMeasure, parseMeasureList, parseMeasures } from '../../src/measures/parse.js';
import { alignTables } from '../../src/stats/alignment.js';
import { bootstrapTest } from '../../src/stats/bootstrap.js';
import { requireResamples, requireSeed } from '../../src/stats/checks.js';
import { compareSystems } from '../../src/stats/compare.js';
import { readZscores } from '../../src/tools/trec-eval/zscore-file.js';
import type { LimitCase, LimitCases } from './limit-case.js';

const encoder = new TextEncoder();
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const lines = (count: number, line: (i: number) => string): Uint8Array => encoder.encode(numbers(count).map(line).join(''));

/** A case whose limit is lowered to 100. */
function small(name: string, use: (amount: number) => unknown): LimitCase {
  return { name, lowered: 100, use };
}

const zScores = (file: Uint8Array): unknown => readZscores(file, 'z.txt', defaultTrecEvalVersion);

/** As many systems on two topics. */
function systemsOf(count: number): ScoreTable {
  const columns = [{ name: 'AP', aggregate: 'mean' }] as const;
  return new ScoreTable(
    numbers(count).map((s) => `s${s}`),
    ['1', '2'],
    columns,
    Float64Array.from({ length: 2 * count }, (_, i) => i % 7),
  );
}

/** A file with a score for each of `numScores` systems, on topics of their own as far as `numTopics` goes. */
function sparseScores(numScores: number, numTopics: number): string {
  return `{"runs": [${numbers(numScores)
    .map((s) => `{"run": "s${s}", "perTopic": [{"topic": "${s % numTopics}", "scores": {"AP": 0.5}}]}`)
    .join(', ')}]}`;
}

export const scoreLimits: LimitCases = {
  topics: [
    small('a TREC run', (amount) => parseTrecRun(lines(amount, (i) => `q${i} Q0 d1 1 2 t\n`))),
    small('TREC judgements', (amount) => parseTrecQrels(lines(amount, (i) => `q${i} 0 d1 1\n`))),
    small('a run in the library', (amount) => toRun(numbers(amount).map((i) => ({ topic: `q${i}`, doc: 'd1', score: 1 })))),
    small('queries of a feature file', (amount) => parseLetor(lines(amount, (i) => `1 qid:${i} 1:1\n`))),
    small('z-scores of trec_eval', (amount) => zScores(lines(amount, (i) => `q${i} map 0.5 0.1\n`))),
  ],
  ids: [
    small('documents of one topic', (amount) => parseTrecRun(lines(amount, (i) => `q1 Q0 d${i} 1 ${-i} t\n`))),
    small('documents of many topics, most of them known', (amount) =>
      parseTrecRun(lines(10 * amount, (i) => `q${Math.floor(i / 60)} Q0 d${i % amount} 1 ${-i} t\n`)),
    ),
    small('documents of topics of one line', (amount) => parseTrecRun(lines(amount, (i) => `q${i} Q0 d${i} 1 ${-i} t\n`))),
    small('an object in the library', (amount) => toRun({ q1: Object.fromEntries(numbers(amount).map((i) => [`d${i}`, i])) })),
    small('a table of ids', (amount) => IdTable.of(numbers(amount).map(String))),
    {
      name: 'pairs of ids',
      lowered: 512,
      use: (amount) => {
        const table = new PairTable();
        for (let i = 0; i < amount; i++) table.intern(i, i);
      },
    },
  ],
  files: [
    { name: 'gradus eval', use: (amount) => parseArguments(evalCommand, ['qrels', ...numbers(amount - 1).map((i) => `${i}.run`)]) },
    {
      name: 'gradus compare after --',
      use: (amount) => parseArguments(compareCommand, ['--', 'qrels', ...numbers(amount - 1).map((i) => `${i}.run`)]),
    },
  ],
  measures: [
    small('z-scores of trec_eval', (amount) => zScores(lines(amount, (i) => `q1 m${i} 0.5 0.1\n`))),
    small('one text that stands for many', (amount) => parseMeasureList([`P@${numbers(amount).map((i) => i + 1)}`])),
    small('many texts', (amount) => readMeasures(numbers(amount).map((i) => `P@${i + 1}`))),
  ],
  cutoff: ['P', 'nDCG', 'RR', 'AP'].map((name) => ({
    name,
    use: (amount) => {
      const run = toRun({ q1: { d1: 2, d2: 1 } });
      return evaluator(toQrels({ q1: { d1: 1 } }), [parseMeasure(`${name}@${amount}`)]).evaluate(run);
    },
  })),
  cwlDepth: ['RBP(cwl=EU,depth=D)', 'SDCG(depth=D)@10', 'INST(depth=D)'].map((text) => ({
    name: text,
    use: (amount) => {
      const run = toRun({ q1: { d1: 2, d2: 1 } });
      return evaluator(toQrels({ q1: { d1: 1 } }), parseMeasures(text.replace('D)', `${amount})`))).evaluate(run);
    },
  })),
  resamples: [
    { name: 'the library', use: (amount) => requireResamples(amount) },
    { name: 'a test', lowered: 100, use: (amount) => bootstrapTest({ first: [1, 2, 4], second: [2, 1, 1], seed: 1, resamples: amount }) },
    { name: 'gradus compare', use: (amount) => parseArguments(compareCommand, ['q', 'a', 'b', '--resamples', String(amount)]) },
  ],
  seed: [
    { name: 'the library', use: (amount) => requireSeed(amount) },
    { name: 'gradus compare', use: (amount) => parseArguments(compareCommand, ['q', 'a', 'b', '--seed', String(amount)]) },
  ],
  scores: [
    small('topics times measures', (amount) => {
      const qrels = toQrels({ q1: { d1: 1 } });
      const measures = parseMeasures(`P@${numbers(amount).map((i) => i + 1)}`);
      return evaluator(qrels, measures).evaluate(toRun({ q1: { d1: 1 } }));
    }),
    small('systems put side by side', (amount) => joinSystems([systemsOf(Math.ceil(amount / 2) - 1), systemsOf(1)])),
    small('systems aligned by topic', (amount) => alignTables([systemsOf(Math.ceil(amount / 2))])),
    small('a file of scores', (amount) => parseScoreFile(`topic,${numbers(amount).map((i) => `s${i}`)}\nq1${',1'.repeat(amount)}\n`)),
  ],
  scoresPerValue: [
    {
      name: 'many systems, each with one score on one topic or another',
      // 2,048 scores, and 512 or one more topics; small tables may be as sparse as they like
      lowered: 512,
      use: (amount) => parseScoreFile(sparseScores(2048, amount)),
    },
  ],
  weightSteps: [{ name: 'a search for the weights of runs', use: (amount) => stepsOf(1 / amount) }],
  comparisons: [
    {
      name: 'all pairs',
      lowered: 105,
      // 15 systems have 105 pairs
      use: (amount) => compareSystems(systemsOf(amount === limits.comparisons ? 15 : 16), { missing: 'skip' }),
    },
    small('all with a baseline', (amount) => compareSystems(systemsOf(amount + 1), { baseline: 's0' })),
  ],
};
