import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBeaten, type PlainRun, slowFuse } from '../../test/helpers/slow-fusion.js';
import { expectRelative } from '../../test/helpers/stats-golden.js';
import type { Run } from '../core/run.js';
import { formatTrecRun } from '../formats/trec/run.js';
import { fuse, fuseRuns } from './fuse.js';
import { findFusionMethod, fusionMethods } from './methods.js';
import { findNormalisation, normalisations } from './normalise.js';

interface Golden {
  readonly runs: Record<string, PlainRun>;
  readonly cases: readonly {
    readonly method: string;
    readonly norm: string | null;
    readonly numRuns?: number;
    readonly params: { weights?: number[]; k?: number; p?: number; phi?: number; gamma?: number; sigma?: number };
    readonly result: Record<string, number[]>;
  }[];
}

function golden<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../test/golden/fusion/${name}.json`, import.meta.url), 'utf8')) as T;
}

/** topic → document → score, as a run holds it. */
function plain(run: Run): Map<string, Map<string, number>> {
  const topics = new Map<string, Map<string, number>>();
  for (let t = 0; t < run.topics.size; t++) {
    const docs = new Map<string, number>();
    for (let row = run.offsets[t]; row < run.offsets[t + 1]; row++) docs.set(run.docs.text(run.docOf[row]), run.scores[row]);
    topics.set(run.topics.text(t), docs);
  }
  return topics;
}

/** Scores of each topic in the order of document ids. */
function listed(run: Run): Record<string, number[]> {
  return Object.fromEntries(
    [...plain(run)].map(([topic, docs]) => [topic, [...docs.keys()].sort().map((doc) => docs.get(doc) ?? Number.NaN)]),
  );
}

function expectListed(found: Record<string, number[]>, expected: Record<string, number[]>, label: string): void {
  expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
  for (const [topic, scores] of Object.entries(expected)) {
    expect(found[topic].length).toBe(scores.length);
    // a sum of z-scores may be all but 0, where only the distance tells
    for (const [i, score] of scores.entries()) {
      if (Math.abs(score) < 1e-9) expect(Math.abs(found[topic][i]), label).toBeLessThan(1e-9);
      else expectRelative(found[topic][i], score, 1e-11, `${label}, topic ${topic}, document ${i}`);
    }
  }
}

describe('against other tools', () => {
  const { runs, cases, ...more } = golden<
    Golden & { transitive: Golden; lone: { run: PlainRun; norms: Record<string, Record<string, number[]>> } }
  >('ranx');

  test.each(cases.map((one) => [`${one.method} ${one.norm ?? ''} ${JSON.stringify(one.params)}`, one] as const))(
    'ranx: %s',
    (label, one) => {
      const { phi, ...params } = one.params;
      const found = fuse(Object.values(runs), {
        method: one.method,
        norm: one.norm ?? undefined,
        ...params,
        ...(phi === undefined ? {} : { p: phi }),
      });
      expectListed(listed(found), one.result, label);
    },
  );

  test('ranx: the order of Condorcet, where majorities contain no circle', () => {
    const [{ result }] = more.transitive.cases;
    expect(listed(fuse(Object.values(more.transitive.runs), { method: 'condorcet' }))).toEqual(result);
  });

  test('unlike ranx, a list of equal scores is worth something after min-max and sum', () => {
    // ranx divides by 1e-9 there and gives 0, as if the documents had not been retrieved
    const { run, norms } = more.lone;
    expect(norms['min-max']).toEqual({ t1: [0], t2: [0, 0] });
    expect(norms.sum).toEqual({ t1: [0], t2: [0, 0] });
    expect(listed(fuse([run], { method: 'combsum', norm: 'min-max' }))).toEqual({ t1: [1], t2: [1, 1] });
    expect(listed(fuse([run], { method: 'combsum', norm: 'sum' }))).toEqual({ t1: [1], t2: [0.5, 0.5] });
    // a score that does not differ from the mean is 0 either way
    expect(listed(fuse([run], { method: 'combsum', norm: 'z-score' }))).toEqual(norms.zmuv);
  });

  const trectools = golden<Golden>('trectools');
  test.each(trectools.cases.map((one) => [`${one.method} ${JSON.stringify(one.params)}`, one] as const))('trectools: %s', (label, one) => {
    const some = Object.values(trectools.runs).slice(0, one.numRuns);
    const norm = findFusionMethod(one.method).from === 'scores' ? 'none' : undefined;
    expectListed(listed(fuse(some, { method: one.method, norm, ...one.params })), one.result, label);
  });
});

const score = fc.constantFrom(5, 4, 3.25, 3.25, 2, 1, 0.5, 0.25);
const plainRun: fc.Arbitrary<PlainRun> = fc.dictionary(
  fc.constantFrom('1', '2', '10'),
  fc.dictionary(fc.constantFrom('a', 'b', 'B', 'aa', 'é', 'z', '__proto__x', 'd1'), score, { minKeys: 1, noNullPrototype: true }),
  { minKeys: 1, noNullPrototype: true },
);
const plainRuns = fc.array(plainRun, { minLength: 1, maxLength: 4 });

describe('fuse', () => {
  test('agrees with the slow twin for every method and normalisation', () => {
    fc.assert(
      fc.property(
        plainRuns,
        fc.constantFrom(...fusionMethods.filter(({ name }) => name !== 'condorcet')),
        fc.constantFrom(...normalisations),
        fc.array(fc.constantFrom(0, 0.25, 1, 3), { minLength: 4, maxLength: 4 }),
        fc.constantFrom(Infinity, 1, 3),
        fc.boolean(),
        (runs, method, norm, someWeights, window, least) => {
          const given = someWeights.slice(0, runs.length);
          const weights = method.weights === 'none' || given.every((weight) => weight === 0) ? undefined : given;
          fc.pre(weights !== undefined || method.weights !== 'required');
          const absent = least && norm !== 'borda' && ['combsum', 'wsum'].includes(method.name) ? 'least' : 'zero';
          const own = { k: 2, p: 0.6, gamma: 0.5, sigma: 0.1 };
          const parameter = method.parameter === undefined ? {} : { [method.parameter.name]: own[method.parameter.name] };
          const normOf = method.from === 'scores' ? norm : undefined;
          const found = plain(fuse(runs, { method: method.name, norm: normOf, weights, window, absent, ...parameter }));
          const expected = slowFuse(runs, { method: method.name, norm, weights, window, absent, ...parameter });
          expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
          for (const [topic, docs] of expected) {
            expect([...(found.get(topic)?.keys() ?? [])].sort()).toEqual([...docs.keys()].sort());
            for (const [doc, value] of docs) expect(found.get(topic)?.get(doc)).toBeCloseTo(value, 11);
          }
        },
      ),
      { numRuns: 600, seed: 11 },
    );
  });

  test('gives the same bytes for the same runs in another order', () => {
    fc.assert(
      fc.property(plainRuns, fc.constantFrom(...fusionMethods), fc.nat(), (runs, method, turn) => {
        const weights = method.weights === 'none' ? undefined : runs.map((_, r) => [0.1, 0.7, 0.3, 0.2][r]);
        const places = runs.map((_, r) => (r + turn) % runs.length);
        const gamma = method.name === 'combgmnz' ? 0.7 : undefined;
        const one = fuse(runs, { method: method.name, weights, gamma });
        const other = fuse(
          places.map((r) => runs[r]),
          { method: method.name, weights: weights && places.map((r) => weights[r]), gamma },
        );
        expect(formatTrecRun(other)).toEqual(formatTrecRun(one));
      }),
      { numRuns: 300, seed: 12 },
    );
  });

  test('condorcet never puts a document directly above one that most runs prefer', () => {
    fc.assert(
      fc.property(plainRuns, fc.array(fc.constantFrom(0.5, 1, 2), { minLength: 4, maxLength: 4 }), (runs, someWeights) => {
        const weights = someWeights.slice(0, runs.length);
        for (const [topic, docs] of plain(fuse(runs, { method: 'condorcet', weights }))) {
          const order = [...docs.keys()];
          for (let i = 1; i < order.length; i++) expect(isBeaten(runs, weights, topic, order[i - 1], order[i])).toBe(false);
        }
      }),
      { numRuns: 300, seed: 13 },
    );
  });

  test('works a small example out: two runs, RRF with k = 1', () => {
    const run = fuse([{ q: { a: 9, b: 8 } }, { q: { b: 0.7, c: 0.6, a: 0.5 } }], { k: 1 });
    expect([...(plain(run).get('q') ?? [])]).toEqual([
      ['b', 1 / 3 + 1 / 2],
      ['a', 1 / 4 + 1 / 2],
      ['c', 1 / 3],
    ]);
    expect([...(run.ranks ?? [])]).toEqual([1, 2, 3]);
    expect(run.name).toBe('rrf');
  });

  test('equal fused scores stand by id in descending byte order, and depth cuts after that', () => {
    const run = fuse([{ q: { a: 2, b: 1 } }, { q: { b: 2, a: 1 } }, { q: { c: 5 } }], { method: 'isr', depth: 2 });
    // a and b: (1 + 1/4) · 2; c: 1
    expect([...(plain(run).get('q') ?? [])]).toEqual([
      ['b', 2.5],
      ['a', 2.5],
    ]);
  });

  test('one run keeps its order under every method that has no say against it', () => {
    const only = { q: { a: 3, b: 2, c: 1 } };
    for (const { name, weights, parameter } of fusionMethods) {
      const run = fuse([only], {
        method: name,
        weights: weights === 'required' ? [1] : undefined,
        gamma: parameter?.name === 'gamma' ? 1 : undefined,
      });
      const order = [...(plain(run).get('q')?.keys() ?? [])];
      // ln 1 is 0: what only one run retrieved is worth nothing
      expect([name, order]).toEqual([name, name === 'logisr' ? ['c', 'b', 'a'] : ['a', 'b', 'c']]);
    }
  });

  test('topics that only some runs answer: union, common, error', () => {
    const runs = [
      { 1: { a: 1 }, 2: { a: 1 } },
      { 2: { b: 1 }, 3: { b: 1 } },
    ];
    const { run, numPartial } = fuseRuns(runs);
    expect([...plain(run).keys()]).toEqual(['1', '2', '3']);
    expect(numPartial).toBe(2);
    expect([...plain(fuse(runs, { topics: 'common' })).keys()]).toEqual(['2']);
    expect(() => fuse(runs, { topics: 'error' })).toThrow('topic 1 is not answered by run 2; fuse what there is with the policy union');
    expect(() => fuse([{ 1: { a: 1 } }, { 2: { a: 1 } }], { topics: 'common' })).toThrow('no topic in common');
  });

  test('a document that a run left out gets nothing, or its least score', () => {
    const runs = [{ q: { a: -1, b: -2 } }, { q: { b: 3, c: 1 } }];
    expect(listed(fuse(runs, { method: 'combsum', norm: 'none' }))).toEqual({ q: [-1, 1, 1] });
    expect(listed(fuse(runs, { method: 'combsum', norm: 'none', absent: 'least' }))).toEqual({ q: [0, 1, -1] });
    expect(() => fuse(runs, { method: 'combmnz', absent: 'least' })).toThrow('with combsum and wsum, found combmnz');
  });

  test.each([
    [{ method: 'rrr' }, 'rrr is no method of fusion, expected one of combsum'],
    [{ method: 'rff' }, 'did you mean rrf?'],
    [{ method: 'combsum', norm: 'minimax' }, 'minimax is no normalisation'],
    [{ method: 'rrf', norm: 'min-max' }, 'rrf looks at ranks only, the normalisation min-max would have no effect'],
    [{ method: 'wsum' }, 'wsum needs a weight for each run'],
    [{ method: 'wsum', weights: [1] }, 'found 1 weights for 2 runs'],
    [{ method: 'wsum', weights: [1, -1] }, 'weight: expected a number from 0, found -1'],
    [{ method: 'wsum', weights: [0, 0] }, 'all weights are 0'],
    [{ method: 'combmax', weights: [1, 1] }, 'combmax knows no weights'],
    [{ method: 'combgmnz' }, 'combgmnz needs a value for gamma'],
    [{ method: 'rbc', p: 1 }, 'p of rbc: expected a number between 0 and 1, both excluded, found 1'],
    [{ method: 'rbc', k: 1 }, 'rbc has no parameter k, only p'],
    [{ method: 'isr', k: 1 }, 'isr has no parameter k'],
    [{ depth: 0 }, 'depth: expected a whole number from 1, found 0'],
    [{ window: 1.5 }, 'window: expected a whole number from 1, found 1.5'],
  ])('refuses %j', (options, message) => {
    expect(() => fuse([{ q: { a: 2, b: 1 } }, { q: { a: 1 } }], options)).toThrow(message);
  });

  test('refuses repeated documents, scores that are no numbers, and max without a positive score', () => {
    const twice = [
      { topic: 'q', doc: 'a', score: 1 },
      { topic: 'q', doc: 'a', score: 2 },
    ];
    expect(() => fuse([twice])).toThrow('run run 1, topic q: document a appears more than once');
    expect(() => fuse([{ q: { a: Number.POSITIVE_INFINITY } }])).toThrow('document a has the score Infinity');
    expect(() => fuse([{ q: { a: -1 } }], { method: 'combsum', norm: 'max' })).toThrow('no score is above 0');
    expect(() => fuse([])).toThrow('found no run to fuse');
    expect(() => fuse([{ q: { a: 1e308 } }, { q: { a: 1e308 } }], { method: 'combsum', norm: 'none' })).toThrow('is Infinity');
  });

  test('understands the names of other libraries', () => {
    expect(findFusionMethod('CombSUM').name).toBe('combsum');
    expect(findFusionMethod('comb_mnz').name).toBe('combmnz');
    expect(findFusionMethod('bordafuse').name).toBe('borda');
    expect(findFusionMethod('log_isr').name).toBe('logisr');
    expect(findNormalisation('zmuv')).toBe('z-score');
    expect(findNormalisation('min_max')).toBe('min-max');
  });
});
