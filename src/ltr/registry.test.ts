import { describe, expect, it } from 'vitest';
import { checkOptions } from './options.js';
import { findLearner, learnerEntries, loadLearner } from './registry.js';

describe('the list of learners', () => {
  it.each(learnerEntries.map((entry) => [entry.name, entry] as const))('says of %s what its record says', async (_, entry) => {
    const { name, aliases, ranklib, weighsQueries, weighsDocuments, options, title, help } = await entry.load();
    const { load, usesThreads, ...said } = entry;
    expect({ ranklib: undefined, weighsQueries: undefined, weighsDocuments: undefined, ...said }).toEqual({
      name,
      aliases,
      ranklib,
      weighsQueries,
      weighsDocuments,
    });
    expect(title).not.toBe('');
    expect(help).toMatch(/\.$/);
    // defaults are values that the options themselves accept
    expect(checkOptions({ name, options }, Object.fromEntries(Object.entries(options).map(([key, spec]) => [key, spec.default])))).toEqual(
      checkOptions({ name, options }),
    );
  });

  it('has no name and no number of RankLib twice', () => {
    const names = learnerEntries.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    const numbers = learnerEntries.flatMap(({ ranklib }) => (ranklib === undefined ? [] : [ranklib]));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('is found in any spelling', async () => {
    expect((await loadLearner('Coordinate Ascent')).name).toBe('coordinate-ascent');
    expect(findLearner('AdaRank').name).toBe('adarank');
    expect(() => findLearner('adarnak')).toThrow(/there is no learner adarnak; did you mean adarank\?/);
    expect(() => findLearner('data/train.txt')).toThrow(
      'expected a learner, found the file data/train.txt; name the learner first and the file behind --train: lambdamart --train data/train.txt',
    );
  });
});
