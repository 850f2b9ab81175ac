import { readdirSync, readFileSync } from 'node:fs';
import { engineKinds } from '../../../src/formats/engines/kinds.js';
import { readQuepidLines } from '../../../src/formats/engines/quepid-lines.js';
import { readRanxQrels, readRanxRun } from '../../../src/formats/engines/ranx.js';
import { readEngineQrels, readEngineRun } from '../../../src/formats/engines/read.js';
import { headOf } from '../../../src/formats/head.js';
import type { ReadOptions } from '../../../src/formats/reader.js';
import { recogniseFormat } from '../../../src/formats/recognise.js';
import type { Dice } from '../../helpers/dice.js';
import { rowsOfQrels, rowsOfRun } from '../../helpers/rows.js';
import { agree, outcomeLater, SOURCE, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const folder = new URL('../../golden/foreign/samples/', import.meta.url);

/** The recorded files, as far as they are JSON. */
function seeds(): Uint8Array[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(json|jsonl|ndjson)$/.test(file));
  return files.filter((file) => file !== 'samples.json').map((file) => new Uint8Array(readFileSync(new URL(file, folder))));
}

async function check(input: Uint8Array, dice: Dice): Promise<string> {
  // what it is, told whatever it is; and read as what it is, or as anything
  headOf(input);
  const recognised = recogniseFormat('', input, ['run', 'qrels'])?.format.name;
  const named = engineKinds.find(({ name }) => name === recognised)?.name;
  const kind = named === undefined || dice.chance(0.2) ? dice.pick(engineKinds).name : named;
  const file = { byteLength: input.length, slice: (start: number, end?: number) => input.slice(start, end).buffer };
  const options: ReadOptions = { source: SOURCE, fileStem: 'q1', judges: dice.pick([undefined, 'mean', 'majority']) };
  const lenient = { ...options, lenient: true };
  const run = await outcomeLater(async () => (await readEngineRun(kind, file, options)).run);
  if (run.value?.scores.some(Number.isNaN)) throw new Disagreement(`${kind}: a score that is no number`);
  const rows = await outcomeLater(async () => rowsOfRun((await readEngineRun(kind, file, lenient)).run));
  if (run.value !== undefined) agree(`${kind}: strict and lenient runs`, { value: rowsOfRun(run.value) }, rows);
  const qrels = await outcomeLater(async () => rowsOfQrels((await readEngineQrels(kind, file, options)).qrels));
  const kept = await outcomeLater(async () => rowsOfQrels((await readEngineQrels(kind, file, lenient)).qrels));
  if (qrels.value !== undefined) agree(`${kind}: strict and lenient judgements`, qrels, kept);
  return [kind, ...[rows, qrels, kept].map((outcome) => shapeOfOutcome(outcome))].join('|');
}

/** What a reader of a whole file makes of an input, strict and lenient. */
async function checkBoth<Rows>(what: string, read: (options: ReadOptions) => Promise<Rows>): Promise<string> {
  const strict = await outcomeLater(() => read({ source: SOURCE, fileStem: 'q1' }));
  const lenient = await outcomeLater(() => read({ source: SOURCE, fileStem: 'q1', lenient: true }));
  if (strict.value !== undefined) agree(`${what}: strict and lenient`, strict, lenient);
  return `${shapeOfOutcome(strict)}|${shapeOfOutcome(lenient)}`;
}

const partsOf = (input: Uint8Array) => ({
  byteLength: input.length,
  slice: (start: number, end?: number) => input.slice(start, end).buffer,
});

const sample = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(file, folder)));
/** {"q1": {"d1": 2.5, "d2": 1}} in CBOR. */
const cbor = Uint8Array.of(0xa1, 0x62, 0x71, 0x31, 0xa2, 0x62, 0x64, 0x31, 0xf9, 0x41, 0x00, 0x62, 0x64, 0x32, 0x01);

export const engineTargets: readonly FuzzTarget[] = [
  {
    name: 'engine-files',
    summary: 'JSON files of search engines and judgement tools: recognised and read, strict and lenient, refusals',
    cases: 300,
    words: [
      ...['hits', '_id', '_score', 'responses', 'response', 'docs', 'root', 'children', 'relevance', 'objectID', 'queries', 'ratings'],
      ...['query_doc_pairs', 'judgements', 'relevant_documents', 'results', 'error', 'null', 'NaN', '1e999', '[]', '{}'],
    ],
    seeds,
    check,
  },
  {
    name: 'quepid-ltr',
    summary: "lines of Quepid's export for learning to rank: strict and lenient, refusals",
    cases: 300,
    words: ['qid:1', '# ', ' p10 ', '3.0', 'nan', '\r\n', '\n\n', 'qid:', '#'],
    seeds: () => [sample('quepid-ltr/ltr.txt'), sample('quepid-ltr/broken-no-hash.txt')],
    check: (input) => checkBoth('quepid-ltr', async (options) => rowsOfQrels((await readQuepidLines(partsOf(input), options)).qrels)),
  },
  {
    name: 'ranx',
    summary: 'CBOR of ranx, read as a run and as judgements: strict and lenient, refusals',
    cases: 300,
    words: ['\xa1', '\xbf', '\xff', '\xfb', '\x62q1', '\x62d1', '\x9f', '\x1b', '\xf6'],
    seeds: () => [cbor, Uint8Array.of(0xa0), Uint8Array.of(0xbf, 0x61, 0x71, 0xa0, 0xff)],
    check: async (input) => {
      const run = await checkBoth('ranx run', async (options) => rowsOfRun((await readRanxRun(partsOf(input), options)).run));
      const qrels = await checkBoth('ranx qrels', async (options) => rowsOfQrels((await readRanxQrels(partsOf(input), options)).qrels));
      return `${run}|${qrels}`;
    },
  },
];
