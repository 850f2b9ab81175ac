import { visible } from '../grid.js';
import {
  type ChartOptions,
  emptyPicture,
  finished,
  frameOf,
  label,
  labelWidth,
  labelWithin,
  shortNumber,
  signedNumber,
  spreadApart,
  stylesOf,
  svgElement,
} from './frame.js';
import { markerAt } from './markers.js';
import { niceTicks } from './ticks.js';

type Attributes = Readonly<Record<string, string | number>>;

/** What tools say of one ranking, in the order of the rows; the first is the one that gaps are counted from. */
export interface ToolGaps {
  readonly measure: string;
  readonly fromValue: number;
  readonly rows: readonly {
    readonly names: readonly string[];
    readonly value: number;
    readonly steps: readonly { readonly label: string; readonly share: number; readonly reason: string }[];
  }[];
}

const LANE = 24;
const NAME_LINE = 17;
const MOST_NAME_LINES = 4;
/** Which colours rules have, by the order in which they appear: those of A and B come late. */
const RULE_COLOURS = [3, 1, 2, 4, 7, 0, 6, 5];

/** Steps that four decimals do not show are not drawn. */
const LEAST_STEP = 5e-5;

/** Each row walks from the value that one starts from to its own, one arrow for each rule. */
export function toolGaps({ measure, fromValue, rows }: ToolGaps, options: ChartOptions): SVGSVGElement {
  const data = {
    measure,
    fromValue,
    rows: rows.map((row) => ({ ...row, steps: row.steps.filter(({ share }) => Math.abs(share) >= LEAST_STEP) })),
  };
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const isNarrow = width < 620;
  const right = 62;
  const left = isNarrow ? 8 : Math.min(width * 0.3, 300);
  const lines = data.rows.map(({ names }) => namesOf(names, (isNarrow ? width - right : left) - 12));
  const laneRows = data.rows.map(({ steps }) => Math.max(1, steps.length));
  const heights = data.rows.map((_, r) =>
    isNarrow ? lines[r].length * NAME_LINE + laneRows[r] * LANE + 22 : Math.max(lines[r].length * NAME_LINE, laneRows[r] * LANE) + 26,
  );
  const top = 8;
  const height = top + heights.reduce((sum, one) => sum + one, 0) + 34;
  const svg = emptyPicture(frame, height);
  const stops = data.rows.flatMap(({ steps, value }) => {
    let sum = data.fromValue;
    return [value, data.fromValue, ...steps.map(({ share }) => (sum += share))];
  });
  const [least, most] = [Math.min(...stops), Math.max(...stops)];
  const air = (most - least) * 0.08 || Math.abs(most) * 0.1 || 0.1;
  const x = (value: number): number => left + 8 + ((value - least + air) / (most - least + 2 * air)) * (width - left - right - 16);
  const text = (at: number, y: number, words: string, anchor: string, more: Attributes = {}): void => {
    svg.append(svgElement(document, 'text', { x: at, y, 'text-anchor': anchor, dy: '0.32em', ...more }, words));
  };
  const line = (d: string, stroke: string, strokeWidth: number, more: Attributes = {}): void => {
    svg.append(svgElement(document, 'path', { d, fill: 'none', stroke, 'stroke-width': strokeWidth, ...more }));
  };
  const bottom = height - 34;
  for (const tick of niceTicks(least - air, most + air, Math.min(6, (width - left - right) / 70))) {
    line(`M${round(x(tick))},${top}V${bottom}`, theme.muted, 1, { 'stroke-opacity': 0.3 });
    text(x(tick), bottom + 14, shortNumber(tick), 'middle', { 'fill-opacity': 0.8 });
  }
  line(`M${round(x(data.fromValue))},${top}V${bottom}`, theme.series[0], 1.4, { 'stroke-dasharray': '3 3' });
  const rules = [...new Set(data.rows.flatMap(({ steps }) => steps.map((step) => step.label)))];
  const colourOf = (rule: string): string => theme.series[RULE_COLOURS[rules.indexOf(rule) % RULE_COLOURS.length]];
  let y = top;
  for (const [r, row] of data.rows.entries()) {
    const names = lines[r];
    const namesFrom = isNarrow ? y + 14 : y + heights[r] / 2 - ((names.length - 1) * NAME_LINE) / 2;
    for (const [n, words] of names.entries()) text(0, namesFrom + n * NAME_LINE, words, 'start', n === 0 ? { 'font-weight': 'bold' } : {});
    const lanesFrom = (isNarrow ? y + names.length * NAME_LINE + 8 : y + heights[r] / 2 - (laneRows[r] * LANE) / 2) + LANE / 2 + 4;
    let sum = data.fromValue;
    for (const [i, { label: rule, share, reason }] of row.steps.entries()) {
      const [from, to] = [x(sum), x(sum + share)];
      const at = lanesFrom + i * LANE;
      sum += share;
      const isLast = i === row.steps.length - 1;
      const colour = colourOf(rule);
      const way = to >= from ? 1 : -1;
      const group = svgElement(document, 'g', {});
      group.append(
        svgElement(document, 'title', {}, `${visible(rule)} ${signedNumber(share)}: ${visible(reason)}`),
        svgElement(document, 'path', { d: `M${round(from)},${round(at)}H${round(to)}`, fill: 'none', stroke: colour, 'stroke-width': 3 }),
      );
      if (!isLast) {
        if (Math.abs(to - from) > 8)
          group.append(svgElement(document, 'path', { d: `M${round(to)},${round(at)}l${-7 * way},-4v8z`, fill: colour }));
        group.append(
          svgElement(document, 'path', {
            d: `M${round(to)},${round(at)}v${LANE}`,
            fill: 'none',
            stroke: theme.muted,
            'stroke-width': 1,
            'stroke-dasharray': '2 2',
          }),
        );
      }
      svg.append(group);
      stepLabel(text, `${label(rule, 30)} ${signedNumber(share)}`, [from, to], at, [left, width - right]);
    }
    const ownY = lanesFrom + Math.max(0, row.steps.length - 1) * LANE;
    svg.append(svgElement(document, 'circle', { cx: x(row.value), cy: ownY, r: 5, fill: r === 0 ? theme.series[0] : theme.ink }));
    text(width - 2, isNarrow ? namesFrom : y + heights[r] / 2, row.value.toFixed(4), 'end', {
      'font-weight': 'bold',
      'font-variant': 'tabular-nums',
    });
    y += heights[r];
    if (r < data.rows.length - 1) line(`M0,${round(y)}H${width}`, theme.muted, 1, { 'stroke-opacity': 0.35 });
  }
  const words = data.rows.map(
    ({ names, value, steps }) =>
      `${names.join(', ')}: ${shortNumber(value)}${steps.length === 0 ? '' : ` (${steps.map((step) => `${step.label} ${signedNumber(step.share)}`).join(', ')})`}`,
  );
  return finished(svg, document, { title: `${data.measure} as each tool reports it`, description: `${words.join('; ')}.` });
}

