import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { UserConfig } from 'vite';

const root = new URL('../', import.meta.url);
const { exports, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** The page sees the library as any other user does: only through the doors that package.json declares. */
const doors = Object.entries<{ default?: string }>(exports)
  .filter(([, door]) => door.default !== undefined)
  .map(([name, door]) => ({
    find: new RegExp(`^${name.replace('.', 'gradus')}$`),
    replacement: fileURLToPath(new URL(door.default ?? '', root)),
  }));

/** Parts of other packages that nothing here uses, a fifth of the page; in their places stand files that say so. */
const unused = [
  { find: /^d3-geo$/, file: 'unused/maps.ts' },
  { find: /^d3-time-format$/, file: 'unused/times.ts' },
  { find: /^\.\/(scales\/)?schemes\.js$/, file: 'unused/colour-schemes.ts' },
  { find: /^\.\/legends\.js$/, file: 'unused/legends.ts' },
  { find: /^\.\/marks\/tip\.js$/, file: 'unused/tips.ts' },
  { find: /^hyparquet-compressors$/, file: 'parquet-codecs.ts' },
].map(({ find, file }) => ({ find, replacement: fileURLToPath(new URL(`web/src/${file}`, root)) }));

/** Beside the library, so that it is published with it. */
const outDir: string = fileURLToPath(new URL('dist/app', root));

/** What the app and the components inside saved reports have in common. */
export const shared: UserConfig & { build: object } = {
  // paths relative to the page, so that the built files work from any folder of any host
  base: './',
  plugins: [svelte()],
  resolve: {
    alias: [...doors, ...unused],
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
