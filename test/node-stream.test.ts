import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../src/core/judging/judge.js';
import { toQrels } from '../src/core/qrels.js';
import { toRun } from '../src/core/run.js';
import { evaluator } from '../src/measures/evaluate.js';
import { parseMeasures } from '../src/measures/parse.js';
import { evaluateRunFile, type StreamRequest } from '../src/node/streams/stream-evaluate.js';
import { groupedByTopic, qrelsLinesArbitrary, rulesArbitrary, runLinesArbitrary } from './helpers/random-collection.js';
import type { Line } from './helpers/slow-judge.js';

const measures = ['official', 'nDCG@10', 'nDCG', 'infAP', 'Unjudged@5', 'SetF'].flatMap((name) => parseMeasures(name));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const asQrels = (lines: readonly Line[]) => toQrels(lines.map(({ topic, doc, value }) => ({ topic, doc, grade: value })));
const asRun = (lines: readonly Line[]) => toRun(lines.map(({ topic, doc, value }) => ({ topic, doc, score: value })));
const number = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
const text = (lines: readonly Line[]): string =>
  lines.map(({ topic, doc, value }, i) => `${topic} Q0 ${doc} ${i} ${number(value)} tag${i}\n`).join('');

function stream(content: string, qrels: readonly Line[], extra: Partial<StreamRequest> = {}): ReturnType<typeof evaluateRunFile> {
  const path = join(folder, 'run');
  writeFileSync(path, content);
  const rules = judge(asQrels(qrels), asRun([])).rules;
  return evaluateRunFile({ path, qrels: asQrels(qrels), measures, rules, grammar: 'strict', comments: true, threads: 1, ...extra });
}

describe('evaluateRunFile(request)', () => {
  it('gives what evaluate gives, to the last bit, however small the parts are', async () => {
    await fc.assert(
      fc.asyncProperty(
        runLinesArbitrary.map(groupedByTopic),
        qrelsLinesArbitrary,
        rulesArbitrary,
        fc.integer({ min: 5, max: 400 }),
        async (run, qrels, rules, partSize) => {
          const scores = await stream(text(run), qrels, { rules, partSize });
          // parts of a run are streamed too, so that it is for others to refuse a run of other topics
          const table = evaluator(asQrels(qrels), measures, { ...rules, unrelated: 'accept' }).evaluate(asRun(run));
          expect(scores?.values).toEqual(table.values);
          expect(Array.from(scores?.topics ?? [], (topic) => asQrels(qrels).topics.text(topic))).toEqual(table.topics);
          expect(String.fromCharCode(...(scores?.runTag ?? []))).toBe(`tag${run.length - 1}`);
          expect(scores?.numLines).toBe(run.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives the same where the lines of a topic are not together', async () => {
    let numScattered = 0;
    await fc.assert(
      fc.asyncProperty(
        runLinesArbitrary,
        qrelsLinesArbitrary,
        rulesArbitrary,
        fc.integer({ min: 5, max: 400 }),
        async (run, qrels, rules, partSize) => {
          const scores = await stream(text(run), qrels, { rules, partSize });
          const table = evaluator(asQrels(qrels), measures, { ...rules, unrelated: 'accept' }).evaluate(asRun(run));
          expect(scores?.values).toEqual(table.values);
          expect(Array.from(scores?.topics ?? [], (topic) => asQrels(qrels).topics.text(topic))).toEqual(table.topics);
          expect(String.fromCharCode(...(scores?.runTag ?? []))).toBe(`tag${run.length - 1}`);
          expect(scores?.numLines).toBe(run.length);
          if ((await stream(text(run), qrels, { rules, partSize, groupedBelow: 0 })) === undefined) numScattered++;
        },
      ),
      { numRuns: 300 },
    );
    expect(numScattered).toBeGreaterThan(50);
  });

  it('takes the whole text of a scattered file, longer than is scanned at a time', async () => {
    const qrels = Array.from({ length: 40 }, (_, t) => ({ topic: `${t}`, doc: `d${t * 7}`, value: 1 }));
    const run = Array.from({ length: 60_000 }, (_, i) => ({ topic: `${(i * 7) % 40}`, doc: `d${i}`, value: (i * 7919) % 60_013 }));
    const content = text(run);
    expect(content.length).toBeGreaterThan(1 << 20);
    const scores = await stream(content, qrels);
    expect(scores?.values).toEqual(evaluator(asQrels(qrels), measures).evaluate(asRun(run)).values);
  });

  it('declines what only the thorough reader may judge', async () => {
    const qrels = [{ topic: '1', doc: 'a', value: 1 }];
    const declined: [string, string][] = [
      ['a document twice in a topic in two parts', '1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 a 1 2 t\n'],
      ['a document twice in a topic without judgements', '2 Q0 a 1 3 t\n1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n'],
      ['a bad line after a topic in two parts', '1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 1 2 t\n1 Q0 c 1 x t\n'],
      ['a line with a field too many', '1 Q0 a 1 3 t more\n'],
      ['a document twice', '1 Q0 a 1 3 t\n1 Q0 a 1 2 t\n'],
      ['a line with five fields', '1 Q0 a 1 3 t\n1 Q0 b 1 2\n'],
      ['a score that is no number', '1 Q0 a 1 x t\n'],
      ['an infinite score', '1 Q0 a 1 1e999 t\n'],
      ['a NUL byte', '1 Q0 a 1 1 t\0\n'],
      ['an empty file', ''],
    ];
    for (const [what, content] of declined) expect(await stream(content, qrels), what).toBeUndefined();
  });

  it('declines a document that stands twice where the rules do not look', async () => {
    const { rules } = judge(asQrels([]), asRun([]));
    const judged = [{ topic: '1', doc: 'a', value: 1 }];
    const below = '1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 b 3 1 t\n';
    expect(await stream(below, judged, { rules: { ...rules, depth: 1 } })).toBeUndefined();
    expect(await stream(below.replaceAll(/^1/gm, '2'), judged, { rules: { ...rules, depth: 1 } })).toBeUndefined();
    const own = '1 Q0 1 1 3 t\n1 Q0 a 2 2 t\n1 Q0 1 3 1 t\n';
    expect(await stream(own, judged, { rules: { ...rules, ownDocument: 'dropped' } })).toBeUndefined();
    // a C program looks at what it ranks
    expect(await stream(below, judged, { rules: { ...rules, depth: 1 }, grammar: 'c' })).toBeDefined();
  });

  it('takes CRLF, tabs, blank and comment lines, a byte order mark and a missing last line end', async () => {
    const qrels = [{ topic: '1', doc: 'a', value: 1 }];
    const plain = await stream('1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n', qrels);
    for (const partSize of [7, 1000]) {
      expect(await stream('\ufeff1\tQ0\tb\t1\t3\tt\r\n\r\n# words\n  1 Q0 a 2 2 t', qrels, { partSize })).toEqual(plain);
    }
  });
});
