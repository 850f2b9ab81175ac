/** Results as text, Markdown, LaTeX, CSV, JSON and HTML: tables, comparisons, gates and whole reports. */

export {
  buildComparisonReport,
  type ComparisonPlan,
  type ComparisonReportInput,
  curveCutoffs,
  defaultReportMeasures,
  planComparison,
} from './build-comparison.js';
export { buildTrecReport, documentLevels, recallLevels, type TrecReportInput, topicCurve, trecReportMeasures } from './build-trec.js';
export { type DecidingTopic, type DecidingTopics, type MovedDocument, movedText, writeDecidingTopics } from './by-topic.js';
export { niceTicks } from './charts/ticks.js';
export { type ComparisonPrinting, comparisonForms, comparisonJson, type LatexPrinting, writeComparison } from './comparison.js';
export {
  type GateFinding,
  type GateReport,
  gateFindings,
  gateJson,
  gatePassed,
  type UnjudgedRate,
  writeGateJunit,
  writeGateMarkdown,
  writeGateText,
} from './gate.js';
export {
  type Cell,
  type Grid,
  type GridColumn,
  type GridForm,
  gridWidth,
  type Ink,
  type MarkedText,
  markdownText,
  raised,
  type TableLook,
  type TextSink,
  type Tone,
  transposedGrid,
  visible,
  writeGrid,
} from './grid.js';
export { type HtmlOptions, htmlReport, type ReportBundle } from './html.js';
export { type TablePlace, writeLatexGrid } from './latex/grid-table.js';
export { type PaperMeasure, type PaperScores, type PaperTable, paperTable } from './latex/paper-table.js';
export { type LatexFigure, type LatexReportOptions, writeLatexReport } from './latex/report.js';
export { latexText } from './latex/text.js';
export { type LatexTableOptions, writePaperTable } from './latex/write-table.js';
export { type Cited, methodsSentence, systemLetter } from './methods.js';
export {
  type BarFamily,
  type ComparisonReport,
  type ContributionData,
  type CriticalDifference,
  type CurveFamily,
  type MaybeNumber,
  type MeasureCorrelation,
  type ModelReport,
  type Provenance,
  REPORT_VERSION,
  type Report,
  type ReportAudit,
  type ReportCell,
  type ReportColumn,
  type ReportFile,
  type ReportFinding,
  type ReportMeasure,
  type ReportPair,
  type ReportSystem,
  type ReportTable,
  type ReportTest,
  type TopicCurve,
  type TrecReport,
  type TrecRun,
} from './model.js';
export type { MovedOnTopic } from './moved.js';
export { isQuality } from './quality.js';
export { inReadingOrder } from './reading-order.js';
export { meanOrder, rankText } from './standings.js';
export { cellText, gridOf, reportTables } from './tables.js';
export type {
  Standings,
  Verdict,
  VerdictCaveat,
  VerdictEquivalence,
  VerdictPair,
  VerdictState,
  VerdictSystem,
  VerdictTopic,
  VerdictTopics,
} from './verdict/model.js';
export { type CaveatWords, counted, numberText, pWords, signedText, type VerdictWords, verdictWords } from './verdict/words.js';
export { displayWidth, padEnd, padStart, wrapText } from './width.js';
export {
  type ChartFile,
  writeCsvReport,
  writeJsonReport,
  writeMarkdownReport,
  writeTextReport,
} from './write-report.js';
