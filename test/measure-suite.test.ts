import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferences } from '../src/core/judging/judge-preferences.js';
import { type EvaluateOptions, evaluate, evaluator } from '../src/measures/evaluate.js';
import type { MeasureDef } from '../src/measures/measure.js';
import { parseMeasure } from '../src/measures/parse.js';
import { allMeasures } from '../src/measures/registry.js';
import { spellingsFor, spellingsOf, withParam } from './helpers/measure-variants.js';

/** What holds for every measure, whatever it measures. */

type Qrels = Parameters<typeof evaluator>[0];
type Run = Parameters<ReturnType<typeof evaluator>['evaluate']>[0];

/** The same judgements in the form that a kind of measures needs. */
function judged(needs: MeasureDef['needs'], grades: Record<string, Record<string, number>>): Qrels {
  if (needs !== 'subtopics' && needs !== 'preferences') return grades;
  const records = Object.entries(grades).flatMap(([topic, docs]) =>
    Object.entries(docs).map(([doc, grade], i) => ({ topic, doc, grade, iteration: needs === 'subtopics' ? String(i % 2) : '1' })),
  );
  return needs === 'preferences' ? preferences(records) : records;
}

const known = { q: { a: 1, n: 1 } };

describe('the empty matrix', () => {
  const cases: readonly {
    readonly title: string;
    readonly qrels: Record<string, Record<string, number>>;
    readonly run: Run;
    readonly options?: EvaluateOptions;
  }[] = [
    {
      title: 'a topic that the run does not answer',
      qrels: { q: { a: 1, b: 0 } },
      run: { other: { a: 1 } },
      options: { unrelated: 'accept' },
    },
    {
      title: 'the same as a made-up document',
      qrels: { q: { a: 1, b: 0 } },
      run: { other: { a: 1 } },
      options: { missingTopics: 'placeholder', unrelated: 'accept' },
    },
    { title: 'nothing retrieved', qrels: { q: { a: 1, b: 0 } }, run: { q: { a: 1 } }, options: { depth: 0 } },
    { title: 'nothing relevant', qrels: { q: { a: 0, b: 0 } }, run: { q: { a: 2, b: 1, c: 0.5 } } },
    { title: 'nothing judged', qrels: { q: { a: -1 } }, run: { q: { a: 2, b: 1 } } },
    { title: 'nothing judged of what was retrieved', qrels: { q: { x: 1, y: 0 } }, run: { q: { a: 2, b: 1 } } },
    { title: 'nothing left of a condensed list', qrels: { q: { x: 1 } }, run: { q: { a: 2, b: 1 } }, options: { judgedOnly: true } },
    { title: 'one relevant document', qrels: { q: { a: 1 } }, run: { q: { a: 1 } } },
    { title: 'one document that is not relevant', qrels: { q: { a: 0 } }, run: { q: { a: 1 } } },
    { title: 'everything retrieved is relevant', qrels: { q: { a: 2, b: 1, c: 1 } }, run: { q: { a: 3, b: 2, c: 1 } } },
  ];
  for (const needs of ['ranking', 'preferences', 'subtopics', 'users'] as const) {
    const measures = spellingsFor(needs);
    // condensed lists are refused where documents are judged once per subtopic
    const fitting = cases.filter(({ options }) => needs !== 'subtopics' || options?.judgedOnly !== true);
    it.each(fitting)(`$title: every measure of ${needs} has a finite value in its range`, ({ qrels, run, options = {} }) => {
      for (const ties of needs === 'ranking' || needs === 'subtopics' ? (['docno', 'expected'] as const) : (['docno'] as const)) {
        const table = evaluator(judged(needs, qrels), measures, { ...options, ties, known, expected: { q: 2 }, highestGrade: 2 }).evaluate(
          run,
        );
        for (const [m, spelling] of measures.entries()) {
          const { def, params } = parseMeasure(spelling);
          const value = table.value('q', m);
          expect([spelling, Number.isFinite(value), value]).toEqual([spelling, true, value]);
          // numbers of effort are counts, and raw grades or gains have no upper end
          const [low, high] = params.cwl === undefined && params.gain !== 'grade' ? def.range : [-Infinity, Infinity];
          expect([spelling, value, value >= low - 1e-12 && value <= high + 1e-12]).toEqual([spelling, value, true]);
        }
      }
    });
  }

  it('condensed lists of subtopics are refused', () => {
    const qrels = judged('subtopics', { q: { a: 1 } });
    expect(() => evaluate(qrels, { q: { a: 1 } }, 'alpha_nDCG(judged_only=true)@5')).toThrow(
      'judged_only has no meaning for measures of subtopics',
    );
  });

  it('no judgements at all have no topics, and a mean over nothing is no number', () => {
    const table = evaluate({}, { q: { a: 1 } }, ['AP', 'NumQ'], { unrelated: 'accept' });
    expect(table.topics).toEqual([]);
    expect(table.means()).toEqual({ AP: Number.NaN, NumQ: 0 });
  });

  it('no run at all is an empty ranking for each topic', () => {
    expect(evaluate({ q: { a: 1 }, r: { a: 1 } }, {}, ['AP', 'NumQ'], { unrelated: 'accept' }).means()).toEqual({ AP: 0, NumQ: 2 });
  });
});

