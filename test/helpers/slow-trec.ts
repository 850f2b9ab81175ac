/** The obvious reading of line-oriented files in Gradus' own grammar. Texts have one character per byte. */
export interface SlowLine {
  topic: string;
  doc: string;
  value: number;
  groups: string[];
  line: number;
}

export interface SlowReading {
  /** In the order of the file, without what cannot be read and without duplicates. */
  rows: SlowLine[];
  /** Lines that cannot be read, in ascending order, with what is wrong. */
  bad: { line: number; kind: string }[];
}

export interface SlowLayout {
  fields: number;
  doc: number;
  value: number;
  /** Fields that are kept, and that tell apart what would otherwise be duplicates. */
  groups: number[];
  /** Another field that must be a number. */
  alsoNumber?: number;
}

export const slowRun: SlowLayout = { fields: 6, doc: 2, value: 4, groups: [] };
export const slowQrels: SlowLayout = { fields: 4, doc: 2, value: 3, groups: [] };
export const slowQrelsGroups: SlowLayout = { fields: 4, doc: 2, value: 3, groups: [1] };
export const slowPrefs: SlowLayout = { fields: 5, doc: 3, value: 4, groups: [1, 2] };

export function readSlowly(text: string, layout: SlowLayout): SlowReading {
  const rows: SlowLine[] = [];
  const bad: { line: number; kind: string }[] = [];
  const seen = new Set<string>();
  const withoutMark = text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text;
  for (const [index, content] of withoutMark.split('\n').entries()) {
    const line = index + 1;
    if (content.includes('\0')) {
      bad.push({ line, kind: 'NUL byte' });
      continue;
    }
    const fields = content.split(/[ \t\v\f\r]+/).filter((field) => field !== '');
    if (fields.length === 0 || fields[0].startsWith('#')) continue;
    if (fields.length !== layout.fields) {
      bad.push({ line, kind: 'wrong number of fields' });
      continue;
    }
    const wrong = [fields[layout.value], ...(layout.alsoNumber === undefined ? [] : [fields[layout.alsoNumber]])].find(
      (field) => !isFiniteNumber(field),
    );
    if (wrong !== undefined) {
      const isNumber = /^[+-]?(nan|inf|infinity)$/i.test(wrong) || isDecimal(wrong);
      bad.push({ line, kind: isNumber ? 'not a finite number' : 'not a number' });
      continue;
    }
    const row = {
      topic: fields[0],
      doc: fields[layout.doc],
      value: Number(fields[layout.value]),
      groups: layout.groups.map((field) => fields[field]),
      line,
    };
    const key = JSON.stringify([row.topic, row.doc, row.groups]);
    if (seen.has(key)) bad.push({ line, kind: 'duplicate document' });
    else rows.push(row);
    seen.add(key);
  }
  return { rows, bad };
}

function isDecimal(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}

function isFiniteNumber(text: string): boolean {
  return isDecimal(text) && Number.isFinite(Number(text));
}
