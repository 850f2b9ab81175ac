import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { comparisonExample, modelExample, trecExample } from '../../../test/helpers/report-examples.js';
import { topicCurve } from '../build-trec.js';
import { spreadApart } from './frame.js';
import {
  bumpChart,
  criticalDifference,
  recallPrecisionChart,
  reportCharts,
  svgFile,
  svgMarkup,
  toolGaps,
  topicContributions,
  topicRecallPrecision,
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
  const gaps = {
    measure: 'nDCG@10',
    fromValue: 0.45,
    rows: [
      { names: ['trec_eval 9.0.8', 'Gradus'], value: 0.45, steps: [] },
      {
        names: ['LETOR 4.0'],
        value: 0.52,
        steps: [
          { label: 'gain of a grade', share: 0.09, reason: 'because' },
          { label: 'empty queries', share: -0.02, reason: 'because' },
          { label: 'order of operations', share: 1e-9, reason: 'because' },
        ],
      },
    ],
  };
  const orders = {
    systems: names,
    columns: [
      { name: 'nDCG@10', detail: '', places: [3, 2, 1], tau: 1 },
      { name: 'AP', detail: 'first 10', places: [3, 1, 2], tau: 1 / 3 },
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
    ...reportCharts(modelExample).map(({ id, draw }): [string, () => SVGSVGElement] => [`model-${id}`, () => draw({ document })]),
    ['tool-gaps', () => toolGaps(gaps, { document })],
    ['orders', () => bumpChart(orders, { document })],
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
    expect(texts).toEqual(expect.arrayContaining(['system 142', 'system 135', 'and 135 more']));
    expect(texts).not.toContain('system 134');
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

test('the numbers of a model come with its pictures, intervals and all', () => {
  const [bars, curve] = reportCharts(modelExample).map((chart) => chart.data());
  expect(bars.rows).toEqual([
    ['1 bm25', 0.12, 0.05, 0.2],
    ['feature 2', -0.01, null, null],
  ]);
  expect(curve.columns.map(({ name }) => name)).toEqual(['1 bm25', 'mean', 'mean, low', 'mean, high']);
  expect(curve.rows[1]).toEqual([2, 0.1, 0, 0.3]);
});

test('criticalDifference says how many of all systems it shows, and cuts names to the room beside the diagram', () => {
  const names = Array.from({ length: 126 }, (_, s) => `a_system_with_a_rather_long_name_${s}`);
  const data = {
    meanRanks: names.map((_, s) => s + 1),
    criticalDifference: 20,
    cliques: [[0, 20] as const],
    omnibusPValue: 0.001,
    level: 0.05,
  };
  const svg = criticalDifference(names, 'AP', data, { document, width: 440 });
  expect(svg.textContent).toContain('the best 30 of 126 systems');
  for (const text of Array.from(svg.querySelectorAll('text'))) {
    const shown = Array.from(text.childNodes).find(({ nodeType }) => nodeType === 3)?.textContent ?? '';
    if (!shown.includes('…')) continue;
    // no letter of usual fonts is wider than 9 pixels at this size, but for m and w
    const room = text.getAttribute('text-anchor') === 'end' ? Number(text.getAttribute('x')) : 440 - Number(text.getAttribute('x'));
    expect([shown, shown.length * 9 <= room + 9]).toEqual([shown, true]);
    expect(text.querySelector('title')?.textContent).toMatch(/^a_system_with_a_rather_long_name_\d+$/);
  }
});

test('names of curves that end at the same place stand in the order of the curves, not of the systems', () => {
  const x = Array.from({ length: 11 }, (_, i) => i / 10);
  const falling = (top: number): number[] => x.map((recall) => top * (1 - recall));
  const family = {
    id: 'recall-precision',
    label: '',
    x,
    xLabel: 'recall',
    yLabel: 'precision',
    systems: ['low', 'high', 'middle'],
    values: [falling(0.3), falling(0.9), falling(0.6)],
  };
  const svg = recallPrecisionChart(family, { document });
  const place = (name: string): number =>
    Number(
      Array.from(svg.querySelectorAll('text'))
        .find(({ textContent }) => textContent === name)
        ?.getAttribute('y'),
    );
  expect([place('high'), place('middle'), place('low')]).toEqual([place('high'), place('middle'), place('low')].toSorted((a, b) => a - b));
});

test('toolGaps leaves out steps that four decimals do not show', () => {
  const svg = toolGaps(
    {
      measure: 'AP',
      fromValue: 0.5,
      rows: [
        {
          names: ['a'],
          value: 0.6,
          steps: [
            { label: 'ties', share: 0.1, reason: 'r' },
            { label: 'printing', share: 1e-6, reason: 'r' },
          ],
        },
      ],
    },
    { document },
  );
  expect(svg.textContent).toContain('ties +0.1');
  expect(svg.querySelector('desc')?.textContent).not.toContain('printing');
});
