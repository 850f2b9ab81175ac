import { formatFixed, formatG } from '../core/numbers/print.js';
import type { ComparedPair, Comparison, MeasureComparison } from '../stats/compare.js';
import { type Cell, type Grid, type GridColumn, gridWidth, type Tone } from './grid.js';
import { correctionWord } from './methods.js';
import { intervalText, pText, signed } from './number-text.js';

/** More systems than this are not all shown unless somebody asks. */
const SCREEN = 20;

/** Which systems a leaderboard shows. */
export interface LeaderboardOptions {
  readonly digits: number;
  /** The measure that orders the systems; the first by default. */
  readonly sort?: string | undefined;
  /** How many of the best are shown; 20 by default where there are more than 24. */
  readonly top?: number | undefined;
  /** How wide the table may be. What matters least is left out where it would be wider. */
  readonly columns?: number | undefined;
}

/** One table for many systems, and what a reader has to know about it. */
export interface SystemsTable {
  readonly grid: Grid;
  readonly words: readonly string[];
}

/** Signs for those who do not see colours. */
const signs: Readonly<Record<Tone, string>> = { better: '▲', worse: '▼', even: '=' };

/** What a test says about a system and the one that all are held against. */
interface Verdict {
  readonly tone: Tone;
  /** Of the system over the reference, in the unit of the measure. */
  readonly difference: number;
  readonly p: number;
}

/** A column with what it is worth where room is short: the lowest goes first. */
interface RankedColumn extends GridColumn {
  readonly worth: number;
  readonly cell: (system: number, place: number) => Cell;
}

/** The verdict of a difference that was tested. */
export function toneOf(
  { difference, significant }: Pick<ComparedPair, 'difference' | 'significant'>,
  { direction }: MeasureComparison,
): Tone {
  if (!significant) return 'even';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}

/** A verdict with its sign. */
export function verdictText(tone: Tone): string {
  return `${signs[tone]} ${tone === 'even' ? 'not told apart' : tone}`;
}

/** The systems from best to worst, each held against the best or against the baseline. */
export function leaderboard(comparison: Comparison, options: LeaderboardOptions): SystemsTable {
  const { systems, measures, baseline, correction, alpha } = comparison;
  const { digits, columns = Number.POSITIVE_INFINITY } = options;
  const main = measures.find(({ measure }) => measure === options.sort) ?? measures[0];
  const order = orderOf(main);
  const most = options.top ?? (systems.length > SCREEN + 4 ? SCREEN : systems.length);
  const shown = order.slice(0, most);
  const reference = baseline === null ? order[0] : systems.indexOf(baseline);
  const verdicts = new Map(measures.map((measure) => [measure, verdictsAgainst(reference, measure)]));
  const resamples = comparison.test === 'bootstrap' ? comparison.resamples : null;
  const verdictOf = (system: number, measure: MeasureComparison): Verdict | undefined => verdicts.get(measure)?.get(system);
  const counts = baseline === null ? timesWorse(main) : undefined;
  const all: RankedColumn[] = [
    { name: '#', numeric: true, worth: 9, cell: (_, place) => String(place + 1) },
    { name: 'system', worth: 9, cell: (system) => systems[system] },
    { name: main.measure, numeric: true, worth: 9, cell: (system) => formatFixed(main.systems[system].mean, digits) },
    {
      name: `${formatG(100 * (1 - alpha), 4)}% interval`,
      worth: 3,
      cell: (system) => intervalText(main.systems[system].interval, digits),
    },
    {
      name: baseline === null ? 'against the best' : `against ${baseline}`,
      worth: 8,
      cell(system) {
        const verdict = verdictOf(system, main);
        if (verdict === undefined) return baseline === null ? 'best' : 'baseline';
        return { text: `${signs[verdict.tone]} ${plus(verdict.difference, digits)}`, marks: '', tone: verdict.tone };
      },
    },
    {
      name: correction === 'none' ? 'p' : `p (${correctionWord(correction)})`,
      numeric: true,
      worth: 5,
      cell(system) {
        const verdict = verdictOf(system, main);
        return verdict === undefined ? '' : pText(verdict.p, digits, resamples);
      },
    },
    ...(counts === undefined
      ? []
      : [
          { name: 'better than', numeric: true, worth: 4, cell: (system: number) => String(main.systems[system].better.length) },
          { name: 'worse than', numeric: true, worth: 4, cell: (system: number) => String(counts[system]) },
        ]),
    ...measures
      .filter((measure) => measure !== main)
      .map((measure, m) => ({
        name: measure.measure,
        worth: 7 - m / measures.length,
        cell(system: number): Cell {
          const verdict = verdictOf(system, measure);
          const mean = formatFixed(measure.systems[system].mean, digits);
          return verdict === undefined ? mean : { text: `${mean} ${signs[verdict.tone]}`, marks: '', tone: verdict.tone };
        },
      })),
  ];
  const { grid, left } = fitting(all, shown, columns);
  return { grid, words: wordsOf(comparison, main, reference, { shown: shown.length, left, counted: counts !== undefined }) };
}

