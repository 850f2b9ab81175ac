import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hashBytes } from '../../core/hash.js';
import { sortedIds } from '../../core/ids.js';
import { type JudgingRules, judgedTopicsAnswered } from '../../core/judging/judge.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import { type Run, toRun } from '../../core/run.js';
import { emptyScores, ScoreTable } from '../../core/score-table.js';
import { startsWith } from '../../formats/compression.js';
import { inferFormat } from '../../formats/recognise.js';
import { openSource, plainChunks } from '../../formats/source.js';
import { byteOrderMark } from '../../formats/text/text-start.js';
import { WholeLines } from '../../formats/text/whole-lines.js';
import { evaluator } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { type PlanOptions, scoreColumns } from '../../measures/plan.js';
import { cannotKeepTemporaryFiles, withTemporaryFolder } from '../cleanup.js';
import { fileSource } from '../files.js';
import { loadRun } from '../load.js';

/** Files below this many bytes are read into memory as they are. */
export const SPILL_FROM: number = 256 << 20;
/** About how many bytes of text are evaluated at a time. In memory they become about three times as much. */
const PART_SIZE = 48 << 20;
const MOST_PARTS = 512;
const LEAST_PARTS = 2;
/** Files that others may have to open while the parts are open. */
const SPARE_FILES = 8;
const BUFFER_SIZE = 1 << 17;
const LINE_END = 10;

/** A run too large for memory, to be divided by topics on disk and scored part by part. */
export interface SpillRequest {
  readonly path: string;
  readonly qrels: Qrels;
  readonly measures: readonly Measure[];
  readonly rules: JudgingRules;
  readonly planOptions: PlanOptions;
  /** Bytes from which on a file is too large for memory, and bytes of each part, if others are wanted. */
  readonly from?: number | undefined;
  readonly partSize?: number | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** The scores of a run that was divided on disk. */
export interface SpillScores {
  readonly table: ScoreTable;
  readonly numMissing: number;
  readonly numRows: number;
}

/** Evaluates a large TREC run whose topics are scattered over the file: lines go to temporary files by their topic, so that all
 *  lines of a topic are in one of them, and these are evaluated one after another. The answer is undefined if the file is not
 *  large, not a plain TREC run, or not right in some line; then the thorough reader has to take it in whole, or to say what is
 *  wrong. */
export async function evaluateBySpilling(request: SpillRequest): Promise<SpillScores | undefined> {
  const { path, partSize = PART_SIZE } = request;
  const size = sizeOf(path);
  if (size < (request.from ?? SPILL_FROM) || !(await isTrecRun(path))) return undefined;
  return await withTemporaryFolder('spill', async (folder) => {
    const parts = new Parts(folder, Math.min(MOST_PARTS, Math.max(LEAST_PARTS, Math.ceil(size / partSize))));
    try {
      await scatter(request, parts, size);
      return await evaluateParts(request, parts.finish(), size);
    } catch (error) {
      // the numbers of lines would be those of the parts
      if (error instanceof InputError && !(error instanceof NoRoomError)) return undefined;
      throw error;
    } finally {
      parts.close();
    }
  });
}

/** Temporary files cannot be written: the file is right all the same, and too large to be read in another way. */
class NoRoomError extends InputError {}

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.size : 0;
  } catch {
    return 0;
  }
}

async function isTrecRun(path: string): Promise<boolean> {
  const { start, close } = await openSource(fileSource(path));
  await close();
  return inferFormat(path, start, ['run']).format.name === 'trec-run';
}

/** The temporary files, and what has not been written to them yet. */
class Parts {
  readonly count: number;
  private readonly paths: string[];
  private readonly files: number[] = [];
  private readonly buffers: Uint8Array[];
  /** Bytes in each buffer, at most its size. */
  private readonly filled: Uint32Array;
  private readonly isUsed: Uint8Array;

  /** Opens so many files, or as many as may be open. */
  constructor(folder: string, mostParts: number) {
    const pathOf = (part: number): string => join(folder, `part-${part}.run`);
    try {
      while (this.files.length < mostParts) this.files.push(openSync(pathOf(this.files.length), 'w'));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const enough = (code === 'EMFILE' || code === 'ENFILE') && this.files.length >= LEAST_PARTS + SPARE_FILES;
      for (const file of this.files.splice(enough ? -SPARE_FILES : 0)) closeSync(file);
      if (!enough) throw noRoom(error);
    }
    const count = this.files.length;
    this.count = count;
    this.paths = Array.from({ length: count }, (_, part) => pathOf(part));
    this.buffers = this.paths.map(() => new Uint8Array(BUFFER_SIZE)); // fits: bytes
    this.filled = new Uint32Array(count); // fits: at most BUFFER_SIZE
    // readers leave out the mark at the start of a file, and one at the start of a later line is a part of the topic
    for (const buffer of this.buffers) buffer.set(byteOrderMark);
    this.filled.fill(byteOrderMark.length);
    this.isUsed = new Uint8Array(count); // fits: flags
  }

