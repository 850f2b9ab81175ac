import { defineConfig } from 'vitest/config';
import { checkedStores } from './test/checked-stores/plugin.js';

export default defineConfig({
  plugins: [checkedStores()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    // a second, as it is otherwise, is not enough for a browser on a busy machine
    expect: { poll: { timeout: 15_000 } },
  },
});
