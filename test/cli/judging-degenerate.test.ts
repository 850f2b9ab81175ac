import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-degenerate-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(argv: readonly string[]): Promise<{ status: number; out: string; err: string }> {
  const context = new CapturedContext();
  const status = await main(
    argv.map((word) => (/\.(qrels|run|csv)$/.test(word) ? at(word) : word)),
    context,
  );
  return { status, out: context.stdout.text, err: context.stderr.text };
}

const topics = Array.from({ length: 6 }, (_, t) => `t${t + 1}`);
const docs = ['a', 'b', 'c', 'd'];

beforeAll(() => {
  const write = (name: string, text: string): void => writeFileSync(at(name), text);
  const qrels = (grade: (t: number, d: number) => number, of = topics): string =>
    of.flatMap((topic, t) => docs.map((doc, d) => `${topic} 0 ${doc} ${grade(t, d)}\n`)).join('');
  const run = (shift: number, of = topics): string =>
    of.flatMap((topic, t) => docs.map((_, i) => `${topic} Q0 ${docs[(i + shift * t) % 4]} ${i + 1} ${9 - i} r${shift}\n`)).join('');
  write(
    'good.qrels',
    qrels((t, d) => (t + d) % 3),
  );
  write(
    'also.qrels',
    qrels((t, d) => (t + 2 * d) % 3),
  );
  write(
    'constant.qrels',
    qrels(() => 1),
  );
  write(
    'same.qrels',
    qrels(() => 1),
  );
  write(
    'zero.qrels',
    qrels(() => 0),
  );
  write(
    'elsewhere.qrels',
    qrels((t, d) => (t + d) % 2, ['u1', 'u2']),
  );
  write(
    'one.qrels',
    qrels((_, d) => d % 2, ['t1']),
  );
  write('x.run', run(0));
  write('y.run', run(1));
  write('elsewhere.run', run(1, ['u1', 'u2']));
  const scores = (rows: readonly string[]): string => `topic,x,y\n${rows.join('')}`;
  write('same.csv', scores(topics.map((topic) => `${topic},0.5,0.5\n`)));
  write('one.csv', scores(['t1,0.5,0.4\n']));
  write('alone.csv', `topic,x\n${topics.map((topic, t) => `${topic},0.${t}\n`).join('')}`);
  write('votes.csv', 'first,second,outcome\nx,y,first\n');
});

