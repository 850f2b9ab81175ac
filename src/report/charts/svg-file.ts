import { darkTheme, lightTheme, type ThemeName, themeVariables } from './theme.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** A drawing as a file of its own. With *css*, which must be the theme it was drawn with, it follows the reader's choice of light or
 *  dark; with the others it has their paper behind it. */
export function svgFile(svg: SVGSVGElement, theme: ThemeName = 'css'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${withStyle(svgMarkup(svg), theme)}\n`;
}

/** A drawing as part of a page. */
export function svgMarkup(svg: SVGSVGElement): string {
  return svg.outerHTML;
}

function withStyle(markup: string, theme: ThemeName): string {
  const named = /^<svg[^>]* xmlns=/.test(markup) ? markup : markup.replace(/^<svg/, `<svg xmlns="${NAMESPACE}"`);
  const paper = 'color: var(--gradus-ink); background: var(--gradus-paper);';
  const fixed = theme === 'dark' ? darkTheme : lightTheme;
  const other = theme === 'css' ? ` @media (prefers-color-scheme: dark) { svg { ${themeVariables(darkTheme)} } }` : '';
  // programs that know no variables take colour and paper from the attributes
  const attributes = ` color="${fixed.ink}"`;
  const style = `<style>svg { ${themeVariables(fixed)} ${paper} }${other}</style>`;
  return named.replace(/^<svg([^>]*)>/, (_, known: string) => `<svg${known}${attributes}>${style}`);
}
