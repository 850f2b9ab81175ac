// Measures the browser app as it was built: how large the scripts are that it fetches until it shows a verdict, how long the example
// takes, and whether the page stays responsive while much is read and scored: a run of 1,000 topics with 1,000 documents each, or all
// files of a folder, one of them the judgements.
//
//   npm run build && node scripts/measure-app.mjs [--folder FOLDER] [--json]
//
// Ends with status 1 if a promise is not kept: 250 kB of compressed JavaScript to the first result, a second for the example, 100 ms of
// computing for any task of the page.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { datasets, prepareDataset } from '../benchmarks/src/datasets.mjs';
import { appFolder } from '../dist/node/app-files.js';
import { findChromium } from '../dist/node/output/pdf.js';
import { serveFolder } from '../dist/node/serving/serve.js';

const limits = { scriptBytes: 250_000, exampleMilliseconds: 1000, longestTaskMilliseconds: 100 };
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

/** The compressed size of each script that the page has fetched by the time it shows the verdict. */
async function fetchedScripts(browser, address, folder) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const names = new Set();
  context.on('request', (request) => {
    const name = request
      .url()
      .slice(address.length)
      .replace(/[?#].*/, '');
    if (name.endsWith('.js') && request.url().startsWith(address)) names.add(name);
  });
  // what is fetched while nothing else is going on comes after the first result
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  await page.goto(address);
  await exampleTime(page);
  await context.close();
  return Object.fromEntries([...names].map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length]));
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
    while (document.querySelector('#finding') === null) await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - start;
  });
}

async function largeDrop(page, files) {
  const start = performance.now();
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await page.locator('#finding').waitFor({ timeout: 600_000 });
  const milliseconds = performance.now() - start;
  // the views that draw and list the most
  for (const [view, words] of [
    ['leaderboard', 'Topics, easy to hard'],
    ['topic', 'The ranked list'],
  ]) {
    await page.evaluate((id) => {
      location.hash = `#/${id}`;
    }, view);
    await page.getByText(words).first().waitFor({ timeout: 120_000 });
  }
  await page.waitForTimeout(300);
  return milliseconds;
}

const folder = appFolder();
const given = process.argv.includes('--folder') ? process.argv[process.argv.indexOf('--folder') + 1] : undefined;
const files = given === undefined ? generated() : readdirSync(given).map((name) => join(given, name));

function generated() {
  const dataset = datasets.find(({ name }) => name === 'medium');
  const { qrels, run } = prepareDataset(dataset, fileURLToPath(new URL('../.cache/bench/data', import.meta.url)));
  return [qrels, run];
}

const served = await serveFolder({ folder });
const browser = await chromium.launch({ executablePath: findChromium(process.env), args: flags });
try {
  const sizes = await fetchedScripts(browser, served.address, folder);
  const scriptBytes = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const examples = [];
  for (let i = 0; i < 3; i++) examples.push(await measured(browser, served.address, exampleTime));
  const large = await measured(browser, served.address, async (page) => {
    await page.waitForTimeout(500);
    return await longestTasks(browser, page, () => largeDrop(page, files));
  });
  const results = {
    scripts: sizes,
    scriptBytes,
    exampleMilliseconds: Math.min(...examples),
    droppedFiles: files.length,
    droppedBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    dropMilliseconds: large.result,
    longestTaskMilliseconds: large.computed,
    longestTaskByClockMilliseconds: large.byClock,
  };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else {
    const whole = (value) => Math.round(value).toLocaleString('en');
    process.stdout.write(
      [
        `scripts to the first result, compressed: ${whole(scriptBytes)} bytes of ${whole(limits.scriptBytes)} allowed`,
        ...Object.entries(sizes).map(([name, size]) => `  ${name}: ${whole(size)}`),
        `the example, from the click to the verdict: ${whole(results.exampleMilliseconds)} ms of ${whole(limits.exampleMilliseconds)} allowed (best of ${examples.map(whole).join(', ')})`,
        `${files.length} files, ${whole(results.droppedBytes)} bytes, from the drop to the verdict: ${whole(large.result)} ms`,
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
