import { formatFixed } from '../../core/numbers/print.js';
import { significanceWords, systemLetter } from '../methods.js';
import { markStyle, marksOf } from './significance.js';
import { breakableText, proseText, textEms } from './text.js';

/** Systems and their means, as the main table of a paper shows them. */
export interface PaperScores {
  readonly systems: readonly string[];
  readonly measures: readonly PaperMeasure[];
  readonly numTopics: number;
  /** How significance was tested; null where nothing was. */
  readonly tested: {
    readonly test: string;
    readonly correction: string;
    readonly alpha: number;
    readonly alternative: string;
    readonly baseline: string | null;
  } | null;
}

/** One measure of such a table. */
export interface PaperMeasure {
  readonly name: string;
  /** Which values are good, so that the best ones can be marked. */
  readonly direction: 'higher' | 'lower' | 'neither';
  /** Decimals that are printed. */
  readonly digits: number;
  /** For each system; null where there is no value. */
  readonly means: readonly (number | null)[];
  /** For each system the places of those that it is significantly better than. */
  readonly better: readonly (readonly number[])[];
}

/** A number in a paper's table. */
export interface PaperCell {
  /** The number as it is printed; empty where there is none. */
  readonly text: string;
  /** Superscripts, as LaTeX. */
  readonly marks: string;
  readonly emphasis: 'best' | 'second' | null;
}

/** One system's row. */
export interface PaperRow {
  /** What superscripts refer to the system by; empty if they do not. */
  readonly label: string;
  readonly name: string;
  readonly cells: readonly PaperCell[];
}

/** A table as it is printed. */
export interface PaperTable {
  /** Measures, with an arrow where less is better, as text. */
  readonly columns: readonly { readonly name: string; readonly isLowerBetter: boolean }[];
  readonly rows: readonly PaperRow[];
  /** As LaTeX. */
  readonly caption: string;
}

/** Lays out means for a paper: the best value of each measure in bold, the second best underlined, significance as superscripts, and a
 *  caption that names test, correction and level. */
export function paperTable({ systems, measures, numTopics, tested }: PaperScores): PaperTable {
  const baseline = tested === null || tested.baseline === null ? null : systems.indexOf(tested.baseline);
  const style = tested === null ? 'counts' : markStyle(measures, baseline);
  const columns = measures.map((measure) => {
    const texts = measure.means.map((mean) => (mean === null ? '' : withoutNegativeZero(formatFixed(mean, measure.digits))));
    const emphasis = emphasised(texts, measure.direction);
    return texts.map((text, s): PaperCell => ({ text, marks: marksOf(measure, s, style, baseline), emphasis: emphasis[s] }));
  });
  const rows = systems.map((name, s) => ({
    label: style === 'labels' && tested !== null ? systemLetter(s) : '',
    name,
    cells: columns.map((cells) => cells[s]),
  }));
  const isMarked = (emphasis: PaperCell['emphasis']): boolean => columns.some((cells) => cells.some((cell) => cell.emphasis === emphasis));
  const isWorse = columns.some((cells) => cells.some(({ marks }) => marks.includes('ddagger')));
  const sentences = [
    `Mean scores over ${numTopics} ${numTopics === 1 ? 'topic' : 'topics'}.`,
    ...(isMarked('best')
      ? [`The best value of each measure is in bold${isMarked('second') ? ', the second best is underlined' : ''}.`]
      : []),
    ...(measures.some(({ direction }) => direction === 'lower') ? ['For measures with $\\downarrow$, lower is better.'] : []),
    ...(tested === null ? [] : [`${superscriptWords(style, isWorse, tested.baseline)} (${proseText(significanceWords(tested))}).`]),
  ];
  return {
    columns: measures.map(({ name, direction }) => ({ name, isLowerBetter: direction === 'lower' })),
    rows,
    caption: sentences.join(' '),
  };
}

function superscriptWords(style: 'labels' | 'daggers' | 'counts', isWorse: boolean, baseline: string | null): string {
  if (style === 'labels') return 'Superscripts denote significant improvements over the systems with these letters';
  if (style === 'counts') return 'Superscripts give the number of systems that a system significantly outperforms';
  const worse = isWorse ? ', $\\ddagger$ significantly worse results' : '';
  return `$\\dagger$ denotes significant improvements over ${breakableText(baseline ?? '')}${worse}`;
}

function withoutNegativeZero(text: string): string {
  return text.replace(/^-(0(\.0*)?)$/, '$1');
}

/** Which values are the best and the second best. Values are compared as they are printed, so that two that look the same are marked
 *  alike; of two systems only the better one is marked. */
function emphasised(texts: readonly string[], direction: PaperMeasure['direction']): PaperCell['emphasis'][] {
  const distinct = [...new Set(texts.filter((text) => text !== '').map(Number))].filter((value) => !Number.isNaN(value));
  if (direction === 'neither' || distinct.length < 2) return texts.map(() => null);
  distinct.sort((a, b) => (direction === 'higher' ? b - a : a - b));
  const second = texts.length > 2 ? distinct[1] : undefined;
  return texts.map((text) => {
    if (text === '') return null;
    const value = Number(text);
    return value === distinct[0] ? 'best' : value === second ? 'second' : null;
  });
}

/** About how wide a superscript is, in ems. */
export function markEms(marks: string): number {
  return marks === '' ? 0 : 0.75 * textEms(marks.replace(/\$\\d*dagger\$/, 'x').replace('--', '-')) + 0.1;
}
