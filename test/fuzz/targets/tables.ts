import { InputError } from '../../../src/core/problem.js';
import type { Run } from '../../../src/core/run.js';
import type { Format } from '../../../src/formats/format.js';
import { type ChunkReader, type QrelsReading, type ReadOptions, type RunReading, readAll } from '../../../src/formats/reader.js';
import { findFormat, formats } from '../../../src/formats/registry.js';
import type { TableKind } from '../../../src/formats/tables/columns.js';
import { CsvRecords } from '../../../src/formats/tables/csv-records.js';
import { parseParquetQrels, parseParquetRun } from '../../../src/formats/tables/parquet.js';
import { formatParquetQrels, formatParquetRun } from '../../../src/formats/tables/parquet-writer.js';
import { joinChunks } from '../../../src/formats/text/byte-writer.js';
import type { Dice } from '../../helpers/dice.js';
import { type PlainRow, rowsOfQrels, rowsOfRun } from '../../helpers/rows.js';
import { readCsvSlowly, type SlowCsv } from '../../helpers/slow-csv.js';
import { readSlowly, type SlowLayout, slowPrefs, slowQrels, slowQrelsGroups, slowRun } from '../../helpers/slow-trec.js';
import { jsonLinesText, jsonText, qrelsText, rankText, runText, tableText } from '../generate.js';
import { bytesOf } from '../mutate.js';
import { agree, agreeInChunks, isDue, type Outcome, outcomeLater, outcomeOf, SOURCE, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

/** What a reading holds, as plain data. */
interface PlainReading {
  readonly name: string | undefined;
  readonly rows: PlainRow[];
  readonly skipped: unknown;
}

type Reading = RunReading | QrelsReading;

function plain(reading: Reading): PlainReading {
  if ('run' in reading) return { name: reading.run.name, rows: rowsOfRun(reading.run), skipped: reading.skipped };
  return { name: undefined, rows: rowsOfQrels(reading.qrels), skipped: reading.skipped };
}

function creatorOf(format: Format, kind: TableKind): ((options: ReadOptions) => ChunkReader<Reading>) | undefined {
  const reader = format.read[kind];
  return reader !== undefined && 'inOrder' in reader ? reader.inOrder : undefined;
}

/** All that must hold for a table of runs or judgements, whatever its format. */
async function checkTable(format: Format, kind: TableKind, input: Uint8Array, options: ReadOptions, dice: Dice): Promise<string> {
  const create = creatorOf(format, kind);
  if (create === undefined) return '';
  const withSource = { ...options, source: SOURCE };
  let reading: Reading | undefined;
  const strict = outcomeOf(() => {
    reading = readAll(create(withSource), input);
    return plain(reading);
  });
  agreeInChunks(
    `${format.name} ${kind}`,
    strict,
    () => create({ ...withSource, expectedBytes: dice.below(2 * input.length + 2) }),
    plain,
    input,
    dice,
  );
  for (const wasm of [true, false])
    agree(
      `${format.name} ${kind}: WebAssembly and JavaScript`,
      strict,
      outcomeOf(() => plain(readAll(create({ ...withSource, wasm }), input))),
    );

  const lenientOptions = { ...withSource, lenient: true, maxProblems: 1 + dice.below(4) };
  const lenient = outcomeOf(() => plain(readAll(create(lenientOptions), input)));
  agreeInChunks(`lenient ${format.name} ${kind}`, lenient, () => create(lenientOptions), plain, input, dice);
  if (strict.value !== undefined) agree(`${format.name} ${kind}: strict and lenient`, strict, lenient);
  const twin = twinOf(format, kind, options);
  if (twin !== undefined) agreeWithTwin(`${format.name} ${kind}`, input, twin, strict, lenient);
  if (format.name === 'json' && strict.value !== undefined) agreeWithJsonParse(input, strict.value.rows);
  if (reading !== undefined) await agreeWritten(reading, dice);
  return shapeOfOutcome(strict, shapeOfOutcome(lenient));
}

/** Everything that was read can be written and read again, in every format that says it can hold it. */
async function agreeWritten(reading: Reading, dice: Dice): Promise<void> {
  const isRun = 'run' in reading;
  const rows = isRun ? rowsOfRun(withoutRanks(reading.run)) : rowsOfQrels(reading.qrels);
  const width = rows[0].length;
  const inWidth = (found: readonly PlainRow[]): PlainRow[] => found.map((row) => row.slice(0, width) as PlainRow);
  for (const format of formats) {
    const options: ReadOptions = {
      source: SOURCE,
      groups: width > 3,
      subgroups: width > 4,
      ranks: isRun && reading.run.ranks !== undefined,
    };
    // a format without a place for groups cannot tell apart what only they tell apart
    if (!isRun && width - 3 > groupsKept(format)) continue;
    if (format.name === 'parquet') {
      const found = isDue(dice, 0.1) ? await throughParquet(reading, options) : undefined;
      // the dictionary of a Parquet file knows one zero only
      const signless = (list: readonly PlainRow[]): unknown[] =>
        list.map(([topic, doc, value, ...more]) => [topic, doc, value + 0, ...more]);
      if (found !== undefined && !(isRun && reading.run.ranksOnly))
        agree('parquet: written and read', signless(rows), signless(inWidth(found)));
      continue;
    }
    // MS MARCO's lines hold no scores, and ranks without scores may be counted anew
    const ordersOnly = isRun && (format.name === 'msmarco' || reading.run.ranksOnly === true);
    const written = outcomeOf(() => {
      const chunks = isRun ? format.write.run?.(reading.run) : format.write.qrels?.(reading.qrels);
      if (!(chunks instanceof Promise)) return chunks && joinChunks(chunks);
      // forms that are loaded on demand are read again by their own tests; here they may only refuse
      void chunks.catch((error: unknown) => {
        if (!(error instanceof InputError)) throw error;
      });
      return undefined;
    }, null);
    const create = creatorOf(format, isRun ? 'run' : 'qrels');
    if (written.value === undefined || create === undefined) continue;
    const bytes = written.value;
    const found = outcomeOf(() => inWidth(plain(readAll(create(options), bytes)).rows));
    const text = Buffer.from(bytes).toString('latin1');
    if (found.value === undefined) throw new Disagreement(`${format.name}: what was written is refused`, `${found.refused}\n${text}`);
    const comparable = ordersOnly ? [inRankOrder(rows), inRankOrder(found.value)] : [rows, found.value];
    agree(`${format.name}: written and read`, comparable[0], comparable[1]);
  }
}

/** Topics and documents as they are ranked. */
function inRankOrder(rows: readonly PlainRow[]): unknown[] {
  const topics = [...new Set(rows.map(([topic]) => topic))];
  return topics.map((topic) =>
    rows
      .filter((row) => row[0] === topic)
      .sort((a, b) => b[2] - a[2])
      .map((row) => row.slice(0, 2)),
  );
}

function groupsKept({ name }: Format): number {
  return (
    new Map([
      ['qrels', 0],
      ['qrels_jg', 1],
      ['qrels_prefs', 1],
    ]).get(name) ?? 2
  );
}

/** Undefined if Parquet cannot hold it. */
async function throughParquet(reading: Reading, options: ReadOptions): Promise<PlainRow[] | undefined> {
  const isRun = 'run' in reading;
  const written = await outcomeLater(() => (isRun ? formatParquetRun(reading.run) : formatParquetQrels(reading.qrels)), null);
  if (written.value === undefined) return undefined;
  if (isRun) return rowsOfRun(withoutRanks((await parseParquetRun(written.value, options)).run));
  return rowsOfQrels((await parseParquetQrels(written.value, options)).qrels);
}

function withoutRanks(run: Run): Run {
  return { ...run, ranks: undefined };
}

function twinOf(format: Format, kind: TableKind, { groups, ranks }: ReadOptions): SlowLayout | undefined {
  if (kind === 'run') return format.name === 'trec-run' ? { ...slowRun, ...(ranks ? { alsoNumber: 3 } : {}) } : undefined;
  if (format.name === 'qrels') return groups ? slowQrelsGroups : slowQrels;
  if (format.name === 'qrels_jg' || format.name === 'qrels_prefs') return slowQrelsGroups;
  return format.name === 'prefs' ? slowPrefs : undefined;
}

/** Compares TREC readers with splitting into lines and fields. */
function agreeWithTwin(
  what: string,
  input: Uint8Array,
  layout: SlowLayout,
  strict: Outcome<PlainReading>,
  lenient: Outcome<PlainReading>,
): void {
  const refused = strict.refused ?? '';
  if (/is compressed with|is a ZIP|is UTF-16/.test(refused.split('\n')[0])) return;
  const { rows, bad } = readSlowly(Buffer.from(input).toString('latin1'), layout);
  if ((strict.value !== undefined) !== (bad.length === 0 && rows.length > 0))
    throw new Disagreement(`${what}: accepted by one of reader and twin only`, JSON.stringify({ bad, strict }));
  if ((lenient.value !== undefined) !== rows.length > 0)
    throw new Disagreement(`${what}: lenient reader and twin disagree`, JSON.stringify({ rows, lenient }));
  if (lenient.value === undefined) return;
  const byTopic = [...new Set(rows.map(({ topic }) => topic))].flatMap((topic) => rows.filter((row) => row.topic === topic));
  agree(
    `${what}: reader and twin`,
    byTopic.map(({ topic, doc, value }) => [topic, doc, value]),
    lenient.value.rows.map((row) => row.slice(0, 3)),
  );
}

/** What the built-in parser makes of a JSON file that was accepted. */
function agreeWithJsonParse(input: Uint8Array, rows: readonly PlainRow[]): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    return;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Disagreement('json: accepted, but JSON.parse refuses it', String(error));
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return;
  for (const [topic, doc, value] of rows) {
    const key = (id: string): string => Buffer.from(id, 'latin1').toString('utf8');
    if (`${topic}${doc}`.includes('\xef\xbf\xbd')) continue;
    const inner: unknown = Object.getOwnPropertyDescriptor(parsed, key(topic))?.value;
    const found: unknown =
      typeof inner === 'object' && inner !== null ? Object.getOwnPropertyDescriptor(inner, key(doc))?.value : undefined;
    if (typeof found === 'number') agree('json: reader and JSON.parse', found, value);
  }
}

