import { findTrecEvalVersion, type TrecEvalVersion, trecEvalVersions } from '../../conventions/trec-eval-versions.js';
import { hashBytes } from '../../core/hash.js';
import { sortedIds } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import { bytesOf, fromByteText } from '../byte-text.js';
import { type Column, makeColumns } from './columns.js';
import { repeatsListedDoc, withDistinctDocs } from './doc-column.js';
import { evaluateTopics, hasJudgement, judgingRules, planCourse, topicNotFound } from './evaluate-topics.js';
import type { FastMeans, TrecEvalHost } from './host.js';
import { rowsOf } from './measure-table.js';
import { parseOptions, type TrecEvalOptions, usage } from './options.js';
import { printTable } from './print-table.js';
import { Quit } from './quit.js';
import { type RelevanceFormat, readRelevance, relevanceFormats } from './relevance-file.js';
import { placeholderDoc, readResults } from './results-file.js';
import { adjustValues, layOut, summarize, type ValueTable } from './value-table.js';
import { readZscores, type Zscores } from './zscore-file.js';

/** Behaves as one version of trec_eval does, byte for byte: `argv` is its command line without the program's name. */
export async function runTrecEval(argv: readonly string[], versionName: string, host: TrecEvalHost): Promise<{ exitCode: number }> {
  const version = findTrecEvalVersion(versionName);
  if (version === undefined) {
    throw new InputError({
      message: `there is no trec_eval ${versionName} here`,
      wayOut: `the versions are ${trecEvalVersions.map(({ name }) => name).join(', ')}`,
    });
  }
  try {
    await run(argv, version, host);
    return { exitCode: 0 };
  } catch (error) {
    if (!(error instanceof Quit)) throw error;
    await host.writeErr(bytesOf(error.output));
    return { exitCode: error.exitCode };
  }
}

async function run(argv: readonly string[], version: TrecEvalVersion, host: TrecEvalHost): Promise<void> {
  const options = parseOptions(argv, version);
  if (options.help) {
    // the words of the reference are needed for nothing else
    const { helpText } = await import('./help.js');
    await host.writeOut(bytesOf(helpText(options, version)));
    return;
  }
  if (options.operands.length !== 2) throw new Quit(1, usage);
  const [relevancePath, resultsPath] = options.operands;
  const format = relevanceFormats.find(({ name }) => name === options.relevanceFormat);
  if (format === undefined) throw new Quit(2, `trec_eval: Illegal rel_format '${options.relevanceFormat}'\n`);
  const means = isStdin(resultsPath, version) ? undefined : await host.prepareFast?.(fromByteText(resultsPath));
  try {
    await evaluateFiles(relevancePath, resultsPath, format, options, version, host, means);
  } finally {
    await means?.close();
  }
}

async function evaluateFiles(
  relevancePath: string,
  resultsPath: string,
  format: RelevanceFormat,
  options: TrecEvalOptions,
  version: TrecEvalVersion,
  host: TrecEvalHost,
  means: FastMeans | undefined,
): Promise<void> {
  const qrels = readRelevance(host.read(fromByteText(relevancePath)), relevancePath, format, version);
  if (options.resultsFormat !== 'trec_results') {
    throw new Quit(2, `trec_eval: Illegal retrieval results format '${options.resultsFormat}'\n`);
  }

  // these are looked at after the results file, and what is wrong with it comes first
  const prepared = prepare(options, version, host);
  const table =
    (prepared instanceof Quit ? undefined : await tableFast(qrels, resultsPath, prepared.columns, format, options, version, host, means)) ??
    tableInFull(withDistinctDocs(qrels), resultsPath, prepared, format, options, version, host);
  if (prepared instanceof Quit) throw prepared;
  await report(table, qrels, prepared.zscores, options, host);
}

interface Prepared {
  readonly zscores: Zscores | undefined;
  readonly columns: readonly Column[];
}

function prepare(options: TrecEvalOptions, version: TrecEvalVersion, host: TrecEvalHost): Prepared | Quit {
  try {
    const path = options.zscorePath;
    const zscores = path === undefined ? undefined : readZscores(host.read(fromByteText(path)), path, version);
    return { zscores, columns: makeColumns(options, rowsOf(version), version) };
  } catch (error) {
    if (error instanceof Quit) return error;
    throw error;
  }
}

