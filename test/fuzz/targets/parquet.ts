import { readFileSync } from 'node:fs';
import type { ReadOptions } from '../../../src/formats/reader.js';
import {
  parquetColumnNames,
  parquetContent,
  parseParquetQrels,
  parseParquetRun,
  parseParquetScores,
} from '../../../src/formats/tables/parquet.js';
import type { Dice } from '../../helpers/dice.js';
import { rowsOfQrels, rowsOfRun } from '../../helpers/rows.js';
import { agree, outcomeLater, SOURCE, shapeOfOutcome } from '../outcome.js';
import type { FuzzTarget } from '../target.js';

const folder = new URL('../seeds/', import.meta.url);

/** Small files that several writers made: with dictionaries, nulls, and each codec. */
export function parquetSeeds(): Uint8Array[] {
  const names: string[] = JSON.parse(readFileSync(new URL('parquet.json', folder), 'utf8'));
  return names.map((base64) => new Uint8Array(Buffer.from(base64, 'base64')));
}

async function check(input: Uint8Array, dice: Dice): Promise<string> {
  const options: ReadOptions = { source: SOURCE, ranks: dice.chance(0.3), groups: dice.chance(0.3) };
  const whole = await outcomeLater(async () => rowsOfRun((await parseParquetRun(input, options)).run));
  const byParts = { byteLength: input.length, slice: (start: number, end?: number) => input.slice(start, end).buffer };
  agree('parquet: in memory and by parts', whole, await outcomeLater(async () => rowsOfRun((await parseParquetRun(byParts, options)).run)));
  const lenient = await outcomeLater(async () => rowsOfRun((await parseParquetRun(input, { ...options, lenient: true })).run));
  if (whole.value !== undefined) agree('parquet: strict and lenient', whole, lenient);
  const qrels = await outcomeLater(async () => rowsOfQrels((await parseParquetQrels(input, options)).qrels));
  const scores = await outcomeLater(async () => (await parseParquetScores(input, { source: SOURCE })).values);
  const names = await outcomeLater(() => parquetColumnNames(input, SOURCE));
  await outcomeLater(() => parquetContent(input, SOURCE));
  return [whole, lenient, qrels, scores, names].map((outcome) => shapeOfOutcome(outcome)).join('|');
}

export const parquetTargets: readonly FuzzTarget[] = [
  {
    name: 'parquet',
    summary: 'Parquet runs, judgements and scores: in memory and by parts, refusals',
    cases: 250,
    words: ['PAR1', 'query_id', 'doc_id', 'score', 'relevance'],
    seeds: parquetSeeds,
    check,
  },
];
