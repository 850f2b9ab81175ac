import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { gradus, testFolder } from '../helpers/in-process.js';

const { at, save } = testFolder('judging-more');

const topics = Array.from({ length: 12 }, (_, t) => `t${t + 1}`);
const docs = ['a', 'b', 'c', 'd'];
const qrels = (grade: (t: number, d: number) => number, of = topics): string =>
  of.map((topic) => docs.map((doc, d) => `${topic} 0 ${doc} ${grade(topics.indexOf(topic), d)}\n`).join('')).join('');
const run = (shift: (t: number) => number, tag: string): string =>
  topics.map((topic, t) => docs.map((_, i) => `${topic} Q0 ${docs[(i + shift(t)) % 4]} ${i + 1} ${4 - i} ${tag}\n`).join('')).join('');

beforeAll(() => {
  save(
    'human.qrels',
    qrels((t, d) => ((t * 7 + d * 5) % 3 === 0 ? 1 : 0)),
  );
  save(
    'machine.qrels',
    qrels((t, d) => ((t * 7 + d * 5) % 3 === 0 || (t + d) % 7 === 0 ? 1 : 0)),
  );
  save(
    'some.qrels',
    qrels((t, d) => ((t * 7 + d * 5) % 3 === 0 ? 1 : 0), topics.slice(0, 7)),
  );
  save(
    'x.run',
    run(() => 0, 'x'),
  );
  save(
    'y.run',
    run((t) => t % 4, 'y'),
  );
});

describe('one set of judgements from several', () => {
  test('each judge is compared with the majority of the others, and the merged grades are the most frequent ones', async () => {
    save('a.qrels', 't1 0 d1 2\nt1 0 d2 1\nt2 0 d1 0\n');
    save('b.qrels', 't1 0 d1 2\nt1 0 d2 0\nt2 0 d1 1\n');
    save('c.qrels', 't1 0 d1 1\nt1 0 d2 2\nt2 0 d1 1\nt2 0 d9 3\n');
    const judges = ['a.qrels', 'b.qrels', 'c.qrels'].map(at);
    const { out, status, err } = await gradus('agree', ...judges, '--majority', '--merged', at('merged.qrels'), '-B', '20', '--json');
    expect(status, err).toBe(0);
    // by hand: d1 of t1 has 2 2 1, d2 has 1 0 2 (all as often, so the lowest), d1 of t2 has 0 1 1, and one judge saw d9
    expect(readFileSync(at('merged.qrels'), 'utf8').trim().split('\n').sort()).toEqual([
      't1 0 d1 2',
      't1 0 d2 0',
      't2 0 d1 1',
      't2 0 d9 3',
    ]);
    const { pairs } = JSON.parse(out);
    // the others of a say 1 (2 and 1: the lower), 0 and 1; it gave 2, 1 and 0
    expect(pairs.map(({ second }: { second: string }) => second)).toEqual(['a', 'b', 'c']);
    expect(pairs[0].agreement.value).toBe(0);
    // those of b say 1, 1 and 0 where it gave 2, 0 and 1; those of c say 2, 0 and 0 where it gave 1, 2 and 1
    expect(pairs.map(({ shift }: { shift: { value: number } }) => shift.value)).toEqual(
      [1 / 3, 1 / 3, 2 / 3].map((v) => expect.closeTo(v, 12)),
    );
    const two = await gradus('agree', at('a.qrels'), at('b.qrels'), '--majority');
    expect([two.status, two.err]).toEqual([
      2,
      expect.stringContaining('2 judges have no majority; give the judgements of 3 judges or more'),
    ]);
  });

  test('shares of rows, and intervals by the formula', async () => {
    const { out } = await gradus('agree', at('human.qrels'), at('machine.qrels'), '--normalise', 'row', '--interval', 'formula');
    expect(out).toContain('which are several times too narrow');
    const rows = out.split('\n').filter((line) => /^[01] {2,}[01]\.\d{4} /.test(line));
    for (const line of rows) {
      const [, first, second] = line.trim().split(/\s+/).map(Number);
      expect(first + second).toBeCloseTo(1, 3);
    }
    expect(rows.length).toBe(2);
    const { pairs } = JSON.parse((await gradus('agree', at('human.qrels'), at('machine.qrels'), '--interval', 'formula', '--json')).out);
    const { value, standardError, interval } = pairs[0].kappa;
    expect(interval.high - value).toBeCloseTo(1.959964 * standardError, 5);
    expect(pairs[0].alpha.interval).toBeNull();
  });
});

