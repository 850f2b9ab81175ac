import { visible } from '../grid.js';
import type { Verdict, VerdictTopic } from '../verdict/model.js';
import { signedText } from '../verdict/words.js';
import { type ChartOptions, emptyPicture, finished, frameOf, label, labelWidth, shortNumber, svgElement } from './frame.js';
import { niceTicks } from './ticks.js';

const ROW = 22;
/** Topics as squares as long as they can be counted; as parts of a bar beyond. */
const MOST_SQUARES = 60;

type Attributes = Readonly<Record<string, string | number>>;

/** The difference of the verdict's pair on a line with 0, and below it the topics won, tied and lost. */
export function verdictStrip(verdict: Verdict, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const { pair, equivalence, direction, measure, numTopics } = verdict;
  const svg = emptyPicture(frame, 128);
  const text = (x: number, y: number, words: string, anchor: string, more: Attributes = {}): void => {
    svg.append(svgElement(document, 'text', { x, y, 'text-anchor': anchor, ...more }, words));
  };
  const path = (d: string, stroke: string, strokeWidth: number, more: Attributes = {}): void => {
    svg.append(svgElement(document, 'path', { d, fill: 'none', stroke, 'stroke-width': strokeWidth, ...more }));
  };
  const ends = [
    0,
    pair.difference,
    pair.low ?? 0,
    pair.high ?? 0,
    ...(equivalence === null ? [] : [equivalence.margin, -equivalence.margin]),
  ];
  const room = Math.max(1e-9, Math.max(...ends) - Math.min(...ends));
  const [least, most] = [Math.min(...ends) - 0.12 * room, Math.max(...ends) + 0.12 * room];
  const x = (value: number): number => 8 + ((value - least) / (most - least)) * (width - 16);
  const y = 34;
  if (equivalence !== null) {
    const { margin } = equivalence;
    svg.append(
      svgElement(document, 'rect', {
        x: x(-margin),
        y: y - 18,
        width: x(margin) - x(-margin),
        height: 38,
        fill: theme.series[0],
        'fill-opacity': 0.12,
      }),
    );
  }
  path(`M0,${y + 20}H${width}`, theme.muted, 1);
  for (const tick of niceTicks(least, most, 5)) {
    path(`M${round(x(tick))},${y + 20}v4`, theme.muted, 1);
    text(x(tick), y + 38, tick === 0 ? '0' : shortSigned(tick), 'middle', { 'fill-opacity': 0.75 });
  }
  path(`M${round(x(0))},${y - 20}V${y + 20}`, 'currentColor', 1.2);
  const isTold =
    verdict.state === 'better' || verdict.state === 'clear-winner' || (verdict.state === 'no-clear-winner' && pair.significant);
  const colour = isTold || verdict.state === 'equivalent' ? theme.series[0] : theme.ink;
  if (pair.low !== null && pair.high !== null)
    path(`M${round(x(pair.low))},${y}H${round(x(pair.high))}`, colour, 2.4, { 'stroke-linecap': 'round' });
  if (equivalence !== null) path(`M${round(x(equivalence.low))},${y}H${round(x(equivalence.high))}`, colour, 6, { 'stroke-opacity': 0.55 });
  // a hollow dot claims nothing
  svg.append(
    svgElement(document, 'circle', {
      cx: x(pair.difference),
      cy: y,
      r: 5.5,
      fill: isTold || verdict.state === 'equivalent' ? colour : theme.paper,
      stroke: colour,
      'stroke-width': 2.2,
    }),
  );
  text(x(pair.difference), y - 13, signedText(pair.difference, Math.abs(pair.difference) < 0.01 ? 4 : 3), 'middle', {
    'font-weight': 'bold',
    'font-size': 13,
    'paint-order': 'stroke',
    stroke: theme.paper,
    'stroke-width': 3,
  });
  const top = 88;
  const parts = [
    { count: pair.better, fill: theme.series[0] },
    { count: pair.equal, fill: theme.muted },
    { count: pair.worse, fill: theme.series[1] },
  ];
  let done = 0;
  for (const { count, fill } of parts) {
    if (count === 0) continue;
    const squares = numTopics <= MOST_SQUARES ? count : 1;
    const each = (count / squares / numTopics) * width;
    for (let i = 0; i < squares; i++) {
      const isTie = fill === theme.muted;
      svg.append(
        svgElement(document, 'rect', {
          x: done,
          y: top,
          width: Math.max(0.5, each - 2),
          height: 12,
          rx: 1.5,
          fill,
          ...(isTie ? { 'fill-opacity': 0.4 } : {}),
        }),
      );
      done += each;
    }
  }
  text(0, top + 28, `${label(pair.system)} better on ${pair.better}`, 'start');
  if (pair.equal > 0) text(width / 2, top + 28, `${pair.equal} tied`, 'middle', { 'fill-opacity': 0.75 });
  text(width, top + 28, `${label(pair.against)} better on ${pair.worse}`, 'end');
  const title = stripTitle(verdict);
  const description = `${signedText(pair.difference)}, interval ${shortNumber(pair.low)} to ${shortNumber(pair.high)}; ${pair.system} is better on ${pair.better} of ${numTopics} topics, worse on ${pair.worse}, equal on ${pair.equal}.${direction === 'lower' ? ` Less ${measure} is better.` : ''}`;
  return finished(svg, document, { title, description });
}

