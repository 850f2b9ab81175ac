/** The charts of reports, drawn with Observable Plot in a page or, with a document of linkedom, in Node. */

export { amountBars } from './bars.js';
export { gainCurves, recallPrecisionChart, topicRecallPrecision, unjudgedRates } from './curves.js';
export type { ChartOptions } from './frame.js';
export { type ReportChart, recallPrecisionOf, reportCharts } from './gallery.js';
export { leaderboardChart } from './leaderboard.js';
export { type LinePicture, type LineSeries, lineChart } from './lines.js';
export { linkOf, type MarkLink } from './links.js';
export { correlationMatrix, heatMap } from './matrices.js';
export { bumpChart, type OrderColumns, type ToolGaps, toolGaps } from './rules.js';
export { svgFile, svgMarkup } from './svg-file.js';
export { criticalDifference, distributions } from './systems.js';
export {
  type ChartTheme,
  cssTheme,
  darkTheme,
  lightTheme,
  type SystemStyle,
  systemStyles,
  type ThemeName,
  themeVariables,
} from './theme.js';
export { tikzPicture } from './tikz.js';
export { averagePrecisionHistogram, differenceBars, topicContributions } from './topics.js';
export { decidingBars, verdictStrip } from './verdict.js';
