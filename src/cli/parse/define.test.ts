import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.js';
import type { ArgumentsOf, ChoiceOption, ListOption, NumberOption, Switch } from './command.js';
import { defineCommand, defineOptions } from './define.js';

const shared: readonly [NumberOption<'threads'>, Switch<'lenient'>] = [
  { long: 'threads', value: 'N', type: 'integer', min: 1, help: '' },
  { long: 'lenient', help: '' },
];
const numThreads = (args: ArgumentsOf<typeof shared>): number => args.number('threads') ?? 1;

const options = defineOptions([
  { long: 'objective', value: 'MEASURE', help: '', check: (value) => void value.trim() },
  { long: 'ties', value: 'ORDER', choices: ['docno', 'file'], help: '' },
  { long: 'measure', value: 'MEASURE', repeatable: true, help: '' },
  { long: 'rel', value: 'GRADE', type: 'number', help: '' },
  { long: 'json', help: '' },
  ...shared,
]);
const texts = { name: 'try', summary: '', description: '', examples: [], arguments: [] };
const run = (): Promise<number> => Promise.resolve(0);

describe('the arguments of a command', () => {
  test('have the types that its options declare', async () => {
    const seen: unknown[] = [];
    const command = defineCommand({
      ...texts,
      options,
      run(args) {
        const objective: string | undefined = args.value('objective');
        const ties: 'docno' | 'file' | undefined = args.value('ties');
        const measures: readonly string[] = args.values('measure');
        const rel: number | undefined = args.number('rel');
        seen.push(objective, ties, measures, rel, args.has('json'), args.has('quiet'), numThreads(args));
        return Promise.resolve(0);
      },
    });
    const argv = ['--objective', 'AP', '--ties=file', '--measure=P', '--measure=RR', '--rel=2', '--json', '--threads=3'];
    await command.run(parseArguments(command, argv), { stdout: never, stderr: never, environment: {} });
    expect(seen).toEqual(['AP', 'file', ['P', 'RR'], 2, true, false, 3]);
  });

  test('do not compile where an option is not declared, or is of another kind', () => {
    const ask = (args: ArgumentsOf<typeof options>): unknown[] => [
      // @ts-expect-error a name that is not declared
      args.value('objectiv'),
      // @ts-expect-error a name that is not declared
      args.has('jsno'),
      // @ts-expect-error a switch has no value
      args.value('json'),
      // @ts-expect-error it can be given once
      args.values('ties'),
      // @ts-expect-error it may be given several times
      args.value('measure'),
      // @ts-expect-error it is no number
      args.number('objective'),
      // @ts-expect-error it is a number
      args.value('rel'),
      // @ts-expect-error no such choice
      args.value('ties') === 'rank',
    ];
    const command = defineCommand({ ...texts, options, run: (args) => Promise.resolve(ask(args).length) });
    expect(ask(parseArguments(command, []) as ArgumentsOf<typeof options>)).toHaveLength(8);
  });

  test('cannot be handed to a reader of options that the command does not have', () => {
    const few = defineOptions([{ long: 'json', help: '' }]);
    const command = defineCommand({
      ...texts,
      options: few,
      run: (args) =>
        // @ts-expect-error the command has no --threads
        Promise.resolve(numThreads(args)),
    });
    expect(command.options).toBe(few);
  });

  test('of a group are as complete as its type says', () => {
    // @ts-expect-error --beta is missing
    const group: readonly [Switch<'alpha'>, ListOption<'beta'>] = [{ long: 'alpha', help: '' }];
    // @ts-expect-error the name is another
    const choice: ChoiceOption<'ties', 'a'> = { long: 'tie', value: 'T', choices: ['a'], help: '' };
    expect([group.length, choice.long]).toEqual([1, 'tie']);
  });
});

describe('defineCommand(declaration)', () => {
  test.each([
    [
      [
        { long: 'depth', value: 'N', help: 'one' },
        { long: 'depth', value: 'N', help: 'other' },
      ],
      'gradus try declares --depth twice: one; and other',
    ],
    [
      [
        { long: 'depth', short: 'd', help: 'one' },
        { long: 'digits', short: 'd', help: 'other' },
      ],
      'gradus try declares -d twice: one; and other',
    ],
    [[{ long: 'help', help: 'one' }], 'gradus try declares --help twice: one; and show this help'],
  ])('refuses %j', (twice, message) => {
    expect(() => defineCommand({ ...texts, options: twice, run })).toThrow(message);
  });
});

const never = {
  write: (): never => {
    throw new Error('nothing is printed here');
  },
  isTerminal: false,
  columns: 80,
};
