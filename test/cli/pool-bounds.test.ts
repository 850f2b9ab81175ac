import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/index.js';
import { gradus, testFolder } from '../helpers/in-process.js';

const { save } = testFolder('pool-bounds');

type Run = Record<string, Record<string, number>>;

function runFile(name: string, lists: Readonly<Record<string, string>>): { path: string; run: Run } {
  const rows = Object.entries(lists).flatMap(([topic, docs]) =>
    [...docs].map((doc, i) => `${topic} Q0 ${doc} ${i + 1} ${9 - i} ${name}\n`),
  );
  const run = Object.fromEntries(
    Object.entries(lists).map(([topic, docs]) => [topic, Object.fromEntries([...docs].map((doc, i) => [doc, 9 - i]))]),
  );
  return { path: save(`${name}.run`, rows.join('')), run };
}

const known: Run = { t1: { a: 1, b: 0, c: 2 }, t2: { a: 0, d: 1 }, t3: { a: 1, b: 1, c: 0, d: 0, e: 0 } };
const qrels = save(
  'some.qrels',
  Object.entries(known)
    .flatMap(([topic, own]) => Object.entries(own).map(([doc, grade]) => `${topic} 0 ${doc} ${grade}\n`))
    .join(''),
);
const x = runFile('x', { t1: 'aebc', t2: 'dabe', t3: 'abc' });
const y = runFile('y', { t1: 'edac', t2: 'adc', t3: 'dea' });
/** Documents of the two runs that nobody judged. */
const open: readonly (readonly [string, string])[] = [
  ['t1', 'd'],
  ['t1', 'e'],
  ['t2', 'b'],
  ['t2', 'c'],
  ['t2', 'e'],
];
const CHANCE = 0.3;
/** Judged documents have grade 1 four times and grade 2 once; relevant ones of the others are taken to do so as well. */
const shares: Readonly<Record<number, number>> = { 0: 1 - CHANCE, 1: CHANCE * 0.8, 2: CHANCE * 0.2 };

/** Values of both runs in every completion, by evaluating each of them. */
function everyCompletion(measure: string): { first: number; second: number; probability: number }[] {
  return Array.from({ length: 3 ** open.length }, (_, number) => {
    const completed: Run = { t1: { ...known.t1 }, t2: { ...known.t2 }, t3: known.t3 };
    let probability = 1;
    for (const [i, [topic, doc]] of open.entries()) {
      const grade = Math.floor(number / 3 ** i) % 3;
      completed[topic][doc] = grade;
      probability *= shares[grade];
    }
    return { first: evaluate(completed, x.run, measure), second: evaluate(completed, y.run, measure), probability };
  });
}

describe('gradus pool bounds', () => {
  test.each(['AP', 'nDCG@3', 'P@2', 'Rprec', 'RBP', 'Bpref', 'ERR@3', 'infAP', 'R@2', 'RR', 'Q'])(
    'of %s are those of all completions',
    async (measure) => {
      const { out, err, status } = await gradus('pool', 'bounds', qrels, x.path, y.path, '-m', measure, '--chance', `${CHANCE}`, '--json');
      expect(status, err).toBe(0);
      const found = JSON.parse(out);
      expect(found).toMatchObject({ openDocuments: 5, openTopics: 2, topics: 3, grades: [0, 1, 2] });
      const [{ runs, pairs }] = found.measures;
      const all = everyCompletion(measure);
      const range = (of: (one: (typeof all)[number]) => number) => ({
        low: expect.closeTo(Math.min(...all.map(of)), 12),
        high: expect.closeTo(Math.max(...all.map(of)), 12),
        expected: expect.closeTo(
          all.reduce((sum, one) => sum + one.probability * of(one), 0),
          12,
        ),
        attained: true,
      });
      expect(runs).toMatchObject([
        { run: 'x', value: expect.closeTo(evaluate(known, x.run, measure), 12), ...range(({ first }) => first) },
        { run: 'y', value: expect.closeTo(evaluate(known, y.run, measure), 12), ...range(({ second }) => second) },
      ]);
      expect(pairs).toMatchObject([{ first: 'x', second: 'y', ...range(({ first, second }) => first - second) }]);
      // 1,000 completions are drawn: five standard deviations are at most 0.08
      const ahead = all.reduce((sum, { first, second, probability }) => sum + (first > second + 1e-12 ? probability : 0), 0);
      const behind = all.reduce((sum, { first, second, probability }) => sum + (first < second - 1e-12 ? probability : 0), 0);
      expect(Math.abs(pairs[0].probability - Math.max(ahead, behind))).toBeLessThan(0.08);
      const isCertain = all.every(({ first, second }) => first > second) || all.every(({ first, second }) => first < second);
      expect(pairs[0].settled).toBe(isCertain ? 'certain' : pairs[0].probability >= 0.95 ? 'probable' : 'open');
    },
  );

  test('says when judging can stop', async () => {
    const all = await gradus('pool', 'bounds', qrels, x.path, y.path, '-m', 'P@1', '--depth', '1');
    // at rank 1, x finds a relevant document on all topics; y's e on t1 may be one, and its others are not
    expect(all.out).toContain('Judging can stop: no comparison is open.');
    expect(all.out).toMatch(/x - y +1\.0000 +0\.6667 +1\.0000/);
    // whichever of a and b is relevant decides
    const [ab, ba] = [runFile('ab', { t1: 'ab' }), runFile('ba', { t1: 'ba' })];
    const some = await gradus('pool', 'bounds', save('c.qrels', 't1 0 c 1\n'), ab.path, ba.path, '-m', 'AP', '--lenient');
    expect(some.out, some.err).toContain('Judge on: 1 of 1 comparisons is open.');
  });

  test('takes chances from a file, and those by rank for the rest', async () => {
    const certain = save('chances.txt', open.map(([topic, doc]) => `${topic} ${doc} 0\n`).join(''));
    const { out } = await gradus('pool', 'bounds', qrels, x.path, '-m', 'AP', '--chances', certain, '--json');
    const [{ runs }] = JSON.parse(out).measures;
    const judged = { t1: { ...known.t1, d: 0, e: 0 }, t2: { ...known.t2, b: 0, c: 0, e: 0 }, t3: known.t3 };
    expect(runs[0].expected).toBeCloseTo(evaluate(judged, x.run, 'AP'), 12);
    // by rank: e is at rank 2 of t1, where b of t3 is relevant and a of t2 is not: (1 + 1/2) / (2 + 1); nothing else counts for P@2
    const ranked = await gradus('pool', 'bounds', qrels, x.path, '-m', 'P@2', '--json');
    const [{ runs: byRank }] = JSON.parse(ranked.out).measures;
    expect(byRank[0].expected).toBeCloseTo((0.5 + 0.5 * 0.5 + 0.5 + 1) / 3, 12);
    const wrong = await gradus('pool', 'bounds', qrels, x.path, '--chances', save('wrong.txt', 't1 d 2\n'));
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('expected a topic, a document and a chance from 0 to 1')]);
  });

  test('refuses measures that have no grades to complete', async () => {
    const { status, err } = await gradus('pool', 'bounds', qrels, x.path, '-m', 'alpha_nDCG@10');
    expect([status, err]).toEqual([2, expect.stringContaining('ask for a measure of rankings, such as AP or nDCG@10')]);
    const both = await gradus('pool', 'bounds', qrels, x.path, '--chance', '0.5', '--chances', qrels);
    expect([both.status, both.err]).toEqual([2, expect.stringContaining('leave one of them out')]);
  });
});