describe('compare --bayes', () => {
  test('three probabilities for every pair that add up to 1; a verdict only where one is large', async () => {
    const rows = topics.map((topic, t) => `${topic},${0.5 + (t % 5) / 50},${0.4 + (t % 3) / 30},${0.5 + ((t + 2) % 5) / 50}\n`);
    const scores = save('scores.csv', `topic,x,y,z\n${rows.join('')}`);
    const argv = ['compare', '--scores', scores, '-m', 'AP', '--bayes', '--rope', '0.01'];
    const { bayes } = JSON.parse((await gradus(...argv, '--json')).out);
    expect(bayes.pairs.map(({ first, second }: { first: string; second: string }) => `${first} ${second}`)).toEqual(['x y', 'x z', 'y z']);
    for (const { t } of bayes.pairs) expect(t.first + t.equivalent + t.second).toBeCloseTo(1, 12);
    const { out } = await gradus(...argv);
    expect(out).toMatch(/AP\s+x\s+y\s+t .* x is better/);
    expect(out).toMatch(/AP\s+x\s+z\s+t .* (open|practically equal)/);
    const based = JSON.parse((await gradus(...argv, '--baseline', 'y', '--json')).out).bayes;
    expect(based.pairs.map(({ second }: { second: string }) => second)).toEqual(['y', 'y']);
    // a number that is better when it is lower turns the sides round
    const lower = JSON.parse((await gradus('compare', '--scores', scores, '-m', 'FirstRelevantRank', '--bayes', '--json')).out);
    expect(lower.bayes.pairs[0].t.second).toBeGreaterThan(0.95);
    expect((await gradus('compare', '--scores', scores, '-m', 'AP', '--rope', '0.1')).err).toContain(
      '--rope belongs to --bayes; add --bayes',
    );
  });
});

describe('plan labels', () => {
  test('how many topics people have to judge, with the spread and correlation that this rests on', async () => {
    const argv = ['plan', 'labels', at('some.qrels'), at('machine.qrels'), at('x.run'), at('y.run'), '-m', 'AP', '--half-width', '0.1'];
    const { out, status, err } = await gradus(...argv, '--json');
    expect(status, err).toBe(0);
    const { pilotTopics, machineTopics, measures } = JSON.parse(out);
    expect([pilotTopics, machineTopics]).toEqual([7, 5]);
    for (const { standardDeviation, correlation, needed, neededAtLimits, curve } of measures[0].systems) {
      expect(standardDeviation.interval.low).toBeLessThan(standardDeviation.value);
      expect(correlation.interval.high).toBeGreaterThanOrEqual(correlation.value);
      expect(neededAtLimits[0]).toBeLessThanOrEqual(needed.humanItems);
      expect(neededAtLimits[1]).toBeGreaterThanOrEqual(needed.humanItems);
      expect(needed.humanItems).toBeLessThanOrEqual(needed.withoutJudge);
      const at = curve.find(({ topics: n }: { topics: number }) => n === needed.humanItems);
      expect(at.halfWidth).toBeLessThanOrEqual(0.1);
    }
    expect((await gradus(...argv)).out).toMatch(/measure\s+system\s+sd\s+interval\s+correlation/);
  });

  test('correct says how many more topics would settle a difference', async () => {
    const { out } = await gradus('correct', at('some.qrels'), at('machine.qrels'), at('x.run'), at('y.run'), '-m', 'AP', '--json');
    const [{ toSettle, moreTopics }] = JSON.parse(out).measures[0].differences;
    expect(moreTopics).toBe(Math.max(0, toSettle.humanItems - 7));
  });
});

