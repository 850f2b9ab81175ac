import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { comparisonExample } from '../../../test/helpers/report-examples.js';
import type { ComparisonReport } from '../model.js';
import { labelledPlaces } from './frame.js';
import { decidingBars, leaderboardChart, reportCharts, verdictStrip } from './index.js';
import { niceTicks } from './ticks.js';

const { document } = parseHTML('<!doctype html><html><body></body></html>');
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `system ${i}`);

function textsOf(svg: SVGSVGElement): string[] {
  return Array.from(svg.querySelectorAll('text'), ({ textContent }) => textContent ?? '');
}

describe('leaderboardChart', () => {
  const report = comparisonExample(names(4), names(12));

  test('has a dot and an interval for each system, the best first, dots in the order of the means', () => {
    const svg = leaderboardChart(report, 0, { document });
    const dots = Array.from(svg.querySelectorAll('circle'), (dot) => Number(dot.getAttribute('cx')));
    expect(dots.length).toBe(4);
    expect(dots).toEqual(dots.toSorted((a, b) => b - a));
    const { order } = report.measures[0];
    const shown = textsOf(svg).filter((text) => text.startsWith('system '));
    expect(shown).toEqual(order.map((s) => report.systems[s]));
  });

  test('is blue where a system is not told apart from the best, and only there', () => {
    const { order, systems } = report.measures[0];
    const isBest = order.map((s) => s === order[0] || !systems[order[0]].better.includes(s));
    const fills = Array.from(leaderboardChart(report, 0, { document, theme: 'light' }).querySelectorAll('circle'), (dot) =>
      dot.getAttribute('fill'),
    );
    expect(fills.map((fill) => fill === '#1769aa')).toEqual(isBest);
  });

  test('of many systems has the best twenty and says so; a narrow one has no column of ranks', () => {
    const many = comparisonExample(names(30), names(12));
    const svg = leaderboardChart(many, 0, { document });
    expect(svg.querySelectorAll('circle').length).toBe(20);
    expect(svg.querySelector('title')?.textContent).toContain('the best 20 of 30 systems');
    expect(textsOf(svg)).toContain('rank interval');
    expect(textsOf(leaderboardChart(many, 0, { document, width: 343 }))).not.toContain('rank interval');
  });
});

test('verdictStrip has one square per topic in three colours, and the difference above its dot', () => {
  const { verdict } = comparisonExample(names(2), names(12));
  if (verdict === undefined) throw new Error('no verdict');
  const svg = verdictStrip(verdict, { document, theme: 'light' });
  const fills = Array.from(svg.querySelectorAll('rect'), (rect) => rect.getAttribute('fill'));
  const { better, equal, worse } = verdict.pair;
  expect(fills).toEqual([...Array(better).fill('#1769aa'), ...Array(equal).fill('#868d96'), ...Array(worse).fill('#d1500b')]);
});

test('decidingBars has a bar for each topic, gains to the right of the line and losses to the left', () => {
  const { verdict } = comparisonExample(names(2), names(12));
  if (verdict === undefined) throw new Error('no verdict');
  const svg = decidingBars(verdict, { document });
  const zero = Number(/^M([\d.]+)/.exec(svg.querySelector('path')?.getAttribute('d') ?? '')?.[1]);
  const starts = Array.from(svg.querySelectorAll('rect'), (rect) => Number(rect.getAttribute('x')));
  const { gains, losses } = verdict.topics;
  expect(starts.length).toBe(gains.length + losses.length);
  for (const [i, start] of starts.entries()) expect(start < zero - 0.01).toBe(i >= gains.length);
});

test('a system has one colour in every chart of a report, however many systems there are', () => {
  const report: ComparisonReport = comparisonExample(names(12), names(12));
  const leader = report.systems[report.measures[0].order[0]];
  const colours = reportCharts(report)
    .filter(({ id }) => /^(recall-precision|gain|unjudged)/.test(id))
    .map((chart) => {
      const svg = chart.draw({ document, theme: 'light' });
      return Array.from(svg.querySelectorAll('text'))
        .find(({ textContent }) => textContent === leader)
        ?.getAttribute('fill');
    });
  expect(colours.length).toBeGreaterThan(2);
  expect(new Set(colours)).toEqual(new Set(['#1769aa']));
});

test('labels of topics: the first, the last, and none that touch', () => {
  expect([...labelledPlaces(5, 1)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
  expect([...labelledPlaces(6, 2)].sort((a, b) => a - b)).toEqual([0, 3, 5]);
  expect([...labelledPlaces(7, 2)].sort((a, b) => a - b)).toEqual([0, 2, 4, 6]);
  expect([...labelledPlaces(0, 2)]).toEqual([]);
});

test('ticks are round numbers inside the range', () => {
  expect(niceTicks(0.305, 0.7066, 5)).toEqual([0.4, 0.5, 0.6, 0.7]);
  expect(niceTicks(-0.02, 0.19, 5)).toEqual([0, 0.05, 0.1, 0.15]);
});
