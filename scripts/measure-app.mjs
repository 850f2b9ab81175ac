// Measures the browser app as it was built: how large its scripts are, how long the example takes, and whether the page stays
// responsive while a run of 1,000 topics with 1,000 documents each is read and scored.
//
//   npm run build && node scripts/measure-app.mjs [--json]
//
// Ends with status 1 if a promise is not kept: 260 kB of compressed JavaScript, a second for the example, 100 ms of computing for any
// task of the page.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { datasets, prepareDataset } from '../benchmarks/src/datasets.mjs';
import { appFolder } from '../dist/node/app-files.js';
import { findChromium } from '../dist/node/output/pdf.js';
import { serveFolder } from '../dist/node/serving/serve.js';

const limits = { scriptBytes: 260_000, exampleMilliseconds: 1000, longestTaskMilliseconds: 100 };
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function compressedSizes(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(files.map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length]));
}

/** The longest tasks of the page's main thread while `act` goes on: by the clock, and by what the thread itself computed, which other
 *  programs on a busy machine do not lengthen. */
async function longestTasks(browser, page, act) {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  const result = await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && mains.has(`${pid} ${tid}`));
  if (tasks.length < 100) throw new Error(`expected the trace to tell of many tasks, found ${tasks.length}`);
  const longest = (field) => tasks.reduce((most, task) => Math.max(most, (task[field] ?? 0) / 1000), 0);
  return { result, byClock: longest('dur'), computed: longest('tdur') };
}

async function measured(browser, address, measure) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('button', { name: 'Show me an example' }).waitFor();
  const result = await measure(page);
  await context.close();
  return result;
}

async function exampleTime(page) {
  // from a page that has just been opened
  return await page.evaluate(async () => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show me an example');
    const start = performance.now();
    button.click();
    while (document.querySelector('#title-scores') === null) await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - start;
  });
}

async function largeRun(page, { qrels, run }) {
  const start = performance.now();
  await page.locator('input[type=file]').setInputFiles([qrels, run]);
  await page.locator('#title-scores').waitFor({ timeout: 300_000 });
  const milliseconds = performance.now() - start;
  // the tabs that draw and list the most
  await page.getByRole('link', { name: 'One topic' }).click();
  await page.getByRole('heading', { name: 'The ranked list' }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Leaderboard' }).click();
  await page.waitForTimeout(300);
  return milliseconds;
}

const folder = appFolder();
const sizes = compressedSizes(folder);
const scriptBytes = Object.values(sizes).reduce((sum, size) => sum + size, 0);
const dataset = prepareDataset(
  datasets.find(({ name }) => name === 'medium'),
  fileURLToPath(new URL('../.cache/bench/data', import.meta.url)),
);
const served = await serveFolder({ folder });
const browser = await chromium.launch({ executablePath: findChromium(process.env), args: flags });
try {
  const examples = [];
  for (let i = 0; i < 3; i++) examples.push(await measured(browser, served.address, exampleTime));
  const large = await measured(browser, served.address, async (page) => {
    await page.waitForTimeout(500);
    return await longestTasks(browser, page, () => largeRun(page, dataset));
  });
  const results = {
    scripts: sizes,
    scriptBytes,
    exampleMilliseconds: Math.min(...examples),
    largeRunBytes: statSync(dataset.run).size,
    largeRunMilliseconds: large.result,
    longestTaskMilliseconds: large.computed,
    longestTaskByClockMilliseconds: large.byClock,
  };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else {
    const whole = (value) => Math.round(value).toLocaleString('en');
    process.stdout.write(
      [
        `scripts, compressed: ${whole(scriptBytes)} bytes of ${whole(limits.scriptBytes)} allowed`,
        ...Object.entries(sizes).map(([name, size]) => `  ${name}: ${whole(size)}`),
        `the example, from the click to the scores: ${whole(results.exampleMilliseconds)} ms of ${whole(limits.exampleMilliseconds)} allowed (best of ${examples.map(whole).join(', ')})`,
        `a run of ${whole(results.largeRunBytes)} bytes, from the drop to the scores: ${whole(large.result)} ms`,
        `  longest task of the page meanwhile: ${whole(large.computed)} ms of ${whole(limits.longestTaskMilliseconds)} allowed; ${whole(large.byClock)} ms by the clock of this machine`,
        '',
      ].join('\n'),
    );
  }
  const kept = Object.entries(limits).every(([name, limit]) => results[name] < limit);
  if (!kept) process.exitCode = 1;
} finally {
  await browser.close();
  await served.stop();
}
