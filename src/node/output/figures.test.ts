import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { saveLineCharts } from './figures.js';
import { findChromium } from './pdf.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-figures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const picture = {
  title: 'levels',
  xLabel: 'x',
  yLabel: 'y',
  series: [
    {
      name: 's',
      points: [
        { x: 0, y: 1 },
        { x: 1, y: 2 },
      ],
    },
  ],
};

test('saveLineCharts goes by the ending, and numbers the charts after the first', async () => {
  await saveLineCharts(join(folder, 'a.tex'), [picture, picture]);
  await saveLineCharts(join(folder, 'b.SVG'), [picture]);
  await saveLineCharts(join(folder, 'c'), [picture, picture]);
  expect(readdirSync(folder).sort()).toEqual(['a-2.tex', 'a.tex', 'b.SVG', 'c', 'c-2.svg']);
  expect(readFileSync(join(folder, 'a-2.tex'), 'utf8')).toMatch(/^% levels\n/);
  expect(readFileSync(join(folder, 'c'), 'utf8')).toMatch(/^<\?xml/);
});

test('an ending that is none of a figure is refused, and the suggestion works', async () => {
  await expect(saveLineCharts(join(folder, 'd.docx'), [picture])).rejects.toThrow(
    '.docx files cannot be drawn; end the name in .svg, .tex or .pdf',
  );
  await saveLineCharts(join(folder, 'd.svg'), [picture]);
  expect(readdirSync(folder)).toContain('d.svg');
});

test('a PDF is a page as large as the drawing, where there is a browser', async () => {
  const printed = saveLineCharts(join(folder, 'e.pdf'), [picture]);
  if (findChromium(process.env) === undefined) {
    await expect(printed).rejects.toThrow('a PDF is printed by Chromium, and none was found on this system');
    return;
  }
  await printed;
  const pdf = readFileSync(join(folder, 'e.pdf'), 'latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  const [, width, height] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(pdf) ?? [];
  // 720 by 432 pixels, of which 96 are 72 points
  expect(Number(width)).toBeCloseTo(540, 0);
  expect(Number(height)).toBeCloseTo(324, 0);
});