/** What each command says of input that means nothing or little: an error with its sentence, or an answer with a note or a dash. */
const rows: readonly [command: string, what: string, status: 0 | 2, sentence: RegExp][] = [
  ['agree good.qrels', 'one judge', 2, /one judge has nobody to agree with; give the judgements of two judges or more/],
  ['agree constant.qrels same.qrels -B 20', 'constant labels', 0, /kappa +interval.*\n\S+ +24 +6 +1\.0000 +- +- /],
  [
    'agree constant.qrels same.qrels -B 20',
    'constant labels, said why',
    0,
    /kappa and alpha are not defined, because all grades of both judges are equal/,
  ],
  ['agree good.qrels constant.qrels -B 20', 'one constant judge', 0, / 0\.0000 /],
  [
    'agree good.qrels elsewhere.qrels',
    'no overlap',
    2,
    /judged no document of a topic in common; topics and documents are matched by their ids/,
  ],
  [
    'agree good.qrels one.qrels -B 20',
    'one topic',
    0,
    /one: both judged 1 topic, which says nothing of how agreement varies over topics, so there are no intervals/,
  ],
  ['agree good.qrels also.qrels --majority', 'two judges', 2, /2 judges have no majority/],
  ['correct good.qrels elsewhere.qrels x.run', 'no overlap', 2, /elsewhere\.qrels|topics in common|answers none of the 2 judged topics/],
  ['correct one.qrels good.qrels x.run', 'one topic', 2, /people and machine judged 1 topic in common, and a correction needs at least 2/],
  [
    'correct good.qrels good.qrels x.run',
    'no further topics',
    0,
    /the machine judged no further topics, so only the scores by people count/,
  ],
  ['correct constant.qrels good.qrels x.run y.run', 'constant labels', 0, /below 20 the intervals are rough/],
  ['plan labels one.qrels good.qrels x.run', 'one topic', 2, /people and machine judged 1 topic in common/],
  ['plan labels constant.qrels good.qrels x.run -m AP', 'constant labels', 0, /AP +r0 +0\.0000 .* - +- +-/],
  ['leaderboard --scores one.csv -m AP', 'one topic', 2, /found 1 topic, and how sure a rank is shows only over several topics/],
  ['leaderboard --scores same.csv -m AP -B 50', 'constant scores', 0, /sets from 6 topics are rough/],
  ['leaderboard --scores alone.csv -m AP -B 50', 'one system', 2, /found 1 system|one system/],
  ['leaderboard --preferences votes.csv', 'a system that never lost', 2, /add virtual ties with --prior 0\.1/],
  ['plan topics --scores same.csv -m AP', 'constant scores', 2, /there is no spread to plan with; give pilot scores of other systems/],
  ['plan topics --scores one.csv -m AP', 'one topic', 2, /1 topic|2 topics/],
  ['plan reliability --scores one.csv -m AP', 'one topic', 2, /1 topic|2 topics/],
  ['plan reliability --scores same.csv -m AP', 'constant scores', 0, /-/],
  ['plan equivalence --scores alone.csv -m AP', 'one system', 2, /found the scores of x only, and two systems are compared/],
  ['plan equivalence --scores one.csv -m AP', 'one topic', 2, /2/],
  ['plan equivalence --scores same.csv -m AP', 'equal systems', 0, /practically equal/],
  ['pool next good.qrels x.run y.run', 'nothing left to judge', 0, /0 documents by move-to-front/],
  ['pool next constant.qrels elsewhere.run', 'no overlap', 2, /answers none of the 6 judged topics/],
  ['pool bounds good.qrels x.run y.run', 'nothing left to judge', 0, /Judging can stop/],
  ['pool bounds one.qrels x.run', 'one topic and one run', 0, /0 documents without a judgement|documents without a judgement on/],
  ['pool bounds zero.qrels x.run y.run', 'nothing relevant', 0, /0, 1/],
  ['pool bounds constant.qrels elsewhere.run', 'no overlap', 2, /answers none of the 6 judged topics/],
  ['pool next good.qrels x.run y.run --order minimal', 'nothing left to judge', 0, /0 documents by minimal/],
  ['pool replay one.qrels x.run y.run --order minimal', 'one topic', 0, /of their documents/],
  ['pool replay one.qrels x.run y.run --seeds 2', 'one topic', 0, /over seeds/],
  ['pool replay zero.qrels x.run y.run --seeds 2 --order influence', 'nothing relevant', 0, /over seeds/],
  ['pool replay good.qrels x.run', 'one run', 2, /needs two runs or more/],
  ['pool reuse one.qrels x.run y.run', 'one topic', 0, /Without their own group/],
  ['reproduce one.qrels x.run x.run', 'one topic', 0, /a test needs at least 2 topics/],
  ['reproduce good.qrels x.run x.run', 'the same run', 0, /all differences are zero|1\.0000/],
  ['reproduce good.qrels x.run elsewhere.run', 'no overlap', 2, /answers none of the 6 judged topics|no topic in common/],
];

describe('input that means nothing gets a sentence, and no number that is none', () => {
  test.each(rows)('gradus %s: %s', async (command, _, status, sentence) => {
    const done = await gradus(command.split(' '));
    expect(done.status, done.err).toBe(status);
    expect(done.out + done.err).toMatch(sentence);
    expect(done.out + done.err).not.toMatch(/NaN|Infinity|undefined|internal error/);
    if (status === 0) {
      const text = (await gradus([...command.split(' '), '--json'])).out;
      expect(() => JSON.parse(text)).not.toThrow();
      expect(text).not.toMatch(/NaN|Infinity/);
    }
  });
});
