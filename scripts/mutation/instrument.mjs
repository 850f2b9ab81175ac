// The changed sources and the bundles in which tests run them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const INSTRUMENTER = '@stryker-mutator/instrumenter@9.6.1';
/** What is changed. `reference` holds the words of the documentation. */
const MUTATED = ['core', 'measures', 'stats'];
/** Whose tests are asked. Tests that start the built program run other files than the changed ones. */
const ASKED = [
  'src/core',
  'src/measures',
  'src/stats',
  'src/conventions',
  'src/fusion',
  'src/meta',
  'src/formats',
  'src/audit',
  'test/conventions',
];
const ASKED_FILES = [
  'src/ltr/dataset.test.ts',
  'src/ltr/folds.test.ts',
  'src/ltr/join-features.test.ts',
  'test/cli/audit.test.ts',
  'test/cli/columns.test.ts',
  'test/cli/compare.test.ts',
  'test/cli/eval.test.ts',
  'test/cli/explain.test.ts',
  'test/cli/fuse.test.ts',
  'test/cli/gate.test.ts',
  'test/cli/meta.test.ts',
  'test/cli/report.test.ts',
  'test/cli/scoring-notes.test.ts',
  'test/limits/limits.test.ts',
  'test/measure-files.test.ts',
  'test/measure-suite.test.ts',
  'test/measures-golden.test.ts',
  'test/node-stream.test.ts',
  'test/rank-only.test.ts',
  'test/ties.test.ts',
  'test/unrelated-topics.test.ts',
  'test/worked-examples.test.ts',
];
/** Simulations that take minutes, and show no more than other tests do. */
const LEFT_OUT = 'src/stats/coverage.test.ts';
/** Words and messages are not numbers: texts are left alone. */
const EXCLUDED_MUTATIONS = ['StringLiteral'];

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const folder = `${root}.cache/mutation/`;

function filesBelow(path) {
  return readdirSync(root + path, { recursive: true })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

async function loadInstrumenter() {
  const home = `${folder}tools/`;
  if (!existsSync(`${home}node_modules/@stryker-mutator/instrumenter`)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(`${home}package.json`, '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', INSTRUMENTER], { cwd: home, stdio: 'ignore' });
  }
  const { Instrumenter } = await import(pathToFileURL(createRequire(home).resolve('@stryker-mutator/instrumenter')).href);
  const quiet = () => undefined;
  return new Instrumenter({ debug: quiet, info: quiet, warn: quiet, error: quiet, isDebugEnabled: () => false });
}

/** The changed sources by path, and the mutants, numbered from 0. */
export async function instrument() {
  const paths = MUTATED.flatMap((room) => filesBelow(`src/${room}`)).filter(
    (path) => !/\.(test|as|wasm)\.ts$|\/reference\/|\/index\.ts$/.test(path),
  );
  const files = paths.map((path) => ({ name: path, mutate: true, content: readFileSync(root + path, 'utf8') }));
  const result = await (await loadInstrumenter()).instrument(files, { plugins: null, excludedMutations: EXCLUDED_MUTATIONS, ignorers: [] });
  const sources = new Map(
    result.files.map(({ name, content }) => [
      name,
      // the helpers that came with the code look everything up by text; these are a comparison of two numbers
      `var mutation = globalThis.mutationState, passed = mutation.passed;\n${content
        .replace(/function stryNS_9fa48\(\) \{[\s\S]*?\nfunction stryMutAct_9fa48\(id\) \{[\s\S]*?\n\}/, '')
        .replace(/stryMutAct_9fa48\("(\d+)"\)/g, '(mutation.active === $1 && mutation.hit())')
        .replace(/stryCov_9fa48\(((?:"\d+"(?:, )?)+)\)/g, (_, list) => `(${list.replace(/"(\d+)"/g, 'passed[$1]++')})`)}`,
    ]),
  );
  return { sources, mutants: result.mutants };
}

/** All tests in one file, once with the marks that say which mutants a test passes, and once without. The changed sources are
 *  loaded before the tests, so that what they compute as they load is distinguished from what tests do. */
export async function bundle(sources, name, marks) {
  const tests = [...ASKED.flatMap(filesBelow), ...ASKED_FILES].filter(
    // tests that replace modules need vitest itself
    (path) => path.endsWith('.test.ts') && path !== LEFT_OUT && !/\bvi\b.*from 'vitest'/.test(readFileSync(root + path, 'utf8')),
  );
  const load = (path) => `await import(${JSON.stringify(`${root}${path}`)});`;
  const entry = [
    `import { beginFile, tests, runTest } from 'vitest';`,
    ...[...sources.keys()].map(load),
    'globalThis.mutationState.sourcesLoaded();',
    ...tests.map((path) => `beginFile(${JSON.stringify(path)}); ${load(path)}`),
    'export { tests, runTest };',
  ].join('\n');
  const outfile = `${folder}${name}.mjs`;
  const { metafile } = await build({
    stdin: { contents: entry, resolveDir: root },
    outfile,
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'mutants',
        setup(context) {
          context.onResolve({ filter: /^vitest$/ }, () => ({ path: `${root}scripts/mutation/vitest-stand-in.mjs` }));
          context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const below = path.slice(root.length).replaceAll('\\', '/');
            let contents = sources.get(below) ?? readFileSync(path, 'utf8');
            if (!marks) contents = contents.replace(/\(passed\[[^)]*\)(, )?/g, (_, comma) => (comma === undefined ? '0' : ''));
            return { contents: contents.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
          });
        },
      },
    ],
  });
  return { outfile, inputs: metafile.inputs };
}
