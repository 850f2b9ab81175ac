import { describe, expect, test } from 'vitest';
import { gradus, testFolder } from '../helpers/in-process.js';

const { save } = testFolder('stability');

const topics = ['t1', 't2', 't3', 't4'];
const run = (tag: string, scores: Readonly<Record<string, number>>): string =>
  save(
    `${tag}.run`,
    topics
      .map((topic) =>
        Object.entries(scores)
          .map(([doc, score], i) => `${topic} Q0 ${doc} ${i + 1} ${score} ${tag}\n`)
          .join(''),
      )
      .join(''),
  );
/** Document m is relevant on all topics, and n is not. */
const qrels = save('q.qrels', topics.map((topic) => `${topic} 0 m 1\n${topic} 0 n 0\n${topic} 0 o 0\n`).join(''));
// tied gives both the same score: by ids n is first, which is behind; with the best grade first it is level with sure
const files = [qrels, run('tied', { m: 2, n: 2, o: 1 }), run('sure', { m: 3, n: 2, o: 1 }), run('late', { n: 3, o: 2, m: 1 })];

describe('gradus leaderboard --stability', () => {
  test('says what other tie rules and measures make of the order, by hand', async () => {
    const { out, err, status } = await gradus('leaderboard', ...files, '-m', 'P@1', '-m', 'RR', '--stability', '-B', '50', '--json');
    expect(status, err).toBe(0);
    const [byPrecision, byRank] = JSON.parse(out).results;
    // P@1: sure 1, tied 0, late 0; optimistic: sure and tied 1; pessimistic as it is; expected: tied one half
    expect(byPrecision.stability).toMatchObject([
      { condition: 'RR', best: ['sure'], swapped: 0 },
      { condition: 'P@1, ties optimistic', best: ['tied', 'sure'], swapped: 0 },
      { condition: 'P@1, ties pessimistic', best: ['sure'], swapped: 0, tau: expect.closeTo(1, 12) },
      { condition: 'P@1, ties expected', best: ['sure'], swapped: 0 },
    ]);
    // tau-b of 1 0 0 with 1 1/2 1/3: two concordant pairs of three, one tied in the first: 2 / sqrt(2 · 3)
    expect(byPrecision.stability[0].tau).toBeCloseTo(2 / Math.sqrt(6), 12);
    const elsewhere = Object.fromEntries(
      byPrecision.systems.map(({ system, ranksElsewhere }: { system: string; ranksElsewhere: object }) => [system, ranksElsewhere]),
    );
    // late shares rank 2 with tied where ties are by id, and is third elsewhere
    expect(elsewhere).toEqual({ sure: { low: 1, high: 1 }, tied: { low: 1, high: 2 }, late: { low: 2, high: 3 } });
    expect(byRank.stability[0].condition).toBe('P@1');
    const shown = await gradus('leaderboard', ...files, '-m', 'P@1', '--stability', '-B', '50');
    expect(shown.out).toContain('order by P@1 against');
    expect(shown.out).toMatch(/P@1, ties optimistic +0\.\d+ +.* tied, sure/);
  });

  test('names groups whose systems cannot be told apart', async () => {
    const rows = Array.from({ length: 30 }, (_, t) => {
      const noise = ((t * 7) % 11) / 100;
      const other = ((t * 5) % 13) / 100;
      return `t${t},${0.8 + noise},${0.79 + other},${0.2 + noise},${0.21 + other}\n`;
    });
    const scores = save('scores.csv', `topic,a,b,c,d\n${rows.join('')}`);
    const { out, err } = await gradus('leaderboard', '--scores', scores, '-m', 'AP', '-B', '200', '--json');
    const [{ groups, stability }] = JSON.parse(out).results;
    // a and b are noise apart, c and d too, and 0.6 lies between them
    expect(
      groups.map((group: string[]) => [...group].sort()),
      err,
    ).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(stability).toBeUndefined();
    expect((await gradus('leaderboard', '--scores', scores, '-m', 'AP', '-B', '200')).out).toContain(
      'Groups whose systems cannot be told apart',
    );
  });

  test('draws topics or comparisons for strengths, and keeps Elo in sequence if asked', async () => {
    const votes = save(
      'votes.csv',
      `first,second,outcome,topic\n${'a,b,first,t1\na,b,second,t2\nb,c,first,t3\nc,b,first,t4\na,c,first,t5\nc,a,first,t6\n'.repeat(4)}`,
    );
    const { out, err, status } = await gradus('leaderboard', '--preferences', votes, '--shuffles', '20', '-B', '100', '--json');
    expect(status, err).toBe(0);
    const { systems, resampled } = JSON.parse(out);
    expect(resampled).toMatchObject({ unit: 'topics', units: 6, resamples: 100 });
    for (const { strength, interval, probabilityBest, eloInSequence } of systems) {
      // every pair is level: strengths are 0
      expect(strength).toBeCloseTo(0, 10);
      expect(interval.low).toBeLessThan(0.001);
      expect(interval.high).toBeGreaterThan(-0.001);
      expect(probabilityBest).toBeGreaterThan(0.05);
      expect(Math.abs(eloInSequence.mean - 1000)).toBeLessThan(10);
    }
    const shown = await gradus('leaderboard', '--preferences', votes, '--shuffles', '20', '-B', '100');
    expect(shown.out).toContain('Elo in sequence');
    expect(shown.out).toContain('samples of 6 topics');
    for (const [argv, message] of [
      [['leaderboard', ...files, '--shuffles', '5'], '--shuffles has no meaning without --preferences'],
      [['leaderboard', '--preferences', votes, '--stability'], '--stability has no meaning with --preferences'],
    ] as const) {
      const refused = await gradus(...argv);
      expect([refused.status, refused.err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('gradus meta stability --groups', () => {
  test('leaves groups out of the pool, by hand', async () => {
    const ids = ['u1', 'u2'];
    const judged = save('g.qrels', ids.map((topic) => `${topic} 0 a 1\n${topic} 0 b 1\n${topic} 0 c 0\n`).join(''));
    const list = (tag: string, docs: string): string =>
      save(`${tag}.run`, ids.map((topic) => [...docs].map((doc, i) => `${topic} Q0 ${doc} ${i + 1} ${9 - i} ${tag}\n`).join('')).join(''));
    const runs = [list('one', 'ac'), list('two', 'ab'), list('three', 'bc'), list('four', 'ca')];
    const groups = save('teams.csv', 'run,team\none,A\ntwo,A\nthree,B\nfour,B\n');
    const argv = ['meta', 'stability', judged, ...runs, '-m', 'P@1', '--pool', '1', '-B', '20', '--json'];
    const single = JSON.parse((await gradus(...argv)).out).leftOut;
    // alone, each of the two runs of A leaves a in the pool of the other; without their group it is gone
    expect(single.map(({ without }: { without: number }) => without)).toEqual([1, 1, 0, 0]);
    const { leftOut } = JSON.parse((await gradus(...argv, '--groups', groups)).out);
    expect(leftOut).toMatchObject([
      { run: expect.stringContaining('one'), group: 'A', before: 1, without: 0 },
      { run: expect.stringContaining('two'), group: 'A', before: 1, without: 0 },
      { run: expect.stringContaining('three'), group: 'B', before: 1, without: 0 },
      { run: expect.stringContaining('four'), group: 'B', before: 0, without: 0 },
    ]);
    const refused = await gradus('meta', 'stability', judged, ...runs, '-m', 'P@1', '--groups', groups);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('as in --pool 10')]);
  });
});
