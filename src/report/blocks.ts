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
  /** What the ids of its tables and charts begin with, in order. */
  readonly tables?: readonly string[];
  readonly charts?: readonly string[];
  readonly words?: (report: Report) => string | null;
}

const trecSections: readonly Section[] = [
  { heading: 'Summary Statistics', tables: ['summary-statistics'] },
  { heading: 'Recall Level Precision Averages', tables: ['recall-level'], charts: ['recall-precision'] },
  { heading: 'Document Level Averages', tables: ['document-level'] },
  { heading: 'Average Precision by Topic', charts: ['histogram'], tables: ['average-precision-by-topic'] },
  { heading: 'Provenance', tables: ['provenance', 'files'] },
];

const comparisonSections: readonly Section[] = [
  { heading: 'Systems', tables: ['systems'], words: (report) => (report.kind === 'comparison' ? report.test.methods : null) },
  { heading: 'Where systems differ', charts: ['differences', 'heat-map', 'distributions'] },
  { heading: 'Ranks over topics', charts: ['critical-difference'] },
  { heading: 'Recall and precision', charts: ['recall-precision'] },
  { heading: 'Gain by rank', charts: ['gain'] },
  { heading: 'Agreement of measures', charts: ['correlation'], tables: ['correlation'] },
  { heading: 'Unjudged documents', charts: ['unjudged'], tables: ['unjudged'] },
  { heading: 'Measure by measure', tables: ['measure'] },
  { heading: 'Audit of the files', tables: ['audit'] },
  { heading: 'Provenance', tables: ['provenance', 'files'] },
];

/** The report as a row of parts, for every output that is read from top to bottom. */
export function reportBlocks(report: Report, charts: readonly ChartPlace[]): Block[] {
  const tables = reportTables(report);
  const blocks: Block[] = [{ kind: 'title', text: report.title }];
  if (report.kind === 'trec' && report.header.length > 0) blocks.push({ kind: 'facts', facts: report.header });
  for (const note of report.notes) blocks.push({ kind: 'paragraph', text: `Note: ${note}.` });
  for (const { heading, tables: tableIds = [], charts: chartIds = [], words } of report.kind === 'trec'
    ? trecSections
    : comparisonSections) {
    const text = words?.(report) ?? null;
    const parts: Block[] = [
      ...(text === null ? [] : [{ kind: 'paragraph', text } as const]),
      ...startingWith(charts, chartIds).map((chart) => ({ kind: 'chart', chart }) as const),
      ...startingWith(tables, tableIds).map((table) => ({ kind: 'table', table, isTitled: table.title !== heading }) as const),
    ];
    if (parts.length > 0) blocks.push({ kind: 'heading', text: heading }, ...parts);
  }
  return blocks;
}

function startingWith<T extends { readonly id: string }>(all: readonly T[], beginnings: readonly string[]): T[] {
  return beginnings.flatMap((beginning) => all.filter(({ id }) => id.startsWith(beginning)));
}

/** A line for a title, without what would break it. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}
