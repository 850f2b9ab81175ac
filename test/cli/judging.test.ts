import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradus } from '../helpers/in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-judging-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const topics = Array.from({ length: 12 }, (_, t) => `t${t + 1}`);
const docs = ['a', 'b', 'c', 'd'];

beforeAll(() => {
  const write = (name: string, text: string): void => writeFileSync(at(name), text);
  const qrels = (grade: (t: number, d: number) => number, of: readonly string[] = topics): string =>
    of.map((topic) => docs.map((doc, d) => `${topic} 0 ${doc} ${grade(topics.indexOf(topic), d)}\n`).join('')).join('');
  write(
    'human.qrels',
    qrels((t, d) => (t + d) % 3),
  );
  // one step stricter on every third topic
  write(
    'machine.qrels',
    qrels((t, d) => Math.max(0, ((t + d) % 3) - (t % 3 === 0 ? 1 : 0))),
  );
  write(
    'some-human.qrels',
    qrels((t, d) => (t + d) % 3, topics.slice(0, 6)),
  );
  const run = (shift: (t: number) => number, tag: string): string =>
    topics.map((topic, t) => docs.map((_, i) => `${topic} Q0 ${docs[(i + shift(t)) % 4]} ${i + 1} ${4 - i} ${tag}\n`).join('')).join('');
  write(
    'x.run',
    run(() => 0, 'x'),
  );
  write(
    'y.run',
    run((t) => t % 4, 'y'),
  );
  write(
    'z.run',
    run(() => 1, 'z'),
  );
  write('votes.csv', 'first,second,outcome\nx,y,first\nx,y,second\ny,x,tie\n');
  write(
    'scores.csv',
    `topic,x,y,z\n${topics.map((topic, t) => `${topic},${0.5 + (t % 5) / 50},${0.4 + (t % 3) / 30},${0.3 + (t % 4) / 40}\n`).join('')}`,
  );
  write('groups.csv', 'run,team\nx,one\ny,one\nz,two\n');
});

describe('gradus agree', () => {
  test('says how far judges agree, in which direction they differ, and what it does to the order of runs', async () => {
    const { status, out, err } = await gradus(
      'agree',
      at('human.qrels'),
      at('machine.qrels'),
      '--runs',
      at('x.run'),
      '--runs',
      at('y.run'),
      '-B',
      '200',
      '--json',
    );
    expect([status, err]).toEqual([0, '']);
    const { judges, pairs, conclusions } = JSON.parse(out);
    expect(judges).toEqual(['human', 'machine']);
    // topics 1, 4, 7 and 10 have grades 0 1 2 0, which become 0 0 1 0: 8 of 48 pairs change by one
    expect(pairs[0]).toMatchObject({ pairs: 48, topics: 12, categories: [0, 1, 2] });
    expect(pairs[0].agreement.value).toBeCloseTo(40 / 48, 12);
    expect(pairs[0].shift.value).toBeCloseTo(-8 / 48, 12);
    expect(pairs[0].kappa.interval.low).toBeLessThan(pairs[0].kappa.value);
    expect(conclusions.map(({ measure }: { measure: string }) => measure)).toEqual(['nDCG@10', 'AP']);
  });

  test('prints a table with an interval at each number, and the same draws again', async () => {
    const argv = ['agree', at('human.qrels'), at('machine.qrels'), '-B', '200', '--rel', '2'];
    const first = await gradus(...argv);
    expect(first.out).toMatch(/^judge\s+pairs\s+topics\s+agreement\s+kappa\s+interval/);
    expect(first.out).toContain('human \\ machine');
    expect(first.out).toContain('95% intervals by 200 resamples of topics, seed 1.');
    expect(await gradus(...argv)).toEqual(first);
  });

  test.each([
    [['agree', at('human.qrels')], 'one judge has nobody to agree with; give the judgements of two judges or more'],
    [
      ['agree', at('human.qrels'), at('machine.qrels'), '--scale', '3-0'],
      '--scale 3-0 is no scale; write the lowest and the highest grade, as in 0-3',
    ],
    [
      ['agree', at('human.qrels'), at('machine.qrels'), '--scale', '0-1'],
      'expected a whole number from 0 to 1; move such grades to the nearest of the scale with --outside clip',
    ],
  ])('%j gets a sentence', async (argv, sentence) => {
    const { status, err } = await gradus(...argv);
    expect([status, err]).toEqual([2, expect.stringContaining(sentence)]);
    if (argv.includes('0-1')) expect((await gradus(...argv, '--outside', 'clip', '-B', '20')).status).toBe(0);
  });

  test('judges without a document in common, and labels that are all the same', async () => {
    writeFileSync(at('elsewhere.qrels'), 't99 0 q 1\n');
    const nothing = await gradus('agree', at('human.qrels'), at('elsewhere.qrels'));
    expect(nothing).toMatchObject({
      status: 2,
      err: expect.stringContaining('human and elsewhere judged no document of a topic in common'),
    });
    writeFileSync(at('same1.qrels'), topics.map((topic) => `${topic} 0 a 1\n`).join(''));
    writeFileSync(at('same2.qrels'), topics.map((topic) => `${topic} 0 a 1\n`).join(''));
    const { pairs } = JSON.parse((await gradus('agree', at('same1.qrels'), at('same2.qrels'), '-B', '20', '--json')).out);
    expect(pairs[0].kappa).toEqual({ value: null, standardError: null, interval: null, undefinedDraws: 20 });
    expect(pairs[0].ac1.value).toBe(1);
  });
});

