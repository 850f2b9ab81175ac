import type { Problem } from '../core/problem.js';
import type { ParsedArguments } from './arguments.js';

/** What completes a value in the shell. */
export type Completion = 'file' | 'measure' | 'convention' | 'command' | 'tool';

/** What is done with the file that a value names. */
export type FileUse = 'input' | 'output';

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

/** An option as the parser, the help, the shell completion and the reference see it. */
export interface OptionSpec {
  /** Without the dashes: `per-topic`. */
  readonly long: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** What the value is called in the help; an option without it is a switch. */
  readonly value?: string;
  /** The only values that are accepted. */
  readonly choices?: readonly string[];
  /** The value must be a whole number in this range. */
  readonly integer?: { readonly min: number; readonly max?: number };
  /** The value must be a number. */
  readonly number?: boolean;
  readonly repeatable?: boolean;
  /** What it does, by consequence, with the default in words. */
  readonly help: string;
  readonly complete?: Completion;
  /** The value names a file. An output that is also an input is refused before anything is read. */
  readonly file?: FileUse;
  /** The name of the argument whose file this output may take the place of. */
  readonly replaces?: string;
  /** Throws an `InputError` if the value cannot be used, so that all bad arguments are reported together. */
  check?(value: string): void;
}

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

/** One subcommand: everything the help says about it, and what it does. */
export interface Command {
  readonly name: string;
  /** One line, lower case, no full stop. */
  readonly summary: string;
  /** One or more paragraphs for `gradus help NAME`. */
  readonly description: string;
  readonly examples: readonly Example[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Everything after the first positional argument belongs to somebody else and is passed on untouched. */
  readonly passThrough?: boolean;
  /** What is wrong with the arguments taken together; reported with the problems of the single ones. */
  check?(args: ParsedArguments): readonly Problem[];
  /** Files that the arguments stand for without being their names: those in a folder, for example. */
  files?(args: ParsedArguments, environment: Context['environment']): readonly CommandFile[];
  /** Does the work and gives the exit status: 0 fine, 1 a gate failed, 2 bad input. */
  run(args: ParsedArguments, context: Context): Promise<number>;
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
}
