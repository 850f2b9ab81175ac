import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradus } from '../helpers/in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-fingerprints-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const topics = Array.from({ length: 12 }, (_, t) => `t${t + 1}`);
const docs = ['a', 'b', 'c', 'd'];
const judgements = (grade: (t: number, d: number) => number): string[] =>
  topics.flatMap((topic, t) => docs.map((doc, d) => `${topic} 0 ${doc} ${grade(t, d)}\n`));
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

beforeAll(() => {
  const lines = judgements((t, d) => (t + d) % 3);
  writeFileSync(at('qrels'), lines.join(''));
  writeFileSync(at('shuffled.qrels'), lines.toReversed().join(''));
  writeFileSync(at('other.qrels'), judgements((t, d) => (t + d) % 2).join(''));
  for (const [tag, shift] of [
    ['x', 0],
    ['y', 1],
    ['z', 2],
  ] as const) {
    const run = topics.flatMap((topic, t) =>
      docs.map((_, i) => `${topic} Q0 ${docs[(i + shift * (t % 3)) % 4]} ${i + 1} ${9 - i} ${tag}\n`),
    );
    writeFileSync(at(`${tag}.run`), run.join(''));
  }
  writeFileSync(at('votes.csv'), 'first,second,outcome\nx,y,first\nx,y,second\ny,x,tie\n');
});

/** The judgements in the order of topics and documents, as they are hashed. */
function contentOf(grade: (t: number, d: number) => number): string {
  return topics
    .map((topic, t) => ({ topic, t }))
    .sort((a, b) => (a.topic < b.topic ? -1 : 1))
    .map(({ topic, t }) => `${topic}\n${docs.map((doc, d) => `${doc}\t${grade(t, d)}\n`).join('')}`)
    .join('');
}

describe('every result says what it was made from', () => {
  const all = [at('qrels'), at('x.run'), at('y.run')];
  test.each([
    ['eval', ['eval', ...all], ['x', 'y']],
    ['compare', ['compare', ...all], all.slice(1)],
    ['compare --by-topic', ['compare', ...all, '--by-topic'], all.slice(1)],
    ['gate', ['gate', ...all, '--strict', '--max-drop', '1'], ['y']],
    ['leaderboard', ['leaderboard', ...all, '-B', '50'], all.slice(1)],
    ['risk', ['risk', ...all], all.slice(1)],
    ['plan topics', ['plan', 'topics', ...all], all.slice(1)],
    ['plan reliability', ['plan', 'reliability', ...all, at('z.run')], [...all.slice(1), at('z.run')]],
    ['plan equivalence', ['plan', 'equivalence', ...all], all.slice(1)],
    ['pool next', ['pool', 'next', ...all], all.slice(1)],
    ['pool replay', ['pool', 'replay', ...all, '--seeds', '1'], all.slice(1)],
    ['pool reuse', ['pool', 'reuse', ...all], all.slice(1)],
    ['meta power', ['meta', 'power', ...all, '-B', '50'], all.slice(1)],
    ['reproduce', ['reproduce', ...all], all.slice(1)],
  ])('%s', async (_, argv, names) => {
    const { status, out, err } = await gradus(...argv, '--json');
    expect(status, err).toBe(0);
    const { fingerprint } = JSON.parse(out);
    const files = argv.filter((word) => word.endsWith('.run'));
    expect(fingerprint).toEqual({
      judgements: sha256(contentOf((t, d) => (t + d) % 3)),
      // of a gate, the run whose scores it stores
      runs: names.map((name, r) => ({ name, sha256: sha256(readFileSync(argv[0] === 'gate' ? at('y.run') : files[r], 'utf8')) })),
      rules: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: expect.any(String),
    });
  });

  test('of several judges, and of preferences', async () => {
    const digests = [sha256(contentOf((t, d) => (t + d) % 3)), sha256(contentOf((t, d) => (t + d) % 2))];
    for (const argv of [
      ['agree', at('qrels'), at('other.qrels'), '-B', '20'],
      ['correct', at('qrels'), at('other.qrels'), at('x.run')],
    ]) {
      const { fingerprint } = JSON.parse((await gradus(...argv, '--json')).out);
      expect(fingerprint.judgements, argv[0]).toBe(sha256(digests.join('\n')));
    }
    const { fingerprint } = JSON.parse((await gradus('leaderboard', '--preferences', at('votes.csv'), '--json')).out);
    expect(fingerprint).toEqual({
      scores: [{ name: at('votes.csv'), sha256: sha256(readFileSync(at('votes.csv'), 'utf8')) }],
      version: expect.any(String),
    });
  });

  test('a report', async () => {
    await gradus('report', at('qrels'), at('x.run'), at('y.run'), '-o', at('report.json'));
    const { provenance } = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    expect(provenance.fingerprint.judgements).toBe(sha256(contentOf((t, d) => (t + d) % 3)));
    await gradus('report', at('qrels'), at('x.run'), at('y.run'), '-o', at('report.md'));
    expect(readFileSync(at('report.md'), 'utf8')).toContain(`| SHA-256 of the judgements | ${provenance.fingerprint.judgements} `);
  });
});

describe('compare says when scores were not made from the same', () => {
  const store = async (name: string, qrels: string, run: string, ...more: string[]): Promise<string> => {
    const { status, err } = await gradus('eval', at(qrels), at(run), '-m', 'AP', '-q', '--json', '-o', at(name), ...more);
    expect(status, err).toBe(0);
    return at(name);
  };
  const compared = async (...files: string[]): Promise<string> =>
    (await gradus('compare', ...files.flatMap((file) => ['--scores', file]))).out.replaceAll('\n', ' ');

  test('the same judgements in another order, file and form are the same', async () => {
    const x = await store('x.json', 'qrels', 'x.run');
    expect(await compared(x, await store('y.json', 'shuffled.qrels', 'y.run'))).not.toContain('Note');
  });

  test('other judgements, rules and versions, scores without a fingerprint, and a run under two names', async () => {
    const x = await store('x.json', 'qrels', 'x.run');
    const other = await store('y2.json', 'other.qrels', 'y.run');
    expect(await compared(x, other)).toContain(`${other} was not made from the same as ${x}: other judgements.`);
    const rules = await store('y3.json', 'qrels', 'y.run', '--convention', 'trec_eval');
    expect(await compared(x, rules)).toContain(`${rules} was not made from the same as ${x}: other rules.`);
    writeFileSync(
      at('old.json'),
      readFileSync(await store('y.json', 'qrels', 'y.run'), 'utf8').replace(/("version": ?)"[^"]*"/, '$1"0.0.1"'),
    );
    expect(await compared(x, at('old.json'))).toMatch(/another version of Gradus \(0\.0\.1, not \d/);
    writeFileSync(at('plain.csv'), `topic,p\n${topics.map((topic, t) => `${topic},${t / 20}\n`).join('')}`);
    const plain = await gradus('compare', '--scores', x, '--scores', at('plain.csv'), '-m', 'AP');
    expect(plain.out.replaceAll('\n', ' ')).toContain(
      `plain.csv has no fingerprint, so that nobody can tell whether its judgements and rules were those of ${x}`,
    );
    expect(await compared(x, await store('again.json', 'qrels', 'x.run', '--name', 'again'))).toContain(
      'x and again were made from the same run.',
    );
  });
});
