// Writes docs/reproductions/tool-claims.md: what a study of six evaluation tools said, and what single features of MQ2008 show.
//
//   npm run build && node scripts/build-claims.mjs DATA
//
// DATA holds mq2008/S1.txt.xz to S5.txt.xz; nothing of it is part of this repository. The program xz must be installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyConvention, judgingRulesOf } from '../dist/conventions/convention.js';
import { explain, valuesUnder } from '../dist/conventions/explain.js';
import { findConvention } from '../dist/conventions/registry.js';
import { commentField, featureValue, numQueries } from '../dist/core/feature-matrix.js';
import { judgedLists } from '../dist/core/ranked-lists.js';
import { parseLetor } from '../dist/formats/letor/reader.js';
import { evaluate } from '../dist/measures/evaluate.js';
import { parseMeasure } from '../dist/measures/parse.js';
import { writeGrid } from '../dist/report/grid.js';

const folder = process.argv[2];
if (folder === undefined || !existsSync(join(folder, 'mq2008'))) {
  process.stderr.write('usage: node scripts/build-claims.mjs DATA, where DATA holds mq2008\n');
  process.exit(2);
}

const features = [25, 40, 45];
const cutoffs = Array.from({ length: 10 }, (_, i) => i + 1);
const parts = [1, 2, 3, 4, 5].map(readPart);
const judged = [
  { title: 'test', ...parts[4] },
  { title: 'validation', ...parts[3] },
];
const rankings = judged.flatMap((part) => features.map((feature) => ranking(part, feature)));
/** The tools that the tables show. The gain of trec_eval is the grade itself, unless it is told otherwise. */
const columns = [
  ...['letor3', 'letor4', 'mslr', 'yahoo', 'ranklib', 'trec_eval'].map((name) => ({ name, convention: findConvention(name), gain: '' })),
  { name: 'trec_eval, 2^grade - 1', convention: findConvention('trec_eval'), gain: "(gain='exp')" },
];

function readPart(number) {
  const name = `S${number}.txt.xz`;
  const packed = readFileSync(join(folder, 'mq2008', name));
  const content = execFileSync('xz', ['-dc'], { input: packed, maxBuffer: 1 << 30 });
  const { matrix } = parseLetor(content);
  const lengths = Array.from({ length: numQueries(matrix) }, (_, q) => matrix.queryOffsets[q + 1] - matrix.queryOffsets[q]);
  const numEmpty = lengths.filter(
    (_, q) => !matrix.labels.subarray(matrix.queryOffsets[q], matrix.queryOffsets[q + 1]).some((label) => label > 0),
  ).length;
  return { name, hash: createHash('sha256').update(packed).digest('hex'), matrix, lengths, numEmpty, numQueries: lengths.length };
}

/** The documents of each query by the value of one feature, highest first. */
function ranking(part, feature) {
  const { matrix } = part;
  const column = feature - matrix.features.firstFeature;
  const inRows = Float64Array.from({ length: matrix.numRows }, (_, row) => featureValue(matrix.features, row, column));
  const predictions = new Float64Array(matrix.numRecords);
  for (let row = 0; row < matrix.numRows; row++) predictions[matrix.records?.[row] ?? row] = inRows[row];
  return { part, feature, title: `feature ${feature}, ${part.title} part`, ...judgedLists(matrix, predictions, `feature ${feature}`) };
}

const known = new Map();
function scoreOf({ run, qrels, title }, { name, convention, gain }, cutoff) {
  const key = `${title} ${name} ${cutoff}`;
  if (!known.has(key)) known.set(key, valuesUnder(qrels, run, parseMeasure(`nDCG${gain}@${cutoff}`), [convention])[0].value);
  return known.get(key);
}

const column = (name) => columns.find((candidate) => candidate.name === name);
const difference = (each, a, b, cutoff) => scoreOf(each, column(a), cutoff) - scoreOf(each, column(b), cutoff);
/** A number for every ranking and cutoff. */
const over = (some, compute) => rankings.flatMap((each) => some.map((cutoff) => compute(each, cutoff)));
const largest = (numbers) => numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
const range = (numbers) => `${signed(Math.min(...numbers))} to ${signed(Math.max(...numbers))}`;
const fixed = (number, digits = 4) => number.toFixed(digits);
const signed = (number) => {
  const text = fixed(Math.abs(number));
  return Number(text) === 0 ? text : (number < 0 ? '-' : '+') + text;
};
const share = (count, of) => `${count} of ${of} (${((100 * count) / of).toFixed(1)}%)`;
const verdicts = [];

