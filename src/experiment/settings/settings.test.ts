import { describe, expect, test } from 'vitest';
import { paramProblem } from '../../core/params.js';
import * as experiment from '../index.js';
import { type Setting, settingHelp, specOf } from './setting.js';

const groups = Object.entries(experiment).filter(([name]) => name.endsWith('Settings')) as [string, Readonly<Record<string, Setting>>][];
const settings = groups.flatMap(([group, records]) =>
  Object.entries(records).map(([name, setting]) => ({ name: `${group}.${name}`, setting })),
);

describe('settings', () => {
  test('are found at all', () => {
    expect(groups.length).toBeGreaterThan(10);
    expect(settings.length).toBeGreaterThan(50);
  });

  test.each(settings)('$name has a default that it accepts, and explains all its words or none', ({ setting }) => {
    const { default: value, choices = [], choiceTexts, help } = setting;
    if (value !== undefined) expect(paramProblem('the default', specOf(setting), value)).toBeUndefined();
    if (choiceTexts !== undefined) expect(choices.filter((word) => word !== 'none' && !Object.hasOwn(choiceTexts, word))).toEqual([]);
    expect(help).not.toMatch(/default|if not given/);
  });
});

describe('settingHelp(setting)', () => {
  test.each<[Setting, string]>([
    [{ help: 'also print the values of each topic' }, 'also print the values of each topic'],
    [{ value: 'N', type: 'integer', default: 4, help: 'number of decimals' }, 'number of decimals (default: 4)'],
    [
      {
        value: 'WHICH',
        choices: ['t', 'bootstrap'],
        choiceTexts: { t: "Student's t" },
        default: 't',
        help: 'how confidence intervals are computed',
      },
      "how confidence intervals are computed: t (Student's t), bootstrap (default: t)",
    ],
    [
      { value: 'FORM', choices: ['csv', 'md'], repeatable: true, defaultText: 'a table', help: 'what is written; csv is long' },
      'what is written: csv, md; csv is long; may be given several times (default: a table)',
    ],
    [{ value: 'N', type: 'numbers', default: [], help: 'directions' }, 'directions (default: none)'],
    [{ value: 'N', type: 'numbers', default: [10, 5], help: 'layers' }, 'layers (default: 10, 5)'],
    [{ type: 'boolean', default: false, help: 'a switch' }, 'a switch'],
  ])('%j', (setting, text) => {
    expect(settingHelp(setting)).toBe(text);
  });
});
