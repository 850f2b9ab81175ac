import { latexText } from '../latex/text.js';
import { lightTheme } from './theme.js';

/** Points of TeX for a pixel of the drawing: text of 12 pixels is 9 points high, as text in figures of papers is. */
const POINTS_PER_PIXEL = 0.75;
/** Places of a path in a line of the file. */
const PLACES_PER_LINE = 8;

/** What elements of a drawing inherit. */
interface Style {
  readonly fill: string;
  readonly stroke: string;
  readonly fillOpacity: number;
  readonly strokeOpacity: number;
  readonly strokeWidth: number;
  readonly dash: string;
  readonly cap: string;
  readonly join: string;
  readonly fontSize: number;
  readonly anchor: string;
  readonly isBold: boolean;
}

const initial: Style = {
  fill: 'currentColor',
  stroke: 'none',
  fillOpacity: 1,
  strokeOpacity: 1,
  strokeWidth: 1,
  dash: 'none',
  cap: 'butt',
  join: 'miter',
  fontSize: 12,
  anchor: 'start',
  isBold: false,
};

/** x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A drawing as a `tikzpicture`, which a paper takes in with `\input`: lines, areas and text, the text in the font of the paper. It has
 *  the colours of light paper. */
export function tikzPicture(svg: SVGSVGElement): string {
  const writer = new TikzWriter();
  writer.element(svg, initial, [1, 0, 0, 1, 0, 0]);
  return writer.picture(svg.getAttribute('aria-label') ?? '');
}

class TikzWriter {
  private readonly lines: string[] = [];
  private readonly colours = new Map<string, string>();

  picture(title: string): string {
    const unit = `${POINTS_PER_PIXEL}pt`;
    return [
      `% ${title.replaceAll(/\s+/g, ' ')}`,
      '% \\usepackage{tikz}',
      `\\begin{tikzpicture}[x=${unit},y=-${unit}]`,
      ...Array.from(this.colours, ([colour, name]) => `\\definecolor{${name}}{HTML}{${colour}}`),
      ...this.lines,
      '\\end{tikzpicture}',
      '',
    ].join('\n');
  }

  element(element: Element, inherited: Style, outer: Matrix): void {
    const style = styleOf(element, inherited);
    const matrix = product(outer, matrixOf(element.getAttribute('transform') ?? ''));
    const number = (name: string): number => lengthOf(element.getAttribute(name) ?? '0', style.fontSize);
    switch (element.localName) {
      case 'svg':
      case 'g':
        for (const child of Array.from(element.children)) this.element(child, style, matrix);
        break;
      case 'line':
        this.path(`M${number('x1')},${number('y1')}L${number('x2')},${number('y2')}`, { ...style, fill: 'none' }, matrix);
        break;
      case 'rect': {
        const [x, y, width, height] = ['x', 'y', 'width', 'height'].map(number);
        this.path(`M${x},${y}h${width}v${height}h${-width}Z`, style, matrix);
        break;
      }
      case 'path':
        this.path(element.getAttribute('d') ?? '', style, matrix);
        break;
      case 'circle': {
        const [x, y] = placed(matrix, number('cx'), number('cy'));
        this.draw(`${at(x, y)} circle[radius=${points(number('r'))}]`, style);
        break;
      }
      case 'text':
        this.text(element, style, matrix, number('x') + number('dx'), number('y') + number('dy'));
        break;
      case 'title':
      case 'desc':
      case 'style':
        break;
      default:
        throw new Error(`a chart has an element that TikZ is not written for: ${element.localName}`);
    }
  }

  private path(d: string, style: Style, matrix: Matrix): void {
    const places = tikzPlaces(d, matrix);
    if (places.length === 0) return;
    const lines: string[] = [];
    for (let i = 0; i < places.length; i += PLACES_PER_LINE) lines.push(places.slice(i, i + PLACES_PER_LINE).join(' '));
    this.draw(lines.join('\n  '), style);
  }

  /** Fills and draws; what does neither is left out. */
  private draw(shape: string, style: Style): void {
    const options: string[] = [];
    const fill = this.colour(style.fill);
    const stroke = this.colour(style.stroke);
    if (fill !== undefined) options.push(`fill=${fill}`, ...(style.fillOpacity < 1 ? [`fill opacity=${rounded(style.fillOpacity)}`] : []));
    if (stroke !== undefined) {
      options.push(`draw=${stroke}`, `line width=${points(style.strokeWidth)}`);
      if (style.strokeOpacity < 1) options.push(`draw opacity=${rounded(style.strokeOpacity)}`);
      if (style.cap !== 'butt') options.push(`line cap=${style.cap === 'square' ? 'rect' : style.cap}`);
      if (style.join !== 'miter') options.push(`line join=${style.join}`);
      const dashes = style.dash === 'none' ? [] : style.dash.split(/[\s,]+/).map(Number);
      if (dashes.length > 0) {
        const pattern = dashes.length % 2 === 0 ? dashes : [...dashes, ...dashes];
        options.push(`dash pattern=${pattern.map((length, i) => `${i % 2 === 0 ? 'on' : 'off'} ${points(length)}`).join(' ')}`);
      }
    }
    if (options.length > 0) this.lines.push(`\\path[${options.join(',')}] ${shape};`);
  }

