import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../src/ltr/index.js';
import { gradus, testFolder } from '../helpers/in-process.js';

const { at, save } = testFolder('train-data');
const texts = save(
  'texts.csv',
  'qid,doc,label,title,bm25,age\n1,a,2,red shoe,3.5,1\n1,b,0,blue shoe,1.5,7\n1,c,1,boot,2.5,3\n2,d,0,hat,0.5,2\n2,e,3,cap,2.2,9\n',
);
const numbers = save('numbers.csv', readFileSync(texts, 'utf8').replaceAll(/^([^,]*,[^,]*,[^,]*),[^,]*,/gm, '$1,'));
const records = save(
  'texts.jsonl',
  '{"qid":"1","doc":"a","label":2,"title":"red shoe","bm25":3.5,"age":1}\n{"qid":"1","doc":"b","label":0,"features":{"title":"boot","bm25":1.5,"age":7}}\n',
);
const zero = save('zero.txt', '1 qid:1 0:0.5 1:2\n0 qid:1 0:0.1 1:1\n2 qid:2 0:0.9 1:3\n0 qid:2 0:0.2 1:1\n');

describe('data as people have it', () => {
  test('texts that are left out in training are left out for good: the model knows its features', async () => {
    const refused = await gradus('train', 'linear-regression', '--train', texts, '--model', at('m.json'));
    expect([refused.status, refused.err.split('\n')[0]]).toEqual([
      2,
      `gradus: ${texts}:2: expected a number as title, found "red shoe"; --ignore title leaves the column out`,
    ]);
    const { status } = await gradus(
      'train',
      'linear-regression',
      '--train',
      texts,
      '--ignore',
      'title',
      '--model',
      at('m.json'),
      '--quiet',
    );
    expect(status).toBe(0);
    const scored = await gradus('score', at('m.json'), texts, '--quiet');
    expect([scored.status, scored.out]).toEqual([0, (await gradus('score', at('m.json'), numbers, '--quiet')).out]);
    expect(scored.out.trim().split('\n')).toHaveLength(5);
    expect(await gradus('score', at('m.json'), records, '--quiet')).toMatchObject({ status: 0 });
    expect(await gradus('model', 'explain', at('m.json'), texts, '--query', '1', '--quiet')).toMatchObject({ status: 0 });
  });

  test('a table that lacks a feature of the model is still refused', async () => {
    await gradus('train', 'linear-regression', '--train', numbers, '--model', at('n.json'), '--quiet');
    const { err } = await gradus('score', at('n.json'), save('less.csv', 'qid,label,title,bm25\n1,1,x,2\n1,0,y,1\n'));
    expect(err).toContain('the data has no feature age, which the model was trained on; name the columns as in the training data');
  });

  test('features are counted from 0 where the option says so, and the model remembers it', async () => {
    const refused = await gradus('train', 'linear-regression', '--train', zero, '--model', at('z.json'));
    expect(refused.err.split('\n')[0]).toBe(
      `gradus: ${zero}:1: expected feature ids from 1 on, found "0:0.5"; number the features from 1 (in scikit-learn: zero_based=False), or have gradus train and score count from 0: --first-feature 0`,
    );
    const train = ['train', 'linear-regression', '--train', zero, '--first-feature', '0', '--model', at('z.json'), '--quiet'];
    expect(await gradus(...train)).toMatchObject({ status: 0 });
    const { firstFeature, numFeatures } = readModel(readFileSync(at('z.json'), 'utf8'));
    expect([firstFeature, numFeatures]).toEqual([0, 2]);
    // the same data, counted from 1
    const one = save('one.txt', readFileSync(zero, 'utf8').replaceAll(' 1:', ' 2:').replaceAll(' 0:', ' 1:'));
    await gradus('train', 'linear-regression', '--train', one, '--model', at('o.json'), '--quiet');
    const scored = await gradus('score', at('z.json'), zero, '--format', 'letor', '--quiet');
    expect([scored.status, scored.out]).toEqual([0, (await gradus('score', at('o.json'), one, '--format', 'letor', '--quiet')).out]);
    const again = await gradus('score', at('z.json'), zero, '--first-feature', '0', '--format', 'letor', '--quiet');
    expect(again.out).toBe(scored.out);
    expect(await gradus('cv', 'linear-regression', '--train', zero, '--first-feature', '0', '--folds', '2', '--quiet')).toMatchObject({
      status: 0,
    });
  });

  test('labels below 0, fractions and labels that are too steep get a note', async () => {
    const file = save('labels.txt', '-1 qid:1 1:0.5\n0.5 qid:1 1:0.1\n70 qid:1 1:0.9\n0 qid:2 1:0.2\n1 qid:2 1:0.3\n');
    const train = ['train', 'lambdamart', '--train', file, '--min-docs', '1', '--trees', '2', '--model', at('l.json')];
    const { err } = await gradus(...train, '--objective', "nDCG(gain='exp')@10");
    expect(err).toContain(`${file}: 1 label is below 0, the lowest -1; measures count them as 0\n`);
    expect(err).toContain(`${file}: 1 label is no whole number; each gains 2^label - 1 as it is, while LightGBM refuses them\n`);
    expect(err).toContain(`${file}: a label of 70 gains 2^70 - 1`);
    const linear = await gradus(...train);
    expect([linear.err.includes('below 0'), linear.err.includes('whole number')]).toEqual([true, false]);
  });
});
