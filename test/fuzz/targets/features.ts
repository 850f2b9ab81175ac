import type { FeatureMatrix } from '../../../src/core/feature-matrix.js';
import { idLatin1 } from '../../../src/core/ids.js';
import { parseFeatureParquet } from '../../../src/formats/letor/feature-parquet.js';
import {
  createFeatureCsvReader,
  createFeatureJsonReader,
  type FeatureTableOptions,
  type FeatureTableReading,
} from '../../../src/formats/letor/feature-table.js';
import type { LetorOptions } from '../../../src/formats/letor/options.js';
import { createLetorReader } from '../../../src/formats/letor/reader.js';
import { formatLetor } from '../../../src/formats/letor/writer.js';
import type { ByteParts } from '../../../src/formats/reader.js';
import { type ChunkReader, readAll, type Skipped } from '../../../src/formats/reader.js';
import type { Dice } from '../../helpers/dice.js';
import { slowLetor } from '../../helpers/slow-letor.js';
import { docId, gradeText, layOut, letorLines, scoreText, topicId } from '../generate.js';
import { bytesOf } from '../mutate.js';
import { agree, agreeInChunks, type Outcome, outcomeLater, outcomeOf, SOURCE, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';
import { parquetSeeds } from './parquet.js';

interface Reading {
  readonly matrix: FeatureMatrix;
  readonly skipped: Skipped;
}

/** Everything a matrix says, as plain data. */
function plain({ matrix, skipped }: Reading): object {
  const { queries, queryOf, queryOffsets, labels, lines, records, comments, features, numRecords } = matrix;
  return {
    queries: Array.from(queryOf, (query) => idLatin1(queries, query)),
    queryOffsets,
    labels,
    lines,
    records,
    numRecords,
    comments: comments && { ...comments },
    features: features && { ...features },
    skipped,
  };
}

const latin1 = (bytes: Uint8Array = new Uint8Array(0)): string => Buffer.from(bytes).toString('latin1');

function letorOptionsOf(dice: Dice): LetorOptions {
  return {
    source: SOURCE,
    features: dice.pick(['auto', 'dense', 'sparse', false] as const),
    precision: dice.pick(['double', 'single'] as const),
    missing: dice.pick([0, Number.NaN, -7]),
    firstFeature: dice.pick([0, 1] as const),
    nonFinite: dice.chance(0.3),
    comments: dice.chance(0.7),
    scattered: dice.pick(['group', 'group', 'split', 'refuse'] as const),
  };
}

function checkLetor(input: Uint8Array, dice: Dice): string {
  const options = letorOptionsOf(dice);
  let reading: Reading | undefined;
  const strict = outcomeOf(() => {
    reading = readAll(createLetorReader(options), input);
    return plain(reading);
  });
  agreeInChunks(
    'letor',
    strict,
    () => createLetorReader({ ...options, expectedBytes: dice.below(2 * input.length + 2) }),
    plain,
    input,
    dice,
  );
  const lenientOptions = { ...options, lenient: true, maxProblems: 1000, allowEmpty: true };
  let kept: Reading | undefined;
  const lenient = outcomeOf(() => {
    kept = readAll(createLetorReader(lenientOptions), input);
    return plain(kept);
  });
  agreeInChunks('lenient letor', lenient, () => createLetorReader(lenientOptions), plain, input, dice);
  if (strict.value !== undefined) agree('letor: strict and lenient', strict, lenient);
  if (kept !== undefined) agreeWithTwin(input, lenientOptions, kept, strict);
  if (reading !== undefined && options.scattered !== 'split') agreeWritten(reading.matrix, options);
  return shapeOfOutcome(strict, shapeOfOutcome(lenient));
}

function agreeWithTwin(input: Uint8Array, options: LetorOptions, { matrix, skipped }: Reading, strict: Outcome<unknown>): void {
  const text = Buffer.from(input)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const { lists, badLines } = slowLetor(text, options);
  const found = Array.from(matrix.queryOf, (query, list) => ({
    query: idLatin1(matrix.queries, query),
    lines: [...matrix.lines.subarray(matrix.queryOffsets[list], matrix.queryOffsets[list + 1])],
    labels: [...matrix.labels.subarray(matrix.queryOffsets[list], matrix.queryOffsets[list + 1])],
  }));
  agree(
    'letor: reader and twin',
    lists.map(({ query, rows }) => ({ query, lines: rows.map(({ line }) => line), labels: rows.map(({ label }) => label) })),
    found,
  );
  agree('letor: bad lines of reader and twin', badLines.length, skipped.count);
  if (strict.value === undefined && badLines.length === 0 && lists.length > 0)
    throw new Disagreement('letor: refused, although every line can be read', strict.refused);
}

/** What was read can be written and read again. */
function agreeWritten(matrix: FeatureMatrix, options: LetorOptions): void {
  if (matrix.features === undefined || matrix.features.numFeatures > 2000) return;
  const written = outcomeOf(() => formatLetor(matrix), null);
  // a CR at the end of a comment belongs to the end of the line
  if (written.value === undefined || latin1(matrix.comments?.bytes).includes('\r')) return;
  const bytes = written.value;
  const again = outcomeOf(
    () => readAll(createLetorReader({ ...options, numFeatures: matrix.features?.numFeatures, nonFinite: true }), bytes).matrix,
  );
  if (again.value === undefined)
    throw new Disagreement('letor: what was written is refused', `${again.refused}\n${Buffer.from(bytes).toString('latin1')}`);
  const essence = ({ queries, queryOf, queryOffsets, labels, comments }: FeatureMatrix): object => ({
    queries: Array.from(queryOf, (query) => idLatin1(queries, query)),
    queryOffsets,
    labels,
    comments: comments && { bytes: comments.bytes, offsets: comments.offsets },
  });
  agree('letor: written and read', essence(matrix), essence(again.value));
  if (matrix.features.layout === again.value.features?.layout)
    agree('letor: values written and read', matrix.features.values, again.value.features.values);
}

function tableOptions(dice: Dice): FeatureTableOptions {
  return { source: SOURCE, labelled: dice.chance(0.8) };
}

function checkTable(
  create: (options: FeatureTableOptions) => ChunkReader<FeatureTableReading>,
  name: string,
  input: Uint8Array,
  dice: Dice,
): string {
  const options = tableOptions(dice);
  const strict = outcomeOf(() => plain(readAll(create(options), input)));
  agreeInChunks(name, strict, () => create(options), plain, input, dice);
  const lenient = outcomeOf(() => plain(readAll(create({ ...options, lenient: true }), input)));
  agreeInChunks(`lenient ${name}`, lenient, () => create({ ...options, lenient: true }), plain, input, dice);
  if (strict.value !== undefined) agree(`${name}: strict and lenient`, strict, lenient);
  return shapeOfOutcome(strict, shapeOfOutcome(lenient));
}

const featureNames = ['f1', 'f2', 'bm25', 'a b', '1', 'x'];

function featureCsv(dice: Dice, delimiter: string): Uint8Array {
  const names = featureNames.slice(0, 1 + dice.below(featureNames.length));
  const rows = Array.from({ length: 1 + dice.below(15) }, () => [
    topicId(dice),
    docId(dice),
    gradeText(dice),
    ...names.map(() => (dice.chance(0.1) ? dice.pick(['', 'NA', 'nan', '?', 'null']) : scoreText(dice))),
  ]);
  return layOut(dice, [['qid', 'doc_id', 'label', ...names], ...rows], delimiter);
}

function featureJson(dice: Dice): Uint8Array {
  const records = Array.from({ length: 1 + dice.below(10) }, () => {
    const features = dice.pick([
      `"features":[${scoreText(dice)},${scoreText(dice)}]`,
      `"features":{"a":${scoreText(dice)},"b":null}`,
      `"a":${scoreText(dice)},"b":${scoreText(dice)}`,
    ]);
    return `{"qid":${JSON.stringify(topicId(dice))},"label":${gradeText(dice)},${features}}`;
  });
  return bytesOf(dice.chance(0.5) ? `[${records.join(',')}]` : records.join('\n'));
}

const letorWords = [
  'qid:',
  'qid:1',
  '1:1',
  '2:0.5',
  '#',
  '# docid = d1',
  '0:1',
  '1:nan',
  '1:inf',
  ':',
  '999999999:1',
  '60000000:1',
  '1:1 1:2',
  '\n',
  '\r\n',
];

export const featureTargets: readonly FuzzTarget[] = [
  {
    name: 'letor',
    summary: 'LETOR and SVMlight files: chunks, a slow twin, the writer',
    cases: 450,
    words: letorWords,
    seeds: () =>
      [
        '1 qid:1 1:0.5 2:3 # docid = a\n0 qid:1 1:1 2:-1\n2 qid:2 1:0 2:1e-3\n',
        '2 qid:q 3:1 7:2 #docid = x inc = 1 prob = 0.3\r\n0 qid:q 7:1\r\n',
      ].map((text) => bytesOf(text)),
    generate: letorLines,
    check: checkLetor,
  },
  {
    name: 'feature-csv',
    summary: 'tables of features in CSV: chunks',
    cases: 600,
    words: ['qid', 'label', 'doc_id', ',', '"', '\n', 'NA', '?', 'nan'],
    seeds: () => ['qid,label,f1,f2\n1,0,0.5,2\n1,1,,3\n2,2,nan,1\n', 'topic,doc,grade,"a,b"\nq,d,1,2\n'].map((text) => bytesOf(text)),
    generate: (dice) => featureCsv(dice, ','),
    check: (input, dice) => checkTable(createFeatureCsvReader, 'feature-csv', input, dice),
  },
  {
    name: 'feature-json',
    summary: 'tables of features in JSON: chunks',
    cases: 600,
    words: ['"features":', '"qid":', '"label":', '{', '}', '[', ']', 'null', ',', '"doc_id":', '"-1":1', '"9007199254740993":1'],
    seeds: () =>
      [
        '[{"qid":1,"label":0,"features":[1,2]},{"qid":1,"label":1,"features":[0.5,null]}]',
        '{"qid":"a","label":2,"x":1,"y":-2}\n{"qid":"a","label":0,"x":3}\n',
      ].map((text) => bytesOf(text)),
    generate: featureJson,
    check: (input, dice) => checkTable(createFeatureJsonReader, 'feature-json', input, dice),
  },
  {
    name: 'feature-parquet',
    summary: 'tables of features in Parquet: refusals',
    cases: 250,
    words: ['PAR1'],
    seeds: parquetSeeds,
    async check(input, dice) {
      const file: ByteParts = { byteLength: input.length, slice: (start, end) => input.slice(start, end).buffer };
      return shapeOfOutcome(await outcomeLater(async () => plain(await parseFeatureParquet(file, tableOptions(dice)))));
    },
  },
];
