/** The colours of a chart. Text and axes take the colour of the text around them. */
export interface ChartTheme {
  /** Colours of systems: distinguishable for readers with any kind of colour vision, and against the paper. */
  readonly series: readonly string[];
  /** Systems in the background, rules and guides. */
  readonly muted: string;
  readonly paper: string;
  readonly ink: string;
  /** More than, and less than. */
  readonly above: string;
  readonly below: string;
  /** Cells of heat maps, from clear to full. */
  readonly cell: string;
}

/** After Okabe and Ito's palette, darkened where it would be pale on white, and lightened for dark paper. */
export const lightTheme: ChartTheme = {
  series: ['#0072b2', '#c2500a', '#00795a', '#a0468a', '#8a6500', '#4d4dbd'],
  muted: '#8a8f98',
  paper: '#ffffff',
  ink: '#1b1f24',
  above: '#0072b2',
  below: '#c2500a',
  cell: '#0072b2',
};

/** Colours for files on a dark ground. */
export const darkTheme: ChartTheme = {
  series: ['#56b4e9', '#ff9a5c', '#37cfa3', '#eda0d2', '#f0c24b', '#b0b0ff'],
  muted: '#8b939e',
  paper: '#15181c',
  ink: '#e6e8eb',
  above: '#56b4e9',
  below: '#ff9a5c',
  cell: '#56b4e9',
};

/** Colours by CSS variables, which `themeStyles` sets for light and dark paper; without them the light ones hold. */
export const cssTheme: ChartTheme = {
  series: lightTheme.series.map((colour, i) => `var(--gradus-series-${i + 1}, ${colour})`),
  muted: `var(--gradus-muted, ${lightTheme.muted})`,
  paper: `var(--gradus-paper, ${lightTheme.paper})`,
  ink: 'currentColor',
  above: `var(--gradus-above, ${lightTheme.above})`,
  below: `var(--gradus-below, ${lightTheme.below})`,
  cell: `var(--gradus-cell, ${lightTheme.cell})`,
};

/** The themes by name; *css* leaves the choice to the page. */
export type ThemeName = 'css' | 'light' | 'dark';

/** The colours behind a name. */
export function themeNamed(name: ThemeName): ChartTheme {
  return name === 'light' ? lightTheme : name === 'dark' ? darkTheme : cssTheme;
}

/** The declarations that a style sheet needs for one of the two papers: `:root { ${themeVariables(lightTheme)} }`. */
export function themeVariables(theme: ChartTheme): string {
  const series = theme.series.map((colour, i) => `--gradus-series-${i + 1}: ${colour};`);
  const others = (['muted', 'paper', 'ink', 'above', 'below', 'cell'] as const).map((name) => `--gradus-${name}: ${theme[name]};`);
  return [...series, ...others].join(' ');
}
