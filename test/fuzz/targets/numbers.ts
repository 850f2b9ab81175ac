import { formatFixed, formatG, formatJava, formatPerl, formatShortest } from '../../../src/core/numbers/print.js';
import { createPredictionsReader } from '../../../src/formats/letor/number-lines.js';
import { parseQrels, parseRun, parseScoreFile } from '../../../src/formats/read.js';
import { readAll } from '../../../src/formats/reader.js';
import { recogniseFormat } from '../../../src/formats/recognise.js';
import { parseColumns } from '../../../src/formats/tables/columns.js';
import { ByteWriter } from '../../../src/formats/text/byte-writer.js';
import { parseDecimal } from '../../../src/formats/text/decimal.js';
import { parseLongDecimal } from '../../../src/formats/text/long-decimal.js';
import { perlNumber } from '../../../src/formats/text/perl-number.js';
import { atol, strtod } from '../../../src/formats/text/strtod.js';
import { parseTopicCounts } from '../../../src/formats/trec/topic-counts.js';
import { createZScoresReader, type ZScoresReading } from '../../../src/formats/trec/z-scores.js';
import type { Dice } from '../../helpers/dice.js';
import { fixedByWholeNumbers } from '../../helpers/fixed-by-whole-numbers.js';
import { gradeText, jsonLinesText, jsonText, layOut, letorLines, qrelsText, runText, scoreText, tableText, topicId } from '../generate.js';
import { bytesOf, numberTexts } from '../mutate.js';
import { agree, agreeInChunks, outcomeOf, SOURCE, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Readers of single numbers against the language's own, and printers against their readers. */
function checkNumber(input: Uint8Array, dice: Dice): string {
  const text = latin1(input);
  const expected = decimal.test(text) ? Number(text) : Number.NaN;
  const padded = bytesOf(`7${text}7`, true);
  agree('parseDecimal and Number', expected, parseDecimal(padded, 1, 1 + input.length));
  agree('parseLongDecimal and Number', expected, parseLongDecimal(padded, 1, 1 + input.length));
  const prefix = /^[ \t\n\v\f\r]*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)/.exec(text);
  const c = strtod(padded, 1, 1 + input.length);
  if (prefix !== null && !/^[ \t\n\v\f\r]*[+-]?0x/i.test(text)) agree('strtod and Number of the prefix', Number(prefix[1]), c);
  const whole = /^[ \t\n\v\f\r]*([+-]?\d{1,15})(?!\d)/.exec(text);
  const integer = atol(padded, 1, 1 + input.length);
  if (whole !== null) agree('atol and Number', Number(whole[1]) + 0, integer + 0);
  perlNumber(padded, 1, 1 + input.length);
  const x = Number.isNaN(c) ? dice.random.normal() : c;
  checkPrinting(x, dice);
  return `${Number.isFinite(expected)} ${Math.sign(c)} ${text.replace(/\d+/g, '0').slice(0, 12)}`;
}

function checkPrinting(x: number, dice: Dice): void {
  const decimals = dice.below(8);
  if (Number.isFinite(x) && Math.abs(x) < 1e40)
    agree('formatFixed and whole numbers', fixedByWholeNumbers(x, decimals), formatFixed(x, decimals));
  agree('formatShortest reads back', x, Number(formatShortest(x).replace(/^(-?)(inf|Infinity)$/, '$1Infinity')));
  if (Number.isFinite(x)) {
    agree('formatG with 17 digits reads back', x, Number(formatG(x, 17)));
    agree('formatJava reads back', x, Number(formatJava(x)));
    const perl = Number(formatPerl(x));
    // the largest doubles do not fit into fifteen digits
    if (Math.abs(x) < 1.79e308 && Math.abs(perl - x) > Math.abs(x) * 1e-14) throw new Disagreement('formatPerl is far off', `${x} ${perl}`);
    const writer = new ByteWriter();
    writer.number(x);
    agree('ByteWriter.number reads back', x, Number(latin1(writer.take())));
  }
}

