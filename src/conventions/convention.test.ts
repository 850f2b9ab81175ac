import { describe, expect, test } from 'vitest';
import { makeMeasure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import { applyConvention, plainRules } from './convention.js';
import { conventions, findConvention } from './registry.js';

const texts = ['nDCG@10', 'nDCG', 'DCG@5', 'MeanNDCG', 'AP', 'AP@10', 'P@5', 'RR', 'RR@10', 'ERR@10', 'IPrec@0.1', 'NumRet', 'RBP'];

describe('applyConvention', () => {
  test('the plain rules change nothing', () => {
    for (const text of texts) expect(applyConvention(parseMeasure(text), plainRules).text).toBe(parseMeasure(text).text);
  });

  test.each(conventions.map(({ name, rules }) => [name, rules] as const))(
    '%s gives parameters that the measures accept',
    (_name, rules) => {
      for (const text of texts) {
        const applied = applyConvention(parseMeasure(text), rules);
        expect(makeMeasure(applied.def, applied.params).text).toBe(applied.text);
        expect(parseMeasure(applied.text).text).toBe(applied.text);
      }
    },
  );

  test.each([
    ['yahoo', 'nDCG@10', "nDCG(gain='exp',ideal='list',discount='ln',empty=1)@10"],
    ['mslr', 'P@5', 'P(rel=2)@5'],
    ['letor3', 'P@5', "P(short='zero')@5"],
    ['ranklib', 'RR@10', "RR(rel='>0',precision='float32')@10"],
    ['lightgbm', 'AP@10', "AP(denominator='list-min',empty=1)@10"],
    ['trec_eval@10.0', 'IPrec@0.1', "IPrec(rounding='nearest')@0.1"],
    // how ERR and RBP use grades is their own affair
    ['lightgbm', 'ERR@10', 'ERR@10'],
    ['mslr', 'NumRet', 'NumRet'],
  ])('%s: %s is %s', (name, text, expected) => {
    expect(applyConvention(parseMeasure(text), findConvention(name).rules).text).toBe(expected);
  });

  test('what a text spells out stays', () => {
    const { rules } = findConvention('yahoo');
    expect(applyConvention(parseMeasure("nDCG(discount='rank',empty=0.5)@10"), rules).text).toBe(
      "nDCG(gain='exp',ideal='list',discount='rank',empty=0.5)@10",
    );
    expect(applyConvention(parseMeasure('P(rel=3)@5'), findConvention('mslr').rules).text).toBe('P(rel=3)@5');
  });

  test('names and aliases are unique', () => {
    const names = conventions.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});
