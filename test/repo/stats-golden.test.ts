import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const golden = new URL('../golden/stats/', import.meta.url);
const sources = new URL('../../src/stats/', import.meta.url);

test('every recorded reference of the statistics is read by a test, and says what made it', () => {
  const tests = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, sources), 'utf8'))
    .join('\n');
  const files = readdirSync(golden);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect(tests, `${file} is read by no test`).toContain(`'${file}'`);
    const content = JSON.parse(readFileSync(new URL(file, golden), 'utf8')) as { madeBy?: string };
    expect(content.madeBy, file).toMatch(/^scripts\/golden\/stats/);
  }
});
