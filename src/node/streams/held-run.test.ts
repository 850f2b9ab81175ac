import { expect, test } from 'vitest';
import { defaultRules, type JudgingRules } from '../../core/judging/judging-rules.js';
import { seededRandom } from '../../core/numbers/random.js';
import { toQrels } from '../../core/qrels.js';
import { type RunColumns, runOfColumns } from '../../formats/memory/columns.js';
import type { IdColumn } from '../../formats/memory/id-column.js';
import { evaluator } from '../../measures/evaluate.js';
import { parseMeasure } from '../../measures/parse.js';
import { planOptionsFor } from '../../measures/plan.js';
import { scoreHeldParts, scoreHeldRun } from './held-run.js';

const encoder = new TextEncoder();
const measures = ['nDCG@10', 'AP', 'RR', 'P@5', 'R@100', 'Judged@10', 'Bpref'].map((text) => parseMeasure(text));

function separated(ids: readonly string[]): IdColumn {
  return { bytes: encoder.encode(ids.join('\n')), separator: 10, count: ids.length };
}

function offset(ids: readonly string[]): IdColumn {
  const ends = ids.map((id) => encoder.encode(id).length);
  return {
    bytes: encoder.encode(ids.join('')),
    offsets: Uint32Array.from([0, ...ends.map((_, i) => ends.slice(0, i + 1).reduce((a, b) => a + b))]),
  };
}

/** Rankings with ties, topics that nobody judged and topics that nobody answered. */
function drawn(seed: number): { qrels: ReturnType<typeof toQrels>; topics: string[]; docs: string[]; scores: number[] } {
  const random = seededRandom(seed);
  const upTo = (most: number): number => random.below(most);
  const judged: Record<string, Record<string, number>> = {};
  for (let t = 0; t < 6; t++) {
    judged[`t${t}`] = Object.fromEntries(Array.from({ length: 1 + upTo(12) }, () => [`d${upTo(20)}`, upTo(4) - 1]));
  }
  const topics: string[] = [];
  const docs: string[] = [];
  const scores: number[] = [];
  for (const t of [7, 3, 1, 0, 5]) {
    const own = new Set(Array.from({ length: 1 + upTo(15) }, () => `d${upTo(25)}`));
    for (const doc of own) {
      topics.push(`t${t}`);
      docs.push(doc);
      scores.push(upTo(4) / 3);
    }
  }
  return { qrels: toQrels(judged), topics, docs, scores };
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))('scoreHeldRun scores as a run in memory is scored (%i)', (seed) => {
  const { qrels, topics, docs, scores } = drawn(seed);
  const shapes: RunColumns[] = [
    { topics: offset(topics), docs: separated(docs), scores: Float64Array.from(scores) },
    { topics: separated(topics), docs: offset(docs), scores: Float64Array.from(scores) },
  ];
  const variants: Partial<JudgingRules>[] = [
    {},
    { missingTopics: 'skip' },
    { scorePrecision: 'float32' },
    { depth: 4 },
    { judgedOnly: true },
  ];
  for (const columns of shapes) {
    for (const variant of variants) {
      const rules = { ...defaultRules, ...variant };
      const planOptions = planOptionsFor(qrels, measures);
      const held = scoreHeldRun(columns, { qrels, measures, rules, planOptions, lenient: false });
      const expected = evaluator(qrels, measures, { ...rules, ...planOptions }).evaluate(runOfColumns(columns), 'run');
      expect(held?.table.topics).toEqual(expected.topics);
      expect(Array.from(held?.table.values ?? [])).toEqual(Array.from(expected.values));
      expect([held?.numMissing, held?.numRows, held?.firstTopic()]).toEqual([2, docs.length, 't7']);
    }
  }
});

test.each<[string, Partial<RunColumns>]>([
  ['scattered topics', { topics: separated(['a', 'b', 'a']) }],
  ['a document twice in a topic', { docs: separated(['x', 'x', 'y']) }],
  ['a score that is no number', { scores: Float64Array.of(1, Number.NaN, 2) }],
  ['an empty id', { docs: offset(['x', '', 'y']) }],
  ['ids of a dictionary', { docs: { codes: Uint32Array.of(0, 1, 2), dictionary: separated(['x', 'y', 'z']) } }],
  ['fewer documents than scores', { docs: separated(['x', 'y']) }],
  ['more topics than rows', { topics: separated(['a', 'a', 'b', 'b']) }],
  ['sizes that do not add up', { topics: separated(['a', 'b']), rowsOfTopics: Uint32Array.of(2, 2) }],
  ['no scores', { scores: undefined }],
])('scoreHeldRun leaves %s to whoever makes a run of the columns', (_, part) => {
  const columns = { topics: separated(['a', 'a', 'b']), docs: separated(['x', 'y', 'y']), scores: Float64Array.of(1, 2, 3), ...part };
  const qrels = toQrels({ a: { x: 1 }, b: { y: 1 } });
  const job = { qrels, measures, rules: defaultRules, planOptions: planOptionsFor(qrels, measures), lenient: false };
  expect(scoreHeldRun(columns, job)).toBeUndefined();
});

/** The rows in parts that end where a topic does, each in a buffer that the next one overwrites. */
function* inParts(topics: readonly string[], docs: readonly string[], scores: readonly number[]): Generator<RunColumns> {
  const shared = new Uint8Array(1024);
  for (const topic of new Set(topics)) {
    const rows = [...topics.keys()].filter((row) => topics[row] === topic);
    const text = encoder.encode(rows.map((row) => docs[row]).join('\n'));
    shared.fill(0).set(text);
    const own = { bytes: shared.subarray(0, text.length), separator: 10, count: rows.length };
    yield {
      topics: separated([topic]),
      rowsOfTopics: Uint32Array.of(rows.length),
      docs: own,
      scores: Float64Array.from(rows, (row) => scores[row]),
    };
  }
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))('scoreHeldParts scores parts as it scores the whole (%i)', (seed) => {
  const { qrels, topics, docs, scores } = drawn(seed);
  const job = { qrels, measures, rules: defaultRules, planOptions: planOptionsFor(qrels, measures), lenient: false };
  const whole = scoreHeldRun({ name: 'a', topics: separated(topics), docs: separated(docs), scores: Float64Array.from(scores) }, job);
  const parts = scoreHeldParts('a', inParts(topics, docs, scores), job);
  expect(parts?.table).toEqual(whole?.table);
  expect([parts?.numMissing, parts?.numRows, parts?.firstTopic()]).toEqual([whole?.numMissing, whole?.numRows, whole?.firstTopic()]);
});

test('scoreHeldParts leaves a topic in two parts to whoever puts them together', () => {
  const part = { topics: separated(['a']), rowsOfTopics: Uint32Array.of(1), scores: Float64Array.of(1) };
  const qrels = toQrels({ a: { x: 1 } });
  const job = { qrels, measures, rules: defaultRules, planOptions: planOptionsFor(qrels, measures), lenient: false };
  expect(scoreHeldParts('run', [{ ...part, docs: separated(['x']) }], job)?.numRows).toBe(1);
  expect(
    scoreHeldParts(
      'run',
      [
        { ...part, docs: separated(['x']) },
        { ...part, docs: separated(['y']) },
      ],
      job,
    ),
  ).toBeUndefined();
});