/** What the strip is called. */
export function stripTitle({ measure, pair, direction }: Verdict): string {
  return `${measure}: ${pair.system} less ${pair.against}${direction === 'lower' ? ' (less is better)' : ''}`;
}

/** The topics that decide the verdict's pair: the largest gains and losses, each with its difference. */
export function decidingBars(verdict: Verdict, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const { topics, direction } = verdict;
  const { gains, losses } = topics;
  const height = (gains.length + losses.length) * ROW + (losses.length > 0 ? 10 : 0) + 8;
  const svg = emptyPicture(frame, height);
  const all = [...gains, ...losses];
  const sign = direction === 'lower' ? -1 : 1;
  const words = ({ topic, query }: VerdictTopic): string => (query === undefined ? topic : `${topic}  ${query}`);
  const left = Math.min(width * 0.45, 12 + labelWidth(all.map(words), 44));
  const right = 52;
  const extent = (side: readonly VerdictTopic[]): number => Math.max(0, ...side.map(({ difference }) => Math.abs(difference)));
  const room = width - left - right;
  const total = extent(gains) + extent(losses) || 1;
  const zero = left + (extent(losses) / total) * room;
  const place = (i: number): number => 4 + i * ROW + (i >= gains.length ? 10 : 0) + ROW / 2;
  svg.append(
    svgElement(document, 'path', { d: `M${round(zero)},2V${height - 2}`, stroke: 'currentColor', 'stroke-width': 1.2, fill: 'none' }),
  );
  for (const [i, one] of all.entries()) {
    const y = place(i);
    const isGain = sign * one.difference > 0;
    const length = (Math.abs(one.difference) / total) * room;
    const bar = svgElement(document, 'rect', {
      x: isGain ? zero : zero - length,
      y: y - 7,
      width: Math.max(1, length),
      height: 14,
      rx: 1,
      fill: isGain ? theme.above : theme.below,
    });
    bar.append(
      svgElement(
        document,
        'title',
        {},
        `topic ${visible(one.topic)}: ${shortNumber(one.system)} against ${shortNumber(one.against)}, ${signedText(one.difference)}`,
      ),
    );
    svg.append(
      bar,
      svgElement(document, 'text', { x: 0, y, dy: '0.32em', 'text-anchor': 'start' }, label(words(one), Math.floor(left / 6.4))),
      svgElement(
        document,
        'text',
        { x: width, y, dy: '0.32em', 'text-anchor': 'end', 'font-weight': 'bold' },
        signedText(one.difference, 2),
      ),
    );
  }
  const listed = all.map(({ topic, difference }) => `${topic} ${signedText(difference)}`).join(', ');
  return finished(svg, document, { title: decidingTitle(verdict), description: `${listed}.` });
}

/** What the bars are called. */
export function decidingTitle({ pair }: Verdict): string {
  return `Topics that decide: ${pair.system} less ${pair.against}`;
}

function shortSigned(value: number): string {
  return `${value > 0 ? '+' : ''}${shortNumber(value)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
