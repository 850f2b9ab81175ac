import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin, UserConfig } from 'vite';

const root = new URL('../', import.meta.url);
const { exports, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const own = (file: string): string => fileURLToPath(new URL(`web/src/${file}`, root));

/** The page sees the library as any other user does: only through the doors that package.json declares. */
const doors = Object.entries<{ default?: string }>(exports)
  .filter(([, door]) => door.default !== undefined)
  .map(([name, door]) => ({
    find: new RegExp(`^${name.replace('.', 'gradus')}$`),
    replacement: fileURLToPath(new URL(door.default ?? '', root)),
  }));

/** Whole packages that nothing here uses, or not all of; in their places stand files that say so. */
const replacedPackages = [
  { find: /^d3-geo$/, replacement: own('unused/maps.ts') },
  { find: /^d3-time-format$/, replacement: own('unused/times.ts') },
  { find: /^hyparquet-compressors$/, replacement: own('parquet-codecs.ts') },
];

/** The same for files inside packages, by their paths: together with the packages, a fifth of the page. */
const replacedFiles: Readonly<Record<string, string>> = {
  '@observablehq/plot/src/curve.js': 'unused/curves.ts',
  '@observablehq/plot/src/interactions/pointer.js': 'unused/pointers.ts',
  '@observablehq/plot/src/legends.js': 'unused/legends.ts',
  '@observablehq/plot/src/marks/tip.js': 'unused/tips.ts',
  '@observablehq/plot/src/projection.js': 'unused/projections.ts',
  '@observablehq/plot/src/scales/schemes.js': 'unused/colour-schemes.ts',
  '@observablehq/plot/src/scales/temporal.js': 'unused/time-scales.ts',
  '@observablehq/plot/src/time.js': 'unused/time-scales.ts',
  'hyparquet/src/bloom.js': 'unused/parquet-filters.ts',
  'hyparquet/src/filter.js': 'unused/parquet-filters.ts',
  'hyparquet/src/variant.js': 'unused/parquet-variants.ts',
  'hyparquet/src/wkb.js': 'unused/parquet-geometry.ts',
};

/** Puts our files in the places of those in `replacedFiles`. */
export function replaceFiles(): Plugin {
  const replacements = Object.entries(replacedFiles);
  return {
    name: 'replace-files',
    enforce: 'pre',
    resolveId(asked, importer) {
      if (importer === undefined || !asked.startsWith('.') || !importer.includes('/node_modules/')) return null;
      const path = new URL(asked, `file://${importer}`).pathname;
      const replaced = replacements.find(([file]) => path.endsWith(`/node_modules/${file}`));
      return replaced === undefined ? null : own(replaced[1]);
    },
  };
}

/** Beside the library, so that it is published with it. */
const outDir: string = fileURLToPath(new URL('dist/app', root));

/** What the app and the components inside saved reports have in common. */
export const shared: UserConfig & { build: object } = {
  // paths relative to the page, so that the built files work from any folder of any host
  base: './',
  plugins: [svelte(), replaceFiles()],
  resolve: {
    alias: [...doors, ...replacedPackages],
  },
  define: { __GRADUS_VERSION__: JSON.stringify(version) },
  build: {
    outDir,
    target: 'es2022',
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
};