describe('empty = …', () => {
  const qrels = { q: { a: 1, b: 0 }, r: { a: 0 } };
  const run = { q: { b: 2, a: 1 }, r: { a: 1 } };

  it('gives a topic without relevant documents the value it says', () => {
    expect(evaluate(qrels, run, 'RR')).toBe((0.5 + 0) / 2);
    expect(evaluate(qrels, run, 'RR(empty=1)')).toBe((0.5 + 1) / 2);
    expect(evaluate(qrels, run, 'nDCG(empty=1)@1')).toBe((0 + 1) / 2);
  });

  it('leaves it out, or refuses it', () => {
    expect(evaluate(qrels, run, "RR(empty='skip')")).toBe(0.5);
    expect(evaluate(qrels, run, ["RR(empty='skip')"]).value('r', 0)).toBeNaN();
    expect(() => evaluate(qrels, run, "RR(empty='error')")).toThrow("RR(empty='error'): topic r has no relevant document");
    expect(evaluate({ q: qrels.q }, run, "RR(empty='error')")).toBe(0.5);
  });

  it('goes by what the measure calls relevant', () => {
    expect(evaluate(qrels, run, 'P(rel=2,empty=1)@1')).toBe(1);
    // grade 1 gains nothing here
    expect(evaluate(qrels, run, "nDCG(gain='table',gains={2:1},empty=1)@1")).toBe(1);
    // the list itself has no relevant document
    expect(evaluate({ q: { a: 1 } }, { q: { b: 1 } }, "nDCG(ideal='list',empty=1)")).toBe(1);
    expect(evaluate({ q: { a: 1 } }, { q: { b: 1 } }, 'nDCG(empty=1)')).toBe(0);
  });

  it('holds for every measure', () => {
    for (const def of allMeasures) {
      const [spelling] = spellingsOf(def);
      const grades = def.needs === 'preferences' ? { r: { a: 0 } } : { r: { a: 0, b: 0 } };
      const table = evaluator(judged(def.needs, grades), [withParam(spelling, 'empty=0.25')], { known }).evaluate({ r: { a: 2, b: 1 } });
      expect([spelling, table.value('r', 0)]).toEqual([spelling, 0.25]);
    }
  });

  it('is known to the mean over all orders too', () => {
    expect(evaluate({ q: { a: 0 } }, { q: { a: 1, b: 1 } }, "AP(empty=1,ties='expected')")).toBe(1);
    expect(evaluate({ q: { a: 0 } }, { q: { a: 1, b: 1 } }, "YAAP(empty=1,ties='expected')")).toBe(1);
  });
});

