import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../src/ltr/index.js';
import { gradus, testFolder } from '../helpers/in-process.js';
import { repository } from '../helpers/run-gradus.js';

const golden = join(repository, 'test/golden/spark-training');
const recorded = JSON.parse(readFileSync(join(golden, 'scores.json'), 'utf8')) as {
  columns: string[];
  rows: (string | number | null)[][];
  scores: number[];
};
const { at, save } = testFolder('train-spark');
const table = at('table.parquet');
writeFileSync(
  table,
  new Uint8Array(
    parquetWriteBuffer({
      columnData: recorded.columns.map((name, c) => ({
        name,
        data: recorded.rows.map((row) => row[c]),
        type: c < 2 ? ('STRING' as const) : c === 2 ? ('INT32' as const) : ('DOUBLE' as const),
      })),
    }),
  ),
);

/** Stands for Python: keeps what it was asked, and answers as the trainer does. */
function python(name: string, answers: readonly unknown[], model: string | undefined = join(golden, 'model.json')): string {
  const program = save(
    name,
    [
      '#!/usr/bin/env node',
      "const { copyFileSync, readFileSync, writeFileSync } = require('node:fs');",
      "const asked = JSON.parse(readFileSync(process.argv[3], 'utf8'));",
      `writeFileSync(${JSON.stringify(at(`${name}.asked`))}, JSON.stringify(asked));`,
      model === undefined ? '' : `copyFileSync(${JSON.stringify(model)}, asked.model);`,
      ...answers.map((answer) => `console.log('gradus answers ' + ${JSON.stringify(JSON.stringify(answer))});`),
    ].join('\n'),
  );
  chmodSync(program, 0o755);
  return program;
}

const asked = (name: string) =>
  JSON.parse(readFileSync(at(`${name}.asked`), 'utf8')) as Record<string, unknown> & { parameters: Record<string, unknown> };
const facts = { kind: 'facts', spark: '4.3.0', xgboost: '3.2.0', unknown: 0, lowest: 0, highest: 3, fractional: 0, workers: 2 };
const counted = { ...facts, rows: 24, queries: 3 };
const done = { kind: 'done', trees: 4 };
const engine = ['train', 'lambdamart', '--engine', 'spark', '--train', table];

