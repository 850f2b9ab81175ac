import { defineConfig } from 'vitest/config';
import { checkedStores } from './test/checked-stores/plugin.js';

export default defineConfig({
  plugins: [checkedStores()],
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 60_000 },
});
