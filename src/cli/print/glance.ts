/** The evidence of a verdict as a picture made of characters: intervals of systems, or of the only difference. */
import { formatFixed, formatG } from '../../core/index.js';
import {
  displayWidth,
  type Ink,
  meanOrder,
  niceTicks,
  padEnd,
  padStart,
  raised,
  rankText,
  type Standings,
  signedText,
  systemLetter,
  type Verdict,
  visible,
  wrapText,
} from '../../report/index.js';
import type { Comparison } from '../../stats/index.js';

/** How the picture is drawn. */
export interface GlanceLook {
  readonly digits: number;
  /** How wide it may be; 100 columns at most. */
  readonly columns?: number | undefined;
  /** How many of the best systems are shown. */
  readonly top?: number | undefined;
  readonly paint?: ((ink: Ink, text: string) => string) | undefined;
}

/** Of more systems than this and a few, only the best are shown. */
const SCREEN = 20;
const WIDEST = 100;
/** A strip that is narrower than this shows nothing. */
const NARROWEST_STRIP = 16;
const WIDEST_STRIP = 44;
/** A share of unjudged documents above this is marked. */
const MANY_UNJUDGED = 0.2;

/** A scale of characters. */
interface Strip {
  readonly width: number;
  readonly ticks: readonly number[];
  place(value: number): number;
}

function stripOf(least: number, greatest: number, width: number): Strip {
  // equal values stand in the middle
  const [low, high] = least < greatest ? [least, greatest] : [least - 0.05, greatest + 0.05];
  const range = high - low;
  return {
    width,
    ticks: niceTicks(low, high, Math.max(2, Math.floor(width / 7))),
    place: (value) => Math.min(width - 1, Math.max(0, Math.round(((value - low) / range) * (width - 1)))),
  };
}

/** The numbers of a scale above or below its places; one that would touch the one before is left out. */
function tickLine({ width, ticks, place }: Strip, shown: (tick: number) => string): string {
  let line = '';
  for (const tick of ticks) {
    const text = shown(tick);
    const start = Math.max(0, Math.min(width - text.length, place(tick) - (text.length >> 1)));
    if (start > line.length || line === '') line = line.padEnd(start) + text;
  }
  return line.padEnd(width);
}

/** `├──●──┤` on a line of dots at the ticks. */
function intervalLine(
  strip: Strip,
  low: number,
  mean: number,
  high: number,
  paint: (text: string) => string,
  faint: (text: string) => string,
): string {
  const dots = Array.from({ length: strip.width }, () => ' ');
  for (const tick of strip.ticks) dots[strip.place(tick)] = '·';
  if (!Number.isFinite(mean)) return faint(dots.join(''));
  const [from, middle, to] = [low, mean, high].map((value) => strip.place(Number.isFinite(value) ? value : mean));
  const marks: string[] = Array.from({ length: to - from + 1 }, (_, i) => (i === 0 ? '├' : i === to - from ? '┤' : '─'));
  marks[middle - from] = '●';
  const outside = (text: string): string => (text.trim() === '' ? text : faint(text));
  return outside(dots.slice(0, from).join('')) + paint(marks.join('')) + outside(dots.slice(to + 1).join(''));
}

/** A column of the board besides the strip. The least worth goes first where room is short. */
interface BoardColumn {
  readonly name: string;
  readonly worth: number;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
  ink?(row: number): Ink | undefined;
}

