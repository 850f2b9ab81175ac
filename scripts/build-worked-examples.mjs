// Writes docs/worked-examples.md: every worked example of the three documents that most people learn the measures from, with the ranking,
// the formula with its numbers, the command, the value that the document prints, and ours. All numbers are computed here.
//
//   npm run build && node scripts/build-worked-examples.mjs [--check] [--data DATA]
//
// --check writes nothing and fails if the page is not current. DATA holds score-matrices/adhoc7_ap.csv and adhoc7_p10.csv, which are not
// part of the repository; without them the two means of the sample report are those that are kept beside the page.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDocument } from '../dist/node/output/drawing.js';
import { svgFile, topicRecallPrecision } from '../dist/report/charts/index.js';
import { topicCurve } from '../dist/report/index.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values: given } = parseArgs({ options: { check: { type: 'boolean', default: false }, data: { type: 'string' } } });
const folder = 'examples/data/worked';
const files = new Map();

/** A topic: documents in rank order with their grades, and the grades of documents that were not retrieved. */
const topic = (id, grades, missed = [], names = (i) => `d${i + 1}`) => ({ id, grades, missed, names });
const relevantAt = (id, length, ranks, numMissed = 0) =>
  topic(
    id,
    Array.from({ length }, (_, i) => (ranks.includes(i + 1) ? 1 : 0)),
    Array(numMissed).fill(1),
  );

/** Keeps topics as a run and judgements, and gives the paths. */
function saved(name, topics) {
  const run = topics.flatMap(({ id, grades, names }) => grades.map((_, i) => `${id} Q0 ${names(i)} ${i + 1} ${grades.length - i} ${name}`));
  const qrels = topics.flatMap(({ id, grades, missed, names }) => [
    ...grades.map((grade, i) => `${id} 0 ${names(i)} ${grade}`),
    ...missed.map((grade, i) => `${id} 0 missed${i + 1} ${grade}`),
  ]);
  const paths = { qrels: `${folder}/${name}.qrels`, run: `${folder}/${name}.run` };
  put(paths.qrels, `${qrels.join('\n')}\n`);
  put(paths.run, `${run.join('\n')}\n`);
  return paths;
}

/** What is to stand in a file. The data is written at once, because the commands read it. */
function put(path, text) {
  files.set(path, text);
  if (given.check || !path.startsWith(folder)) return;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** What a command prints, as a block of the page that the tests of the documentation run again. */
function command(words) {
  const argv = words.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g).map((word) => word.replaceAll(/^"|"$|^'|'$/g, ''));
  const out = execFileSync(process.execPath, [join(root, 'bin/gradus.js'), ...argv], { cwd: root, encoding: 'utf8' });
  return { block: `\`\`\`console\n$ gradus ${words}\n${out}\`\`\``, out };
}

/** The values of measures for one run, in the order in which they were asked for. */
function evaluated({ qrels, run }, measures, options = '') {
  const { block } = command(`eval ${qrels} ${run} -m "${measures.join(' ')}"${options}`);
  const json = JSON.parse(command(`eval ${qrels} ${run} -m "${measures.join(' ')}" -q --json`).out).runs[0];
  return { block, all: Object.values(json.all), perTopic: json.perTopic.map(({ scores }) => Object.values(scores)) };
}

/** Relevant documents as filled circles, or grades as digits. */
const drawn = ({ grades }) => `\`${grades.map((grade) => (grades.some((one) => one > 1) ? grade : grade > 0 ? '●' : '○')).join(' ')}\``;
/** Long rankings in short: runs of relevant and other documents. */
const inShort = (one) => {
  const runs = one.grades.reduce((parts, grade) => {
    const mark = grade > 0 ? '●' : '○';
    if (parts.at(-1)?.mark === mark) parts.at(-1).count++;
    else parts.push({ mark, count: 1 });
    return parts;
  }, []);
  const missed = one.missed.length === 0 ? '' : `, and ${one.missed.length} relevant documents that were not retrieved`;
  return `\`${one.id}\`: ${runs.map(({ mark, count }) => `${count} × ${mark}`).join(', ')}${missed}`;
};
const fixed = (value, digits = 4) => value.toFixed(digits);
const ranksOf = ({ grades }) => grades.flatMap((grade, i) => (grade > 0 ? [i + 1] : []));
const precisions = (one) => ranksOf(one).map((rank, i) => `${i + 1}/${rank}`);
const numRelevant = ({ grades, missed }) => [...grades, ...missed].filter((grade) => grade > 0).length;
const apFormula = (one) => `(${precisions(one).join(' + ')}) / ${numRelevant(one)}`;

