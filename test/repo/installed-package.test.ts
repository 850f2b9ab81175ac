import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';
import { storedZstd } from '../helpers/zstd-frames.js';

// the package as its users get it: packed, and installed where nothing else is
let folder: string;
let installed: string;

function runIn(cwd: string, program: string, argv: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, argv, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} ${argv.join(' ')}: ${stderr}${stdout}${error ?? ''}`);
  return stdout;
}

const gradus = (...argv: string[]): string => runIn(folder, join(folder, 'node_modules/.bin/gradus'), argv);
const example = (name: string): string => join(installed, 'examples/data', name);

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(root, path)).isFile());
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-installed-'));
  installed = join(folder, 'node_modules/gradus');
  runIn(repository, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  const [tarball] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  runIn(folder, 'npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`]);
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm install of the packed tarball', () => {
  test('adds this package and no other', () => {
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).toEqual(['node_modules/gradus']);
  });

  test('adds at most 8 MB', () => {
    const bytes = filesBelow(join(folder, 'node_modules')).map((path) => statSync(join(folder, 'node_modules', path)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_000_000);
    expect(bytes.length).toBeGreaterThan(500);
  });
});

describe('the installed command line', () => {
  // trec_eval 9.0.8 prints these averages of AP
  const apOfBm25 = /^AP +0\.2800$/m;

  test('evaluates', () => {
    expect(gradus('eval', example('example.qrels'), example('bm25.run'), '-m', 'AP')).toMatch(apOfBm25);
  });

  test('reads what zstd compressed', () => {
    writeFileSync(join(folder, 'bm25.run.zst'), storedZstd(readFileSync(example('bm25.run'))));
    expect(gradus('eval', example('example.qrels'), 'bm25.run.zst', '-m', 'AP')).toMatch(apOfBm25);
  });

  test('writes and reads Parquet', () => {
    gradus('convert', example('bm25.run'), 'bm25.parquet');
    expect(readFileSync(join(folder, 'bm25.parquet')).subarray(0, 4).toString()).toBe('PAR1');
    expect(gradus('eval', example('example.qrels'), 'bm25.parquet', '-m', 'AP')).toMatch(apOfBm25);
  });

  test('writes a report with its charts, and the licences of the code that stands inside it', () => {
    gradus('report', example('example.qrels'), example('bm25.run'), example('hybrid.run'), '-o', 'r.html');
    const page = readFileSync(join(folder, 'r.html'), 'utf8');
    expect(page.match(/<svg/g)?.length).toBeGreaterThan(2);
    expect(page).toContain('Copyright 2020-2025 Observable, Inc.');
    gradus('report', example('example.qrels'), example('bm25.run'), example('hybrid.run'), '-o', 'r.md');
    const pictures = readdirSync(join(folder, 'r-charts'));
    expect(pictures.length).toBeGreaterThan(2);
    for (const name of pictures)
      expect(readFileSync(join(folder, 'r-charts', name), 'utf8')).toMatch(/<svg [^>]*>.*<(rect|path) .*<\/svg>\s*$/s);
  });

  test('says how to get the one thing that is not in the package', () => {
    const argv = ['eval', '--engine', 'duckdb', example('example.qrels'), example('bm25.run')];
    expect(() => gradus(...argv)).toThrow(
      'gradus: --engine duckdb needs the package @duckdb/node-api, which is not installed; npm install @duckdb/node-api',
    );
  });
});

describe('the installed library, without the packages that only some need,', () => {
  const doors = ['gradus', 'gradus/formats', 'gradus/node'];

  test.each(doors)('%s is built by esbuild', async (door) => {
    const { errors } = await build({
      stdin: { contents: `import * as door from '${door}'; globalThis.door = door;`, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: door === 'gradus/node' ? 'node' : 'browser',
      logLevel: 'silent',
    });
    expect(errors).toEqual([]);
  });

  test('writes a report with its charts', () => {
    const script = `import { experiment } from 'gradus/node';
      const [judgements, ...runs] = ${JSON.stringify(['example.qrels', 'bm25.run', 'hybrid.run'].map(example))};
      await (await experiment({ judgements, runs, measures: 'AP P@5' })).report('program.html');`;
    runIn(folder, process.execPath, ['--input-type=module', '-e', script]);
    expect(readFileSync(join(folder, 'program.html'), 'utf8').match(/<svg/g)?.length).toBeGreaterThan(2);
  });

  test('says which packages Parquet needs', () => {
    const script = `import { parseParquetRun, formatParquetRun, parseRun } from 'gradus/formats';
      const { run } = parseRun('q Q0 a 1 2.5 t');
      for (const attempt of [() => parseParquetRun(new TextEncoder().encode('PAR1PAR1PAR1')), () => formatParquetRun(run)])
        await attempt().catch((error) => console.log(error.name, error.message));`;
    expect(runIn(folder, process.execPath, ['--input-type=module', '-e', script])).toBe(
      `InputError Parquet needs the packages hyparquet and hyparquet-compressors, which are not installed; npm install hyparquet hyparquet-compressors
InputError Parquet needs the packages hyparquet and hyparquet-writer, which are not installed; npm install hyparquet hyparquet-writer
`,
    );
  });

  test('has types that need no other package, however strictly they are checked', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const names = Object.keys(manifest.exports).filter((door) => door !== './package.json');
    const program = join(folder, 'program.ts');
    writeFileSync(program, names.map((door, i) => `export * as door${i} from '${door.replace('.', 'gradus')}';`).join('\n'));
    const { ES2022: module } = ts.ModuleKind;
    const options = {
      module,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
    };
    const libraries = { lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'], types: [] };
    const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([program], { ...options, ...libraries }));
    expect(diagnostics.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)).toEqual(
      [],
    );
  });
});

describe('what is in the package', () => {
  test('is all that its pages point to', () => {
    const pages = filesBelow(installed).filter((path) => path.endsWith('.md'));
    expect(pages).toContain('README.md');
    expect(pages.length).toBeGreaterThan(20);
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(installed, page), 'utf8').replace(/^```.*?^```/gms, '');
      const links = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(([, first, second]) => first ?? second);
      const relative = links.filter((link) => !/^(https?:|#)/.test(link)).map((link) => link.replace(/#.*/, ''));
      return relative.filter((link) => !existsSync(join(installed, dirname(page), link))).map((link) => `${page}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  test('points to no address of the project, which has none yet', () => {
    const { repository: source, homepage, bugs, funding } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect([source, homepage, bugs, funding]).toEqual([undefined, undefined, undefined, undefined]);
    const pages = filesBelow(installed).filter((path) => path.endsWith('.md'));
    const hosts = pages.flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host),
    );
    // papers
    expect(new Set(hosts)).toEqual(new Set(['doi.org']));
  });

  test('includes the licence of every package whose code it contains', () => {
    const text = readFileSync(join(installed, 'dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of [
      '@observablehq/plot',
      'd3-array',
      'linkedom',
      'svelte',
      'hyparquet',
      'hyparquet-compressors',
      'hyparquet-writer',
      'fzstd',
    ]) {
      const { version, license } = JSON.parse(readFileSync(join(repository, 'node_modules', name, 'package.json'), 'utf8'));
      const [words] = readdirSync(join(repository, 'node_modules', name)).filter((file) => /^licen[cs]e/i.test(file));
      expect(text).toContain(`\n${name} ${version} (${license})\n`);
      expect(text).toContain(readFileSync(join(repository, 'node_modules', name, words), 'utf8').trim());
    }
  });
});
