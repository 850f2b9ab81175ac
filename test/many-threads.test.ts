import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultRules } from '../src/core/judging/judging-rules.js';
import { toQrels } from '../src/core/qrels.js';
import { parseMeasures } from '../src/measures/parse.js';
import { readPlainFile } from '../src/node/output/plain-file.js';
import { evaluateRunFile, type StreamRequest, type StreamScores } from '../src/node/streams/stream-evaluate.js';
import type { StreamTask } from '../src/node/streams/stream-task.js';
import { work } from '../src/node/streams/stream-worker.js';
import type { TrecEvalHost } from '../src/tools/trec-eval/host.js';
import { runTrecEval } from '../src/tools/trec-eval/run-trec-eval.js';
import { repository } from './helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-many-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINES_PER_TOPIC = 3;
/** Every line has as many bytes as any other, so that a part can be as long as a topic. */
const LINE_BYTES = 't00000 Q0 a 1 3 r\n'.length;

/** In each topic three documents of which one is relevant: the first, the second or the third, by turns. */
function collection(threads: number): { path: string; qrelsPath: string; qrels: ReturnType<typeof toQrels> } {
  const name = (topic: number): string => `t${String(topic).padStart(5, '0')}`;
  const numTopics = TOPICS_PER_THREAD * threads;
  const path = join(folder, `${threads}.run`);
  const topics = Array.from({ length: numTopics }, (_, topic) => topic);
  const lines = topics.flatMap((topic) => ['a', 'b', 'c'].map((doc, rank) => `${name(topic)} Q0 ${doc} ${rank + 1} ${3 - rank} r\n`));
  writeFileSync(path, lines.join(''));
  const judged = topics.map((topic) => ({ topic: name(topic), doc: 'abc'[topic % 3], grade: 1 }));
  const qrelsPath = join(folder, `${threads}.qrels`);
  writeFileSync(qrelsPath, judged.map(({ topic, doc }) => `${topic} 0 ${doc} 1\n`).join(''));
  return { path, qrelsPath, qrels: toQrels(judged) };
}

/** Two topics for each thread, and a part of them. A thread finishes the topic that the next part begins with, so that the
 *  first has three topics and the last has one. */
const TOPICS_PER_THREAD = 2;

function forced(threads: number): Pick<StreamRequest, 'threads' | 'partSize' | 'aloneBelow' | 'partsPerThread'> {
  return { threads, partSize: TOPICS_PER_THREAD * LINES_PER_TOPIC * LINE_BYTES, aloneBelow: 0, partsPerThread: 1 };
}

/** Threads that are none: each does what a thread does, one after the other. */
function standIns(count: number): { taken: number[]; run: (module: URL, data: unknown) => Promise<readonly unknown[]> } {
  const taken: number[] = [];
  return {
    taken,
    run: async (_, data) => {
      const results = Array.from({ length: count }, () => work(data as StreamTask));
      taken.push(...results.map(({ numLines }) => numLines / LINES_PER_TOPIC));
      return results;
    },
  };
}

/** Reciprocal ranks of relevant documents at ranks 1, 2, 3, 1, … */
const reciprocalRanks = (threads: number): number[] =>
  Array.from({ length: TOPICS_PER_THREAD * threads }, (_, topic) => 1 / ((topic % 3) + 1));
/** Topics of the stand-ins, which take parts before the caller does. */
const expectedTopics = (threads: number): number[] => [3, ...new Array(threads - 2).fill(2)];

const numbersOfThreads = [127, 128, 129, 256, 1024];

describe('a run file evaluated by many threads', () => {
  it.each(numbersOfThreads)('has all its topics when each of %i threads takes some', async (threads) => {
    const { path, qrels } = collection(threads);
    const team = standIns(threads - 1);
    const measures = parseMeasures('RR');
    const scores = await evaluateRunFile(
      { path, qrels, measures, rules: defaultRules, grammar: 'strict', comments: true, ...forced(threads) },
      team,
    );
    expect(team.taken).toEqual(expectedTopics(threads));
    expect(Array.from(scores?.values ?? [])).toEqual(reciprocalRanks(threads));
    expect(scores?.answered.every((one) => one === 1)).toBe(true);
  });

  it.each([false, true])('is for the thorough reader if two threads meet a topic, judged: %s', async (isJudged) => {
    const { path, qrels } = collection(3);
    const lines = readFileSync(path, 'latin1');
    const again = join(folder, 'again.run');
    const topic = isJudged ? 't00000' : 'x00000';
    writeFileSync(again, `${topic} Q0 a 1 3 r\n${lines.replaceAll(/^t00000.*\n/gm, '')}${topic} Q0 a 1 3 r\n`);
    const request = { path: again, qrels, measures: parseMeasures('RR'), rules: defaultRules, grammar: 'strict', comments: true } as const;
    expect(await evaluateRunFile({ ...request, ...forced(3) }, standIns(2))).toBeUndefined();
  });

  it.each(numbersOfThreads)('as trec_eval: has all its topics when each of %i threads takes some', async (threads) => {
    const { path, qrelsPath } = collection(threads);
    const team = standIns(threads - 1);
    let printed = '';
    const host: TrecEvalHost = {
      read: readPlainFile,
      readStdin: () => new Uint8Array(0),
      writeOut: (bytes) => {
        printed += new TextDecoder().decode(bytes);
      },
      writeErr: (bytes) => expect(new TextDecoder().decode(bytes)).toBe(''),
      evaluateFast: ({ qrels, measures, rules, options, comments }) =>
        evaluateRunFile({ path, qrels, measures, rules, planOptions: options, grammar: 'c', comments, ...forced(threads) }, team),
    };
    const { exitCode } = await runTrecEval(['-c', '-m', 'num_q', '-m', 'recip_rank', '-m', 'num_rel_ret', qrelsPath, path], '9.0.8', host);
    expect(exitCode).toBe(0);
    expect(team.taken).toEqual(expectedTopics(threads));
    const mean = reciprocalRanks(threads).reduce((sum, value) => sum + value, 0) / (2 * threads);
    expect(printed.split('\n').map((line) => line.split(/\s+/).at(-1))).toEqual([`${2 * threads}`, `${2 * threads}`, mean.toFixed(4), '']);
  });

  it('has all its topics when each of 130 real threads takes some', async () => {
    // threads load modules by themselves, so that this is about the built package
    const built = await import(`${pathToFileURL(repository).href}/dist/node/streams/stream-evaluate.js`);
    const { path, qrels } = collection(130);
    const scores: StreamScores | undefined = await built.evaluateRunFile({
      ...{ path, qrels, measures: (await import(`${pathToFileURL(repository).href}/dist/measures/parse.js`)).parseMeasures('RR') },
      ...{ rules: defaultRules, grammar: 'strict', comments: true, ...forced(130) },
    });
    expect(Array.from(scores?.values ?? [])).toEqual(reciprocalRanks(130));
  });
});
