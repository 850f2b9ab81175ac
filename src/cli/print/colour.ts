import type { Context } from '../parse/command.js';

/** What a terminal can do to a text. */
export type Style = 'bold' | 'cyan' | 'red' | 'green' | 'yellow' | 'dim';

/** The numbers that begin and end a style (ECMA-48, "select graphic rendition"). */
const codes: Readonly<Record<Style, readonly [begin: number, end: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Colours only for a terminal, and only if nobody asked for none (https://no-color.org). `FORCE_COLOR` asks for them elsewhere too, as
 *  in a pager, and is stronger than `NO_COLOR`, as it is in Node; `FORCE_COLOR=0` asks for none. */
export function wantsColour(isTerminal: boolean, environment: Context['environment']): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: terminal } = environment;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return isTerminal && !refused && terminal !== 'dumb';
}

/** The environment of somebody who said `--no-color`. */
export function withoutColour({ FORCE_COLOR: _, ...environment }: Context['environment']): Context['environment'] {
  return { ...environment, NO_COLOR: '1' };
}

/** A text with the codes of a style around it; whether there should be any is for the caller to decide. */
export function styled(style: Style, text: string): string {
  const [begin, end] = codes[style];
  return `\x1b[${begin}m${text}\x1b[${end}m`;
}
