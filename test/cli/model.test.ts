import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { modelToJson } from '../../src/ltr/models/json.js';
import { readModel } from '../../src/ltr/models/read-model.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { repository } from '../helpers/run-gradus.js';

const golden = `${repository}test/golden/ltr-models/`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-model-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function model(...argv: string[]): Promise<{ status: number; out: string; words: string }> {
  const context = new CapturedContext();
  const status = await main(['model', ...argv], context);
  return { status, out: context.stdout.text, words: context.stderr.text.replaceAll(`${folder}/`, '').replaceAll(golden, '') };
}

describe('gradus model inspect', () => {
  test('tells learner, size, features and training on 80 columns', async () => {
    const path = join(folder, 'model.json');
    const trained = {
      ...readModel(readFileSync(`${golden}lightgbm-nan.txt`, 'utf8')),
      learner: 'lambdamart',
      normalisation: { kind: 'query', method: 'zscore' } as const,
      training: {
        objective: 'nDCG@10',
        convention: 'letor4',
        options: { trees: 6, leaves: 8, shrinkage: 0.1, minimumDocuments: 8, featureShare: 1, rowShare: 1, l2: 0 },
        seed: 7,
        data: '1f2e3d4c',
        iterations: 6,
        best: { iteration: 5, validation: 0.51234 },
      },
    };
    writeFileSync(path, modelToJson(trained));
    const { status, out } = await model('inspect', path);
    expect(status).toBe(0);
    expect(out.replace(`${folder}/`, '')).toBe(
      [
        'model       model.json',
        'learner     lambdamart',
        'scores by   6 trees, leaves 8, depth 4 to 6 (mean 5.2)',
        'features    1 to 5, 5 of 5 used: bm25, length, page_rank, freshness, clicks',
        'missing     missing values go the way that each split says',
        'scale       zscore query by query',
        'objective   nDCG@10, rules of letor4',
        'iterations  6, the best 5 (validation 0.5123)',
        'options     featureShare 1, l2 0, leaves 8, minimumDocuments 8, rowShare 1,',
        '            shrinkage 0.1, trees 6',
        'seed        7',
        'data        1f2e3d4c',
        '',
      ].join('\n'),
    );
    expect(
      out
        .split('\n')
        .slice(1)
        .every((line) => line.length <= 80),
    ).toBe(true);
  });

  test('--json; compressed files are read too', async () => {
    const path = join(folder, 'model.gz');
    writeFileSync(path, gzipSync(readFileSync(`${golden}ranklib-ranknet.txt`)));
    const { out } = await model('inspect', path, '--json');
    expect(JSON.parse(out)).toEqual({
      learner: 'ranknet',
      scorer: 'net',
      features: { first: 1, last: 5, used: 5 },
      layers: [5, 3, 3, 1],
      missing: 0,
      inputs: 'float32',
    });
  });

  test('a file that is no model, or not there', async () => {
    writeFileSync(join(folder, 'x.txt'), '1 qid:1 1:2\n');
    expect(await model('inspect', join(folder, 'x.txt'))).toEqual({
      status: 2,
      out: '',
      words: 'gradus: x.txt: the file begins with "1 qid:1 1:2\\n", which is no model of Gradus or of another tool that it reads\n',
    });
    expect((await model('inspect', join(folder, 'absent'))).words).toMatch(/^gradus: absent: .*\n$/);
  });
});

