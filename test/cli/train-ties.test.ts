import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { seededRandom } from '../../src/core/numbers/random.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { learnerNames } from '../../src/ltr/registry.js';
import { CapturedContext } from '../helpers/captured-context.js';

let folder = '';
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-train-ties-'));
  writeFileSync(at('train.txt'), tiedText(1, 30));
  writeFileSync(at('named.txt'), tiedText(2, 25));
  writeFileSync(at('nameless.txt'), tiedText(2, 25).replace(/ # docid = \S+/g, ''));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three features of three values each: most documents share their features with others. The ids are in no order, and the labels
 *  rise towards the end of a query, so that the order of the file and that of the ids give different values. */
function tiedText(seed: number, numQueries: number): string {
  const random = seededRandom(seed);
  const lines: string[] = [];
  for (let q = 1; q <= numQueries; q++) {
    for (let d = 0; d < 12; d++) {
      const label = Math.floor((3 * d) / 12);
      const cells = [1, 2, 3].map((f) => `${f}:${Math.min(2, random.below(3) + (random.below(3) === 0 && label > 0 ? 1 : 0))}`);
      lines.push(`${label} qid:${q} ${cells.join(' ')} # docid = D${random.below(100_000)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

async function gradus(...argv: string[]): Promise<string> {
  const context = new CapturedContext();
  const alone = argv[0] === 'train' ? ['--threads', '1'] : [];
  expect(await main([...argv, ...alone], context), context.stderr.text).toBe(0);
  return context.stdout.text;
}

async function evaluated(rules: readonly string[], judgements: string, run: string): Promise<number> {
  const [{ all }] = JSON.parse(await gradus('eval', judgements, run, '-m', 'nDCG@5', '--json', ...rules)).runs;
  return Object.values<number>(all)[0];
}

/** Few steps, and such as leave many ties. */
const quick: Readonly<Record<string, readonly string[]>> = {
  adarank: ['--rounds', '10'],
  'coordinate-ascent': ['--restarts', '2', '--iterations', '2'],
  lambdamart: ['--trees', '6', '--leaves', '3'],
  mart: ['--trees', '6', '--leaves', '3'],
  'random-forest': ['--trees', '5', '--leaves', '3'],
  rankboost: ['--rounds', '5'],
};
const conventions = ['gradus', 'letor4', 'lightgbm', 'sklearn', 'catboost', 'ir_measures'];

describe('the value of a validation file', () => {
  it.each(learnerNames.flatMap((learner) => ['named.txt', 'nameless.txt'].map((file) => [learner, file] as const)))(
    '%s on %s: is the same while choosing, in the report, of predictions and of a run',
    async (learner, file) => {
      const [model, predictions, run, qrels] = ['model.json', 'predictions.txt', 'model.run', 'model.qrels'].map((name) =>
        at(`${learner}-${file}-${name}`),
      );
      const rules = learner === 'lambdamart' || learner === 'coordinate-ascent' ? conventions : ['gradus', 'letor4'];
      for (const convention of rules) {
        const measure = learner === 'lambdamart' ? ['--objective', 'nDCG@5'] : ['--metric', 'nDCG@5', '-m', 'nDCG@5'];
        const { best, values } = JSON.parse(
          await gradus(
            ...['train', learner, '--train', at('train.txt'), '--validate', at(file), '--model', model, '--json'],
            ...['--convention', convention, ...measure, ...(quick[learner] ?? [])],
          ),
        );
        const reported = Object.values<number>(values.validation)[0];
        // a forest chooses nothing
        if (learner !== 'random-forest') expect(best.validation, convention).toBe(reported);
        await gradus('score', model, at(file), '--format', 'letor', '-o', predictions);
        await gradus('score', model, at(file), '-o', run, '--qrels', qrels);
        expect(await evaluated(['--convention', convention], at(file), predictions), convention).toBe(reported);
        expect(await evaluated(['--convention', convention], qrels, run), convention).toBe(reported);
        expect(modelFromJson(readFileSync(model, 'utf8')).training?.ties).toBeDefined();
        if (convention === 'gradus') expect(await evaluated(['--ties', 'rank'], qrels, run)).toBe(reported);
      }
    },
  );

  it('cv: is that of the predictions it writes', async () => {
    const predictions = at('cv-predictions.txt');
    const { allQueries } = JSON.parse(
      await gradus(
        ...['cv', 'adarank', '--train', at('named.txt'), '--folds', '3', '--validate-share', '0.3', '--rounds', '5', '--json'],
        ...['--threads', '1', '-m', 'nDCG@5', '--predictions', predictions],
      ),
    );
    // the folds are added up one after the other there, and here all queries in one go
    expect(await evaluated([], at('named.txt'), predictions)).toBeCloseTo(Object.values<number>(allQueries)[0], 12);
  });
});
