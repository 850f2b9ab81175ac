import { visible } from './grid.js';
import type { Report, ReportTable } from './model.js';
import { reportTables } from './tables.js';

/** A picture as the text around it knows it. */
export interface ChartPlace {
  readonly id: string;
  readonly title: string;
}

/** One part of a report in reading order. */
export type Block =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly { readonly name: string; readonly value: string }[] }
  /** A table that is called like its section is not titled again. */
  | { readonly kind: 'table'; readonly table: ReportTable; readonly isTitled: boolean }
  | { readonly kind: 'chart'; readonly chart: ChartPlace };

interface Section {
  readonly heading: string;
  /** What stands in it, in order: tables or charts, by what their ids begin with. */
  readonly parts: readonly (readonly [kind: 'tables' | 'charts', beginning: string])[];
}

const trecSections: readonly Section[] = [
  { heading: 'Summary Statistics', parts: [['tables', 'summary-statistics']] },
  {
    heading: 'Recall Level Precision Averages',
    parts: [
      ['tables', 'recall-level'],
      ['charts', 'recall-precision'],
    ],
  },
  { heading: 'Document Level Averages', parts: [['tables', 'document-level']] },
  {
    heading: 'Average Precision by Topic',
    parts: [
      ['charts', 'histogram'],
      ['tables', 'average-precision-by-topic'],
    ],
  },
];

const comparisonSections: readonly Section[] = [
  { heading: 'Systems', parts: [['tables', 'systems']] },
  {
    heading: 'Where systems differ',
    parts: [
      ['charts', 'differences'],
      ['charts', 'heat-map'],
      ['charts', 'distributions'],
    ],
  },
  { heading: 'Ranks over topics', parts: [['charts', 'critical-difference']] },
  { heading: 'Recall and precision', parts: [['charts', 'recall-precision']] },
  { heading: 'Gain by rank', parts: [['charts', 'gain']] },
  {
    heading: 'Agreement of measures',
    parts: [
      ['charts', 'correlation'],
      ['tables', 'correlation'],
    ],
  },
  {
    heading: 'Unjudged documents',
    parts: [
      ['charts', 'unjudged'],
      ['tables', 'unjudged'],
    ],
  },
  { heading: 'Measure by measure', parts: [['tables', 'measure']] },
  { heading: 'Audit of the files', parts: [['tables', 'audit']] },
];

const provenance: Section = {
  heading: 'Provenance',
  parts: [
    ['tables', 'provenance'],
    ['tables', 'files'],
  ],
};

/** The report as a row of parts, for every output that is read from top to bottom. */
export function reportBlocks(report: Report, charts: readonly ChartPlace[]): Block[] {
  const tables = reportTables(report);
  const blocks: Block[] = [{ kind: 'title', text: report.title }];
  if (report.kind === 'trec' && report.header.length > 0) blocks.push({ kind: 'facts', facts: report.header });
  for (const note of report.notes) blocks.push({ kind: 'paragraph', text: `Note: ${note}.` });
  for (const { heading, parts } of [...(report.kind === 'trec' ? trecSections : comparisonSections), provenance]) {
    const inside = parts.flatMap(([kind, beginning]): Block[] =>
      kind === 'charts'
        ? charts.filter(({ id }) => id.startsWith(beginning)).map((chart) => ({ kind: 'chart', chart }))
        : tables.filter(({ id }) => id.startsWith(beginning)).map((table) => ({ kind: 'table', table, isTitled: table.title !== heading })),
    );
    if (inside.length === 0) continue;
    blocks.push({ kind: 'heading', text: heading }, ...inside);
    // how the letters behind the means came about
    if (report.kind === 'comparison' && heading === 'Systems') blocks.push({ kind: 'paragraph', text: report.test.methods });
  }
  return blocks;
}

/** A line for a title, without what would break it. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}