/** @param rows What is compared: name, the document's value as printed, ours. */
function example({ title, says, ranking, formula, block, rows, note }) {
  const agrees = ([, printed, ours]) => {
    if (printed === '—') return 'not printed';
    const digits = (/\.(\d+)$/.exec(printed)?.[1] ?? '').length;
    return Math.abs(Number(printed) - ours) <= 0.5 * 10 ** -digits + 1e-12 ? 'yes' : '**no**';
  };
  return [
    `### ${title}`,
    says,
    ...(ranking === undefined ? [] : [ranking]),
    `Worked out: ${formula}`,
    ...[block].flat(),
    [
      '| | document | here | the same when rounded |',
      '|---|---:|---:|---|',
      ...rows.map((row) => `| ${row[0]} | ${row[1]} | ${fixed(row[2])} | ${agrees(row)} |`),
    ].join('\n'),
    ...(note === undefined ? [] : [note]),
  ].join('\n\n');
}

function letorDocument() {
  const one = topic('q', [1, 0, 0, 1, 1, 1, 0, 0, 1, 1]);
  const measures = Array.from({ length: 10 }, (_, k) => `P@${k + 1}`);
  const { block, all } = evaluated(saved('letor-precision', [one]), measures);
  const printed = ['1', '1/2', '1/3', '2/4', '3/5', '4/6', '4/7', '4/8', '5/9', '6/10'];
  return [
    example({
      title: 'Precision at positions 1 to 10',
      says: 'The first ten documents are relevant or not as drawn; the document gives P@1 to P@10 as fractions.',
      ranking: drawn(one),
      formula: `P@10 = ${ranksOf(one).length}/10`,
      block,
      rows: printed.map((text, k) => [`P@${k + 1} = ${text}`, fixed(fraction(text)), all[k]]),
    }),
  ];
}

/** Topics with h relevant documents at the top, of n in all: average precision h/n. */
function atTheTop(n, hits) {
  return hits.map((h, i) =>
    relevantAt(
      `t${i + 1}`,
      n,
      Array.from({ length: h }, (_, k) => k + 1),
      n - h,
    ),
  );
}

function fraction(text) {
  const [over, under = '1'] = text.split('/');
  return Number(over) / Number(under);
}

