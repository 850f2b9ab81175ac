import { defineConfig } from 'vite';
import { shared } from './vite.shared.js';

/** The classroom as one script, for pages that have no app around it. */
export default defineConfig({
  ...shared,
  publicDir: false,
  build: {
    ...shared.build,
    outDir: '../site/.pages/public/classroom',
    emptyOutDir: true,
    lib: { entry: 'src/learn/standalone.ts', formats: ['es'], fileName: () => 'classroom.js', cssFileName: 'classroom' },
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: false, minify: true } },
  },
});
