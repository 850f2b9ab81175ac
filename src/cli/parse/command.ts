import type { Problem, Run } from '../../core/index.js';
import type { Completion, FileUse, ScoredRuns, Setting } from '../../experiment/index.js';
import type { Verdict } from '../../report/index.js';
import type { GivenArguments, ParsedArguments } from './arguments.js';

/** A file that a command reads or writes. */
export interface CommandFile {
  readonly use: FileUse;
  /** `-` is standard input or output. */
  readonly path: string;
  /** The argument or option that it comes from. */
  readonly label: string;
  /** The label of the input that this output may take the place of. */
  readonly replaces?: string | undefined;
}

/** An option as the parser, the help, the shell completion and the reference see it: a setting with a name. */
export interface OptionSpec extends Setting {
  /** Without the dashes: `per-topic`. */
  readonly long: string;
  /** The name of the argument whose file this output may take the place of. */
  readonly replaces?: string;
}

/** An option that is there or not. */
export interface Switch<Name extends string> extends OptionSpec {
  readonly long: Name;
  readonly value?: never;
}

interface Valued<Name extends string> extends OptionSpec {
  readonly long: Name;
  readonly value: string;
}

/** An option whose value is a text, given once. */
export interface TextOption<Name extends string> extends Valued<Name> {
  readonly repeatable?: false;
  readonly type?: 'text' | 'choice';
}

/** An option whose value is one of a few words. */
export interface ChoiceOption<Name extends string, Choice extends string> extends TextOption<Name> {
  readonly choices: readonly Choice[];
}

/** An option that may be given several times. */
export interface ListOption<Name extends string> extends Valued<Name> {
  readonly repeatable: true;
}

/** An option whose value is a number. */
export interface NumberOption<Name extends string> extends Valued<Name> {
  readonly repeatable?: false;
  readonly type: 'integer' | 'number';
}

/** What an option gives to the command that has it. */
type ValueOf<Option extends OptionSpec> = Option extends { readonly value: string }
  ? Option extends { readonly repeatable: true }
    ? readonly string[]
    : Option extends { readonly type: 'integer' | 'number' }
      ? number
      : Option extends { readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string
  : boolean;

/** The same where the option was not given: the default, if it has one. */
type GivenOrDefault<Option extends OptionSpec> = Option extends { readonly default: string | number }
  ? ValueOf<Option>
  : ValueOf<Option> | undefined;

/** The arguments of a command with these options; a function that reads a group of options takes the arguments of that group, and so
 *  those of every command that has it. */
export type ArgumentsOf<Options extends readonly OptionSpec[]> = ParsedArguments<
  Options[number]['long'],
  { readonly [Option in Options[number] as NameOf<Option, string>]: GivenOrDefault<Option> },
  NameOf<Options[number], readonly string[]>,
  { readonly [Option in Options[number] as NameOf<Option, number>]: GivenOrDefault<Option> }
>;

/** The name of an option that gives this kind of value. */
type NameOf<Option extends OptionSpec, Value> = Option extends unknown ? (ValueOf<Option> extends Value ? Option['long'] : never) : never;

/** A positional argument. Only the last one of a command may be repeatable. */
export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  readonly repeatable?: boolean;
  /** The only values that are accepted. */
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  /** The value names a file. */
  readonly file?: FileUse;
}

/** A line to type, and what it does, for help and the reference. */
export interface Example {
  readonly command: string;
  readonly explains: string;
}

/** What is said about a command. */
interface CommandText {
  readonly name: string;
  /** One line, lower case, no full stop. */
  readonly summary: string;
  /** One or more paragraphs for `gradus help NAME`. */
  readonly description: string;
  readonly examples: readonly Example[];
  readonly arguments: readonly ArgumentSpec[];
  /** Everything after the first positional argument belongs to somebody else and is passed on untouched. */
  readonly passThrough?: boolean;
}

/** One command: everything the help says about it, and what it does. Which options `check`, `files` and `run` may ask for is known where
 *  it is declared, by `defineCommand`; to everybody else it is a command like the others. */
export interface Command extends CommandText {
  readonly options: readonly OptionSpec[];
  /** What is wrong with the arguments taken together; reported with the problems of the single ones. */
  check?(args: GivenArguments): readonly Problem[];
  /** Files that the arguments stand for without being their names: those in a folder, for example. */
  files?(args: GivenArguments, environment: Context['environment']): readonly CommandFile[];
  /** Does the work and gives the exit status: 0 fine, 1 a gate failed, 2 bad input. */
  run(args: GivenArguments, context: Context): Promise<number>;
}

/** One of the commands of a group. */
export interface Subcommand {
  /** The word behind the name of the group. */
  readonly name: string;
  load(): Promise<Command>;
}

/** A command that is several, by the word behind its name: `gradus meta power`. */
export interface CommandGroup extends Pick<CommandText, 'name' | 'summary' | 'description' | 'examples'> {
  /** What the help calls that word. */
  readonly argument: string;
  readonly subcommands: readonly Subcommand[];
  /** The name of the subcommand that another spelling stands for.
   *  @throws An `InputError` if there is none. */
  canonical?(word: string): string;
}

/** A command as it is declared: the types of its arguments follow from its options. */
export interface CommandDeclaration<Options extends readonly OptionSpec[]> extends CommandText {
  readonly options: Options;
  check?(args: ArgumentsOf<Options>): readonly Problem[];
  files?(args: ArgumentsOf<Options>, environment: Context['environment']): readonly CommandFile[];
  run(args: ArgumentsOf<Options>, context: Context): Promise<number>;
}

/** Where text goes, and what is known about the other end. */
export interface TextWriter {
  write(text: string): void;
  /** Lets out what was written so far, where it is held back. */
  flush?(): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
}

/** The world as a command sees it, so that it can be run inside a test. */
export interface Context {
  /** Data, and nothing else. */
  readonly stdout: TextWriter;
  /** Words: notes, warnings, progress. */
  readonly stderr: TextWriter;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Who takes results as they are, in the place of their text: a program that has called this one. */
  readonly take?: ResultTaker | undefined;
}

/** Takes results that are more than text. */
export interface ResultTaker {
  /** The scores that `eval` would print. */
  scores(scored: ScoredRuns): void;
  /** The run that `fuse` would write to standard output. */
  run(run: Run): void;
  /** The scores of documents that `score` would write to standard output, in the order of the data. */
  predictions(scores: Float64Array): void;
  /** The verdict that `compare` prints beside everything else. */
  verdict(verdict: Verdict): Promise<void>;
}