function trecAppendix() {
  const interpolated = relevantAt('t', 20, [1, 2, 4, 15]);
  const levels = [0, 0.5, 0.6, 0.7, 0.8, 1];
  const curve = evaluated(saved('trec-interpolation', [interpolated]), [
    ...[1, 2, 4, 15].map((k) => `R@${k}`),
    ...levels.map((level) => `IPrec@${level}`),
  ]);
  put(
    'docs/pictures/worked-recall-precision.svg',
    svgFile(
      topicRecallPrecision(topicCurve('t', 'example', interpolated.grades, 4), { document: createDocument(), width: 640, theme: 'light' }),
      'light',
    ),
  );
  const average = relevantAt('t', 10, [1, 2, 4, 7]);
  const ap = evaluated(saved('trec-average-precision', [average]), ['P@1', 'P@2', 'P@4', 'P@7', 'AP']);
  const first = relevantAt(
    'a',
    50,
    Array.from({ length: 17 }, (_, i) => i + 1),
    33,
  );
  const second = relevantAt('b', 10, [1, 2, 3, 4, 5, 6, 7], 3);
  const rprec = evaluated(saved('trec-r-precision', [first, second]), ['Rprec']);
  const before = evaluated(saved('trec-gmap-before', atTheTop(50, [1, 20])), ['AP', "AP(agg='geometric')"]);
  const after = evaluated(saved('trec-gmap-after', atTheTop(50, [2, 19])), ['AP', "AP(agg='geometric')"]);
  return [
    example({
      title: 'Recall and interpolated precision',
      says: 'Four relevant documents, ranked first, second, fourth and fifteenth of 20. Precision at a level of recall is the highest at that recall or beyond.',
      ranking: `${drawn(interpolated)}\n\n![Exact precision as circles, interpolated precision dashed](pictures/worked-recall-precision.svg)`,
      formula: 'up to recall 0.5 the highest is 2/2, up to 0.75 it is 3/4, and beyond 4/15',
      block: curve.block,
      rows: [
        ...[0.25, 0.5, 0.75, 1].map((recall, i) => [
          `recall after the ${['first', 'second', 'third', 'fourth'][i]}`,
          String(recall),
          curve.all[i],
        ]),
        ...levels.map((level, i) => [`precision at recall ${level}`, level <= 0.5 ? '1' : level <= 0.7 ? '.75' : '.27', curve.all[4 + i]]),
      ],
    }),
    example({
      title: 'Average precision',
      says: 'Four relevant documents, retrieved at ranks 1, 2, 4 and 7.',
      ranking: drawn(average),
      formula: `AP = ${apFormula(average)} = ${fixed(ap.all[4])}`,
      block: ap.block,
      rows: [
        ...['1', '1', '0.75', '0.57'].map((text, i) => [`precision at rank ${[1, 2, 4, 7][i]}`, text, ap.all[i]]),
        ['average precision', '0.83', ap.all[4]],
      ],
    }),
    example({
      title: 'R-precision',
      says: 'A topic with 50 relevant documents, of which 17 are among the first 50, and one with 10, of which 7 are among the first 10.',
      ranking: [first, second].map(inShort).join('\n\n'),
      formula: `(17/50 + 7/10) / 2 = ${fixed((17 / 50 + 7 / 10) / 2)}`,
      block: rprec.block,
      rows: [['mean R-precision', '0.52', rprec.all[0]]],
    }),
    example({
      title: 'The geometric mean sees what the arithmetic mean does not',
      says: 'Average precision of topic A rises from 0.02 to 0.04 while that of topic B falls from 0.4 to 0.38. The files hold rankings with these values: h of 50 relevant documents at the top have average precision h/50.',
      ranking: `before\n\n${atTheTop(50, [1, 20]).map(inShort).join('\n\n')}\n\nafter\n\n${atTheTop(50, [2, 19]).map(inShort).join('\n\n')}`,
      formula: `(0.02 + 0.4) / 2 = (0.04 + 0.38) / 2 = ${fixed(0.21)}; √(0.02 · 0.4) = ${fixed(Math.sqrt(0.02 * 0.4))}, √(0.04 · 0.38) = ${fixed(Math.sqrt(0.04 * 0.38))}`,
      block: [before.block, after.block],
      rows: [
        ['MAP before', '—', before.all[0]],
        ['MAP after: unchanged', '—', after.all[0]],
        ['GMAP before', '—', before.all[1]],
        ['GMAP after: higher', '—', after.all[1]],
      ],
    }),
    sampleReport(),
  ];
}