function checkLines(input: Uint8Array, dice: Dice): string {
  const options = { source: SOURCE };
  const numbers = outcomeOf(() => readAll(createPredictionsReader(options), input));
  agreeInChunks(
    'predictions',
    numbers,
    () => createPredictionsReader(options),
    (reading) => reading,
    input,
    dice,
  );
  const counts = outcomeOf(() => parseTopicCounts(Buffer.from(input).toString('utf8'), SOURCE));
  return [numbers, counts].map((outcome) => shapeOfOutcome(outcome)).join('|');
}

function plainZScores({ zScores, skipped }: ZScoresReading): object {
  const { topics, measures, topicOf, measureOf, means, deviations } = zScores;
  return { rows: Array.from(topicOf, (topic, i) => [topics.text(topic), measures.text(measureOf[i])]), means, deviations, skipped };
}

function checkZScores(input: Uint8Array, dice: Dice): string {
  const options = { source: SOURCE, lenient: dice.chance(0.3) };
  const whole = outcomeOf(() => plainZScores(readAll(createZScoresReader(options), input)));
  agreeInChunks('z-scores', whole, () => createZScoresReader(options), plainZScores, input, dice);
  for (const wasm of [true, false]) {
    const found = outcomeOf(() => plainZScores(readAll(createZScoresReader({ ...options, wasm }), input)));
    agree('z-scores: WebAssembly and JavaScript', whole, found);
  }
  return shapeOfOutcome(whole);
}

function checkScores(input: Uint8Array): string {
  recogniseFormat(SOURCE, input, ['scores']);
  const table = outcomeOf(() => parseScoreFile(input, { source: SOURCE }));
  if (table.value !== undefined) {
    const { systems, topics, measures, values } = table.value;
    agree('scores: as many values as cells', systems.length * topics.length * measures.length, values.length);
    agree(
      'scores: names are different',
      [systems, topics, measures].map((names) => new Set(names).size),
      [systems.length, topics.length, measures.length],
    );
    const printed = outcomeOf(() => parseScoreFile(JSON.stringify(table.value), { source: SOURCE }));
    if (printed.value === undefined) throw new Disagreement('scores: the JSON of a table is refused', printed.refused);
    const sorted = (names: readonly string[]): string[] => [...names].sort();
    agree(
      'scores: names as JSON and back',
      [systems, topics, measures].map(sorted),
      [printed.value.systems, printed.value.topics, printed.value.measures].map(sorted),
    );
    for (const system of systems) {
      for (const topic of topics) {
        for (const measure of measures)
          agree('scores: as JSON and back', table.value.value(topic, measure, system) + 0, printed.value.value(topic, measure, system) + 0);
      }
    }
  }
  return shapeOfOutcome(table);
}

function scoreFile(dice: Dice): Uint8Array {
  const topics = Array.from({ length: 1 + dice.below(6) }, () => topicId(dice));
  const kind = dice.below(4);
  if (kind === 0)
    return layOut(
      dice,
      topics.flatMap((topic) => ['map', 'P_5'].map((name) => [name, topic, scoreText(dice)])),
      dice.pick([' ', '\t']),
    );
  if (kind === 1)
    return layOut(dice, [['topic', 'A', 'B'], ...topics.map((topic) => [topic, scoreText(dice), scoreText(dice)])], dice.pick([',', '\t']));
  if (kind === 2)
    return layOut(dice, [['run', 'topic', 'AP'], ...topics.map((topic) => [dice.pick(['a', 'b']), topic, scoreText(dice)])], ',');
  const perTopic = topics.map((topic) => `{"topic":${JSON.stringify(topic)},"scores":{"AP":${gradeText(dice)}}}`);
  return bytesOf(`{"topics":[],"measures":["AP"],"systems":[{"system":"a","all":{"AP":1},"perTopic":[${perTopic.join(',')}]}]}`);
}

