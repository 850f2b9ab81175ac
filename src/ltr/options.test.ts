import { describe, expect, it } from 'vitest';
import { InputError } from '../core/problem.js';
import { checkOptions } from './options.js';
import type { LearnerOption } from './ranker.js';

const options: Readonly<Record<string, LearnerOption>> = {
  trees: { type: 'integer', default: 100, min: 1, max: 1000, help: 'how many' },
  rate: { type: 'number', default: 0.1, min: 0, help: 'how fast' },
  keep: { type: 'boolean', default: false, help: 'whether' },
  mode: { type: 'choice', default: 'plain', choices: ['plain', 'dart'], help: 'which' },
  layers: { type: 'numbers', default: [10], min: 1, help: 'how wide' },
};
const learner = { name: 'test', options };

describe('checkOptions(learner, given)', () => {
  it('fills in defaults', () => {
    expect(checkOptions(learner)).toEqual({ trees: 100, rate: 0.1, keep: false, mode: 'plain', layers: [10] });
  });

  it('takes values, and texts as a command line has them', () => {
    const asValues = checkOptions(learner, { trees: 5, rate: 0.5, keep: true, mode: 'dart', layers: [3, 4] });
    const asTexts = checkOptions(learner, { trees: '5', rate: '0.5', keep: '', mode: 'dart', layers: '3,4' });
    expect(asTexts).toEqual(asValues);
    expect(asValues).toEqual({ trees: 5, rate: 0.5, keep: true, mode: 'dart', layers: [3, 4] });
  });

  it('tells everything that is wrong at once', () => {
    const given = { tree: 5, trees: 2000, rate: 'fast', keep: 'maybe', mode: 'drat', layers: '3,x', momentum: 1 };
    let found: unknown;
    try {
      checkOptions(learner, given);
    } catch (error) {
      found = error;
    }
    expect((found as InputError).message.split('\n')).toEqual([
      'test has no option tree; did you mean trees? it has trees, rate, keep, mode, layers',
      'trees of test: expected a whole number from 1 to 1000, found 2000',
      'rate of test: expected a number from 0, found fast',
      'keep of test: expected true or false, found maybe',
      'mode of test: expected one of plain, dart, found drat; did you mean dart?',
      'layers of test: expected numbers from 1, separated by commas, found 3,x',
      'test has no option momentum; it has trees, rate, keep, mode, layers',
    ]);
    expect(found).toBeInstanceOf(InputError);
  });

  it.each([
    ['trees', 2.5],
    ['trees', Number.NaN],
    ['rate', Number.POSITIVE_INFINITY],
    ['rate', ''],
    ['rate', [1]],
    ['layers', [0]],
    ['mode', 3],
  ])('refuses %s %s', (name, value) => {
    expect(() => checkOptions(learner, { [name]: value })).toThrow(InputError);
  });
});