describe('telling two runs apart', () => {
  // one topic, x: a b, y: b a, and nothing judged: R·AP of x - y is (x_a + x_a x_b / 2 + x_b / 2) - (the same turned) = (x_a - x_b) / 2
  const one = save('one.qrels', 't1 0 c 1\n');
  const first = runFile('first', { t1: 'abc' });
  const second = runFile('second', { t1: 'bac' });

  test('takes the document that moves the comparison most, by hand', async () => {
    const { out, err } = await gradus('pool', 'next', one, first.path, second.path, '--order', 'minimal', '--json');
    const found = JSON.parse(out);
    // a and b matter alike, c is at the same rank in both
    expect(found.documents, err).toEqual([
      { topic: 't1', doc: 'a' },
      { topic: 't1', doc: 'b' },
    ]);
    expect(found.comparison).toMatchObject({ expected: 0, ahead: null, probability: 0.5 });
    // the variance of (x_a - x_b) / 2 with even chances is 1/8
    expect(found.comparison.standardDeviation).toBeCloseTo(Math.sqrt(1 / 8), 12);
  });

  test('stops when it is settled, and says whether that was right', async () => {
    const judged = save('judged.qrels', 't1 0 a 1\nt1 0 b 0\nt1 0 c 1\n');
    const argv = ['pool', 'replay', judged, first.path, second.path, '--order', 'minimal'];
    const found = JSON.parse((await gradus(...argv, '--json')).out);
    // after a = 1: 1/2 expected less 1/4, standard deviation 1/4: P is the normal distribution at 1, 0.8413; then b settles it
    expect(found.trace.map(({ judged: done }: { judged: number }) => done)).toEqual([0, 1, 2]);
    expect(found.trace[1].probability).toBeCloseTo(0.8413447460685429, 10);
    expect(found).toMatchObject({ stoppedAfter: 2, allJudged: 3, aheadUnderAll: 'first', agrees: true });
    const soon = JSON.parse((await gradus(...argv, '--confidence', '0.8', '--json')).out);
    expect(soon).toMatchObject({ stoppedAfter: 1, agrees: true });
    expect((await gradus(...argv)).out).toContain('Settled after 2 of 3 judgements of their documents; under all of them first is ahead.');
  });

  test('is for two runs, and for AP, P and RBP', async () => {
    const three = await gradus('pool', 'next', one, first.path, second.path, x.path, '--order', 'minimal');
    expect([three.status, three.err]).toEqual([2, expect.stringContaining('give two runs, or choose --order influence')]);
    const other = await gradus('pool', 'next', one, first.path, second.path, '--order', 'minimal', '-m', 'nDCG@10');
    expect([other.status, other.err]).toEqual([2, expect.stringContaining('add -m AP')]);
    // P@1: only a and b count, and they count as much: one half of even chances each
    const precision = await gradus('pool', 'next', one, first.path, second.path, '--order', 'minimal', '-m', 'P@1', '--json');
    expect(JSON.parse(precision.out).comparison.standardDeviation).toBeCloseTo(Math.sqrt(0.5), 12);
  });
});
