/** The verdict as a drawing of its own, for slides and messages: title, axis and source, on a light ground. */
import type { Board } from 'gradus/experiment';
import type { VerdictAnswer } from '../engine/glance.js';
import { scaleOf, tickText } from './scale.js';

const WIDTH = 1200;
const SIDE = 40;
const ROW = 30;
const MOST = 12;
const ink = '#1b1f25';
const soft = '#565e69';
const faint = '#69717b';
const dim = '#868d96';

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes, text?: string): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Words in lines of about so many characters. */
function lines(text: string, most: number): string[] {
  const found: string[] = [''];
  for (const word of text.split(' ')) {
    const last = found[found.length - 1];
    if (last !== '' && last.length + word.length >= most) found.push(word);
    else found[found.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return found;
}

export function verdictPicture({ verdict, words, methods }: VerdictAnswer, standings: Board, names: readonly string[]): SVGSVGElement {
  const parts: SVGElement[] = [];
  let y = SIDE + 8;
  const write = (text: string, size: number, attributes: Attributes, most: number): void => {
    for (const line of lines(text, most)) {
      parts.push(element('text', { x: SIDE, y: y + size, 'font-size': size, ...attributes }, line));
      y += size * 1.35;
    }
  };
  write(`${words.sign} ${words.state} · ${verdict.measure} over ${verdict.numTopics} topics`, 17, { fill: soft }, 120);
  y += 6;
  write(words.heading, 34, { fill: ink, 'font-weight': 640 }, 62);
  y += 4;
  write(words.detail, 18, { fill: soft }, 122);
  y += 22;
  const rows = standings.againstBest.slice(0, MOST);
  const scale = scaleOf([0, ...rows.flatMap(({ low, high }) => [low, high])]);
  const from = 330;
  const to = 950;
  const x = (value: number): number => from + ((to - from) * scale.place(value)) / 100;
  const bottom = y + rows.length * ROW;
  for (const tick of scale.ticks) {
    parts.push(
      element('line', { x1: x(tick), x2: x(tick), y1: y, y2: bottom, stroke: tick === 0 ? faint : '#ece9e2', 'stroke-width': 1.4 }),
    );
    const label = tick === 0 ? 'no difference' : tickText(tick, true);
    parts.push(element('text', { x: x(tick), y: bottom + 20, 'font-size': 14, fill: faint, 'text-anchor': 'middle' }, label));
  }
  for (const [i, row] of rows.entries()) {
    const middle = y + (i + 0.5) * ROW;
    const colour = row.toldApart ? ink : dim;
    const name = names[row.system];
    const weight = row.toldApart ? 600 : 400;
    parts.push(
      element(
        'text',
        { x: SIDE, y: middle + 6, 'font-size': 17, fill: ink, 'font-weight': weight },
        name.length > 32 ? `${name.slice(0, 31)}…` : name,
      ),
      element('line', { x1: x(row.low), x2: x(row.high), y1: middle, y2: middle, stroke: colour, 'stroke-width': 3 }),
      element('circle', {
        cx: x(row.difference),
        cy: middle,
        r: 6,
        fill: row.toldApart ? ink : '#ffffff',
        stroke: colour,
        'stroke-width': 2.4,
      }),
      element(
        'text',
        { x: WIDTH - SIDE, y: middle + 6, 'font-size': 16, fill: soft, 'text-anchor': 'end' },
        `${row.wins} · ${row.ties} · ${row.losses}`,
      ),
    );
  }
  const left = standings.againstBest.length - rows.length;
  y = bottom + 40;
  write(
    `The best less each other system: difference in mean ${verdict.measure} with its ${Number((100 * standings.level).toPrecision(4))}% interval, and topics won, tied, lost. Filled: told apart.${left > 0 ? ` ${left} more systems are not shown.` : ''}`,
    14,
    { fill: faint },
    160,
  );
  write(methods, 14, { fill: faint }, 160);
  const height = Math.round(y + SIDE - 10);
  const svg = element('svg', {
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
    'font-family': 'system-ui, sans-serif',
    role: 'img',
  }) as SVGSVGElement;
  svg.append(element('title', {}, words.heading), ...parts);
  return svg;
}
