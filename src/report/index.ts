export { type ComparisonPrinting, comparisonForms, comparisonJson, methodsSentence, writeComparison } from './comparison.js';
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
export { type Cell, type Grid, type GridColumn, type GridForm, type MarkedText, type TextSink, writeGrid } from './grid.js';
