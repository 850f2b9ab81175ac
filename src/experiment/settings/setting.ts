import type { ParamSpec } from '../../core/params.js';

/** What completes a value in the shell. */
export type Completion = 'file' | 'measure' | 'convention' | 'command' | 'tool';

/** What is done with the file that a value names. */
export type FileUse = 'input' | 'output';

/** One thing that a person can set, declared once: options, help, completion, reference and the panels of the app are made from it.
 *  Where it has no type, it is a choice if it has choices, a text if its value has a name, and a switch otherwise. */
export interface Setting<Value = unknown> extends Partial<ParamSpec> {
  /** What it does, by consequence. `settingHelp` adds what it accepts and the default. */
  readonly help: string;
  /** The default in words, where it is not one value. */
  readonly defaultText?: string;
  /** What the choices mean, where their names do not say so. */
  readonly choiceTexts?: Readonly<Record<string, string>>;
  /** What a page with panels calls it. */
  readonly label?: string;
  /** One letter, for the command line. */
  readonly short?: string;
  /** What the value is called in help; a setting without it is a switch. */
  readonly value?: string;
  /** It may be given several times. */
  readonly repeatable?: boolean;
  readonly complete?: Completion;
  /** The value names a file. An output that is also an input is refused before anything is read. */
  readonly file?: FileUse;
  /** A switch that is on unless it is turned off: the option is called `--no-quotes`. */
  readonly turnsOff?: true;
  /** The value that a text stands for, where the type does not say it; several texts are separated by commas.
   *  @throws An `InputError` if the text cannot be used. */
  read?(text: string): Value;
  /** Throws an `InputError` if a text cannot be used that stands for itself. */
  check?(text: string): void;
}

/** A setting that is a number. */
export type NumberSetting = Setting<number> & { readonly type: 'integer' | 'number'; readonly value: string };

/** The settings of a group: one for each property that a program may set, and of the same kind. */
export type SettingsOf<Group> = { readonly [Name in keyof Group]-?: Setting<NonNullable<Group[Name]>> & KindOf<NonNullable<Group[Name]>> };

/** A switch that is on unless it is turned off. */
export interface TurnsOff {
  readonly turnsOff: true;
}

type KindOf<Value> = [Value] extends [boolean]
  ? { readonly value?: never }
  : { readonly value: string } & ([Value] extends [number]
      ? { readonly type: 'integer' | 'number' }
      : [Extract<Value, readonly unknown[]>] extends [never]
        ? TextKindOf<Value>
        : { readonly repeatable: true });

type TextKindOf<Value> = string extends Value
  ? unknown
  : [Value] extends [string]
    ? { readonly choices: readonly Value[] }
    : { read(text: string): Value };

/** The parts of a list that commas separate. */
export function listOf(text: string): readonly string[] {
  return text.split(',');
}

/** What a setting accepts. */
export function specOf(setting: Setting): ParamSpec {
  const { choices, value } = setting;
  return { type: choices !== undefined ? 'choice' : value === undefined ? 'boolean' : 'text', ...setting };
}

/** All that help says about a setting: what it does, what it accepts, whether it may be repeated, and the default. */
export function settingHelp({ help, choices, choiceTexts, repeatable, default: value, defaultText }: Setting): string {
  const [what, ...more] = help.split('; ');
  const meanings = choices?.map((choice) => (choiceTexts?.[choice] === undefined ? choice : `${choice} (${choiceTexts[choice]})`));
  const clauses = [meanings === undefined ? what : `${what}: ${meanings.join(', ')}`, ...more];
  if (repeatable === true) clauses.push('may be given several times');
  const held = defaultText ?? (Array.isArray(value) ? value.join(', ') || 'none' : value);
  return clauses.join('; ') + (held === undefined || held === false ? '' : ` (default: ${held})`);
}
