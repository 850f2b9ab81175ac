import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { parseLetor } from '../../formats/letor/reader.js';
import { parseMeasure } from '../../measures/parse.js';
import { evaluateModel } from '../evaluate-model.js';
import { readModel } from '../models/read-model.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { chosenLength, scoresByTree } from './chosen-length.js';
import { firstTrees } from './joined-trees.js';

const ndcg = parseMeasure('nDCG@5');
const model = readModel(readFileSync('test/golden/ltr-models/xgboost-dart.json', 'utf8'));

function documents(seed: number) {
  const random = seededRandom(seed);
  const lines = Array.from({ length: 60 }, (_, row) => {
    const cells = Array.from({ length: model.numFeatures }, (__, c) => `${c + 1}:${(random.float() * 4 - 2).toFixed(3)}`);
    return `${random.below(4)} qid:${1 + Math.floor(row / 12)} ${cells.join(' ')}\n`;
  });
  return parseLetor(lines.join('')).matrix;
}

function shortened(count: number): Model {
  if (model.scorer.kind !== 'trees') throw new Error('expected trees');
  return { ...model, scorer: firstTrees(model.scorer, count) };
}

test('scores after each tree are those of a model that ends there, in every bit', () => {
  const data = documents(3);
  let count = 0;
  for (const scores of scoresByTree(model, data)) {
    count++;
    expect(Array.from(scores)).toEqual(Array.from(scoreMatrix(shortened(count), data)));
  }
  expect(count).toBeGreaterThan(2);
});

test('the model is cut where no other length is better', () => {
  for (const seed of [1, 2, 3, 4]) {
    const data = documents(seed);
    const { values, best, model: cut } = chosenLength(model, data, ndcg, {});
    const byHand = values.map((_, i) => evaluateModel(shortened(i + 1), data, [ndcg], {}).aggregate(0));
    expect(values).toEqual(byHand);
    expect(new Set(values).size).toBeGreaterThan(1);
    expect(best).toEqual({ iteration: byHand.indexOf(Math.max(...byHand)) + 1, validation: Math.max(...byHand) });
    expect(evaluateModel(cut, data, [ndcg], {}).aggregate(0)).toBe(best.validation);
  }
});
