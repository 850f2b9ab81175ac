import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { main } from '../../../src/cli/main.js';
import { type GivenArguments, parseArguments, universalOptions } from '../../../src/cli/parse/arguments.js';
import type { Command } from '../../../src/cli/parse/command.js';
import { conventionNames } from '../../../src/conventions/registry.js';
import { parseScoreFile } from '../../../src/formats/read.js';
import { loadAllCommands } from '../../helpers/all-commands.js';
import { CapturedContext } from '../../helpers/captured-context.js';
import type { Dice } from '../../helpers/dice.js';
import { letorLines, qrelsText, runText, scoreText } from '../generate.js';
import { awkwardTexts, bytesOf, numberTexts } from '../mutate.js';
import { agree, outcomeOf, SOURCE, shapeOfOutcome } from '../outcome.js';
import { argumentsOfPart, argumentsPart, joinParts, partsOf } from '../parts.js';
import { shapeOf } from '../shape.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const commands: readonly Command[] = await loadAllCommands();
/** Those that end by themselves, and do not hand everything on to something else. */
const runnable = commands.filter(({ name }) => !['serve', 'worker', 'as', 'help', 'completion'].includes(name));

function findCommand(name: string): Command {
  return commands.find((command) => command.name === name) ?? commands[0];
}

/** Everything that was given, in another spelling. */
function respelled(command: Command, args: GivenArguments): string[] {
  const options = [...command.options, ...universalOptions].flatMap(({ long, value }) =>
    (args.given.get(long) ?? []).map((given) => (value === undefined ? `--${long}` : `--${long}=${given}`)),
  );
  return [...options, '--', ...args.positionals];
}

function plain(command: Command, args: GivenArguments): unknown {
  return [args.positionals, [...command.options, ...universalOptions].map(({ long }) => args.given.get(long))];
}

/** The parser of every command: a refusal in words, or arguments that mean the same in another spelling. */
function checkParser(input: Uint8Array): string {
  const [name = '', ...argv] = argumentsOfPart(input);
  const command = findCommand(name);
  const parsed = outcomeOf(() => parseArguments(command, argv), null);
  if (parsed.value !== undefined && !parsed.value.has('help') && !command.passThrough) {
    const spelling = respelled(command, parsed.value);
    const again = outcomeOf(() => plain(command, parseArguments(command, spelling)), null);
    if (again.value === undefined)
      throw new Disagreement('arguments in another spelling are refused', `${JSON.stringify(spelling)}: ${again.refused}`);
    agree('arguments in another spelling', plain(command, parsed.value), again.value);
  }
  return `${command.name} ${shapeOfOutcome(parsed)}`;
}

const fileNames = ['a.run', 'b.run', 'c.qrels', 'd.letor', 'e.scores'] as const;

/** Arguments that would leave this folder, start a cluster or a thousand threads are made harmless. */
function harmless(argv: readonly string[]): string[] {
  return argv.map((argument, i) => {
    if (/spark/i.test(argument) || /^--(master|conf|open)/.test(argument)) return 'x';
    if (argv[i - 1] === '--threads' || /^--threads=/.test(argument)) return argument.replace(/\d{2,}/, '2');
    if (
      /^(--)?(resamples|iterations|trees|repeats|random|epochs|max|topics|runs|pool|units|layers|hidden|leaves|bags|bins|restarts)\b/.test(
        argv[i - 1]?.replace(/^--/, '') ?? '',
      )
    )
      return argument.replace(/\d{3,}|\d+e\d+/g, '20');
    return argument.replaceAll('/', '_').replace(/^\.+$/, 'x');
  });
}

/** Whole commands over small files: the same twice, a status of 0, 1 or 2, and words that a person can read. */
async function checkCommand(input: Uint8Array): Promise<string> {
  const [argumentBytes, ...files] = partsOf(input, 1 + fileNames.length);
  const argv = harmless(argumentsOfPart(argumentBytes));
  if (!runnable.some(({ name }) => name.split(' ')[0] === argv[0])) return 'no command';
  const first = await runInFolder(argv, files);
  const { status, out, err } = first;
  if (![0, 1, 2].includes(status)) throw new Disagreement(`status ${status}: ${err.split('\n')[0]}`, `${argv.join(' ')}\n${err}`);
  if (status === 2 && !/^(gradus: |\{"error":)/.test(err)) throw new Disagreement('status 2 without a word', argv.join(' '));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(err))
    throw new Disagreement('a control character on standard error', JSON.stringify(err));
  if (status === 0 && argv.includes('--json') && !argv.some((word) => /^(-o|--output|-h|--help)/.test(word))) {
    try {
      JSON.parse(out);
    } catch (error) {
      throw new Disagreement(`--json prints what is no JSON: ${argv[0]}`, `${argv.join(' ')}\n${error}\n${out}`);
    }
  }
  agree('a command, run twice', first, await runInFolder(argv, files));
  return shapeOf(`${argv[0]} ${status} ${err.slice(0, 300)}`);
}

