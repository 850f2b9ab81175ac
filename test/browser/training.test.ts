import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { modelToJson } from '../../src/ltr/models/json.js';
import { loadLearner } from '../../src/ltr/registry.js';
import { trainRanker } from '../../src/ltr/train.js';
import { parseMeasure } from '../../src/measures/parse.js';
import { launchChromium } from '../helpers/browser.js';
import { letorText } from '../helpers/feature-data.js';
import { repository } from '../helpers/run-gradus.js';

const train = letorText(1, 40);
const validation = letorText(2, 15);
const options = { trees: 15, leaves: 5 };

/** A page as a site without a bundler would have it. */
const html = `<!doctype html><title>training</title><script type="module">
import { loadLearner, modelToJson, trainRanker } from '/ltr/index.js';
import { parseLetor } from '/formats/index.js';
import { parseMeasure } from '/measures/index.js';

globalThis.trainHere = async ({ train, validation, options }) => {
  const steps = [];
  const model = await trainRanker({
    learner: await loadLearner('lambdamart'),
    train: parseLetor(train).matrix,
    validation: parseLetor(validation).matrix,
    objective: parseMeasure('nDCG@10'),
    options,
    onIteration: ({ iteration }) => steps.push(iteration),
  });
  return { json: modelToJson(model), steps };
};
</script>`;

let server: Server;
let browser: Browser;

/** Serves the page and the package's built modules. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(html);
      return;
    }
    try {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(repository, 'dist', path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

test('LambdaMART trains in Chromium, and the model has the same bytes as one trained in Node', async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction('globalThis.trainHere !== undefined');
  const trained: { json: string; steps: number[] } = await page.evaluate(`trainHere(${JSON.stringify({ train, validation, options })})`);
  expect(trained.steps).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  const here = await trainRanker({
    learner: await loadLearner('lambdamart'),
    train: parseLetor(train).matrix,
    validation: parseLetor(validation).matrix,
    objective: parseMeasure('nDCG@10'),
    options,
  });
  expect(trained.json).toBe(modelToJson(here));
}, 60_000);