/** Records and fields of a CSV text, as bytes come and by the obvious reader. */
function agreeWithSlowCsv(input: Uint8Array, delimiter: string, dice: Dice): void {
  const expected = readCsvSlowly(Buffer.from(input).toString('latin1'), delimiter, true);
  const found: SlowCsv = { records: [], broken: [] };
  const records = new CsvRecords(
    {
      record(bytes, ends, numFields, line) {
        const field = (k: number): string => Buffer.from(bytes.subarray(k === 0 ? 0 : ends[k - 1], ends[k])).toString('latin1');
        found.records.push({ fields: Array.from({ length: numFields }, (_, k) => field(k)), line });
      },
      broken: (_, line) => void found.broken.push(line),
      fatal: (message) => new Disagreement(message),
    },
    delimiter.charCodeAt(0),
    true,
  );
  const size = dice.between(1, 50);
  for (let at = 0; at < input.length; at += size) records.push(input.slice(at, at + size));
  records.finish();
  agree('CSV records and the twin', expected, found);
}

function optionsOf(dice: Dice): ReadOptions {
  const groups = dice.chance(0.4);
  return { ranks: dice.chance(0.3), groups, subgroups: groups && dice.chance(0.5) };
}

function tableTarget(
  name: string,
  summary: string,
  kinds: readonly TableKind[],
  words: readonly string[],
  seeds: readonly string[],
  generate: (dice: Dice) => Uint8Array,
): FuzzTarget {
  return {
    name,
    summary,
    cases: 320,
    words,
    seeds: () => seeds.map((text) => bytesOf(text)),
    generate,
    async check(input, dice) {
      const options = optionsOf(dice);
      if (name === 'csv' || name === 'tsv') agreeWithSlowCsv(input, name === 'csv' ? ',' : '\t', dice);
      const shapes: string[] = [];
      for (const kind of kinds) shapes.push(await checkTable(findFormat(name), kind, input, options, dice));
      return shapes.join('|');
    },
  };
}

