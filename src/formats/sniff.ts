import { readText } from '../core/text.js';
import { areCounted, type Columns, columnUse, missingRoles, type Role, roleOf, type TableKind } from './tables/columns.js';

/** The beginning of a file, as far as is needed to tell what it is. */
export interface Head {
  /** The first line that is neither blank nor a comment. */
  readonly line: string;
  /** That line and some of what follows. */
  readonly text: string;
  /** Its fields, if white space parts them. */
  readonly fields: readonly string[];
}

/** Bytes of a file that are enough to tell its format. */
export const HEAD_LENGTH: number = 1 << 16;

/** The beginning of a file as the recognisers look at it: comments and blank lines are passed over. */
export function headOf(bytes: Uint8Array): Head {
  const text = readText(bytes, 0, Math.min(bytes.length, HEAD_LENGTH)).replace(/^\ufeff/, '');
  const found = /^[^\S\n]*([^\s#][^\n]*)/m.exec(text);
  const line = found?.[1].trimEnd() ?? '';
  return {
    line,
    text: text
      .slice(found?.index ?? 0)
      .slice(0, 4096)
      .trimStart(),
    fields: line.split(/[ \t\v\f\r]+/),
  };
}

/** What a format makes of a head: nothing, or that it can read it, and as what, if that shows. */
export interface Recognition {
  readonly kind?: TableKind | undefined;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Recognises lines of so many fields by the number among them. */
export function recogniseLines(head: Head, numFields: number, numberField: number, kind: TableKind): Recognition | undefined {
  return head.fields.length === numFields && decimal.test(head.fields[numberField]) ? { kind } : undefined;
}

/** Recognises lines of topic, document and rank without a header, as MS MARCO has them, or lines whose columns were counted. */
export function recogniseRanks(head: Head, columns: Columns | undefined): Recognition | undefined {
  if (columns !== undefined) {
    const highest = Math.max(...(['topic', 'doc', 'score', 'rank'] as const).map((role) => Number(columns[role] ?? 0)));
    return areCounted(columns, 'run') && head.fields.length >= highest ? { kind: 'run' } : undefined;
  }
  return head.fields.length === 3 && /^\d+$/.test(head.fields[2]) ? { kind: 'run' } : undefined;
}

/** Whether the first line that holds something is that of a learning-to-rank file: a label and `qid:`. */
export function looksLikeLetor(start: Uint8Array): boolean {
  return /^\S+\s+qid:\S/.test(headOf(start).line);
}

/** Whether the first line that holds something is a single number, as in a file of predictions. */
export function looksLikeNumbers(start: Uint8Array): boolean {
  return /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)$/i.test(headOf(start).line);
}

/** JSON that is not a line of records; a list of ids can only be a run. */
export function recogniseJson(head: Head, columns: Columns | undefined): Recognition | undefined {
  if (recogniseJsonl(head, columns) !== undefined) return undefined;
  if (head.line.startsWith('[')) return recordKind(head.line, columns) ?? {};
  if (!head.line.startsWith('{')) return undefined;
  // a list of ids can only be a ranking
  return /^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*["\d]/.test(head.text) ? { kind: 'run' } : {};
}

/** Records, one to a line, told from an object of topics by the first value. */
export function recogniseJsonl(head: Head, columns: Columns | undefined): Recognition | undefined {
  if (!head.line.startsWith('{')) return undefined;
  // an object of topics holds objects or lists, so one that begins with a plain value is a record, whatever its fields are called
  return recordKind(head.line, columns) ?? (/^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s[{]/.test(head.line) ? {} : undefined);
}

/** What the names in a JSON record say it is. */
function recordKind(line: string, columns: Columns | undefined): Recognition | undefined {
  const firstRecord = line.slice(0, line.indexOf('}') + 1 || line.length);
  const names = Array.from(firstRecord.matchAll(/"([^"\\]*)"\s*:/g), (match) => match[1]);
  return kindByChoice(names, columns, () => false) ?? kindOfColumns(names);
}

/** What a table holds in which somebody said what the columns are.
 *  @param isCounted Whether a role is known by the number of its column. */
function kindByChoice(names: readonly string[], columns: Columns | undefined, isCounted: (role: Role) => boolean): Recognition | undefined {
  if (columns === undefined) return undefined;
  for (const kind of ['run', 'qrels'] as const) {
    const used = new Set(names.map((name) => columnUse(name, kind, columns)?.role));
    if (missingRoles(kind, (role) => used.has(role) || isCounted(role), columns).length === 0) return { kind };
  }
  return undefined;
}

/** What the names of columns say that a table holds. */
export function kindOfColumns(names: readonly string[]): Recognition | undefined {
  const found = new Set<Role | undefined>(names.map(roleOf));
  if (!found.has('topic') || !found.has('doc')) return undefined;
  if (found.has('grade')) return { kind: 'qrels' };
  if (!found.has('score')) return found.has('rank') ? { kind: 'run' } : {};
  // BEIR's judgements call their grades scores
  return { kind: names.some((name) => /^corpus.?id$/i.test(name)) ? 'qrels' : 'run' };
}

/** A table, by the names in its header or by those that `columns` chose. */
export function recogniseCsv(head: Head, delimiter: string, columns: Columns | undefined): Recognition | undefined {
  const names = head.line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (names.length < 3) return undefined;
  return kindByChoice(names, columns, (role) => typeof columns?.[role] === 'number') ?? kindOfColumns(names);
}
