/** Sets the LaTeX that Gradus writes with a real TeX, and complains about every error and every overfull box.
 *
 *  node scripts/check-latex.mjs [--pages DIR]
 *
 *  Run `npm run build` first. pdfLaTeX is needed, LuaLaTeX is used if it is there; on Debian they come with texlive-latex-recommended,
 *  texlive-latex-extra, texlive-science and texlive-pictures. With --pages the pages are kept as PNG (pdftoppm of poppler-utils). */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const gradus = fileURLToPath(new URL('../bin/gradus.js', import.meta.url));
const { values } = parseArgs({ options: { pages: { type: 'string' }, only: { type: 'string' } } });

if (!isProgram('pdflatex')) {
  print('no pdflatex was found; nothing was checked');
  process.exit(0);
}
const engines = ['pdflatex', 'lualatex'].filter(isProgram);
const folder = mkdtempSync(join(tmpdir(), 'gradus-latex-'));

const hostileNames = [
  'a_b & 50% $x^2$ #1 {y} ~z \\input{/etc/passwd}',
  '[0] *starred*',
  '<b>"quoted" \'name\'</b> | 1--2---3',
  'naïve-Žluťoučký-«guillemets»-Łódź-ąę',
  '検索システム 中文 Поиск αβγ 😀',
  `very-long-${'name'.repeat(60)}`,
  `${'0123456789abcdef'.repeat(8)}`,
  '\u001b[31mred\u0007',
];
const hostileMeasures = [
  '50% of_it & more',
  '\\measure{x}$',
  'Präzision@10',
  '精度@10',
  `long${'measure'.repeat(20)}`,
  'nDCG(gain=exp,cutoff=10,rel=2)',
];

/** The document that a fragment is tried in: what authors have, and nothing else. */
const plain = '\\documentclass{article}\n\\usepackage{booktabs,longtable}\n';
const twoColumn = '\\documentclass[twocolumn]{article}\n\\usepackage[margin=18mm]{geometry}\n\\usepackage{booktabs}\n';
const withSiunitx = '\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,longtable,siunitx}\n';

const cases = [];
for (const count of [2, 3, 12, 40]) {
  const names = Array.from({ length: count }, (_, s) => (s === 0 ? 'BM25' : `Model-${s + 1}`));
  const scores = scoresFile(`systems-${count}`, names, ['nDCG@10', 'AP', 'RR', 'P@10', 'R@1000']);
  const single = scoresFile(`single-${count}`, names, ['nDCG@10']);
  const few = ['compare', '--scores', scores, '-f', 'latex'];
  fragment(`${count}-plain`, plain, few);
  fragment(`${count}-single`, plain, ['compare', '--scores', single, '-f', 'latex']);
  fragment(`${count}-pairs`, plain, ['compare', '--scores', single, '-f', 'latex', '--baseline', 'BM25', '--pairs']);
  fragment(`${count}-siunitx`, withSiunitx, [...few, '--siunitx']);
  fragment(`${count}-baseline`, plain, [
    ...few,
    '--baseline',
    'BM25',
    '--test',
    'randomization',
    '--correction',
    'bh',
    '--interval',
    'bootstrap',
  ]);
  fragment(`${count}-two-column`, twoColumn, [...few, '--two-column']);
  fragment(`${count}-two-column-single`, twoColumn, ['compare', '--scores', single, '-f', 'latex', '--two-column']);
  fragment(`${count}-tukey`, plain, [...few, '--test', 'randomized-tukey', '--resamples', '200']);
}
const many = scoresFile(
  'many-measures',
  ['BM25', 'ColBERT', 'SPLADE'],
  Array.from({ length: 14 }, (_, m) => `nDCG(gain=exp)@${m + 1}`),
);
fragment('many-measures', plain, ['compare', '--scores', many, '-f', 'latex']);
fragment('many-measures-siunitx', withSiunitx, ['compare', '--scores', many, '-f', 'latex', '--siunitx']);
const hostile = scoresFile('hostile', hostileNames, hostileMeasures);
for (const [name, head, more] of [
  ['hostile', plain, []],
  ['hostile-baseline', plain, ['--baseline', hostileNames[5]]],
  ['hostile-siunitx', withSiunitx, ['--siunitx']],
  ['hostile-two-column', twoColumn, ['--two-column']],
]) {
  fragment(name, head, ['compare', '--scores', hostile, '-f', 'latex', ...more]);
}

for (const count of [2, 12, 40]) {
  const [qrels, ...runs] = runFiles(count);
  whole(`report-${count}`, ['report', qrels, ...runs]);
  whole(`trec-${count}`, ['report', qrels, ...runs, '--trec']);
  figures(`figures-${count}`, ['report', qrels, ...runs]);
  figures(`figures-trec-${count}`, ['report', qrels, ...runs, '--trec']);
}

let failures = 0;
let checked = 0;
for (const { name, write } of cases) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  const place = join(folder, `case-${name}`);
  mkdirSync(place);
  const source = write(place);
  for (const engine of engines) {
    checked++;
    const complaints = compiled(engine, place, source);
    if (complaints.length > 0) failures++;
    for (const complaint of complaints) print(`${name} with ${engine}: ${complaint}`);
    if (values.pages !== undefined && engine === 'pdflatex') keepPages(source, name);
  }
}
print(`${checked - failures} of ${checked} documents compile without errors and overfull boxes (${engines.join(', ')})`);
rmSync(folder, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);