async function runInFolder(argv: readonly string[], files: readonly Uint8Array[]): Promise<{ status: number; out: string; err: string }> {
  const home = process.cwd();
  rmSync('world', { recursive: true, force: true });
  mkdirSync('world');
  process.chdir('world');
  try {
    for (const [i, name] of fileNames.entries()) writeFileSync(name, files[i]);
    const context = new CapturedContext({ environment: { GRADUS_DEBUG: '1' } });
    const status = await main(argv, context);
    return { status, out: context.stdout.text, err: context.stderr.text };
  } finally {
    process.chdir(home);
  }
}

/** The values of each topic as JSON, and again from what every other form that can be read says. */
async function checkForms(input: Uint8Array): Promise<string> {
  const [qrels, a, b] = partsOf(input, 3);
  const files = [a, b, qrels, new Uint8Array(0), new Uint8Array(0)];
  const ask = async (form: string): Promise<{ status: number; out: string; err: string }> =>
    await runInFolder(
      ['eval', 'c.qrels', 'a.run', 'b.run', '--name', 'a', '--name', 'b', '-q', '-p', '15', '-m', 'AP', '-m', 'nDCG@3', '--format', form],
      files,
    );
  const json = await ask('json');
  if (json.status !== 0) return shapeOf(`${json.status} ${json.err.slice(0, 300)}`);
  const table = parseScoreFile(json.out, { source: SOURCE });
  for (const form of ['csv', 'tsv', 'jsonl', 'trec', 'md', 'latex', 'table']) {
    const { status, out, err } = await ask(form);
    if (status !== 0) throw new Disagreement(`eval --format ${form} ends with ${status}, and json with 0`, err);
    if (form !== 'csv' && form !== 'tsv') continue;
    const again = outcomeOf(() => parseScoreFile(out, { source: SOURCE }));
    if (again.value === undefined) throw new Disagreement(`eval --format ${form}: what was printed is refused`, `${again.refused}\n${out}`);
    agree(`eval --format ${form}: topics`, [...table.topics].sort(), [...again.value.topics].sort());
    for (const system of table.systems) {
      for (const topic of table.topics) {
        for (const measure of table.measures) {
          const difference = Math.abs(table.value(topic, measure, system) - again.value.value(topic, measure, system));
          if (!(difference < 1e-14) && !Number.isNaN(table.value(topic, measure, system)))
            throw new Disagreement(`eval --format ${form}: values`, `${topic} ${measure}`);
        }
      }
    }
  }
  return shapeOf(json.err.slice(0, 300));
}

function optionWords(dice: Dice, command: Command): string[] {
  const options = [...command.options, ...universalOptions];
  return Array.from({ length: dice.below(5) }, () => {
    const { long, short, value, choices, type, min = 0 } = dice.pick(options);
    const spelling = short !== undefined && dice.chance(0.4) ? `-${short}` : `--${long}`;
    if (value === undefined) return [spelling];
    const given =
      choices !== undefined && dice.chance(0.9)
        ? dice.pick(choices)
        : type === 'integer' && dice.chance(0.8)
          ? String(min + dice.below(4))
          : valueWord(dice, long);
    return spelling.startsWith('--') && dice.chance(0.4) ? [`${spelling}=${given}`] : [spelling, given];
  }).flat();
}

function valueWord(dice: Dice, long: string): string {
  if (/measure|metric|objective/.test(long)) return dice.pick(['AP', 'nDCG@5', 'P@3', 'official', 'RBP', 'nope', 'nDCG@', 'map,ndcg']);
  if (long === 'convention') return dice.pick(conventionNames());
  if (/columns/.test(long)) return dice.pick(['topic=1,doc=3,score=5', 'topic=q', 'score=rank', '=']);
  if (/output|save|model/.test(long))
    return dice.pick(['out', 'out.json', 'out.csv', 'out.html', 'out.md', 'out.run', 'a.run', 'out.gz', 'out.onnx']);
  if (/qrels|known|expected|train|validate|test/.test(long)) return dice.pick([...fileNames]);
  return dice.pick(['1', '2', '0.5', '0', '-1', 'x', '', 'a.run', dice.pick(numberTexts), dice.pick(awkwardTexts)]);
}

