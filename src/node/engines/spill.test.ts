import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { qrelsLinesArbitrary, rulesArbitrary, runLinesArbitrary } from '../../../test/helpers/random-collection.js';
import { defaultRules } from '../../core/judging/judging-rules.js';
import { parseTrecQrels } from '../../formats/trec/qrels.js';
import { parseTrecRun } from '../../formats/trec/run.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasureList } from '../../measures/parse.js';
import { evaluateBySpilling } from './spill.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-spill-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'run.txt');
const measures = parseMeasureList('nDCG@10 AP RR NumRet Judged@5'.split(' '));

describe('evaluateBySpilling', () => {
  test('gives what reading the whole file gives, however the lines are scattered', async () => {
    await fc.assert(
      fc.asyncProperty(runLinesArbitrary, qrelsLinesArbitrary, rulesArbitrary, async (runLines, qrelsLines, rules) => {
        const text = runLines.map(({ topic, doc, value }) => `${topic} Q0 ${doc} 1 ${value} tag`).join('\n');
        writeFileSync(path, text);
        const { qrels } = parseTrecQrels(qrelsLines.map(({ topic, doc, value }) => `${topic} 0 ${doc} ${value}\n`).join(''));
        const expected = evaluate(qrels, parseTrecRun(text).run, measures, { ...rules, unrelated: 'accept' });
        const found = await evaluateBySpilling({ path, qrels, measures, rules, planOptions: {}, from: 0, partSize: 40 });
        expect(found?.table.topics).toEqual(expected.topics);
        expect(found?.table.values).toEqual(expected.values);
        expect(found?.table.systems).toEqual(['tag']);
        expect(found?.numRows).toBe(runLines.length);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['at the start of the file is no part of the topic', '\ufeff1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n', 0.5, 2],
    ['at the start of a later line is a part of it', '1 Q0 a 1 2 t\n\ufeff1 Q0 b 2 1 t\n', 0, 1],
    ['behind another one is a part of it', '\ufeff\ufeff1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n', 0, 1],
  ])('a byte order mark %s', async (_, text, reciprocalRank, numRetrieved) => {
    const { qrels } = parseTrecQrels('1 0 b 1\n');
    writeFileSync(path, text);
    const request = { path, qrels, measures, rules: defaultRules, planOptions: {}, from: 0, partSize: 1 };
    const { table, numMissing } = (await evaluateBySpilling(request)) ?? {};
    expect(numMissing).toBe(0);
    expect(table?.topics).toEqual(['1']);
    expect(table?.aggregate('RR')).toBe(reciprocalRank);
    expect(table?.aggregate('NumRet')).toBe(numRetrieved);
  });

  test('leaves files alone that are small, no TREC run, or wrong somewhere', async () => {
    const { qrels } = parseTrecQrels('q 0 d 1\n');
    const request = { path, qrels, measures, rules: defaultRules, planOptions: {} };
    writeFileSync(path, 'q Q0 d 1 1 t\n');
    expect(await evaluateBySpilling(request)).toBeUndefined();
    expect((await evaluateBySpilling({ ...request, from: 0 }))?.table.aggregate('RR')).toBe(1);
    writeFileSync(path, 'q Q0 d 1 1 t\nq Q0 d 1 1 t\n');
    expect(await evaluateBySpilling({ ...request, from: 0 })).toBeUndefined();
    writeFileSync(path, 'topic,doc,score\nq,d,1\n');
    expect(await evaluateBySpilling({ ...request, from: 0 })).toBeUndefined();
  });
});