function table(header, rows, numeric = true) {
  let text = '';
  const grid = { columns: header.map((name, c) => ({ name, numeric: numeric && c > 0 })), rows: () => rows };
  writeGrid('md', grid, { write: (part) => (text += part) });
  return text;
}

function claim(number, title, verdict, ...paragraphs) {
  verdicts.push([`${number}. ${title}`, verdict]);
  return [`## ${number}. ${title}`, `**${verdict[0].toUpperCase()}${verdict.slice(1)}.**`, ...paragraphs];
}

const isTrue = (condition) => (condition ? 'holds' : 'does not hold');
const shortAt = (part, cutoff) => part.lengths.filter((length) => length < cutoff).length;
const [shown] = rankings.filter(({ feature, part }) => feature === 40 && part.title === 'test');

const late = [8, 9, 10];
const middle = [2, 3, 4, 5, 6, 7];

function sixTools() {
  const spread = rankings.map((each) => {
    const values = columns.slice(0, 6).map((one) => scoreOf(each, one, 10));
    return Math.max(...values) - Math.min(...values);
  });
  return claim(
    1,
    'The same ranking gets different values from the six tools',
    isTrue(spread.every((width) => width > 0.1)),
    `At cutoff 10 the highest and the lowest value of one ranking lie ${fixed(Math.min(...spread))} to ${fixed(Math.max(...spread))} apart, over the six rankings. One of them, ${shown.title}:`,
    valueTable(shown),
  );
}

function valueTable(each) {
  return table(
    ['nDCG at', ...columns.map(({ name }) => name)],
    cutoffs.map((cutoff) => [String(cutoff), ...columns.map((one) => fixed(scoreOf(each, one, cutoff)))]),
  );
}

function followTheDefinition() {
  const exponential = 'trec_eval, 2^grade - 1';
  const asIs = largest(over(cutoffs, (each, cutoff) => difference(each, 'ranklib', exponential, cutoff)));
  const inFileOrder = { ...column(exponential), name: 'file order' };
  inFileOrder.convention = { ...inFileOrder.convention, rules: { ...inFileOrder.convention.rules, ties: 'file' } };
  const sameTies = largest(over(cutoffs, (each, cutoff) => scoreOf(each, column('ranklib'), cutoff) - scoreOf(each, inFileOrder, cutoff)));
  const letors = largest(over(cutoffs, (each, cutoff) => difference(each, 'letor3', 'letor4', cutoff)));
  const letor2 = { name: 'letor2', convention: findConvention('letor2'), gain: '' };
  const padding = over(late, (each, cutoff) => scoreOf(each, letor2, cutoff) - scoreOf(each, column('ranklib'), cutoff));
  const gap = over([10], (each, cutoff) => difference(each, 'letor3', 'ranklib', cutoff));
  const agree = sameTies < 1e-12;
  const letor3Agrees = largest(gap) < 0.01;
  return claim(
    2,
    'LETOR 3.0, RankLib and TREC follow the definition',
    agree && letor3Agrees ? 'holds' : agree ? 'holds for RankLib and TREC, not for LETOR 3.0' : 'does not hold',
    `RankLib and trec_eval with gains 2^grade - 1 differ by at most ${fixed(asIs)} over ${rankings.length * cutoffs.length} values, and by ${sameTies.toExponential(1)} when both keep tied documents in the order of the file: ties are all that is between them. LETOR 3.0 is a different matter: it ${letors === 0 ? 'is the same as LETOR 4.0 at every cutoff' : `differs from LETOR 4.0 by at most ${letors.toExponential(1)}`}, and differs from RankLib at cutoff 10 by ${range(gap)}, because it counts short lists as 0 as well. The script of LETOR 1 and 2 takes short lists as they are; at cutoffs 8 to 10 it is ${range(padding)} from RankLib, which is its discount.`,
  );
}

