import { expect, test } from 'vitest';
import { formats } from '../../src/formats/registry.js';
import { anyBytes, anyText, describeFormat, type FormatTraits } from './format.js';

const isWhite = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
/** One field of a line, and no comment. */
const isField = (id: Uint8Array): boolean => id[0] !== 35 && !id.some(isWhite);
const fields: Pick<FormatTraits, 'ids' | 'canHold'> = { ids: anyBytes.filter(isField), canHold: isField };
const bytes: Pick<FormatTraits, 'ids' | 'canHold'> = { ids: anyBytes, canHold: () => true };
const text: Pick<FormatTraits, 'ids' | 'canHold'> = { ids: anyText, canHold: () => true };

/** What each format can hold. A format that is not listed here fails the test below. */
const traits: Readonly<Record<string, FormatTraits>> = {
  'trec-run': { ...fields, numGroups: 0 },
  qrels: { ...fields, numGroups: 0 },
  qrels_jg: { ...fields, numGroups: 1 },
  prefs: { ...fields, numGroups: 2 },
  qrels_prefs: { ...fields, numGroups: 1 },
  json: { ...text, numGroups: 2 },
  jsonl: { ...text, numGroups: 2 },
  csv: { ...bytes, numGroups: 2 },
  tsv: { ...bytes, numGroups: 2 },
};

for (const format of formats) if (Object.hasOwn(traits, format.name)) describeFormat(format, traits[format.name]);

test('every format for runs or judgements is held to the suite', () => {
  // Parquet files and requests of Elasticsearch are read as a whole, and MS MARCO's hold no scores; their own tests hold them to what applies
  const tables = formats
    .filter(({ name, write }) => ('run' in write || 'qrels' in write) && !['parquet', 'msmarco', 'quepid', 'elasticsearch'].includes(name))
    .map((format) => format.name);
  expect(tables).toEqual(Object.keys(traits));
});