/** Above the middle of its arrow if it fits between the ends of the lane, otherwise shifted so that it does. */
function stepLabel(
  text: (at: number, y: number, words: string, anchor: string, more?: Attributes) => void,
  words: string,
  [from, to]: readonly [number, number],
  y: number,
  [left, right]: readonly [number, number],
): void {
  const half = labelWidth([words], 60) / 2;
  const middle = Math.max(left + half, Math.min(right - half, (from + to) / 2));
  text(middle, y - 11, words, 'middle', { 'font-size': 11, 'font-weight': 'bold' });
}

/** Names in as few lines as they need, and how many more there are. */
function namesOf(names: readonly string[], room: number): string[] {
  const lines: string[] = [];
  let shown = 0;
  for (const name of names) {
    const last = lines.at(-1);
    const longer = last === undefined ? undefined : `${last}, ${label(name, 60)}`;
    if (longer !== undefined && labelWidth([longer], 200) <= room) lines[lines.length - 1] = longer;
    else if (lines.length < MOST_NAME_LINES - 1 || (lines.length < MOST_NAME_LINES && shown === names.length - 1))
      lines.push(labelWithin(name, room, 60));
    else break;
    shown++;
  }
  if (shown < names.length) lines.push(`and ${names.length - shown} more`);
  return lines;
}

/** Places of systems under one condition after another. */
export interface OrderColumns {
  readonly systems: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly detail: string;
    /** The place of each system, from 1. */
    readonly places: readonly number[];
    readonly tau: number | null;
  }[];
}

/** With more systems than this only those in colour have names. */
const MOST_NAMED = 40;

