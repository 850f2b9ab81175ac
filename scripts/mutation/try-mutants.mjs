// One process that holds all tests and tries mutants, one message each. It is ended and started anew by the parent when a mutant
// never comes to an end, or leaves something behind that makes tests fail without it.
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';

/** How much oftener than without mutants a place may be passed before it counts as a loop without end. */
const HIT_FACTOR = 100;

/** Tests slower than this are not asked: for a mutant that survives, every test would have to be. */
const SLOWEST = 1_500;

const mutation = { active: -1, hits: 0, hitLimit: Number.POSITIVE_INFINITY, passed: new Uint32Array(100_000), hit };
globalThis.mutationState = mutation;

function hit() {
  if (++mutation.hits > mutation.hitLimit) throw new Error('a loop without end');
  return true;
}

/** The mutants that were passed since the last call, with how often. */
function takePassed() {
  const covered = [];
  mutation.passed.forEach((count, mutant) => {
    if (count > 0) covered.push([mutant, count]);
  });
  mutation.passed.fill(0);
  return covered;
}

// a counterexample need not be small here
fc.configureGlobal({ endOnFailure: true });

const [bundle] = process.argv.slice(2);
if (process.env.MUTANT !== undefined) mutation.active = Number(process.env.MUTANT);
let importFailed = false;
const { tests, runTest } = await import(pathToFileURL(bundle).href).catch((error) => {
  importFailed = true;
  if (process.env.MUTANT === undefined) process.stderr.write(`${error.stack}\n`);
  return { tests: [], runTest: undefined };
});
const atImport = takePassed().map(([mutant]) => mutant);

async function passes(number) {
  try {
    await runTest(tests[number]);
    return true;
  } catch (error) {
    if (process.env.SHOW_FAILURES !== undefined) process.stderr.write(`${tests[number].title}: ${error.stack}\n`);
    return false;
  }
}

const answers = {
  /** What each test passes, how often, and how long it takes; tests that fail without any mutant are left out. */
  async cover() {
    const rows = [];
    for (let number = 0; number < tests.length; number++) {
      // once to warm up, and to see that a test can be run twice
      const started = performance.now();
      if (!(await passes(number)) || performance.now() - started > SLOWEST) continue;
      takePassed();
      const again = performance.now();
      const passed = await passes(number);
      const time = performance.now() - again;
      if (passed) rows.push({ number, file: tests[number].file, title: tests[number].title, time, covered: takePassed() });
    }
    return { rows, tests: tests.length, atImport };
  },
  /** The first of the tests that fails with the mutant. */
  async try({ mutant, tests: numbers, hits }) {
    mutation.hits = 0;
    mutation.hitLimit = 1_000 + hits * HIT_FACTOR;
    for (const number of numbers) {
      mutation.active = mutant;
      const passed = await passes(number);
      mutation.active = -1;
      if (!passed) return { killedBy: number, sound: await passes(number) };
    }
    return {};
  },
  /** The same for a mutant that is there from the start, because it changes what modules compute as they load. */
  async tryFromStart({ tests: numbers }) {
    if (importFailed) return { killedBy: -1 };
    for (const number of numbers) if (!(await passes(number))) return { killedBy: number };
    return {};
  },
};

process.on('message', async ({ ask, ...rest }) => process.send(await answers[ask](rest)));
process.send({ ready: true });
