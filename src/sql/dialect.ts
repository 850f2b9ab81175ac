import { InputError, printable } from '../core/problem.js';

/** In what one engine's SQL differs from another's. Everything else of a query is the same text for all of them. */
export interface Dialect {
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** The type of text, and that of a 64-bit float. */
  readonly text: string;
  readonly double: string;
  /** The type of a 32-bit float; undefined where the engine has none. */
  readonly float32: string | undefined;
  /** A 64-bit float, to the last bit. */
  number(value: number): string;
  /** The name of a table or column, whatever characters it holds. */
  identifier(name: string): string;
  /** Text, whatever characters it holds. */
  literal(text: string): string;
  /** What makes text compare byte by byte, put behind it; nothing where it does so anyway. */
  readonly byteOrder: string;
  /** What follows the query. */
  readonly settings: string;
}

/** A 64-bit float with an exponent, which most engines read as one; without it they take it for a decimal. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) throw new InputError({ message: `${value} cannot be written in SQL`, wayOut: 'only finite numbers can' });
  const text = String(value);
  const unsigned = text.includes('e') ? text.replace('e+', 'e') : `${text}e0`;
  return value < 0 ? `(${unsigned})` : unsigned;
}

/** Names and texts with a NUL end early in engines written in C. */
function withoutNul(text: string, what: string): string {
  if (!text.includes('\0')) return text;
  throw new InputError({ message: `the ${what} "${printable(text, 60)}" holds a NUL byte`, wayOut: 'give it another name' });
}

/** Puts text between quotes, and doubles those inside. */
export function quoteDoubling(quote: string): (text: string) => string {
  return (text) => quote + withoutNul(text, 'name or text').replaceAll(quote, quote + quote) + quote;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Puts text between quotes, with a backslash before quotes and backslashes inside. */
export function quoteEscaping(quote: string): (text: string) => string {
  return (text) => {
    const inside = withoutNul(text, 'name or text').replace(
      /[\\\n\r\t'"`]/g,
      (char) => escapes[char] ?? (char === quote ? `\\${char}` : char),
    );
    return quote + inside + quote;
  };
}

/** What the engines that keep to the standard have in common. */
export const standard: Omit<Dialect, 'name' | 'title'> = {
  text: 'VARCHAR',
  double: 'DOUBLE PRECISION',
  float32: 'REAL',
  number: floatText,
  identifier: quoteDoubling('"'),
  literal: quoteDoubling("'"),
  byteOrder: '',
  settings: '',
};
