/** The obvious CSV reader: one character after another, all text in memory. Texts have one character per byte. */
export interface SlowCsv {
  records: { fields: string[]; line: number }[];
  broken: number[];
}

export function readCsvSlowly(text: string, delimiter: string, quotes: boolean): SlowCsv {
  const result: SlowCsv = { records: [], broken: [] };
  let rest = text;
  let line = 1;
  while (rest !== '') {
    const { consumed, fields, isBroken } = readRecord(rest, delimiter, quotes);
    if (isBroken) result.broken.push(line);
    else if (fields !== undefined) result.records.push({ fields, line });
    line += rest.slice(0, consumed).split('\n').length - 1;
    rest = rest.slice(consumed);
  }
  return result;
}

function readRecord(text: string, delimiter: string, quotes: boolean): { consumed: number; fields?: string[]; isBroken?: boolean } {
  const lineEnd = (from: number): number => (text.includes('\n', from) ? text.indexOf('\n', from) + 1 : text.length);
  if (text.startsWith('#')) return { consumed: lineEnd(0) };
  if (/^\r?(\n|$)/.test(text)) return { consumed: lineEnd(0) };
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (quotes && text[at] === '"') {
      let field = '';
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) return { consumed: text.length, isBroken: true };
        field += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
      fields.push(field);
      if (at === text.length || text[at] === '\n') return { consumed: Math.min(text.length, at + 1), fields };
      if (text[at] === '\r' && (at + 1 === text.length || text[at + 1] === '\n'))
        return { consumed: Math.min(text.length, at + 2), fields };
      if (text[at] !== delimiter) return { consumed: lineEnd(at), isBroken: true };
    } else {
      let end = at;
      while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++;
      const isLast = end === text.length || text[end] === '\n';
      fields.push(isLast ? text.slice(at, end).replace(/\r$/, '') : text.slice(at, end));
      at = end;
      if (isLast) return { consumed: Math.min(text.length, end + 1), fields };
    }
    at++;
  }
}
