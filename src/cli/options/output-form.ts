import { formatFixed, type Problem } from '../../core/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, ChoiceOption, NumberOption, Switch, TextOption } from '../parse/command.js';

/** How a result is printed. */
export function formOptions(
  choices: readonly string[],
  { help = 'how the result is printed', otherwise = choices[0] }: { readonly help?: string; readonly otherwise?: string } = {},
): readonly [ChoiceOption<'format', string>, Switch<'json'>] {
  return [
    {
      long: 'format',
      short: 'f',
      value: 'FORM',
      choices,
      help,
      defaultText: `as the name of the output file says, or ${otherwise}`,
    },
    { long: 'json', help: 'the same as --format json' },
  ];
}

/** How many decimals are printed. */
export const digitsOption: NumberOption<'digits'> & { readonly default: number } = {
  long: 'digits',
  short: 'p',
  value: 'N',
  type: 'integer',
  min: 0,
  max: 15,
  default: 4,
  help: 'number of decimals',
};

/** How a command prints numbers: rounded for people, and in full for programs unless decimals are asked for.
 *  @param form The form that the result has. */
export function numberText(args: ArgumentsOf<[typeof digitsOption]>, form: string): (value: number) => string {
  const isExact = (form === 'csv' || form === 'tsv') && !args.has('digits');
  const digits = args.number('digits');
  return (value) => (isExact && Number.isFinite(value) ? String(value) : formatFixed(value, digits));
}

/** The endings of file names that say which form is meant. `text` and `table` are what people read. */
const endingsOf: Readonly<Record<string, readonly string[]>> = {
  table: ['txt', 'text', 'log', 'out'],
  text: ['txt', 'text', 'log', 'out'],
  csv: ['csv'],
  tsv: ['tsv'],
  json: ['json'],
  jsonl: ['jsonl', 'ndjson'],
  md: ['md', 'markdown'],
  latex: ['tex'],
  html: ['html', 'htm'],
  pdf: ['pdf'],
  parquet: ['parquet', 'pq'],
  sql: ['sql', 'txt'],
};

/** The ending of a file name in lower case, without the dot; undefined if there is none. A number behind a dot is part of a name. */
function endingOf(path: string): string | undefined {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return /^.+\.([a-z][a-z0-9]*)$/i.exec(name)?.[1].toLowerCase();
}

/** The value of an option that not every command has. */
function givenValue({ given }: GivenArguments, option: string): string | undefined {
  return given.get(option)?.[0];
}

/** The ending of the file that `--output` names, if it names one. */
function outputEnding(args: GivenArguments, option: string): string | undefined {
  const path = givenValue(args, option);
  return path === undefined || path === '-' ? undefined : endingOf(path);
}

function formOfEnding(ending: string | undefined, forms: readonly string[]): string | undefined {
  return ending === undefined ? undefined : forms.find((form) => (endingsOf[form] ?? [form]).includes(ending));
}

/** The form that the result is to have: what `--json` or `--format` says, or else what the name of the output file says.
 *  @param forms The forms that the command can write.
 *  @param otherwise The form where nothing is said. */
export function formAsked(args: GivenArguments, forms: readonly string[], otherwise = 'table'): string {
  if (args.given.has('json')) return 'json';
  return givenValue(args, 'format') ?? formOfEnding(outputEnding(args, 'output'), forms) ?? otherwise;
}

/** What is wrong with the forms that were asked for. A file whose name promises something that cannot be written would hold something
 *  else. */
export function formProblems(args: GivenArguments, forms: readonly string[]): Problem[] {
  const format = givenValue(args, 'format');
  if (args.given.has('json') && format !== undefined && format !== 'json') {
    return [{ message: `--json and --format ${format} ask for different forms`, wayOut: 'give one of them' }];
  }
  if (args.given.has('json') || format !== undefined) return [];
  return problemsOfEnding(args, 'output', forms);
}

/** What is wrong with the name of a file that is written in one of these forms, by its ending. */
export function endingProblems<Name extends string>(
  args: ArgumentsOf<[TextOption<Name>]>,
  option: Name,
  forms: readonly string[],
): Problem[] {
  return problemsOfEnding(args, option, forms);
}

function problemsOfEnding(args: GivenArguments, option: string, forms: readonly string[]): Problem[] {
  const ending = outputEnding(args, option);
  if (ending === undefined || formOfEnding(ending, forms) !== undefined) return [];
  const endings = new Set(forms.flatMap((form) => endingsOf[form] ?? [form]));
  return [
    {
      message: `--${option} ${givenValue(args, option)}: .${ending} files cannot be written here`,
      wayOut: `end the name in ${Array.from(endings, (one) => `.${one}`).join(', ')}, or in nothing`,
    },
  ];
}

/** What to say where a name promises another form than the one that was asked for in so many words. */
export function contradictionNote(args: GivenArguments): string | undefined {
  const asked = args.given.has('json') ? 'json' : givenValue(args, 'format');
  const promised = formOfEnding(outputEnding(args, 'output'), Object.keys(endingsOf));
  if (asked === undefined || promised === undefined || !Object.hasOwn(endingsOf, asked)) return undefined;
  return endingsOf[asked].includes(outputEnding(args, 'output') ?? '')
    ? undefined
    : `${givenValue(args, 'output')} is written as ${asked}, which was asked for, though its name says ${promised}`;
}
