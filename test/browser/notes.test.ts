import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropFiles, type OpenApp, openSettings, openView, startApp } from '../helpers/browser.js';

// forty documents of one score have far more orders than can be looked at, and infAP has no closed form
const docs = Array.from({ length: 40 }, (_, i) => `d${i}`);
const topics = ['1', '2', '3'];
const files = [
  {
    name: 'judged.qrels',
    content: topics.map((topic) => docs.map((doc, i) => `${topic} 0 ${doc} ${i % 3 === 0 ? 1 : 0}\n`).join('')).join(''),
  },
  ...['one', 'two'].map((name, place) => ({
    name: `${name}.run`,
    content: topics.map((topic) => docs.map((doc, i) => `${topic} Q0 ${doc} 1 ${i === place ? 2 : 1} ${name}\n`).join('')).join(''),
  })),
];

let server: Awaited<ReturnType<typeof startApp>>;
let app: OpenApp;

beforeAll(async () => {
  server = await startApp();
  app = await server.open();
  await dropFiles(app.page, files);
}, 60_000);
afterAll(async () => {
  await app.close();
  await server.stop();
});

describe('the note on the sampling error of means over orders', () => {
  test('is shown with the scores, and with the comparison that is made of them', async () => {
    const { page } = app;
    await openSettings(page);
    const field = page.getByRole('combobox', { name: 'Measures' });
    await field.fill("infAP(ties='expected')");
    await field.press('Enter');
    for (const name of ['Leaderboard', 'Compare']) {
      await openView(page, name);
      for (const system of ['one', 'two']) {
        const note = page.locator('.note', { hasText: `${system}.run: infAP(ties='expected')` }).first();
        await expect.poll(() => note.textContent()).toMatch(/from 2000 random orders on 3 \(seed 1, standard error up to [\d.]+e-\d\)/);
      }
    }
    expect(app.complaints).toEqual([]);
  }, 60_000);
});