describe('gradus correct', () => {
  test('corrects scores and differences, with how many topics would settle them', async () => {
    const { status, out, err } = await gradus(
      'correct',
      at('some-human.qrels'),
      at('machine.qrels'),
      at('x.run'),
      at('y.run'),
      '-m',
      'nDCG@10',
      '--json',
    );
    expect(status, err).toBe(0);
    expect(err).toContain('people judged 6 topics; below 20 the intervals are rough');
    const { measures, humanTopics, machineTopics } = JSON.parse(out);
    expect([humanTopics, machineTopics]).toEqual([6, 6]);
    const [x] = measures[0].systems;
    expect(x.corrected.lambda).toBeGreaterThanOrEqual(0);
    expect(x.corrected.interval.low).toBeLessThan(x.corrected.estimate);
    expect(measures[0].differences[0].toSettle.humanItems).toBeGreaterThanOrEqual(2);
    const zero = JSON.parse(
      (await gradus('correct', at('some-human.qrels'), at('machine.qrels'), at('x.run'), '-m', 'AP', '--lambda', '0', '--json')).out,
    );
    expect(zero.measures[0].systems[0].corrected).toEqual(zero.measures[0].systems[0].human);
  });

  test('needs topics that both judged', async () => {
    writeFileSync(at('other-topic.qrels'), 't1 0 a 1\n');
    const { status, err } = await gradus('correct', at('other-topic.qrels'), at('machine.qrels'), at('x.run'));
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('people and machine judged 1 topic in common, and a correction needs at least 2'),
    ]);
  });
});

describe('gradus leaderboard', () => {
  test('ranks ready scores with sets that hold the rank', async () => {
    const { out, status } = await gradus('leaderboard', '--scores', at('scores.csv'), '-m', 'AP', '-B', '500', '--json');
    expect(status).toBe(0);
    const [{ systems, notToldApart }] = JSON.parse(out).results;
    expect(systems.map(({ system, rank }: { system: string; rank: number }) => [system, rank])).toEqual([
      ['x', 1],
      ['y', 2],
      ['z', 3],
    ]);
    for (const { rank, set, marginal } of systems) {
      expect(set.low).toBeLessThanOrEqual(rank);
      expect(set.high).toBeGreaterThanOrEqual(rank);
      expect(marginal.low).toBeGreaterThanOrEqual(set.low);
    }
    expect(notToldApart).toContain('x');
  });

  test('ranks runs, and preferences', async () => {
    expect((await gradus('leaderboard', at('human.qrels'), at('x.run'), at('y.run'), '-B', '100')).out).toContain(
      'Rank sets hold together with 95%',
    );
    // one win each and a tie: equal strengths
    const { systems } = JSON.parse((await gradus('leaderboard', '--preferences', at('votes.csv'), '--json', '-B', '100')).out);
    expect(systems.map(({ strength, elo }: { strength: number; elo: number }) => [strength, elo])).toEqual([
      [0, 1000],
      [0, 1000],
    ]);
  });

  test('says what it needs', async () => {
    expect((await gradus('leaderboard', at('human.qrels'), at('x.run'))).err).toContain('needs judgements and two runs or more');
    writeFileSync(at('unbeaten.csv'), 'first,second,outcome\nx,y,first\n');
    const unbeaten = await gradus('leaderboard', '--preferences', at('unbeaten.csv'));
    expect(unbeaten).toMatchObject({
      status: 2,
      err: expect.stringContaining('the groups are x / y; compare the groups with each other, or add virtual ties with --prior 0.1'),
    });
    expect((await gradus('leaderboard', '--preferences', at('unbeaten.csv'), '--prior', '0.1')).status).toBe(0);
    writeFileSync(at('bad.csv'), 'first,second,outcome\nx,y,won\n');
    expect((await gradus('leaderboard', '--preferences', at('bad.csv'))).err).toContain(
      'bad.csv:2: expected two systems and first, second or tie',
    );
    writeFileSync(at('one-topic.csv'), 'topic,x,y\nt1,0.1,0.2\n');
    expect((await gradus('leaderboard', '--scores', at('one-topic.csv'), '-m', 'AP')).err).toContain(
      'found 1 topic, and how sure a rank is shows only over several topics',
    );
  });
});

