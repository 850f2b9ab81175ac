import { visible } from '../grid.js';
import { type ChartTheme, cssTheme, type SystemStyle, systemStyles, type ThemeName, themeNamed } from './theme.js';

/** Where and how a chart is drawn. */
export interface ChartOptions {
  /** The page's document, or in Node the document of a library such as linkedom. */
  readonly document: Document;
  /** *css* (the default) takes colours from CSS variables, so that one drawing serves light and dark; *light* and *dark* name the
   *  colours themselves, for files that no style sheet reaches. */
  readonly theme?: ThemeName | undefined;
  /** In pixels, 720 by default. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Whether marks say which system and topic they stand for, for pages that light them up and open them. */
  readonly links?: boolean | undefined;
  /** Systems in colour and with labels, where there are too many for all: the best ones by default. */
  readonly highlight?: readonly string[] | undefined;
}

/** The options of a chart with its defaults filled in. */
export interface Frame {
  readonly document: Document;
  readonly theme: ChartTheme;
  readonly width: number;
  readonly links: boolean;
}

const DEFAULT_WIDTH = 720;
/** The size of all text in charts, in pixels. */
export const FONT_SIZE = 12;
const LONGEST_LABEL = 26;

/** Fills in the defaults of a chart's options. */
export function frameOf({ document, theme, width, links = false }: ChartOptions): Frame {
  return { document, theme: theme === undefined ? cssTheme : themeNamed(theme), width: width ?? DEFAULT_WIDTH, links };
}

/** A name fit for a label: control characters shown, and not too long. */
export function label(name: string, longest: number = LONGEST_LABEL): string {
  const shown = Array.from(visible(name));
  return shown.length <= longest ? shown.join('') : `${shown.slice(0, longest - 1).join('')}…`;
}

/** The room that the longest of some labels takes, in pixels: a little more than in the widest fonts that are usual. */
export function labelWidth(names: readonly string[], longest: number = LONGEST_LABEL): number {
  return names.reduce((most, name) => Math.max(most, textWidth(label(name, longest))), 0);
}

/** A name cut to so many pixels, for labels that stand at the edge of a picture. */
export function labelWithin(name: string, pixels: number, longest: number = LONGEST_LABEL): string {
  const whole = label(name, longest);
  if (textWidth(whole) <= pixels) return whole;
  const letters = Array.from(visible(name));
  for (let kept = Math.min(letters.length, longest) - 1; kept > 1; kept--) {
    const shown = `${letters.slice(0, kept).join('')}…`;
    if (textWidth(shown) <= pixels) return shown;
  }
  return `${letters[0] ?? ''}…`;
}

function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/[mwMW@%\u2026]/.test(letter)) width += 12;
    else if (/[A-Z_]/.test(letter)) width += 8.6;
    else if (/[fijlrtI.,:;'|!()[\] -]/.test(letter)) width += 5;
    else width += letter > '\u10ff' ? 13 : 7.8;
  }
  return width;
}

/** An SVG element that is not yet in any document. */
export function svgElement(
  document: Document,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
  }
  if (text !== undefined) element.textContent = text;
  return element;
}

/** An empty picture, for charts that are drawn by hand. */
export function emptyPicture({ document, width }: Frame, height: number): SVGSVGElement {
  return svgElement(document, 'svg', {
    fill: 'currentColor',
    'font-family': 'system-ui, sans-serif',
    'text-anchor': 'middle',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  }) as SVGSVGElement;
}

/** The title and the description of a picture. */
export interface Words {
  readonly title: string;
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
}

/** Makes a drawing fit for any page: no style sheet of its own, which a strict page would refuse, and words for screen readers. */
export function finished(svg: SVGSVGElement, document: Document, { title, description }: Words): SVGSVGElement {
  for (const style of Array.from(svg.querySelectorAll('style'))) style.remove();
  // Plot names its groups, which have no role that could have a name; the picture as a whole has one
  for (const group of Array.from(svg.querySelectorAll('g[aria-label]'))) group.removeAttribute('aria-label');
  svg.setAttribute('class', 'gradus-chart');
  svg.setAttribute('font-size', String(FONT_SIZE));
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', visible(title));
  const words = svgElement(document, 'title', {}, visible(title));
  svg.insertBefore(words, svg.firstChild);
  svg.insertBefore(svgElement(document, 'desc', {}, visible(description)), words.nextSibling);
  return svg;
}

/** Three decimals without trailing zeros, for descriptions and tooltips. */
export function shortNumber(value: number | null): string {
  if (value === null) return 'none';
  const text = value.toFixed(4).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text.replace('-', '−');
}

/** A difference: short, with a plus sign if it is above 0. */
export function signedNumber(value: number): string {
  const text = shortNumber(value);
  return value > 0 && text !== '0' ? `+${text}` : text;
}

/** Which systems are drawn in colour: all if they are few, those asked for, or the leading ones. */
export function stylesOf(
  systems: readonly string[],
  order: readonly number[],
  theme: ChartTheme,
  highlight?: readonly string[],
): Map<number, SystemStyle> {
  const asked = highlight?.map((name) => systems.indexOf(name)).filter((s) => s >= 0) ?? [];
  return systemStyles(systems.length, asked.length > 0 ? asked : order, theme);
}

/** The symbol of Plot for a marker, and whether it is filled. */
export function symbolOf({ marker, colour }: SystemStyle, paper: string): Readonly<Record<string, string | number>> {
  switch (marker) {
    case 'disc':
      return { symbol: 'circle', fill: colour, r: 3.2 };
    case 'ring':
      return { symbol: 'circle', fill: paper, stroke: colour, strokeWidth: 1.8, r: 3.2 };
    case 'hollow square':
      return { symbol: 'square', fill: paper, stroke: colour, strokeWidth: 1.8, r: 3.2 };
    case 'times':
    case 'plus':
      return { symbol: marker, stroke: colour, strokeWidth: 1.8, r: 3.2 };
    default:
      return { symbol: marker, fill: colour, r: 3.4 };
  }
}

/** Of so many places in a row, those that have a label: the first, the last, and every so manieth before the last. */
export function labelledPlaces(count: number, step: number): Set<number> {
  const shown = new Set<number>();
  for (let i = count - 1; i >= 0; i -= step) shown.add(i);
  if (count > 0 && !shown.has(0)) {
    // the first takes the place of a neighbour that would touch it
    for (let i = 1; i < step; i++) shown.delete(i);
    shown.add(0);
  }
  return shown;
}

/** Moves positions apart until none is closer to the next than `gap`, changing them as little as that allows, within `low` to `high`. */
export function spreadApart(positions: readonly number[], gap: number, low: number, high: number): number[] {
  const order = positions.map((_, i) => i).sort((a, b) => positions[a] - positions[b] || a - b);
  const placed = new Array<number>(positions.length);
  let next = low;
  for (const i of order) {
    placed[i] = Math.max(positions[i], next);
    next = placed[i] + gap;
  }
  let last = high;
  for (const i of order.toReversed()) {
    placed[i] = Math.min(placed[i], last);
    last = placed[i] - gap;
  }
  return placed;
}
