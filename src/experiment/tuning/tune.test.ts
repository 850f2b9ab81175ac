import { describe, expect, test } from 'vitest';
import { letorText } from '../../../test/helpers/feature-data.js';
import { bytesSource } from '../../formats/source.js';
import { foldsOf } from '../../ltr/folds.js';
import { learnerNames } from '../../ltr/registry.js';
import { parseMeasure } from '../../measures/parse.js';
import type { Platform } from '../platform.js';
import { promoted, sharesOf } from './halving.js';
import { candidatesOf } from './search-space.js';
import { type TuneRequest, tune } from './tune.js';
import { verdictOn } from './verdict.js';

const platform: Platform = {
  source: () => {
    throw new Error('no files here');
  },
  version: '0',
};
const sourceOf = (text: string) => bytesSource(new TextEncoder().encode(text), 'train.txt');
const quick: TuneRequest = {
  learners: ['linear-regression', 'lambdamart'],
  grid: ['lambdamart:trees=3,6', 'lambdamart:leaves=2,4,8', 'lambdamart:minDocs=2,10', 'linear-regression:l2=0.1,10'],
  budget: 9,
  folds: 3,
  inner: 2,
  threads: 1,
};

/** What a search says, without the time that it took. */
async function answerOf(text: string, more: Partial<TuneRequest> = {}) {
  const tuned = await tune({ ...quick, train: [sourceOf(text)], ...more }, platform);
  if (tuned === undefined) throw new Error('ended before its time');
  return { ...tuned, verdict: { ...tuned.verdict, rankers: tuned.verdict.rankers.map((ranker) => ({ ...ranker, seconds: 0 })) } };
}

/** The text with other labels on the lines of some queries. */
function relabelled(text: string, queries: ReadonlySet<number>): string {
  return text.replace(/^(\d)( qid:q(\d+) )/gm, (line, label, rest, query) =>
    queries.has(Number(query) - 1) ? `${(Number(label) + 1) % 3}${rest}` : line,
  );
}

describe('a nested search', () => {
  const text = letorText(7, 36, { docs: 6 });

  test('does not see the fold that it is tested on: with other labels there the choices are the same', async () => {
    const before = await answerOf(text);
    const [{ test: tested, train }] = foldsOf(36, 3, 1);
    const after = await answerOf(relabelled(text, new Set(tested)));
    expect(after.rankers.map(({ choices }) => choices[0])).toEqual(before.rankers.map(({ choices }) => choices[0]));
    expect(after.procedure.choices[0]).toEqual(before.procedure.choices[0]);
    expect(after.verdict).not.toEqual(before.verdict);
    // other labels where it chooses do change what it sees
    const seen = await answerOf(relabelled(text, new Set(train)));
    expect(seen.rankers.map(({ choices }) => choices[0])).not.toEqual(before.rankers.map(({ choices }) => choices[0]));
  });

  test('goes on from what is known, and comes to the same answer', async () => {
    const whole = await answerOf(text);
    const states: string[] = [];
    const controller = new AbortController();
    const onState = async (state: string): Promise<void> => {
      states.push(state);
      if (states.length === 5) controller.abort();
    };
    const ended = await tune({ ...quick, train: [sourceOf(text)], onState, signal: controller.signal }, platform);
    expect(ended).toBeUndefined();
    const known = states[states.length - 1];
    const again: string[] = [];
    const state = bytesSource(new TextEncoder().encode(known), 'state.json');
    const resumed = await answerOf(text, { state, onState: async (more) => void again.push(more) });
    expect(resumed).toEqual(whole);
    // nothing that was known is trained again
    const trained = (text: string): string[] => Object.keys(JSON.parse(text).trials);
    expect(trained(again[0]).slice(0, trained(known).length)).toEqual(trained(known));
    expect(again.length).toBeLessThan(await countOfStates(text));
  });

  async function countOfStates(data: string): Promise<number> {
    let count = 0;
    await answerOf(data, { onState: async () => void count++ });
    return count;
  }

  test.each(['{', 'null', '[]', '{"search":"other","trials":{}}'])('refuses the state %s', async (known) => {
    const state = bytesSource(new TextEncoder().encode(known), 'state.json');
    await expect(answerOf(text, { state })).rejects.toThrow(/the state is/);
  });

  test.each([
    ['one query', letorText(1, 1), 'found 1 query, expected at least 4'],
    ['fewer queries than folds', letorText(1, 2), 'found 2 queries, expected at least 4'],
    ['constant labels', text.replaceAll(/^\d/gm, '1'), 'no query has documents with different labels'],
  ])('%s gets a sentence', async (_, data, message) => {
    await expect(answerOf(data)).rejects.toThrow(message);
  });

  test('a loss of LambdaMART is no measure for all', async () => {
    await expect(answerOf(text, { objective: 'yetirank' })).rejects.toThrow('yetirank is a loss of LambdaMART');
  });
});

