/** Charts as they are seen, beside stored pictures. Letters are left out of them: fonts differ between machines, and the words of charts
 *  are compared as text elsewhere. */
import { parseHTML } from 'linkedom';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportCharts } from '../../src/report/charts/gallery.js';
import { startApp } from '../helpers/browser.js';
import { againstStored, difference } from '../helpers/pictures.js';
import { comparisonExample } from '../helpers/report-examples.js';

/** Of about 300,000. */
const FEW_PIXELS = 40;
let server: Awaited<ReturnType<typeof startApp>>;
let page: Page;

beforeAll(async () => {
  server = await startApp();
  page = await (await server.browser.newContext({ viewport: { width: 800, height: 900 } })).newPage();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const { document } = parseHTML('<!doctype html><html><body></body></html>');
const systems = Array.from({ length: 5 }, (_, s) => `system-${s + 1}`);
const topics = Array.from({ length: 14 }, (_, t) => `topic ${t + 1}`);
const charts = reportCharts(comparisonExample(systems, topics));
const drawn = (id: string): string =>
  charts.find((chart) => chart.id === id)?.draw({ document, width: 640, theme: 'light' }).outerHTML ?? '';

async function photograph(svg: string): Promise<Uint8Array> {
  await page.setContent(`<style>body{margin:0;background:#fff} text{visibility:hidden}</style>${svg}`);
  return await page.locator('svg').first().screenshot();
}

test.each(charts.map(({ id }) => id))('%s looks as it did', async (id) => {
  expect(await againstStored(page, id, await photograph(drawn(id)))).toEqual({
    otherSize: false,
    pixels: expect.toSatisfy((pixels: number) => pixels <= FEW_PIXELS),
  });
});

test('a mark of another colour, or at another place, is a difference', async () => {
  const bars = drawn(charts.find(({ id }) => id.startsWith('differences'))?.id ?? '');
  const before = await photograph(bars);
  expect((await difference(page, before, await photograph(bars))).pixels).toBe(0);
  // the tallest bar
  const [first] = [...bars.matchAll(/<rect [^>]*height="([\d.]+)"[^>]*>/g)].sort((a, b) => Number(b[1]) - Number(a[1]))[0];
  for (const style of ['transform:translate(0,9px)', 'fill:#000']) {
    const changed = bars.replace(first, first.replace('<rect', `<rect style="${style}"`));
    expect((await difference(page, before, await photograph(changed))).pixels).toBeGreaterThan(FEW_PIXELS);
  }
});
