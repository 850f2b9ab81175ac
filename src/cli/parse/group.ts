import { InputError, paramProblem } from '../../core/index.js';
import { helpHint, readWords } from './arguments.js';
import type { Command, CommandGroup, OptionSpec } from './command.js';

/** Whether a command is several. */
export function isGroup(entry: Command | CommandGroup): entry is CommandGroup {
  return 'subcommands' in entry;
}

/** All commands of a group. */
export async function loadSubcommands({ subcommands }: CommandGroup): Promise<Command[]> {
  return await Promise.all(subcommands.map(({ load }) => load()));
}

/** The command of a group that goes by this word.
 *  @throws An `InputError` if there is none. */
export async function loadSubcommand(group: CommandGroup, word: string): Promise<Command> {
  const name = group.canonical?.(word) ?? word;
  const found = group.subcommands.find((subcommand) => subcommand.name === name);
  if (found !== undefined) return await found.load();
  const names = group.subcommands.map((subcommand) => subcommand.name);
  throw new InputError([paramProblem(group.argument, { type: 'choice', choices: names }, word) ?? [], helpHint(group.name)].flat());
}

/** The options that all commands of a group have, with the same meaning. */
export function sharedOptions([first, ...others]: readonly Command[]): readonly OptionSpec[] {
  const isSame = (a: OptionSpec, b: OptionSpec): boolean => a.long === b.long && a.help === b.help;
  return first.options.filter((option) => others.every(({ options }) => options.some((other) => isSame(option, other))));
}

/** Which command of a group the words ask for, and the words without its name; none if help on all of them is wanted.
 *  @throws An `InputError` if there is no such command. */
export async function chooseSubcommand(
  group: CommandGroup,
  argv: readonly string[],
): Promise<{ readonly command: Command; readonly argv: readonly string[] } | undefined> {
  let at = 0;
  if (argv.length === 0 || argv[0].startsWith('-')) {
    // options may come first, and which of them take the next word as a value is known from all commands together
    const all = (await loadSubcommands(group)).flatMap(({ options }) => options);
    const { positionals, given } = readWords({ name: group.name, options: all, passThrough: true }, argv);
    if (positionals.length === 0) {
      if (given.has('help')) return undefined;
      throw new InputError([{ message: `${group.argument} is missing` }, helpHint(group.name)]);
    }
    at = argv.length - positionals.length;
  }
  return { command: await loadSubcommand(group, argv[at]), argv: argv.toSpliced(at, 1) };
}
