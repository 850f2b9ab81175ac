import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseMeasureList } from '../src/measures/parse.js';
import { experiment } from '../src/node/experiment.js';

let folder: string;
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-measures-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('experiment(…) keeps subtopics, stated ranks, what is known and what is expected where measures need them', async () => {
  const run = file('ranks.run', 'q Q0 a 2 1.0 tag\nq Q0 b 1 1.0 tag\nq Q0 c 3 0.5 tag\n');
  const qrels = file('grades.qrels', 'q 0 a 1\nq 0 b 0\nq 0 c 2\n');
  const known = file('known.qrels', 'q anna a 1\nq bert c 1\nq bert z 1\n');
  const expected = file('expected.txt', 'q 2\n');
  const measures = parseMeasureList([
    'RR',
    "RR(ties='rank')",
    "RR(ties='expected')",
    'Coverage@2',
    'RecallEffort',
    "ERR(max_rel='data')",
    'ESL',
  ]);
  const [table] = (await experiment({ judgements: qrels, runs: [run], measures, known, expected })).scored.tables;
  expect(table.means()).toEqual({
    RR: 1 / 2,
    "RR(ties='rank')": 1 / 2,
    "RR(ties='expected')": 3 / 4,
    'Coverage@2': 1 / 2,
    RecallEffort: 2 / 3,
    "ERR(max_rel='data')": expect.closeTo(1 / 4 / 2 + ((3 / 4) * 3) / 4 / 3, 14),
    ESL: 1 / 2,
  });
  expect(table.notes).toHaveLength(2);

  const subtopics = file('subtopics.qrels', 'q one a 1\nq two a 1\nq two c 1\n');
  const diverse = await experiment({
    judgements: subtopics,
    runs: [run],
    measures: parseMeasureList(['StRecall@1', "StRecall(ties='expected')@1"]),
  });
  expect(diverse.table.means()).toEqual({ 'StRecall@1': 0, "StRecall(ties='expected')@1": 1 / 2 });
});

it('the largest grade of the judgements reaches every thread and both ways of reading', async () => {
  const run = file('plain.run', 'q Q0 a 1 2 tag\nq Q0 b 2 1 tag\n');
  const qrels = file('three.qrels', 'q 0 a 1\nq 0 b 3\n');
  const measures = parseMeasureList(["RBP(gain='linear',p=0.5)"]);
  const streamed = await experiment({ judgements: qrels, runs: [run], measures });
  const held = await experiment({ judgements: qrels, runs: [run], measures: [...measures, ...parseMeasureList(["RR(ties='file')"])] });
  expect(streamed.table.value('q', 0)).toBe(0.5 * (1 / 3 + 1 * 0.5));
  expect(held.table.value('q', 0)).toBe(0.5 * (1 / 3 + 1 * 0.5));
});
