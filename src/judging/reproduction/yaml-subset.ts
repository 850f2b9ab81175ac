import { InputError } from '../../core/problem.js';

/** What the headers of runs hold. */
export type MetadataValue = string | number | boolean | null | readonly MetadataValue[] | { readonly [key: string]: MetadataValue };

interface Line {
  readonly indent: number;
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Reads the part of YAML that headers of runs are written in: maps, lists, texts with or without quotes, texts over several lines (| and >),
 *  lists in brackets, numbers, true, false and null. Anything else is refused. */
export function readYaml(text: string): MetadataValue {
  const lines = text
    .split(/\r?\n/)
    .map((line, i): Line => ({ indent: line.length - line.trimStart().length, text: line.trim(), number: i + 1 }));
  const reader = new YamlReader(lines);
  const value = reader.block(0);
  reader.refuseRest();
  return value;
}

class YamlReader {
  private readonly lines: readonly Line[];
  private at = 0;

  constructor(lines: readonly Line[]) {
    this.lines = lines;
  }

  /** A map, a list or a text that is indented by at least so much. */
  block(indent: number): MetadataValue {
    const first = this.peek();
    if (first === undefined || first.indent < indent) return null;
    return first.text === '-' || first.text.startsWith('- ') ? this.list(first.indent) : this.map(first.indent);
  }

  refuseRest(): void {
    const rest = this.peek();
    if (rest !== undefined) throw problemAt(rest);
  }

  /** The next line that says something. */
  private peek(): Line | undefined {
    while (this.at < this.lines.length && (this.lines[this.at].text === '' || this.lines[this.at].text.startsWith('#'))) this.at++;
    return this.lines[this.at];
  }

  private list(indent: number): MetadataValue[] {
    const items: MetadataValue[] = [];
    for (let line = this.peek(); line !== undefined && line.indent === indent && /^-( |$)/.test(line.text); line = this.peek()) {
      const rest = line.text.slice(1).trim();
      this.at++;
      if (rest === '') items.push(this.block(indent + 1));
      else if (/^-( |$)/.test(rest)) throw problemAt(line);
      else if (keyOf(rest) === undefined) items.push(scalar(rest, line));
      else items.push(this.map(indent + line.text.length - rest.length, { ...line, text: rest }));
    }
    return items;
  }

  /** @param head Its first line, if that stands behind the dash of a list. */
  private map(indent: number, head?: Line): { readonly [key: string]: MetadataValue } {
    const entries = new Map<string, MetadataValue>();
    let line = head ?? this.peek();
    while (line !== undefined && (line === head || line.indent === indent)) {
      const key = keyOf(line.text);
      if (key === undefined) throw problemAt(line);
      if (line !== head) this.at++;
      const rest = line.text
        .slice(key.length)
        .replace(/^["']?\s*:/, '')
        .trim();
      if (entries.has(unquoted(key)))
        throw new InputError({ line: line.number, message: `key ${unquoted(key)} occurs twice`, wayOut: 'keep one of them' });
      entries.set(unquoted(key), this.valueOf(rest, indent, line));
      line = this.peek();
    }
    return Object.fromEntries(entries);
  }

  private valueOf(rest: string, indent: number, line: Line): MetadataValue {
    if (rest === '') {
      const next = this.peek();
      // a list may stand as far to the left as its key
      if (next !== undefined && next.indent === indent && /^-( |$)/.test(next.text)) return this.list(indent);
      return this.block(indent + 1);
    }
    return /^[|>][+-]?$/.test(rest) ? this.longText(indent, rest.startsWith('>') ? ' ' : '\n') : scalar(rest, line);
  }

  private longText(indent: number, separator: string): string {
    const parts: string[] = [];
    while (this.at < this.lines.length && (this.lines[this.at].text === '' || this.lines[this.at].indent > indent))
      parts.push(this.lines[this.at++].text);
    return parts.join(separator).trim();
  }
}

function problemAt(line: Line): InputError {
  return new InputError({
    line: line.number,
    message: `cannot be read: ${JSON.stringify(line.text.slice(0, 80))}`,
    wayOut: 'write "key: value", or "- item", indented by blanks below its key',
  });
}

/** The key of a line, with its quotes; undefined if it has none. */
function keyOf(text: string): string | undefined {
  return /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[{&*!|>%@`#-][^:#]*?)\s*:(?:\s|$)/.exec(text)?.[1];
}

/** What a character behind a backslash stands for. */
function unescaped(_: string, c: string): string {
  return c === 'n' ? '\n' : c === 't' ? '\t' : c;
}

function unquoted(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^']|'')*)'$/.exec(text);
  return quoted === null ? text : (quoted[1]?.replace(/\\(.)/g, unescaped) ?? (quoted[2] ?? '').replaceAll("''", "'"));
}

function scalar(text: string, line: Line): MetadataValue {
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(text);
  if (quoted !== null) return quoted[1]?.replace(/\\(.)/g, unescaped) ?? (quoted[2] ?? '').replaceAll("''", "'");
  const plain = text.replace(/\s#.*$/, '').trim();
  if (plain.startsWith('[') && plain.endsWith(']')) {
    const inside = plain.slice(1, -1).trim();
    return inside === '' ? [] : inside.split(',').map((item) => scalar(item.trim(), line));
  }
  if (/^[{&*!%@`]/.test(plain)) throw problemAt(line);
  if (/^(true|false)$/i.test(plain)) return plain.toLowerCase() === 'true';
  if (plain === '' || plain === '~' || plain === 'null') return null;
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : plain;
}

/** Writes a value as YAML, indented by so many blanks. */
export function writeYaml(value: MetadataValue, indent = 0): string {
  const blanks = ' '.repeat(indent);
  if (Array.isArray(value)) return value.map((item: MetadataValue) => `${blanks}- ${itemText(item, indent)}\n`).join('');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, own]) => `${blanks}${plainText(key)}:${isLeaf(own) ? ` ${leafText(own)}\n` : `\n${writeYaml(own, indent + 2)}`}`)
      .join('');
  }
  return `${blanks}${leafText(value as string | number | boolean | null)}\n`;
}

function itemText(item: MetadataValue, indent: number): string {
  if (isLeaf(item)) return leafText(item);
  // a list in a list stands below its dash
  return Array.isArray(item) ? `\n${writeYaml(item, indent + 2)}`.trimEnd() : writeYaml(item, indent + 2).trim();
}

function isLeaf(value: MetadataValue): boolean {
  return typeof value !== 'object' || value === null || (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0);
}

function leafText(value: MetadataValue): string {
  if (Array.isArray(value)) return '[]';
  return typeof value === 'string' ? plainText(value) : value === null || typeof value === 'object' ? 'null' : String(value);
}

/** A text as it is where that is read as the same text, and in quotes otherwise. */
function plainText(text: string): string {
  const safe =
    /^[A-Za-z0-9_/.(][^:#\n"'[\]{},&*!|>%@`\\]*$/.test(text) &&
    text.trim() === text &&
    typeof scalar(text, { indent: 0, text, number: 0 }) === 'string';
  return safe ? text : `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}
