// Fuzzes readers, writers, model formats, the measure grammar and the command line: npm run fuzz [TARGET] [SECONDS].
//
// The sources are compiled file by file into a folder of their own, so that a run lasts through a rebuild, threads find their
// modules, and nothing has to be built first.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const usage = `npm run fuzz [TARGET] [SECONDS] [-- OPTIONS]

TARGET is a name of --list, several with commas, or all (the default). SECONDS are for all targets together (default: 60).

  --list            show the targets
  --seed N          the same seed makes the same cases
  --fixed           the cases that belong to npm test
  --corpus          only the files that failed once
  --thorough        ask the slow ones every time, not only now and then: DuckDB, several threads, Parquet
  --file PATH       only this input
  --trec-eval PATH  also ask this trec_eval 9.0 for what trec_eval is asked for
  --json            results as JSON on standard output`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    fixed: { type: 'boolean', default: false },
    corpus: { type: 'boolean', default: false },
    thorough: { type: 'boolean', default: false },
    file: { type: 'string' },
    'trec-eval': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const [target = 'all', seconds = '60'] = positionals;
if (!(Number(seconds) > 0) || !/^\d+$/.test(values.seed)) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

if (values['trec-eval'] !== undefined) process.env.GRADUS_FUZZ_TREC_EVAL = resolve(values['trec-eval']);
const repository = fileURLToPath(new URL('../', import.meta.url));
const compiled = join(repository, 'node_modules', '.cache', 'gradus-fuzz', String(process.pid));
const remove = () => rmSync(compiled, { recursive: true, force: true });
process.on('exit', remove);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const sourcesIn = (folder) =>
  readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(test|as|d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
remove();
mkdirSync(join(compiled, 'test'), { recursive: true });
await build({
  entryPoints: ['src', 'test/helpers', 'test/fuzz'].flatMap(sourcesIn),
  outbase: repository,
  outdir: compiled,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'error',
});
cpSync(join(repository, 'package.json'), join(compiled, 'package.json'));
symlinkSync(join(repository, 'test', 'golden'), join(compiled, 'test', 'golden'), 'junction');
symlinkSync(join(repository, 'test', 'fuzz', 'seeds'), join(compiled, 'test', 'fuzz', 'seeds'), 'junction');

const { main } = await import(pathToFileURL(join(compiled, 'test', 'fuzz', 'main.js')).href);
const status = await main({
  target,
  seconds: Number(seconds),
  seed: Number(values.seed),
  fixed: values.fixed,
  corpusOnly: values.corpus,
  thorough: values.thorough,
  file: values.file,
  list: values.list,
  json: values.json,
  corpus: join(repository, 'test', 'fuzz', 'corpus'),
  repository,
});
process.exitCode = status;
