/** The charts come with the first one that is shown: they are most of the page's code. */
import type * as Charts from 'gradus/report/charts';

export type { Charts };

/** How the charts of a page belong together. */
export interface ChartLinks {
  /** The system that somebody points at, by its place in the report. */
  readonly pointed: number | undefined;
  onpoint(system: number | undefined): void;
  onopen(link: Charts.MarkLink): void;
}

let loaded: typeof Charts | undefined;

export async function loadCharts(): Promise<typeof Charts> {
  loaded = await import('gradus/report/charts');
  return loaded;
}

/** For those who cannot wait, such as a page that is about to be printed; undefined if they are not there yet. */
export function chartsAtHand(): typeof Charts | undefined {
  return loaded;
}
