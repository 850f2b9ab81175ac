import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { findChromium } from '../../src/node/output/pdf.js';
import type { ComparisonReport, TrecReport } from '../../src/report/model.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { launcher, repository } from '../helpers/run-gradus.js';

const data = join(repository, 'examples/data');
const qrels = join(data, 'example.qrels');
const runs = ['bm25', 'neural', 'hybrid'].map((name) => join(data, `${name}.run`));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-report-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string): string => join(folder, name);

async function gradus(
  argv: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext({ environment });
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

describe('gradus report --trec', () => {
  test('prints the three tables as text', async () => {
    const { out, status, err } = await gradus(['report', qrels, runs[0], '--trec', '--header', 'Task: ad hoc']);
    expect([err, status]).toEqual(['', 0]);
    for (const heading of [
      'Summary Statistics',
      'Recall Level Precision Averages',
      'Document Level Averages',
      'Average Precision by Topic',
      'Provenance',
    ]) {
      expect(out).toContain(`${heading}\n${'-'.repeat(heading.length)}\n`);
    }
    expect(out).toContain('Task: ad hoc\n');
    expect(out).toMatch(/^At 1000 docs +0\.\d{4}$/m);
  });

  test('says what trec_eval says of the same files', async () => {
    const { out } = await gradus(['report', qrels, ...runs, '--trec', '-f', 'json', '--quiet']);
    const report: TrecReport = JSON.parse(out);
    expect(report.provenance.convention).toBe('trec_eval@9.0.8');
    for (const [r, path] of runs.entries()) {
      const { stdout } = await runAs(['trec_eval', '-m', 'map', '-m', 'P.10', '-m', 'num_q', qrels, path]);
      const [map, p10, numQ] = ['map', 'P_10', 'num_q'].map((name) => new RegExp(`^${name}\\s+all\\s+(\\S+)$`, 'm').exec(stdout)?.[1]);
      const { averagePrecision, documentLevels, summary } = report.runs[r];
      expect([averagePrecision?.toFixed(4), documentLevels[1].precision?.toFixed(4), String(summary.numTopics)]).toEqual([map, p10, numQ]);
    }
  });

  test('counts topics that a run does not answer, if it is asked to', async () => {
    const { out } = await gradus(['report', qrels, runs[1], '--trec', '--missing', 'zero', '-f', 'json', '--quiet']);
    const { runs: reported, notes }: TrecReport = JSON.parse(out);
    expect(reported[0].summary.numTopics).toBe(12);
    expect(notes[0]).toMatch(/1 of 12 judged topics not answered, counted as empty rankings$/);
  });
});

describe('gradus report --run', () => {
  test('chooses a run of a file that holds several, as in every command; --about names the run of the TREC report', async () => {
    const several = join(folder, 'several.csv');
    writeFileSync(several, 'system,topic,doc,score\nfirst,q1,a,2\nfirst,q1,b,1\nsecond,q1,b,2\nsecond,q1,a,1\n');
    const judged = join(folder, 'one.qrels');
    writeFileSync(judged, 'q1 0 b 1\nq1 0 a 0\n');
    const means = async (name: string): Promise<unknown> => {
      const { out } = await gradus(['report', judged, several, '--run', name, '-m', 'RR', '-f', 'csv', '--quiet']);
      return /^mean,[^,]*,RR,all,([\d.]+)$/m.exec(out)?.[1] ?? out;
    };
    expect([await means('first'), await means('second')]).toEqual(['0.5', '1']);
  });
});

describe('gradus report --trec --about', () => {
  test('--run says the same', async () => {
    const report = async (option: string): Promise<string> =>
      (await gradus(['report', qrels, ...runs, '--trec', option, 'hybrid', '-f', 'csv', '--quiet'])).out;
    const about = await report('--about');
    expect(about).toContain('hybrid');
    expect(await report('--run')).toBe(about);
  });

  test('is about one run, against the median, best and worst of the others', async () => {
    const { out } = await gradus(['report', qrels, ...runs, '--trec', '--about', 'hybrid', '-f', 'json', '--quiet']);
    const report: TrecReport = JSON.parse(out);
    expect(report.runs.map(({ name }) => name)).toEqual(['hybrid']);
    const scores = await gradus(['eval', qrels, ...runs.slice(0, 2), '-m', 'AP', '-q', '--json', '--missing', 'skip', '--quiet']);
    const others: Record<string, number[]> = {};
    for (const { perTopic } of JSON.parse(scores.out).runs)
      for (const { topic, scores: values } of perTopic) {
        others[topic] ??= [];
        others[topic].push(values.AP);
      }
    for (const [t, topic] of report.topics.entries()) {
      expect(report.allRuns.best[t]).toBeCloseTo(Math.max(...others[topic]), 6);
      expect(report.allRuns.worst[t]).toBeCloseTo(Math.min(...others[topic]), 6);
      expect(report.allRuns.median[t]).toBeCloseTo(others[topic].reduce((sum, value) => sum + value, 0) / others[topic].length, 6);
    }
  });

  test('draws no histogram of a single run, and one of a run among others', async () => {
    await gradus(['report', qrels, runs[2], '--trec', '-o', file('alone.md')]);
    expect(readdirSync(file('alone-charts')).sort()).toEqual(['recall-precision.svg']);
    await gradus(['report', qrels, ...runs, '--trec', '--about', 'hybrid', '--quiet', '-o', file('one.md')]);
    expect(readdirSync(file('one-charts')).sort()).toEqual(['histogram-1.svg', 'recall-precision.svg']);
    const curve = readFileSync(file('one-charts/recall-precision.svg'), 'utf8');
    for (const range of ['high precision', 'middle recall', 'high recall']) expect(curve).toContain(`>${range}</text>`);
  });
});

describe('gradus report --figures', () => {
  test('writes each figure beside the report, in every form that is asked for', async () => {
    const argv = ['report', qrels, ...runs, '--trec', '--run', 'hybrid', '--quiet', '--figures', 'tikz', '--figures', 'svg'];
    await gradus([...argv, '-o', file('paper.tex')]);
    expect(readdirSync(file('paper-charts')).sort()).toEqual([
      'histogram-1.svg',
      'histogram-1.tex',
      'recall-precision.svg',
      'recall-precision.tex',
    ]);
    expect(readFileSync(file('paper-charts/histogram-1.tex'), 'utf8')).toMatch(
      /^% Average precision of hybrid by topic.*\n(?:.*\n)*\\end\{tikzpicture\}\n$/,
    );
    await gradus(['report', qrels, runs[2], '--trec', '--figures', 'tikz', '-o', file('both.md')]);
    expect(readdirSync(file('both-charts')).sort()).toEqual(['recall-precision.svg', 'recall-precision.tex']);
    expect(readFileSync(file('both.md'), 'utf8')).toContain('(both-charts/recall-precision.svg)');
  });

  test('needs a place beside a report, and says which', async () => {
    const { err, status } = await gradus(['report', qrels, runs[0], '--figures', 'svg']);
    expect([status, err]).toEqual([2, expect.stringContaining('--figures needs a report to lie beside; name it with -o report.html')]);
    const named = await gradus(['report', qrels, runs[0], '--figures', 'svg', '-o', file('report.html')]);
    expect([named.status, readdirSync(file('report-charts')).length > 5]).toEqual([0, true]);
  });
});

describe('gradus report --trec --scores', () => {
  beforeAll(() => {
    writeFileSync(file('ap.csv'), 'mine,b,c\n0.5,0.1,0.3\n0.25,0.75,0.25\n0,1,0.5\n');
    writeFileSync(file('p10.csv'), 'mine,b,c\n0.3,0.1,0.2\n0.4,0.2,0.2\n0.2,0.1,0.1\n');
  });

  test('reads tables without topics, and says as much as they hold', async () => {
    const argv = ['report', '--trec', '--scores', file('ap.csv'), '--scores', file('p10.csv'), '-m', 'AP', '-m', 'P@10', '--about', 'mine'];
    const { out, err, status } = await gradus(argv);
    expect([err, status]).toEqual(['', 0]);
    expect(out).toMatch(/^Run +mine\nNumber of topics +3$/m);
    expect(out).toMatch(/^Average precision \(non-interpolated\) +0\.2500$/m);
    expect(out).toMatch(/^At 10 docs +0\.3000$/m);
    expect(out).toContain('Median, best and worst of 2 other runs\n');
    expect(out).toMatch(
      /^1 +0\.5000 +0\.2000 +0\.3000 +0\.1000\n2 +0\.2500 +0\.5000 +0\.7500 +0\.2500\n3 +0\.0000 +0\.7500 +1\.0000 +0\.5000$/m,
    );
    expect(out).toContain('the topics have no names and are numbered by row');
    expect(out).not.toMatch(/R-Precision|Rel_ret|^0\.50/m);
  });

  test('reads what gradus eval -q and trec_eval -q print', async () => {
    const printed: string[] = [];
    for (const [r, path] of runs.entries()) {
      const { stdout } = await runAs(['trec_eval', '-q', '-m', 'all_trec', qrels, path]);
      printed.push(file(`r${r}.txt`));
      writeFileSync(printed[r], stdout);
    }
    const ready: TrecReport = JSON.parse(
      (await gradus(['report', '--trec', ...printed.flatMap((path) => ['--scores', path]), '--about', 'hybrid', '-f', 'json', '--quiet']))
        .out,
    );
    const scored: TrecReport = JSON.parse(
      (await gradus(['report', qrels, ...runs, '--trec', '--about', 'hybrid', '-f', 'json', '--quiet'])).out,
    );
    // trec_eval prints four decimals
    expect(ready.topics).toEqual(scored.topics);
    expect(ready.runs[0].summary).toEqual(scored.runs[0].summary);
    for (const [i, { precision }] of ready.runs[0].recallLevels.entries())
      expect(Math.abs((precision ?? 9) - (scored.runs[0].recallLevels[i].precision ?? 9))).toBeLessThan(1e-4);
    expect(Math.abs((ready.runs[0].rPrecision ?? 9) - (scored.runs[0].rPrecision ?? 9))).toBeLessThan(1e-4);
    for (const [t, median] of ready.allRuns.median.entries())
      expect(Math.abs((median ?? 9) - (scored.allRuns.median[t] ?? 9))).toBeLessThan(1e-4);
  });

  test.each([
    [['--scores', 'ap.csv'], /has no AP of mine, which the report needs, but score; say what each table .*: -m AP for the first/],
    [['--scores', 'ap.csv', '--scores', 'p10.csv', '-m', 'AP'], /1 measures? for 2 files of scores/],
    [['--scores', 'ap.csv', '--scores', 'ap.csv', '-m', 'AP AP'], /1 measures? for 2 files|holds AP of mine, which \S+ holds already/],
    [
      ['--scores', 'ap.csv', '--scores', 'short.csv', '-m', 'AP P@10'],
      /short\.csv: has other topics for mine than \S+ap\.csv: 1, expected the same 3/,
    ],
    [['--scores', 'ap.csv', 'qrels'], /--scores takes the place of judgements and runs/],
    [[], /found no run, expected judgements and at least 1 run/],
  ])('refuses %j', async (argv, message) => {
    writeFileSync(file('short.csv'), 'mine,b\n0.3,0.1\n');
    const { err, status } = await gradus(['report', '--trec', ...argv.map((word) => (word.endsWith('.csv') ? file(word) : word))]);
    expect(err).toMatch(message);
    expect(status).toBe(2);
  });
});

async function runAs(argv: readonly string[]): Promise<{ stdout: string }> {
  const child = spawn(process.execPath, [launcher, 'as', ...argv]);
  let stdout = '';
  child.stdout.on('data', (part) => (stdout += part));
  await once(child, 'close');
  return { stdout };
}

describe('gradus report', () => {
  test('compares, audits and tells where the numbers come from', async () => {
    const { out, err, status } = await gradus([
      'report',
      qrels,
      ...runs,
      '-m',
      'nDCG@10 AP',
      '--test',
      'randomization',
      '--seed',
      '7',
      '-f',
      'json',
      '--date',
      '1 May',
    ]);
    expect(status).toBe(0);
    expect(err).toMatch(/neural\.run: 1 of 12 judged topics not answered, counted as empty rankings/);
    const report: ComparisonReport = JSON.parse(out);
    expect(report.systems).toEqual(['bm25', 'neural', 'hybrid']);
    expect(report.measures.map(({ name }) => name)).toEqual(['nDCG@10', 'AP']);
    // no path of the machine is told
    expect(out).not.toContain(data);
    const names = [qrels, ...runs].map((path) => basename(path));
    expect(report.audit.map(({ file: name }) => name)).toEqual(names);
    expect(report.provenance.command).toBe(
      `gradus report --format json --measure 'nDCG@10 AP' --test randomization --seed 7 --date '1 May' ${names.join(' ')}`,
    );
    expect(report.provenance.date).toBe('1 May');
    expect(report.provenance.files[1].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(report.provenance.files[1].bytes).toBe(readFileSync(runs[0]).length);
  });

  test('adds the graded recall-precision graph with --graded, by the numbers of gradus eval', async () => {
    const graded: ComparisonReport = JSON.parse((await gradus(['report', qrels, ...runs, '--graded', '-f', 'json', '--quiet'])).out);
    const plain: ComparisonReport = JSON.parse((await gradus(['report', qrels, ...runs, '-f', 'json', '--quiet'])).out);
    expect(plain.recallPrecision.map(({ id }) => id)).toEqual(['grade-1', 'grade-2', 'grade-3']);
    const { id, x, xLabel, yLabel, values } = graded.recallPrecision[3];
    expect([id, xLabel, yLabel]).toEqual(['graded', 'graded recall', 'graded precision']);
    const measures = x.map((level) => `GradedIPrec@${level}`);
    const scores = JSON.parse((await gradus(['eval', qrels, ...runs, '-m', measures.join(' '), '--json', '--quiet'])).out);
    for (const [s, own] of values.entries())
      for (const [i, value] of own.entries()) expect(value).toBeCloseTo(scores.runs[s].all[measures[i]], 5);
    const trec = await gradus(['report', qrels, ...runs, '--trec', '--graded']);
    expect([trec.status, trec.err]).toEqual([
      2,
      expect.stringContaining('the TREC report has no use for --graded; leave out one of the two'),
    ]);
  });

  test('has the numbers of gradus compare', async () => {
    const report: ComparisonReport = JSON.parse((await gradus(['report', qrels, ...runs, '-m', 'nDCG@10', '-f', 'json', '--quiet'])).out);
    const compared = JSON.parse((await gradus(['compare', qrels, ...runs, '-m', 'nDCG@10', '--json', '--quiet'])).out);
    for (const [i, pair] of report.measures[0].pairs.entries()) {
      expect(pair.difference).toBe(compared.measures[0].pairs[i].difference);
      expect(pair.correctedPValue).toBeCloseTo(compared.measures[0].pairs[i].correctedPValue, 6);
      expect(pair.effectSize).toBeCloseTo(compared.measures[0].pairs[i].cohenDz.value, 4);
    }
    expect(report.test.methods).toBe(compared.methods);
  });

  test('gives the same bytes twice', async () => {
    for (const form of ['html', 'md', 'latex', 'csv', 'json', 'text']) {
      const [first, second] = [await gradus(['report', qrels, ...runs, '-f', form]), await gradus(['report', qrels, ...runs, '-f', form])];
      expect(first.out.length).toBeGreaterThan(1000);
      expect(second.out === first.out).toBe(true);
    }
  });

  test('writes a page that asks nobody for anything', async () => {
    const path = file('report.html');
    const { status } = await gradus(['report', qrels, ...runs, '-o', path]);
    expect(status).toBe(0);
    const page = readFileSync(path, 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src '(none|sha256-[^']+)'; img-src data: blob:; base-uri 'none'; form-action 'none'$/,
    );
    const outside = page.slice(0, page.indexOf('<script'));
    expect(outside).not.toMatch(/(src|href)="(?!#)/);
    // complete without any script: tables and pictures stand in the page
    expect(page.match(/<svg /g)?.length).toBeGreaterThan(10);
    expect(page.match(/<table /g)?.length).toBeGreaterThan(8);
  });

  test('writes Markdown with its pictures beside it', async () => {
    const { status } = await gradus(['report', qrels, ...runs, '-o', file('my report.md')]);
    expect(status).toBe(0);
    const text = readFileSync(file('my report.md'), 'utf8');
    const linked = [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map((match) => decodeURI(match[1]));
    expect(linked.length).toBeGreaterThan(10);
    for (const name of linked) expect([name, existsSync(join(folder, name))]).toEqual([name, true]);
    expect(readdirSync(file('my report-charts')).length).toBe(linked.length);
  });

  test('prints a PDF where there is a browser, and says what to do where there is none', async () => {
    const environment = { PATH: process.env.PATH ?? '' };
    const { status, err } = await gradus(['report', qrels, ...runs, '-o', file('report.pdf')], environment);
    if (findChromium(environment) === undefined) expect(err).toMatch(/a PDF is printed by Chromium, and none was found/);
    else {
      expect([err.replace(/.*not answered.*\n/, ''), status]).toEqual(['', 0]);
      expect(readFileSync(file('report.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    }
    const without = await gradus(['report', qrels, runs[0], '-o', file('none.pdf')], { PATH: '/nowhere', CHROME_PATH: '/nowhere/x' });
    expect(without.status).toBe(2);
    expect(without.err).toMatch(/a PDF is printed by Chromium, and CHROME_PATH names no program: \/nowhere\/x; install Chromium/);
    expect(existsSync(file('none.pdf'))).toBe(false);
  }, 120_000);

  test('describes one run alone', async () => {
    const { out, status } = await gradus(['report', qrels, runs[0]]);
    expect(status).toBe(0);
    expect(out).toMatch(/^Evaluation of bm25\n=+\n/);
    expect(out).not.toContain('significantly');
  });

  test('tells all that is wrong with the arguments at once', async () => {
    const { err, status } = await gradus([
      'report',
      qrels,
      '-',
      '--trec',
      '-m',
      'AP',
      '--baseline',
      'x',
      '-f',
      'pdf',
      '--name',
      'a',
      '--name',
      'b',
    ]);
    expect(status).toBe(2);
    for (const message of [/no use for --measure/, /no use for --baseline/, /a PDF needs a file/, /2 names for 1 run;/]) {
      expect(err).toMatch(message);
    }
    expect((await gradus(['report', qrels, runs[0], '--header', 'x'])).err).toMatch(/--header: expected a name, a colon and a value/);
    expect((await gradus(['report', qrels, file('nowhere')])).err).toMatch(/nowhere: .*no such file/);
    const broken = file('broken.run');
    writeFileSync(broken, '1 Q0 a\n');
    expect((await gradus(['report', qrels, broken])).err).toMatch(/broken\.run:1: expected 6 fields/);
  });
});

describe('gradus serve', () => {
  test('prints its address, answers, and stops when it is told to', async () => {
    const child = spawn(process.execPath, [launcher, 'serve'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    child.stderr.on('data', (part) => (told += part));
    const ended = once(child, 'close');
    const [address] = await Promise.race([once(child.stdout, 'data').then(([part]) => [String(part).trim()]), ended.then(() => [''])]);
    if (!existsSync(join(repository, 'dist/app/index.html'))) {
      expect(told).toMatch(/the browser app is not there/);
      return;
    }
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^<!doctype html>/i);
    child.kill('SIGINT');
    const [status] = await ended;
    expect([told, status]).toEqual(['gradus: Ctrl-C stops the server\n', 0]);
  });
});
