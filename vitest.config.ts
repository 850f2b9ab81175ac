import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { checkedStores } from './test/checked-stores/plugin.js';

export default defineConfig({
  plugins: [checkedStores()],
  // the page imports the package by name; here that is the sources
  resolve: {
    alias: [
      { find: /^gradus$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      { find: /^gradus\/(.+)$/, replacement: `${fileURLToPath(new URL('src/', import.meta.url))}$1/index.ts` },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 60_000,
    // all cores: one is left free otherwise, which is half of a small machine
    maxWorkers: '100%',
    // a second, as it is otherwise, is not enough for a browser on a busy machine
    expect: { poll: { timeout: 15_000 } },
  },
});