describe('gradus plan', () => {
  test('plans topics, reliability and equivalence from a pilot', async () => {
    const { results: plans } = JSON.parse(
      (await gradus('plan', 'topics', '--scores', at('scores.csv'), '-m', 'AP', '--difference', '0.05', '--json')).out,
    );
    expect(plans[0].tTest.low).toBeLessThanOrEqual(plans[0].tTest.topics);
    expect(plans[0].tTest.power).toBeGreaterThanOrEqual(0.8);
    const [{ studies }] = JSON.parse((await gradus('plan', 'reliability', '--scores', at('scores.csv'), '-m', 'AP', '--json')).out).results;
    expect(studies[0].relative.value).toBeGreaterThanOrEqual(studies[0].absolute.value);
    const { results } = JSON.parse(
      (await gradus('plan', 'equivalence', '--scores', at('scores.csv'), '-m', 'AP', '--rope', '0.01', '--json')).out,
    );
    const { first, equivalent, second } = results[0].t;
    expect(first + equivalent + second).toBeCloseTo(1, 12);
    expect(first).toBeGreaterThan(0.95);
    for (const question of ['topics', 'reliability', 'equivalence'])
      expect((await gradus('plan', question, '--scores', at('scores.csv'), '-m', 'AP')).status).toBe(0);
  });
});

describe('gradus pool', () => {
  test('chooses documents that nobody judged', async () => {
    writeFileSync(at('partial.qrels'), topics.map((topic) => `${topic} 0 a 1\n`).join(''));
    const { out, status } = await gradus(
      'pool',
      'next',
      at('partial.qrels'),
      at('x.run'),
      at('z.run'),
      '--order',
      'rank',
      '--budget',
      '1',
      '-f',
      'csv',
    );
    expect(status).toBe(0);
    // x has a b c d, and a is judged; z has b first
    expect(out.trim().split('\n').slice(1)).toEqual(topics.map((topic) => `${topic},b`));
  });

  test('judges again, and leaves groups out', async () => {
    const { budgets, allJudged } = JSON.parse(
      (await gradus('pool', 'replay', at('human.qrels'), at('x.run'), at('y.run'), at('z.run'), '--budget', '4', '--seeds', '2', '--json'))
        .out,
    );
    expect(allJudged).toBe(48);
    expect(budgets.at(-1)).toMatchObject({ judged: 48, share: 1, tau: 1 });
    const reuse = JSON.parse(
      (
        await gradus(
          'pool',
          'reuse',
          at('human.qrels'),
          at('x.run'),
          at('y.run'),
          at('z.run'),
          '--groups',
          at('groups.csv'),
          '--depth',
          '1',
          '--json',
        )
      ).out,
    );
    expect(reuse.groups.map(({ group }: { group: string }) => group)).toEqual(['one', 'two']);
    writeFileSync(at('bad-groups.csv'), 'run,team\nx\n');
    expect((await gradus('pool', 'reuse', at('human.qrels'), at('x.run'), at('y.run'), '--groups', at('bad-groups.csv'))).err).toContain(
      'bad-groups.csv:2: expected a run and its group',
    );
  });
});

describe('gradus reproduce', () => {
  test('a run reproduces itself', async () => {
    const { out, err, status } = await gradus('reproduce', at('human.qrels'), at('x.run'), at('x.run'), '-m', 'AP', '--json');
    expect(status, err).toBe(0);
    const { orders, scores } = JSON.parse(out);
    expect(orders[0]).toMatchObject({ tau: 1, rbo: 1, tauUnion: 1 });
    expect(scores[0]).toMatchObject({ rmse: 0, pValue: 1, difference: 0 });
    expect(err).toContain('all differences are zero, so p is 1');
  });

  test('the effect of an advanced system is compared', async () => {
    const { effects } = JSON.parse(
      (
        await gradus(
          'reproduce',
          at('human.qrels'),
          at('x.run'),
          at('x.run'),
          '--advanced',
          at('y.run'),
          '--advanced-again',
          at('y.run'),
          '-m',
          'AP',
          '--json',
        )
      ).out,
    );
    expect(effects).toEqual([{ measure: 'AP', effectRatio: 1, deltaImprovement: 0 }]);
    expect((await gradus('reproduce', at('human.qrels'), at('x.run'), at('x.run'), '--advanced', at('y.run'))).err).toContain(
      '--advanced and --advanced-again belong together',
    );
  });
});
