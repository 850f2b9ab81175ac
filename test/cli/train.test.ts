import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { optionName } from '../../src/cli/options/settings.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { evaluateModel } from '../../src/ltr/evaluate-model.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { learnerNames, loadAllLearners } from '../../src/ltr/registry.js';
import { parseMeasure } from '../../src/measures/parse.js';
import { loadAllCommands } from '../helpers/all-commands.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const save = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-train-'));
  save('train.txt', letorText(1, 40));
  save('vali.txt', letorText(2, 15, { prefix: 'v' }));
  save('test.txt', letorText(3, 15, { prefix: 't' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command here, where threads would have to be compiled first. */
async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const alone = argv[0] === 'train' && !argv.includes('--threads') ? ['--threads', '1'] : [];
  const status = await main([...argv, ...alone], context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

/** Few and small steps, whatever the learner calls them. */
const quick: Readonly<Record<string, readonly string[]>> = {
  adarank: ['--rounds', '10'],
  'coordinate-ascent': ['--restarts', '1', '--iterations', '2'],
  lambdamart: ['--trees', '10', '--leaves', '4'],
  mart: ['--trees', '10', '--leaves', '4'],
  'random-forest': ['--trees', '10', '--leaves', '4'],
  rankboost: ['--rounds', '10'],
};

describe('gradus train', () => {
  it('an objective that is a loss is followed by trees, and the usual measure is watched', async () => {
    const files = ['--train', at('train.txt'), '--validate', at('vali.txt'), '--trees', '10', '--leaves', '4', '--json'];
    const named = await gradus('train', 'lambdamart', ...files, '--objective', 'YetiRank', '--model', at('yeti.json'));
    const printed = JSON.parse(named.out);
    expect(printed).toMatchObject({ objective: 'nDCG@10', metric: 'nDCG@10', options: { loss: 'yetirank' } });
    const asOption = await gradus('train', 'lambdamart', ...files, '--loss', 'yetirank', '--model', at('loss.json'));
    expect(asOption.status).toBe(0);
    expect(readFileSync(at('loss.json'), 'utf8')).toBe(readFileSync(at('yeti.json'), 'utf8'));
    const refused = await gradus('train', 'adarank', '--train', at('train.txt'), '--objective', 'yetirank', '--model', at('no.json'));
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('adarank cannot follow the loss yetirank') });
  });

  it('weights and scores of documents come from a file or a column, which is no feature then', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ qid: Math.floor(i / 8), rel: (i * 7) % 4, x: (i * 5) % 11, w: 1 + (i % 3) }));
    save('weights.csv', ['qid,rel,x,w', ...rows.map(({ qid, rel, x, w }) => `${qid},${rel},${x},${w}`)].join('\n'));
    save('plain.csv', ['qid,rel,x,w', ...rows.map(({ qid, rel, x }) => `${qid},${rel},${x},0`)].join('\n'));
    save('weights.txt', rows.map(({ w }) => `${w}\n`).join(''));
    const scorer = async (file: string, ...more: string[]): Promise<unknown> => {
      const options = ['--trees', '3', '--min-docs', '2', '--leaves', '4', '--model', at('w.json'), ...more];
      const { status, err } = await gradus('train', 'mart', '--train', at(file), ...options);
      expect([status, err]).toEqual([0, expect.anything()]);
      return modelFromJson(readFileSync(at('w.json'), 'utf8')).scorer;
    };
    const byColumn = await scorer('weights.csv', '--weight-column', 'w');
    expect(byColumn).toEqual(await scorer('plain.csv', '--doc-weights', at('weights.txt')));
    expect(byColumn).not.toEqual(await scorer('plain.csv'));
    expect(await scorer('weights.csv', '--init-score-column', 'w')).toEqual(await scorer('plain.csv', '--init-scores', at('weights.txt')));
    const refused = await gradus('train', 'mart', '--train', at('weights.csv'), '--model', at('w.json'), '--weight-column', 'v');
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('weight column: there is no feature v') });
    save('short.txt', '1\n2\n');
    const short = await gradus('train', 'mart', '--train', at('plain.csv'), '--model', at('w.json'), '--doc-weights', at('short.txt'));
    expect(short.err).toMatch(/short\.txt: expected 40 numbers, one for each data line, found 2/);
    const linear = await gradus('train', 'adarank', '--train', at('plain.csv'), '--model', at('w.json'), '--weight-column', 'w');
    expect(linear.err).toContain('adarank cannot weigh documents; leave --weight-column out');
  });

  it.each([['lambdamart'], ['mart'], ['adarank'], ['linear-regression'], ['ranknet']])(
    '%s: curves of several sets and measures',
    async (learner) => {
      const files = ['--train', at('train.txt'), '--validate', at('vali.txt'), '--watch', at('test.txt')];
      const watching = ['--watch-measures', 'AP P@1', '--metric', 'nDCG@10', '--history', at('curve.csv'), '--model', at('h.json')];
      const few = quick[learner] ?? (learner === 'ranknet' ? ['--epochs', '4'] : []);
      const stop = ['--stop-on', `${at('test.txt')}:AP`];
      const run = await gradus('train', learner, ...files, ...watching, ...few, ...stop, '--json');
      expect([run.status, run.err]).toEqual([0, expect.anything()]);
      const printed = JSON.parse(run.out);
      const { iterations, curves } = printed.history;
      expect(iterations).toHaveLength(printed.iterations);
      const names = curves.map(({ set, measure }: { set: string; measure: string }) => `${set}:${measure}`);
      const own = names[0].startsWith('train:') ? [names[0]] : [];
      const watched = ['validation', at('test.txt')].flatMap((set) => ['nDCG@10', 'AP', 'P@1'].map((measure) => `${set}:${measure}`));
      expect(names).toEqual([...own, ...watched]);
      // the best is the best of what decides, and what the model is worth there is what was seen
      const decisive = curves[names.indexOf(`${at('test.txt')}:AP`)].values as number[];
      expect(printed.best.validation).toBe(Math.max(...decisive));
      expect(decisive.indexOf(printed.best.validation) + 1).toBe(printed.best.iteration);
      const model = modelFromJson(readFileSync(at('h.json'), 'utf8'));
      expect(model.training?.history).toEqual(printed.history);
      const test = parseLetor(readFileSync(at('test.txt'), 'utf8'), { features: 'dense' }).matrix;
      expect(evaluateModel(model, test, [parseMeasure('AP')], {}).aggregate(0)).toBeCloseTo(printed.best.validation, 12);
      const [header, ...rows] = readFileSync(at('curve.csv'), 'utf8').trimEnd().split('\n');
      expect(header.split(',')).toEqual(['iteration', ...names]);
      expect(rows).toHaveLength(iterations.length);
      expect(Number(rows[0].split(',').at(-1))).toBe(curves.at(-1).values[0]);
    },
  );

  it('the training curve of trees is the measure on the training data, and the last point is the model', async () => {
    const files = ['--train', at('train.txt'), '--model', at('h.json'), '--history', at('h-curve.json'), '--trees', '5', '--leaves', '4'];
    const run = await gradus('train', 'lambdamart', ...files, '--row-sample', '0.7', '--json');
    const [curve] = JSON.parse(readFileSync(at('h-curve.json'), 'utf8')).curves;
    expect(curve).toMatchObject({ set: 'train', measure: 'nDCG@10' });
    expect(curve.values.at(-1)).toBeCloseTo(JSON.parse(run.out).values.train['nDCG@10'], 12);
  });

  it('what is not watched cannot decide', async () => {
    const files = ['--train', at('train.txt'), '--validate', at('vali.txt'), '--model', at('h.json')];
    const unknown = await gradus('train', 'lambdamart', ...files, '--stop-on', 'validation:nDCG@1');
    expect(unknown).toMatchObject({ status: 2, err: expect.stringContaining('validation:nDCG@10') });
    const nowhere = await gradus('train', 'lambdamart', '--train', at('train.txt'), '--model', at('h.json'), '--stop-on', 'validation:AP');
    expect(nowhere).toMatchObject({ status: 2, err: expect.stringContaining('there are no data to watch a measure on') });
  });

  it('says it when data are too few for the leaves of a tree', async () => {
    writeFileSync(at('few.txt'), '1 qid:1 1:1\n0 qid:1 1:2\n2 qid:2 1:7\n0 qid:2 1:3\n');
    const { status, err } = await gradus('train', 'lambdamart', '--train', at('few.txt'), '--model', at('few.json'));
    expect(err).toContain(
      'no tree has a split, so that every document gets the same score: a leaf must hold 20 documents; --min-docs allows fewer',
    );
    expect(status).toBe(0);
  });

  it('says it when boosting keeps one feature', async () => {
    // the first feature orders every query, the second none
    writeFileSync(at('one.txt'), '1 qid:1 1:2 2:1\n0 qid:1 1:1 2:2\n1 qid:2 1:5 2:1\n0 qid:2 1:3 2:4\n');
    const { status, err } = await gradus('train', 'adarank', '--train', at('one.txt'), '--rounds', '1', '--model', at('one.json'));
    expect(err).toContain('adarank kept one feature of 2 (1): the model ranks by it alone');
    expect(status).toBe(0);
  });

  it.each(learnerNames)('%s: trains, saves a model that scores as reported, and does better than chance', async (learner) => {
    const model = at(`${learner}.json`);
    const { status, out, err } = await gradus(
      ...['train', learner, '--train', at('train.txt'), '--validate', at('vali.txt'), '--test', at('test.txt')],
      ...['--model', model, '--json', ...(quick[learner] ?? [])],
    );
    expect(err.split('\n')[0]).toContain('feature 4 is the same for every document');
    expect(status).toBe(0);
    const result = JSON.parse(out);
    // a random order of these labels has about 0.65
    expect(result.values.test['nDCG@10']).toBeGreaterThan(0.75);
    expect(result.data.train).toMatchObject({ queries: 40, documents: 320, features: 4 });
    const { training } = modelFromJson(readFileSync(model, 'utf8'));
    expect(training).toMatchObject({ seed: 1, convention: 'gradus', data: expect.stringMatching(/^[0-9a-f]{16}$/) });

    // what it reports is what eval says of the run that it writes
    const run = at(`${learner}.run`);
    expect((await gradus('score', model, at('test.txt'), '-o', run, '--qrels', at('test.qrels'))).status).toBe(0);
    const evaluated = await gradus('eval', at('test.qrels'), run, '-m', 'nDCG@10', '--json');
    expect(JSON.stringify(JSON.parse(evaluated.out))).toContain(String(result.values.test['nDCG@10']));
  });

  it('the same command gives the same bytes, and another seed another model where there is chance in it', async () => {
    const once = async (name: string, seed: string): Promise<string> => {
      const command = ['train', 'coordinate-ascent', '--train', at('train.txt'), '--restarts', '2', '--iterations', '1', '--seed', seed];
      expect((await gradus(...command, '--model', at(name))).status).toBe(0);
      return readFileSync(at(name), 'utf8');
    };
    expect(await once('a.json', '3')).toBe(await once('b.json', '3'));
  });

  it('takes the scale of the features into the model', async () => {
    const scale = ['--normalise', 'zscore', '--model', at('scaled.json'), '--train', at('train.txt')];
    expect((await gradus('train', 'adarank', ...scale, '--rounds', '3')).status).toBe(0);
    const model = modelFromJson(readFileSync(at('scaled.json'), 'utf8'));
    expect(model.normalisation).toMatchObject({ kind: 'global', method: 'zscore' });
    expect((await gradus('score', at('scaled.json'), at('test.txt'), '-f', 'letor')).out.trim().split('\n')).toHaveLength(120);
  });

  it('weighs queries, where the learner can', async () => {
    // the second half of the queries wants the opposite of the first
    const query = (q: number): string => [2, 1, 0].map((label) => `${label} qid:w${q} 1:${q < 10 ? label : 2 - label} 2:1\n`).join('');
    const data = save('weighed.txt', Array.from({ length: 20 }, (_, q) => query(q)).join(''));
    const trained = async (name: string, weight: (q: number) => number): Promise<number> => {
      const weights = save('weights.txt', Array.from({ length: 20 }, (_, q) => `${weight(q)}\n`).join(''));
      const command = [
        'train',
        'lambdamart',
        '--train',
        data,
        '--query-weights',
        weights,
        '--model',
        at(name),
        '--min-docs',
        '1',
        '--trees',
        '3',
      ];
      expect((await gradus(...command)).status).toBe(0);
      const [high, , low] = (await gradus('score', at(name), save('one.txt', query(0)), '-f', 'letor')).out.trim().split('\n').map(Number);
      return high - low;
    };
    expect(await trained('first.json', (q) => (q < 10 ? 1 : 0.1))).toBeGreaterThan(0);
    expect(await trained('second.json', (q) => (q < 10 ? 0.1 : 1))).toBeLessThan(0);
    const refused = await gradus('train', 'ranksvm', '--train', data, '--query-weights', at('weights.txt'), '--model', at('x.json'));
    expect(refused.err).toMatch(/ranksvm cannot weigh queries; leave --query-weights out/);
    const few = await gradus(
      'train',
      'lambdamart',
      '--train',
      at('train.txt'),
      '--query-weights',
      at('weights.txt'),
      '--model',
      at('x.json'),
    );
    expect(few.err).toMatch(/weights\.txt: holds 20 numbers, expected one for each of 40 queries/);
  });

  it('learns from and chooses by all files of --train and --validate', async () => {
    const whole = readFileSync(at('train.txt'), 'utf8').trimEnd().split('\n');
    const cut = whole.findIndex((line, i) => i > whole.length / 3 && line.split(' ')[1] !== whole[i - 1].split(' ')[1]);
    const parts = [save('part-1.txt', `${whole.slice(0, cut).join('\n')}\n`), save('part-2.txt', `${whole.slice(cut).join('\n')}\n`)];
    const run = async (model: string, ...files: string[]) => {
      const done = await gradus('train', 'lambdamart', '--trees', '3', ...files, '--model', at(model), '--json');
      expect(done.err).not.toMatch(/twice/);
      expect(done.status).toBe(0);
      const { learner: _, training, ...rest } = JSON.parse(readFileSync(at(model), 'utf8'));
      return { values: JSON.parse(done.out).values, fingerprint: training.data, rest };
    };
    const both = (option: string): string[] => parts.flatMap((path) => [option, path]);
    expect(await run('parts.json', ...both('--train'), ...both('--validate'))).toEqual(
      await run('whole.json', '--train', at('train.txt'), '--validate', at('train.txt')),
    );
    const clash = await gradus(
      'train',
      'lambdamart',
      '--train',
      parts[0],
      '--train',
      parts[1],
      '--train',
      parts[0],
      '--model',
      at('x.json'),
    );
    expect(clash.status).toBe(2);
    expect(clash.err).toMatch(/part-1\.txt: holds query \S+, which \S+part-1\.txt holds too; give different queries/);
  });

  it('refuses options that say one thing twice', async () => {
    const twice = async (...argv: string[]) =>
      (await gradus('train', 'lambdamart', '--train', at('train.txt'), '--model', at('x.json'), ...argv)).err;
    expect(await twice('--seed', '1', '--seed', '2')).toMatch(/--seed was given twice: 1 and 2; give it once/);
    expect(await twice('--validate-share', '0.5', '--grid', 'trees=1', '--grid', 'trees=2')).toMatch(
      /--grid gives values of trees twice; put them together, as in --grid trees=1,2/,
    );
    expect(await twice('--columns', 'topic=a', '--columns', 'qid=b')).toMatch(/--columns names the topic twice: a and b; name it once/);
  });

  it('takes names of features into the model', async () => {
    const names = save('names.txt', 'bm25\ntitle\nnoise\nconstant\n');
    expect(
      (await gradus('train', 'adarank', '--train', at('train.txt'), '--feature-names', names, '--model', at('named.json'))).status,
    ).toBe(0);
    expect(modelFromJson(readFileSync(at('named.json'), 'utf8')).featureNames).toEqual(['bm25', 'title', 'noise', 'constant']);
    const few = await gradus(
      'train',
      'adarank',
      '--train',
      at('train.txt'),
      '--feature-names',
      save('few.txt', 'a\nb\n'),
      '--model',
      at('x.json'),
    );
    expect(few.err).toMatch(/expected feature ids up to 2, found 4/);
  });

  it('tries every combination of a grid on validation data and keeps the best', async () => {
    const { status, out } = await gradus(
      ...['train', 'lambdamart', '--train', at('train.txt'), '--validate-share', '0.25', '--model', at('grid.json')],
      ...['--trees', '5', '--grid', 'leaves=2,4', '--grid', 'rate=0.05,0.3', '--json'],
    );
    expect(status).toBe(0);
    const { trials, options, values, metric, data } = JSON.parse(out);
    expect(trials.map((trial: { options: { leaves: number; rate: number } }) => [trial.options.leaves, trial.options.rate])).toEqual([
      [2, 0.05],
      [2, 0.3],
      [4, 0.05],
      [4, 0.3],
    ]);
    const best = trials.reduce((sofar: { validation: number }, trial: { validation: number }) =>
      trial.validation > sofar.validation ? trial : sofar,
    );
    expect(options).toEqual(best.options);
    expect(values.validation[metric]).toBe(best.validation);
    expect([data.train.queries, data.validation.queries]).toEqual([30, 10]);
    expect(modelFromJson(readFileSync(at('grid.json'), 'utf8')).training?.options).toMatchObject({
      leaves: best.options.leaves,
      rate: best.options.rate,
    });
  });

  it('draws combinations at random from ranges', async () => {
    const { status, out } = await gradus(
      ...['train', 'adarank', '--train', at('train.txt'), '--validate', at('vali.txt'), '--model', at('random.json')],
      ...['--grid', 'rounds=1..9', '--random', '3', '-f', 'csv'],
    );
    expect(status).toBe(0);
    const [header, ...rows] = out.trim().split('\n');
    expect(header).toBe('rounds,iterations,nDCG@10 on validation,best');
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => row.endsWith('*'))).toHaveLength(1);
  });

  it('prints a table for people', async () => {
    const command = ['train', 'adarank', '--train', at('train.txt'), '--test', at('test.txt'), '--model', at('t.json'), '--rounds', '2'];
    const { out, err } = await gradus(...command, '-m', 'AP P@5', '-f', 'md');
    expect(out).toMatch(
      /^\| data +\| queries \| +AP \| +P@5 \|\n\| -+ \| -+: \| -+: \| -+: \|\n\| train +\| +40 \| 0\.\d{4} \| 0\.\d{4} \|\n\| test /,
    );
    expect(err).toContain(`AdaRank: 2 iterations; saved as ${at('t.json')}`);
  });
});

