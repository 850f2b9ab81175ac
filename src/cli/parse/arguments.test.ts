import { describe, expect, test } from 'vitest';
import { InputError } from '../../core/index.js';
import { parseArguments } from './arguments.js';
import type { ArgumentsOf, Command } from './command.js';
import { defineCommand, defineOptions } from './define.js';

const options = defineOptions([
  { long: 'per-topic', short: 'q', help: '' },
  { long: 'no-summary', short: 'n', help: '' },
  { long: 'measure', short: 'm', value: 'MEASURE', repeatable: true, help: '' },
  { long: 'digits', short: 'p', value: 'N', type: 'integer', min: 0, max: 100, help: '' },
  { long: 'rel', short: 'l', value: 'GRADE', type: 'number', help: '' },
  { long: 'format', short: 'f', value: 'FORM', choices: ['table', 'csv'], help: '' },
]);

const command: Command = defineCommand({
  name: 'try',
  summary: '',
  description: '',
  examples: [],
  arguments: [
    { name: 'FIRST', help: '' },
    { name: 'REST', help: '', optional: true, repeatable: true },
  ],
  options,
  run: () => Promise.resolve(0),
});

const parse = (...argv: string[]): ArgumentsOf<typeof options> => parseArguments(command, argv) as ArgumentsOf<typeof options>;

