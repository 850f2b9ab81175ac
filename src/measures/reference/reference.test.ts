import { describe, expect, it } from 'vitest';
import { exampleData, workedValue } from '../../../test/helpers/measure-examples.js';
import { preferences } from '../../core/judging/judge-preferences.js';
import { evaluate } from '../evaluate.js';
import { paramsOf } from '../measure.js';
import { parseMeasure } from '../parse.js';
import { allMeasures } from '../registry.js';
import { docOf, measureDocs, parameterHelp } from './index.js';

describe('workedValue(text)', () => {
  it.each<[string, number]>([
    ['1 - 2 - 3', -4],
    ['2 + 3 * 4', 14],
    ['8 / 2 / 2', 2],
    ['2 ** 3 ** 2', 512],
    ['2 ** -1', 0.5],
    ['-(1 + 1) * 3', -6],
    ['log2(8) + ln(1)', 3],
  ])('%s', (text, value) => {
    expect(workedValue(text)).toBe(value);
  });

  it.each(['', '1 +', '(1', '1 2', 'x', 'log2 8', '1..2'])('refuses %j', (text) => {
    expect(() => workedValue(text)).toThrow('cannot work out');
  });
});

describe.each(allMeasures.map((def) => [def.name, def] as const))('the reference of %s', (name, def) => {
  const doc = docOf(def);

  it('says what it is, and what each of its parameters means', () => {
    expect(Object.hasOwn(measureDocs, name)).toBe(true);
    expect(doc.title).not.toBe('');
    expect(doc.help).not.toBe('');
    for (const param of Object.keys(paramsOf(def))) expect([param, parameterHelp(def, param)]).not.toEqual([param, '']);
    for (const param of Object.keys(doc.params ?? {})) expect(Object.keys(def.params)).toContain(param);
    for (const { doi } of doc.cite ?? []) if (doi !== undefined) expect(doi).toMatch(/^10\.\d{4,}\/\S+$/);
  });

  it('has an example, of itself', () => {
    expect(doc.examples.map(({ measure }) => parseMeasure(measure).def.name)).toContain(name);
  });

  it.each(doc.examples)('$measure of $run is $worked', (example) => {
    const { qrels, run, options } = exampleData(example);
    const value = evaluate(preferences(qrels), run, example.measure, options);
    const worked = workedValue(example.worked);
    expect(Math.abs(value - worked)).toBeLessThan(1e-12);
    // what is printed
    expect(Math.abs(worked - example.value)).toBeLessThan(0.500001e-4);
  });
});

it('describes no measure that is not there', () => {
  expect(Object.keys(measureDocs).sort()).toEqual(allMeasures.map((def) => def.name).sort());
});
