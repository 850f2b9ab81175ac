// Puts the program into a few files of CommonJS: one for each command and one for each part that several share.
//
// Node starts a handful of CommonJS files much faster than seventy ECMAScript modules: on a small evaluation this saves about
// as much time as the evaluation takes. The library itself is not bundled; its users have bundlers of their own. One module of it is: what
// draws the charts of reports, which the program uses too.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { recordThirdParty } from './third-party.mjs';
import { replaceFiles, replacePackages } from './unused-parts.mjs';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
// as deep below package.json as the modules themselves, so that addresses relative to them keep their meaning
const dir = `${dist}bin`;

// the compiler leaves what it made of sources that are gone, and all of dist is published
for (const file of readdirSync(dist, { recursive: true })) {
  const [, module] = /^(?!(?:app|bin)[\\/])(.+?)(?:\.d\.ts|\.js)$/.exec(file) ?? [];
  if (module !== undefined && !existsSync(`${source}${module}.ts`)) rmSync(`${dist}${file}`);
}

// of the sources, so that it can be made again from what it is made of
const drawing = await rolldown({
  input: `${source}node/output/drawing.ts`,
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  plugins: [replaceFiles(), replacePackages(), recordThirdParty('drawing')],
});
await drawing.write({ file: `${dist}node/output/drawing.js`, format: 'esm', codeSplitting: false, minify: true });

/** What `team-worker.js`, by which threads begin, hands over to. */
const THREAD = 'thread';

rmSync(dir, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: `${dist}cli/main.js`,
    'stream-worker': `${dist}node/streams/stream-worker.js`,
    'stream-worker-files': `${dist}node/streams/stream-worker-files.js`,
    [THREAD]: `${dist}node/threads/team-worker.js`,
    'letor-worker': `${dist}node/letor/letor-worker.js`,
    'streamed-parts-worker': `${dist}node/letor/streamed-parts-worker.js`,
    'binning-worker': `${dist}node/letor/binning-worker.js`,
    'resample-worker': `${dist}node/threads/resample-worker.js`,
    'tree-worker': `${dist}ltr/trees/tree-worker.js`,
    'trial-worker': `${dist}experiment/tuning/trial-worker.js`,
  },
  platform: 'node',
  // a database of many megabytes, installed by those who want it, and what is made above; everything else that commands use is put into
  // their files
  external: ['@duckdb/node-api', /[\\/]drawing\.js$/],
  plugins: [recordThirdParty('bin'), { name: 'import-through-loader', renderChunk: importsThroughLoader }],
});
await bundle.write({
  dir,
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  paths: (id) => (/[\\/]drawing\.js$/.test(id) ? '../node/output/drawing.js' : id),
  // comments and blanks take time to skip; functions and classes keep their names, so that the place of a defect can be read
  // what nearly every command needs is one file, because each further one costs as much as reading a hundred kilobytes
  codeSplitting: {
    groups: [
      {
        name: 'engine',
        test: /dist[\\/](core[\\/](?!problem|closest|params)|measures(?![\\/]reference)|formats[\\/](text[\\/](kernels|line-|scanner-|create-line|decimal|long-decimal|strtod)|trec[\\/]topic-stream)|node[\\/](streams[\\/]stream-(?!worker)|output[\\/]plain-file)|cli[\\/]print[\\/]colour)/,
      },
    ],
  },
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
});
// the package is one of ECMAScript modules; this folder is not
writeFileSync(`${dir}/package.json`, '{ "type": "commonjs" }\n');

// threads begin as the program does, with what was compiled before
writeFileSync(
  `${dir}/team-worker.js`,
  `const { enableCompileCache } = require('node:module');
if (enableCompileCache === undefined) require('../../bin/compiled.js').loadThread('${THREAD}.js');
else {
  enableCompileCache();
  require('./${THREAD}.js');
}
`,
);

// what was compiled of another build must never be taken for this one's
const digest = createHash('sha256');
for (const file of readdirSync(dir).sort()) digest.update(`${file}\0`).update(readFileSync(`${dir}/${file}`));
writeFileSync(`${dir}/digest`, digest.digest('hex').slice(0, 16));

/** Compiled code that was kept cannot `import()`. A loader that uses such code brings a function for it along in `module`.
 *  @this {import('rolldown').PluginContext} @param {string} code */
function importsThroughLoader(code) {
  /** @type {number[]} */
  const places = [];
  /** @param {unknown} node */
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'ImportExpression' && 'start' in node) places.push(Number(node.start));
    for (const child of Object.values(node)) visit(child);
  };
  visit(this.parse(code));
  if (places.length === 0) return null;
  let changed = code;
  for (const at of places.sort((a, b) => b - a)) changed = `${changed.slice(0, at)}importModule${changed.slice(at + 'import'.length)}`;
  return `const importModule=module.importModule??((id)=>import(id));${changed}`;
}
