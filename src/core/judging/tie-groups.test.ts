import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qrelsLinesArbitrary, runLinesArbitrary } from '../../../test/helpers/random-collection.js';
import type { Line } from '../../../test/helpers/slow-judge.js';
import { toQrels } from '../qrels.js';
import { toRun } from '../run.js';
import { defaultRules, emptyView, forEachJudgedTopic, type JudgingRules, judge, viewUnit } from './judge.js';

const asRun = (lines: readonly Line[]) => toRun(lines.map(({ topic, doc, value }) => ({ topic, doc, score: value })));
const asQrels = (lines: readonly Line[]) => toQrels(lines.map(({ topic, doc, value }) => ({ topic, doc, grade: value })));

interface Seen {
  readonly topic: string;
  readonly codes: number[];
  readonly starts: number[] | undefined;
}

function views(run: readonly Line[], qrels: readonly Line[], rules: Partial<JudgingRules>): Seen[] {
  const seen: Seen[] = [];
  const judged = asQrels(qrels);
  forEachJudgedTopic(judged, asRun(run), { ...defaultRules, ...rules }, (topic, view) => {
    const { ties } = view;
    const end = ties === undefined ? view.numRetrieved : ties.starts[ties.count];
    seen.push({
      topic: judged.topics.text(topic),
      codes: [...view.codes.subarray(view.start, view.start + end)],
      starts: ties && [...ties.starts.subarray(0, ties.count + 1)],
    });
  });
  return seen;
}

/** The codes of a topic by groups of equal scores, best score first, the way a person would write them down. */
function slowGroups(run: readonly Line[], qrels: readonly Line[], topic: string): number[][] {
  const lines = run.filter((line) => line.topic === topic);
  const scores = [...new Set(lines.map(({ value }) => value + 0))].sort((a, b) => b - a);
  const codeOf = ({ doc }: Line): number => {
    const grade = qrels.find((line) => line.topic === topic && line.doc === doc)?.value;
    return grade === undefined ? -1 : grade < 0 ? -2 : grade;
  };
  return scores.map((score) => lines.filter(({ value }) => value === score).map(codeOf));
}

describe('ties = optimistic, pessimistic, expected', () => {
  it('sort every tie by grade, best or worst first, and cut at the depth afterwards', () => {
    fc.assert(
      fc.property(runLinesArbitrary, qrelsLinesArbitrary, fc.constantFrom(Infinity, 0, 1, 2, 5), (run, qrels, depth) => {
        for (const { topic, codes } of views(run, qrels, { ties: 'optimistic', depth })) {
          const best = slowGroups(run, qrels, topic).flatMap((group) => group.sort((a, b) => b - a));
          expect(codes).toEqual(best.slice(0, depth));
        }
        for (const { topic, codes } of views(run, qrels, { ties: 'pessimistic', depth })) {
          const worst = slowGroups(run, qrels, topic).flatMap((group) => group.sort((a, b) => a - b));
          expect(codes).toEqual(worst.slice(0, depth));
        }
      }),
    );
  });

  it('hand on whole groups for the mean over all orders, also those that the depth cuts through', () => {
    fc.assert(
      fc.property(runLinesArbitrary, qrelsLinesArbitrary, fc.constantFrom(Infinity, 0, 1, 2, 5), (run, qrels, depth) => {
        for (const { topic, codes, starts } of views(run, qrels, { ties: 'expected', depth })) {
          const groups: number[][] = [];
          for (const group of slowGroups(run, qrels, topic)) if (groups.flat().length < depth) groups.push(group);
          const found = (starts ?? []).slice(1).map((end, g) => codes.slice(starts?.[g], end));
          const sorted = (lists: number[][]) => lists.map((list) => [...list].sort((a, b) => a - b));
          expect(sorted(found)).toEqual(sorted(groups));
        }
      }),
    );
  });

  it('keeps the rows of a judged run beside their grades', () => {
    const run = asRun([
      { topic: 'q', doc: 'c', value: 1 },
      { topic: 'q', doc: 'a', value: 1 },
      { topic: 'q', doc: 'b', value: 1 },
    ]);
    const judged = judge(asQrels([{ topic: 'q', doc: 'a', value: 2 }]), run, { ties: 'optimistic' });
    const view = emptyView();
    viewUnit(judged, 0, view);
    expect([...view.codes.subarray(0, 3)]).toEqual([2, -1, -1]);
    expect(run.docs.text(run.docOf[judged.rows[0]])).toBe('a');
  });
});

describe('ties = rank', () => {
  const qrels = toQrels({ q: { a: 1, b: 2, c: 3 } });
  const codes = (run: Parameters<typeof toRun>[0]): number[] => {
    const judged = judge(qrels, toRun(run), { ties: 'rank' });
    return [...judged.codes.subarray(0, judged.offsets[1])];
  };

  it('orders equal scores by the rank that the run states, and other scores by score', () => {
    expect(
      codes([
        { topic: 'q', doc: 'a', score: 1, rank: 3 },
        { topic: 'q', doc: 'b', score: 1, rank: 2 },
        { topic: 'q', doc: 'c', score: 2, rank: 9 },
      ]),
    ).toEqual([3, 2, 1]);
  });

  it('puts documents without a rank last', () => {
    expect(
      codes([
        { topic: 'q', doc: 'a', score: 1 },
        { topic: 'q', doc: 'b', score: 1, rank: 2 },
        { topic: 'q', doc: 'c', score: 1 },
      ]),
    ).toEqual([2, 1, 3]);
  });

  it('refuses a run that states no ranks', () => {
    expect(() => codes({ q: { a: 1, b: 1 } })).toThrow("ties='rank' needs the ranks that the run states, and this run has none");
  });
});
