import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const root = new URL('../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** The page sees the library as any other user does: only through the doors that package.json declares. */
const doors = Object.entries<{ default?: string }>(exports)
  .filter(([, door]) => door.default !== undefined)
  .map(([name, door]) => ({
    find: new RegExp(`^${name.replace('.', 'gradus')}$`),
    replacement: fileURLToPath(new URL(door.default ?? '', root)),
  }));

// paths relative to the page, so that the built files work from any folder of any host
export default defineConfig({ base: './', plugins: [svelte()], resolve: { alias: doors } });
