/** How many columns text takes on a terminal, and text broken into lines. */

/** Blocks that are two columns wide everywhere (Unicode's East Asian Width W and F); emoji are found by their own property. */
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

let graphemes: Intl.Segmenter | undefined;

/** How many columns of a terminal a text takes up; wide characters take two. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  graphemes ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** One character as people see it: a letter with its accents, or an emoji with its modifiers. */
function graphemeWidth(grapheme: string): number {
  // marks alone, joiners and other characters without a shape of their own
  if (/^[\p{M}\p{Cf}]+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u{1f1e6}-\u{1f1ff}]{2}/u.test(grapheme)) return 2;
  const code = grapheme.codePointAt(0) ?? 0;
  const base = wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
  // the voicing marks of half-width kana belong to the letter before them, and yet have a column of their own
  return base + (/[\uff9e\uff9f]$/.test(grapheme) && grapheme.length > 1 ? 1 : 0);
}

/** Fills up at the right to a width on screen. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Fills up at the left to a width on screen. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Breaks text at blanks into lines of at most `width` columns, each after `indent`. A longer word stays whole. */
export function wrapText(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.trim().split(/\s+/)) {
    const size = displayWidth(word);
    if (line !== '' && indent.length + used + 1 + size > width) {
      lines.push(indent + line);
      line = '';
      used = 0;
    }
    line = line === '' ? word : `${line} ${word}`;
    used = used === 0 ? size : used + 1 + size;
  }
  lines.push(indent + line);
  return lines.join('\n');
}
