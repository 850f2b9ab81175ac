import { jsonText } from '../core/json-text.js';
import { formatFixed, formatG } from '../core/numbers/print.js';
import type { Comparison, MeasureComparison } from '../stats/compare.js';
import { type Cell, type Grid, type GridForm, markdownText, type TableLook, type TextSink, visible, writeGrid } from './grid.js';
import { writeLatexComparison } from './latex/comparison.js';
import type { LatexTableOptions } from './latex/write-table.js';
import { leaderboard, toneOf, verdictText } from './leaderboard.js';
import { type Cited, correctionWord, methodsSentence, systemLetter } from './methods.js';
import { intervalText, pText, signed } from './number-text.js';
import { meanOrder } from './standings.js';
import type { Verdict } from './verdict/model.js';
import { verdictWords } from './verdict/words.js';
import { wrapText } from './width.js';

export { pText } from './number-text.js';

/** The forms in which a comparison can be written, the default first. */
export const comparisonForms: readonly string[] = ['table', 'md', 'latex', 'csv', 'tsv', 'json'];

/** How a comparison is written. */
export interface ComparisonPrinting {
  /** Decimals of scores, differences and p-values, 4 by default. */
  readonly digits?: number | undefined;
  /** The answer, to be printed before the tables and carried by JSON. */
  readonly verdict?: Verdict | undefined;
  /** A picture made of characters, for a table that begins with the answer: of the only difference, or of all systems in the place of
   *  their table. */
  readonly picture?: { readonly difference?: readonly string[]; readonly systems?: readonly string[] } | undefined;
  /** Which program made this, for the sentence about methods: `Gradus 0.1.0`. */
  readonly program?: string | undefined;
  /** What the comparison was made from, for JSON. */
  readonly fingerprint?: object | undefined;
  /** How tables look where people read them. */
  readonly look?: TableLook | undefined;
  /** Whether every pair is shown; by default where there are at most 15. */
  readonly pairs?: boolean | undefined;
  /** Which systems are shown and in which order; where there are many, or one of these is given, as a leaderboard. */
  readonly sort?: string | undefined;
  readonly top?: number | undefined;
  /** How LaTeX is written: the main table only unless pairs are asked for. */
  readonly latex?: LatexPrinting | undefined;
}

/** What papers differ in. */
export interface LatexPrinting extends LatexTableOptions {
  /** The tables of pairs as well. */
  readonly pairs?: boolean | undefined;
  /** The keys of what is cited in the sentence about methods; nothing is cited without it. */
  readonly keysOf?: ((cited: Cited) => readonly string[]) | undefined;
}

/** More pairs than this are shown only where that is asked for. */
const MOST_PAIRS = 15;
/** More notes than this are counted. */
const MOST_NOTES = 5;

function marksOf(better: readonly number[]): string {
  const marks = better.map(systemLetter);
  return marks.join(marks.some((mark) => mark.length > 1) ? ',' : '');
}

/** Prints a comparison. Table and Markdown have the means with letters for what each system is significantly better than, then the pairs,
 *  then the methods; LaTeX has the table of means and the methods; CSV and TSV have the pairs in full precision; JSON has everything. */