/** The sample tables and figures are of a run of TREC-7, of which two score matrices are public. */
function sampleReport() {
  const kept = 'docs/worked-examples.json';
  const figure = 'docs/pictures/worked-trec-run18.svg';
  const words = (data) => `report --trec --scores ${data}/adhoc7_ap.csv --scores ${data}/adhoc7_p10.csv -m AP -m P@10 --about run18`;
  if (given.data !== undefined) {
    const data = join(given.data, 'score-matrices');
    const report = join(mkdtempSync(join(tmpdir(), 'gradus-worked-')), 'run18.md');
    command(`${words(data)} --quiet -o ${report}`);
    put(figure, readFileSync(report.replace('.md', '-charts/histogram-1.svg'), 'utf8'));
    const { runs, comparedWith } = JSON.parse(command(`${words(data)} --quiet -f json`).out);
    const [{ averagePrecision, documentLevels }] = runs;
    put(
      kept,
      `${JSON.stringify({ run18: { averagePrecision, precisionAt10: documentLevels[1].precision, others: comparedWith.count } }, null, 2)}\n`,
    );
  } else for (const path of [kept, figure]) put(path, readFileSync(join(root, path), 'utf8'));
  const { run18 } = JSON.parse(files.get(kept));
  return example({
    title: 'The sample report',
    says: `The sample tables are about run Cor7A1clt of TREC-7. Its scores are column \`run18\` of public matrices of topics and systems, which are not part of this repository; the histogram of the report puts it against the median, the best and the worst of the ${run18.others} others.`,
    ranking: '![Average precision of run18 by topic, against the median of all other runs](pictures/worked-trec-run18.svg)',
    formula: 'means over 50 topics',
    block: `\`\`\`sh\ngradus ${words('score-matrices')} -o run18.html\n\`\`\``,
    rows: [
      ['average precision', '0.2329', run18.averagePrecision],
      ['precision after 10 documents', '0.3960', run18.precisionAt10],
    ],
  });
}

