/**
 * Builds programs that use Gradus with the bundlers of the field, none of the optional packages being installed, and runs what they make.
 * Everything goes into a folder of its own, which is removed; the bundlers are fetched from the registry.
 *
 *   npm run build && node scripts/check-bundlers.mjs [--keep] [esbuild vite webpack rollup bun deno]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../', import.meta.url));
const example = (name) => JSON.stringify(join(repository, 'examples/data', name));

/** Each takes the whole of its door and uses some of it. The values are trec_eval's; reading Parquet, which needs packages that are not
 *  there, has to end in advice. */
const programs = [
  {
    door: 'gradus',
    platform: 'browser',
    code: "console.log(door.evaluate({ q: { a: 1, b: 0 } }, { q: { b: 2, a: 1 } }, 'RR'));",
    prints: '0.5',
  },
  {
    door: 'gradus/formats',
    platform: 'browser',
    // what Vite makes tells the window if something cannot be loaded
    code: `globalThis.window ??= new EventTarget();
console.log(door.parseRun('q Q0 a 1 2.5 t\\nq Q0 b 2 1.5 t\\n').run.scores.join());
await door.parseParquetRun(new TextEncoder().encode('PAR1PAR1PAR1')).catch((error) => console.log(error.message));
await door.formatParquetRun(door.parseRun('q Q0 a 1 2.5 t').run).catch((error) => console.log(error.message));`,
    prints: `2.5,1.5
Parquet needs the packages hyparquet and hyparquet-compressors, which are not installed; npm install hyparquet hyparquet-compressors
Parquet needs the packages hyparquet and hyparquet-writer, which are not installed; npm install hyparquet hyparquet-writer`,
  },
  {
    door: 'gradus/node',
    platform: 'node',
    code: `import { evaluate } from 'gradus';
const { qrels } = await door.loadQrels(${example('example.qrels')});
const { run } = await door.loadRun(${example('bm25.run')});
console.log(evaluate(qrels, run, 'AP').toFixed(4));`,
    prints: '0.2800',
  },
];

const builtins = ['^node:'];
const bundlers = {
  esbuild: {
    packages: ['esbuild'],
    commands: ({ entry, out, platform }) => [
      ['esbuild', entry, '--bundle', '--format=esm', `--platform=${platform}`, `--outfile=${out}/main.mjs`],
    ],
  },
  vite: {
    packages: ['vite'],
    configure: ({ entry, out, platform }) => [
      'vite.config.mjs',
      `export default { logLevel: 'warn', ${platform === 'node' ? 'ssr: { noExternal: true }, ' : ''}build: { ${platform === 'node' ? `ssr: '${entry}', ` : ''}outDir: '${out}', target: 'es2022', rolldownOptions: { input: '${entry}', output: { entryFileNames: 'main.mjs' } } } };`,
    ],
    commands: () => [['vite', 'build']],
  },
  webpack: {
    packages: ['webpack', 'webpack-cli'],
    configure: ({ entry, out, platform }, folder) => [
      'webpack.config.mjs',
      `export default { mode: 'production', entry: './${entry}', target: '${platform === 'node' ? 'node20' : 'web'}', performance: { hints: false }, experiments: { outputModule: true }, output: { path: ${JSON.stringify(join(folder, out))}, filename: 'main.mjs', publicPath: '', module: true, chunkFormat: 'module', library: { type: 'module' } } };`,
    ],
    commands: () => [['webpack', '--no-color']],
  },
  rollup: {
    packages: ['rollup', '@rollup/plugin-node-resolve'],
    configure: ({ entry, out }) => [
      'rollup.config.mjs',
      `import resolve from '@rollup/plugin-node-resolve';\nexport default { input: '${entry}', external: [${builtins.map((start) => `/${start}/`)}], plugins: [resolve()], output: { dir: '${out}', format: 'es', entryFileNames: 'main.mjs' } };`,
    ],
    commands: () => [['rollup', '--config']],
  },
  bun: {
    packages: ['bun'],
    commands: ({ entry, out, platform }) => [['bun', 'build', entry, `--target=${platform}`, '--format=esm', `--outfile=${out}/main.mjs`]],
    also: ({ entry }) => ['bun', entry],
  },
  deno: {
    packages: ['deno'],
    commands: ({ entry, out, platform }) => [
      ['deno', 'bundle', '--quiet', `--platform=${platform === 'node' ? 'deno' : 'browser'}`, '--output', `${out}/main.mjs`, entry],
    ],
    also: ({ entry }) => ['deno', 'run', '--quiet', '--allow-read', '--allow-env', '--node-modules-dir=manual', entry],
  },
};

const flags = process.argv.slice(2);
const chosen = flags.filter((flag) => flag !== '--keep');
const names = chosen.length > 0 ? chosen : Object.keys(bundlers);
const unknown = names.filter((name) => !Object.hasOwn(bundlers, name));
if (unknown.length > 0) throw new Error(`no bundler ${unknown.join(', ')}; there are ${Object.keys(bundlers).join(', ')}`);

const root = mkdtempSync(join(tmpdir(), 'gradus-bundlers-'));
try {
  process.exitCode = checkAll() ? 0 : 1;
} finally {
  if (!flags.includes('--keep')) rmSync(root, { recursive: true, force: true });
  else process.stdout.write(`${root}\n`);
}

function checkAll() {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', root], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = join(
    root,
    readdirSync(root).find((name) => name.endsWith('.tgz')),
  );
  let fine = true;
  for (const name of names) {
    const folder = join(root, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', tarball, ...bundlers[name].packages], {
      cwd: folder,
      stdio: 'inherit',
    });
    for (const program of programs) {
      const problem = check(bundlers[name], program, folder);
      process.stdout.write(`${name.padEnd(8)} ${program.door.padEnd(15)} ${problem ?? 'builds and runs'}\n`);
      fine &&= problem === undefined;
    }
  }
  return fine;
}

/** What is wrong with a build or with what it makes; undefined if nothing is. */
function check(bundler, { door, platform, code, prints }, folder) {
  const stem = door.replace('/', '-');
  const work = { entry: `${stem}.js`, out: `out-${stem}`, platform };
  writeFileSync(
    join(folder, work.entry),
    `import * as door from '${door}';\n// all of it, so that nothing is left out because nobody uses it\nglobalThis.door = door;\n${code}\n`,
  );
  mkdirSync(join(folder, work.out));
  const configuration = bundler.configure?.(work, folder);
  if (configuration !== undefined) writeFileSync(join(folder, configuration[0]), `${configuration[1]}\n`);
  for (const [program, ...argv] of bundler.commands(work)) {
    const built = run(join(folder, 'node_modules/.bin', program), argv, folder);
    if (built.status !== 0) return `does not build: ${built.said}`;
  }
  const file = join(folder, work.out, 'main.mjs');
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return 'made no file';
  const ways = [[process.execPath, file]];
  if (bundler.also !== undefined) {
    const [program, ...argv] = bundler.also(work);
    ways.push([join(folder, 'node_modules/.bin', program), ...argv]);
  }
  for (const [program, ...argv] of ways) {
    const ran = run(program, argv, folder);
    if (ran.status !== 0 || ran.printed !== prints)
      return `${program} ${argv.join(' ')}: ${ran.said || `prints ${ran.printed}, expected ${prints}`}`;
  }
  return undefined;
}

function run(program, argv, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, argv, { cwd, encoding: 'utf8' });
  return { status, printed: (stdout ?? '').trim(), said: status === 0 ? '' : `${stderr}${stdout}${error ?? ''}`.trim() };
}