  private text(element: Element, style: Style, matrix: Matrix, x: number, y: number): void {
    const words = (element.textContent ?? '').trim();
    const colour = this.colour(style.fill);
    if (words === '' || colour === undefined) return;
    const anchor = { start: 'base west', end: 'base east' }[style.anchor] ?? 'base';
    const size = style.fontSize * POINTS_PER_PIXEL;
    const turned = -Math.round((Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI);
    const options = [
      `anchor=${anchor}`,
      'inner sep=0pt',
      `text=${colour}`,
      ...(style.fillOpacity < 1 ? [`text opacity=${rounded(style.fillOpacity)}`] : []),
      ...(turned === 0 ? [] : [`rotate=${turned}`]),
      `font=\\fontsize{${rounded(size)}}{${rounded(size * 1.2)}}\\selectfont${style.isBold ? '\\bfseries' : ''}`,
    ];
    this.lines.push(`\\node[${options.join(',')}] at ${at(...placed(matrix, x, y))} {${latexText(words)}};`);
  }

  /** What TikZ calls a colour of the drawing; undefined for none. */
  private colour(word: string): string | undefined {
    if (word === 'none') return undefined;
    const hex = /^#([0-9a-f]{6})$/i.exec(word === 'currentColor' ? lightTheme.ink : (/^var\(.*,\s*(#\w+)\)$/.exec(word)?.[1] ?? word))?.[1];
    if (hex === undefined) throw new Error(`a chart has a colour that TikZ is not written for: ${word}`);
    const key = hex.toUpperCase();
    const known = this.colours.get(key);
    if (known !== undefined) return known;
    const name = `gradus${String.fromCharCode('A'.charCodeAt(0) + this.colours.size)}`;
    this.colours.set(key, name);
    return name;
  }
}

function styleOf(element: Element, inherited: Style): Style {
  const word = (name: string, otherwise: string): string => element.getAttribute(name) ?? otherwise;
  const number = (name: string, otherwise: number): number => Number(word(name, String(otherwise)));
  const opacity = number('opacity', 1);
  return {
    fill: word('fill', inherited.fill),
    stroke: word('stroke', inherited.stroke),
    fillOpacity: number('fill-opacity', inherited.fillOpacity) * opacity,
    strokeOpacity: number('stroke-opacity', inherited.strokeOpacity) * opacity,
    strokeWidth: number('stroke-width', inherited.strokeWidth),
    dash: word('stroke-dasharray', inherited.dash),
    cap: word('stroke-linecap', inherited.cap),
    join: word('stroke-linejoin', inherited.join),
    fontSize: number('font-size', inherited.fontSize),
    anchor: word('text-anchor', inherited.anchor),
    isBold: word('font-weight', inherited.isBold ? 'bold' : '') === 'bold',
  };
}

function lengthOf(text: string, fontSize: number): number {
  return text.endsWith('em') ? Number(text.slice(0, -2)) * fontSize : Number(text);
}

function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function matrixOf(transform: string): Matrix {
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [, name, values] of transform.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x = 0, y = 0] = values.split(/[\s,]+/).map(Number);
    if (name === 'translate') matrix = product(matrix, [1, 0, 0, 1, x, y]);
    else if (name === 'rotate') {
      const angle = (x * Math.PI) / 180;
      matrix = product(matrix, [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]);
    } else throw new Error(`a chart has a transformation that TikZ is not written for: ${name}`);
  }
  return matrix;
}

function placed([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** How many numbers each command of a path takes. */
const numbersOf: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, Z: 0 };

/** The places of a path, with what leads from each to the next. */
function tikzPlaces(d: string, matrix: Matrix): string[] {
  const words = d.match(/[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/g) ?? [];
  const places: string[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let command = '';
  for (let i = 0; i < words.length; ) {
    if (/[a-zA-Z]/.test(words[i])) command = words[i++];
    const kind = command.toUpperCase();
    const count = numbersOf[kind];
    if (count === undefined) throw new Error(`a chart has a path that TikZ is not written for: ${command}`);
    const isRelative = command !== kind;
    const own = words
      .slice(i, i + count)
      .map((word, n) => Number(word) + (isRelative ? (kind === 'V' || (kind !== 'H' && n % 2 === 1) ? y : x) : 0));
    i += count;
    if (kind === 'Z') {
      places.push('-- cycle');
      [x, y] = [startX, startY];
      continue;
    }
    if (kind === 'H') x = own[0];
    else if (kind === 'V') y = own[0];
    else [x, y] = own.slice(-2);
    const end = at(...placed(matrix, x, y));
    if (kind === 'M') {
      [startX, startY] = [x, y];
      places.push(end);
      // further places after the first are lines
      command = isRelative ? 'l' : 'L';
    } else if (kind === 'C') {
      places.push(`.. controls ${at(...placed(matrix, own[0], own[1]))} and ${at(...placed(matrix, own[2], own[3]))} .. ${end}`);
    } else places.push(`-- ${end}`);
  }
  return places;
}

function at(x: number, y: number): string {
  return `(${rounded(x)},${rounded(y)})`;
}

function points(pixels: number): string {
  return `${rounded(pixels * POINTS_PER_PIXEL)}pt`;
}

/** A hundredth of a pixel is more than anyone sees. */
function rounded(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}
