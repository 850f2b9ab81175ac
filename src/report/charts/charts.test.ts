import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { comparisonExample, trecExample } from '../../../test/helpers/report-examples.js';
import { topicCurve } from '../build-trec.js';
import { spreadApart } from './frame.js';
import {
  criticalDifference,
  recallPrecisionChart,
  reportCharts,
  svgFile,
  svgMarkup,
  topicContributions,
  topicRecallPrecision,
  waterfall,
} from './index.js';
import { darkTheme, lightTheme } from './theme.js';

const { document } = parseHTML('<!doctype html><html><body></body></html>');

/** A line per element; numbers have two decimals, so that a picture changes in a snapshot only where it changes for the eye. */
function normalised(svg: SVGSVGElement): string {
  return svgMarkup(svg).replaceAll('><', '>\n<');
}

/** Corners of a path of lines, in the picture's own units. */
function cornersOf(path: string): [number, number][] {
  const corners: [number, number][] = [];
  for (const [, command, numbers] of path.matchAll(/([MLHV])([^MLHV]*)/g)) {
    const values = numbers
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map(Number);
    const [x, y] = corners.at(-1) ?? [0, 0];
    if (command === 'H') corners.push([values[0], y]);
    else if (command === 'V') corners.push([x, values[0]]);
    else for (let i = 0; i < values.length; i += 2) corners.push([values[i], values[i + 1]]);
  }
  return corners;
}

describe('topicRecallPrecision', () => {
  const ranked = Array.from({ length: 20 }, (_, i) => ([1, 2, 4, 15].includes(i + 1) ? 1 : 0));
  const svg = topicRecallPrecision(topicCurve('t', 's', ranked, 4), { document, width: 720, height: 446 });
  // margins of 52 and 24 at the sides, 30 above and 44 below
  const recall = (x: number): number => (x - 52) / (720 - 24 - 52);
  const precision = (y: number): number => (446 - 44 - y) / (446 - 44 - 30);
  const near = (found: readonly (readonly [number, number])[], expected: readonly (readonly [number, number])[]): void => {
    expect(found.map(([x, y]) => [recall(x).toFixed(3), precision(y).toFixed(3)])).toEqual(
      expected.map(([x, y]) => [x.toFixed(3), y.toFixed(3)]),
    );
  };

  test('draws the worked example: circles at the four relevant documents, joined by a line', () => {
    const points = [
      [0.25, 1],
      [0.5, 1],
      [0.75, 0.75],
      [1, 4 / 15],
    ] as const;
    const circles = Array.from(svg.querySelectorAll('circle'), (circle): [number, number] => [
      Number(circle.getAttribute('cx')),
      Number(circle.getAttribute('cy')),
    ]);
    near(circles, points);
    const lines = Array.from(svg.querySelectorAll('g[stroke-linecap="round"]')).filter((group) => !group.hasAttribute('stroke-dasharray'));
    const exact = lines[0]?.querySelector('path')?.getAttribute('d') ?? '';
    near(cornersOf(exact), points);
  });

  test('draws interpolated precision as dashed steps: 1 to .5, .75 to .75, .27 to 1', () => {
    const dashed = svg.querySelector('[stroke-dasharray="6 4"] path');
    near(cornersOf(dashed?.getAttribute('d') ?? ''), [
      [0, 1],
      [0.25, 1],
      [0.25, 1],
      [0.5, 1],
      [0.5, 0.75],
      [0.75, 0.75],
      [0.75, 4 / 15],
      [1, 4 / 15],
    ]);
  });
});

