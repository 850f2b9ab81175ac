import { darkTheme, lightTheme, type ThemeName, themeVariables } from './theme.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const TEXT_NODE = 3;
const ELEMENT_NODE = 1;

/** Attributes whose text may come from outside; all others are made of words and numbers of ours. */
const wordAttributes: ReadonlySet<string> = new Set(['aria-label', 'aria-description', 'font-family', 'class', 'id']);

/** A drawing as a file of its own. With *css*, which must be the theme it was drawn with, it follows the reader's choice of light or
 *  dark; with the others it has their paper behind it. */
export function svgFile(svg: SVGSVGElement, theme: ThemeName = 'css'): string {
  const fixed = theme === 'dark' ? darkTheme : lightTheme;
  const paper = 'color: var(--gradus-ink); background: var(--gradus-paper);';
  const other = theme === 'css' ? ` @media (prefers-color-scheme: dark) { svg { ${themeVariables(darkTheme)} } }` : '';
  const style = `<style>svg { ${themeVariables(fixed)} ${paper} }${other}</style>`;
  // programs that know no style sheets take the colour of the text from the attribute
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markupOf(svg, { xmlns: NAMESPACE, color: fixed.ink }, style)}\n`;
}

/** A drawing as part of a page. Written by hand, because documents differ in what they escape and in the order of attributes. */
export function svgMarkup(svg: SVGSVGElement): string {
  return markupOf(svg, {}, '');
}

function markupOf(element: Element, more: Readonly<Record<string, string>>, start: string): string {
  const own = Array.from(element.attributes, ({ name, value }) => [name, value] as const).filter(([name]) => name !== 'xmlns');
  const attributes = [...Object.entries(more), ...own]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ` ${name}="${escaped(attributeText(name, value))}"`);
  const name = element.localName;
  const content = start + Array.from(element.childNodes, contentOf).join('');
  return content === '' ? `<${name}${attributes.join('')}/>` : `<${name}${attributes.join('')}>${content}</${name}>`;
}

function contentOf(node: ChildNode): string {
  if (node.nodeType === TEXT_NODE) return escaped(node.textContent ?? '');
  return node.nodeType === ELEMENT_NODE ? markupOf(node as Element, {}, '') : '';
}

/** A hundredth of a pixel is more than anyone sees, and a long drawing is half as large without the rest. */
function attributeText(name: string, value: string): string {
  return wordAttributes.has(name)
    ? value
    : value.replace(/-?\d+\.\d{3,}(e-?\d+)?/g, (number) => String(Math.round(Number(number) * 100) / 100));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