function lecture() {
  const ids1 = 'd123 d84 d56 d6 d8 d9 d511 d129 d187 d25 d38 d48 d250 d113 d3'.split(' ');
  const ids2 = 'd425 d87 d56 d32 d124 d615 d512 d129 d4 d130 d193 d715 d810 d5 d3'.split(' ');
  const marked = (id, ids, relevant, missed) =>
    topic(
      id,
      ids.map((doc) => (relevant.includes(doc) ? 1 : 0)),
      Array(missed).fill(1),
      (i) => ids[i],
    );
  const q1 = marked('q1', ids1, ['d123', 'd56', 'd9', 'd25', 'd3'], 5);
  const q2 = marked('q2', ids2, ['d56', 'd129', 'd3'], 0);
  const paths = saved('lecture', [q1, q2]);
  const tenLevels = "IAP(levels=[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1],rounding='exact')";
  const ap = evaluated(paths, ['AP', tenLevels], ' -q');
  const rr = evaluated(paths, ['RR@3'], ' -q');
  const f = evaluated(paths, ['SetP', 'SetR', 'SetF', 'SetF(beta=2)', 'SetF(beta=0.5)'], ' -q');
  const run1 = evaluated(saved('lecture-gmap-run1', atTheTop(20, [1, 2, 10, 10, 15])), ['AP', "AP(agg='geometric')"]);
  const run2 = evaluated(saved('lecture-gmap-run2', atTheTop(20, [2, 6, 9, 9, 12])), ['AP', "AP(agg='geometric')"]);
  const graded = topic('q', [3, 2, 3, 0, 1, 2]);
  const dcg = evaluated(saved('lecture-ndcg', [graded]), ['CG', "DCG(gain='exp')", "IDCG(gain='exp')", "nDCG(gain='exp')"]);
  const term = (grade, i) => `${2 ** grade - 1}/log₂ ${i + 2}`;
  const both = `q1 ${drawn(q1)}, five more relevant documents not retrieved\n\nq2 ${drawn(q2)}`;
  return [
    example({
      title: 'Average precision of two queries',
      says: 'Ten documents are relevant to q1, of which the ranking has five; three are relevant to q2.',
      ranking: both,
      formula: `AP(q1) = ${apFormula(q1)} = ${fixed(ap.perTopic[0][0])}; AP(q2) = ${apFormula(q2)} = ${fixed(ap.perTopic[1][0])}`,
      block: ap.block,
      rows: [
        ['q1', '0.28', ap.perTopic[0][0]],
        ['q2', '0.254', ap.perTopic[1][0]],
        ['mean', '0.267', ap.all[0]],
      ],
      note: `The lecture cuts 2/3 and 1/3 to 0.66 and 0.33 and its sum 0.289 to 0.28. Its value for q2 is another measure, the mean of interpolated precision at ten levels of recall with the same cuts: (3 · 0.33 + 3 · 0.25 + 4 · 0.2) / 10 = ${fixed((3 * 0.33 + 3 * 0.25 + 4 * 0.2) / 10)}, which uncut is \`IAP\`, ${fixed(ap.perTopic[1][1])}.`,
    }),
    example({
      title: 'Two runs of one MAP and different GMAP',
      says: 'Average precision on five topics is 0.05, 0.10, 0.50, 0.50, 0.75 in run 1 and 0.10, 0.30, 0.45, 0.45, 0.60 in run 2. The files hold rankings with these values.',
      ranking: `run 1\n\n${atTheTop(20, [1, 2, 10, 10, 15]).map(inShort).join('\n\n')}\n\nrun 2\n\n${atTheTop(20, [2, 6, 9, 9, 12]).map(inShort).join('\n\n')}`,
      formula: `run 1: (0.05 + 0.10 + 0.50 + 0.50 + 0.75) / 5 and (0.05 · 0.10 · 0.50 · 0.50 · 0.75)^(1/5); run 2: (0.10 + 0.30 + 0.45 + 0.45 + 0.60) / 5 and (0.10 · 0.30 · 0.45 · 0.45 · 0.60)^(1/5)`,
      block: [run1.block, run2.block],
      rows: [
        ['MAP of run 1', '0.38', run1.all[0]],
        ['MAP of run 2', '0.38', run2.all[0]],
        ['GMAP of run 1', '0.25', run1.all[1]],
        ['GMAP of run 2', '0.33', run2.all[1]],
      ],
    }),
    example({
      title: 'Reciprocal rank with a threshold of 3',
      says: 'The rankings of q1 and q2 above; an answer beyond rank 3 does not count.',
      formula: 'RR(q1) = 1/1, RR(q2) = 1/3, their mean is (1 + 1/3) / 2',
      block: rr.block,
      rows: [
        ['q1', '1', rr.perTopic[0][0]],
        ['q2', '0.33', rr.perTopic[1][0]],
        ['MRR', '0.67', rr.all[0]],
      ],
    }),
    example({
      title: 'F measures of both queries',
      says: 'An exercise without printed answers, with precision and recall of the whole rankings.',
      formula: 'q1: P = 5/15, R = 5/10; q2: P = 3/15, R = 3/3; F = (1 + β²) P R / (β² P + R)',
      block: f.block,
      rows: ['q1', 'q2'].flatMap((name, t) =>
        ['F1', 'F2', 'F0.5'].map((measure, m) => [`${measure} of ${name}`, '—', f.perTopic[t][2 + m]]),
      ),
      note: `The lecture writes F0.5 with 0.5 P below the line. β² is 0.25: with 0.5 P, q1 would have ${fixed((1.25 * (5 / 15) * 0.5) / (0.5 * (5 / 15) + 0.5))}.`,
    }),
    spearman(ids1.slice(0, 10), [2, 3, 1, 5, 4, 7, 8, 10, 6, 9]),
    example({
      title: 'Gain, discounted gain and nDCG',
      says: 'Six documents of grades 3, 2, 3, 0, 1 and 2.',
      ranking: drawn(graded),
      formula: `DCG = ${graded.grades.map(term).join(' + ')}; IDCG = ${graded.grades
        .toSorted((a, b) => b - a)
        .map(term)
        .join(' + ')}`,
      block: dcg.block,
      rows: [
        ['DCG', '13.846', dcg.all[1]],
        ['IDCG', '14.588', dcg.all[2]],
        ['nDCG', '0.949', dcg.all[3]],
      ],
      note: `The lecture cuts each term to three digits, and has 1.286 for 3/log₂ 5, which is ${fixed(3 / Math.log2(5), 3)}.`,
    }),
    limitations(),
  ];
}

