import type { Dice } from '../helpers/dice.js';

/** No input grows beyond this: what is wrong with a large file is wrong with a small one too. */
export const LARGEST_INPUT = 1 << 14;

/** Numbers at which something changes: widths of integers and floats, rounding, spellings. */
export const numberTexts: readonly string[] = [
  ...['0', '-0', '1', '-1', '2', '10', '127', '128', '255', '256', '32767', '32768', '65535', '65536', '2147483647', '2147483648'],
  ...['-2147483648', '-2147483649', '4294967295', '4294967296', '9007199254740991', '9007199254740993', '9223372036854775807'],
  ...['18446744073709551616', '1e21', '1e22', '1e23', '123456789012345678901234567890', '0.1', '0.5', '.5', '5.', '1e-5', '1E+5'],
  ...['16777216', '16777217', '3.4028235e38', '3.4028236e38', '1e39', '1.7976931348623157e308', '1e309', '-1e309', '5e-324', '2e-324'],
  ...['2.2250738585072014e-308', '2.2250738585072011e-308', '0.30000000000000004', '8.5', '1e400', '-1e400', '1e-400', '0e999'],
  ...[
    'nan',
    'NaN',
    '-nan',
    'inf',
    '-inf',
    'Infinity',
    'INF',
    '0x10',
    '0b1',
    '1_000',
    '1,5',
    '1e',
    '1e+',
    '+1',
    '--1',
    '1.2.3',
    '',
    '+',
    '-',
    '.',
  ],
  ...['00', '007', '1e1000000000', '0.00000000000000000000000000000000000001', '١', '½', '１'],
];

/** What ids and texts trip over. */
export const awkwardTexts: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'true',
    'all',
    'NaN',
    '#',
    '-',
    '--',
    '',
    ' ',
    '"',
    "'",
  ],
  ...[
    '""',
    '\\',
    '\\u0000',
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\t',
    '\v',
    '\f',
    '\u00a0',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u200b',
    '\u202e',
    '\u0085',
  ],
  ...[
    'é',
    'e\u0301',
    '日本',
    '😀',
    '\ud83d',
    '\u0130',
    'ß',
    '=1+1',
    '@x',
    '+1',
    '<b>',
    '&amp;',
    ']]>',
    '%s',
    '$&',
    '$1',
    '{}',
    '[]',
    '../x',
    'CON',
  ],
  ...['x'.repeat(64), 'y'.repeat(300), '\x1b[31m', ';', ',', '|', ':', '=', '(', ')', '@'],
];

/** Texts with one character per byte where `latin1` is set, otherwise in UTF-8. */
export function bytesOf(text: string, latin1 = false): Uint8Array {
  return new Uint8Array(Buffer.from(text, latin1 ? 'latin1' : 'utf8'));
}

/** A few changes to an input, or to two of them. */
export function mutate(input: Uint8Array, other: Uint8Array, words: readonly string[], dice: Dice): Uint8Array {
  let bytes = input;
  for (let more = 1 + dice.below(dice.chance(0.2) ? 12 : 3); more > 0; more--) bytes = dice.pick(changes)(bytes, other, words, dice);
  return bytes.length > LARGEST_INPUT ? bytes.slice(0, LARGEST_INPUT) : bytes;
}

type Change = (bytes: Uint8Array, other: Uint8Array, words: readonly string[], dice: Dice) => Uint8Array;

const changes: readonly Change[] = [
  flipBits,
  flipBits,
  setBytes,
  removeSpan,
  removeSpan,
  repeatSpan,
  moveSpan,
  (bytes, _other, _words, dice) => bytes.slice(0, dice.below(bytes.length + 1)),
  (bytes, _other, _words, dice) => bytes.slice(dice.below(bytes.length + 1)),
  (bytes, other, _words, dice) => joined(bytes.subarray(0, cut(bytes, dice)), other.subarray(cut(other, dice))),
  (bytes, other, _words, dice) => replaced(bytes, spanOf(bytes, dice), spanBytes(other, dice)),
  (bytes, _other, words, dice) => inserted(bytes, wordBytes(words, dice), dice),
  (bytes, _other, words, dice) => inserted(bytes, wordBytes(words, dice), dice),
  (bytes, _other, _words, dice) => inserted(bytes, bytesOf(dice.pick(numberTexts)), dice),
  (bytes, _other, _words, dice) => inserted(bytes, bytesOf(dice.pick(awkwardTexts)), dice),
  replaceNumber,
  replaceNumber,
  replaceWord,
  replaceWord,
  changeLines,
  changeLines,
  changeLineEnds,
  lengthenWord,
  nest,
];

/** A word or a number that goes on for thousands of letters. */
function lengthenWord(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  const length = dice.pick([255, 256, 1023, 1024, 4095, 4096, 8191, 8192]);
  return replaceMatch(bytes, /[\w.-]+/g, dice, (found) => dice.pick(found).slice(0, 64).repeat(length).slice(0, length));
}