/** Positional arguments that make sense for the command, most of the time. */
function positionals(dice: Dice, name: string): string[] {
  if (dice.chance(0.1)) return Array.from({ length: dice.below(4) }, () => dice.pick([...fileNames, 'missing', '-', 'AP', '']));
  const usual: Readonly<Record<string, readonly string[][]>> = {
    eval: [
      ['c.qrels', 'a.run'],
      ['c.qrels', 'a.run', 'b.run'],
      ['d.letor', 'e.scores'],
    ],
    compare: [
      ['c.qrels', 'a.run', 'b.run'],
      ['--scores', 'e.scores'],
    ],
    gate: [
      ['c.qrels', 'a.run', 'b.run'],
      ['--qrels', 'c.qrels', '--baseline', 'a.run', '--run', 'b.run'],
    ],
    report: [['c.qrels', 'a.run', 'b.run']],
    fuse: [['a.run', 'b.run']],
    correlate: [['a.run', 'b.run'], ['e.scores']],
    meta: [['c.qrels', 'a.run', 'b.run']],
    explain: [
      ['c.qrels', 'a.run', 'AP'],
      ['AP', 'c.qrels', 'a.run'],
    ],
    audit: [['c.qrels', 'a.run'], ['d.letor'], ['a.run']],
    train: [
      ['--train', 'd.letor', '-o', 'm.json'],
      ['--train', 'd.letor', '--model', 'm.json'],
    ],
    score: [
      ['e.scores', 'd.letor'],
      ['m.json', 'd.letor'],
    ],
    model: [['e.scores'], ['e.scores', 'out.json']],
    cv: [['--train', 'd.letor']],
    clicks: [['e.scores'], ['e.scores', 'd.letor'], ['e.scores', 'a.run']],
    tune: [['--train', 'd.letor', '--budget', '4', '--threads', '1']],
    sql: [['AP'], ['nDCG@10', 'P@5']],
    convert: [
      ['a.run', 'out.csv'],
      ['c.qrels', 'out.json'],
      ['a.run', '-'],
    ],
    measures: [[], ['AP'], ['nope'], ['nDCG@10']],
  };
  return dice.pick(usual[name.split(' ')[0]] ?? [[]]);
}

function commandInput(dice: Dice): Uint8Array {
  const command = dice.pick(runnable);
  const argv = [
    ...command.name.split(' '),
    ...positionals(dice, command.name),
    ...optionWords(dice, command),
    ...(dice.chance(0.2) ? ['--json'] : []),
  ];
  const scores = bytesOf(`topic,A,B\n${Array.from({ length: 4 }, (_, i) => `${i},${scoreText(dice)},${scoreText(dice)}`).join('\n')}\n`);
  return joinParts([argumentsPart(argv), runText(dice), runText(dice), qrelsText(dice), letorLines(dice), scores]);
}

function parserInput(dice: Dice): Uint8Array {
  const command = dice.pick(commands);
  const words = [...positionals(dice, command.name), ...optionWords(dice, command)];
  return bytesOf(argumentsPart([command.name, ...(dice.chance(0.3) ? dice.shuffled(words) : words)]));
}

const optionNames = [...new Set(commands.flatMap(({ options }) => options.map(({ long }) => `--${long}`)))];

export const commandTargets: readonly FuzzTarget[] = [
  {
    name: 'arguments',
    summary: 'the argument parser of every command: refusals, and the same in another spelling',
    cases: 3000,
    words: [
      ...commands.map(({ name }) => `${name}\n`),
      ...optionNames.map((name) => `${name}\n`),
      '--\n',
      '-\n',
      '=',
      '-q\n',
      '--json\n',
      '␤',
    ],
    seeds: () => commands.map(({ name }) => bytesOf(`${name}\n`)),
    generate: parserInput,
    check: checkParser,
  },
  {
    name: 'printed-scores',
    summary: 'values of topics in every form that eval prints: read again',
    cases: 120,
    words: ['%%\n', 'Q0', '\n', '"', ',', '#'],
    seeds: () => [joinParts(['1 0 a 1\n2 0 b 1\n', '1 Q0 a 1 2 t\n', '1 Q0 b 1 2 t\n2 Q0 b 1 1 t\n'])],
    generate: (dice) => joinParts([qrelsText(dice), runText(dice), runText(dice)]),
    check: checkForms,
  },
  {
    name: 'commands',
    summary: 'whole commands over small files: the same twice, status 0, 1 or 2, readable words, JSON that is JSON',
    cases: 250,
    words: [...optionNames.map((name) => `${name}\n`), '--json\n', 'a.run\n', 'c.qrels\n', '%%\n', '\n'],
    seeds: () => [
      joinParts([
        argumentsPart(['eval', 'c.qrels', 'a.run', '--json']),
        '1 Q0 a 1 2 t\n',
        '1 Q0 b 1 2 t\n',
        '1 0 a 1\n',
        '1 qid:1 1:1\n',
        'topic,A,B\n1,0,1\n',
      ]),
    ],
    generate: commandInput,
    check: checkCommand,
  },
];
