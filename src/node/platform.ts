import { ScoreTable } from '../core/score-table.js';
import { readText } from '../core/text.js';
import type { Platform } from '../experiment/platform.js';
import type { RunScores, ScoringJob, ScoringStrategy } from '../experiment/score.js';
import type { ByteSource } from '../formats/source.js';
import { firstTrecTopic, ORDER_HEAD, trecOrderNotes } from '../formats/trec/order.js';
import { scoreColumns } from '../measures/plan.js';
import { evaluateBySpilling } from './engines/spill.js';
import { type FileSource, fileSource, readFirst } from './files.js';
import { tellRead } from './reading-watch.js';
import { scoreHeldParts, scoreHeldRun } from './streams/held-run.js';
import { evaluateRunFile, type StreamScores } from './streams/stream-evaluate.js';
import { evaluateRunFiles } from './streams/stream-files.js';
import { threadTeam, trainingTeam } from './threads/training-team.js';
import { gradusVersion } from './version.js';

function pathOf(source: ByteSource): string | undefined {
  return (source as Partial<FileSource>).path;
}

/** Runs that a program holds as columns are scored where they are. */
const held: ScoringStrategy = {
  async score({ held: content }, job) {
    if (content?.runParts !== undefined) return scoreHeldParts(content.runParts.name, content.runParts.columns(), job);
    return content?.runColumns && scoreHeldRun(content.runColumns, job);
  },
};

/** Threads read files themselves, and say how far they are. Bytes of files that others have to read again do not count.
 *  @param numUseless How many of the bytes these are. */
async function tellingRead<Job extends Pick<ScoringJob, 'onProgress'>, T>(
  job: Job,
  read: (job: Job) => Promise<T>,
  numUseless: (found: T, numTold: number) => number,
): Promise<T> {
  let told = 0;
  const onProgress = (done: number, total: number): void => {
    tellRead(done - told);
    told = done;
    job.onProgress?.(done, total);
  };
  const found = await read({ ...job, onProgress });
  tellRead(-Math.min(told, numUseless(found, told)));
  return found;
}

const allIfNone = (found: unknown, numTold: number): number => (found === undefined ? numTold : 0);

/** Plain TREC runs are read part by part, on all cores; many of them at the same time, each by one thread. */
const streaming: ScoringStrategy = {
  async score(source, { lenient: _, ...job }) {
    const path = pathOf(source);
    if (path === undefined) return undefined;
    const scores = await tellingRead({ ...job, path, grammar: 'strict' as const, comments: true }, evaluateRunFile, allIfNone);
    return scores && runScores(path, job, scores);
  },
  async scoreMany(sources, { lenient: _, ...job }) {
    const paths = sources.map((source) => pathOf(source) ?? '-');
    const unread = (found: readonly unknown[]): number =>
      sources.reduce((sum, { size = 0 }, r) => (found[r] === undefined ? sum + size : sum), 0);
    const found = await tellingRead({ ...job, paths, grammar: 'strict' as const, comments: true }, evaluateRunFiles, unread);
    return sources.map((__, r) => found[r] && runScores(paths[r], job, found[r]));
  },
};

function runScores(path: string, { qrels, measures }: Pick<ScoringJob, 'qrels' | 'measures'>, scores: StreamScores): RunScores {
  const { topics, answered, values, runTag, numLines } = scores;
  const names = Array.from(topics, (topic) => qrels.topics.text(topic));
  const head = readFirst(path, ORDER_HEAD);
  const tag = readText(runTag, 0, runTag.length);
  return {
    table: new ScoreTable([tag], names, scoreColumns(measures), values, trecOrderNotes(head)),
    numMissing: qrels.topics.size - answered.reduce((sum, one) => sum + one, 0),
    numRows: numLines,
    firstTopic: () => firstTrecTopic(head),
  };
}

/** Large TREC runs whose topics are scattered go to temporary files first, topic by topic. */
const spilling: ScoringStrategy = {
  async score(source, { lenient, ...job }) {
    const path = pathOf(source);
    if (path === undefined || lenient) return undefined;
    const scores = await tellingRead({ ...job, path }, evaluateBySpilling, allIfNone);
    if (scores === undefined) return undefined;
    const head = readFirst(path, ORDER_HEAD);
    return { ...scores, table: scores.table.withNotes(trecOrderNotes(head) ?? []), firstTopic: () => firstTrecTopic(head) };
  },
};

/** Files, threads and engines of this machine. */
export const nodePlatform: Platform = {
  source: fileSource,
  strategies: [held, streaming, spilling],
  engines: {
    duckdb: async (request) => await (await import('./engines/duckdb.js')).evaluateWithDuckdb(request),
    spark: async (request) => await (await import('./engines/spark.js')).evaluateWithSpark({ ...request, environment: process.env }),
  },
  trainingEngines: {
    spark: async (request) => await (await import('./engines/spark-training.js')).trainWithSpark({ ...request, environment: process.env }),
  },
  async readFeatures(source, options) {
    const { loadFeatures } = await import('./letor/load-features.js');
    return await loadFeatures(source, options);
  },
  trainingTeam,
  threadTeam,
  async sha256(chunks) {
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    for await (const chunk of chunks) hash.update(chunk);
    return hash.digest('hex');
  },
  resample: async (steps, threads) => await (await import('./threads/resample.js')).inThreads(steps, { threads }),
  get version() {
    return gradusVersion();
  },
};
