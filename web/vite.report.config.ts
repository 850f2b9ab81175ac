import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { recordThirdParty } from '../scripts/third-party.mjs';
import { shared } from './vite.shared.js';

/** The script is read by programs and by the page, never by a browser alone, so that it can be a third of its size in the package. */
const compressScript: Plugin = {
  name: 'compress-script',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const [fileName, output] of Object.entries(bundle)) {
      if (output.type !== 'chunk') continue;
      delete bundle[fileName];
      this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(output.code, { level: 9 }) });
    }
  },
};

/** One script and one style sheet, to be put inside reports. */
export default defineConfig({
  ...shared,
  plugins: [...(shared.plugins ?? []), recordThirdParty('report', { leavesThePackage: true }), compressScript],
  publicDir: false,
  build: {
    ...shared.build,
    emptyOutDir: false,
    lib: { entry: 'src/report/main.ts', formats: ['es'], fileName: () => 'report.js', cssFileName: 'report' },
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: false, minify: true } },
  },
});
