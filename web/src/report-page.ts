/** What a report needs to be a page of its own: its drawings, and the components that make it live. */
import type { Report, ReportBundle } from 'gradus/report';
import { loadCharts } from './charts.js';
import { compressedText } from './compressed.js';

export interface PageParts {
  readonly charts: readonly { readonly chart: { readonly id: string; readonly title: string }; readonly svg: string }[];
  readonly bundle: ReportBundle;
}

export async function pageParts(report: Report): Promise<PageParts> {
  const { reportCharts } = await loadCharts();
  const charts = reportCharts(report).map((chart) => ({
    chart: { id: chart.id, title: chart.title },
    svg: chart.draw({ document }).outerHTML,
  }));
  return { charts, bundle: await reportBundle() };
}

let loaded: Promise<ReportBundle> | undefined;

/** Loaded once, and again only after it failed. */
export function reportBundle(): Promise<ReportBundle> {
  loaded ??= Promise.all(['report.js.gz', 'report.css'].map((name) => compressedText(name, document.baseURI))).then(([script, style]) => ({
    script,
    style,
  }));
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}
