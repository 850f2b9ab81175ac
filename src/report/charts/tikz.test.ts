import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { comparisonExample, trecExample } from '../../../test/helpers/report-examples.js';
import { topicCurve } from '../build-trec.js';
import { lineChart, reportCharts, tikzPicture, topicRecallPrecision } from './index.js';

const { document } = parseHTML('<!doctype html><html><body></body></html>');

/** A drawing of one element. */
function drawn(markup: string, attributes = ''): string {
  const { document: own } = parseHTML(`<!doctype html><html><body><svg ${attributes}>${markup}</svg></body></html>`);
  const [svg] = own.getElementsByTagName('svg');
  return tikzPicture(svg);
}

/** What a drawing of one element becomes, without what stands around it. */
const line = (markup: string, attributes = ''): string =>
  drawn(markup, attributes)
    .split('\n')
    .filter((text) => /^(\\path|\\node| )/.test(text))
    .join('\n');

describe('tikzPicture', () => {
  test.each([
    // by hand: 0.75 points to the pixel, the y axis pointing down
    [
      '<line x1="1" y1="2" x2="3.456" y2="4" stroke="#ff0000" stroke-width="2"/>',
      '\\path[draw=gradusA,line width=1.5pt] (1,2) -- (3.46,4);',
    ],
    [
      '<rect x="10" y="20" width="5" height="8" fill="#00ff00"/>',
      '\\path[fill=gradusA] (10,20) -- (15,20) -- (15,28) -- (10,28) -- cycle;',
    ],
    [
      '<circle cx="4" cy="5" r="2" fill="#00ff00" fill-opacity="0.5"/>',
      '\\path[fill=gradusA,fill opacity=0.5] (4,5) circle[radius=1.5pt];',
    ],
    [
      '<g transform="translate(10,20)" stroke="#0000ff" fill="none"><path d="M0,0h5v5m1,1l2,3C1,2,3,4,5,6Z" stroke-dasharray="5 4"/></g>',
      '\\path[draw=gradusA,line width=0.75pt,dash pattern=on 3.75pt off 3pt] (10,20) -- (15,20) -- (15,25) (16,26) -- (18,29) .. controls (11,22) and (13,24) .. (15,26) -- cycle;',
    ],
    [
      '<text x="8" y="0.5em" text-anchor="end" font-size="10" font-weight="bold">50% − a_b</text>',
      '\\node[anchor=base east,inner sep=0pt,text=gradusA,font=\\fontsize{7.5}{9}\\selectfont\\bfseries] at (8,5) {50\\% \\ensuremath{-} a\\_b};',
    ],
    [
      '<text transform="translate(3,4) rotate(-90)" text-anchor="middle">up</text>',
      '\\node[anchor=base,inner sep=0pt,text=gradusA,rotate=90,font=\\fontsize{9}{10.8}\\selectfont] at (3,4) {up};',
    ],
    ['<path d="M0,0L1,1" fill="none"/>', ''],
  ])('%s', (markup, expected) => {
    expect(line(markup)).toBe(expected);
  });

  test('colours are those of light paper, each defined once', () => {
    const picture = drawn(
      '<rect fill="var(--gradus-above, #1769aa)" width="1" height="1"/><text>a</text><text>b</text>',
      'fill="currentColor"',
    );
    expect(picture.match(/\\definecolor.*/g)).toEqual(['\\definecolor{gradusA}{HTML}{1769AA}', '\\definecolor{gradusB}{HTML}{1B1F25}']);
  });

  test('what it is not written for is a defect, not a gap in the picture', () => {
    for (const markup of [
      '<ellipse/>',
      '<path d="M0,0A1,1,0,0,0,2,2" fill="#000000"/>',
      '<g transform="scale(2)"/>',
      '<rect fill="url(#x)"/>',
    ]) {
      expect(() => drawn(markup), markup).toThrow('that TikZ is not written for');
    }
  });

  test('the relevant documents of the worked example are where the drawing has them', () => {
    const ranked = Array.from({ length: 20 }, (_, i) => ([1, 2, 4, 15].includes(i + 1) ? 1 : 0));
    const picture = tikzPicture(topicRecallPrecision(topicCurve('t', 's', ranked, 4), { document, width: 720, height: 446 }));
    const circles = [...picture.matchAll(/\(([\d.]+),([\d.]+)\) circle/g)].map(([, x, y]) => [
      ((Number(x) - 52) / 644).toFixed(3),
      ((402 - Number(y)) / 372).toFixed(3),
    ]);
    expect(circles).toEqual([
      ['0.250', '1.000'],
      ['0.500', '1.000'],
      ['0.750', '0.750'],
      ['1.000', '0.267'],
    ]);
  });

  test('draws every chart of every report: a node for each text, a path for each shape that is seen', () => {
    const names = ['bm25', 'a_b & 50% <x>', 'neural', 'αβ ≥ 1'];
    const topics = ['1', '2', '3', '4', '5', '6'];
    const drawings = [...reportCharts(trecExample(names, topics)), ...reportCharts(comparisonExample(names, topics))].map(({ draw }) =>
      draw({ document }),
    );
    drawings.push(
      lineChart(
        {
          title: 't',
          xLabel: 'x',
          yLabel: 'y',
          series: [
            {
              name: 's',
              points: [
                { x: 0, y: 1 },
                { x: 1, y: 2 },
              ],
              errors: [0.1, 0.1],
            },
          ],
        },
        { document },
      ),
    );
    expect(drawings.length).toBeGreaterThan(12);
    for (const svg of drawings) {
      const picture = tikzPicture(svg);
      const texts = Array.from(svg.querySelectorAll('text')).filter((text) => (text.textContent ?? '').trim() !== '');
      expect(picture.match(/^\\node/gm)?.length ?? 0).toBe(texts.length);
      expect(picture).not.toMatch(/NaN|Infinity|undefined/);
      expect(picture.match(/^\\path/gm)?.length ?? 0).toBeGreaterThan(texts.length > 0 ? 1 : 0);
    }
  });
});