export function writeComparison(form: string, comparison: Comparison, sink: TextSink, printing: ComparisonPrinting = {}): void {
  if (form === 'json') {
    const { fingerprint, program, verdict } = printing;
    sink.write(`${jsonText({ fingerprint, ...comparisonJson(comparison, verdict), methods: methodsSentence(comparison, program) }, 2)}\n`);
    return;
  }
  if (form === 'csv' || form === 'tsv') {
    writeGrid(form, fullPairGrid(comparison), sink);
    return;
  }
  const { digits = 4, look } = printing;
  if (form === 'latex') {
    const { latex = {}, program } = printing;
    const pairs = comparison.measures.map((measure) => ({ title: titleOf(measure), grid: pairGrid(comparison, measure, digits, form) }));
    writeLatexComparison(comparison, sink, { ...latex, digits, program, pairs: latex.pairs === true ? pairs : [] });
    return;
  }
  const methods = methodsSentence(comparison, printing.program);
  const grid = (one: Grid): void => writeGrid(form as GridForm, one, sink, look);
  const width = form === 'table' ? look?.columns : undefined;
  const paragraph = (text: string): void => {
    const shown = shownText(form, text);
    sink.write(`${width === undefined ? shown : wrapText(shown, width)}\n`);
  };
  const { picture = {} } = printing;
  const words = printing.verdict === undefined ? undefined : verdictWords(printing.verdict);
  if (words !== undefined) {
    const { heading, detail, topics } = words;
    // the finding stands out where that can be done
    const finding = shownText(form, heading);
    const whole = `${form === 'md' ? `**${finding}**` : finding} ${shownText(form, detail)}`;
    const wrapped = width === undefined ? whole : wrapText(whole, width);
    sink.write(`${form === 'table' && look?.paintHeader !== undefined ? boldStart(wrapped, finding, look.paintHeader) : wrapped}\n\n`);
    if (picture.difference !== undefined) sink.write(`${picture.difference.join('\n')}\n\n`);
    if (topics !== '') {
      paragraph(topics);
      sink.write('\n');
    }
  }
  const caveats = (): void => {
    for (const { isWarning, title, text } of words?.caveats ?? []) {
      const sign = isWarning ? '!' : '✓';
      if (form === 'md') {
        paragraph(`- ${sign} ${title} ${text}`);
        continue;
      }
      const indented = wrapText(visible(`${title} ${text}`), width ?? Number.POSITIVE_INFINITY, '  ');
      sink.write(`${look?.paint?.(isWarning ? 'warning' : 'passed', sign) ?? sign} ${indented.slice(2)}\n`);
    }
    if ((words?.caveats.length ?? 0) > 0) sink.write('\n');
  };
  const isCrowded = comparison.measures[0].pairs.length > MOST_PAIRS;
  const { sort, top, pairs = !isCrowded } = printing;
  if (picture.systems !== undefined) {
    sink.write(`${picture.systems.join('\n')}\n`);
    if (isCrowded) paragraph('--pairs prints every pair; -f table, -f csv and --json have all numbers.');
  } else if (isCrowded || sort !== undefined || top !== undefined) {
    const board = leaderboard(comparison, { digits, sort, top, columns: look?.columns });
    grid(board.grid);
    sink.write('\n');
    for (const words of board.words) paragraph(words);
  } else {
    grid(meanGrid(comparison, digits, words !== undefined));
    sink.write('\n');
    paragraph(legendOf(comparison));
  }
  if (words !== undefined) {
    sink.write('\n');
    caveats();
  }
  for (const measure of pairs ? comparison.measures : []) {
    if (words === undefined) sink.write('\n');
    paragraph(titleOf(measure));
    if (form === 'md') sink.write('\n');
    grid(pairGrid(comparison, measure, digits, form));
    if (words !== undefined) sink.write('\n');
  }
  if (words === undefined) sink.write('\n');
  for (const note of shortened(comparison.notes)) {
    paragraph(`Note: ${note}.`);
    if (form !== 'table') sink.write('\n');
  }
  paragraph(methods);
}

/** The text with its beginning in bold, whichever lines that takes. */
function boldStart(text: string, beginning: string, bold: (line: string) => string): string {
  const letters = beginning.replace(/\s+/g, '').length;
  let end = 0;
  for (let seen = 0; seen < letters; end++) if (!/\s/.test(text[end])) seen++;
  return `${text.slice(0, end).split('\n').map(bold).join('\n')}${text.slice(end)}`;
}

/** The first notes, and how many more there are. */
function shortened(notes: readonly string[]): readonly string[] {
  if (notes.length <= MOST_NOTES + 1) return notes;
  return [...notes.slice(0, MOST_NOTES), `${notes.length - MOST_NOTES} more notes, which --json has`];
}

function shownText(form: string, text: string): string {
  return form === 'md' ? markdownText(text) : visible(text);
}

function titleOf({ measure, topics, direction, omnibusPValue }: MeasureComparison): string {
  const omnibus = omnibusPValue === null ? '' : `; Friedman's test of any difference: p ${pText(omnibusPValue, 4, null)}`;
  const lower = direction === 'lower' ? '; less is better' : '';
  return `${measure}: ${topics.length} topics${lower}${omnibus}`;
}

function legendOf({ alpha, baseline, correction }: Comparison): string {
  const corrected = correction === 'none' ? '' : ' after correction';
  return baseline === null
    ? `Superscripts: significantly better than the system with that letter (p at most ${alpha}${corrected}).`
    : `Superscripts: significantly better than the system with that letter (p at most ${alpha}${corrected}); tested against ${baseline} only.`;
}

