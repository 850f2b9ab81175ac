import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

/** Bundles for a browser what a page would import. Anything from Node makes this fail, because it cannot be resolved. */
async function bundle(code: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: repository, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  return outputFiles[0].contents;
}

describe('the library in a browser', () => {
  test('evaluate with all measures takes less than 37 kB, compressed', async () => {
    const code = await bundle("export { evaluate } from 'gradus';");
    expect(gzipSync(code).length).toBeLessThan(37_000);
    // it is the real thing and not an empty file
    expect(code.length).toBeGreaterThan(20_000);
  });

  test.each([
    'gradus',
    'gradus/core',
    'gradus/measures',
    'gradus/formats',
    'gradus/conventions',
    'gradus/stats',
    'gradus/report',
    'gradus/report/bibliography',
    'gradus/report/charts',
  ])('%s needs nothing from Node', async (door) => {
    const code = Buffer.from(await bundle(`import * as door from '${door}'; globalThis.door = door;`)).toString();
    expect(code).not.toMatch(/["'`]node:/);
    expect(code.length).toBeGreaterThan(1000);
  });

  test('gradus/report does without the charts, which gradus/report/charts brings', async () => {
    const [tables, charts] = await Promise.all(['gradus/report', 'gradus/report/charts'].map((door) => bundle(`export * from '${door}';`)));
    expect(gzipSync(tables).length).toBeLessThan(60_000);
    expect(gzipSync(charts).length).toBeLessThan(120_000);
    expect(charts.length).toBeGreaterThan(200_000);
  });
});