/** The most grades of a ranking that are worth computing one by one. */
const LONGEST_FAST_STRING = 100;

/** The values by the host's faster way, if it has one and this is an ordinary request. */
async function tableFast(
  qrels: Qrels,
  resultsPath: string,
  columns: readonly Column[],
  format: RelevanceFormat,
  options: TrecEvalOptions,
  version: TrecEvalVersion,
  host: TrecEvalHost,
  means: FastMeans | undefined,
): Promise<ValueTable | undefined> {
  if (host.evaluateFast === undefined || format.source !== 'ranking' || options.onlyTopic !== undefined) return undefined;
  if (isStdin(resultsPath, version)) return undefined;
  const { quitBefore, quitAfter } = planCourse(columns, format.source);
  if (quitBefore !== undefined || quitAfter !== undefined) return undefined;
  if (columns.some(({ stringLength = 0 }) => stringLength > LONGEST_FAST_STRING)) return undefined;
  for (let topic = 0; topic < qrels.topics.size; topic++) if (!hasJudgement(qrels, topic)) return undefined;
  const rules = judgingRules(options, version, format.source);
  if (rules.missingTopics === 'placeholder' && qrels.docs.hashes.indexOf(hashBytes(placeholderDoc, 0, placeholderDoc.length)) >= 0)
    return undefined;
  if (repeatsListedDoc(qrels)) return undefined;

  const layout = layOut(columns, LONGEST_FAST_STRING);
  const request = { qrels, resultsPath: fromByteText(resultsPath), measures: layout.measures, rules, comments: version.comments };
  const result = await host.evaluateFast({ ...request, options: { undefinedAs: 'nan' } }, means);
  if (result === undefined) return undefined;
  const table: ValueTable = { ...result, layout, quit: undefined };
  if (version.missingTopic === 'skip' || rules.missingTopics !== 'skip' || result.topics.length === qrels.topics.size) return table;
  // the first topic that the results lack ends the run
  const judged = sortedIds(qrels.topics);
  const numBefore = result.topics.findIndex((topic, t) => topic !== judged[t]);
  const numTopics = numBefore < 0 ? result.topics.length : numBefore;
  return { ...table, topics: result.topics.subarray(0, numTopics), quit: topicNotFound(qrels.topics, judged[numTopics]) };
}

/** The values by reading the whole results file, with every complaint the tool has. */
function tableInFull(
  qrels: Qrels,
  resultsPath: string,
  prepared: Prepared | Quit,
  format: RelevanceFormat,
  options: TrecEvalOptions,
  version: TrecEvalVersion,
  host: TrecEvalHost,
): ValueTable {
  const stdin = isStdin(resultsPath, version) ? host.readStdin() : undefined;
  const file = stdin === undefined ? host.read(fromByteText(resultsPath)) : stdin.length > 0 ? stdin : undefined;
  const fillMissing = judgingRules(options, version, format.source).missingTopics === 'placeholder';
  const results = readResults(file, resultsPath, qrels, fillMissing, version);
  if (prepared instanceof Quit) throw prepared;
  return evaluateTopics(qrels, results, prepared.columns, format.source, options, version);
}

function isStdin(resultsPath: string, version: TrecEvalVersion): boolean {
  return version.dashIsStdin && resultsPath.startsWith('-');
}

async function report(
  table: ValueTable,
  qrels: Qrels,
  zscores: Zscores | undefined,
  options: TrecEvalOptions,
  host: TrecEvalHost,
): Promise<void> {
  const { quit } = table;
  if (quit?.losesOutput) throw quit;
  if (quit === undefined && table.topics.length === 0) {
    throw new Quit(7, 'trec_eval: No queries with both results and relevance info\n');
  }
  adjustValues(table, qrels.topics, zscores);
  const summary =
    quit === undefined && options.summary
      ? summarize(table, { complete: options.complete, numJudgedTopics: qrels.topics.size, numPositive: countPositive(qrels) })
      : undefined;
  await printTable(table, qrels.topics, { perTopic: options.perTopic, summary, zscores: zscores !== undefined }, host);
  if (quit !== undefined) throw quit;
}

function countPositive({ grades }: Qrels): number {
  let count = 0;
  for (let row = 0; row < grades.length; row++) if (grades[row] > 0) count++;
  return count;
}
