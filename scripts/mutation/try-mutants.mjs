// One process that holds all tests and tries mutants, one message each. It is ended and started anew by the parent when a mutant
// never comes to an end, or leaves something behind that makes tests fail without it.
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';

/** How much oftener than without the mutant a test may pass a place before that counts as a loop without end. */
const HIT_FACTOR = 50;

/** Tests slower than this are not asked, in milliseconds. */
const SLOWEST = 10_000;

const mutation = {
  active: -1,
  hits: 0,
  hitLimit: Number.POSITIVE_INFINITY,
  passed: new Uint32Array(100_000),
  hit,
  sourcesLoaded() {
    atImport = takePassed().map(([mutant]) => mutant);
  },
};
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
let atImport = [];
const { tests, runTest } = await import(pathToFileURL(bundle).href).catch((error) => {
  if (process.env.MUTANT === undefined) process.stderr.write(`${error.stack}\n`);
  return { tests: undefined, runTest: undefined };
});

async function passes(number) {
  try {
    await runTest(tests[number]);
    return true;
  } catch (error) {
    if (process.env.SHOW_FAILURES !== undefined) process.stderr.write(`${tests[number].title}: ${error.stack}\n`);
    return false;
  }
}

/** Milliseconds of the processor so far: those of the clock depend on what else the machine does. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Tells the parent how long the next test may take, by the clock: much longer than alone, because a machine with other work would make
 *  a mutant out of patience look like one that was noticed. */
function announce(time) {
  process.send({ patience: 60_000 + 200 * time });
}

const answers = {
  /** What each test of a file passes, how often, and how long it takes; tests that fail without any mutant are left out. `once`
   *  holds what is passed the first time only, because a module keeps what it has computed. */
  async cover({ file }) {
    const rows = [];
    const once = new Set();
    const first = tests.findIndex((test) => test.file === file);
    for (let number = first; tests[number]?.file === file; number++) {
      // once to warm up, and to see that a test can be run twice
      const started = processorTime();
      const passedFirst = await passes(number);
      const before = takePassed();
      if (!passedFirst || processorTime() - started > SLOWEST) continue;
      const startedAgain = processorTime();
      const passed = await passes(number);
      const time = processorTime() - startedAgain;
      const covered = takePassed();
      const coveredAgain = new Set(covered.map(([mutant]) => mutant));
      for (const [mutant] of before) if (!coveredAgain.has(mutant)) once.add(mutant);
      if (passed) rows.push({ place: number - first, title: tests[number].title, time, covered });
    }
    return { rows, once: [...once] };
  },
  atImport: () => ({ mutants: atImport }),
  /** The first of the tests that fails with the mutant. */
  async try({ mutant, tests: asked }) {
    for (const { number, time, hits } of asked) {
      announce(time);
      mutation.hits = 0;
      mutation.hitLimit = 10_000 + hits * HIT_FACTOR;
      mutation.active = mutant;
      const passed = await passes(number);
      mutation.active = -1;
      if (!passed) return { killedBy: number, sound: await passes(number) };
    }
    return {};
  },
  /** The same for a mutant that is there from the start, because it changes what modules compute as they load. */
  async tryFromStart({ tests: asked }) {
    for (const { number, time } of asked) {
      announce(time);
      if (!(await passes(number))) return { killedBy: number };
    }
    return {};
  },
};

process.on('message', async ({ ask, ...rest }) => process.send(await answers[ask](rest)));
process.send({ files: tests?.map((test) => test.file) });