/** Brackets within brackets, around a span or around nothing. */
function nest(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  const depth = dice.pick([2, 10, 63, 64, 65, 1000]);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['(', ')'],
    ['<tree>', '</tree>'],
  ]);
  const span = spanOf(bytes, dice);
  const inside = dice.chance(0.5) ? bytes.subarray(span.start, span.end) : bytesOf('1');
  const ends = dice.chance(0.8) ? depth : dice.below(depth);
  return replaced(bytes, span, joined(bytesOf(open.repeat(depth)), inside, bytesOf(close.repeat(ends))));
}

function flipBits(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  if (bytes.length === 0) return bytes;
  const changed = bytes.slice();
  for (let more = 1 + dice.below(3); more > 0; more--) changed[dice.below(bytes.length)] ^= 1 << dice.below(8);
  return changed;
}

function setBytes(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  if (bytes.length === 0) return bytes;
  const changed = bytes.slice();
  const value = dice.pick([0, 9, 10, 13, 32, 34, 44, 58, 92, 127, 128, 255, dice.below(256)]);
  const at = dice.below(bytes.length);
  changed.fill(value, at, at + (dice.chance(0.7) ? 1 : dice.below(9)));
  return changed;
}

function removeSpan(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  return replaced(bytes, spanOf(bytes, dice), new Uint8Array(0));
}

function repeatSpan(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  const { start, end } = spanOf(bytes, dice);
  const span = bytes.subarray(start, end);
  const times = dice.chance(0.9) ? 1 : 1 + dice.below(40);
  return joined(bytes.subarray(0, end), ...Array.from({ length: times }, () => span), bytes.subarray(end));
}

function moveSpan(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  const { start, end } = spanOf(bytes, dice);
  return inserted(replaced(bytes, { start, end }, new Uint8Array(0)), bytes.slice(start, end), dice);
}

/** One of the numbers in the text becomes another. */
function replaceNumber(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  return replaceMatch(bytes, /[+-]?\d+(\.\d*)?([eE][+-]?\d+)?/g, dice, () => dice.pick(numberTexts));
}

/** One of the words in the text becomes another. */
function replaceWord(bytes: Uint8Array, _other: Uint8Array, words: readonly string[], dice: Dice): Uint8Array {
  return replaceMatch(bytes, /[^\s,;:"=(){}[\]<>]+/g, dice, (found) =>
    dice.chance(0.4) ? dice.pick(words.length > 0 ? words : awkwardTexts) : dice.pick([...awkwardTexts, ...found]),
  );
}

function replaceMatch(bytes: Uint8Array, pattern: RegExp, dice: Dice, make: (found: readonly string[]) => string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return bytes;
  const { index, 0: word } = dice.pick(found);
  const texts = found.slice(0, 50).map((match) => match[0]);
  return replaced(bytes, { start: index, end: index + word.length }, bytesOf(make(texts)));
}

/** Whole lines, in which most formats think: one left out, repeated, moved. */
function changeLines(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const at = dice.below(lines.length);
  const to = dice.below(lines.length + 1);
  const kind = dice.below(4);
  if (kind === 0) lines.splice(at, 1);
  else if (kind === 1) lines.splice(to, 0, lines[at]);
  else if (kind === 2) lines.splice(to, 0, ...lines.splice(at, 1));
  else lines[at] = dice.pick(['', ' ', '#', '\t', `${lines[at]} `, ` ${lines[at]}`, `${lines[at]}\r`, `# ${lines[at]}`]);
  return bytesOf(lines.join('\n'), true);
}

function changeLineEnds(bytes: Uint8Array, _other: Uint8Array, _words: readonly string[], dice: Dice): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const kind = dice.below(5);
  if (kind === 0) return bytesOf(text.replace(/\n/g, '\r\n'), true);
  if (kind === 1) return bytesOf(text.replace(/\n/g, '\r'), true);
  if (kind === 2) return bytesOf(text.replace(/\n$/, ''), true);
  return kind === 3 ? bytesOf(`\xef\xbb\xbf${text}`, true) : bytesOf(text.replace(/ /g, '\t'), true);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function cut(bytes: Uint8Array, dice: Dice): number {
  return dice.below(bytes.length + 1);
}

/** Short spans are more likely than long ones. */
function spanOf(bytes: Uint8Array, dice: Dice): Span {
  const start = cut(bytes, dice);
  const longest = dice.chance(0.7) ? 16 : bytes.length;
  return { start, end: Math.min(bytes.length, start + dice.below(longest + 1)) };
}

function spanBytes(bytes: Uint8Array, dice: Dice): Uint8Array {
  const { start, end } = spanOf(bytes, dice);
  return bytes.subarray(start, end);
}

function wordBytes(words: readonly string[], dice: Dice): Uint8Array {
  return bytesOf(dice.pick(words.length > 0 ? words : awkwardTexts));
}

function inserted(bytes: Uint8Array, more: Uint8Array, dice: Dice): Uint8Array {
  const at = cut(bytes, dice);
  return replaced(bytes, { start: at, end: at }, more);
}

function replaced(bytes: Uint8Array, { start, end }: Span, by: Uint8Array): Uint8Array {
  return joined(bytes.subarray(0, start), by, bytes.subarray(end));
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