function yahooGivesOne() {
  const rules = findConvention('yahoo').rules;
  const ones = rankings.every(({ part, run, qrels }) => {
    const found = evaluate(qrels, run, [applyConvention(parseMeasure('nDCG@10'), rules)], judgingRulesOf(rules));
    const empties = evaluate(qrels, run, ['NumRel']).column(0);
    const values = found.column(0);
    return empties.filter((count) => count === 0).length === part.numEmpty && empties.every((count, t) => count > 0 || values[t] === 1);
  });
  const counts = judged.map(({ title, numEmpty, numQueries: all }) => `${share(numEmpty, all)} in the ${title} part`).join(' and ');
  return claim(
    3,
    'Yahoo counts a query without relevant documents as 1',
    isTrue(ones),
    `Such queries are ${counts}; each has the value 1 under Yahoo's rules, for every ranking.`,
  );
}

function letorAndMslr() {
  const same = largest(over(cutoffs, (each, cutoff) => difference(each, 'letor4', 'mslr', cutoff)));
  const conventions = [findConvention('letor4'), findConvention('mslr')];
  const rows = rankings.map((each) => [
    each.title,
    ...['P@10', 'AP'].flatMap((measure) =>
      valuesUnder(each.qrels, each.run, parseMeasure(measure), conventions).map(({ value }) => fixed(value)),
    ),
  ]);
  return claim(
    4,
    'LETOR 4.0 and the MSLR script give the same values',
    same === 0 ? 'holds for nDCG, not for precision and MAP' : isTrue(same === 0),
    `All ${rankings.length * cutoffs.length} values of nDCG are the same (largest difference ${same}). Precision and MAP are not, because the MSLR script takes only labels from 2 up for relevant. MQ2008 has no label above 2; those would be worth nothing under LETOR 4.0.`,
    table(['ranking', 'P@10 letor4', 'P@10 mslr', 'MAP letor4', 'MAP mslr'], rows),
  );
}

/** The shares of the rules in the difference between RankLib and LETOR 4.0. */
function attributed(each, cutoff) {
  const found = explain(each.qrels, each.run, parseMeasure(`nDCG@${cutoff}`), findConvention('ranklib'), findConvention('letor4'));
  const shareOf = (rule) => found.contributions.find((contribution) => contribution.rule === rule)?.share ?? 0;
  const discount = shareOf('discount');
  const short = shareOf('short');
  return { ...found, discount, short, rest: found.difference - discount - short };
}

function discounts() {
  const gaps = over(middle, (each, cutoff) => attributed(each, cutoff));
  const positive = gaps.filter(({ difference: gap }) => gap > 0).length;
  const rows = cutoffs.map((cutoff) => {
    const { difference: gap, discount, short, rest } = attributed(shown, cutoff);
    return [String(cutoff), signed(gap), signed(discount), signed(short), signed(rest)];
  });
  return claim(
    5,
    'Beyond empty queries, short lists and ties the tools agree',
    isTrue(gaps.every(({ discount }) => Math.abs(discount) < 0.00005)),
    `LETOR 3.0, 4.0 and MSLR do not discount rank 2, and divide by log2(rank) from there on, where RankLib divides by log2(rank + 1). Between cutoffs 2 and 7 LETOR 4.0 is above RankLib in ${positive} of ${gaps.length} cases, by ${range(gaps.map(({ difference: gap }) => gap))}; the discount accounts for ${range(gaps.map(({ discount }) => discount))} of that. LETOR 4.0 less RankLib by cause, ${shown.title}:`,
    table(['nDCG at', 'difference', 'discount', 'short lists', 'rest'], rows),
    `In a sentence, at cutoff 5: ${attributed(shown, 5).sentence}`,
  );
}