function print(line) {
  process.stdout.write(`${line}\n`);
}

function isProgram(name) {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Numbers from 0 to 1, the same ones every time. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

/** Scores as `--scores` reads them; later systems are a little better. */
function scoresFile(name, systems, measures) {
  const random = randomNumbers(12345);
  const topics = Array.from({ length: 30 }, (_, t) => ({ topic: `t${t}`, easiness: random() }));
  const value = (easiness, s) => Math.min(1, 0.1 + 0.5 * easiness + (0.25 * s) / systems.length + 0.12 * random());
  const runs = systems.map((run, s) => ({
    run,
    perTopic: topics.map(({ topic, easiness }) => ({
      topic,
      scores: Object.fromEntries(measures.map((measure) => [measure, value(easiness, s)])),
    })),
  }));
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ measures, runs }));
  return path;
}

/** Judgements and runs of as many systems, with names that need care. */
function runFiles(count) {
  const random = randomNumbers(777);
  const topics = Array.from({ length: 25 }, (_, t) => `q${t + 1}`);
  const docs = Array.from({ length: 40 }, (_, d) => `doc${d}`);
  const grade = new Map(topics.flatMap((topic) => docs.map((doc) => [`${topic} ${doc}`, Math.floor(random() * 3)])));
  const place = join(folder, `runs-${count}`);
  mkdirSync(place);
  const qrels = join(place, 'qrels_of_50%.txt');
  writeFileSync(
    qrels,
    topics.flatMap((topic) => docs.slice(0, 30).map((doc) => `${topic} 0 ${doc} ${grade.get(`${topic} ${doc}`)}\n`)).join(''),
  );
  const runs = Array.from({ length: count }, (_, r) => {
    const path = join(
      place,
      r === 1
        ? 'my_run & 100% #2.run'
        : r === 3
          ? `a-rather-long-name-of-a-run-${'with-parameters-'.repeat(4)}.run`
          : `system_${r + 1}.run`,
    );
    const lines = topics.flatMap((topic) =>
      docs
        .map((doc) => ({ doc, score: (grade.get(`${topic} ${doc}`) * (r + 1)) / count + 2 * random() }))
        .sort((a, b) => b.score - a.score)
        .map(({ doc, score }, i) => `${topic} Q0 ${doc} ${i + 1} ${score.toFixed(6)} tag\n`),
    );
    writeFileSync(path, lines.join(''));
    return path;
  });
  return [qrels, ...runs];
}

/** A case: a document that the program writes. */
function whole(name, args) {
  cases.push({
    name,
    write(place) {
      const source = join(place, 'paper.tex');
      execFileSync(process.execPath, [gradus, ...args, '-o', source], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      return source;
    },
  });
}

/** A case: all figures of a report, one to a page, as wide as the text. */
function figures(name, args) {
  cases.push({
    name,
    write(place) {
      execFileSync(process.execPath, [gradus, ...args, '-o', join(place, 'report.html'), '--figures', 'tikz'], { stdio: 'ignore' });
      const files = readdirSync(join(place, 'report-charts')).sort();
      const pages = files.map((file) => `\\resizebox{\\textwidth}{!}{\\input{report-charts/${file}}}\\newpage\n`);
      const source = join(place, 'paper.tex');
      writeFileSync(
        source,
        `\\documentclass{article}\n\\usepackage{tikz}\n\\parindent0pt\n\\begin{document}\n${pages.join('')}\\end{document}\n`,
      );
      return source;
    },
  });
}

/** A case: what the program prints, in the document of an author. */
function fragment(name, head, args) {
  cases.push({
    name,
    write(place) {
      const text = execFileSync(process.execPath, [gradus, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
      writeFileSync(join(place, 'fragment.tex'), text);
      const source = join(place, 'paper.tex');
      writeFileSync(source, `${head}\\begin{document}\nText before.\n\n\\input{fragment}\n\nText behind.\n\\end{document}\n`);
      return source;
    },
  });
}

/** What TeX complains about: errors, boxes that are too wide or too high, floats that do not fit, references that lead nowhere. */
function compiled(engine, place, source) {
  let log = '';
  // longtables find their widths in several runs
  for (let run = 0; run < 3; run++) {
    spawnSync(engine, ['-interaction=nonstopmode', '-file-line-error', basename(source)], {
      cwd: place,
      stdio: 'ignore',
      timeout: 240_000,
    });
    log = readFileSync(source.replace(/\.tex$/, '.log'), 'latin1').replace(/(.{79})\n/g, '$1');
    if (!/Rerun|rerun/.test(log)) break;
  }
  const found = log
    .split('\n')
    .filter((line) => /^[^ ]*:\d+: |^! |^Overfull|Float too large|Emergency stop|undefined references/.test(line));
  return /Output written on/.test(log) ? found : [...found, 'no document was written'];
}

function keepPages(source, name) {
  mkdirSync(resolve(values.pages), { recursive: true });
  spawnSync('pdftoppm', ['-r', '70', '-png', source.replace(/\.tex$/, '.pdf'), join(resolve(values.pages), name)]);
}
