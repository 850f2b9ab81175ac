import { limits } from '../../src/core/limits.js';
import type { LetorOptions } from '../../src/formats/letor/options.js';

/** One row of a feature file, read the obvious way. */
export interface SlowRow {
  readonly line: number;
  readonly record: number;
  readonly label: number;
  readonly query: string;
  readonly comment: string;
  readonly features: ReadonlyMap<number, number>;
}

export interface SlowLetor {
  /** Lists of rows, each with the query it belongs to. */
  readonly lists: readonly { readonly query: string; readonly rows: readonly SlowRow[] }[];
  /** The lines that are bad. */
  readonly badLines: readonly number[];
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const oddWord = /^[+-]?(nan|inf|infinity)$/i;

/** Feature files by regular expressions, one line after another, for texts of one byte per character. */
export function slowLetor(text: string, options: LetorOptions): SlowLetor {
  const rows: SlowRow[] = [];
  const badLines: number[] = [];
  let record = 0;
  text.split('\n').forEach((content, index) => {
    const hash = content.indexOf('#');
    const data = hash < 0 ? content : content.slice(0, hash);
    const words = data.split(/[ \t\v\f\r]+/).filter((word) => word !== '');
    if (words.length === 0) return;
    const line = index + 1;
    const row = slowRow(words, line, record++, hash < 0 ? '' : content.slice(hash + 1).replace(/\r$/, ''), options);
    const scattered = row !== undefined && row.query !== rows.at(-1)?.query && rows.some((other) => other.query === row.query);
    if (row === undefined || (scattered && options.scattered === 'refuse')) badLines.push(line);
    else rows.push(row);
  });
  const lists: { query: string; rows: SlowRow[] }[] = [];
  for (const row of rows) {
    const known = options.scattered === 'split' ? lists.slice(-1) : lists;
    const list = known.find((candidate) => candidate.query === row.query);
    if (list === undefined) lists.push({ query: row.query, rows: [row] });
    else list.rows.push(row);
  }
  return { lists, badLines };
}

function slowRow(words: string[], line: number, record: number, comment: string, options: LetorOptions): SlowRow | undefined {
  const [label, qid, ...rest] = words;
  if (!decimal.test(label) || !Number.isFinite(Number(label))) return undefined;
  if (qid === undefined || !qid.startsWith('qid:') || qid === 'qid:') return undefined;
  const features = new Map<number, number>();
  const first = options.firstFeature ?? 1;
  for (const word of options.features === false ? [] : rest) {
    const parts = /^(\d{1,9}):(.*)$/.exec(word);
    if (parts === null) return undefined;
    const id = Number(parts[1]);
    const value = slowValue(parts[2], options);
    if (value === undefined || id < first || id >= first + limits.features || features.has(id)) return undefined;
    if (options.numFeatures !== undefined && id >= first + options.numFeatures) return undefined;
    features.set(id, value);
  }
  return { line, record, label: Number(label), query: qid.slice(4), comment, features };
}

function slowValue(text: string, { nonFinite = false, precision }: LetorOptions): number | undefined {
  if (decimal.test(text)) {
    const value = precision === 'single' ? Math.fround(Number(text)) : Number(text);
    return Number.isFinite(value) || nonFinite ? value : undefined;
  }
  if (!nonFinite || !oddWord.test(text)) return undefined;
  if (/nan/i.test(text)) return Number.NaN;
  return text.startsWith('-') ? -Infinity : Infinity;
}
