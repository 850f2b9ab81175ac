import * as fc from 'fast-check';
import { defaultRules, type JudgingRules } from '../../src/core/judging/judge.js';
import type { Line } from './slow-judge.js';

const topicId = fc.constantFrom('1', '10', '2', 'q-3', 'Z');
const docId = fc.constantFrom('a', 'b', 'B', 'aa', 'ab', 'doc-1', 'doc-10', 'doc-2', '__proto__', 'constructor', 'x', 'y');
/** Few distinct scores make many ties; some differ only beyond 32 bits. */
const score = fc.constantFrom(3, 2.5, 2.5000000001, 1, 0, -0, -1, 16777216, 16777217, 1e-300);
const grade = fc.constantFrom(0, 0, 1, 1, 2, 3, 0.5, -1, -2);

function distinct(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return lines.filter(({ topic, doc }) => {
    const key = JSON.stringify([topic, doc]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function linesOf(value: fc.Arbitrary<number>, maxLength: number): fc.Arbitrary<Line[]> {
  return fc.array(fc.record({ topic: topicId, doc: docId, value }), { minLength: 1, maxLength }).map(distinct);
}

export const runLinesArbitrary: fc.Arbitrary<Line[]> = linesOf(score, 60);
export const qrelsLinesArbitrary: fc.Arbitrary<Line[]> = linesOf(grade, 40);

export const rulesArbitrary: fc.Arbitrary<JudgingRules> = fc
  .record({
    ties: fc.constantFrom<JudgingRules['ties']>('docno', 'docno-ascending', 'file'),
    depth: fc.constantFrom(Infinity, 0, 1, 3, 10),
    judgedOnly: fc.boolean(),
    scorePrecision: fc.constantFrom<JudgingRules['scorePrecision']>('double', 'float32'),
    missingTopics: fc.constantFrom<JudgingRules['missingTopics']>('skip', 'empty', 'placeholder'),
  })
  .map((rules) => ({ ...defaultRules, ...rules }));

/** Lines of one topic together, topics in the order of their first line. */
export function groupedByTopic(lines: readonly Line[]): Line[] {
  const topics = [...new Set(lines.map((line) => line.topic))];
  return topics.flatMap((topic) => lines.filter((line) => line.topic === topic));
}
