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

/** Eight colours that stay apart with every kind of colour vision, light and dark; a test measures their distances. */
export const lightTheme: ChartTheme = {
  series: ['#1769aa', '#d1500b', '#244e30', '#823a74', '#38205c', '#ac9164', '#480000', '#149ad0'],
  muted: '#868d96',
  paper: '#ffffff',
  ink: '#1b1f25',
  above: '#1769aa',
  below: '#d1500b',
  cell: '#1769aa',
};

/** Colours for files on a dark ground. */
export const darkTheme: ChartTheme = {
  series: ['#6cb6f5', '#ff8f4a', '#acd9b4', '#b269a3', '#5a77fc', '#fed200', '#e64a1f', '#d8fefb'],
  muted: '#6e7680',
  paper: '#191d21',
  ink: '#e8eaed',
  above: '#6cb6f5',
  below: '#ff8f4a',
  cell: '#6cb6f5',
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

/** How a system is drawn wherever it is drawn. Colour never stands alone: dash and marker belong to the system too. */
export interface SystemStyle {
  readonly colour: string;
  /** For `stroke-dasharray`; undefined for a line without gaps. */
  readonly dash: string | undefined;
  readonly marker: 'disc' | 'square' | 'triangle' | 'diamond' | 'ring' | 'hollow square' | 'times' | 'plus';
}

const dashes: readonly (string | undefined)[] = [undefined, '8 3', '2 3', '9 3 2 3', '14 4', '5 2 1 2 1 2', '1 3', '12 3 4 3'];
const markers: readonly SystemStyle['marker'][] = ['disc', 'square', 'triangle', 'diamond', 'ring', 'hollow square', 'times', 'plus'];

/** The style of each system that is drawn in colour, by its place: all of them if they are no more than there are colours, by their order;
 *  of more, the chosen ones. The same system has the same style in every chart that is given the same systems and choice. */
export function systemStyles(numSystems: number, chosen: readonly number[], theme: ChartTheme): Map<number, SystemStyle> {
  const most = theme.series.length;
  const coloured = numSystems <= most ? Array.from({ length: numSystems }, (_, s) => s) : [...new Set(chosen)].slice(0, most);
  return new Map(coloured.map((s, i) => [s, { colour: theme.series[i], dash: dashes[i], marker: markers[i] }]));
}

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