function additiveBias() {
  const off = largest(
    over(cutoffs, (each, cutoff) => difference(each, 'yahoo', 'ranklib', cutoff) - each.part.numEmpty / each.part.numQueries),
  );
  const rows = judged.map(({ title, numEmpty, numQueries: all }) => {
    const gaps = rankings
      .filter(({ part }) => part.title === title)
      .flatMap((each) => cutoffs.map((cutoff) => difference(each, 'yahoo', 'ranklib', cutoff)));
    return [title, String(all), String(numEmpty), fixed(numEmpty / all, 6), fixed(Math.min(...gaps), 6), fixed(Math.max(...gaps), 6)];
  });
  const { sentence } = explain(shown.qrels, shown.run, parseMeasure('nDCG@10'), findConvention('ranklib'), findConvention('yahoo'));
  return claim(
    6,
    'Yahoo is RankLib plus a constant, which comes from empty queries alone',
    isTrue(off < 1e-12),
    `Yahoo less RankLib is the share of empty queries at every cutoff and for every ranking; the largest deviation among ${rankings.length * cutoffs.length} is ${off.toExponential(1)}.`,
    table(['part', 'queries', 'empty', 'share', 'smallest difference', 'largest difference'], rows),
    `In a sentence: ${sentence}`,
  );
}

function sizeOfTheBias() {
  const empty = parts.reduce((sum, { numEmpty }) => sum + numEmpty, 0);
  const all = parts.reduce((sum, part) => sum + part.numQueries, 0);
  const two = judged.reduce((sum, { numEmpty }) => sum + numEmpty, 0) / judged.reduce((sum, part) => sum + part.numQueries, 0);
  const rows = parts.map((part) => [part.name, String(part.numQueries), String(part.numEmpty), fixed(part.numEmpty / part.numQueries)]);
  return claim(
    7,
    'On MQ2008 that constant is about 0.25',
    isTrue(Math.abs(empty / all - 0.25) < 0.05),
    `${share(empty, all)} queries of the five parts are empty, a constant of ${fixed(empty / all)}; over the two parts used here it is ${fixed(two)}. Within 0.05 is taken for about.`,
    table(['file', 'queries', 'empty', 'share'], [...rows, ['all', String(all), String(empty), fixed(empty / all)]]),
  );
}

function fallAtTheEnd() {
  const gapsAt = (cutoff) => over([cutoff], (each) => difference(each, 'letor4', 'ranklib', cutoff));
  const rows = cutoffs.map((cutoff) => [
    String(cutoff),
    range(gapsAt(cutoff)),
    ...judged.map((part) => `${((100 * shortAt(part, cutoff)) / part.numQueries).toFixed(1)}%`),
    range(over([cutoff], (each) => attributed(each, cutoff).short)),
  ]);
  const exactly8 = judged.map(
    ({ title, lengths }) => `${share(lengths.filter((length) => length === 8).length, lengths.length)} in the ${title} part`,
  );
  return claim(
    8,
    "LETOR's values fall sharply at cutoffs 8 to 10, by about 0.25 or more",
    Math.max(...gapsAt(10)) < -0.2 && Math.max(...gapsAt(9)) < -0.2
      ? Math.max(...gapsAt(8)) < -0.2
        ? 'holds'
        : 'holds for cutoffs 9 and 10, not for 8'
      : 'does not hold',
    `LETOR 4.0 counts queries that hold fewer documents than the cutoff as 0. The fall comes at 9, not at 8, because most short queries hold exactly 8 documents: ${exactly8.join(', ')}.`,
    table(['nDCG at', 'LETOR 4.0 less RankLib', ...judged.map(({ title }) => `shorter lists, ${title}`), 'due to short lists'], rows),
    `In a sentence, at cutoff 10: ${attributed(shown, 10).sentence}`,
  );
}