  /** Adds the bytes from `start` to `end`, which are whole lines. */
  add(part: number, bytes: Uint8Array, start: number, end: number): void {
    this.isUsed[part] = 1;
    if (this.filled[part] + end - start > BUFFER_SIZE) this.flush(part);
    if (end - start > BUFFER_SIZE) {
      write(this.files[part], bytes.subarray(start, end));
      return;
    }
    this.buffers[part].set(bytes.subarray(start, end), this.filled[part]);
    this.filled[part] += end - start;
  }

  private flush(part: number): void {
    write(this.files[part], this.buffers[part].subarray(0, this.filled[part]));
    this.filled[part] = 0;
  }

  /** Writes what is left, and answers with the paths of the files that hold something. */
  finish(): readonly string[] {
    for (let part = 0; part < this.count; part++) this.flush(part);
    this.close();
    return this.paths.filter((_, part) => this.isUsed[part] === 1);
  }

  close(): void {
    let failure: NoRoomError | undefined;
    for (const file of this.files.splice(0)) {
      try {
        closeSync(file);
      } catch (error) {
        failure = noRoom(error);
      }
    }
    if (failure !== undefined) throw failure;
  }
}

function noRoom(error: unknown): NoRoomError {
  return new NoRoomError(cannotKeepTemporaryFiles(error).problems);
}

function write(file: number, bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
  } catch (error) {
    throw noRoom(error);
  }
}

/** Sends each line to the part of its topic. Neighbouring lines of one topic go together. */
async function scatter({ path, onProgress }: SpillRequest, parts: Parts, size: number): Promise<void> {
  let isFirst = true;
  const lines = new WholeLines(
    (bytes, start, end) => {
      // a byte order mark is no part of the first topic, whose other lines would go elsewhere
      const from = isFirst && startsWith(bytes.subarray(start, end), byteOrderMark) ? start + byteOrderMark.length : start;
      isFirst = false;
      if (from < end) scatterLines(parts, bytes, from, end);
    },
    (message) => new InputError({ source: path, message }),
  );
  let done = 0;
  for await (const chunk of plainChunks(fileSource(path))) {
    lines.push(chunk);
    done += chunk.length;
    onProgress?.(Math.min(done, size) / 2, size);
    // a signal is only heard between two turns
    await setImmediate();
  }
  lines.finish();
}

/** Sends these bytes, which are whole lines. */
function scatterLines(parts: Parts, bytes: Uint8Array, from: number, to: number): void {
  let stretchStart = from;
  let stretchPart = -1;
  let start = from;
  while (start < to) {
    const end = bytes.indexOf(LINE_END, start);
    const part = partOf(bytes, start, end, parts.count);
    if (part !== stretchPart) {
      if (stretchPart >= 0) parts.add(stretchPart, bytes, stretchStart, start);
      stretchPart = part;
      stretchStart = start;
    }
    start = end + 1;
  }
  parts.add(stretchPart, bytes, stretchStart, to);
}

/** The part of a line, by its first field. */
function partOf(bytes: Uint8Array, start: number, end: number, count: number): number {
  let from = start;
  while (from < end && bytes[from] <= 32) from++;
  let to = from;
  while (to < end && bytes[to] > 32) to++;
  return hashBytes(bytes, from, to) % count;
}

async function evaluateParts(request: SpillRequest, paths: readonly string[], size: number): Promise<SpillScores> {
  const { qrels, measures, rules, planOptions, onProgress } = request;
  const answered = evaluator(qrels, measures, { ...rules, ...planOptions, missingTopics: 'skip', unrelated: 'accept' });
  const rows = new Map<string, Float64Array>();
  let name = '';
  let numRows = 0;
  let numAnswered = 0;
  for (const [part, path] of paths.entries()) {
    onProgress?.(size / 2 + (part * size) / paths.length / 2, size);
    await setImmediate();
    const { run } = await loadRun(path, { format: 'trec-run' });
    keepRows(answered.evaluate(run), rows);
    name = run.name;
    numRows += run.scores.length;
    numAnswered += judgedTopicsAnswered(qrels, run);
  }
  const numMissing = qrels.topics.size - numAnswered;
  if (rules.missingTopics !== 'skip' && numMissing > 0) {
    const unanswered = new Map<string, Float64Array>();
    keepRows(evaluator(qrels, measures, { ...rules, ...planOptions, unrelated: 'accept' }).evaluate(emptyRun()), unanswered);
    for (const [topic, values] of unanswered) if (!rows.has(topic)) rows.set(topic, values);
  }
  return { table: tableOf(request, rows, name), numMissing, numRows };
}

function emptyRun(): Run {
  return toRun({}, 'nothing');
}

function keepRows({ topics, columns, values }: ScoreTable, rows: Map<string, Float64Array>): void {
  for (const [t, topic] of topics.entries()) rows.set(topic, values.slice(t * columns.length, (t + 1) * columns.length));
}

/** Topics in the order of the judgements' ids, as everywhere. */
function tableOf({ qrels, measures }: SpillRequest, rows: ReadonlyMap<string, Float64Array>, name: string): ScoreTable {
  const topics = Array.from(sortedIds(qrels.topics), (topic) => qrels.topics.text(topic)).filter((topic) => rows.has(topic));
  const values = emptyScores(1, topics.length, measures.length);
  for (const [t, topic] of topics.entries()) values.set(rows.get(topic) ?? [], t * measures.length);
  return new ScoreTable([name], topics, scoreColumns(measures), values);
}