/** A line for each system from order to order; those that are followed in colour, the others in grey. */
export function bumpChart({ systems, columns }: OrderColumns, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const isMany = systems.length > MOST_NAMED;
  const [first] = columns;
  const last = columns[columns.length - 1];
  const order = systems.map((_, s) => s).sort((a, b) => first.places[a] - first.places[b]);
  const styles = stylesOf(systems, order, theme, options.highlight);
  const named = systems.filter((_, s) => !isMany || styles.has(s));
  const side = Math.min(width * 0.26, 14 + labelWidth(named));
  const left = side + 26;
  const right = width - side;
  const row = isMany ? Math.max(4, 640 / systems.length) : 22;
  const step = columns.length < 2 ? 0 : (right - left) / (columns.length - 1);
  // slanted heads need more height than upright ones
  const heads = columns.map(({ name, detail }) => [...wrapped(name, step - 8), ...wrapped(detail, step - 8)]);
  const headLines = Math.max(...heads.map((lines) => lines.length));
  const top = 14 + headLines * 14 + 12;
  const bottom = top + (systems.length - 1) * row;
  const height = bottom + 40;
  const svg = emptyPicture(frame, height);
  const x = (c: number): number => (columns.length < 2 ? (left + right) / 2 : left + c * step);
  const y = (place: number): number => top + (place - 1) * row;
  const text = (at: number, atY: number, words: string, anchor: string, more: Attributes = {}): SVGElement => {
    const element = svgElement(document, 'text', { x: at, y: atY, 'text-anchor': anchor, dy: '0.32em', ...more }, words);
    svg.append(element);
    return element;
  };
  for (const [c, column] of columns.entries()) {
    const plain = wrapped(column.name, step - 8).length;
    for (const [i, words] of heads[c].entries()) {
      text(x(c), 14 + i * 14, words, 'middle', i < plain ? { 'font-weight': 'bold' } : { 'font-size': 11, 'fill-opacity': 0.8 });
    }
    svg.append(
      svgElement(document, 'path', {
        d: `M${round(x(c))},${top - 8}V${round(bottom + 8)}`,
        fill: 'none',
        stroke: theme.muted,
        'stroke-width': 1,
        'stroke-opacity': 0.3,
      }),
    );
    const tau = c === 0 ? 'τ' : column.tau === null ? '–' : `${step > 60 ? 'τ ' : ''}${column.tau.toFixed(2).replace('-', '−')}`;
    text(x(c), bottom + 26, tau, 'middle', { 'font-size': 11, 'font-weight': 'bold' });
  }
  const every = isMany ? Math.ceil(22 / row) : 1;
  for (let place = 1; place <= systems.length; place += every)
    text(0, y(place), String(place), 'start', { 'font-size': 11, 'fill-opacity': 0.8 });
  const inFront = order.filter((s) => styles.has(s));
  for (const s of [...order.filter((one) => !styles.has(one)), ...inFront]) {
    const style = styles.get(s);
    const group = svgElement(document, 'g', { 'data-system': s });
    group.append(
      svgElement(
        document,
        'title',
        {},
        `${visible(systems[s])}: ${columns.map(({ name, detail, places }) => `${places[s]} by ${[name, detail].filter((word) => word !== '').join(', ')}`).join('; ')}`,
      ),
    );
    group.append(
      svgElement(document, 'path', {
        d: waves(columns.map(({ places }, c) => [x(c), y(places[s])])),
        fill: 'none',
        stroke: style?.colour ?? theme.muted,
        'stroke-width': style === undefined ? 1.2 : 2.4,
        'stroke-opacity': style === undefined ? 0.55 : 1,
        ...(style?.dash === undefined ? {} : { 'stroke-dasharray': style.dash }),
      }),
    );
    for (const [c, { places }] of columns.entries()) {
      if (style !== undefined) group.append(markerAt(document, style, x(c), y(places[s]), theme.paper));
      else if (!isMany) group.append(svgElement(document, 'circle', { cx: x(c), cy: y(places[s]), r: 2, fill: theme.muted }));
    }
    svg.append(group);
  }
  const beside = (s: number, at: number, place: number, anchor: string): void => {
    const style = styles.get(s);
    const shown = labelWithin(systems[s], side - 14);
    const name = text(at, place, shown, anchor, {
      'data-system': s,
      ...(style === undefined ? { 'fill-opacity': 0.8 } : { fill: style.colour, 'font-weight': 'bold' }),
    });
    if (shown !== visible(systems[s])) name.append(svgElement(document, 'title', {}, visible(systems[s])));
  };
  const namedPlaces = systems.map((_, s) => s).filter((s) => !isMany || styles.has(s));
  const atLeft = apart(
    namedPlaces.map((s) => y(first.places[s])),
    isMany,
    top,
    bottom,
  );
  const atRight = apart(
    namedPlaces.map((s) => y(last.places[s])),
    isMany,
    top,
    bottom,
  );
  for (const [i, s] of namedPlaces.entries()) {
    beside(s, left - 10, atLeft[i], 'end');
    if (columns.length > 1) beside(s, right + 10, atRight[i], 'start');
  }
  const best = order[0];
  const moved = systems
    .map((name, s) => ({ name, places: columns.map(({ places }) => places[s]) }))
    .map(({ name, places }) => ({ name, low: Math.min(...places), high: Math.max(...places) }))
    .sort((a, b) => b.high - b.low - (a.high - a.low))[0];
  return finished(svg, document, {
    title: `Places of ${systems.length} systems in ${columns.length} orders`,
    description:
      best === undefined
        ? 'No systems.'
        : `First by ${first.name}: ${systems[best]}. ${moved.name} moves most, from place ${moved.low} to ${moved.high}.`,
  });
}

/** Names of lines that lie close are moved apart. */
function apart(places: readonly number[], isNeeded: boolean, top: number, bottom: number): number[] {
  return isNeeded ? spreadApart(places, 14, top, bottom) : [...places];
}

/** A line that leaves and reaches each point level. */
function waves(points: readonly (readonly [number, number])[]): string {
  return points
    .map(([x, y], i) => {
      if (i === 0) return `M${round(x)},${round(y)}`;
      const [fromX, fromY] = points[i - 1];
      const middle = round((fromX + x) / 2);
      return `C${middle},${round(fromY)} ${middle},${round(y)} ${round(x)},${round(y)}`;
    })
    .join('');
}

/** Words in lines of so many pixels. */
function wrapped(words: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of visible(words).split(' ')) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && labelWidth([longer], 200) > Math.max(40, room)) lines.push(word);
    else if (lines.length === 0) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.filter((line) => line !== '').map((line) => labelWithin(line, Math.max(40, room), 60));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
