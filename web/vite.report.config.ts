import { defineConfig } from 'vite';
import { recordThirdParty } from '../scripts/third-party.mjs';
import { shared } from './vite.shared.js';

/** One script and one style sheet, to be put inside reports. */
export default defineConfig({
  ...shared,
  plugins: [...(shared.plugins ?? []), recordThirdParty('report', { leavesThePackage: true })],
  publicDir: false,
  build: {
    ...shared.build,
    emptyOutDir: false,
    lib: { entry: 'src/report/main.ts', formats: ['es'], fileName: () => 'report.js', cssFileName: 'report' },
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: false, minify: true } },
  },
});