const lineWords = ['Q0', '#', '\n', '\r\n', '\0', '\ufeff', '1 Q0 d 1 2 t\n', '1 0 d 1\n', ' ', '\t'];
const columnWords = [
  'query_id',
  'doc_id',
  'score',
  'rank',
  'relevance',
  'iteration',
  'corpus-id',
  '"',
  '""',
  ',',
  '\t',
  '\n',
  '\r\n',
  '#',
  '\ufeff',
];
const jsonWords = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  '\\u0000',
  '\\ud83d',
  '\\ud83d\\ude00',
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '{"a":',
  '"query_id":',
  '"doc_id":',
  '"score":',
  '"relevance":',
  '1e400',
  '\ufeff',
  '['.repeat(200),
  '{"a":'.repeat(200),
];

const qrelsSeeds = ['1 0 a 1\n1 0 b 0\n2 0 a 2\n', '1 g a 1\n1 h a 2\n# note\n\n2 0 c -1\n', '301\t0\tFT-1\t1.5\r\n302\t0\tFT-1\t0\r\n'];
const csvSeeds = [
  'query_id,doc_id,score\nq1,d1,0.5\nq1,d2,0.25\nq2,d1,1e3\n',
  'topic,iteration,doc,relevance\n1,0,"a,b",1\n1,0,"c""d",0\n',
  'query-id,corpus-id,score,rank\n1,a,2,1\n1,b,1,2\n',
];

