import { printable } from '../../core/problem.js';

const specials: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  // the command for it exists in few font encodings, the character at this place in all
  '"': '{\\char34}',
  "'": '\\textquotesingle{}',
};

/** Signs that every font encoding has under a name, and formulas for those of mathematics. */
const signs: Readonly<Record<string, string>> = {
  '…': '\\ldots{}',
  '–': '--',
  '—': '---',
  '·': '\\textperiodcentered{}',
  '−': '\\ensuremath{-}',
  '±': '\\ensuremath{\\pm}',
  '×': '\\ensuremath{\\times}',
  '≤': '\\ensuremath{\\leq}',
  '≥': '\\ensuremath{\\geq}',
  α: '\\ensuremath{\\alpha}',
  τ: '\\ensuremath{\\tau}',
  ρ: '\\ensuremath{\\rho}',
  Δ: '\\ensuremath{\\Delta}',
};

/** The marks that every font encoding of LaTeX can put on a letter: grave, acute, circumflex, tilde, macron, breve, dot, diaeresis,
 *  ring, double acute, caron and cedilla. */
const accented = /^[A-Za-z][\u0300-\u0304\u0306-\u0308\u030a-\u030c\u0327]$/;
const letters = 'ßæÆœŒøØåÅłŁı';

/** Text in which LaTeX finds nothing to act on. A character that pdfLaTeX may not know is printed there as its code point, in XeLaTeX
 *  and LuaLaTeX as itself. */
export function latexText(text: string): string {
  return pieces(text).join('');
}

/** Each character as LaTeX prints it. */
function pieces(text: string): string[] {
  const characters = Array.from(printable(text, Infinity).normalize('NFC'));
  // two hyphens would become a dash
  return characters.map((c, i) => (c === '-' && characters[i + 1] === '-' ? '-{}' : latexCharacter(c)));
}

function latexCharacter(c: string): string {
  if (/[\\~^<>|"']/.test(c)) return specials[c];
  if (/[{}$&#%_]/.test(c)) return `\\${c}`;
  if (c <= '\u007e' || letters.includes(c) || accented.test(c.normalize('NFD'))) return c;
  if (Object.hasOwn(signs, c)) return signs[c];
  const code = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `{\\ifdefined\\Umathcode ${c}\\else[U+${code}]\\fi}`;
}

/** Words wider than this get places to break, in ems. */
const WIDEST_WORD = 8;
/** Words of a language, which LaTeX hyphenates itself. */
const ordinary = /^[('"]*[A-Za-zÀ-ž]{1,14}('s)?(-[A-Za-zÀ-ž]{1,14})*[).,;:'"]*$/;
/** Letters and digits between such places. */
const PART = 6;

/** Text with places to break within words too wide for a line, such as names of runs and paths. */
export function breakableText(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (textEms(word) <= WIDEST_WORD || ordinary.test(word) ? latexText(word) : breakableWord(word)))
    .join('');
}

/** Breaks behind signs, and within long rows of letters. */
function breakableWord(word: string): string {
  let numLetters = 0;
  return pieces(word)
    .map((piece, i, all) => {
      numLetters = /^[\w]$/.test(piece) ? numLetters + 1 : PART;
      if (i === all.length - 1 || numLetters < PART) return piece;
      numLetters = 0;
      return `${piece}\\allowbreak{}`;
    })
    .join('');
}

/** A paragraph of ours, with apostrophes as text has them and the symbols of statistics as formulas. */
export function proseText(text: string): string {
  return breakableText(text)
    .replaceAll('d\\_z', '$d_z$')
    .replace(/\\ensuremath\{\\alpha\} = ([\d.]+)/g, '$$\\alpha = $1$$')
    .replace(/\bt(?=-test|\\? distribution)/g, '$$t$$')
    .replace(/(?<=[a-z])\\textquotesingle\{\}(?=s\b)/g, "'");
}

/** A long name with its middle left out. */
export function shortened(name: string, longest: number): string {
  const characters = Array.from(name);
  if (characters.length <= longest) return name;
  const kept = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, kept).join('')}…${characters.slice(-kept).join('')}`;
}

/** About how wide text is in the fonts of papers, in ems. */
export function textEms(text: string): number {
  let ems = 0;
  for (const c of printable(text, Infinity)) {
    if (/[mwMW@%]/.test(c)) ems += 0.9;
    else if (/[A-Z&+=<>~#]/.test(c)) ems += 0.76;
    else if (/[fijlrtI.,:;'|!()[\] -]/.test(c)) ems += 0.37;
    else ems += c > '\u024f' ? 4.2 : 0.54;
  }
  return ems;
}
