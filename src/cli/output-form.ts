import type { Problem } from '../core/problem.js';
import type { ParsedArguments } from './arguments.js';

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

/** The ending of the file that `--output` names, if it names one. */
function outputEnding(args: ParsedArguments, option: string): string | undefined {
  const path = args.value(option);
  return path === undefined || path === '-' ? undefined : endingOf(path);
}

function formOfEnding(ending: string | undefined, forms: readonly string[]): string | undefined {
  return ending === undefined ? undefined : forms.find((form) => (endingsOf[form] ?? [form]).includes(ending));
}

/** The form that the result is to have: what `--json` or `--format` says, or else what the name of the output file says.
 *  @param forms The forms that the command can write.
 *  @param otherwise The form where nothing is said. */
export function formAsked(args: ParsedArguments, forms: readonly string[], otherwise = 'table'): string {
  if (args.has('json')) return 'json';
  return args.value('format') ?? formOfEnding(outputEnding(args, 'output'), forms) ?? otherwise;
}

/** What is wrong with the forms that were asked for. A file whose name promises something that cannot be written would hold something
 *  else. */
export function formProblems(args: ParsedArguments, forms: readonly string[]): Problem[] {
  const format = args.value('format');
  if (args.has('json') && format !== undefined && format !== 'json') {
    return [{ message: `--json and --format ${format} ask for different forms`, wayOut: 'give one of them' }];
  }
  if (args.has('json') || format !== undefined) return [];
  return endingProblems(args, 'output', forms);
}

/** What is wrong with the name of a file that is written in one of these forms, by its ending. */
export function endingProblems(args: ParsedArguments, option: string, forms: readonly string[]): Problem[] {
  const ending = outputEnding(args, option);
  if (ending === undefined || formOfEnding(ending, forms) !== undefined) return [];
  const endings = new Set(forms.flatMap((form) => endingsOf[form] ?? [form]));
  return [
    {
      message: `--${option} ${args.value(option)}: .${ending} files cannot be written here`,
      wayOut: `end the name in ${Array.from(endings, (one) => `.${one}`).join(', ')}, or in nothing`,
    },
  ];
}

/** What to say where a name promises another form than the one that was asked for in so many words. */
export function contradictionNote(args: ParsedArguments): string | undefined {
  const asked = args.has('json') ? 'json' : args.value('format');
  const promised = formOfEnding(outputEnding(args, 'output'), Object.keys(endingsOf));
  if (asked === undefined || promised === undefined || !Object.hasOwn(endingsOf, asked)) return undefined;
  return endingsOf[asked].includes(outputEnding(args, 'output') ?? '')
    ? undefined
    : `${args.value('output')} is written as ${asked}, which was asked for, though its name says ${promised}`;
}
