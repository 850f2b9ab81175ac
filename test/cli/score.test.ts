import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { checkFilledCells } from '../../src/core/limits.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const save = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-score-'));
  save('linear.json', linearModel({ weights: [1, 2, 0, 4], missing: 0 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function linearModel({ weights, missing }: { weights: readonly number[]; missing: number | null }): string {
  return JSON.stringify({
    format: 'gradus-model',
    version: 1,
    learner: 'coordinate-ascent',
    firstFeature: 1,
    numFeatures: weights.length,
    missing,
    scorer: { kind: 'linear', weights, bias: 0 },
  });
}

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const alone = argv[0] === 'train' ? ['--threads', '1'] : [];
  const status = await main([...argv, ...alone], context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

const scored = async (...argv: string[]) => {
  const { status, out, err } = await gradus('score', ...argv, '--format', 'letor');
  return { status, scores: out.trim().split('\n').map(Number), err };
};

describe('gradus score, features that the model uses and the file lacks', () => {
  it('names them and says what they count as', async () => {
    const { status, scores, err } = await scored(at('linear.json'), save('two.txt', '0 qid:1 1:1 2:1\n0 qid:1 1:2 2:1\n'));
    expect(scores).toEqual([3, 4]);
    expect(err).toBe(`gradus: ${at('two.txt')}: no document has feature 4, of 3 that the model uses; it counts as 0 everywhere\n`);
    expect(status).toBe(0);
  });

  it('counts those beyond the first five', async () => {
    const model = save('wide.json', linearModel({ weights: Array.from({ length: 12 }, () => 1), missing: 0 }));
    const { err } = await scored(model, save('few.txt', '0 qid:1 3:1\n0 qid:1 2:1 3:4\n'));
    expect(err).toContain('no document has features 1, 4, 5, 6, 7 and 5 more, of 12 that the model uses; they count as 0 everywhere');
  });

  it('says nothing of zeros that only some lines leave out, nor of features that the model does not use', async () => {
    const { status, scores, err } = await scored(at('linear.json'), save('sparse.txt', '0 qid:1 1:1\n0 qid:1 4:1\n0 qid:1 2:0\n'));
    expect(scores).toEqual([1, 4, 0]);
    expect(err).toBe('');
    expect(status).toBe(0);
  });

  it('says nothing of a feature that is 0 for every document, where the file says so', async () => {
    const { err } = await scored(at('linear.json'), save('zeros.txt', '0 qid:1 1:1 2:0 3:1 4:0\n0 qid:1 1:2 2:0 3:1 4:0\n'));
    expect(err).toBe('');
  });
});

describe('gradus score, values that are left out', () => {
  // LightGBM 4.7.0: Booster(model_file='lightgbm-nan.txt').predict(FILE, predict_disable_shape_check=True), ids from 0
  const lightgbm = fileURLToPath(new URL('../golden/ltr-models/lightgbm-nan.txt', import.meta.url));
  const lines = ['1:0.5 5:0.25', '2:1 3:-0.5', '1:nan 4:2', '3:nan 5:nan', '4:1', '1:-1.5 2:0.75 3:2.5 4:-2'];
  const expected = [
    -0.14044981002938317, 0.1828671214744096, -0.4089174087193179, -0.3262487100952898, -0.3262487100952898, -0.819017769501463,
  ];

  it('are 0 for a model of LightGBM, and nan is missing, as LightGBM has it, in sparse and in dense files', async () => {
    const sparse = save('lightgbm.txt', `${lines.map((line) => `0 qid:1 ${line}`).join('\n')}\n`);
    expect((await scored(lightgbm, sparse)).scores).toEqual(expected);
    // many full rows make the reader fill up the others
    const full = '0 qid:1 1:0.5 2:0.5 3:0.5 4:0.5 5:0.5\n'.repeat(60);
    const dense = save('lightgbm-dense.txt', full + readFileSync(sparse, 'utf8'));
    expect((await scored(lightgbm, dense)).scores.slice(60)).toEqual(expected);
    // and the same once the model is in our own form
    await gradus('model', 'convert', lightgbm, at('lightgbm.json'));
    expect((await scored(at('lightgbm.json'), sparse)).scores).toEqual(expected);
  });
});

describe('gradus score -o FILE.gz', () => {
  it('compresses a run and predictions, as its name says', async () => {
    const model = save('gz.json', linearModel({ weights: [1], missing: 0 }));
    const data = save('gz.txt', '1 qid:1 1:2 # docid = a\n0 qid:1 1:1 # docid = b\n');
    expect((await gradus('score', model, data, '--name', 'm', '-o', at('out.run.gz'))).status).toBe(0);
    expect(gunzipSync(readFileSync(at('out.run.gz'))).toString()).toBe('1 Q0 a 1 2 m\n1 Q0 b 2 1 m\n');
    expect((await gradus('score', model, data, '-f', 'letor', '-o', at('out.txt.gz'))).status).toBe(0);
    expect(gunzipSync(readFileSync(at('out.txt.gz'))).toString()).toBe('2.0\n1.0\n');
  });
});

describe('gradus score, numbers that are too large', () => {
  it('names the document whose score is not finite, and writes nothing', async () => {
    const model = save('large.json', linearModel({ weights: [1e300], missing: 0 }));
    const data = save('large.txt', '0 qid:1 1:1\n0 qid:1 1:1e10\n');
    const { status, err } = await gradus('score', model, data, '-o', at('large.run'));
    expect(err).toContain(`${data}:2: the model gives the document a score of Infinity, expected a finite number`);
    expect([status, existsSync(at('large.run'))]).toEqual([2, false]);
  });
});

describe('few documents with large feature numbers', () => {
  it('are refused where every cell would be filled, and scored by a model that uses few of them', async () => {
    const lines = Array.from({ length: 40 }, (_, d) => `${d % 2} qid:${d >> 2} ${1 + d}:1 1000000:${d}`);
    const file = save('high.txt', `${lines.join('\n')}\n`);
    for (const learner of ['ranksvm', 'coordinate-ascent', 'ranknet', 'rankboost']) {
      const { status, err } = await gradus('train', learner, '--train', file, '--model', at('high.json'), '--quiet');
      expect(err).toContain('40 documents with 1000000 features, of which 80 have a value, are more than 8192 cells for each value');
      expect(status).toBe(2);
    }
    const wide = await gradus('train', 'linear-regression', '--train', file, '--model', at('high.json'), '--quiet');
    expect(wide.err).toContain('linear regression over 1000000 features needs a table of 1000000 by 1000000 numbers');
    expect(wide.status).toBe(2);
    const model = save('high.txt.model', '## RankBoost\n1000000:19.5:1.0\n');
    expect((await scored(model, file)).scores.filter((score) => score === 1)).toHaveLength(20);
  });

  it('what was trained on before still is: 4,000 documents of 30 values among 200,000', () => {
    expect(() => checkFilledCells(4000, 200_000, 120_000)).not.toThrow();
  });
});

describe('gradus score, two outputs', () => {
  const data = '0 qid:1 1:1 2:1 4:1\n';

  it('refuses one file for the run and the judgements, in any spelling, before it writes', async () => {
    const file = save('data.txt', data);
    save('old.run', 'old\n');
    symlinkSync(at('old.run'), at('link.run'));
    linkSync(at('old.run'), at('hard.run'));
    for (const [output, qrels] of [
      ['new.run', 'new.run'],
      ['new.run', './new.run'],
      ['old.run', 'link.run'],
      ['old.run', 'hard.run'],
    ]) {
      const { status, err } = await gradus('score', at('linear.json'), file, '-o', at(output), '--qrels', `${folder}/${qrels}`);
      expect(err).toContain(`--qrels and --output both write to ${at(output)}, and only one would be left; name two files`);
      expect(status).toBe(2);
    }
    expect(existsSync(at('new.run'))).toBe(false);
    expect(readFileSync(at('old.run'), 'utf8')).toBe('old\n');
    const { status } = await gradus('score', at('linear.json'), file, '-o', at('new.run'), '--qrels', at('new.qrels'));
    expect(status).toBe(0);
  });

  it('so do train and cv', async () => {
    const train = ['--train', save('train.txt', letorText(1, 20))];
    const one = await gradus('train', 'linear-regression', ...train, '--model', at('m.json'), '-o', at('m.json'));
    expect(one.err).toContain('--model and --output both write to');
    const two = await gradus('cv', 'linear-regression', ...train, '--predictions', at('p.txt'), '-o', at('p.txt'), '--threads', '1');
    expect(two.err).toContain('--predictions and --output both write to');
    expect([one.status, two.status, existsSync(at('m.json')), existsSync(at('p.txt'))]).toEqual([2, 2, false, false]);
  });
});

describe('nan in a LETOR file', () => {
  it('train suggests --missing nan, which keeps the document and reads the value as unknown', async () => {
    const rows = Array.from({ length: 40 }, (_, d) => `${d % 2} qid:${1 + Math.floor(d / 4)} 1:${d % 5 === 0 ? 'nan' : d % 2} 2:${d % 3}`);
    const file = save('nan.txt', `${rows.join('\n')}\n`);
    const train = ['train', 'mart', '--train', file, '--model', at('nan.json'), '--trees', '3', '--min-docs', '2', '--json'];
    const refused = await gradus(...train.slice(0, -1));
    expect(refused.status).toBe(2);
    expect(refused.err).toContain(`${file}:1: expected a number as feature 1, found "nan"; --missing nan takes it for an unknown value`);
    expect(refused.err).not.toContain('--lenient');
    const { status, out, err } = await gradus(...train, '--missing', 'nan');
    expect(status, err).toBe(0);
    expect(JSON.parse(out).data.train.documents).toBe(40);
    expect((await scored(at('nan.json'), file)).status).toBe(0);
  });

  it('--missing nan means the cells that a line leaves out, however full the other lines are', async () => {
    // feature 1 is unknown for the relevant documents, and 0 or 1 for the others: only as unknown can it tell them apart
    const rows = Array.from({ length: 60 }, (_, d) => {
      const relevant = d % 6 === 0;
      return `${relevant ? 1 : 0} qid:${1 + Math.floor(d / 6)} ${relevant ? '' : `1:${d % 2} `}2:1 3:1 4:1 5:1 6:1`;
    });
    const file = save('left-out.txt', `${rows.join('\n')}\n`);
    const train = ['train', 'mart', '--train', file, '--model', at('left-out.json'), '--trees', '3', '--min-docs', '2'];
    const { out } = await gradus(...train, '--json', '--missing', 'nan', '-m', 'P@1');
    expect(JSON.parse(out).values.train).toEqual({ 'P@1': 1 });
  });

  it('inf is to be corrected, because it cannot be meant', async () => {
    const { err } = await gradus('train', 'mart', '--train', save('inf.txt', '0 qid:1 1:inf\n'), '--model', at('inf.json'));
    expect(err).toContain('expected a number as feature 1, found "inf"; correct it, or leave it out');
  });
});