describe('what is tried', () => {
  test('begins with the defaults of each learner, in turn; the usual options are options of the learner', async () => {
    const candidates = await candidatesOf({ learners: learnerNames, budget: 60 });
    expect(candidates).toHaveLength(60);
    expect(candidates.slice(0, learnerNames.length)).toEqual(learnerNames.map((learner) => ({ learner, options: {} })));
  });

  test('options that are given are for every learner that has them, in the place of the usual ones', async () => {
    const candidates = await candidatesOf({
      learners: ['mart', 'ranksvm'],
      grid: ['min-docs=3'],
      budget: 9,
      spelling: (name) => name.replace('D', '-d'),
    });
    const own = candidates.filter(({ learner }) => learner === 'mart').map(({ options }) => options);
    expect(own).toEqual([{}, { minDocs: 3 }]);
  });

  test.each([
    [{ grid: ['nothing=1'] }, 'there is no option nothing to search over'],
    [{ grid: ['mart:trees=1'] }, 'mart is not among the learners'],
    [{ grid: ['trees=1', 'trees=2'] }, 'gives values of trees twice'],
    [{ grid: ['trees'] }, 'expected an option and its values'],
    [{ learners: ['lambdamart', 'mart'], budget: 1 }, 'a budget of 1 is less than one trial'],
    [{ learners: ['mat'] }, 'there is no learner mat'],
  ])('%j is refused', async (request, message) => {
    await expect(candidatesOf({ learners: ['lambdamart'], ...request })).rejects.toThrow(message);
  });
});

describe('successive halving', () => {
  test('begins with few queries where there are many candidates and many queries', () => {
    expect(sharesOf(27, 1000)).toEqual([1 / 9, 1 / 3, 1]);
    expect(sharesOf(27, 50)).toEqual([1 / 3, 1]);
    expect(sharesOf(3, 1000)).toEqual([1]);
  });

  test('keeps the best third, and of each learner the best', () => {
    const candidates = ['a', 'a', 'a', 'a', 'b', 'b'].map((learner) => ({ learner, options: {} }));
    const scores = new Map([0.1, 0.9, 0.8, 0.9, 0.2, 0.3].map((score, c) => [c, score]));
    expect(promoted(scores, candidates)).toEqual([1, 3, 5]);
  });
});

test('the verdict: the highest mean, paired t tests against it, Holm, and what is simpler', () => {
  const one = (values: number[], size: number) => ({
    values,
    mean: values.reduce((sum, v) => sum + v, 0) / values.length,
    size,
    seconds: 1,
  });
  const rows = {
    best: [0.5, 0.6, 0.9, 0.4, 0.8, 0.7],
    near: [0.6, 0.5, 0.8, 0.5, 0.7, 0.65],
    far: [0.3, 0.35, 0.7, 0.2, 0.55, 0.5],
  };
  const folds = (name: keyof typeof rows, size: number) => ({
    name,
    folds: [one(rows[name].slice(0, 4), size), one(rows[name].slice(4), size)],
  });
  const verdict = verdictOn(parseMeasure('nDCG@10'), [folds('far', 3), folds('near', 9), folds('best', 20)], 1);
  expect(verdict.rankers.map(({ name }) => name)).toEqual(['best', 'near', 'far']);
  const [, near, far] = verdict.rankers;
  // scipy.stats.ttest_rel, then twice the smaller p-value
  expect(near.against?.pValue).toBeCloseTo(0.5623122704704915, 10);
  expect(far.against?.pValue).toBeCloseTo(5.044130404048751e-6, 12);
  expect(far.against?.correctedPValue).toBeCloseTo(2 * 5.044130404048751e-6, 12);
  expect([near.against?.toldApart, far.against?.toldApart]).toEqual([false, true]);
  expect(verdict.simpler).toEqual(['near']);
  expect(verdict.luck).toBeGreaterThan(0);
});
