// Makes the pictures of the README and the guides: what a terminal shows, and what the browser app says of the example.
//
// The text is what the program prints; the page is photographed by the Chromium of the system.
//
//   npm run pictures
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { appFolder } from '../dist/node/app-files.js';
import { findChromium } from '../dist/node/output/pdf.js';
import { serveFolder } from '../dist/node/serving/serve.js';

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

/** The page from its top to so many pixels, with a palette of the 256 colours that it has most of: a third of the size. */
async function photograph(page, height, path) {
  const { width } = page.viewportSize();
  const png = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height } });
  const pixels = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return Array.from(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer));
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  writeFileSync(path, indexedPng(pixels, width, height));
}

/** @param pixels One number for each: red, green and blue from the lowest byte on. */
function indexedPng(pixels, width, height) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour);
  const parts = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const distance = (a, b) => parts(a).reduce((sum, part, i) => sum + (part - parts(b)[i]) ** 2, 0);
  const nearest = new Map(palette.map((colour, i) => [colour, i]));
  for (const colour of counts.keys()) {
    if (nearest.has(colour)) continue;
    const distances = palette.map((known) => distance(known, colour));
    nearest.set(colour, distances.indexOf(Math.min(...distances)));
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest.get(pixels[y * width + x]);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(8 + body.length);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), 4 + body.length);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(parts))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
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

const executablePath = findChromium(process.env);
if (executablePath === undefined) throw new Error('a picture of a page needs Chromium; install it, or name it in CHROME_PATH');
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
const folder = mkdtempSync(join(tmpdir(), 'gradus-pictures-'));
const served = await serveFolder({ folder: appFolder() });
try {
  for (const [colorScheme, name] of [
    ['light', 'app.png'],
    ['dark', 'app-dark.png'],
  ]) {
    const app = await browser.newPage({ viewport: { width: 1000, height: 820 }, colorScheme });
    await app.goto(served.address);
    await app
      .locator('input[type=file][multiple]')
      .first()
      .setInputFiles(compared.map((file) => join(root, 'examples/data', file)));
    await app.getByRole('heading', { level: 1, name: /better|told apart|winner|highest/ }).waitFor();
    await app.getByText('Checking unjudged').waitFor({ state: 'detached' });
    await app.waitForTimeout(3000);
    await photograph(app, 480, join(pictures, name));
    await app.close();
  }
  const report = join(folder, 'report.html');
  gradus(['report', ...compared, '-m', 'nDCG@10 AP RR', '--quiet', '-o', report]);
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(report).href);
  await page.waitForTimeout(2000);
  await photograph(page, 480, join(pictures, 'report.png'));
} finally {
  rmSync(folder, { recursive: true, force: true });
  await browser.close();
  await served.stop();
}
