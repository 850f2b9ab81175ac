import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { comparisonExample, trecExample } from '../../test/helpers/report-examples.js';
import { reportCharts, svgMarkup } from './charts/index.js';
import { htmlReport, type ReportBundle } from './html.js';
import type { Report } from './model.js';
import type { Verdict } from './verdict/model.js';
import { verdictWords } from './verdict/words.js';

async function pageOf(report: Report, bundle?: ReportBundle): Promise<string> {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const charts = reportCharts(report).map((chart) => ({ chart, svg: svgMarkup(chart.draw({ document })) }));
  return await htmlReport(report, { charts, bundle });
}

const systems = (count: number): string[] => Array.from({ length: count }, (_, s) => `system-${s + 1}`);
const topics = (count: number): string[] => Array.from({ length: count }, (_, t) => String(t + 1));

describe('htmlReport', () => {
  test('allows what it holds, by its hash, and nothing else', async () => {
    // echo -n 'go();' | openssl dgst -sha256 -binary | base64
    const script = 'sha256-bYOqbsii8BMz1hC57p5sZG4K4cMuk6QQDiwupM2aRMM=';
    const page = await pageOf(trecExample(['a'], ['1', '2']), { script: 'go();', style: '' });
    expect(page).toContain(`script-src '${script}';`);
    expect(page).toContain('<script type="module">go();</script>');
    const without = await pageOf(trecExample(['a'], ['1', '2']));
    expect(without).toContain("script-src 'none';");
    expect(without).not.toContain('<script');
  });

  test('has headings in order, a link to each section, and a name for each table and picture', async () => {
    const { document } = parseHTML(await pageOf(comparisonExample(systems(3), topics(5))));
    expect(document.querySelectorAll('h1').length).toBe(1);
    const links = Array.from(document.querySelectorAll('nav a'), (link) => link.getAttribute('href') ?? '');
    expect(links.length).toBeGreaterThan(6);
    for (const link of links) expect([link, document.querySelector(link)?.localName]).toEqual([link, 'details']);
    for (const region of document.querySelectorAll('.table')) expect(region.getAttribute('aria-label')).not.toBe('');
    for (const svg of document.querySelectorAll('svg')) expect(svg.getAttribute('aria-label')).not.toBe('');
    const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('begins with the answer, and folds the details on a screen but not where it is printed', async () => {
    const report = comparisonExample(systems(3), topics(12));
    const { document } = parseHTML(await pageOf(report));
    const headings = Array.from(document.querySelectorAll('h1, h2'), ({ textContent }) => textContent);
    expect(headings.slice(0, 5)).toEqual([
      verdictWords(report.verdict as Verdict).heading,
      'Leaderboard',
      'Topics that decide',
      'Methods',
      'Systems',
    ]);
    expect(document.querySelectorAll('details').length).toBeGreaterThan(4);
    expect(document.querySelectorAll('details[open]').length).toBe(0);
    const printed = parseHTML(await htmlReport(report, { charts: [], isOpen: true })).document;
    expect(printed.querySelectorAll('details:not([open])').length).toBe(0);
  });

  test('of 143 systems on 30 topics stays under 5 MB, components included', async () => {
    const bundle = { script: 'x'.repeat(600_000), style: 'x'.repeat(20_000) };
    for (const make of [trecExample, comparisonExample]) {
      const page = await pageOf(make(systems(143), topics(30)), bundle);
      expect(new TextEncoder().encode(page).length).toBeLessThan(5_000_000);
    }
  });
});