/** The systems from best to worst, each with its mean and interval. */
export function systemsPicture(comparison: Comparison, standings: Standings, look: GlanceLook): string[] {
  const { systems, measures, alpha } = comparison;
  const [main, ...others] = measures;
  const { digits, paint = (_: Ink, text: string) => text } = look;
  const order = [...systems.keys()].sort((a, b) => meanOrder(main, a, b));
  const shown = order.slice(0, look.top ?? (systems.length > SCREEN + 4 ? SCREEN : systems.length));
  const isLettered = systems.length <= 25;
  const placeOf = new Map(order.map((s, place) => [s, place]));
  const marks = shown.map((s) =>
    isLettered
      ? main.systems[s].better
          .map((worse) => systemLetter(placeOf.get(worse) ?? 0))
          .sort()
          .join('')
      : '',
  );
  const best = order[0];
  const isBestGroup = shown.map((s) => s === best || !main.systems[best].better.includes(s));
  const widestMarks = Math.max(...marks.map((mark) => mark.length));
  const columns: BoardColumn[] = [
    {
      name: main.measure,
      worth: 9,
      isNumber: false,
      cells: shown.map((s, row) => padEnd(formatFixed(main.systems[s].mean, digits) + raised(marks[row]), digits + 2 + widestMarks)),
    },
    { name: 'rank', worth: 4, isNumber: true, cells: shown.map((s) => rankText(standings.ranks[s])) },
    ...(standings.unjudged === null
      ? []
      : [
          {
            name: 'unjudged',
            worth: 3,
            isNumber: true,
            cells: shown.map((s) => shareText(standings.unjudged?.shares[s])),
            ink: (row: number): Ink => ((standings.unjudged?.shares[shown[row]] ?? 0) > MANY_UNJUDGED ? 'warning' : 'faint'),
          },
        ]),
    ...others.map((measure, m) => ({
      name: measure.measure,
      worth: 2 - m / others.length,
      isNumber: true,
      cells: shown.map((s) => formatFixed(measure.systems[s].mean, digits)),
    })),
  ];
  const labels = shown.map((_, row) => (isLettered ? systemLetter(row) : String(row + 1)));
  const names = shown.map((s) => visible(systems[s]));
  const nameWidth = Math.max(6, ...names.map(displayWidth));
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const widthOf = ({ name, cells }: BoardColumn): number => Math.max(displayWidth(name), ...cells.map(displayWidth));
  const kept = [...columns];
  const most = Math.min(WIDEST, look.columns ?? WIDEST);
  const room = (): number => most - labelWidth - 3 - nameWidth - 2 - kept.reduce((sum, column) => sum + widthOf(column) + 2, 0);
  const left: string[] = [];
  while (kept.length > 1 && room() < NARROWEST_STRIP) {
    const least = kept.reduce((a, b) => (b.worth <= a.worth ? b : a));
    kept.splice(kept.indexOf(least), 1);
    left.push(least.name);
  }
  const bounds = shown
    .flatMap((s) => [main.systems[s].interval.low, main.systems[s].interval.high, main.systems[s].mean])
    .filter(Number.isFinite);
  const strip =
    room() < NARROWEST_STRIP || bounds.length === 0
      ? undefined
      : stripOf(Math.min(...bounds), Math.max(...bounds), Math.min(WIDEST_STRIP, room()));
  const [mean, ...rest] = kept;
  const cell = (column: BoardColumn, text: string): string => (column.isNumber ? padStart : padEnd)(text, widthOf(column));
  const header = [
    padEnd('', labelWidth + 3),
    padEnd('system', nameWidth),
    padEnd(mean.name, widthOf(mean)),
    ...(strip === undefined ? [] : [tickLine(strip, (tick) => formatG(tick, 4))]),
    ...rest.map((column) => cell(column, column.name)),
  ];
  const lines = [paint('faint', [header[0] + header[1], ...header.slice(2)].join('  ').trimEnd())];
  for (const [row, s] of shown.entries()) {
    const { interval, mean: value } = main.systems[s];
    const isBest = isBestGroup[row];
    const name = padEnd(names[row], nameWidth);
    const parts = [
      `${padStart(labels[row], labelWidth)} ${isBest ? paint('accent', '▌') : ' '} ${row === 0 ? paint('strong', name) : name}`,
      mean.cells[row],
      ...(strip === undefined
        ? []
        : [
            intervalLine(
              strip,
              interval.low,
              value,
              interval.high,
              (text) => paint(isBest ? 'accent' : 'faint', text),
              (text) => paint('faint', text),
            ),
          ]),
      ...rest.map((column) => {
        const text = cell(column, column.cells[row]);
        const ink = column.ink?.(row);
        return ink === undefined ? text : paint(ink, text);
      }),
    ];
    lines.push(parts.join('  ').trimEnd());
  }
  lines.push(
    '',
    ...legend({
      isLettered,
      hasStrip: strip !== undefined,
      level: formatG(100 * (1 - alpha), 4),
      kept,
      left,
      comparison,
      shown: shown.length,
      standings,
    }).map((line) => (look.columns === undefined ? line : wrapText(line, look.columns))),
  );
  return lines;
}

interface LegendFacts {
  readonly isLettered: boolean;
  readonly hasStrip: boolean;
  readonly level: string;
  readonly kept: readonly BoardColumn[];
  readonly left: readonly string[];
  readonly comparison: Comparison;
  readonly shown: number;
  readonly standings: Standings;
}

