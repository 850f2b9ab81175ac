/** What a report needs to be a page of its own: its drawings, and the components that make it live. */
import type { Report, ReportBundle } from 'gradus/report';
import { loadCharts } from './charts.js';

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
  loaded ??= Promise.all(['report.js.gz', 'report.css'].map(textOf)).then(([script, style]) => ({ script, style }));
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

async function textOf(name: string): Promise<string> {
  const response = await fetch(new URL(name, document.baseURI));
  if (!response.ok) throw new Error(`${name}, a part of this page, could not be loaded`);
  const content = await response.blob();
  return await new Response((await isCompressed(content)) ? content.stream().pipeThrough(new DecompressionStream('gzip')) : content).text();
}

/** Some servers decompress a file with this ending on the way. */
async function isCompressed(content: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await content.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}
