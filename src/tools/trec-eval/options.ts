import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { longOf, toByteText } from '../byte-text.js';
import { type GetoptOption, walkOptions } from './getopt.js';
import { isNickname, type MeasureRow, rowsNamed, rowsOf } from './measure-table.js';
import { Quit } from './quit.js';

/** What the command line asks for. All texts are byte texts. */
export interface TrecEvalOptions {
  readonly help: boolean;
  /** `-q`: a line for each topic. */
  readonly perTopic: boolean;
  /** `-n` takes the lines of all topics away. */
  readonly summary: boolean;
  /** `-c`: average over all judged topics. */
  readonly complete: boolean;
  /** `-l`: the lowest level of a relevant document. */
  readonly level: number;
  readonly judgedOnly: boolean;
  /** `-N`: number of documents in the collection. */
  readonly collection: number;
  /** `-M`: so many documents of each ranking count. */
  readonly depth: number;
  /** `-D n.topic`: evaluate this topic alone. */
  readonly onlyTopic: string | undefined;
  readonly relevanceFormat: string;
  readonly resultsFormat: string;
  readonly zscorePath: string | undefined;
  /** The measures asked for, each with the first parameters it was given. */
  readonly measures: ReadonlyMap<MeasureRow, string | undefined>;
  readonly operands: readonly string[];
}

/** In the order in which an ambiguous beginning lists them. */
const optionSpecs: readonly GetoptOption[] = [
  { short: 'h', long: 'help', argument: false },
  { short: 'v', long: 'version', argument: false },
  { short: 'q', long: 'query_eval_wanted', argument: false },
  { short: 'm', long: 'measure', argument: true },
  { short: 'c', long: 'complete_rel_info_wanted', argument: false },
  { short: 'l', long: 'level_for_rel', argument: true },
  { short: 'n', long: 'nosummary', argument: false },
  { short: 'D', long: 'Debug_level', argument: true },
  { short: 'J', long: 'Judged_docs_only', argument: false },
  { short: 'N', long: 'Number_docs_in_coll', argument: true },
  { short: 'M', long: 'Max_retrieved_per_topic', argument: true },
  { short: 'R', long: 'Rel_info_format', argument: true },
  { short: 'T', long: 'Results_format', argument: true },
  // the short form takes no argument, the long one insists on it; neither does anything
  { short: 'o', long: 'Output_old_results_format', argument: false, longArgument: true },
  { short: 'Z', long: 'Zscore', argument: true },
];

/** What trec_eval prints when its arguments do not make sense. */
export const usage: string = `Usage: trec_eval [-h] [-q] {-m measure}* trec_rel_file trec_top_file
   -h: Give full help information, including other options
   -q: In addition to summary evaluation, give evaluation for each query
   -m: calculate and print measures indicated by 'measure'
       ('-m all_qrels' prints all qrels measures, '-m official' is default)
`;

/** Reads the command line, or quits as the tool does: for `-v`, for an option it does not know, for an unknown measure. */
export function parseOptions(argv: readonly string[], version: TrecEvalVersion): TrecEvalOptions {
  const rows = rowsOf(version);
  const measures = new Map<MeasureRow, string | undefined>();
  const options = {
    help: false,
    perTopic: false,
    summary: true,
    complete: false,
    level: 1,
    judgedOnly: false,
    collection: 0,
    depth: 2147483647,
    onlyTopic: undefined as string | undefined,
    relevanceFormat: 'qrels',
    resultsFormat: 'trec_results',
    zscorePath: undefined as string | undefined,
  };
  const actions: Readonly<Record<string, (argument: string) => void>> = {
    h: () => (options.help = true),
    v: () => {
      throw new Quit(0, `trec_eval version ${version.reported}\n`);
    },
    q: () => (options.perTopic = true),
    m: (argument) => addMeasure(argument, rows, measures),
    c: () => (options.complete = true),
    l: (argument) => (options.level = longOf(argument)),
    n: () => (options.summary = false),
    D: (argument) => (options.onlyTopic = argument.includes('.') ? argument.slice(argument.indexOf('.') + 1) : options.onlyTopic),
    J: () => (options.judgedOnly = true),
    N: (argument) => (options.collection = longOf(argument)),
    M: (argument) => (options.depth = longOf(argument)),
    R: (argument) => (options.relevanceFormat = argument),
    T: (argument) => (options.resultsFormat = argument),
    o: () => undefined,
    Z: (argument) => (options.zscorePath = argument),
  };
  const walked = walkOptions(argv.map(toByteText), optionSpecs, (spec, argument) => actions[spec.short](argument));
  if ('mistake' in walked) throw new Quit(1, `trec_eval: ${walked.mistake}\n${usage}`);
  if (measures.size === 0 && !options.help) for (const row of rowsNamed('official', rows) ?? []) measures.set(row, undefined);
  return { ...options, measures, operands: walked };
}

/** Takes down one `-m name[.parameters]`. */
function addMeasure(argument: string, rows: readonly MeasureRow[], measures: Map<MeasureRow, string | undefined>): void {
  const point = argument.indexOf('.');
  const name = point < 0 ? argument : argument.slice(0, point);
  const parameters = point < 0 ? undefined : argument.slice(point + 1);
  if (parameters === '') throw new Quit(1, `trec_eval: improper measure in parameter '${name}'\ntrec_eval: illegal measure '${name}'\n`);
  const named = rowsNamed(name, rows);
  if (named === undefined) throw new Quit(1, `trec_eval: illegal measure '${name}'\n`);
  for (const row of named) measures.set(row, measures.get(row) ?? (isNickname(name) ? undefined : parameters));
}