describe('gradus train is kind', () => {
  it.each([
    [['train'], /LEARNER is missing/],
    [['train', 'adarnak', '--train', 'x', '--model', 'y'], /there is no learner adarnak; did you mean adarank\?/],
    [['train', 'adarank'], /--train FILE is missing.*\n.*--model FILE is missing/],
    [['train', 'adarank', '--train', 'x', '--model', 'y', '--leaves', '5'], /gradus train adarank has no option --leaves/],
    [
      ['train', 'adarank', '--train', 'x', '--model', 'y', '--rounds', 'many'],
      /--rounds of adarank: expected a whole number from 1 to 100000, found many/,
    ],
    [
      ['train', 'rankboost', '--train', 'x', '--model', 'y', '--objective', 'AP'],
      /rankboost minimises a loss of its own and takes no --objective/,
    ],
    [['train', 'adarank', '--train', 'x', '--model', 'y', '--metric', 'AP'], /--metric is watched on validation data, and there is none/],
    [['train', 'adarank', '--train', 'x', '--model', 'y', '--grid', 'rounds=1,2'], /--grid has nothing to choose by/],
    [
      ['train', 'adarank', '--train', 'x', '--model', 'y', '--validate', 'z', '--grid', 'rounds=0'],
      /rounds of adarank: expected a whole number from 1/,
    ],
    [['train', 'adarank', '--train', 'x', '--model', 'y', '--validate', 'z', '--random', '3'], /--random has nothing to draw from/],
    [['train', 'adarank', '--train', 'x', '--model', 'y', '--objective', 'nDCGG@10'], /nDCGG/],
    [['train', 'adarank', '--train', 'x', '--model', 'y', '--objective', 'nDCG@10 AP'], /expected one measure, found 2/],
  ])('%j', async (argv, sentence) => {
    const { status, err } = await gradus(...argv);
    expect(status).toBe(2);
    expect(err).toMatch(sentence);
    expect(err).not.toMatch(/ at .*\.ts/);
  });

  it('a measure whose swaps are not known is refused by LambdaMART, naming those that are', async () => {
    const { status, err } = await gradus('train', 'lambdamart', '--train', at('train.txt'), '--model', at('x.json'), '--objective', 'R@5');
    expect(status).toBe(2);
    expect(err).toMatch(
      /LambdaMART cannot optimise R@5; it can optimise nDCG, DCG, AP, GAP, ERR, RR, P; AdaRank and coordinate ascent take any/,
    );
    expect(
      (
        await gradus(
          'train',
          'ca',
          '--train',
          at('train.txt'),
          '--model',
          at('x.json'),
          '--objective',
          'R@5',
          ...quick['coordinate-ascent'],
        )
      ).status,
    ).toBe(0);
  });

  it('an unwritable model path is found out before anything is read', async () => {
    const { status, err } = await gradus('train', 'adarank', '--train', at('no-such-file.txt'), '--model', at('no-such-folder/m.json'));
    expect(status).toBe(2);
    expect(err).toBe(
      `gradus: ${at('no-such-folder/m.json')}: cannot write: there is no folder ${at('no-such-folder')}; make it first, or name another\n`,
    );
    expect((await gradus('train', 'adarank', '--train', at('train.txt'), '--model', folder)).err).toMatch(
      /cannot write: it is a directory/,
    );
  });

  it('a validation set with other features', async () => {
    const other = save('other.txt', '1 qid:z 1:1 7:2\n0 qid:z 1:2 7:1\n');
    const { status, err } = await gradus('train', 'adarank', '--train', at('train.txt'), '--validate', other, '--model', at('x.json'));
    expect(status).toBe(2);
    expect(err).toMatch(/the validation data has features up to 7, the training data up to 4; check that the files have the same features/);
  });

  it('labels that are all equal teach nothing', async () => {
    const equal = save('equal.txt', '1 qid:a 1:1\n1 qid:a 1:2\n0 qid:b 1:2\n');
    for (const learner of ['adarank', 'lambdamart']) {
      const { status, err } = await gradus('train', learner, '--train', equal, '--model', at('equal.json'));
      expect(status).toBe(2);
      expect(err).toMatch(/1 query \(a\) whose documents all have the same label/);
      expect(err).toMatch(/1 query \(b\) of one document/);
      expect(err).toMatch(/teach/);
      expect(existsSync(at('equal.json'))).toBe(false);
    }
  });

  it('labels from 31 on with exponential gain: said, and trained; without a finite gain: refused', async () => {
    const steep = save('steep.txt', '40 qid:a 1:1\n1 qid:a 1:2\n0 qid:a 1:0\n');
    const said = await gradus('train', 'adarank', '--train', steep, '--model', at('steep.json'), '--objective', "nDCG(gain='exp')@10");
    expect(said.status).toBe(0);
    expect(said.err).toMatch(/a label of 40 gains 2\^40 - 1, beside which lower labels count for next to nothing; gain='linear' takes/);
    const endless = save('endless.txt', '2000 qid:a 1:1\n1 qid:a 1:2\n');
    const refused = await gradus('train', 'adarank', '--train', endless, '--model', at('y.json'), '--objective', "nDCG(gain='exp')@10");
    expect(refused.err).toMatch(/label 2000 has no finite gain/);
    const err = await gradus('train', 'adarank', '--train', steep, '--model', at('y.json'), '--objective', 'ERR@10');
    expect(err.err).toMatch(/grade 40 is above the top of the scale, which is 4; name the highest grade/);
  });

  it('NaN is refused with its line, unless missing values are allowed', async () => {
    const text = letorText(5, 12).replace(/2:\S+/, '2:nan');
    const path = save('nan.txt', text);
    const refused = await gradus('train', 'lambdamart', '--train', path, '--model', at('nan.json'));
    expect(refused.status).toBe(2);
    expect(refused.err).toMatch(/nan\.txt:1: expected a number as feature 2, found "nan"/);
    const allowed = await gradus(
      'train',
      'lambdamart',
      '--train',
      path,
      '--model',
      at('nan.json'),
      '--missing',
      'nan',
      ...quick.lambdamart,
    );
    expect(allowed.status).toBe(0);
    expect(modelFromJson(readFileSync(at('nan.json'), 'utf8')).missing).toBeNaN();
  });

  it('reads CSV with names, blanks as missing values, and scores by name whatever the order of the columns', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({
      q: `q${Math.floor(i / 5)}`,
      label: i % 3,
      good: (i % 3) + i / 100,
      bad: (i * 7) % 11,
    }));
    const csv = save(
      'train.csv',
      `qid,label,good,bad\n${rows.map(({ q, label, good, bad }) => `${q},${label},${good},${bad === 3 ? '' : bad}`).join('\n')}\n`,
    );
    const flipped = save(
      'flipped.csv',
      `bad,good,qid\n${rows.map(({ q, good, bad }) => `${bad === 3 ? '' : bad},${good},${q}`).join('\n')}\n`,
    );
    const trained = await gradus(
      'train',
      'lambdamart',
      '--train',
      csv,
      '--model',
      at('csv.json'),
      '--trees',
      '5',
      '--leaves',
      '3',
      '--min-docs',
      '1',
    );
    expect(trained.status).toBe(0);
    expect(modelFromJson(readFileSync(at('csv.json'), 'utf8')).featureNames).toEqual(['good', 'bad']);
    const straight = await gradus('score', at('csv.json'), csv, '-f', 'letor');
    expect((await gradus('score', at('csv.json'), flipped, '-f', 'letor')).out).toBe(straight.out);
    expect((await gradus('score', at('csv.json'), flipped, '-f', 'letor', '--qrels', at('q'))).err).toMatch(
      /expected columns for topic and label/,
    );
  });
});

