// Makes the pictures of the README and the guides: what a terminal shows, and what a report looks like in a browser, in light and dark.
//
// The text is what the program prints; the page is the report it writes, photographed by the Chromium of the system.
//
//   npm run web && node scripts/pictures.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../dist/node/output/pdf.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const pictures = join(root, 'docs/pictures');
const columns = 104;

/** What the program prints, run beside the example files. */
function gradus(argv) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'bin/gradus.js'), ...argv], {
    cwd: join(root, 'examples/data'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`gradus ${argv.join(' ')}: ${stderr}`);
  return stdout;
}

/** Lines as a terminal breaks them. */
function terminalLines(text) {
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const letters = Array.from(line);
      const parts = [];
      do parts.push(letters.splice(0, columns).join(''));
      while (letters.length > 0);
      return parts;
    });
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A window with commands and what they print. */
function terminalPicture(commands) {
  const lines = commands.flatMap((argv, i) => [
    ...(i > 0 ? [{ text: '' }] : []),
    { text: `$ gradus ${argv.join(' ')}`, isCommand: true },
    ...terminalLines(gradus(argv)).map((text) => ({ text })),
  ]);
  const letterWidth = 8.43;
  const lineHeight = 20;
  const width = Math.round(columns * letterWidth + 48);
  const height = lines.length * lineHeight + 68;
  const texts = lines.map(({ text, isCommand }, i) =>
    text === ''
      ? ''
      : `<text x="24" y="${58 + i * lineHeight}" xml:space="preserve"${isCommand ? ' fill="#7ee0b8" font-weight="bold"' : ''}>${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#e6e8eb" role="img" aria-label="A terminal in which runs are evaluated and compared">
<rect width="${width}" height="${height}" rx="10" fill="#15181c"/>
<circle cx="22" cy="20" r="6" fill="#ff6b5e"/><circle cx="42" cy="20" r="6" fill="#f5bf4f"/><circle cx="62" cy="20" r="6" fill="#5fc454"/>
${texts.filter((text) => text !== '').join('\n')}
</svg>
`;
}

/** The part of the page from the top of one card to the bottom of another, once everything on it is drawn. */
async function photograph(page, from, to, path) {
  const end = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < end; y += 500) {
    await page.evaluate((top) => globalThis.scrollTo(0, top), y);
    await page.waitForTimeout(150);
  }
  await page.evaluate(() => globalThis.scrollTo(0, 0));
  const box = (title) =>
    page.evaluate((text) => {
      const heading = [...document.querySelectorAll('#gradus-app h3, #gradus-app h4, #gradus-app figcaption')].find(
        (one) => one.textContent.trim() === text,
      );
      const card = heading?.closest('figure, .sheet, section');
      if (!card) throw new Error(`the page has no card ${text}`);
      const { top, bottom } = card.getBoundingClientRect();
      return { top: top + globalThis.scrollY, bottom: bottom + globalThis.scrollY };
    }, title);
  const { top } = await box(from);
  const { bottom } = await box(to);
  const { width } = page.viewportSize();
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: top - 16, width, height: bottom - top + 28 } });
}

mkdirSync(pictures, { recursive: true });
const compared = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'];
writeFileSync(
  join(pictures, 'terminal.svg'),
  terminalPicture([
    ['eval', ...compared],
    ['compare', ...compared, '-m', 'nDCG@10'],
  ]),
);

const folder = mkdtempSync(join(tmpdir(), 'gradus-pictures-'));
const executablePath = findChromium(process.env);
if (executablePath === undefined) throw new Error('a picture of a page needs Chromium; install it, or name it in CHROME_PATH');
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  const report = join(folder, 'report.html');
  gradus(['report', ...compared, '-m', 'nDCG@10 AP RR', '--quiet', '-o', report]);
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, colorScheme });
    await page.goto(pathToFileURL(report).href);
    await photograph(
      page,
      'nDCG@10 by topic and system',
      'Recall and precision, grade 1 and up relevant',
      join(pictures, `report-${colorScheme}.png`),
    );
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