/** A row per system, a column per measure. */
function meanGrid({ systems, measures, alpha }: Comparison, digits: number, isSorted: boolean): Grid {
  const level = formatG(100 * (1 - alpha), 4);
  const single = measures.length === 1;
  // behind an answer the best comes first, and has the first letter
  const order = isSorted ? [...systems.keys()].sort((a, b) => meanOrder(measures[0], a, b)) : [...systems.keys()];
  const placeOf = systems.map((_, s) => order.indexOf(s));
  return {
    columns: [
      { name: '' },
      { name: 'system' },
      ...measures.flatMap(({ measure }) => [{ name: measure, numeric: true }, ...(single ? [{ name: `${level}% interval` }] : [])]),
    ],
    *rows() {
      for (const [place, s] of order.entries()) {
        const cells = measures.flatMap((measure): Cell[] => {
          const { mean, interval, better } = measure.systems[s];
          const cell = { text: formatFixed(mean, digits), marks: marksOf(better.map((worse) => placeOf[worse]).sort((a, b) => a - b)) };
          return single ? [cell, intervalText(interval, digits)] : [cell];
        });
        yield [systemLetter(place), systems[s], ...cells];
      }
    },
  };
}

function pairGrid(comparison: Comparison, measure: MeasureComparison, digits: number, form: string): Grid {
  const { pairs } = measure;
  const { systems, alpha, correction } = comparison;
  const level = formatG(100 * (1 - alpha), 4);
  const resamples = comparison.test === 'bootstrap' ? comparison.resamples : null;
  const withCorrected = correction !== 'none';
  return {
    lead: 2,
    columns: [
      { name: 'system' },
      { name: 'against' },
      { name: 'difference', numeric: true },
      { name: `${level}% interval` },
      { name: 'd_z', numeric: true },
      { name: 'win/tie/loss', numeric: true },
      { name: 'p', numeric: true },
      ...(withCorrected ? [{ name: `p (${correctionWord(correction)})`, numeric: true }] : []),
      { name: form === 'latex' ? 'significant' : 'verdict' },
    ],
    *rows() {
      for (const pair of pairs) {
        const tone = toneOf(pair, measure);
        yield [
          systems[pair.system],
          systems[pair.against],
          signed(pair.difference, digits),
          intervalText(pair.interval, digits),
          pair.cohenDz.value === null ? '-' : signed(pair.cohenDz.value, 2),
          `${pair.wins}/${pair.ties}/${pair.losses}`,
          pText(pair.pValue, digits, resamples),
          ...(withCorrected ? [pText(pair.correctedPValue, digits, resamples)] : []),
          // LaTeX has no such signs
          form === 'latex' ? (pair.significant ? 'yes' : 'no') : { text: verdictText(tone), marks: '', tone },
        ];
      }
    },
  };
}

/** Everything about the pairs, in full precision. */
function fullPairGrid(comparison: Comparison): Grid {
  const { systems, measures } = comparison;
  const numeric = (name: string): { name: string; numeric: true } => ({ name, numeric: true });
  const number = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));
  return {
    columns: [
      { name: 'measure' },
      { name: 'system' },
      { name: 'against' },
      ...['topics', 'mean_system', 'mean_against', 'difference', 'low', 'high', 'd_z', 'd_z_low', 'd_z_high'].map(numeric),
      ...['hedges_g', 'wins', 'ties', 'losses', 'p', 'p_corrected'].map(numeric),
      { name: 'significant' },
      { name: 'test' },
      { name: 'correction' },
      ...['alpha', 'seed', 'resamples'].map(numeric),
    ],
    *rows() {
      for (const { measure, topics, systems: compared, pairs } of measures) {
        for (const pair of pairs) {
          yield [
            measure,
            systems[pair.system],
            systems[pair.against],
            String(topics.length),
            number(compared[pair.system].mean),
            number(compared[pair.against].mean),
            number(pair.difference),
            number(pair.interval.low),
            number(pair.interval.high),
            number(pair.cohenDz.value),
            number(pair.cohenDz.interval?.low),
            number(pair.cohenDz.interval?.high),
            number(pair.hedgesG.value),
            String(pair.wins),
            String(pair.ties),
            String(pair.losses),
            number(pair.pValue),
            number(pair.correctedPValue),
            pair.significant ? 'yes' : 'no',
            comparison.test,
            comparison.correction,
            number(comparison.alpha),
            number(comparison.seed),
            number(comparison.resamples),
          ];
        }
      }
    },
  };
}

/** The comparison with names in the place of numbers of systems. */
export function comparisonJson(comparison: Comparison, verdict?: Verdict): Record<string, unknown> {
  const { systems, measures, ...rest } = comparison;
  return {
    ...(verdict === undefined ? {} : { verdict: { ...verdict, sentence: verdictWords(verdict).line } }),
    ...rest,
    systems,
    measures: measures.map((measure) => ({
      ...measure,
      systems: measure.systems.map((system) => ({ ...system, better: system.better.map((s) => systems[s]) })),
      pairs: measure.pairs.map((pair) => ({ ...pair, system: systems[pair.system], against: systems[pair.against] })),
    })),
  };
}