export const tableTargets: readonly FuzzTarget[] = [
  tableTarget(
    'trec-run',
    'TREC runs: WebAssembly, JavaScript, chunks, a slow twin, every writer',
    ['run'],
    lineWords,
    ['1 Q0 a 1 3 t\n1 Q0 b 2 2.5 t\n2 Q0 a 1 1e-3 t\n', '301 Q0 FT911-1 0 12.5 tag\r\n# c\n301 Q0 FT911-2 1 12.5 tag\r\n'],
    runText,
  ),
  tableTarget('qrels', 'TREC judgements, the same way', ['qrels'], lineWords, qrelsSeeds, (dice) => qrelsText(dice)),
  tableTarget('qrels_jg', 'TREC judgements by groups, the same way', ['qrels'], lineWords, qrelsSeeds, (dice) => qrelsText(dice)),
  tableTarget('prefs', 'preferences, the same way', ['qrels'], lineWords, ['1 g s a 1\n1 g s b 0\n1 h t a 2.5\n'], (dice) =>
    qrelsText(dice, 2),
  ),
  tableTarget('qrels_prefs', 'preferences as judgements, the same way', ['qrels'], lineWords, qrelsSeeds, (dice) => qrelsText(dice)),
  tableTarget('csv', 'CSV runs and judgements: chunks, every writer', ['run', 'qrels'], columnWords, csvSeeds, (dice) =>
    tableText(dice, ','),
  ),
  tableTarget(
    'tsv',
    'TSV runs and judgements, the same way',
    ['run', 'qrels'],
    columnWords,
    csvSeeds.map((text) => text.replace(/,/g, '\t')),
    (dice) => tableText(dice, '\t'),
  ),
  tableTarget(
    'msmarco',
    'lines of topic, document and rank: chunks, every writer',
    ['run'],
    lineWords,
    ['1\ta\t1\n1\tb\t2\n2\ta\t1\n', '1 a 0\n1 b 1\n'],
    rankText,
  ),
  tableTarget(
    'json',
    'JSON runs and judgements: chunks, JSON.parse, every writer',
    ['run', 'qrels'],
    jsonWords,
    ['{"1":{"a":1,"b":0.5},"2":{"a":-1e3}}', '[{"query_id":"1","doc_id":"a","score":1,"rank":1},{"query_id":"1","doc_id":"b","score":0}]'],
    jsonText,
  ),
  tableTarget(
    'jsonl',
    'JSON lines: chunks, every writer',
    ['run', 'qrels'],
    jsonWords,
    [
      '{"query_id":"1","doc_id":"a","score":1}\n{"query_id":"2","doc_id":"b","score":0.5}\n',
      '{"topic":1,"doc":"a","grade":2,"group":"x"}\n',
    ],
    jsonLinesText,
  ),
];