describe('headers of runs', () => {
  const body = 't1 Q0 a 1 3 x\nt1 Q0 b 2 2 x\nt2 Q0 a 1 2 x\n';
  const header = (method: string): string =>
    `# ir_metadata.start \n# schema-version: 0.1 \n# tag: x \n# method: \n#   automatic: true \n#   score ties: ${method} \n# ir_metadata.end \n`;

  test('convert keeps one, writes one, and says where there is no place for it', async () => {
    const input = save('headed.run', header('docno') + body);
    await gradus('convert', input, at('copy.run'), '--to', 'trec');
    expect(readFileSync(at('copy.run'), 'utf8')).toBe(header('docno') + body);
    const jsonl = await gradus('convert', input, at('copy.jsonl'));
    expect([jsonl.status, jsonl.err]).toEqual([0, expect.stringContaining('has a header, for which jsonl has no place; it is left out')]);
    const yaml = save('about.yml', 'tag: mine\nactor:\n  role: reproducer\n');
    const added = await gradus('convert', save('plain.run', body), at('added.run'), '--to', 'trec', '--metadata', yaml);
    expect([added.status, added.err]).toEqual([0, expect.stringContaining('about.yml: platform is missing')]);
    const text = readFileSync(at('added.run'), 'utf8');
    expect(text.startsWith('# ir_metadata.start')).toBe(true);
    expect(text.endsWith(`# ir_metadata.end \n${body}`)).toBe(true);
    // it reads back as it was written, and scores are those without it
    const again = await gradus('convert', at('added.run'), '-', '--to', 'trec');
    expect(again.status).toBe(0);
    const wrong = await gradus('convert', at('plain.run'), at('wrong.run'), '--to', 'trec', '--metadata', save('none.yml', '\n'));
    expect([wrong.status, wrong.err]).toEqual([
      2,
      expect.stringContaining('none.yml: expected a header by ir_metadata, found none; write YAML such as'),
    ]);
  });

  test('audit says what one lacks, or that it cannot be read', async () => {
    const judged = save('two.qrels', 't1 0 a 1\nt2 0 a 1\n');
    const lacking = await gradus('audit', judged, save('headed.run', header('docno') + body));
    expect(lacking.out).toContain('The header by ir_metadata is not complete: platform is missing; research goal is missing');
    const broken = await gradus('audit', judged, save('broken.run', `# ir_metadata.start\n# tag: x\n${body}`));
    expect(broken.out.replace(/\s+/g, ' ')).toContain(
      'The header by ir_metadata cannot be read: the header that begins with ir_metadata.start in line 1 does not end.',
    );
    expect((await gradus('audit', judged, save('plain.run', body))).out).not.toContain('ir_metadata');
  });

  test('reproduce says which parts differ', async () => {
    const judged = save('two.qrels', 't1 0 a 1\nt2 0 a 1\n');
    const [first, second] = [save('first.run', header('docno') + body), save('second.run', header('file') + body)];
    const { out, err } = await gradus('reproduce', judged, first, second, '-m', 'AP');
    expect(out).toContain('By their headers (ir_metadata), the two runs of baseline differ in method (priMad).');
    expect(err).toContain('first.run: in the header, platform is missing');
    expect(JSON.parse((await gradus('reproduce', judged, first, first, '-m', 'AP', '--json')).out).metadata).toEqual([
      { run: 'baseline', changed: 'primad', parts: [] },
    ]);
    expect((await gradus('reproduce', judged, first, save('plain.run', body), '-m', 'AP')).err).toContain(
      'only one of the two runs has a header by ir_metadata, so that what was changed is not known',
    );
  });
});

describe('pool by influence', () => {
  test('all judgements give the order of all judgements, and fewer are chosen over all topics', async () => {
    const files = [
      at('human.qrels'),
      at('x.run'),
      at('y.run'),
      save(
        'z.run',
        run(() => 2, 'z'),
      ),
    ];
    const argv = ['pool', 'replay', ...files, '--order', 'influence', '--budget', '1', '--seeds', '3'];
    const { out, status, err } = await gradus(...argv, '--json');
    expect(status, err).toBe(0);
    const { budgets, allJudged } = JSON.parse(out);
    expect(allJudged).toBe(48);
    expect(budgets.at(-1)).toMatchObject({ budget: 4, judged: 48, share: 1, tau: expect.closeTo(1, 12), tauLow: expect.closeTo(1, 12) });
    expect(budgets[0].judged).toBe(12);
    const other = await gradus(...argv, '-m', 'nDCG@10');
    expect([other.status, other.err]).toEqual([
      2,
      expect.stringContaining(
        'documents are chosen by their influence on average precision, not on nDCG@10; add -m AP, or choose another --order',
      ),
    ]);
    const next = await gradus(
      'pool',
      'next',
      save('part.qrels', 't1 0 a 1\nt2 0 b 0\n'),
      ...files.slice(1),
      '--order',
      'influence',
      '--budget',
      '2',
      '--json',
    );
    const { documents } = JSON.parse(next.out);
    expect(documents.length).toBe(24);
    expect(documents).not.toContainEqual({ topic: 't1', doc: 'a' });
    expect(new Set(documents.map(({ topic, doc }: { topic: string; doc: string }) => `${topic} ${doc}`)).size).toBe(24);
  });
});