/** What the signs mean, in lines that fit. */
function legend({ isLettered, hasStrip, level, kept, left, comparison, shown, standings }: LegendFacts): string[] {
  const { systems, alpha, correction } = comparison;
  const corrected = correction === 'none' ? '' : ' after correction';
  const has = (name: string): boolean => kept.some((column) => column.name === name);
  const signs = ['▌ not told apart from the best', ...(hasStrip ? [`├─●─┤ mean and ${level}% interval`] : [])];
  return [
    signs.join('   '),
    ...(isLettered ? [`Superscripts: significantly better than the system with that letter (p at most ${alpha}${corrected}).`] : []),
    ...(has('rank') ? [`rank: where a system stands in ${Math.round(100 * standings.level)}% of samples of the topics.`] : []),
    ...(left.length > 0 ? [`Not shown for lack of room: ${left.join(', ')}.`] : []),
    ...(shown < systems.length ? [`The best ${shown} of ${systems.length} systems; --top ${systems.length} shows all.`] : []),
  ];
}

function shareText(share: number | null | undefined): string {
  return share === null || share === undefined ? '' : `${Math.round(100 * share)}%${share > MANY_UNJUDGED ? ' !' : '  '}`;
}

const LABEL = 14;

/** The only difference: its interval, the topics won and lost, and those that decide. */
export function differencePicture({ pair, topics, numTopics, direction }: Verdict, look: GlanceLook): string[] {
  const { paint = (_: Ink, text: string) => text } = look;
  const most = Math.min(WIDEST, look.columns ?? WIDEST);
  const { low, high, difference } = pair;
  const lines: string[] = [];
  const label = (word: string): string => `  ${word.padEnd(LABEL - 2)}`;
  const width = Math.min(60, most - LABEL - 24);
  if (low !== null && high !== null && width >= NARROWEST_STRIP) {
    const strip = stripOf(Math.min(0, low) - (high - low) / 8, Math.max(0, high) + (high - low) / 8, width);
    const [from, middle, to, zero] = [low, difference, high, 0].map((value) => strip.place(value));
    const marks = Array.from({ length: width }, (_, at) => (at === middle ? '●' : at >= from && at <= to ? '━' : at === zero ? '│' : ' '));
    const outside = (text: string): string => (text.trim() === '' ? text : paint('faint', text));
    const drawn =
      outside(marks.slice(0, from).join('')) + paint('accent', marks.slice(from, to + 1).join('')) + outside(marks.slice(to + 1).join(''));
    lines.push(`${label('difference')}${drawn}  ${signedText(low, 4)} to ${signedText(high, 4)}`.trimEnd());
    lines.push(
      paint('faint', `${label('')}${tickLine(strip, (tick) => (tick === 0 ? '0' : signedText(tick, tickDigits(strip.ticks))))}`.trimEnd()),
    );
  }
  const room = Math.max(8, most - LABEL - 30);
  const total = pair.better + pair.worse + pair.equal;
  const share = (count: number): number => (total <= room || count === 0 ? count : Math.max(1, Math.round((count / total) * room)));
  const squares =
    paint('accent', '■'.repeat(share(pair.better))) +
    paint('faint', '·'.repeat(share(pair.equal))) +
    paint('worse', '□'.repeat(share(pair.worse)));
  lines.push(`${label('topics')}${squares}  ${pair.better} won, ${pair.equal} tied, ${pair.worse} lost`);
  if (topics.gains.length > 0 && numTopics > topics.gains.length) {
    lines.push(
      `${label('decided by')}${topics.gains.map(({ topic, query }) => visible(query === undefined ? topic : `${topic} (${query})`)).join(', ')}`,
    );
  }
  return direction === 'lower' ? [...lines, `${label('')}Less is better.`] : lines;
}

function tickDigits(ticks: readonly number[]): number {
  return Math.max(...ticks.map((tick) => (formatG(tick, 4).split('.')[1] ?? '').length));
}

/** The characters of the picture for terminals that have only ASCII. */
const plainMarks: Readonly<Record<string, string>> = {
  '├': '|',
  '┤': '|',
  '─': '-',
  '━': '-',
  '│': '|',
  '●': 'o',
  '▌': '*',
  '■': '#',
  '□': '.',
  '·': '.',
  '▲': '^',
  '▼': 'v',
  '✓': '+',
  '−': '-',
  '–': '-',
  '±': '+-',
  '≤': '<=',
  α: 'alpha',
  '…': '...',
};
const plainLetters: ReadonlyMap<string, string> = new Map(Array.from('abcdefghijklmnoprstuvwxyz', (letter) => [raised(letter), letter]));

/** Text for a terminal whose character set has none of the marks. */
export function plainText(text: string): string {
  return Array.from(text, (letter) => plainMarks[letter] ?? plainLetters.get(letter) ?? letter).join('');
}