describe('every chart', () => {
  const names = ['bm25', 'neural', 'hybrid'];
  const topics = ['1', '2', '3', '4', '5', '10'];
  const waterfallData = {
    measure: 'nDCG@10',
    from: 'trec_eval@9.0.8',
    to: 'letor4',
    fromValue: 0.45,
    toValue: 0.52,
    steps: [
      { label: 'gain', share: 0.09, reason: 'because' },
      { label: 'empty queries', share: -0.02, reason: 'because' },
    ],
  };
  const contributions = {
    topic: '1',
    system: 'bm25',
    measure: 'DCG@3',
    value: 2.5,
    documents: [
      { rank: 1, id: 'a', grade: 2, contribution: 2 },
      { rank: 2, id: 'b', grade: null, contribution: 0 },
      { rank: 3, id: 'c', grade: 1, contribution: 0.5 },
    ],
  };
  const drawn: [string, () => SVGSVGElement][] = [
    ...reportCharts(trecExample(names, topics)).map(({ id, draw }): [string, () => SVGSVGElement] => [
      `trec-${id}`,
      () => draw({ document }),
    ]),
    ...reportCharts(comparisonExample(names, topics)).map(({ id, draw }): [string, () => SVGSVGElement] => [id, () => draw({ document })]),
    ['waterfall', () => waterfall(waterfallData, { document })],
    ['topic-contributions', () => topicContributions(contributions, { document })],
    ['topic-recall-precision', () => topicRecallPrecision(topicCurve('t', 's', [1, 1, 0, 1], 4), { document })],
  ];

  test.each(drawn)('%s is as it was when it was last looked at', async (name, draw) => {
    await expect(`${normalised(draw())}\n`).toMatchFileSnapshot(`../../../test/snapshots/charts/${name}.svg`);
  });

  test.each(drawn)('%s has words for those who do not see it, no style of its own, and colours of the theme', (_, draw) => {
    const svg = draw();
    expect(svg.getAttribute('role')).toBe('img');
    expect(svg.querySelector('title')?.textContent?.length).toBeGreaterThan(10);
    expect(svg.querySelector('desc')?.textContent?.length).toBeGreaterThan(10);
    expect(svgMarkup(svg)).not.toMatch(/<style|style=/);
    // what the theme does not set is the colour of the text around it
    const colours = [...svgMarkup(svg).matchAll(/(?:fill|stroke)="([^"]+)"/g)]
      .map((match) => match[1])
      .filter((value) => !/^(none|currentColor|var\(--gradus-)/.test(value));
    expect(colours).toEqual([]);
  });

  test('draws the same twice', () => {
    for (const [, draw] of drawn) expect(svgMarkup(draw())).toBe(svgMarkup(draw()));
  });
});

describe('recallPrecisionChart', () => {
  const family = (numSystems: number) => ({
    id: 'f',
    label: '',
    xLabel: 'recall',
    yLabel: 'precision',
    x: [0, 0.5, 1],
    systems: Array.from({ length: numSystems }, (_, s) => `system ${s}`),
    values: Array.from({ length: numSystems }, (_, s) => [s / 200, s / 300, 0]),
  });

  test('names each of a few systems at the end of its curve', () => {
    const texts = Array.from(recallPrecisionChart(family(3), { document }).querySelectorAll('text'), ({ textContent }) => textContent);
    expect(texts).toEqual(expect.arrayContaining(['system 0', 'system 1', 'system 2']));
  });

  test('names the best of many, and says how many there are besides', () => {
    const texts = Array.from(recallPrecisionChart(family(143), { document }).querySelectorAll('text'), ({ textContent }) => textContent);
    expect(texts).toEqual(expect.arrayContaining(['system 142', 'system 137', 'and 137 more']));
    expect(texts).not.toContain('system 136');
  });

  test('names those that are asked for', () => {
    const texts = Array.from(
      recallPrecisionChart(family(143), { document, highlight: ['system 5'] }).querySelectorAll('text'),
      ({ textContent }) => textContent,
    );
    expect(texts).toContain('system 5');
    expect(texts).toContain('and 142 more');
  });
});

test('criticalDifference joins what the test does not tell apart, and nothing else', () => {
  const data = {
    meanRanks: [1.2, 1.9, 3.4, 3.5],
    criticalDifference: 1,
    level: 0.95,
    omnibusPValue: 0.001,
    cliques: [
      [0, 1],
      [2, 3],
    ] as [number, number][],
  };
  const svg = criticalDifference(['a', 'b', 'c', 'd'], 'AP', data, { document });
  expect(svg.querySelectorAll('[stroke-linecap="round"]').length).toBe(2);
});

describe('spreadApart', () => {
  test('keeps labels in order, apart and inside', () => {
    const placed = spreadApart([100, 101, 99, 20], 15, 0, 110);
    expect(placed).toEqual([95, 110, 80, 20]);
  });
});

describe('svgFile', () => {
  const [chart] = reportCharts(trecExample(['a', 'b'], ['1', '2']));

  test('writes every name so that XML and HTML read the same', () => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg') as SVGSVGElement;
    svg.setAttribute('aria-label', '<a b="c"> & d');
    svg.setAttribute('width', '1.23456');
    const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    text.textContent = '1 < 2 & "3"';
    svg.append(text);
    expect(svgMarkup(svg)).toBe(
      '<svg aria-label="&lt;a b=&quot;c&quot;&gt; &amp; d" width="1.23"><text>1 &lt; 2 &amp; &quot;3&quot;</text></svg>',
    );
  });

  test('follows the reader, or keeps to one paper', () => {
    const following = svgFile(chart.draw({ document }));
    expect(following).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(following).toContain('prefers-color-scheme: dark');
    const dark = svgFile(chart.draw({ document, theme: 'dark' }), 'dark');
    expect(dark).not.toContain('prefers-color-scheme');
    expect(dark).toContain(darkTheme.series[0]);
    expect(dark).not.toContain(lightTheme.series[0]);
  });
});
