import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qrelsLinesArbitrary, rulesArbitrary, runLinesArbitrary } from '../../../test/helpers/random-collection.js';
import { type Line, slowJudge } from '../../../test/helpers/slow-judge.js';
import { toQrels } from '../qrels.js';
import { toRun } from '../run.js';
import { DuplicateError, defaultRules, emptyView, type JudgedRun, judge, repeatsJudgement, viewUnit } from './judge.js';

const asRun = (lines: readonly Line[]) => toRun(lines.map(({ topic, doc, value }) => ({ topic, doc, score: value })));
const asQrels = (lines: readonly Line[]) => toQrels(lines.map(({ topic, doc, value }) => ({ topic, doc, grade: value })));

function plainTopics(judged: JudgedRun): { topic: string; codes: number[]; judged: number[] }[] {
  const view = emptyView();
  return Array.from(judged.topics, (topic, t) => {
    viewUnit(judged, judged.unitOffsets[t], view);
    return {
      topic: judged.qrels.topics.text(topic),
      codes: [...view.codes.subarray(view.start, view.start + view.numRetrieved)],
      judged: [...view.judged.subarray(view.judgedStart, view.judgedStart + view.numJudged)],
    };
  });
}

describe('judge(qrels, run, rules)', () => {
  it('joins every run with every qrels as the obvious version does', () => {
    fc.assert(
      fc.property(runLinesArbitrary, qrelsLinesArbitrary, rulesArbitrary, (run, qrels, rules) => {
        expect(plainTopics(judge(asQrels(qrels), asRun(run), rules))).toEqual(slowJudge(run, qrels, rules));
      }),
      { numRuns: 500 },
    );
  });

  it('names the smallest of several repeated documents', () => {
    const run = asRun([
      { topic: 'q', doc: 'c', value: 4 },
      { topic: 'q', doc: 'b', value: 3 },
      { topic: 'q', doc: 'c', value: 2 },
      { topic: 'q', doc: 'b', value: 1 },
    ]);
    const qrels = asQrels([{ topic: 'q', doc: 'b', value: 1 }]);
    expect(() => judge(qrels, run)).toThrow(DuplicateError);
    expect(() => judge(qrels, run)).toThrow('topic q: document b appears more than once in the run');
    // below the depth nobody looks
    expect(() => judge(qrels, run, { depth: 2 })).not.toThrow(DuplicateError);
  });

  it('refuses judgements that list a document twice, and finds such judgements beforehand', () => {
    const qrels = asQrels([
      { topic: 'q', doc: 'a', value: 1 },
      { topic: 'r', doc: 'a', value: 1 },
      { topic: 'q', doc: 'a', value: 0 },
    ]);
    expect(() => judge(qrels, asRun([{ topic: 'q', doc: 'z', value: 1 }]))).toThrow('document a appears more than once in the judgements');
    expect(repeatsJudgement(qrels)).toBe(true);
    expect(
      repeatsJudgement(
        asQrels([
          { topic: 'q', doc: 'a', value: 1 },
          { topic: 'r', doc: 'a', value: 1 },
        ]),
      ),
    ).toBe(false);
  });

  it('orders topics and ties by UTF-8 bytes, which is not the order of JavaScript strings', () => {
    // U+FF5E is one UTF-16 unit above the surrogates of U+1F600, and below it in bytes
    const run = asRun([
      { topic: 'q', doc: '\u{1F600}', value: 1 },
      { topic: 'q', doc: '\uFF5E', value: 1 },
    ]);
    const judged = judge(asQrels([{ topic: 'q', doc: '\u{1F600}', value: 1 }]), run, defaultRules);
    expect(plainTopics(judged)[0].codes).toEqual([1, -1]);
  });
});
