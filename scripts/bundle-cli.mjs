// Puts the program into two files of plain CommonJS: the command line and the worker it starts.
//
// Node reads one file of CommonJS much faster than seventy of ECMAScript modules: on a small evaluation this saves about as
// much time as the evaluation takes. The library itself is not bundled; its users have bundlers of their own.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const outdir = `${dist}bin`;

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: [`${dist}cli/main.js`, `${dist}node/stream-worker.js`],
  entryNames: '[name]',
  outdir,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  // both folders are two levels below package.json, so that addresses relative to a module keep their meaning
  banner: { js: "const moduleAddress = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'moduleAddress' },
  logLevel: 'warning',
});
// the package is one of ECMAScript modules; this folder is not
writeFileSync(`${outdir}/package.json`, '{ "type": "commonjs" }\n');
