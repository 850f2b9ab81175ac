import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { comparisonExample } from '../../../test/helpers/report-examples.js';
import { reportCharts } from './gallery.js';
import { linkOf } from './links.js';

const { document } = parseHTML('<!doctype html><html><body></body></html>');
const systems = Array.from({ length: 12 }, (_, s) => `system-${s + 1}`);
const topics = Array.from({ length: 6 }, (_, t) => `topic ${t + 1}`);
const report = comparisonExample(systems, topics);
const drawn = reportCharts(report).map((chart) => ({ id: chart.id, svg: chart.draw({ document, links: true }) }));
const chartNamed = (id: string): SVGSVGElement => drawn.find((chart) => chart.id.startsWith(id))?.svg as SVGSVGElement;

/** Colour and dash of the lines of each system in a chart of curves. */
function linesOf(svg: SVGSVGElement): Map<number, string> {
  const lines = Array.from(svg.querySelectorAll('g[data-system][fill="none"]'));
  return new Map(
    lines.map((line) => [
      Number(line.getAttribute('data-system')),
      `${line.getAttribute('stroke')} ${line.getAttribute('stroke-dasharray')}`,
    ]),
  );
}

test('a system has one colour and one dash in all charts with lines', () => {
  const charts = drawn.map(({ svg }) => linesOf(svg)).filter(({ size }) => size > 0);
  expect(charts.length).toBeGreaterThanOrEqual(3);
  for (const chart of charts) expect(chart).toEqual(charts[0]);
  expect(new Set(charts[0].values()).size).toBe(8);
});

test('a cell of the heat map and a bar of a difference say which systems and which topic they stand for', () => {
  const [measure] = report.measures;
  const cell = chartNamed('heat-map').querySelector('[data-topic]') as Element;
  const { system = -1, topic = -1 } = linkOf(cell) ?? {};
  const value = measure.scores[system][topic] ?? 0;
  expect(cell.textContent).toContain(`${systems[system]}, topic ${topics[topic]}: ${value.toFixed(4).replace(/\.?0+$/, '')}`);
  const bar = chartNamed('differences').querySelector('[data-topic]') as Element;
  const link = linkOf(bar);
  expect(bar.textContent).toContain(`topic ${topics[link?.topic ?? -1]}`);
  expect([link?.system, link?.against]).toEqual(measure.order.slice(0, 2));
});

test('a name in the diagram of critical differences says which system it stands for, as does its line', () => {
  const marks = Array.from(chartNamed('critical-difference').querySelectorAll('[data-system]'));
  for (const [s, name] of systems.entries()) {
    const own = marks.filter((mark) => linkOf(mark)?.system === s);
    expect(own.map(({ localName }) => localName)).toEqual(['path', 'text']);
    expect(own[1].textContent).toMatch(new RegExp(`(^| )${name}( |$)`));
  }
});

test('pictures that are taken away say nothing of it', () => {
  for (const chart of reportCharts(report)) expect(chart.draw({ document }).outerHTML).not.toContain('data-system');
});