function ties() {
  const rules = ['file', 'docno', 'docno-ascending', 'pessimistic', 'expected', 'optimistic'];
  const rows = rankings.map((each) => {
    const values = rules.map((rule) => fixed(evaluate(each.qrels, each.run, "nDCG(gain='exp')@10", { ties: rule })));
    return [each.title, `${((100 * tiedDocuments(each.run)) / each.run.scores.length).toFixed(1)}%`, ...values];
  });
  const outOfOrder = judged.reduce((sum, { matrix }) => sum + idsOutOfOrder(matrix), 0);
  const total = judged.reduce((sum, { matrix }) => sum + matrix.numRows, 0);
  const moved = rankings.map(
    (each) =>
      evaluate(each.qrels, each.run, "nDCG(gain='exp')@10", { ties: 'optimistic' }) -
      evaluate(each.qrels, each.run, "nDCG(gain='exp')@10", { ties: 'pessimistic' }),
  );
  return claim(
    16,
    'All tools but TREC leave ties to the sort of their language; TREC orders them by document id',
    'holds in part',
    "The sorts of Perl and of RankLib are stable, so that ties keep the order of the file, and Yahoo's evaluation takes ranks, which have no ties; these rules are checked against recorded output of the tools. trec_eval orders tied documents by id, descending. The study left ties out as too rare to matter; for single features they are not:",
    table(['ranking', 'tied', ...rules], rows),
    `The order of tied documents alone can move nDCG@10 (gains 2^grade - 1, empty queries 0) by ${fixed(Math.min(...moved))} to ${fixed(Math.max(...moved))}. *file* is the rule of LETOR and RankLib, *docno* that of trec_eval; *expected* is the mean over all orders. Of ${total} documents only ${outOfOrder} have a lower id than the one before them in the file, which is why *file* and *docno-ascending* agree.`,
  );
}

/** How many documents have a lower id than the one before them in their query. */
function idsOutOfOrder(matrix) {
  let count = 0;
  for (let q = 0; q < numQueries(matrix); q++) {
    for (let row = matrix.queryOffsets[q] + 1; row < matrix.queryOffsets[q + 1]; row++) {
      if (commentField(matrix, row - 1, 'docid') > commentField(matrix, row, 'docid')) count++;
    }
  }
  return count;
}

function tiedDocuments(run) {
  let tied = 0;
  for (let topic = 0; topic < run.topics.size; topic++) {
    const counts = new Map();
    for (const score of run.scores.subarray(run.offsets[topic], run.offsets[topic + 1])) counts.set(score, (counts.get(score) ?? 0) + 1);
    for (const count of counts.values()) if (count > 1) tied += count;
  }
  return tied;
}

const claims = [
  sixTools,
  followTheDefinition,
  yahooGivesOne,
  letorAndMslr,
  discounts,
  additiveBias,
  sizeOfTheBias,
  fallAtTheEnd,
  ties,
].flatMap((make) => make());
const page = [
  '# Six tools, one ranking: what makes numbers differ',
  '<!-- Made by `node scripts/build-claims.mjs DATA`; do not edit. -->',
  'A study of 2012 compared the programs by which learning to rank computes nDCG: R. Busa-Fekete, G. Szarvas, T. Éltető and B. Kégl, *An apple-to-apple comparison of learning-to-rank algorithms in terms of normalized discounted cumulative gain*. Here its statements about the programs are looked at one by one, by the rules that Gradus has for each of them ([conventions](../reference/conventions.md)). [Which number is this?](../guides/which-number.md) tells how to ask the same of files of your own.',
  `The rankings are those of single features of MQ2008 (LETOR 4.0): the documents of each query by the value of feature ${features.join(', ')}, on the test part (S5, ${judged[0].numQueries} queries) and the validation part (S4, ${judged[1].numQueries} queries) of fold 1.`,
  table(['statement', 'on these rankings'], verdicts, false),
  'These are descriptions of six rankings, made before decision rules were registered. Verdicts by registered rules, on rankings of all parts, are in [six tools, one ranking: registered claims](six-tools.md).',
  'The numbering leaves room for statements of the study about training (9 to 15), for which rankings by single features are no test.',
  'Differences are attributed to rules as `gradus explain` does; the shares of the rules add up to the difference.',
  ...claims,
  '## All values',
  ...rankings.flatMap((each) => [`nDCG, ${each.title}:`, valueTable(each)]),
  '## Data and command',
  'The page is written by `npm run build && node scripts/build-claims.mjs DATA`, where `DATA` is a folder that holds `mq2008`. The data are not part of Gradus.',
  table(
    ['file', 'SHA-256'],
    parts.map(({ name, hash }) => [name, hash]),
    false,
  ),
];
const target = new URL('../docs/reproductions/tool-claims.md', import.meta.url);
mkdirSync(new URL('.', target), { recursive: true });
writeFileSync(target, `${page.map((part) => part.trimEnd()).join('\n\n')}\n`);
for (const [title, verdict] of verdicts) process.stdout.write(`${title}: ${verdict}\n`);
