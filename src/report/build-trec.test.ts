import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { provenance, trecExample } from '../../test/helpers/report-examples.js';
import { goldenCases, goldenFolder } from '../../test/helpers/trec-golden.js';
import { judgingRulesOf } from '../conventions/convention.js';
import { parameterDefaults, readMeasures } from '../conventions/read-measures.js';
import { findConvention } from '../conventions/registry.js';
import { ScoreTable } from '../core/score-table.js';
import { parseTrecQrels } from '../formats/trec/qrels.js';
import { parseTrecRun } from '../formats/trec/run.js';
import { evaluate, evaluator } from '../measures/evaluate.js';
import { buildTrecReport, quantileOfSorted, recallLevels, topicCurve, trecReportMeasures } from './build-trec.js';

describe('buildTrecReport', () => {
  const cases = goldenCases().filter(
    ({ args, version, exitCode }) =>
      version.startsWith('9.') && exitCode === 0 && args.length === 5 && args.slice(0, 3).join(' ') === '-m all_trec -q',
  );

  test('has output of the real program to be compared with', () => {
    expect(cases.length).toBeGreaterThan(3);
  });

  test.each(cases.map((golden) => [`${golden.id} of trec_eval ${golden.version}`, golden] as const))('says what %s says', (_, golden) => {
    const [qrels, run] = golden.args.slice(3).map((name) => readFileSync(join(goldenFolder, name), 'utf8'));
    const convention = findConvention(`trec_eval@${golden.version}`);
    const measures = readMeasures(trecReportMeasures, parameterDefaults(convention, undefined));
    const table = evaluator(parseTrecQrels(qrels).qrels, measures, judgingRulesOf(convention.rules)).evaluate(parseTrecRun(run).run);
    const [reported] = buildTrecReport({ tables: [table], provenance }).runs;
    const printed = new Map(
      golden.stdout
        .split('\n')
        .map((line) => line.split(/\s+/))
        .map(([name, topic, value]) => [`${name} ${topic}`, value]),
    );
    const all = (name: string): string | undefined => printed.get(`${name} all`);
    const fixed = (value: number | null): string => (value ?? Number.NaN).toFixed(4);

    const { summary } = reported;
    expect([summary.numTopics, summary.numRetrieved, summary.numRelevant, summary.numRelevantRetrieved].map(String)).toEqual(
      ['num_q', 'num_ret', 'num_rel', 'num_rel_ret'].map(all),
    );
    expect(fixed(reported.averagePrecision)).toBe(all('map'));
    expect(fixed(reported.rPrecision)).toBe(all('Rprec'));
    for (const { recall, precision } of reported.recallLevels)
      expect([recall, fixed(precision)]).toEqual([recall, all(`iprec_at_recall_${recall.toFixed(2)}`)]);
    for (const { cutoff, precision } of reported.documentLevels) expect([cutoff, fixed(precision)]).toEqual([cutoff, all(`P_${cutoff}`)]);
    for (const [t, topic] of table.topics.entries())
      expect([topic, fixed(reported.averagePrecisionByTopic[t])]).toEqual([topic, printed.get(`map ${topic}`)]);
  });

  test('takes median, best and worst of the runs that answer the topic', () => {
    const qrels = { a: { x: 1 }, b: { x: 1 } };
    // average precision on a: 1, 1/2, 1/4; on b: 1/3 and nothing from the others
    const runs = [{ a: { x: 9 }, b: { p: 3, q: 2, x: 1 } }, { a: { p: 2, x: 1 } }, { a: { p: 4, q: 3, r: 2, x: 1 } }];
    const tables = runs.map((run, r) => evaluate(qrels, run, [...trecReportMeasures], { missingTopics: 'skip', name: `r${r}` }));
    const report = buildTrecReport({ tables, provenance });
    expect(report.topics).toEqual(['a', 'b']);
    expect(report.allRuns).toEqual({ median: [0.5, 1 / 3], best: [1, 1 / 3], worst: [0.25, 1 / 3] });
    expect(report.runs.map(({ averagePrecisionByTopic }) => averagePrecisionByTopic)).toEqual([
      [1, 1 / 3],
      [0.5, null],
      [0.25, null],
    ]);
    expect(report.runs.map(({ summary }) => summary.numTopics)).toEqual([2, 1, 1]);
  });

  test('about one run takes median, best and worst of the others, on the topics of that run', () => {
    const qrels = { a: { x: 1 }, b: { x: 1 }, c: { x: 1 } };
    // average precision on a: 1 against 1/2 and 1/4; on b: 1/3 against 1 and nothing
    const runs = [
      { a: { x: 9 }, b: { p: 3, q: 2, x: 1 } },
      { a: { p: 2, x: 1 }, c: { x: 1 } },
      { a: { p: 4, q: 3, r: 2, x: 1 }, b: { x: 1 } },
    ];
    const tables = runs.map((run, r) => evaluate(qrels, run, [...trecReportMeasures], { missingTopics: 'skip', name: `r${r}` }));
    const report = buildTrecReport({ tables, run: 'r0', provenance });
    expect(report.title).toBe('Evaluation of r0');
    expect(report.runs.map(({ name }) => name)).toEqual(['r0']);
    expect(report.topics).toEqual(['a', 'b']);
    expect(report.comparedWith).toEqual({ runs: 'others', count: 2 });
    expect(report.allRuns).toEqual({ median: [0.375, 1], best: [0.5, 1], worst: [0.25, 1] });
  });

  test('refuses a run that is not there, and one without others', () => {
    const table = evaluate({ a: { x: 1 } }, { a: { x: 1 } }, [...trecReportMeasures], { name: 'mine' });
    const other = evaluate({ a: { x: 1 } }, { a: { x: 1 } }, [...trecReportMeasures], { name: 'other' });
    expect(() => buildTrecReport({ tables: [table, other], run: 'mien', provenance })).toThrow(
      'found no run mien among 2; did you mean mine?',
    );
    expect(() => buildTrecReport({ tables: [table, other], run: 'run18', provenance })).toThrow('their names are mine, other');
    expect(() => buildTrecReport({ tables: [table], run: 'mine', provenance })).toThrow('found no run besides mine to compare it with');
  });

  test('of an even number of runs takes the median halfway', () => {
    expect(quantileOfSorted([0.1, 0.2, 0.4, 1], 0.5)).toBeCloseTo(0.3, 12);
    expect(quantileOfSorted([], 0.5)).toBeNull();
  });

  test('is the same in JSON and back', () => {
    const report = trecExample(['one', 'two'], ['1', '2']);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('refuses tables of other measures', () => {
    const table = new ScoreTable(['s'], ['t'], [{ name: 'AP', aggregate: 'mean' }], Float64Array.of(1));
    expect(() => buildTrecReport({ tables: [table], provenance })).toThrow(/expected scores by the 25 measures/);
  });
});

describe('topicCurve', () => {
  const ranked = Array.from({ length: 20 }, (_, i) => ([1, 2, 4, 15].includes(i + 1) ? 1 : 0));

  test('gives the worked example of the TREC appendix: relevant at ranks 1, 2, 4 and 15 of 20', () => {
    const { exact, interpolated } = topicCurve('t', 's', ranked, 4);
    expect(exact).toEqual([
      { rank: 1, recall: 0.25, precision: 1 },
      { rank: 2, recall: 0.5, precision: 1 },
      { rank: 4, recall: 0.75, precision: 0.75 },
      { rank: 15, recall: 1, precision: 4 / 15 },
    ]);
    // 1 up to recall .5, .75 at .6 and .7, and .27 from .8 on
    expect(interpolated.map(({ precision }) => precision.toFixed(2))).toEqual([
      ...Array(6).fill('1.00'),
      '0.75',
      '0.75',
      ...Array(3).fill('0.27'),
    ]);
  });

  test('interpolates as the measure IPrec does that does not round', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 0, max: 4 }),
        (grades, numUnfound) => {
          const judged = Object.fromEntries(grades.map((grade, i) => [`d${String(i).padStart(2, '0')}`, grade]));
          for (let i = 0; i < numUnfound; i++) judged[`u${i}`] = 1;
          const numRelevant = Object.values(judged).filter((grade) => grade === 1).length;
          fc.pre(numRelevant > 0);
          const run = { t: Object.fromEntries(grades.map((_, i) => [`d${String(i).padStart(2, '0')}`, -i])) };
          const { interpolated } = topicCurve('t', 's', grades, numRelevant);
          for (const [i, { recall, precision }] of interpolated.entries()) {
            expect(recall).toBe(recallLevels[i]);
            expect(precision).toBeCloseTo(evaluate({ t: judged }, run, `IPrec(rounding='exact')@${recall}`), 12);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