describe('gradus model convert', () => {
  test('writes what the name asks for, and says what is lost', async () => {
    const { status, out, words } = await model('convert', `${golden}xgboost-gbtree.json`, join(folder, 'm.onnx'));
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(words).toBe('gradus: sums are computed in 64 bits: scores differ from the seventh digit on\n');
    expect(readFileSync(join(folder, 'm.onnx')).subarray(0, 4)).toEqual(Buffer.from([8, 10, 18, 6]));
  });

  test('to a file of Gradus and back', async () => {
    await model('convert', `${golden}lightgbm-zero.txt`, join(folder, 'm.json'));
    const { out, words } = await model('convert', join(folder, 'm.json'), '-', '--to', 'lightgbm');
    expect(words).toBe('');
    expect(readModel(out).scorer).toEqual(readModel(readFileSync(`${golden}lightgbm-zero.txt`, 'utf8')).scorer);
  });

  test('--function names the function', async () => {
    const { out } = await model('convert', `${golden}ranklib-mart.txt`, '-', '--to', 'c', '--function', 'my ranker');
    expect(out).toContain('double my_ranker(const double *features) {');
  });

  test.each([
    [['convert', `${golden}ranklib-mart.txt`], /OUTPUT is missing/],
    [['convert', `${golden}ranklib-mart.txt`, 'x.txt'], /x\.txt does not tell the form to write; give --to/],
    [['convert', `${golden}ranklib-mart.txt`, '-', '--to', 'onnx'], /files of the form onnx are binary; name a file in the place of -/],
    [
      ['convert', `${golden}ranklib-mart.txt`, '-', '--to', 'ranklib', '--function', 'f'],
      /--function has no meaning for ranklib; it is for --to typescript and c and solr/,
    ],
    [['convert', `${golden}ranklib-mart.txt`, '-', '--to', 'ranklib', '--json'], /gradus model convert has no option --json/],
    [['inspect', `${golden}ranklib-mart.txt`, 'out'], /unexpected argument out/],
    [['importance', `${golden}ranklib-mart.txt`, '--seed', '3'], /--seed needs --data/],
    [['explode', `${golden}ranklib-mart.txt`], /expected one of inspect, convert, explain, report, importance, found explode/],
    [['importance', `${golden}ranklib-ranknet.txt`], /a net does not tell which features matter; give --data/],
    [['convert', `${golden}ranklib-mart.txt`, '/absent/folder/m.json'], /\/absent\/folder\/m\.json: cannot write/],
  ])('refuses %j', async (argv, sentence) => {
    const { status, out, words } = await model(...argv);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(words).toMatch(sentence);
    expect(existsSync('x.txt')).toBe(false);
  });
});

describe('gradus model importance', () => {
  test('lists features by gain', async () => {
    const { out, words } = await model('importance', `${golden}lightgbm-nan.txt`, '--top', '2');
    // sums of split_gain in the file
    expect(out).toBe(
      'feature  name      gain  splits   share\n      1  bm25    287.66      19  65.4 %\n      2  length  108.80      15  24.7 %\n',
    );
    expect(words).toBe('gradus: 3 more features; --top shows them\n');
  });

  test('with --data by what a measure loses', async () => {
    const data = join(folder, 'data.txt');
    const lines = Array.from(
      { length: 40 },
      (_, i) => `${i % 4 === 0 ? 1 : 0} qid:${Math.floor(i / 8)} 1:${i % 4 === 0 ? 2 : -2} 2:0 3:${i} 4:0 5:0`,
    );
    writeFileSync(data, `${lines.join('\n')}\n`);
    const { status, out } = await model('importance', `${golden}ranklib-coordinate-ascent.txt`, '--data', data, '-m', 'AP', '--json');
    expect(status).toBe(0);
    const { by, features } = JSON.parse(out) as { by: string; features: { id: number; loss: number }[] };
    expect(by).toBe('loss');
    expect(features.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5]);
    // features 2, 4 and 5 are the same for all documents: shuffling them changes nothing
    for (const { id, loss } of features) if (id !== 1 && id !== 3) expect(loss).toBe(0);
  });
});

describe('gradus score --first-feature', () => {
  /** Documents without missing values, and the scores that LightGBM gave them. */
  const recorded = (): { rows: number[][]; scores: number[] } => {
    const { rows, scores } = JSON.parse(readFileSync(`${golden}lightgbm-nan.scores.json`, 'utf8')) as {
      rows: number[][];
      scores: number[];
    };
    const whole = [...rows.keys()].filter((row) => rows[row].every((value) => value !== null));
    return { rows: whole.map((row) => rows[row]), scores: whole.map((row) => scores[row]) };
  };

  async function score(...argv: string[]): Promise<{ status: number; out: string; words: string }> {
    const context = new CapturedContext();
    const status = await main(['score', `${golden}lightgbm-nan.txt`, join(folder, 'data.txt'), '-f', 'letor', ...argv], context);
    return { status, out: context.stdout.text, words: context.stderr.text };
  }

  test.each([0, 1, 7])('gives the scores of LightGBM where files count features from %i', async (first) => {
    const { rows, scores } = recorded();
    expect(rows.length).toBeGreaterThan(50);
    const lines = rows.map((row) => `0 qid:1 ${row.map((value, i) => `${first + i}:${value}`).join(' ')}\n`);
    writeFileSync(join(folder, 'data.txt'), lines.join(''));
    const { status, out } = await score('--first-feature', String(first));
    expect(status).toBe(0);
    expect(out.trim().split('\n').map(Number)).toEqual(scores);
    if (first === 1) expect((await score()).out).toBe(out);
  });

  test('without it features count from 1, and feature 0 is refused', async () => {
    writeFileSync(join(folder, 'data.txt'), '0 qid:1 0:1 1:2\n');
    const { status, words } = await score();
    expect(status).toBe(2);
    expect(words).toContain('expected feature ids from 1 on, found "0:1"');
  });
});
