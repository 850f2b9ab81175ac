import { readdirSync, readFileSync } from 'node:fs';
import { engineKinds } from '../../../src/formats/engines/kinds.js';
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
];