function problems(...argv: string[]): string[] {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('parseArguments(command, argv)', () => {
  test('reads options and files in any order', () => {
    const args = parse('a', '-q', 'b', '--digits', '3', 'c');
    expect(args.positionals).toEqual(['a', 'b', 'c']);
    expect(args.has('per-topic')).toBe(true);
    expect(args.has('no-summary')).toBe(false);
    expect(args.number('digits')).toBe(3);
  });

  test.each([
    [['-qnp4', 'a']],
    [['-q', '-n', '-p', '4', 'a']],
    [['-nqp', '4', 'a']],
    [['--per-topic', '--no-summary', '--digits=4', 'a']],
    [['a', '--digits', '4', '-nq']],
  ])('understands %j alike', (argv) => {
    const args = parse(...argv);
    expect([args.has('per-topic'), args.has('no-summary'), args.number('digits'), args.positionals]).toEqual([true, true, 4, ['a']]);
  });

  test('keeps every value of a repeatable option', () => {
    expect(parse('-m', 'AP', '--measure=P@5', '-mRR', 'a').values('measure')).toEqual(['AP', 'P@5', 'RR']);
  });

  test.each([
    [['-p1', '-p2', 'a'], '-p was given twice: 1 and 2; give it once'],
    [['-p', '1', '--digits=2', 'a'], '-p and --digits are the same option, which was given twice: 1 and 2; give it once'],
    [['--digits', '1', 'a', '--digits', '1'], '--digits was given twice; give it once'],
    [['--digits=', '--digits=1', 'a'], '--digits was given twice: nothing and 1; give it once'],
    [['-q', 'a', '--per-topic'], '-q and --per-topic are the same option, which was given twice; give it once'],
    [['-qq', 'a'], '-q was given twice; give it once'],
    [['--quiet', '--quiet', 'a'], '--quiet was given twice; give it once'],
  ])('refuses %j, of which it could use only half', (argv, message) => {
    expect(problems(...argv)).toContain(message);
  });

  test('takes negative numbers and a lone dash as values, and everything after -- as files', () => {
    const args = parse('-l', '-1', '-', '--', '-q', '--digits');
    expect(args.number('rel')).toBe(-1);
    expect(args.positionals).toEqual(['-', '-q', '--digits']);
    expect(args.has('per-topic')).toBe(false);
  });

  test('keeps an equals sign inside a value', () => {
    expect(parse('--measure=P(rel=2)@5', 'a').values('measure')).toEqual(['P(rel=2)@5']);
  });

  test('refuses abbreviated names and says what was probably meant', () => {
    expect(problems('--per', 'a')[0]).toBe('gradus try has no option --per; did you mean --per-topic?');
    expect(problems('--digist', '4', 'a')[0]).toBe('gradus try has no option --digist; did you mean --digits?');
    expect(problems('-x', 'a')[0]).toBe('gradus try has no option -x');
  });

  test('reports everything that is wrong at once, and where help is', () => {
    expect(problems('-f', 'cvs', '--digits=x', '--rel=', '-qz', '--per-topic=yes')).toEqual([
      '-f: expected one of table, csv, found cvs; did you mean csv?',
      '--digits: expected a whole number from 0 to 100, found x',
      '--rel: expected a number, found nothing',
      'gradus try has no option -z in -qz',
      '--per-topic takes no value, found yes',
      'FIRST is missing',
      'gradus try --help shows how it is used',
    ]);
  });

  test.each([['--digits'], ['-p']])('misses the value of %s when another option follows', (spelling) => {
    expect(problems('a', spelling, '--per-topic')[0]).toBe(`${spelling} needs a value; write ${spelling} N`);
    expect(problems('a', spelling)[0]).toBe(`${spelling} needs a value; write ${spelling} N`);
  });

  test('shows help whatever else is wrong', () => {
    expect(parse('--digits=x', '--help').has('help')).toBe(true);
  });

  test('is not confused by names of Object.prototype', () => {
    expect(problems('--__proto__', '--constructor=1', 'a')).toHaveLength(3);
    expect(parse('__proto__', 'constructor').positionals).toEqual(['__proto__', 'constructor']);
  });

  test('passes on everything after the first file of a command that stands in for another', () => {
    const as: Command = { ...command, passThrough: true };
    expect(parseArguments(as, ['-q', 'tool', '-q', '--what', '--', 'x']).positionals).toEqual(['tool', '-q', '--what', '--', 'x']);
  });

  test('refuses more files than the command takes', () => {
    const single: Command = { ...command, arguments: [{ name: 'ONE', help: '', choices: ['bash', 'zsh'] }] };
    expect(() => parseArguments(single, ['bash', 'b', 'c'])).toThrow('unexpected arguments b c');
    expect(() => parseArguments(single, ['bsh'])).toThrow('ONE: expected one of bash, zsh, found bsh; did you mean bash?');
  });

  test('a value that an option does not take is complained about once', () => {
    const checked: Command = { ...command, check: () => [{ message: 'the check saw it' }] };
    expect(() => parseArguments(checked, ['--digits', 'x', 'a'])).toThrow(
      /^--digits: expected a whole number from 0 to 100, found x\ngradus try --help shows how it is used$/,
    );
    expect(() => parseArguments(checked, ['--digits', '1', 'a'])).toThrow('the check saw it');
  });

  test('the word behind an unknown option may be its value, and is not complained about', () => {
    const single: Command = { ...command, arguments: [{ name: 'ONE', help: '', choices: ['bash', 'zsh'] }] };
    const complaints = (...argv: string[]): string[] => {
      try {
        parseArguments(single, argv);
        return [];
      } catch (error) {
        return (error as InputError).problems.slice(0, -1).map(({ message, wayOut }) => [message, wayOut].join('; '));
      }
    };
    const unknown = 'gradus try has no option --foo; ';
    expect(complaints('--foo', 'bar', 'bash')).toEqual([unknown]);
    expect(complaints('bash', '--foo', 'bar')).toEqual([unknown]);
    expect(complaints('--foo', 'bash')).toEqual([unknown]);
    expect(complaints('-x', 'bar', 'bash')).toEqual(['gradus try has no option -x; ']);
    // wrong either way
    expect(complaints('--foo=bar', 'bash', 'b')).toEqual([unknown, 'unexpected argument b; ']);
    expect(complaints('--foo')).toEqual([unknown, 'ONE is missing; ']);
    expect(complaints('--digits-after-the-point', '4', 'bash')).toEqual([
      'gradus try has no option --digits-after-the-point; did you mean --digits?',
    ]);
  });
});