function spearman(ids, ranks) {
  const lines = (order, name) => order.map((doc, i) => `q Q0 ${doc} ${i + 1} ${order.length - i} ${name}`).join('\n');
  const other = ids
    .map((doc, i) => [ranks[i], doc])
    .toSorted(([a], [b]) => a - b)
    .map(([, doc]) => doc);
  put(`${folder}/spearman-ideal.run`, `${lines(ids, 'ideal')}\n`);
  put(`${folder}/spearman-new.run`, `${lines(other, 'new')}\n`);
  const paths = `${folder}/spearman-ideal.run ${folder}/spearman-new.run`;
  const squares = ranks.reduce((sum, rank, i) => sum + (rank - i - 1) ** 2, 0);
  const { mean } = JSON.parse(command(`correlate ${paths} --json`).out);
  return example({
    title: "Spearman's rank correlation",
    says: 'Ten documents in the order of an ideal ranking and of a new one.',
    ranking: `ideal \`${ids.join(' ')}\`\n\nnew \`${other.join(' ')}\``,
    formula: `1 − 6 · ${squares} / (10 · (10² − 1)) = ${fixed(1 - (6 * squares) / 990)}`,
    block: command(`correlate ${paths}`).block,
    rows: [['Spearman', '0.854', mean.spearman]],
    note: 'The value is 0.85454…, which the lecture cuts.',
  });
}

function limitations() {
  const short = evaluated(saved('lecture-three', [topic('q', [1, 1, 1])]), ['DCG', "nDCG(ideal='list')"]);
  const bad = evaluated(saved('lecture-three-and-a-bad-one', [topic('q', [1, 1, 1, 0])]), ['DCG', "nDCG(ideal='list')"]);
  const long = evaluated(saved('lecture-five', [topic('q', [1, 1, 1, 1, 1])]), ['DCG', "nDCG(ideal='list')"]);
  return example({
    title: 'What nDCG does not see',
    says: 'Results of grades {1, 1, 1} and {1, 1, 1, 0} are equally good, and so are {1, 1, 1} and {1, 1, 1, 1, 1}, says the lecture: neither a bad document at the end nor missing ones are penalised.',
    ranking: '`1 1 1`, `1 1 1 0`, `1 1 1 1 1`',
    formula: 'DCG = 1/log₂ 2 + 1/log₂ 3 + 1/log₂ 4 with or without + 0/log₂ 5; each divided by that of its own best order is 1',
    block: [short.block, bad.block, long.block],
    rows: [
      ['{1, 1, 1}', '—', short.all[1]],
      ['{1, 1, 1, 0}', '—', bad.all[1]],
      ['{1, 1, 1, 1, 1}', '—', long.all[1]],
    ],
    note: 'The second statement is about nDCG whose ideal is made of the list itself. By the rules of trec_eval, which Gradus follows by default, the ideal is made of all judged documents: a list that lacks two of five relevant documents has less than 1.',
  });
}

const page = [
  '# Worked examples',
  '<!-- made by node scripts/build-worked-examples.mjs; do not edit -->',
  'Every worked example of three documents that many learn the measures from: the ranking (● relevant, ○ not, or grades), the formula with its numbers, the command that gives the value, and what the document prints beside what comes out here. Where the two are not the same when rounded, the reason stands below. The rankings are in `examples/data/worked`.',
  '## The evaluation tool in LETOR (Xu, Liu and Li)',
  ...letorDocument(),
  '## Common evaluation measures (appendix of the TREC proceedings)',
  ...trecAppendix(),
  '## A lecture on evaluating IR systems',
  ...lecture(),
].join('\n\n');
put('docs/worked-examples.md', `${page}\n`);

const changed = [...files].filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
if (!given.check) for (const [path, text] of files) writeFileSync(join(root, path), text);
else if (changed.length > 0) {
  process.stderr.write(`not current, run node scripts/build-worked-examples.mjs: ${changed.map(([path]) => path).join(', ')}\n`);
  process.exit(1);
}