/** The systems by their means, the best first; equal ones stay in their order. */
function orderOf({ systems, direction }: MeasureComparison): number[] {
  const sign = direction === 'lower' ? 1 : -1;
  const value = (s: number): number => sign * systems[s].mean;
  const isMissing = (s: number): number => (Number.isNaN(systems[s].mean) ? 1 : 0);
  return systems.map((_, s) => s).sort((a, b) => isMissing(a) - isMissing(b) || value(a) - value(b) || a - b);
}

function verdictsAgainst(reference: number, measure: MeasureComparison): Map<number, Verdict> {
  const found = new Map<number, Verdict>();
  for (const pair of measure.pairs) {
    const { system, against, difference, correctedPValue: p } = pair;
    if (against === reference) found.set(system, { difference, p, tone: toneOf(pair, measure) });
    else if (system === reference) {
      const turned = { difference: -difference, significant: pair.significant };
      found.set(against, { difference: -difference, p, tone: toneOf(turned, measure) });
    }
  }
  return found;
}

/** How many systems are significantly better than each. */
function timesWorse({ systems }: MeasureComparison): number[] {
  const counts = systems.map(() => 0);
  for (const { better } of systems) for (const worse of better) counts[worse]++;
  return counts;
}

function plus(value: number, digits: number): string {
  return `${value > 0 ? '+' : ''}${signed(value, digits)}`;
}

/** The table with the columns that there is room for. */
function fitting(all: readonly RankedColumn[], shown: readonly number[], most: number): { grid: Grid; left: string[] } {
  const kept = [...all];
  const left: string[] = [];
  const gridOf = (): Grid => {
    const columns = [...kept];
    return { lead: 2, columns, rows: () => shown.map((system, place) => columns.map(({ cell }) => cell(system, place))) };
  };
  while (kept.length > 3 && gridWidth(gridOf()) > most) {
    const least = kept.reduce((a, b) => (b.worth <= a.worth ? b : a));
    if (least.worth >= 8) break;
    kept.splice(kept.indexOf(least), 1);
    left.push(least.name);
  }
  return { grid: gridOf(), left };
}

function wordsOf(
  { systems, baseline, alpha, correction }: Comparison,
  main: MeasureComparison,
  reference: number,
  { shown, left, counted }: { readonly shown: number; readonly left: readonly string[]; readonly counted: boolean },
): string[] {
  const corrected = correction === 'none' ? '' : ' after correction';
  const whom = baseline === null ? `${systems[reference]}, the best by ${main.measure}` : baseline;
  const words = [`Against ${whom}: ▲ significantly better, ▼ significantly worse, = not told apart (p at most ${alpha}${corrected}).`];
  if (counted && !left.includes('better than')) {
    words.push(`"better than" and "worse than" count the systems that differ significantly in ${main.measure}.`);
  }
  if (left.length > 0) words.push(`Not shown for lack of room: ${left.join(', ')}.`);
  if (shown < systems.length) words.push(`The best ${shown} of ${systems.length} systems; --top ${systems.length} shows all.`);
  words.push('--pairs prints every pair; -f csv and --json have all numbers.');
  return words;
}
