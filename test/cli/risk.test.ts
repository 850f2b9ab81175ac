import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { letorText } from '../helpers/feature-data.js';
import { gradus } from '../helpers/in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-risk-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('gradus risk', () => {
  writeFileSync(at('scores.csv'), 'topic,old,new\n1,0.4,0.5\n2,0.4,0.7\n3,0.3,0.2\n');

  test('by hand: two gains and a loss that counts three times', async () => {
    const { out, status } = await gradus('risk', '--scores', at('scores.csv'), '-m', 'AP', '--alpha', '2', '--json');
    expect(status).toBe(0);
    const [{ baseline, systems }] = JSON.parse(out).results;
    expect(baseline).toBe('old');
    expect(systems[1]).toMatchObject({ system: 'new', wins: 2, losses: 1, worst: { topic: '3' } });
    expect(systems[1].uRisk).toBeCloseTo(1 / 30, 12);
    expect(systems[0]).toMatchObject({ uRisk: 0, tRisk: null, worst: null });
    const table = await gradus('risk', '--scores', at('scores.csv'), '-m', 'AP', '--alpha', '2');
    expect(table.out).toContain('Against old; losses count 3 times (alpha 2)');
  });

  test('names the systems that there are', async () => {
    const { err, status } = await gradus('risk', '--scores', at('scores.csv'), '-m', 'AP', '--baseline', 'od');
    expect(err).toContain('there is no system od to hold the others against');
    expect(err).toContain('it can be old, new');
    expect(status).toBe(2);
  });
});

describe('gradus train --baseline', () => {
  writeFileSync(at('train.txt'), letorText(1, 40));
  const train = (model: string, ...words: string[]) =>
    gradus(
      'train',
      'lambdamart',
      '--train',
      at('train.txt'),
      '--trees',
      '5',
      '--leaves',
      '4',
      '--threads',
      '1',
      '--quiet',
      '--model',
      at(model),
      ...words,
    );

  test('takes scores and the run made of them alike, and alpha 0 changes nothing', async () => {
    await train('first.json');
    await gradus('score', at('first.json'), at('train.txt'), '--format', 'letor', '-o', at('first.scores'));
    await gradus('score', at('first.json'), at('train.txt'), '-o', at('first.run'));
    const same = await train('same.json', '--baseline', at('first.scores'), '--alpha', '0');
    expect(same).toMatchObject({ status: 0, err: '' });
    const scorer = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).scorer;
    const leaves = (name: string): readonly number[] => scorer(name).value;
    leaves('same.json').forEach((value, i) => {
      expect(value).toBeCloseTo(leaves('first.json')[i], 9);
    });
    await train('careful.json', '--baseline', at('first.scores'), '--alpha', '20');
    await train('careful-run.json', '--baseline', at('first.run'), '--alpha', '20');
    expect(scorer('careful.json')).not.toEqual(scorer('first.json'));
    expect(scorer('careful-run.json')).toEqual(scorer('careful.json'));
  });

  test('trains for TRisk, GeoRisk and under constraints', async () => {
    await train('first.json');
    await gradus('score', at('first.json'), at('train.txt'), '-o', at('first.run'));
    const models: string[] = [];
    for (const words of [
      ['--risk-measure', 'urisk'],
      ['--risk-measure', 'trisk'],
      ['--risk-measure', 'georisk'],
      ['--keep', 'ERR AP'],
    ]) {
      expect(await train('r.json', '--baseline', at('first.run'), ...words)).toMatchObject({ status: 0, err: '' });
      models.push(JSON.stringify(JSON.parse(readFileSync(at('r.json'), 'utf8')).scorer));
    }
    expect(new Set(models).size).toBe(4);
    expect((await train('no.json', '--keep', 'ERR')).err).toContain('--keep has no meaning without --baseline');
    const both = await train('no.json', '--keep', 'ERR', '--alpha', '2', '--baseline', at('first.run'));
    expect(both.err).toContain('both say what is made of the baseline');
    const words = ['--train', at('train.txt'), '--model', at('no.json'), '--baseline', at('first.run'), '--risk-measure', 'trisk'];
    expect((await gradus('train', 'coordinate-ascent', ...words)).err).toContain('coordinate-ascent has no --risk-measure');
  });

  test('refuses learners without use for it, alpha alone, and files of another kind', async () => {
    const refused = await gradus('train', 'ranknet', '--train', at('train.txt'), '--model', at('no.json'), '--baseline', at('train.txt'));
    expect(refused.err).toContain('ranknet cannot be trained against a baseline');
    expect((await train('no.json', '--alpha', '2')).err).toContain('--alpha has no meaning without --baseline');
    const wrong = await train('no.json', '--baseline', at('train.txt'));
    expect(wrong.err).toContain('expected a run or scores of the training documents, found features');
    expect(wrong.status).toBe(2);
  });
});
