import { defineConfig } from 'vitest/config';

/** Tests that need other programs, which they install. They are not part of `npm test`. */
export default defineConfig({
  test: { include: ['test/engines/*.engine.ts'], testTimeout: 1_200_000, hookTimeout: 1_200_000, fileParallelism: false },
});
