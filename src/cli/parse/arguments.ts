import { closest, InputError, limits, type Problem, paramProblem, readParam } from '../../core/index.js';
import { specOf } from '../../experiment/index.js';
import { filesOfArgument } from '../../node/index.js';
import type { Command, OptionSpec, Switch } from './command.js';

/** What a command line asked for, for all that works with whatever command. */
export interface GivenArguments {
  readonly positionals: readonly string[];
  /** All options that were given, by their long names. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Whether an option was given. */
  readonly has: (option: UniversalOption) => boolean;
}

/** What the command line asked for, for a command that has options of these names. Values are checked before a command sees them, and
 *  an option that the command does not have cannot be asked for. */
export interface ParsedArguments<in Name extends string, out Texts extends object, in ListName extends string, out Numbers extends object>
  extends GivenArguments {
  readonly has: (option: Name | UniversalOption) => boolean;
  /** The value of an option that is a text, or its default. */
  readonly value: <TextName extends keyof Texts>(option: TextName) => Texts[TextName];
  /** Every value of an option that may be repeated. */
  readonly values: (option: ListName) => readonly string[];
  /** The value of an option that is a number, or its default. */
  readonly number: <NumberName extends keyof Numbers>(option: NumberName) => Numbers[NumberName];
}

function argumentsOf(
  positionals: readonly string[],
  given: ReadonlyMap<string, readonly string[]>,
  options: readonly OptionSpec[],
): ParsedArguments<string, Record<string, string | undefined>, string, Record<string, number | undefined>> {
  const value = (option: string): string | undefined => {
    const otherwise = options.find(({ long }) => long === option)?.default;
    return given.get(option)?.[0] ?? (otherwise === undefined ? undefined : String(otherwise));
  };
  return {
    positionals,
    given,
    has: (option) => given.has(option),
    value,
    values: (option: string) => given.get(option) ?? [],
    number(option: string) {
      const text = value(option);
      return text === undefined ? undefined : Number(text);
    },
  };
}

/** Options that every command has. */
export const universalOptions: readonly [Switch<'help'>, Switch<'quiet'>, Switch<'no-color'>] = [
  { long: 'help', short: 'h', help: 'show this help' },
  { long: 'quiet', help: 'no notes and no progress on standard error; errors are still shown' },
  {
    long: 'no-color',
    help: 'no colours, even on a terminal; the environment variable NO_COLOR does the same, and FORCE_COLOR=1 keeps colours in a pager',
  },
];

type UniversalOption = (typeof universalOptions)[number]['long'];

/** All options of a command, with those that every command has. */
export function optionsOf(command: Pick<Command, 'options'>): readonly OptionSpec[] {
  return [...command.options, ...universalOptions];
}

/** Reads arguments as GNU programs do: `-qn`, `-p4`, `-p 4`, `--digits=4`, `--digits 4`, options and files in any order,
 *  `--` before files that begin with a dash, `-` for standard input. Names of options are not abbreviated, so that an
 *  option added later cannot change what a script means. All problems are found before any is reported. */
export function parseArguments(command: Command, argv: readonly string[]): GivenArguments {
  const { positionals: words, given, problems, afterUnknown, hasBadValue } = readWords(command, argv);
  // engines read directories in their own way
  const positionals = given.has('engine') || afterUnknown.size > 0 ? words : withFilesOfFolders(command, words);
  const args = argumentsOf(positionals, given, command.options);
  // a person who asks for help is shown it, whatever else is wrong
  if (args.has('help')) return args;
  // the word behind an unknown option may be its value, so that only what is wrong either way is known to be wrong
  const withoutValues = positionalProblems(
    command,
    positionals.filter((_, i) => !afterUnknown.has(i)),
  ).map(({ message }) => message);
  problems.push(...positionalProblems(command, positionals).filter(({ message }) => withoutValues.includes(message)));
  // what options mean together depends on their values, and a wrong one would be complained about twice
  if (!hasBadValue) problems.push(...(command.check?.(args) ?? []));
  if (problems.length > 0) throw new InputError([...problems, helpHint(command.name)]);
  return args;
}

/** A directory among the last arguments of a command stands for the files in it. */
function withFilesOfFolders(command: Command, words: readonly string[]): string[] {
  const last = command.arguments.at(-1);
  if (last?.repeatable !== true || last.file !== 'input') return [...words];
  return words.flatMap((word, i) => {
    const files = i < command.arguments.length - 1 || word === '-' ? undefined : filesOfArgument(word);
    if (files === undefined) return [word];
    if (files.length === 0) throw new InputError({ source: word, message: 'the directory holds no files', wayOut: 'name one with runs' });
    return files;
  });
}

/** Where the use of a command is explained. */
export function helpHint(name: string): Problem {
  return { message: `gradus ${name} --help shows how it is used` };
}

interface ReadWords {
  readonly positionals: string[];
  readonly given: Map<string, string[]>;
  readonly problems: Problem[];
  /** Which arguments by their place stand right behind an unknown option. */
  readonly afterUnknown: ReadonlySet<number>;
  /** Whether an option has a value that it does not take. */
  readonly hasBadValue: boolean;
}