function checkAny(input: Uint8Array): string {
  const run = outcomeOf(() => parseRun(input, { source: SOURCE }).run.scores);
  const qrels = outcomeOf(() => parseQrels(input, { source: SOURCE }).qrels.grades);
  const columns = outcomeOf(() => parseColumns(Buffer.from(input).toString('utf8')), null);
  return [run, qrels, columns].map((outcome) => shapeOfOutcome(outcome)).join('|');
}

const texts =
  (...list: string[]) =>
  (): Uint8Array[] =>
    list.map((text) => bytesOf(text));

export const numberTargets: readonly FuzzTarget[] = [
  {
    name: 'numbers',
    summary: 'numbers read and printed: Number, exact arithmetic, printing and reading back',
    cases: 6000,
    words: ['.', 'e', 'E', '+', '-', '0', '00000000000000000000', '99999999999999999999', 'inf', 'nan', '0x'],
    seeds: texts(...numberTexts),
    generate: (dice) => bytesOf(scoreText(dice)),
    check: checkNumber,
  },
  {
    name: 'number-lines',
    summary: 'predictions, ranks, group sizes, number lists, topic counts: chunks, the writers',
    cases: 1200,
    words: ['\n', ' ', 'inf', 'nan', '-'],
    seeds: texts('1\n2.5\n-3e4\n', '1 2 3\n\n2 1\n', '301 12\n302 1\n'),
    generate: (dice) =>
      layOut(
        dice,
        Array.from({ length: 1 + dice.below(12) }, () =>
          Array.from({ length: dice.below(3) + (dice.chance(0.7) ? 0 : 3) }, () => scoreText(dice)),
        ),
        ' ',
      ),
    check: checkLines,
  },
  {
    name: 'z-scores',
    summary: 'files of z-scores: WebAssembly, JavaScript, chunks',
    cases: 500,
    words: ['map', '\n', '#'],
    seeds: texts('1 map 0.5 0.1\n2 map 0.25 0.2\n1 P_5 1 0\n'),
    generate: (dice) =>
      layOut(
        dice,
        Array.from({ length: 1 + dice.below(12) }, () => [
          topicId(dice),
          dice.pick(['map', 'P_5', 'ndcg']),
          scoreText(dice),
          scoreText(dice),
        ]),
        ' ',
      ),
    check: checkZScores,
  },
  {
    name: 'score-files',
    summary: 'scores of topics and systems in JSON, CSV, TSV, lines of trec_eval: JSON and back',
    cases: 1500,
    words: ['all', 'topic', 'run', 'system', '"systems":[', '"perTopic":[', '"runs":[', '"scores":{', 'nan', 'NA', ',', '\t', '"'],
    seeds: texts(
      'map all 0.5\nmap 1 0.25\nmap 2 0.75\n',
      'topic,A,B\n1,0.5,0.25\n2,,1\n',
      'run\ttopic\tAP\nr\t1\t0.5\n',
      '{"topics":["1"],"measures":["AP"],"systems":[{"system":"r","all":{"AP":0.5},"perTopic":[{"topic":"1","scores":{"AP":0.5}}]}]}',
    ),
    generate: scoreFile,
    check: checkScores,
  },
  {
    name: 'any-format',
    summary: 'files whose format shows in their content only, and --columns: refusals',
    cases: 1500,
    words: ['PAR1', '\x1f\x8b', '{"', '[{"', '1 Q0', 'topic=q,doc=d,score=s', 'qid:'],
    seeds: texts('topic=1,doc=2,score=3', 'query_id,doc_id,score\n1,a,2\n', '[1,2]', 'a b c\n'),
    generate: (dice) =>
      dice.pick([
        runText,
        (d: Dice) => qrelsText(d),
        (d: Dice) => tableText(d, ','),
        (d: Dice) => tableText(d, '\t'),
        jsonText,
        jsonLinesText,
        letorLines,
      ])(dice),
    check: checkAny,
  },
];
