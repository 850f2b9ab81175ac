import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatParquetRun, parseRun } from '../../src/formats/index.js';
import { appFolder } from '../../src/node/app-files.js';
import {
  downloaded,
  drawnChart,
  dropFiles,
  type OpenApp,
  openFiles,
  openSettings,
  openView,
  startApp,
  tableRows,
} from '../helpers/browser.js';
import { repository, runGradus } from '../helpers/run-gradus.js';
import { skippableFrame, storedZstd } from '../helpers/zstd-frames.js';

const example = (name: string): { name: string; content: string } => ({
  name,
  content: readFileSync(`${repository}examples/data/${name}`, 'utf8'),
});
const exampleNames = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'];
const paths = exampleNames.map((name) => `examples/data/${name}`);

let server: Awaited<ReturnType<typeof startApp>>;
let app: OpenApp;

beforeAll(async () => {
  server = await startApp();
  app = await server.open();
  await app.page.getByRole('button', { name: 'Show me an example' }).click();
  await app.page.getByRole('link', { name: 'Leaderboard' }).waitFor();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const openTab = (name: string): Promise<void> => openView(app.page, name);

describe('the app, on the example', () => {
  test('shows the means that the command line prints', async () => {
    const { stdout } = runGradus(['eval', ...paths, '-f', 'tsv', '--wide', '-p', '4']);
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(printed[0]).toEqual(['run', 'nDCG@10', 'AP', 'RR', 'P@10', 'R@100', 'Judged@10']);
    const rows = await tableRows(app.page, 'Scores');
    expect(rows.slice(1)).toEqual(printed.slice(1));
  });

  test('shows the topics that the command line prints, for the measure chosen', async () => {
    await openTab('Leaderboard');
    await app.page.getByLabel('Measure for the topics below').selectOption('AP');
    const rows = await tableRows(app.page, 'Topic by topic: AP');
    const { stdout } = runGradus(['eval', ...paths.slice(0, 2), '-q', '-m', 'AP', '-f', 'tsv', '--wide', '-p', '4']);
    const bm25 = stdout.trimEnd().split('\n').slice(1);
    expect(rows.slice(1).map(([topic, value]) => `bm25\t${topic}\t${value}`)).toEqual(
      bm25.sort(new Intl.Collator('en', { numeric: true }).compare),
    );
    expect(bm25).toHaveLength(12);
  });

  test('sorts a table by any column, both ways, and says so', async () => {
    await openTab('Leaderboard');
    const header = app.page.getByRole('region', { name: 'Scores', exact: true }).getByRole('columnheader', { name: 'nDCG@10' });
    await header.getByRole('button').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    expect((await tableRows(app.page, 'Scores')).slice(1).map(([system]) => system)).toEqual(['hybrid', 'neural', 'bm25']);
    await header.getByRole('button').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
    await header.getByRole('button').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('none');
  });

  test('says what a screen reader should hear', async () => {
    await expect.poll(() => app.page.locator('[role=status][aria-live]').textContent()).toBe('Scored 3 runs on 12 topics.');
  });

  test('compares as gradus compare does', async () => {
    await openTab('Compare');
    await app.page.getByRole('heading', { name: 'Systems', exact: true }).waitFor();
    const { stdout } = runGradus(['compare', ...paths, '-m', 'nDCG@10', '--json']);
    const { measures } = JSON.parse(stdout);
    const pairs: { system: string; against: string; difference: number; pValue: number; correctedPValue: number }[] = measures[0].pairs;
    const rows = await tableRows(app.page, 'nDCG@10: pairs');
    const shown = rows.slice(1).map((row) => [...row.slice(0, 3), ...row.slice(-3)].join(' ').replace('−', '-'));
    const digits = (p: number): string => (p < 0.0001 ? '<0.0001' : p.toFixed(4));
    const expected = pairs.map((pair) =>
      [pair.system, pair.against, pair.difference.toFixed(4), digits(pair.pValue), digits(pair.correctedPValue), 'yes'].join(' '),
    );
    expect(shown.sort()).toEqual(expected.sort());
    expect(rows[0].slice(-3)).toEqual(['p', 'p (Holm)', 'significant']);
    const systems = await tableRows(app.page, 'Systems');
    // letters follow the order of the table: hybrid, the best, is significantly better than neural (b) and bm25 (c)
    expect(systems[1].slice(0, 3)).toEqual(['a', 'hybrid', '0.7751bc']);
  });

  test('draws the charts of the comparison', async () => {
    await openTab('Compare');
    const chart = await drawnChart(app.page, 'nDCG@10 by topic: hybrid minus neural');
    expect(await chart.locator('rect').count()).toBe(12);
    const figures = await app.page.locator('figure').count();
    expect(figures).toBeGreaterThan(8);
  });

  test('takes another test and a baseline', async () => {
    await openTab('Compare');
    await openSettings(app.page);
    await app.page.getByLabel('Test', { exact: true }).selectOption('tukey');
    await app.page.getByText("Tukey's HSD test (two-way ANOVA)").first().waitFor();
    expect(await app.page.getByLabel('Correction').isDisabled()).toBe(true);
    await openSettings(app.page);
    await app.page.getByLabel('Test', { exact: true }).selectOption('t');
    await app.page.locator('#baseline').selectOption('bm25');
    await app.page.getByText('2 systems with the baseline bm25').waitFor();
    await app.page.locator('#baseline').selectOption('');
    await app.page.getByText('2 systems with the baseline bm25').waitFor({ state: 'detached' });
  });

  test('opens a topic, with grades, ties, what is not judged, and what each document adds', async () => {
    await openTab('Leaderboard');
    await app.page.getByLabel('Measure for the topics below').selectOption('nDCG@10');
    await app.page.getByRole('button', { name: 'topic q1: show its ranking' }).click();
    await app.page.getByRole('heading', { name: '0.1969 nDCG@10 of bm25 on q1' }).waitFor();
    await app.page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(async () => (await tableRows(app.page, 'The ranked list')).length).toBe(41);
    const rows = await tableRows(app.page, 'The ranked list');
    expect(rows[5].slice(0, 3)).toEqual(['5', 'doc239', '3']);
    expect(rows[6].at(-1)).toBe('14.2tie of 3');
    expect(rows[18][2]).toBe('not judged');
    // the document at rank 5 has grade 3, and what is judged is 6 x 3, 6 x 2, 1: 3 / log2(6) over the ideal of the first 10
    const ideal = [3, 3, 3, 3, 3, 3, 2, 2, 2, 2].reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
    expect(Number(rows[5][3])).toBeCloseTo(3 / Math.log2(6) / ideal, 4);
    expect(rows[40][4]).toBe('0.1969');
    await drawnChart(app.page, 'What each document adds to nDCG@10');
    await app.page.getByText('8 relevant documents not found').waitFor();
  });

  test('explains why tools differ, as gradus explain does', async () => {
    await openTab('Rules');
    await app.page.getByLabel('System', { exact: true }).selectOption('bm25');
    await app.page.getByLabel('Measure', { exact: true }).selectOption('nDCG@10');
    const { stdout } = runGradus(['explain', paths[0], paths[1], '--as', 'trec_eval,sklearn', '-m', 'nDCG@10', '--json']);
    const { explanations } = JSON.parse(stdout);
    await app.page.getByText('All values, and the topics that matter').click();
    await app.page.getByText(explanations[0].sentence).waitFor();
    const picture = await drawnChart(app.page, 'What each tool reports of bm25, and the rule behind every gap');
    expect(await picture.textContent()).toContain('ideal list');
  });

  test('checks the files as gradus audit does', async () => {
    await openTab('Checks');
    await app.page.getByText('316 of 480 documents share their score with others').waitFor();
  });

  test('completes measures, explains them, and scores by new ones', async () => {
    await openTab('Leaderboard');
    await openSettings(app.page);
    const field = app.page.getByRole('combobox', { name: 'Measures' });
    await field.fill('rbp');
    await app.page.getByRole('option', { name: /^RBP / }).first().waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await app.page.getByRole('columnheader', { name: 'RBP' }).first().waitFor();
    await app.page.getByRole('button', { name: 'RBP: what it means' }).click();
    await app.page.getByRole('dialog').getByText('Moffat and Zobel').waitFor();
    await app.page.keyboard.press('Escape');
    expect(decodeURIComponent(new URL(app.page.url()).hash)).toContain('RBP');
    await app.page.getByRole('button', { name: 'Leave RBP out' }).click();
    await app.page.getByRole('columnheader', { name: 'RBP' }).first().waitFor({ state: 'detached' });
  });

  test('says in one sentence what is wrong with a measure', async () => {
    await openSettings(app.page);
    const field = app.page.getByRole('combobox', { name: 'Measures' });
    await field.fill('nDGC@10');
    await field.press('Enter');
    await expect.poll(() => app.page.getByRole('alert').textContent()).toMatch(/There is no measure nDGC/i);
    await app.page.getByRole('button', { name: 'Leave nDGC@10 out' }).click();
    await app.page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('follows the rules of another tool, and puts them into the address without any data', async () => {
    const { stdout } = runGradus(['eval', ...paths, '-m', 'nDCG@10', '--convention', 'trec_eval', '-f', 'tsv', '--wide', '-p', '4']);
    const [, value] = stdout.split('\n')[2].split('\t');
    await openSettings(app.page);
    await app.page.getByLabel('Whose rules').selectOption('trec_eval@9.0.8');
    await expect.poll(async () => (await tableRows(app.page, 'Scores'))[2][1]).toBe(value);
    expect(value).not.toBe('0.6246');
    const { hash } = new URL(app.page.url());
    expect(hash).toContain('convention=trec_eval');
    expect(hash).not.toMatch(/neural|bm25|hybrid|q1/);
    const other = await server.open({ fragment: hash });
    await other.page.getByRole('button', { name: 'Show me an example' }).click();
    await expect.poll(async () => (await tableRows(other.page, 'Scores'))[2]?.[1]).toBe(value);
    await other.close();
    await openSettings(app.page);
    await app.page.getByLabel('Whose rules').selectOption('gradus');
    await expect.poll(async () => (await tableRows(app.page, 'Scores'))[2][1]).toBe('0.6246');
  });
});

describe('export', () => {
  test('scores as JSON are those of the command line, to the last digit', async () => {
    await openTab('Export');
    const { name, text } = await downloaded(app.page, () => app.page.getByRole('button', { name: 'JSON', exact: true }).click());
    expect(name).toBe('scores.json');
    const own = JSON.parse(text);
    const { runs } = JSON.parse(runGradus(['eval', ...paths, '-q', '--json']).stdout);
    expect(runs).toHaveLength(3);
    for (const [r, run] of runs.entries()) {
      expect(own.systems[r].all).toEqual(run.all);
      expect(own.systems[r].perTopic).toEqual(run.perTopic);
    }
  });

  test.each([
    ['CSV of the scores', 'scores.csv', /^run,nDCG@10,AP/],
    ['Markdown of the scores', 'scores.md', /^\| run +\| nDCG@10/],
    ['LaTeX of the scores', 'scores.tex', /\\begin\{tabular\}/],
    ['CSV of the topics', 'topics.csv', /^run,topic,nDCG@10,AP.*\r?\nbm25,q1,0\.19\d+,/],
    ['Markdown of the Comparison report', 'comparison-report.md', /^# Comparison of 3 systems/],
    ['LaTeX of the TREC report', 'trec-report.tex', /\\documentclass/],
    ['Text of the TREC report', 'trec-report.txt', /Recall Level Precision Averages/],
  ])('%s', async (button, file, content) => {
    await openTab('Export');
    const { name, text } = await downloaded(app.page, () => app.page.getByRole('button', { name: button, exact: true }).click());
    expect(name).toBe(file);
    expect(text).toMatch(content);
  });

  test('charts as SVG, PNG, TikZ and CSV', async () => {
    await openTab('Compare');
    const figure = app.page
      .locator('figure')
      .filter({ has: app.page.getByRole('heading', { name: 'nDCG@10 by topic: hybrid minus neural' }) });
    await figure.scrollIntoViewIfNeeded();
    const svg = await downloaded(app.page, () => figure.getByRole('button', { name: /^SVG/ }).click());
    expect(svg.text).toMatch(/^<\?xml[^>]*>\n<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    // a picture that was taken away has its title in it
    expect(svg.text).toContain('>nDCG@10 by topic: hybrid minus neural</text>');
    // a file that no style sheet reaches names its colours
    expect(svg.text).not.toContain('var(--');
    const tikz = await downloaded(app.page, () => figure.getByRole('button', { name: /^TikZ/ }).click());
    expect(tikz.text).toMatch(/^% .*\n% \\usepackage\{tikz\}\n\\begin\{tikzpicture\}/);
    const png = await downloaded(app.page, () => figure.getByRole('button', { name: /^PNG/ }).click());
    expect([...png.bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(png.bytes.length).toBeGreaterThan(5000);
    const csv = await downloaded(app.page, () => figure.getByRole('button', { name: /^CSV/ }).click());
    expect(csv.text.split('\n')[0].trim()).toMatch(/^topic,hybrid,/);
  });
});

describe('files', () => {
  test('dropped in any order and compression are recognised by content', async () => {
    const other = await server.open();
    const plain = example('bm25.run');
    await dropFiles(other.page, [
      // in two members
      { name: 'a.txt', content: Buffer.concat([gzipSync(plain.content.slice(0, 1000)), gzipSync(plain.content.slice(1000))]) },
      { name: 'b.txt', content: example('example.qrels').content },
    ]);
    await expect
      .poll(async () => (await tableRows(other.page, 'Scores'))[1])
      .toEqual(['bm25', '0.4265', '0.2800', '0.7806', '0.3667', '0.5440', '1.0000']);
    await other.close();
  });

  test('of Parquet and zstd are read, with frames to skip and in several frames', async () => {
    const other = await server.open();
    const { run } = parseRun('q1 Q0 d2 1 3.5 x\nq1 Q0 d1 2 2.5 x\n');
    await dropFiles(other.page, [
      { name: 'judged', content: Buffer.concat([skippableFrame, storedZstd('q1 0 d1 1\n'), storedZstd('q2 0 d1 1\n')]) },
      { name: 'two.parquet', content: await formatParquetRun(run) },
    ]);
    // 1 / log2(3) and 1/2 for the first topic, and nothing for the second, which is in the second frame
    await expect.poll(async () => (await tableRows(other.page, 'Scores'))[1]?.slice(0, 4)).toEqual(['two', '0.3155', '0.2500', '0.2500']);
    expect(other.complaints).toEqual([]);
    await other.close();
  });

  test('of learning to rank: a LETOR file and predictions', async () => {
    const other = await server.open();
    await dropFiles(other.page, [
      { name: 'test.txt', content: '2 qid:1 1:0.1\n0 qid:1 1:0.2\n1 qid:1 1:0.3\n0 qid:2 1:0.1\n1 qid:2 1:0.5\n' },
      { name: 'scores.txt', content: '0.1\n0.2\n0.3\n0.9\n0.5\n' },
    ]);
    // ranks of relevant documents: 1 and 3 of query 1, 2 of query 2
    const reciprocal = (1 + 1 / 2) / 2;
    await expect.poll(async () => (await tableRows(other.page, 'Scores'))[1]?.[3]).toBe(reciprocal.toFixed(4));
    await other.close();
  });

  test('that leave open what they are can be assigned', async () => {
    const other = await server.open();
    await dropFiles(other.page, [
      { name: 'first.json', content: '{"t1":{"a":1,"b":0}}' },
      { name: 'second.json', content: '{"t1":{"b":2,"a":1}}' },
    ]);
    await other.page.getByText('Now add judgements').waitFor();
    await other.page.getByLabel('What first.json is').selectOption('judgements');
    await expect.poll(async () => (await tableRows(other.page, 'Scores'))[1]?.[3]).toBe('0.5000');
    await other.close();
  });

  test.each([
    ['a cut line', { name: 'bad.run', content: 'q1 Q0 d1 1 2.5 x\nq1 Q0 d2\n' }, /^bad\.run, line 2: expected 6 fields [^.]* found 3\. $/],
    ['an empty file', { name: 'empty.run', content: '' }, /empty\.run.*empty/],
    [
      'damaged zstd',
      { name: 'cut.zst', content: storedZstd('q1 Q0 d1 1 2.5 x\n').subarray(0, 20) },
      /cut\.zst.*cannot be decompressed as zstd/,
    ],
    [
      'another compression',
      { name: 'a.xz', content: Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) },
      /a\.xz: is compressed with xz, .*\. Decompress it with xz -dc\./,
    ],
    [
      'damaged gzip',
      { name: 'cut.gz', content: gzipSync('q1 Q0 d1 1 2.5 x\n').subarray(0, 20) },
      /cut\.gz: cannot be decompressed as gzip: unexpected end of file/,
    ],
  ])('with problems are reported plainly: %s', async (_, file, words) => {
    const other = await server.open();
    await dropFiles(other.page, [file]);
    await expect.poll(async () => (await other.page.getByRole('alert').textContent())?.replace(/\s+/g, ' ')).toMatch(words);
    expect(other.complaints).toEqual([]);
    await other.close();
  });

  test('with lines that cannot be read can be read without them', async () => {
    const other = await server.open();
    await dropFiles(other.page, [
      { name: 'x.qrels', content: 'q1 0 d1 1\n' },
      { name: 'bad.run', content: 'q1 Q0 d2 1 3.5 x\nq1 Q0\nq1 Q0 d1 2 2.5 x\n' },
    ]);
    await other.page.getByRole('button', { name: /^Skip \d+ bad lines?$/ }).click();
    await other.page.getByText('1 line was skipped.').waitFor();
    await expect.poll(async () => (await tableRows(other.page, 'Scores'))[1]?.[3]).toBe('0.5000');
    await other.close();
  });

  test('can be taken away, and another question asked', async () => {
    const other = await server.open();
    await dropFiles(other.page, exampleNames.map(example));
    await other.page.getByRole('link', { name: 'Leaderboard' }).waitFor();
    await openFiles(other.page);
    await other.page.getByRole('button', { name: 'Remove neural.run' }).click();
    await expect.poll(async () => (await tableRows(other.page, 'Scores')).slice(1).map(([system]) => system)).toEqual(['bm25', 'hybrid']);
    await other.page.getByRole('button', { name: 'Start over' }).click();
    await other.page.getByRole('button', { name: 'Yes, start over' }).click();
    await other.page.getByRole('heading', { name: 'How good is this ranking?' }).waitFor();
    await other.close();
  });
});

test('the scripts up to the first result take less than 250 kB, compressed, 535 kB with all views, and 90 kB more for training', () => {
  const folder = `${appFolder()}assets/`;
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const texts = new Map(scripts.map((name) => [name, readFileSync(folder + name, 'utf8')]));
  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + gzipSync(texts.get(name) ?? '', { level: 9 }).length, 0);
  /** These scripts and all that they lead to by imports of this form. */
  const closure = (from: readonly string[], form: RegExp): Set<string> => {
    const found = new Set(from);
    for (const name of found)
      for (const [, imported] of (texts.get(name) ?? '').matchAll(form)) if (texts.has(imported)) found.add(imported);
    return found;
  };
  const first = scripts.filter((name) => /^(index|worker|VerdictView)-/.test(name));
  expect(first).toHaveLength(3);
  // and the scripts that these cannot do without
  expect(sum(closure(first, /(?:from|import)"\.\/([\w.-]+\.js)"/g))).toBeLessThan(250_000);
  // what draws charts, reads and writes Parquet and decompresses is loaded when it is needed; what trains, by those who train
  const training = scripts.filter((name) => /^training-(?!cells)/.test(name));
  expect(training).toHaveLength(1);
  const entries = scripts.filter((name) => /^(index|worker)-/.test(name));
  for (const name of entries) texts.set(name, (texts.get(name) ?? '').replaceAll(training[0], ''));
  const usual = closure(entries, /["'`](?:\.\/|assets\/)?([\w.-]+\.js)["'`]/g);
  expect(sum(usual)).toBeLessThan(535_000);
  expect(sum(scripts.filter((name) => !usual.has(name)))).toBeLessThan(90_000);
});

test('nothing was asked of any other host, the policy forbade nothing, and nothing complained', () => {
  expect(app.strangers).toEqual([]);
  expect(app.complaints).toEqual([]);
});
