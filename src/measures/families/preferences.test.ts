import { describe, expect, it } from 'vitest';
import { preferences as takenAsPreferences } from '../../core/judging/judge-preferences.js';
import type { Qrels } from '../../core/qrels.js';
import { evaluate } from '../evaluate.js';

/** Lines of `group document grade`. */
function preferences(text: string): Qrels {
  const lines = text.trim().split(/\s*\n\s*/);
  return takenAsPreferences(
    lines.map((line) => {
      const [iteration, doc, grade] = line.split(' ');
      return { topic: 't', iteration, doc, grade: Number(grade) };
    }),
  );
}

// the first judge prefers a to b and both to c; the second prefers c to a. The ranking has c, then a; b is missing.
const twoJudges = `
  one a 2
  one b 1
  one c 0
  two c 1
  two a 0`;
const ranking = { t: { c: 2, a: 1 } };

describe('preference measures on two judges', () => {
  it.each<[measure: string, value: number, why: string]>([
    ['PrefsPossible', 4, 'a>b a>c b>c and c>a'],
    ['PrefsFulfilled', 2, 'a>b, because b is missing, and c>a'],
    ['PrefsFulfilledRet', 1, 'c>a'],
    ['PrefsSimp', 2 / 4, 'of all'],
    ['PrefsSimpRet', 1 / 2, 'of a>c and c>a'],
    ['PrefsSimpImp', 2 / 4, 'every preference has a retrieved document'],
    ['PrefsAvg', (1 / 3 + 1 / 1) / 2, 'a third of the first, all of the second'],
    ['PrefsAvgRet', (0 / 1 + 1 / 1) / 2, 'a>c is not fulfilled, c>a is'],
    ['PrefsAvgImp', (1 / 3 + 1 / 1) / 2, 'as all'],
    ['PrefsPair', (1 / 2 + 1 + 0) / 3, 'c before a: one of two; a before b: agreed; c before b: nobody'],
    ['PrefsPairRet', 1 / 2, 'c before a'],
    ['PrefsPairImp', (1 / 2 + 1 + 0) / 3, 'as all'],
    // first: a, b relevant, c not, so one surplus: (1 + 1 * 1) / (3 + 2 * 1); second: one against one: 1 / 1
    ['PrefsAvgRNonRel', (2 / 5 + 1) / 2, 'one surplus relevant document'],
    // first: a and c are retrieved, no surplus: 0 / 1; second: 1 / 1
    ['PrefsAvgRNonRelRet', (0 / 1 + 1) / 2, 'no surplus among the retrieved'],
  ])('%s is %d: %s', (measure, value) => {
    expect(evaluate(preferences(twoJudges), ranking, measure)).toBeCloseTo(value, 15);
  });
});

describe('PrefsAvgRNonRel', () => {
  it('keeps as many non-relevant documents as there are relevant ones, and compares these with themselves', () => {
    // one relevant, two not: the first not-relevant one, b, is kept; pairs a>b, b>b, c>b; only a>b is fulfilled
    expect(evaluate(preferences('g a 1\n g b 0\n g c 0'), { t: { a: 3, b: 2, c: 1 } }, 'PrefsAvgRNonRel')).toBeCloseTo(1 / 3, 15);
  });

  it('is 0 as soon as one group has no relevant document', () => {
    expect(evaluate(preferences('g a 1\n g b 0\n h c 0'), { t: { a: 3, b: 2, c: 1 } }, 'PrefsAvgRNonRel')).toBe(0);
  });
});

describe('plain judgements', () => {
  it('are refused with the way to take them as preferences', () => {
    expect(() => evaluate({ t: { a: 1, b: 0 } }, { t: { a: 2, b: 1 } }, 'PrefsSimp')).toThrow(
      'PrefsSimp is computed from preferences, and these are plain judgements; give preferences(judgements) instead',
    );
    expect(evaluate(takenAsPreferences({ t: { a: 1, b: 0 } }), { t: { a: 2, b: 1 } }, 'PrefsSimp')).toBe(1);
  });
});
