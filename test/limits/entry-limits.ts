import { IdTable } from '../../src/core/ids.js';
import { toRun } from '../../src/core/run.js';
import { parseLetor } from '../../src/formats/letor.js';
import { parseTrecRun } from '../../src/formats/trec-run.js';
import type { LimitCases } from './limit-case.js';

const lines = (amount: number, line: (i: number) => string): Uint8Array =>
  new TextEncoder().encode(Array.from({ length: amount }, (_, i) => line(i)).join(''));
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
    { name: 'bytes of comments', lowered, use: (amount) => parseLetor(lines(1, () => `1 qid:1 1:1 #${'c'.repeat(amount)}\n`)) },
  ],
};
