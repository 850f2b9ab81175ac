/** The charts come with the first one that is shown: they are most of the page's code. */
import type * as Charts from 'gradus/report/charts';

export type { Charts };

export function loadCharts(): Promise<typeof Charts> {
  return import('gradus/report/charts');
}