describe('gradus score', () => {
  it('refuses what is no model, and a model that has nothing in common with the data', async () => {
    expect((await gradus('score', at('train.txt'), at('test.txt'))).err).toMatch(/train\.txt: /);
    const { err } = await gradus('score', at('adarank.json'), save('far.csv', 'qid,x\nq,1\n'), '-f', 'letor', '--name', 'x');
    expect(err).toMatch(/--name has no meaning for --format letor/);
  });
});

describe('gradus cv', () => {
  it('tests every query once, and its predictions are worth what it says', async () => {
    const { status, out } = await gradus(
      ...['cv', 'adarank', '--train', at('train.txt'), '--folds', '4', '--shuffle', '--rounds', '3', '--json'],
      ...['--predictions', at('cv.pred'), '--models', folder, '--quiet'],
    );
    expect(status).toBe(0);
    const { folds, mean, allQueries } = JSON.parse(out);
    expect(folds.map(({ queries }: { queries: number }) => queries)).toEqual([10, 10, 10, 10]);
    const sum = folds.reduce((total: number, fold: { values: Record<string, number> }) => total + fold.values['nDCG@10'], 0);
    expect(mean['nDCG@10']).toBeCloseTo(sum / 4, 14);
    expect(allQueries['nDCG@10']).toBeCloseTo(sum / 4, 12);
    expect(readFileSync(at('cv.pred'), 'utf8').trim().split('\n')).toHaveLength(320);
    for (const fold of [1, 2, 3, 4]) expect(modelFromJson(readFileSync(at(`fold-${fold}.json`), 'utf8')).learner).toBe('adarank');
  });

  it('takes folds as LETOR hands them out', async () => {
    for (const fold of ['Fold1', 'Fold2']) {
      mkdirSync(at(fold));
      save(`${fold}/train.txt`, letorText(11, 20));
      save(`${fold}/vali.txt`, letorText(12, 8));
      save(`${fold}/test.txt`, letorText(fold === 'Fold1' ? 13 : 14, 8));
    }
    const { status, out } = await gradus(
      'cv',
      'adarank',
      '--fold',
      at('Fold1'),
      '--fold',
      at('Fold2'),
      '--metric',
      'AP',
      '--quiet',
      '-f',
      'csv',
    );
    expect(status).toBe(0);
    expect(out.split('\n')[0]).toBe('fold,queries,nDCG@10,AP');
    expect(out).toMatch(/\nmean of folds,,0\.\d+,0\.\d+\nstandard deviation,,0\.\d+,0\.\d+\nall queries,16,/);
    // sqrt of the squares around the mean, over the number of folds less one
    const numbers = (name: RegExp): number[] => [...out.matchAll(name)].map(([, value]) => Number(value));
    const [mean, deviation, values] = [/^mean of folds,,([\d.]+),/gm, /^standard deviation,,([\d.e-]+),/gm, /Fold\d,\d+,([\d.]+),/gm].map(
      numbers,
    );
    const squares = values.map((value) => (value - mean[0]) ** 2);
    expect(deviation[0]).toBeCloseTo(Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (values.length - 1)), 12);
  });

  it.each([
    [['cv', 'adarank'], /neither --train FILE nor --fold DIR was given/],
    [['cv', 'adarank', '--train', 'x', '--fold', 'y'], /--train and --fold both say what the data is/],
    [['cv', 'adarank', '--fold', 'y', '--folds', '3'], /--folds goes with --train, not with --fold/],
  ])('%j', async (argv, sentence) => {
    const { status, err } = await gradus(...argv);
    expect([status, sentence.test(err)]).toEqual([2, true]);
  });

  it('more folds than queries', async () => {
    expect((await gradus('cv', 'adarank', '--train', at('train.txt'), '--folds', '50')).err).toMatch(
      /40 queries cannot be cut into 50 folds/,
    );
  });
});

it('every learner has a command with its own options and those of no other', async () => {
  const learners = await loadAllLearners();
  const commands = await loadAllCommands();
  const ofLearners = new Set(learners.flatMap(({ options }) => Object.keys(options).map(optionName)));
  for (const { name, options } of learners) {
    const own = Object.keys(options).map(optionName);
    for (const group of ['train', 'cv']) {
      const longs = commands.find((command) => command.name === `${group} ${name}`)?.options.map(({ long }) => long) ?? [];
      expect(longs.filter((long) => ofLearners.has(long))).toEqual(own);
    }
  }
});

it('gradus train lambdamart --help shows the options of lambdamart, by whatever name it goes', async () => {
  const { out } = await gradus('train', 'LambdaMART', '--help');
  expect(out).toContain('gradus train lambdamart [options]');
  for (const option of ['--leaves', '--train', '--objective']) expect(out).toContain(`${option} `);
  for (const option of ['--restarts', '--rounds', '--hidden']) expect(out).not.toContain(`${option} `);
});
