import { statSync } from 'node:fs';
import { InputError } from '../../core/problem.js';
import { SharedParts, wordsForParts } from '../../core/shared-parts.js';
import { numThreads } from '../threads/threads.js';
import { ALONE_BELOW, evaluateRunFileAlone, type StreamRequest, type StreamScores } from './stream-evaluate.js';
import { canBeSent, type SentQuestion, sent } from './stream-task.js';

/** Many runs to be scored by the same judgements. */
export interface FilesRequest extends Omit<StreamRequest, 'path' | 'partSize' | 'aloneBelow' | 'partsPerThread'> {
  readonly paths: readonly string[];
  /** Fewer bytes than this in all are left to one thread; 4 MiB by default. */
  readonly togetherFrom?: number | undefined;
}

/** What is sent to each thread: files to be taken from a shared counter, each scored by one thread. */
export interface FilesTask extends Pick<FilesRequest, 'rules' | 'planOptions' | 'grammar' | 'comments'>, SentQuestion {
  readonly paths: readonly string[];
  readonly control: Int32Array;
}

/** The scores of the files that a thread has taken, by their places in the list. */
export type FilesResult = ReadonlyMap<number, StreamScores>;

/** Starting a thread takes as long as reading this much. */
const TOGETHER_FROM = 4 << 20;
const MIB = 2 ** 20;

/** Scores many files at the same time, each by one thread. A file without scores is one that others have to read: large enough to be
 *  divided among threads, no plain run, or not right. Which thread takes which is left to chance, and no number depends on it. */
export async function evaluateRunFiles(request: FilesRequest): Promise<readonly (StreamScores | undefined)[]> {
  const { paths, measures, rules, planOptions, grammar, comments, onProgress } = request;
  const sizes = paths.map(sizeOf);
  const chosen = [...paths.keys()].filter((p) => sizes[p] > 0 && sizes[p] < ALONE_BELOW);
  const total = chosen.reduce((sum, p) => sum + sizes[p], 0);
  const threads = Math.min(numThreads(request.threads), chosen.length);
  if (threads < 2 || total < (request.togetherFrom ?? TOGETHER_FROM) || !canBeSent(measures)) return [];
  const control = wordsForParts();
  const parts = new SharedParts(control);
  parts.offer(chosen.length);
  const task: FilesTask = { rules, planOptions, grammar, comments, control, paths: chosen.map((p) => paths[p]), ...sent(request) };
  const team = (await import('../threads/team.js')).createTeam(threads);
  try {
    const others = team.run(new URL('./stream-worker-files.js', import.meta.url), task) as Promise<readonly FilesResult[]>;
    // a failure elsewhere shows when the others are awaited
    others.catch(() => undefined);
    const own = scoreFiles(task, request, onProgress && (() => onProgress(Math.min(parts.done * MIB, total), total)));
    const scores = new Array<StreamScores | undefined>(paths.length).fill(undefined);
    for (const result of [own, ...(await others)]) for (const [place, found] of result) scores[chosen[place]] = found;
    return scores;
  } finally {
    await team.close();
  }
}

/** Takes files as long as there are any. */
export function scoreFiles(
  { paths, control, rules, planOptions, grammar, comments }: FilesTask,
  question: Pick<StreamRequest, 'measures' | 'qrels'>,
  onProgress?: () => void,
): FilesResult {
  const { measures, qrels } = question;
  const scores = new Map<number, StreamScores>();
  const parts = new SharedParts(control);
  parts.takeEach((place) => {
    const path = paths[place];
    const found = unlessRefused(() => evaluateRunFileAlone({ path, measures, qrels, rules, planOptions, grammar, comments }));
    if (found !== undefined) scores.set(place, found);
    parts.advance(Math.ceil(sizeOf(path) / MIB));
    onProgress?.();
  });
  return scores;
}

/** What is wrong with a file is said by whoever reads the files in their order. */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.size : 0;
  } catch {
    return 0;
  }
}