/** What each word is: an option, the value of one, or an argument by its place. */
export function readWords(command: Pick<Command, 'name' | 'options' | 'passThrough'>, argv: readonly string[]): ReadWords {
  const options = optionsOf(command);
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  const problems: Problem[] = [];
  const afterUnknown = new Set<number>();
  let hasBadValue = false;

  const firstSpellings = new Map<string, string>();
  const record = (option: OptionSpec, value: string, spelling: string): void => {
    const wrong = valueProblems(option, value, spelling);
    if (wrong.length > 0) hasBadValue = true;
    problems.push(...wrong);
    const values = given.get(option.long);
    if (values === undefined) {
      given.set(option.long, [value]);
      firstSpellings.set(option.long, spelling);
    } else if (option.repeatable === true) values.push(value);
    else problems.push(givenTwice(option, [firstSpellings.get(option.long) ?? spelling, spelling], [values[0], value]));
  };

  for (let i = 0; i < argv.length; i++) {
    const word = argv[i];
    // the value of an option is the next word, unless that is plainly another option
    const nextValue = (option: OptionSpec, spelling: string): void => {
      const next = argv[i + 1];
      if (next === undefined || next === '--' || isKnownOption(options, next)) {
        problems.push({ message: `${spelling} needs a value`, wayOut: `write ${spelling} ${option.value}` });
        return;
      }
      record(option, next, spelling);
      i++;
    };

    if (word === '--') {
      for (const further of argv.slice(i + 1)) positionals.push(further);
      break;
    }
    if (word.startsWith('--')) {
      const equals = word.indexOf('=');
      const spelling = equals < 0 ? word : word.slice(0, equals);
      const option = options.find((candidate) => `--${candidate.long}` === spelling);
      if (option === undefined) {
        problems.push(unknownOption(spelling, options, command));
        if (equals < 0 && isArgument(argv[i + 1])) afterUnknown.add(positionals.length);
      } else if (option.value === undefined) {
        if (equals >= 0) problems.push({ message: `${spelling} takes no value, found ${word.slice(equals + 1) || 'an empty one'}` });
        else record(option, '', spelling);
      } else if (equals >= 0) record(option, word.slice(equals + 1), spelling);
      else nextValue(option, spelling);
      continue;
    }
    if (word.startsWith('-') && word.length > 1) {
      for (let at = 1; at < word.length; at++) {
        const spelling = `-${word[at]}`;
        const option = options.find((candidate) => candidate.short === word[at]);
        if (option === undefined) {
          problems.push(unknownOption(word.length === 2 ? word : `${spelling} in ${word}`, options, command));
          if (at + 1 === word.length && isArgument(argv[i + 1])) afterUnknown.add(positionals.length);
          break;
        }
        if (option.value === undefined) record(option, '', spelling);
        else {
          if (at + 1 < word.length) record(option, word.slice(at + 1), spelling);
          else nextValue(option, spelling);
          break;
        }
      }
      continue;
    }
    positionals.push(word);
    if (command.passThrough) {
      for (const further of argv.slice(i + 1)) positionals.push(further);
      break;
    }
  }

  return { positionals, given, problems, afterUnknown, hasBadValue };
}

/** One of the two would have to be ignored, and nobody could see which. */
function givenTwice(option: OptionSpec, [first, second]: [string, string], values: [string, string]): Problem {
  const what = first === second ? `${first} was given twice` : `${first} and ${second} are the same option, which was given twice`;
  const differ = option.value !== undefined && values[0] !== values[1];
  return { message: differ ? `${what}: ${values.map((value) => value || 'nothing').join(' and ')}` : what, wayOut: 'give it once' };
}

/** Whether a word would be an argument by its place if no option took it. */
function isArgument(word: string | undefined): boolean {
  return word !== undefined && (word === '-' || !word.startsWith('-'));
}

function isKnownOption(options: readonly OptionSpec[], word: string): boolean {
  return options.some((option) => word === `--${option.long}` || (option.short !== undefined && word === `-${option.short}`));
}

function valueProblems(option: OptionSpec, text: string, spelling: string): readonly Problem[] {
  const spec = specOf(option);
  const problem = option.value === undefined ? undefined : paramProblem(spelling, spec, readParam(spec, text));
  if (problem !== undefined) return [problem];
  try {
    option.read?.(text);
    option.check?.(text);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

function unknownOption(spelling: string, options: readonly OptionSpec[], { name: command }: Pick<Command, 'name'>): Problem {
  const name = spelling.replace(/^--/, '');
  const longs = options.map((option) => option.long);
  const close =
    longs.find((long) => name.length > 1 && long.startsWith(name)) ??
    (spelling.startsWith('--') ? (closest(name, longs) ?? longs.find((long) => long.length > 2 && name.startsWith(long))) : undefined);
  return {
    message: `gradus ${command} has no option ${spelling}`,
    wayOut: close === undefined ? undefined : `did you mean --${close}?`,
  };
}

function positionalProblems(command: Command, positionals: readonly string[]): Problem[] {
  const specs = command.arguments;
  const missing = specs.filter((spec, i) => !spec.optional && i >= positionals.length).map((spec) => spec.name);
  if (missing.length > 0) return [{ message: `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing` }];
  if (positionals.length > limits.files) {
    return [
      {
        message: `found ${positionals.length} arguments, expected at most ${limits.files} arguments`,
        wayOut: 'take fewer files at a time',
      },
    ];
  }
  const last = specs.at(-1);
  if (positionals.length > specs.length && !command.passThrough && last?.repeatable !== true) {
    const extra = positionals.slice(specs.length);
    return [{ message: `unexpected ${extra.length === 1 ? 'argument' : 'arguments'} ${extra.join(' ')}` }];
  }
  return specs.flatMap(({ name, choices }, i) =>
    choices === undefined || positionals[i] === undefined ? [] : (paramProblem(name, { type: 'choice', choices }, positionals[i]) ?? []),
  );
}
