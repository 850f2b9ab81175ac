import { IdTable } from '../../src/core/ids.js';
import { judge } from '../../src/core/judging/judge.js';
import { toQrels } from '../../src/core/qrels.js';
import { type Run, toRun } from '../../src/core/run.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { parseTrecRun } from '../../src/formats/trec/run.js';
import { fuse } from '../../src/fusion/fuse.js';
import { type FeaturePart, joinFeatures } from '../../src/ltr/join-features.js';
import type { LimitCases } from './limit-case.js';

const lines = (amount: number, line: (i: number) => string): Uint8Array =>
  new TextEncoder().encode(Array.from({ length: amount }, (_, i) => line(i)).join(''));
const featurePart = (source: string, amount: number, line: (i: number) => string): FeaturePart => ({
  source,
  matrix: parseLetor(lines(amount, line)).matrix,
});
/** So many values, far between. */
const sparseRow = (query: string, amount: number): string =>
  `1 qid:${query} ${Array.from({ length: amount }, (_, i) => `${100 * i + 2}:1`).join(' ')}\n`;
/** Topics of ten documents each. */
const ranking = (name: string, amount: number): Run => ({
  ...toRun(Array.from({ length: amount }, (_, i) => ({ topic: `${name}${Math.floor(i / 10)}`, doc: `${i % 10}`, score: -i }))),
  name,
});
/** Above the room that arrays begin with. */
const lowered = 5000;

export const entryLimits: LimitCases = {
  entries: [
    { name: 'rows of a TREC run', lowered, use: (amount) => parseTrecRun(lines(amount, (i) => `${i >> 7} Q0 ${i & 127} 1 ${-i} t\n`)) },
    {
      name: 'rows of a run in the library',
      lowered,
      use: (amount) => toRun(Array.from({ length: amount }, (_, i) => ({ topic: `${i >> 7}`, doc: `${i & 127}`, score: i }))),
    },
    { name: 'bytes of ids', lowered, use: (amount) => IdTable.of(['a'.repeat(1000), 'b'.repeat(amount - 1000)]) },
    {
      name: 'rows of a feature file',
      lowered,
      use: (amount) => parseLetor(lines(amount, (i) => `1 qid:${i >> 7} ${i === 0 ? '1:1' : ''}\n`)),
    },
    {
      name: 'values of a feature file',
      lowered,
      use: (amount) => parseLetor(lines(amount, (i) => `${i % 10 === 0 ? `\n1 qid:${i >> 7}` : ''} ${(i % 10) + 1}:1`)),
    },
    {
      name: 'lines of a feature file, most of them blank',
      lowered,
      use: (amount) => parseLetor(`${'\n'.repeat(amount - 1)}1 qid:1 1:1\n`),
    },
    {
      name: 'rows of several feature files',
      lowered,
      use: (amount) =>
        joinFeatures([featurePart('a', 4000, () => `1 qid:a 1:1\n`), featurePart('b', amount - 4000, () => `1 qid:b 1:1\n`)], 'training'),
    },
    {
      name: 'values of several sparse feature files',
      lowered,
      use: (amount) =>
        joinFeatures(
          [featurePart('a', 1, () => sparseRow('a', 4000)), featurePart('b', 1, () => sparseRow('b', amount - 4000))],
          'training',
        ),
    },
    {
      name: 'bytes of comments of several feature files',
      lowered,
      use: (amount) =>
        joinFeatures(
          [
            featurePart('a', 1, () => `1 qid:a 1:1 #${'c'.repeat(4000)}\n`),
            featurePart('b', 1, () => `1 qid:b 1:1 #${'c'.repeat(amount - 4000)}\n`),
          ],
          'training',
        ),
    },
    {
      name: 'rankings that are judged once for each assessor',
      lowered,
      use: (amount) => {
        const judged = Array.from({ length: 100 }, (_, i) => ({ topic: 'q', doc: 'd1', grade: 1, iteration: `a${i}` }));
        const more = { topic: 'r', doc: 'd1', grade: 1, iteration: 'a' };
        const docs = (topic: string, count: number) => Array.from({ length: count }, (_, i) => ({ topic, doc: `d${i}`, score: -i }));
        return judge(toQrels([...judged, more]), toRun([...docs('q', 49), ...docs('r', amount - 4900)]), { byGroup: true });
      },
    },
    {
      name: 'rows of runs that are fused',
      lowered,
      use: (amount) => fuse([ranking('a', 4000), ranking('b', amount - 4000)]),
    },
    { name: 'bytes of comments', lowered, use: (amount) => parseLetor(lines(1, () => `1 qid:1 1:1 #${'c'.repeat(amount)}\n`)) },
  ],
};
