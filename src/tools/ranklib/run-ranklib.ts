import type { RankLibVersion } from '../../conventions/ranklib-versions.js';
import { formatJava } from '../../core/numbers/print.js';
import { bytesOf, toByteText } from '../byte-text.js';
import { linesOf, readFileText, runTool, ToolExit, type ToolHost } from '../host.js';
import { linearScores, readLinearModel } from './linear-model.js';
import { javaNumber, normalize, type RankList, readRankLists, readScores } from './lists.js';
import { type Judgements, type MetricScorer, makeScorer } from './metrics.js';
import { parseRankLibOptions, type RankLibOptions } from './options.js';

/** Gives every document of a list its score. */
export type ListScorer = (list: RankList) => Float64Array;

/** Reads a model file; linear ones are read here, and whoever knows more kinds can say so. */
export type ReadListScorer = (host: ToolHost, path: string) => ListScorer;

/** Reads a linear model, whose sum runs in the order of the file. */
export const readLinear: ReadListScorer = (host, path) => {
  const model = readLinearModel(host, path);
  return (list) => linearScores(model, list);
};

/** Behaves as the evaluating part of RankLib does: `-test` with a metric, `-rank` with a model. */
export async function runRankLib(
  argv: readonly string[],
  version: RankLibVersion,
  host: ToolHost,
  readModel: ReadListScorer = readLinear,
): Promise<number> {
  return await runTool(host, () => {
    const console = new Console();
    try {
      run(parseRankLibOptions(argv, version), version, host, readModel, console);
    } catch (error) {
      if (!(error instanceof ToolExit)) throw error;
      throw new ToolExit(error.exitCode, { out: console.text + error.out, err: error.err });
    }
    return console.text;
  });
}

class Console {
  text = '';

  line(text: string): void {
    this.text += `${text}\n`;
  }
}

function run(options: RankLibOptions, version: RankLibVersion, host: ToolHost, readModel: ReadListScorer, console: Console): void {
  console.line('');
  console.line('Discard orig. features');
  const judgements = options.qrel === undefined ? undefined : readJudgements(host, options.qrel);
  if (judgements !== undefined) {
    // once for the metric of training and once for that of testing
    const loaded = `Relevance judgment file loaded. [#q=${judgements.size}]`;
    console.line(loaded);
    console.line(loaded);
  }
  console.line(`Model file:\t${toByteText(options.models.at(-1) ?? '')}`);
  console.line(`Feature normalization: ${options.norm ?? 'No'}`);
  const models = options.models.map((path) => readModel(host, path));
  if (options.rank !== undefined) {
    rankFile(options.rank, options, models, host, console);
    return;
  }
  const scorer = makeScorer(options.metric, { version, gmax: options.gmax, judgements });
  console.line(`Test metric:\t${scorer.name}`);
  testFile(options, models, scorer, version, host, console);
}

function readLists(path: string, options: RankLibOptions, withFeatures: boolean, host: ToolHost, console: Console): RankList[] {
  const shown = toByteText(path);
  console.text += `\rReading feature file [${shown}]: 0... `;
  const all = readRankLists(host, path, withFeatures);
  const lists = options.dropsHopeless ? all.filter(({ labels }) => labels.some((label) => label > 0)) : all;
  console.line(`\rReading feature file [${shown}]... [Done.]            `);
  const entries = lists.reduce((sum, { labels }) => sum + labels.length, 0);
  console.line(`(${lists.length} ranked lists, ${entries} entries read)`);
  if (options.norm !== undefined) for (const list of lists) normalize(list, options.norm);
  return lists;
}

function testFile(
  options: RankLibOptions,
  models: readonly ListScorer[],
  scorer: MetricScorer,
  version: RankLibVersion,
  host: ToolHost,
  console: Console,
): void {
  const lists = readLists(options.test ?? '', options, models.length > 0, host, console);
  const byScoreFile = options.score !== undefined && models.length === 0;
  const ranked = byScoreFile ? rankedByScores(lists, readScores(host, options.score ?? '')) : rankedByModels(lists, models);
  const ids = lists.map(({ id }) => id);
  const values = ranked.map((labels, q) => scorer.score(ids[q], labels));
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  const perList = options.idv !== undefined && !byScoreFile;
  if (perList && !version.idvFile)
    for (const [q, value] of values.entries()) console.line(`${scorer.name}   ${ids[q]}   ${rounded(value, 4)}`);
  console.line(`${scorer.name} on test data: ${rounded(mean, 4)}`);
  if (perList && version.idvFile) {
    let text = '';
    for (const [q, value] of [...values, mean].entries()) text += `${scorer.name}   ${ids[q] ?? 'all'}   ${formatJava(value)}\n`;
    writeFile(host, options.idv ?? '', text);
    console.line(`Per-ranked list performance saved to: ${toByteText(options.idv ?? '')}`);
  }
}