describe('invariance', () => {
  const docs = ['a', 'b', 'c', 'd', 'e', 'f'];
  const grades = fc.dictionary(fc.constantFrom(...docs, 'x', 'y'), fc.constantFrom(0, 1, 1, 2, 0.5, -1), {
    minKeys: 1,
    noNullPrototype: true,
  });
  /** Distinct scores, so that nothing is left to tie rules. */
  const ranking = fc.shuffledSubarray(docs, { minLength: 1 });
  const collection = fc.record({ qrels: grades, ranking });
  // whole grades are asked for by those that say so
  const measures = spellingsFor('ranking');
  const scores = (order: readonly string[], score: (rank: number) => number) => Object.fromEntries(order.map((doc, i) => [doc, score(i)]));
  const values = (qrels: Qrels, run: Run, options: EvaluateOptions = {}) => [
    ...evaluator(qrels, measures, { highestGrade: 2, ...options }).evaluate(run).values,
  ];

  it('scores may be scaled and shifted', () => {
    fc.assert(
      fc.property(collection, ({ qrels, ranking: order }) => {
        const plain = values({ q: qrels }, { q: scores(order, (i) => -i) });
        expect(values({ q: qrels }, { q: scores(order, (i) => 1e6 - 1000 * i) })).toEqual(plain);
        expect(values({ q: qrels }, { q: scores(order, (i) => Math.exp(-i)) })).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  it('ids may be renamed and lines shuffled', () => {
    const lines = fc.record({ data: collection, order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }) });
    fc.assert(
      fc.property(lines, ({ data, order }) => {
        const qrels = Object.entries(data.qrels).map(([doc, grade]) => ({ topic: 'q', doc, grade }));
        const run = data.ranking.map((doc, i) => ({ topic: 'q', doc, score: -i }));
        const plain = values(qrels, run);
        const shuffled = <T>(list: readonly T[]): T[] => order.flatMap((i) => (i < list.length ? [list[i]] : []));
        const rename = (doc: string): string => `other/${doc.charCodeAt(0) * 7}`;
        expect(values(shuffled(qrels), shuffled(run))).toEqual(plain);
        expect(
          values(
            qrels.map((line) => ({ ...line, topic: 'z', doc: rename(line.doc) })),
            run.map((line) => ({ ...line, topic: 'z', doc: rename(line.doc) })),
          ),
        ).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  it('unjudged documents below a cutoff change nothing at the cutoff', () => {
    // values at a cutoff that look no further down: neither the length of the ranking nor its own ideal plays a part
    const atCutoff = measures.filter((spelling) => {
      const { def, params } = parseMeasure(spelling);
      return (
        def.at === 'cutoff' &&
        typeof params.cutoff === 'number' &&
        params.ideal !== 'list' &&
        params.cwl === undefined &&
        params.residual !== true
      );
    });
    expect(atCutoff.length).toBeGreaterThan(80);
    fc.assert(
      fc.property(collection, ({ qrels, ranking: order }) => {
        // long enough to fill every cutoff before anything is added
        const full = [...order, ...Array.from({ length: 10 }, (_, i) => `filler${i}`)];
        const evaluateAt = (list: readonly string[]) =>
          evaluator({ q: qrels }, atCutoff, { highestGrade: 2 })
            .evaluate({ q: scores(list, (i) => -i) })
            .means();
        expect(evaluateAt([...full, 'more1', 'more2'])).toEqual(evaluateAt(full));
      }),
      { numRuns: 40 },
    );
  });

  it('a topic’s values do not depend on other topics', () => {
    fc.assert(
      fc.property(collection, collection, (first, second) => {
        const alone = values({ q: first.qrels }, { q: scores(first.ranking, (i) => -i) });
        const both = values(
          { q: first.qrels, r: second.qrels },
          { q: scores(first.ranking, (i) => -i), r: scores(second.ranking, (i) => -i) },
        );
        expect(both.slice(0, alone.length)).toEqual(alone);
      }),
      { numRuns: 30 },
    );
  });
});

describe('grades that are not whole numbers', () => {
  const qrels = { q: { a: 0.37, b: 1.5, c: 0 } };
  const run = { q: { a: 3, b: 2, c: 1 } };

  it('count as they are', () => {
    const table = evaluate(qrels, run, [
      'nDCG',
      'P(rel=0.3)@1',
      "DCG(gain='exp')@1",
      'GAP(thresholds=[0.3,1])',
      'CG',
      "RBP(gain='linear',p=0.5)",
    ]);
    expect(table.means()).toEqual({
      nDCG: expect.closeTo((0.37 + 1.5 / Math.log2(3)) / (1.5 + 0.37 / Math.log2(3)), 14),
      'P(rel=0.3)@1': 1,
      "DCG(gain='exp')@1": 2 ** 0.37 - 1,
      // thresholds 0.3: a and b, both found; 1: b, at rank 2
      'GAP(thresholds=[0.3,1])': expect.closeTo((0.5 * (1 + 1) + 0.5 * (1 / 2)) / (0.5 * 2 + 0.5 * 1), 14),
      CG: expect.closeTo(1.87, 14),
      "RBP(p=0.5,gain='linear')": expect.closeTo(0.5 * (0.37 / 1.5 + 1 * 0.5), 14),
    });
  });

  it('are refused with a sentence where a definition counts whole grades', () => {
    expect(() => evaluate(qrels, run, "NCU(stop='graded',stops=[1,2])")).toThrow(
      'stops=[1,2] says nothing about grade 1.5; it counts whole grades from 1 to 2',
    );
    expect(() => evaluate({ q: { a: 0.5 } }, run, 'GAP')).toThrow('thresholds are counted from grade 1 up, and the highest grade is 0.5');
  });

  it('above the scale are refused by ERR', () => {
    expect(() => evaluate({ q: { a: 5 } }, run, 'ERR@10')).toThrow('grade 5 is above the top of the scale, which is 4');
    expect(evaluate({ q: { a: 5 } }, run, "ERR(max_rel='data')@10")).toBe(31 / 32);
  });
});
