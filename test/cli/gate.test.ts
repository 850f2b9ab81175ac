import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { repository } from '../helpers/run-gradus.js';

const data = join(repository, 'examples/data');
const qrels = join(data, 'example.qrels');
const bm25 = join(data, 'bm25.run');
const hybrid = join(data, 'hybrid.run');
let folder: string;
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-gate-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(argv: string[], environment: Record<string, string> = {}): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext({ environment });
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

/** One relevant document per topic; `good` topics have it first, the others at rank 2, which makes RR 1 or 0.5. */
function collection(topics: number, good: number): { qrels: string; run: string } {
  const ids = Array.from({ length: topics }, (_, t) => `t${t + 1}`);
  return {
    qrels: ids.map((id) => `${id} 0 yes 1\n${id} 0 no 0\n`).join(''),
    run: ids.map((id, t) => `${id} Q0 yes 1 ${t < good ? 3 : 1} tag\n${id} Q0 no 2 2 tag\n`).join(''),
  };
}

describe('gradus gate', () => {
  test('fails on a real drop, with status 1, and says where it is', async () => {
    const { out, status } = await gradus(['gate', qrels, hybrid, bm25]);
    expect(status).toBe(1);
    expect(out).toMatch(/^FAIL: bm25 against hybrid: nDCG@10\n/);
    expect(out).toContain('fell by 0.3486 over 12 topics');
    expect(out).toContain('more than the 0.01 allowed, significant at 0.05');
    expect(out).toMatch(/the 5 that fell most:\ntopic +baseline +candidate +drop\nq1 /);
  });

  test('passes when nothing changed, and when things got better', async () => {
    const same = await gradus(['gate', qrels, hybrid, hybrid]);
    expect(same.status).toBe(0);
    expect(same.out).toContain('PASS: candidate may take the place of baseline');
    expect(same.out).toContain('did not change');
    expect((await gradus(['gate', qrels, bm25, hybrid])).status).toBe(0);
  });

  test('decides by size and significance together, by either with --strict', async () => {
    // 2 of 12 topics fall from 1 to 0.5: the mean by 1/12; of 2^2 exchanges 1 is as extreme, so p is 0.25
    const before = collection(12, 12);
    const [judged, a, b] = [write('q', before.qrels), write('a.run', before.run), write('b.run', collection(12, 10).run)];
    const chance = await gradus(['gate', judged, a, b, '-m', 'RR']);
    expect(chance.status).toBe(0);
    expect(chance.out).toContain(
      '1.0000 -> 0.9167, fell by 0.0833 over 12 topics (p = 0.2500): more than the 0.01 allowed, but chance explains it',
    );
    expect((await gradus(['gate', judged, a, b, '-m', 'RR', '--strict'])).status).toBe(1);
    // 6 of 12: p is 1/64, the drop 0.25
    const c = write('c.run', collection(12, 6).run);
    expect((await gradus(['gate', judged, a, c, '-m', 'RR'])).status).toBe(1);
    const allowed = await gradus(['gate', judged, a, c, '-m', 'RR', '--max-drop', '0.25']);
    expect(allowed.status).toBe(0);
    expect(allowed.out).toContain('a real drop at 0.05, but within the 0.25 allowed');
    expect((await gradus(['gate', judged, a, c, '-m', 'RR', '--max-drop', '0.25', '--strict'])).status).toBe(1);
  });

  test('allows each measure its own drop', async () => {
    const before = collection(12, 12);
    const [judged, a, c] = [write('q', before.qrels), write('a.run', before.run), write('c.run', collection(12, 6).run)];
    // 6 of 12 topics fall: RR by 0.25, P@1 by 0.5, both with p = 1/64
    const argv = ['gate', judged, a, c, '-m', 'RR P@1'];
    expect((await gradus([...argv, '--max-drop', '0.25'])).out).toMatch(/ok +RR: .*\n.*FAIL P@1: /);
    expect((await gradus([...argv, '--max-drop', 'RR=0.25,P@1=0.5'])).status).toBe(0);
    expect((await gradus([...argv, '--max-drop', '0.25,P@1=0.5'])).status).toBe(0);
    const failed = await gradus([...argv, '--max-drop', 'P_1=0.5,RR=0.2']);
    expect(failed.status).toBe(1);
    expect(failed.out).toMatch(/FAIL RR: .* more than the 0\.2 allowed/);
    expect(failed.out).toContain('a mean falls by more than 0.2 (RR) or 0.5 (P@1) and');
    // measures that are not named keep 0.01
    expect((await gradus([...argv, '--max-drop', 'P@1=0.5'])).out).toContain('more than the 0.01 allowed');
    expect(JSON.parse((await gradus([...argv, '--max-drop', 'P@1=0.5', '--json'])).out).measures[1].maxDrop).toBe(0.5);
  });

  test('refuses drops that would silently do nothing', async () => {
    const drop = async (text: string): Promise<string> => (await gradus(['gate', qrels, hybrid, bm25, '--max-drop', text])).err;
    expect(await drop('AP=0.02')).toContain("--max-drop: the gate does not look at AP, only at nDCG@10; add it: -m 'nDCG@10' -m 'AP'");
    expect(await drop('nDCG@10=x')).toContain(
      '--max-drop: expected a number of at least 0 or a percentage, found nDCG@10=x; write 0.01 or 5% for all measures',
    );
    expect(await drop('0.1,')).toContain('--max-drop: expected a number of at least 0 or a percentage, found nothing');
    expect(await drop('-0.1')).toContain('--max-drop: expected a number of at least 0 or a percentage, found -0.1');
    expect(await drop('nDCG@10=0.1,ndcg_cut_10=0.2')).toContain('--max-drop: nDCG@10 is given twice');
  });

  test('corrects over the measures', async () => {
    const before = collection(12, 12);
    const [judged, a, b] = [write('q', before.qrels), write('a.run', before.run), write('d.run', collection(12, 7).run)];
    // 5 topics fall: p is 1/32 for each measure, after Bonferroni over two 1/16
    expect((await gradus(['gate', judged, a, b, '-m', 'RR'])).status).toBe(1);
    const both = await gradus(['gate', judged, a, b, '-m', 'RR P@1', '--correction', 'bonferroni']);
    expect(both.out).toContain('(p after bonferroni = 0.0625)');
    expect(both.status).toBe(0);
  });

  test('fails with too few topics and says what to do', async () => {
    const few = collection(6, 6);
    const { out, status } = await gradus(['gate', write('q6', few.qrels), write('a6.run', few.run), at('a6.run'), '-m', 'RR']);
    expect(status).toBe(1);
    expect(out).toContain('6 topics are fewer than the 10 this gate asks for');
    expect(out).toContain('judge more topics, or ask for fewer with --min-topics');
    expect((await gradus(['gate', at('q6'), at('a6.run'), at('a6.run'), '-m', 'RR', '--min-topics', '6'])).status).toBe(0);
  });

  test('guards against unjudged documents', async () => {
    const { qrels: text, run } = collection(12, 12);
    const judged = write('q', text);
    // a third, unjudged document on every topic: one in three
    const unknown = `${run}${Array.from({ length: 12 }, (_, t) => `t${t + 1} Q0 new 3 0 tag\n`).join('')}`;
    const [a, b] = [write('a.run', run), write('u.run', unknown)];
    const failed = await gradus(['gate', judged, a, b, '-m', 'RR', '--max-unjudged', '20%@3']);
    expect(failed.status).toBe(1);
    expect(failed.out).toContain('33.3% of the first 3 documents of candidate have no judgement, more than the 20% allowed');
    expect((await gradus(['gate', judged, a, b, '-m', 'RR', '--max-unjudged', '0.4@3'])).status).toBe(0);
    expect((await gradus(['gate', judged, a, b, '--max-unjudged', '2@3'])).status).toBe(2);
  });

  test('keeps a baseline in a file, and renews it only when the gate passes', async () => {
    const file = at('baseline.json');
    expect((await gradus(['eval', qrels, bm25, '-q', '--json', '-m', 'nDCG@10', '-o', file])).status).toBe(0);
    const before = readFileSync(file, 'utf8');
    const passed = await gradus(['gate', qrels, file, hybrid, '--save-baseline', file]);
    expect(passed.out).toContain('0.4265 -> 0.7751');
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    const renewed = readFileSync(file, 'utf8');
    expect((await gradus(['gate', qrels, file, bm25, '--save-baseline', file])).status).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(renewed);
    expect((await gradus(['gate', qrels, file, hybrid])).out).toContain('did not change');
  });

  test('refuses stored scores that do not fit, with status 2', async () => {
    const csv = write('base.csv', 'run,topic,nDCG@10\nold,q1,0.5\nold,q2,0.6\n');
    const other = await gradus(['gate', qrels, csv, hybrid]);
    expect(other.status).toBe(2);
    expect(other.err).toContain('nDCG@10: topic q10 has no value for old');
    expect(other.err).toContain('left out for all systems with the policy skip');
    expect((await gradus(['gate', qrels, csv, hybrid, '-m', 'AP'])).err).toContain('has no scores of AP, only of nDCG@10; store it again');
    const twice = write('twice.csv', 'run,topic,nDCG@10\nold,q1,0.5\nold,q1,0.6\n');
    expect((await gradus(['gate', qrels, twice, hybrid])).err).toContain('twice.csv:3: topic q1 occurs twice for old');
    const summary = write('all.csv', 'run,topic,nDCG@10\nold,all,0.5\n');
    expect((await gradus(['gate', qrels, summary, hybrid])).err).toContain('holds the values over all topics only');
    expect((await gradus(['gate', qrels, at('none.run'), hybrid])).status).toBe(2);
  });

  test('writes a summary and JUnit XML in which hostile ids do no harm', async () => {
    const id = '<b>&"|`';
    const { qrels: text, run } = collection(12, 12);
    const hostile = (lines: string): string => lines.replaceAll('t1 ', `${id} `).replaceAll(' tag', ' <script>|\u001b[31m');
    const judged = write('hq', hostile(text));
    const [a, b] = [write('ha.run', hostile(run)), write('hb.run', hostile(collection(12, 0).run))];
    const { out, status } = await gradus([
      'gate',
      judged,
      a,
      b,
      '-m',
      'RR',
      '--summary',
      at('s.md'),
      '--junit',
      at('j.xml'),
      '--worst',
      '20',
    ]);
    expect(status).toBe(1);
    expect(out).not.toContain('\u001b');
    const xml = readFileSync(at('j.xml'), 'utf8');
    expect(xml).toContain('<testsuites tests="1" failures="1">');
    expect(xml).toContain('topic &lt;b&gt;&amp;&quot;|` fell by 0.5000');
    expect(xml.replace(/<\/?(testsuites|testsuite|testcase|failure|system-out|\?xml)[^<]*?>/g, '')).not.toContain('<');
    const md = readFileSync(at('s.md'), 'utf8');
    expect(md).toContain('&lt;b&gt;&amp;"\\|\\`');
    expect(md).not.toMatch(/<(b|script)>/);
  });

  test('--summary auto adds to the summary of the job, and does nothing elsewhere', async () => {
    const file = write('step.md', 'before\n');
    await gradus(['gate', qrels, bm25, hybrid, '--summary', 'auto'], { GITHUB_STEP_SUMMARY: file });
    expect(readFileSync(file, 'utf8')).toMatch(/^before\n## PASS: hybrid may take the place of bm25\n/);
    expect((await gradus(['gate', qrels, bm25, hybrid, '--summary', 'auto'])).status).toBe(0);
  });

  test('prints the same bytes for the same seed, as text and as JSON', async () => {
    const argv = ['gate', qrels, hybrid, bm25, '--test', 'bootstrap', '--seed', '5', '--json'];
    const once = await gradus(argv);
    expect((await gradus(argv)).out).toBe(once.out);
    expect(JSON.parse(once.out)).toMatchObject({ passed: false, rule: { seed: 5, resamples: 1000, test: 'bootstrap' } });
  });

  test('tells all bad arguments at once', async () => {
    const { err, status } = await gradus(['gate', qrels, '--alpha', '2', '--max-drop', '-1', '--correction', 'best', '--test', 'tukey']);
    expect(status).toBe(2);
    for (const part of [
      '--alpha: expected',
      '--max-drop: expected',
      'correction: expected one of bonferroni, sidak, holm, hochberg, bh, by, none, found best',
      '--test: expected one of t, wilcoxon, sign, randomization, bootstrap, found tukey',
      'BASELINE and CANDIDATE are missing',
    ]) {
      if (part.startsWith('BASELINE')) expect(err).toContain('are missing');
      else expect(err).toContain(part);
    }
  });
});

describe('examples/ci/relevance-gate.yml', () => {
  test('runs as it stands on a repository of a new user', async () => {
    const workflow = readFileSync(join(repository, 'examples/ci/relevance-gate.yml'), 'utf8');
    const words = (line: string): string[] =>
      line
        .trim()
        .split(/\s+/)
        .map((word) => (/^(relevance\/|candidate|gate\.xml|main\.run)/.test(word) ? at(word.replace('relevance/', '')) : word));
    // the inputs of the action, as action.yml hands them on
    const input = (name: string): string => new RegExp(`^ +${name}: (.*)$`, 'm').exec(workflow)?.[1] ?? '';
    const files = ['judgements', 'baseline', 'candidate'].map(input).join(' ');
    const gate = words(`gate ${files} ${input('gate-options')} --junit gate.xml`);
    const store = words(/# +gradus (eval .*)$/m.exec(workflow)?.[1] ?? '');
    write('qrels.txt', readFileSync(qrels, 'utf8'));
    write('main.run', readFileSync(hybrid, 'utf8'));
    expect((await gradus(store)).status).toBe(0);
    write('candidate.run', readFileSync(hybrid, 'utf8'));
    expect((await gradus(gate)).status).toBe(0);
    write('candidate.run', readFileSync(bm25, 'utf8'));
    expect((await gradus(gate)).status).toBe(1);
    expect(readFileSync(at('gate.xml'), 'utf8')).toContain('failures="2"');
  });
});