/** Scores belong to the lists in their order, even if lists were dropped: then all further lists get those of others. */
function rankedByScores(lists: readonly RankList[], scores: Float64Array): Float64Array[] {
  let from = 0;
  return lists.map(({ labels }) => {
    if (from + labels.length > scores.length) {
      throw new ToolExit(1, {
        err: `Exception in thread "main" java.lang.IndexOutOfBoundsException: Index ${scores.length} out of bounds for length ${scores.length}\n`,
      });
    }
    const part = scores.subarray(from, from + labels.length);
    from += labels.length;
    return inOrder(labels, descending(part));
  });
}

function rankedByModels(lists: readonly RankList[], models: readonly ListScorer[]): Float64Array[] {
  return lists.map((list, q) => {
    const model = modelOf(models, q, lists.length);
    return model === undefined ? list.labels : inOrder(list.labels, descending(model(list)));
  });
}

/** Several models share the lists in equal runs, the remainder going to the last. */
function modelOf(models: readonly ListScorer[], q: number, numLists: number): ListScorer | undefined {
  const share = Math.max(1, Math.floor(numLists / models.length));
  return models[Math.min(models.length - 1, Math.floor(q / share))];
}

/** Places in descending order of score, equal ones in their own order. */
function descending(scores: Float64Array): Uint32Array {
  return Uint32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b); // fits: entries
}

function inOrder(labels: Float64Array, order: Uint32Array): Float64Array {
  return Float64Array.from(order, (d) => labels[d]);
}

function rankFile(path: string, options: RankLibOptions, models: readonly ListScorer[], host: ToolHost, console: Console): void {
  const lists = readLists(path, options, true, host, console);
  let text = '';
  if (options.score !== undefined) {
    if (models.length === 0) throw new ToolExit(1, { out: '-rank with -score needs a model: -load FILE\n' });
    lists.forEach((list, q) => {
      const model = modelOf(models, q, lists.length);
      if (model === undefined) return;
      for (const [d, score] of model(list).entries()) text += `${list.id}\t${d}\t${formatJava(score)}\n`;
    });
    writeFile(host, options.score, text);
    return;
  }
  if (options.indri === undefined) throw new ToolExit(1, { out: '-rank needs -score FILE or -indri FILE\n' });
  lists.forEach((list, q) => {
    const model = modelOf(models, q, lists.length);
    const scores = model === undefined ? list.labels.map((_, d) => 1 - 0.0001 * d) : model(list);
    descending(scores).forEach((d, i) => {
      const docno = list.comments[d].replace('#', '').trim();
      text += `${list.id} Q0 ${docno} ${i + 1} ${rounded(scores[d], 5)} indri\n`;
    });
  });
  writeFile(host, options.indri, text);
}

function writeFile(host: ToolHost, path: string, text: string): void {
  if (!host.write(path, bytesOf(text))) throw new ToolExit(1, { err: `Error writing file: ${toByteText(path)}\n` });
}

/** Rounded half up and printed as Java does, without trailing zeros. */
export function rounded(value: number, decimals: number): string {
  const factor = 10 ** decimals;
  return formatJava(Math.floor(value * factor + 0.5) / factor);
}

/** A file of judgements: query, anything, document, label. */
function readJudgements(host: ToolHost, path: string): Judgements {
  const text = readFileText(host, path);
  if (text === undefined) throw new ToolExit(1, { err: `Error reading file: ${toByteText(path)}\n` });
  const judgements = new Map<string, number[]>();
  for (const line of linesOf(text)) {
    const words = line.split(/[ \t\r]+/).filter((word) => word !== '');
    if (words.length < 4) continue;
    const labels = judgements.get(words[0]) ?? [];
    labels.push(Math.trunc(javaNumber(words[3])));
    judgements.set(words[0], labels);
  }
  return judgements;
}
