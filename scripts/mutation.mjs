// Mutation testing: does any test notice when one operator, condition or statement is changed?
//
//   node scripts/mutation.mjs [--only TEXT] [--sample SHARE [--seed N]] [--minutes N] [--processes N] [--budget MS] [--again] [--write [--note TEXT]]
//
// The changes are those of Stryker's instrumenter, which is installed beside the project on first use. The tests run in one
// process for many mutants, because starting a test runner for each of them would take days. Survivors are listed in
// .cache/mutation/survivors.txt, and --again tries only those; --write writes docs/mutation-testing.md. Mutants that cannot
// change any result are listed with the reason in scripts/mutation/equivalent.mjs, and left out.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findCoverage } from './mutation/coverage.mjs';
import { describeScores } from './mutation/describe-scores.mjs';
import { reasonWhyEquivalent, unusedEntries } from './mutation/equivalent.mjs';
import { bundle, folder, instrument, root } from './mutation/instrument.mjs';
import { TestProcess } from './mutation/test-process.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '2' },
    budget: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: 'Infinity' },
    note: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const say = (text) => process.stderr.write(`${text}\n`);
const { sources, mutants } = await instrument();
const marked = await bundle(sources, 'marked', true);
const { outfile: unmarked } = await bundle(sources, 'unmarked', false);
const { rows, tests, atImport, remembered } = await findCoverage(marked, sources, Number(options.processes));
say(
  `${rows.length} of ${tests} tests can be run again and again; ${(rows.reduce((sum, row) => sum + row.time, 0) / 1000).toFixed(1)} s in all`,
);

const testsOf = new Map();
for (const row of rows)
  for (const [mutant, hits] of row.covered) {
    if (!testsOf.has(mutant)) testsOf.set(mutant, []);
    testsOf.get(mutant).push({ number: row.number, file: row.file, time: row.time, hits });
  }
const budget = Number(options.budget);

const linesOf = new Map([...sources.keys()].map((file) => [file, readFileSync(root + file, 'utf8').split('\n')]));
/** Where a mutant is, and what it does. */
function describe(index) {
  const { fileName, location, mutatorName, replacement } = mutants[index];
  return {
    file: fileName,
    line: linesOf.get(fileName)[location.start.line].trim(),
    place: `${location.start.line + 1}:${location.start.column + 1}`,
    column: location.start.column + 1,
    change: `${mutatorName} → ${replacement.replace(/\s+/g, ' ').slice(0, 80)}`,
  };
}
function lineOf(index) {
  const { file, place, change, line } = describe(index);
  return `${file}:${place} ${change}\n    ${line}\n`;
}

/** Numbers below 1 that depend on the seed alone (Weyl's sequence, mixed). */
function* seededShares(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    yield ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }
}

const changed = mutants.map((_, index) => index).filter((index) => mutants[index].status !== 'Ignored');
const counted = changed.filter((index) => reasonWhyEquivalent(describe(index)) === undefined);
for (const entry of unusedEntries()) say(`listed as equivalent, but there is no such mutant: ${JSON.stringify(entry)}`);
say(`${counted.length} mutants in ${sources.size} files, and ${changed.length - counted.length} that cannot change a result`);
const lastSurvivors = options.again ? readFileSync(`${folder}survivors.txt`, 'utf8') : '';
const candidates = counted
  .filter((index) => mutants[index].fileName.includes(options.only))
  .filter((index) => !options.again || lastSurvivors.includes(lineOf(index)));
// in an order drawn by chance, the same for the same seed, so that what is done when the time is over is a sample too
const shares = seededShares(Number(options.seed));
const chosen = candidates
  .map((index) => ({ index, draw: shares.next().value }))
  .sort((a, b) => a.draw - b.draw)
  .slice(0, Math.round(candidates.length * Number(options.sample)))
  .map(({ index }) => index);

/** Which tests found mutants of a file, and on which lines. */
const kills = new Map([...sources.keys()].map((file) => [file, []]));

/** Tests of a mutant in the order in which they are asked, within the budget: what found others near it, the file's own tests,
 *  the quick ones. */
function orderTests(covering, index) {
  const { fileName, location } = mutants[index];
  const found = new Map();
  for (const { test, line } of kills.get(fileName))
    found.set(test, (found.get(test) ?? 0) + 1 / (1 + Math.abs(line - location.start.line)));
  const rank = (test) => found.get(test.number) ?? 0;
  const own = (test) => Number(test.file === fileName.replace(/\.ts$/, '.test.ts'));
  const sorted = covering.toSorted((a, b) => rank(b) - rank(a) || own(b) - own(a) || a.time - b.time);
  const asked = [];
  let time = 0;
  for (const test of sorted) {
    time += test.time;
    if (time > budget && asked.length > 0) break;
    asked.push({ number: test.number, time: test.time, hits: test.hits });
  }
  return asked;
}

/** What modules compute once, as they load or when it is first asked for, shows a mutant only in a process that had it from the
 *  start. */
async function judgeFromStart(index, covering) {
  const { fileName } = mutants[index];
  const room = fileName.split('/')[1];
  const own = fileName.replace(/\.ts$/, '.test.ts');
  const isNear = atImport.has(index)
    ? (file) => file.includes(`/${room}/`) || file.startsWith('test/') || file.includes('/conventions/')
    : (file) => file === own;
  const known = new Set(covering.map(({ number }) => number));
  const others = rows.filter(({ number, file }) => isNear(file) && !known.has(number)).map((row) => ({ ...row, hits: 0 }));
  const whole = new TestProcess(unmarked, { MUTANT: String(index) });
  const loaded = (await whole.start()) !== undefined;
  const answer = loaded ? await whole.ask({ ask: 'tryFromStart', tests: orderTests([...covering, ...others], index) }) : { ended: true };
  whole.stop();
  return answer.ended || answer.killedBy !== undefined ? 'killed' : 'survived';
}

async function judge(process_, index) {
  const covering = testsOf.get(index) ?? [];
  if (covering.length === 0 && !remembered.has(index)) return 'not covered';
  if (covering.length > 0) {
    await process_.start();
    const answer = await process_.ask({ ask: 'try', mutant: index, tests: orderTests(covering, index) });
    if (answer.ended) return 'killed';
    if (answer.killedBy !== undefined) {
      kills.get(mutants[index].fileName).push({ test: answer.killedBy, line: mutants[index].location.start.line });
      if (!answer.sound) process_.stop();
      return 'killed';
    }
  }
  return remembered.has(index) ? judgeFromStart(index, covering) : 'survived';
}

let next = 0;
let done = 0;
const results = new Map();
writeFileSync(`${folder}survivors.txt`, '');
const end = performance.now() + Number(options.minutes) * 60_000;
async function work() {
  const process_ = new TestProcess(unmarked);
  while (next < chosen.length && performance.now() < end) {
    const index = chosen[next++];
    const result = await judge(process_, index);
    results.set(index, result);
    if (result !== 'killed') appendFileSync(`${folder}survivors.txt`, `${result}: ${lineOf(index)}`);
    if (++done % 100 === 0) say(`${done} of ${chosen.length}`);
  }
  process_.stop();
}
await Promise.all(Array.from({ length: Number(options.processes) }, work));

const page = describeScores(
  [...results].sort(([a], [b]) => a - b).map(([index, result]) => ({ file: mutants[index].fileName, result })),
  {
    tests: rows.length,
    total: counted.length,
    equivalent: changed.length - counted.length,
    budget,
    share: options.sample,
    seed: options.seed,
    note: options.note,
  },
);
if (options.write) writeFileSync(`${root}docs/mutation-testing.md`, page);
process.stdout.write(page);
