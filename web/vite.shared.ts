import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { UserConfig } from 'vite';
import { replacedPackages, replaceFiles } from '../scripts/unused-parts.mjs';

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

/** Of what decompresses Parquet only a part is used. */
const codecs = { find: /^hyparquet-compressors$/, replacement: own('parquet-codecs.ts') };

/** Beside the library, so that it is published with it. */
const outDir: string = fileURLToPath(new URL('dist/app', root));

/** What the app and the components inside saved reports have in common. */
export const shared: UserConfig & { build: object } = {
  // paths relative to the page, so that the built files work from any folder of any host
  base: './',
  plugins: [svelte(), replaceFiles()],
  resolve: {
    alias: [...doors, ...replacedPackages, codecs],
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
