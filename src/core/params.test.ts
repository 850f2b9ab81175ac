import { describe, expect, test } from 'vitest';
import { type ParamSpec, paramProblem, readParam, unknownParam } from './params.js';
import { problemText } from './problem.js';

const specs: Readonly<Record<string, ParamSpec>> = {
  whole: { type: 'integer', min: 1, max: 9 },
  share: { type: 'number', min: 0, max: 1, exclusive: true },
  level: { type: 'number', choices: ['data'] },
  way: { type: 'choice', choices: ['plain', 'dart'] },
  flag: { type: 'boolean' },
  list: { type: 'numbers', min: 0 },
  gains: { type: 'gains' },
  title: { type: 'text' },
};

describe('paramProblem(where, spec, value)', () => {
  test.each([
    ['whole', 9],
    ['share', 0.5],
    ['level', -3.5],
    ['level', 'data'],
    ['way', 'dart'],
    ['flag', false],
    ['list', [0, 2]],
    ['list', []],
    ['gains', [[1, 3]]],
    ['title', ''],
  ])('accepts %s %j', (name, value) => {
    expect(paramProblem('it', specs[name], value)).toBeUndefined();
  });

  test.each([
    ['whole', 10, '--it: expected a whole number from 1 to 9, found 10'],
    ['whole', 1.5, '--it: expected a whole number from 1 to 9, found 1.5'],
    ['whole', '5', "--it: expected a whole number from 1 to 9, found '5'"],
    ['whole', '', '--it: expected a whole number from 1 to 9, found nothing'],
    ['share', 1, '--it: expected a number between 0 and 1, both excluded, found 1'],
    ['share', Number.NaN, '--it: expected a number between 0 and 1, both excluded, found NaN'],
    ['level', 'date', '--it: expected a number, or data, found date; did you mean data?'],
    ['way', 'drat', '--it: expected one of plain, dart, found drat; did you mean dart?'],
    ['way', 3, '--it: expected one of plain, dart, found 3'],
    ['flag', 'maybe', '--it: expected true or false, found maybe'],
    ['list', [1, -1], '--it: expected numbers from 0, separated by commas, found [1,-1]'],
    ['gains', [], '--it: expected a table of grades and gains, such as {1:1,2:3}, found []'],
    ['title', 5, '--it: expected a text, found 5'],
  ])('refuses %s %j', (name, value, message) => {
    const problem = paramProblem('--it', specs[name], value);
    expect(problem && problemText(problem)).toBe(message);
  });
});

test.each([
  ['whole', '1e3', 1000],
  ['whole', '+3', 3],
  ['whole', '0x10', '0x10'],
  ['whole', '', ''],
  ['share', '.5', 0.5],
  ['share', 'Infinity', 'Infinity'],
  ['level', 'data', 'data'],
  ['flag', '', true],
  ['flag', 'false', false],
  ['flag', 'no', 'no'],
  ['list', '3, 4.5', [3, 4.5]],
  ['list', '', []],
  ['list', '3,x', '3,x'],
  ['way', '1', '1'],
])('readParam(%s, %j)', (name, text, value) => {
  expect(readParam(specs[name], text)).toEqual(value);
});

test('unknownParam(owner, noun, name, names)', () => {
  expect(problemText(unknownParam('mart', 'option', 'tree', ['trees', 'rate']))).toBe(
    'mart has no option tree; did you mean trees? it has trees, rate',
  );
  expect(problemText(unknownParam('isr', 'parameter', 'k', []))).toBe('isr has no parameter k; it has none');
});
