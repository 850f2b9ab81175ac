import { seededRandom } from '../../src/core/numbers/random.js';
import { toQrels } from '../../src/core/qrels.js';
import type { ScoreTable } from '../../src/core/score-table.js';
import { standingsOf } from '../../src/experiment/verdict/standings.js';
import { verdictOf } from '../../src/experiment/verdict/verdict.js';
import { type Evaluator, evaluator } from '../../src/measures/evaluate.js';
import { parseMeasures } from '../../src/measures/parse.js';
import { buildComparisonReport, planComparison } from '../../src/report/build-comparison.js';
import { buildTrecReport, trecReportMeasures } from '../../src/report/build-trec.js';
import { type ComparisonReport, type ModelReport, type Provenance, REPORT_VERSION, type TrecReport } from '../../src/report/model.js';
import { alignTables } from '../../src/stats/alignment.js';
import { compareSystems } from '../../src/stats/compare.js';

export const provenance: Provenance = {
  program: 'Gradus test',
  command: 'gradus report qrels run',
  date: null,
  files: [{ role: 'judgements', name: 'qrels', bytes: 3, sha256: '00' }],
  convention: 'gradus',
  rules: [{ name: 'equal scores', value: 'docno' }],
  seed: null,
};

type Nested = Record<string, Record<string, number>>;

/** Judgements with grades 0 to 2 and rankings that find more or less of what is relevant; the same ones every time. */
export function collection(names: readonly string[], topics: readonly string[], numDocs = 30): { qrels: Nested; runs: Nested[] } {
  const random = seededRandom(5);
  const docs = Array.from({ length: numDocs }, (_, d) => `d${d}`);
  const qrels = Object.fromEntries(
    topics.map((topic) => [topic, Object.fromEntries(docs.slice(0, numDocs - 6).map((doc) => [doc, random.below(3)]))]),
  );
  const runs = names.map((_, r) =>
    Object.fromEntries(
      topics.map((topic) => [
        topic,
        Object.fromEntries(docs.map((doc) => [doc, (qrels[topic][doc] ?? 0) * (r + 1) * 0.3 + random.float() * 2])),
      ]),
    ),
  );
  return { qrels, runs };
}

function tablesOf(names: readonly string[], runs: readonly Nested[], prepared: Evaluator): ScoreTable[] {
  return runs.map((run, r) => prepared.evaluate(run, names[r]));
}

export function trecExample(names: readonly string[], topics: readonly string[]): TrecReport {
  const { qrels, runs } = collection(names, topics);
  const prepared = evaluator(
    qrels,
    trecReportMeasures.flatMap((name) => parseMeasures(name)),
  );
  return buildTrecReport({ tables: tablesOf(names, runs, prepared), provenance, header: [{ name: 'Task', value: names[0] }] });
}

export function comparisonExample(
  names: readonly string[],
  topics: readonly string[],
  measures: readonly string[] = ['nDCG@10', 'AP', 'P@5'],
): ComparisonReport {
  const { qrels, runs } = collection(names, topics);
  const plan = planComparison(
    measures.flatMap((name) => parseMeasures(name)),
    toQrels(qrels).grades,
  );
  const table = alignTables(tablesOf(names, runs, evaluator(qrels, plan.measures)));
  const comparison =
    names.length < 2 ? undefined : compareSystems(table, { measures: [...measures], missing: 'zero', effectIntervals: false });
  const report = buildComparisonReport({
    plan,
    table,
    comparison,
    audit: [
      {
        file: names[0],
        what: 'run',
        size: '1 topic',
        findings: [{ severity: 'info', kind: 'ties', sentence: names[0], recommendation: names[0], examples: [names[0]] }],
      },
    ],
    provenance: { ...provenance, files: names.map((name) => ({ role: 'run' as const, name, bytes: 1, sha256: 'ff' })) },
  });
  if (comparison === undefined) return report;
  const checks = { unjudged: { cutoff: 10, shares: names.map((_, s) => s / (2 * names.length)) }, missingTopics: names.map((_, s) => s) };
  return {
    ...report,
    verdict: verdictOf({ scores: { table }, comparison, checks }),
    standings: standingsOf({ table }, comparison, checks),
  };
}

/** What a model makes of data, in small. */
export const modelExample: ModelReport = {
  version: REPORT_VERSION,
  kind: 'model',
  title: 'The model m.json',
  notes: [],
  provenance,
  tables: [],
  bars: [
    {
      id: 'importance',
      label: 'What AP loses when a feature is shuffled',
      xLabel: 'loss of AP',
      items: [
        { name: '1 bm25', value: 0.12, low: 0.05, high: 0.2 },
        { name: 'feature 2', value: -0.01, low: null, high: null },
      ],
    },
  ],
  curves: [
    {
      id: 'dependence-1',
      label: 'How the score follows 1 bm25',
      xLabel: '1 bm25',
      yLabel: 'change of the score',
      x: [0, 2, 3],
      systems: ['mean'],
      values: [[-0.2, 0.1, 0.4]],
      intervals: [
        [
          [-0.3, -0.1],
          [0, 0.3],
          [0.2, 0.5],
        ],
      ],
    },
  ],
};
