import { fstatSync, openSync, readSync, statSync } from 'node:fs';
import { evaluationLimits } from '../../core/evaluation-limits.js';
import { tableFromParts } from '../../core/id-columns.js';
import { type JudgingRules, repeatsJudgement } from '../../core/judging/judge.js';
import type { Qrels } from '../../core/qrels.js';
import { SharedParts, wordsForParts } from '../../core/shared-parts.js';
import { startsWith } from '../../formats/compression.js';
import { byteOrderMark } from '../../formats/text/text-start.js';
import type { Measure } from '../../measures/measure.js';
import type { PlanOptions } from '../../measures/plan.js';
import { closeRead, isSystemError, refuseChanged } from '../reading.js';
import type { WorkerTeam } from '../threads/team.js';
import { numThreads } from '../threads/threads.js';
import { beginsScattered, scoreScattered } from './scattered-run.js';
import {
  canBeSent,
  fileInput,
  type RunGrammar,
  StreamEvaluator,
  type StreamResult,
  type StreamTask,
  type StreamWork,
  sent,
} from './stream-task.js';
import { finishRows, valueRows } from './topic-scores.js';

/** A run's file to be scored without being held in memory. */
export interface StreamRequest {
  readonly path: string;
  readonly qrels: Qrels;
  /** True if the caller has seen that no topic of the judgements names a document twice. */
  readonly judgedOnce?: boolean | undefined;
  readonly measures: readonly Measure[];
  readonly rules: JudgingRules;
  readonly planOptions?: PlanOptions | undefined;
  readonly grammar: RunGrammar;
  readonly comments: boolean;
  /** How many threads may work; all cores by default. */
  readonly threads?: number | undefined;
  /** About how many bytes a thread takes at a time; 8 MiB by default. */
  readonly partSize?: number | undefined;
  /** Files below this size are read by one thread; 24 MiB by default. */
  readonly aloneBelow?: number | undefined;
  /** Files below this size are held in memory where the lines of their topics are not together; 256 MiB by default. */
  readonly groupedBelow?: number | undefined;
  /** How many parts a thread takes at most; no limit by default. With 1 and as many parts as threads, every thread
   *  has to take one, as fast as the first may be. */
  readonly partsPerThread?: number | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** The scores of a run that was read as a stream. */
export interface StreamScores {
  /** Topic numbers of the qrels in ascending byte order of their ids. */
  readonly topics: Uint32Array;
  /** 1 for the topics that the run answers. */
  readonly answered: Uint8Array;
  /** The values of each topic, one after another. */
  readonly values: Float64Array;
  /** The run tag on the last line. */
  readonly runTag: Uint8Array;
  readonly numLines: number;
}

/** Files below this size are read by one thread: starting another takes longer than the work. */
export const ALONE_BELOW: number = 24 << 20;
const PART_SIZE = 8 << 20;
/** What is looked at of a file before threads are started for it. */
const SCATTERED_HEAD = 1 << 15;
/** Lines are held with their text, and with 48 bytes each: about three times the size of the file. */
const GROUPED_BELOW = 256 << 20;

/** Starts the threads for a file that is to be evaluated, so that they are there when the judgements have been read. The answer is
 *  undefined for a file that one thread reads alone, or that cannot be opened. */
export async function threadsFor(path: string): Promise<WorkerTeam | undefined> {
  const threads = threadsWorthwhile(path);
  if (threads < 2) return undefined;
  const team = (await import('../threads/team.js')).createTeam(threads);
  team.prepare(streamWorker());
  return team;
}

function threadsWorthwhile(path: string): number {
  try {
    const stat = statSync(path);
    const threads = stat.isFile() ? threadsForSize(stat.size, {}) : 1;
    if (threads < 2) return 1;
    const file = openSync(path, 'r');
    try {
      return beginsScattered(firstBytes(file)) ? 1 : threads;
    } finally {
      closeRead(file);
    }
  } catch (error) {
    // what is wrong with the file is said by whoever reads it
    if (isSystemError(error)) return 1;
    throw error;
  }
}

function firstBytes(file: number): Uint8Array {
  const head = new Uint8Array(SCATTERED_HEAD); // fits: bytes
  return head.subarray(0, readSync(file, head, 0, head.length, 0));
}

function streamWorker(): URL {
  return new URL('./stream-worker.js', import.meta.url);
}

function threadsForSize(size: number, request: Pick<StreamRequest, 'threads' | 'partSize' | 'aloneBelow'>): number {
  if (size < (request.aloneBelow ?? ALONE_BELOW)) return 1;
  return Math.min(numThreads(request.threads), Math.ceil(size / (request.partSize ?? PART_SIZE)));
}

/** Evaluates a run file without ever holding it in memory, on all cores. This works for files as systems write them: every
 *  line right, no document twice. Where the lines of a topic are not together, a file that is not very large is held in memory and
 *  grouped. For any other file the answer is undefined, and the thorough reader has to say what is wrong with it, or sort it.
 *  @param team  other threads to use than those that are started for a large file */
export async function evaluateRunFile(request: StreamRequest, team?: Pick<WorkerTeam, 'run'>): Promise<StreamScores | undefined> {
  const opened = openRun(request);
  if (opened === undefined) return undefined;
  try {
    return opened.checked(await evaluateOpenFile(request, opened, team));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    closeRead(opened.file);
  }
}

/** The same by the calling thread alone, at once. */
export function evaluateRunFileAlone(request: StreamRequest): StreamScores | undefined {
  const opened = openRun(request);
  if (opened === undefined) return undefined;
  try {
    const work = workOn(request, opened);
    return opened.checked(scoresOf(request, opened, work, [evaluateParts(request, opened, work)]));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    closeRead(opened.file);
  }
}

/** A run's file that can be read from anywhere. */
interface OpenRun {
  readonly file: number;
  readonly size: number;
  /** Refuses scores of a file that was changed meanwhile. */
  checked(scores: StreamScores | undefined): StreamScores | undefined;
}

function openRun({ path, qrels, measures, judgedOnce = false }: StreamRequest): OpenRun | undefined {
  // whoever reads the run whole refuses so many scores, if they are of topics that it answers
  if (qrels.topics.size * measures.length > evaluationLimits.scores) return undefined;
  let file: number;
  try {
    // a pipe that was opened and closed again has lost its writer
    if (path === '-' || statSync(path).isFile() === false) return undefined;
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (stat.isFile() && stat.size > 0 && (judgedOnce || !repeats(qrels))) {
      const checked = (scores: StreamScores | undefined): StreamScores | undefined => {
        if (scores !== undefined) refuseChanged(path, file, stat);
        return scores;
      };
      return { file, size: stat.size, checked };
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  closeRead(file);
  return undefined;
}

/** Whether judgements name a document twice, found once for all the runs that are judged by them. */
const knownToRepeat = new WeakMap<Qrels, boolean>();

function repeats(qrels: Qrels): boolean {
  const known = knownToRepeat.get(qrels) ?? repeatsJudgement(qrels);
  knownToRepeat.set(qrels, known);
  return known;
}

/** The parts of the file, put up to be taken. */
function workOn(
  { qrels, measures, rules, planOptions = {}, grammar, comments, partsPerThread = Infinity, partSize = PART_SIZE }: StreamRequest,
  { file, size }: OpenRun,
): StreamWork {
  const boundaries = findBoundaries(file, size, partSize, grammar);
  const control = wordsForParts();
  new SharedParts(control).offer(boundaries.length - 1);
  const rows = valueRows(qrels.topics, measures.length);
  return { grammar, comments, boundaries, rules, planOptions, control, rows, partsPerThread };
}

/** What the calling thread finds, taking parts as others may do. */
function evaluateParts({ measures, qrels, onProgress }: StreamRequest, { file, size }: OpenRun, work: StreamWork): StreamResult {
  const evaluator = new StreamEvaluator(work, measures, qrels);
  const parts = new SharedParts(work.control);
  evaluator.work((from) => fileInput(file, from), onProgress && (() => onProgress(Math.min(parts.done * 2 ** 20, size), size)));
  return evaluator.result();
}

async function evaluateOpenFile(
  request: StreamRequest,
  opened: OpenRun,
  team: Pick<WorkerTeam, 'run'> | undefined,
): Promise<StreamScores | undefined> {
  const { measures } = request;
  const { file, size } = opened;
  const threads = threadsForSize(size, request);
  const work = workOn(request, opened);
  if (threads < 2 || !canBeSent(measures) || (size < GROUPED_BELOW && beginsScattered(firstBytes(file)))) {
    return scoresOf(request, opened, work, [evaluateParts(request, opened, work)]);
  }
  const started = team === undefined ? (await import('../threads/team.js')).createTeam(threads) : undefined;
  try {
    const task: StreamTask = { ...work, file, ...sent(request) };
    const others = (team ?? started)?.run(streamWorker(), task) as Promise<readonly StreamResult[]>;
    // a failure elsewhere shows when the others are awaited
    others.catch(() => undefined);
    const own = evaluateParts(request, opened, work);
    return scoresOf(request, opened, work, [own, ...(await others)]);
  } finally {
    await started?.close();
  }
}

/** Puts together what the threads have found. */
function scoresOf(
  request: StreamRequest,
  { file, size }: OpenRun,
  work: StreamWork,
  results: readonly StreamResult[],
): StreamScores | undefined {
  const numAll = work.boundaries.length - 1;
  if (new SharedParts(work.control).isStopped) {
    return results.some((result) => result.isScattered) ? fromScattered(request, work, file, size) : undefined;
  }
  const numParts = results.reduce((sum, result) => sum + result.numParts, 0);
  if (numParts !== numAll) throw new Error(`${numParts} of ${numAll} parts were evaluated`);
  if (haveCommonTopic(results)) return fromScattered(request, work, file, size);
  const scores = finished(request, work, results);
  // a file without a single line is refused by whoever reads it whole
  return scores.numLines === 0 ? undefined : scores;
}

/** The same for a file whose topics are not together, if it is not too large to be held in memory. */
function fromScattered(request: StreamRequest, work: StreamWork, file: number, size: number): StreamScores | undefined {
  if (size >= (request.groupedBelow ?? GROUPED_BELOW)) return undefined;
  const { measures, qrels } = request;
  // others may have met topics that their lines were not all of
  work.rows.answered.fill(0);
  const result = scoreScattered(work, measures, qrels, wholeText(file, work.boundaries[0], size));
  return result && finished(request, work, [result]);
}

function wholeText(file: number, from: number, size: number): Uint8Array {
  const input = fileInput(file, from);
  const text = new Uint8Array(size - from);
  let at = 0;
  for (let read = -1; read !== 0 && at < text.length; at += read) read = input.read(text, at, text.length - at);
  return text.subarray(0, at);
}

/** True if two threads met the same topic without judgements; of those with judgements, the threads know by themselves. */
function haveCommonTopic([first, ...others]: readonly StreamResult[]): boolean {
  const all = tableFromParts(first.unjudged);
  for (const { unjudged } of others) {
    const { bytes, offsets, size } = unjudged;
    for (let id = 0; id < size; id++) {
      const numBefore = all.size;
      if (all.internBytes(bytes, offsets[id], offsets[id + 1]) < numBefore) return true;
    }
  }
  return false;
}

function finished({ measures, qrels }: StreamRequest, work: StreamWork, results: readonly StreamResult[]): StreamScores {
  const { topics, answered, values } = work.rows;
  const kept = finishRows(work, measures, qrels);
  return {
    topics: topics.subarray(0, kept),
    answered: answered.subarray(0, kept),
    values: values.subarray(0, kept * measures.length),
    runTag: results.find(({ tag }) => tag !== undefined)?.tag ?? new Uint8Array(0),
    numLines: results.reduce((total, { numLines }) => total + numLines, 0),
  };
}

/** Our own grammar steps over a byte order mark; C programs take it for part of the first id. */
function startOfText(file: number, grammar: RunGrammar): number {
  const head = new Uint8Array(byteOrderMark.length); // fits: bytes
  readSync(file, head, 0, head.length, 0);
  return grammar === 'strict' && startsWith(head, byteOrderMark) ? head.length : 0;
}

/** Parts of about equal size, each beginning at the start of a line that holds something. */
function findBoundaries(file: number, size: number, partSize: number, grammar: RunGrammar): Float64Array {
  const boundaries = [startOfText(file, grammar)];
  const count = Math.ceil(size / partSize);
  for (let i = 1; i < count; i++) {
    const wanted = Math.floor((i * size) / count);
    if (wanted <= boundaries[boundaries.length - 1]) continue;
    const start = findLine(file, wanted);
    // where no line begins any more there is no need to look from further on
    if (start === undefined) break;
    if (start > boundaries[boundaries.length - 1]) boundaries.push(start);
  }
  boundaries.push(size);
  return Float64Array.from(boundaries);
}

/** The first line at or after the offset that begins with something else than white space or `#`. */
function findLine(file: number, offset: number): number | undefined {
  const buffer = new Uint8Array(1 << 16); // fits: bytes
  let afterLineEnd = false;
  let position = offset - 1;
  for (;;) {
    const read = readSync(file, buffer, 0, buffer.length, position);
    if (read === 0) return undefined;
    for (let i = 0; i < read; i++) {
      if (buffer[i] === 10) afterLineEnd = true;
      else if (afterLineEnd && buffer[i] > 32 && buffer[i] !== 35) return position + i;
      else afterLineEnd = false;
    }
    position += read;
  }
}
