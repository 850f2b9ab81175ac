import type { Context } from '../parse/command.js';

/** What a terminal can do to a text. */
export type Style = 'bold' | 'cyan' | 'red';

/** The numbers that begin and end a style (ECMA-48, "select graphic rendition"). */
const codes: Readonly<Record<Style, readonly [begin: number, end: number]>> = { bold: [1, 22], cyan: [36, 39], red: [31, 39] };

/** Colours only for a terminal, and only if nobody asked for none (https://no-color.org). */
export function wantsColour(isTerminal: boolean, environment: Context['environment']): boolean {
  return isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb';
}

/** A text with the codes of a style around it; whether there should be any is for the caller to decide. */
export function styled(style: Style, text: string): string {
  const [begin, end] = codes[style];
  return `\x1b[${begin}m${text}\x1b[${end}m`;
}