describe('gradus train lambdamart --engine spark', () => {
  test('imports what XGBoost trained on Spark, and scores it as XGBoost does, in every bit', async () => {
    const program = python('good', [counted, { kind: 'progress', trees: 4 }, done]);
    const { status, err, out } = await gradus(...engine, '--python', program, '--trees', '4', '--test', table, '--model', at('model.json'));
    expect([status, err]).toEqual([
      0,
      `gradus: XGBoost 3.2.0 on Spark 4.3.0: 24 documents of 3 queries, 2 tasks\ngradus: LambdaMART: 4 iterations; saved as ${at('model.json')}\n`,
    ]);
    expect(out).toMatch(/^data +queries +nDCG@10\ntest +3 +0\.\d{4}\n$/);
    await gradus('score', at('model.json'), table, '--format', 'letor', '-o', at('scores.txt'));
    expect(readFileSync(at('scores.txt'), 'utf8').trim().split('\n').map(Number)).toEqual(recorded.scores);
  });

  test('tells XGBoost what our options mean there, and where the data is', async () => {
    const program = python('told', [counted, done]);
    const own = ['--objective', "nDCG(gain='exp')@10", '--leaves', '12', '--l2', '3', '--row-sample', '0.5', '--sample-by', 'document'];
    const spark = ['--master', 'spark://h:7077', '--workers', '2', '--conf', 'spark.executor.memory=2g', '--seed', '7'];
    const { status, err } = await gradus(...engine, '--python', program, ...own, ...spark, '--model', at('told.json'));
    expect([status, err.includes('XGBoost 3.2.0')]).toEqual([0, true]);
    expect(asked('told')).toMatchObject({
      master: 'spark://h:7077',
      conf: ['spark.executor.memory=2g'],
      workers: 2,
      paths: [table],
      topic: 'query_id',
      label: 'label',
      features: ['x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'],
      highest: 31,
      isWhole: true,
      trees: 100,
      every: 10,
    });
    expect(asked('told').parameters).toEqual({
      objective: 'rank:ndcg',
      ndcg_exp_gain: true,
      tree_method: 'hist',
      grow_policy: 'lossguide',
      max_depth: 0,
      lambdarank_pair_method: 'topk',
      learning_rate: 0.1,
      max_leaves: 12,
      reg_lambda: 3,
      subsample: 0.5,
      lambdarank_num_pair_per_sample: 100,
      random_state: 7,
    });
    expect(readModel(readFileSync(at('told.json'), 'utf8')).training?.options).toMatchObject({
      trainer: 'XGBoost 3.2.0 on Spark 4.3.0',
      max_leaves: 12,
      workers: 2,
      documents: 24,
    });
  });

  test('cuts the model where it is best on validation data, by any measure', async () => {
    const program = python('cut', [counted, done]);
    const history = at('history.json');
    const more = ['--validate', table, '--metric', 'RR', '--history', history, '--model', at('cut.json')];
    const { status } = await gradus(...engine, '--python', program, '--trees', '4', ...more, '--quiet');
    expect(status).toBe(0);
    const { curves } = JSON.parse(readFileSync(history, 'utf8')) as { curves: { measure: string; values: number[] }[] };
    const [{ measure, values }] = curves;
    const { training, scorer } = readModel(readFileSync(at('cut.json'), 'utf8'));
    expect([measure, values.length]).toEqual(['RR', 4]);
    expect(training?.best).toEqual({ iteration: values.indexOf(Math.max(...values)) + 1, validation: Math.max(...values) });
    expect(scorer.kind === 'trees' && scorer.treeWeights.length).toBe(training?.best?.iteration);
  });

  test.each([
    ['an option that XGBoost has not', ['--min-docs', '5'], [], 'XGBoost, which trains on Spark, has no --min-docs; leave it out'],
    ['a loss', ['--objective', 'yetirank'], [], 'XGBoost, which trains on Spark, has no --loss; leave it out'],
    [
      'samples of queries',
      ['--row-sample', '0.5'],
      [],
      'XGBoost, which trains on Spark, draws documents and not queries for --row-sample; add --sample-by document',
    ],
    [
      'a measure that XGBoost cannot optimise',
      ['--objective', 'ERR'],
      [],
      "XGBoost, which trains on Spark, cannot optimise ERR; take nDCG@10, nDCG(gain='exp')@10 or AP; any measure can be reported with -m",
    ],
    [
      'labels that are too high',
      ['--objective', "nDCG(gain='exp')@10"],
      [{ ...counted, highest: 40 }],
      `${table}: has a label of 40, and XGBoost takes labels up to 31 with exponential gain; optimise nDCG@10, whose gain is linear`,
    ],
    ['negative labels', [], [{ ...counted, lowest: -1 }], `${table}: has a label of -1, expected labels from 0; add as much to all labels`],
    ['rows without a label', [], [{ ...counted, unknown: 2 }], `${table}: 2 rows have no query or no label; remove them`],
    ['text', [], [{ kind: 'words', columns: ['x3'] }], `${table}: expected numbers in x3; --ignore x3 leaves columns out`],
    [
      'what another training saved',
      ['--checkpoint', 'saved.json'],
      [counted, { kind: 'other' }],
      'saved.json: what was saved belongs to a training with other data or options; name another --checkpoint FILE, or remove this one to begin again',
    ],
  ])('refuses %s', async (name, options, answers, expected) => {
    const program = python(`bad ${name}`, answers, undefined);
    const { status, err } = await gradus(...engine, '--python', program, ...options, '--model', at('none.json'), '--quiet');
    expect([status, err]).toEqual([2, `gradus: ${expected}\n`]);
    expect(existsSync(at('none.json'))).toBe(false);
  });

  test('says what Python lacks', async () => {
    const program = python('bare', [{ kind: 'failed', error: "ModuleNotFoundError: No module named 'pyspark'" }], undefined);
    const { status, err } = await gradus(...engine, '--python', program, '--model', at('none.json'), '--quiet');
    expect([status, err]).toEqual([
      2,
      `gradus: ${program}: has no pyspark, which trains on Spark; ${program} -m pip install pyspark xgboost pandas pyarrow scikit-learn\n`,
    ]);
  });

  test('refuses what only this program does, and settings of Spark without Spark', async () => {
    const { status, err } = await gradus(...engine, '--watch', table, '--missing', 'nan', '--model', at('none.json'));
    expect([status, err.split('\n').filter((line) => line.includes('has no meaning for --engine spark')).length]).toEqual([2, 2]);
    const without = await gradus('train', 'lambdamart', '--train', table, '--workers', '3', '--model', at('none.json'));
    expect([without.status, without.err]).toMatchObject([2, expect.stringContaining('--workers is for Spark; add --engine spark')]);
    const other = await gradus('train', 'ranksvm', '--engine', 'spark', '--train', table, '--model', at('none.json'));
    expect([other.status, other.err]).toMatchObject([2, expect.stringContaining('ranksvm cannot be trained on Spark; take lambdamart')]);
  });
});
