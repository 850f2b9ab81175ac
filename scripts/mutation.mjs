// Mutation testing: does any test notice when one operator, condition or statement is changed?
//
//   node scripts/mutation.mjs [--only TEXT] [--sample SHARE] [--processes N] [--budget MS] [--again] [--write]
//
// The changes are those of Stryker's instrumenter, which is installed beside the project on first use. The tests run in one
// process for many mutants, because starting a test runner for each of them would take days. Survivors are listed in
// .cache/mutation/survivors.txt, and --again tries only those; --write writes docs/mutation-testing.md.
import { execFileSync, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { describeScores } from './mutation/describe-scores.mjs';

const INSTRUMENTER = '@stryker-mutator/instrumenter@9.6.1';
/** What is changed. `reference` holds the words of the documentation. */
const MUTATED = ['core', 'measures', 'stats'];
/** Whose tests are asked. Tests of the built program run other files than the changed ones. */
const ASKED = ['src/core', 'src/measures', 'src/stats', 'src/conventions', 'src/fusion', 'src/meta', 'src/formats', 'test/conventions'];
const ASKED_FILES = [
  'test/measure-files.test.ts',
  'test/measure-suite.test.ts',
  'test/measures-golden.test.ts',
  'test/ties.test.ts',
  'test/worked-examples.test.ts',
];
/** Words and messages are not numbers: texts are left alone. */
const EXCLUDED_MUTATIONS = ['StringLiteral'];
/** A process that does not answer for so long holds a mutant without end. */
const PATIENCE = 180_000;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1' },
    processes: { type: 'string', default: '2' },
    budget: { type: 'string', default: '10000' },
    again: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}.cache/mutation/`;

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
async function instrument() {
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

/** All tests in one file, once with the marks that say which mutants a test passes, and once without. */
async function bundle(sources, name, marks) {
  const tests = [...ASKED.flatMap(filesBelow), ...ASKED_FILES].filter(
    // tests that replace modules need vitest itself
    (path) => path.endsWith('.test.ts') && !/\bvi\b.*from 'vitest'/.test(readFileSync(root + path, 'utf8')),
  );
  const entry = [
    `import { beginFile, tests, runTest } from 'vitest';`,
    ...tests.map((path) => `beginFile(${JSON.stringify(path)}); await import(${JSON.stringify(`${root}${path}`)});`),
    'export { tests, runTest };',
  ].join('\n');
  const outfile = `${folder}${name}.mjs`;
  await build({
    stdin: { contents: entry, resolveDir: root },
    outfile,
    bundle: true,
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
  return outfile;
}

/** A process with all tests in it, one question at a time; an answer that does not come is a mutant without end. */
class TestProcess {
  constructor(file, environment = {}) {
    this.file = file;
    this.environment = environment;
  }
  ask(question, patience = PATIENCE) {
    const { child } = this;
    return new Promise((resolve) => {
      const finish = (answer) => {
        clearTimeout(timer);
        child.removeListener('exit', died);
        resolve(answer);
      };
      const died = () => {
        this.child = undefined;
        finish({ ended: true });
      };
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      child.once('exit', died);
      child.once('message', finish);
      if (question !== undefined) child.send(question);
    });
  }
  async start() {
    if (this.child !== undefined) return true;
    this.child = fork(`${root}scripts/mutation/try-mutants.mjs`, [this.file], {
      cwd: root,
      env: { ...process.env, ...this.environment },
      execArgv: ['--stack-size=2000'],
    });
    return (await this.ask(undefined)).ready === true;
  }
  stop() {
    this.child?.removeAllListeners('exit');
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

/** Tests of a mutant in the order in which they are asked, within the budget: what found others in the file, the file's own tests, the
 *  quick ones. */
function orderTests(tests, file, killers, budget) {
  const found = (test) => killers.get(test.number) ?? 0;
  const own = (test) => Number(test.file === file.replace(/\.ts$/, '.test.ts'));
  const sorted = tests.toSorted((a, b) => found(b) - found(a) || own(b) - own(a) || a.time - b.time);
  const chosen = [];
  let time = 0;
  for (const test of sorted) {
    time += test.time;
    if (time > budget && chosen.length > 0) break;
    chosen.push(test.number);
  }
  return chosen;
}

const say = (text) => process.stderr.write(`${text}\n`);
mkdirSync(folder, { recursive: true });
const { sources, mutants } = await instrument();
say(`${mutants.filter(({ status }) => status !== 'Ignored').length} mutants in ${sources.size} files`);
const marked = await bundle(sources, 'marked', true);
const unmarked = await bundle(sources, 'unmarked', false);

/** What each test passes. It takes a while to find out, so it is kept for as long as no line changes. */
async function findCoverage() {
  const key = createHash('sha256').update(readFileSync(marked)).digest('hex');
  const kept = `${folder}coverage-${key}.json`;
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const tests = new TestProcess(marked);
  await tests.start();
  const answer = await tests.ask({ ask: 'cover' }, 30 * PATIENCE);
  tests.stop();
  writeFileSync(kept, JSON.stringify(answer));
  return answer;
}
const { rows, tests, atImport } = await findCoverage();
say(
  `${rows.length} of ${tests} tests can be run again and again; ${(rows.reduce((sum, row) => sum + row.time, 0) / 1000).toFixed(1)} s in all`,
);

const testsOf = new Map();
const hitsOf = new Map();
for (const row of rows)
  for (const [mutant, hits] of row.covered) {
    if (!testsOf.has(mutant)) testsOf.set(mutant, []);
    testsOf.get(mutant).push(row);
    hitsOf.set(mutant, (hitsOf.get(mutant) ?? 0) + hits);
  }
const fromStart = new Set(atImport);
const budget = Number(options.budget);
const share = Number(options.sample);
/** A mutant as people read it. */
function lineOf(index) {
  const { fileName, location, mutatorName, replacement } = mutants[index];
  const text = readFileSync(root + fileName, 'utf8').split('\n')[location.start.line];
  return `${fileName}:${location.start.line + 1}:${location.start.column + 1} ${mutatorName} → ${replacement.replace(/\s+/g, ' ').slice(0, 80)}\n    ${text.trim()}`;
}
const lastSurvivors = options.again ? readFileSync(`${folder}survivors.txt`, 'utf8') : '';
// every so-manieth mutant, so that a sample is spread evenly and comes out the same each time
const chosen = mutants
  .map((_, index) => index)
  .filter((index) => mutants[index].status !== 'Ignored' && mutants[index].fileName.includes(options.only))
  .filter((index) => !options.again || lastSurvivors.includes(lineOf(index)))
  .filter((_, position) => Math.floor((position + 1) * share) > Math.floor(position * share));

const killersOf = new Map();
const results = new Map();
async function judge(process_, index) {
  const file = mutants[index].fileName;
  if (!killersOf.has(file)) killersOf.set(file, new Map());
  const killers = killersOf.get(file);
  const covering = testsOf.get(index) ?? [];
  if (fromStart.has(index)) {
    const whole = new TestProcess(unmarked, { MUTANT: String(index) });
    const room = file.split('/')[1];
    const near = rows.filter((row) => row.file.includes(`/${room}/`) || row.file.startsWith('test/') || row.file.includes('/conventions/'));
    const ready = await whole.start();
    const answer = ready ? await whole.ask({ ask: 'tryFromStart', tests: orderTests(near, file, killers, budget) }) : { ended: true };
    whole.stop();
    return answer.ended || answer.killedBy !== undefined ? 'killed' : 'survived';
  }
  if (covering.length === 0) return 'not covered';
  await process_.start();
  const answer = await process_.ask({
    ask: 'try',
    mutant: index,
    tests: orderTests(covering, file, killers, budget),
    hits: hitsOf.get(index),
  });
  if (answer.ended) return 'killed';
  if (answer.killedBy === undefined) return 'survived';
  killers.set(answer.killedBy, (killers.get(answer.killedBy) ?? 0) + 1);
  if (!answer.sound) process_.stop();
  return 'killed';
}

let next = 0;
let done = 0;
async function work() {
  const process_ = new TestProcess(unmarked);
  while (next < chosen.length) {
    const index = chosen[next++];
    results.set(index, await judge(process_, index));
    if (++done % 200 === 0) say(`${done} of ${chosen.length}`);
  }
  process_.stop();
}
await Promise.all(Array.from({ length: Number(options.processes) }, work));

const survivors = chosen.filter((index) => results.get(index) !== 'killed');
writeFileSync(`${folder}survivors.txt`, survivors.map((index) => `${results.get(index)}: ${lineOf(index)}\n`).join(''));
const judged = chosen.map((index) => ({ file: mutants[index].fileName, result: results.get(index) }));
const page = describeScores(judged, { tests: rows.length, total: mutants.filter(({ status }) => status !== 'Ignored').length, budget });
if (options.write) writeFileSync(`${root}docs/mutation-testing.md`, page);
process.stdout.write(page);
