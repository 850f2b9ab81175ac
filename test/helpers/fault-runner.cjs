// Runs one command again and again inside this process, each time with another file operation that fails, and looks at what is
// left: node fault-runner.cjs SCENARIO.json, where the file holds { argv, outputs, folder, most }. Prints what it found as JSON.
const fs = require('node:fs');
const { join } = require('node:path');
const { arm, disarm, waysOf } = require('./fault-injection.cjs');

const scenario = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const { folder, outputs, most } = scenario;
const out = join(folder, 'out');
const temporary = join(folder, 'tmp');
process.env.TMPDIR = temporary;
process.chdir(folder);
Object.assign(process.env, scenario.environment);

// removing a folder also looks into it
const removals = ['unlinkSync', 'rmSync', 'rmdirSync', 'readdirSync'];

async function runOnce() {
  let text = '';
  const write = (words) => {
    text += words;
  };
  const stderr = { write, isTerminal: false, columns: 80 };
  const stdout = { write() {}, isTerminal: false, columns: 80 };
  if (scenario.argv[0] === 'SPILL') return { status: await spill(), text };
  const { main } = require('../../dist/bin/main.js');
  const status = await main(scenario.argv, { stdout, stderr, environment: process.env });
  return { status, text };
}

/** Evaluates by temporary files, which the command line does with large files only. */
async function spill() {
  const [{ evaluateBySpilling }, { loadQrels }, { parseMeasure }, { defaultRules }] = await Promise.all([
    import('../../dist/node/engines/spill.js'),
    import('../../dist/node/load.js'),
    import('../../dist/measures/parse.js'),
    import('../../dist/core/judging/judge.js'),
  ]);
  const { qrels } = await loadQrels('in/qrels');
  const request = { path: 'in/a.run', qrels, measures: [parseMeasure('AP')], rules: defaultRules, planOptions: {}, from: 0, partSize: 64 };
  const scores = await evaluateBySpilling(request);
  // undefined means that the thorough reader has to take the file
  if (scores !== undefined) fs.writeFileSync(join(out, 'spilled'), JSON.stringify(scores.table.values));
  return 0;
}

async function guarded() {
  try {
    return await runOnce();
  } catch (error) {
    return { status: error.name === 'InputError' ? 2 : 70, text: `gradus: ${error.message}\n` };
  }
}

function listing(root) {
  return fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
}

function contentOf(name) {
  const path = join(out, name);
  return fs.existsSync(path) ? fs.readFileSync(path, 'latin1') : undefined;
}

function prepare(withOld) {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out);
  if (scenario.folders !== undefined) for (const name of scenario.folders) fs.mkdirSync(join(out, name));
  if (withOld) {
    for (const name of outputs) {
      fs.mkdirSync(join(out, name, '..'), { recursive: true });
      fs.writeFileSync(join(out, name), `old ${name}`);
    }
  }
}

function descriptors() {
  return fs.readdirSync('/proc/self/fd').length;
}

async function attempt(n, way, withOld) {
  prepare(withOld);
  arm(n, way);
  const { status, text } = await guarded();
  const operations = disarm();
  await new Promise((done) => setImmediate(done));
  return { status, text, operations };
}

const findings = [];

function check(where, { status, text, operations }, n, withOld, expected) {
  const found = (what) => findings.push({ where, operation: operations[n - 1], what, status, text });
  // what could not be removed is removed when the program ends
  if (removals.includes(operations[n - 1])) process.emit('exit', 0);
  const names = new Set(outputs);
  const before = (name) => (withOld ? `old ${name}` : undefined);
  for (const name of outputs) {
    const content = contentOf(name);
    if (content === expected[name]) continue;
    if (status === 0 && scenario.argv[0] !== 'SPILL') found(`${name} is not what it should be`);
    else if (content !== before(name)) found(`${name} is neither old nor new`);
  }
  for (const entry of listing(out)) {
    const name = join(entry.parentPath ?? entry.path, entry.name).slice(out.length + 1);
    if (!names.has(name)) found(`${name} is left behind`);
  }
  if (!withOld && status !== 0) {
    const kept = new Set(
      [...outputs.filter((name) => contentOf(name) !== undefined), ...(scenario.folders ?? [])].map((name) => name.split('/')[0]),
    );
    for (const name of fs.readdirSync(out)) if (!kept.has(name)) found(`the folder ${name} is left behind`);
  }
  for (const name of fs.readdirSync(temporary)) {
    found(`${name} is left in the folder for temporary files`);
    fs.rmSync(join(temporary, name), { recursive: true, force: true });
  }
  if (status !== 0) {
    const lines = text.split('\n').filter((line) => /^(gradus: |\{"error":)/.test(line) && !line.includes('note'));
    if (status !== 2) found('the status is not 2');
    if (!/(in|out|tmp|app)\/|\/tmp|package\.json|standard output/.test(lines.at(-1) ?? '')) found('the message names no file');
    if (/internal error|\n\s+at /.test(text)) found('it is told as a defect');
  }
  if (descriptors() > usual + 1) {
    found(`${descriptors() - usual} descriptors are still open`);
    usual = descriptors();
  }
}

let usual = 0;

async function explore() {
  fs.mkdirSync(temporary, { recursive: true });
  // the first time modules are loaded, which is not what this is about
  await attempt(0, undefined, false);
  const clean = await attempt(0, undefined, false);
  if (clean.status !== 0) throw new Error(`the command fails without a fault: ${clean.text}`);
  const expected = Object.fromEntries(outputs.map((name) => [name, contentOf(name)]));
  for (const name of outputs) if (expected[name] === undefined) throw new Error(`${name} is not written`);
  usual = descriptors();
  const faults = clean.operations.flatMap((name, i) => waysOf[name].map((way) => [i + 1, way]));
  const step = Math.max(1, faults.length / (most ?? Infinity));
  let count = 0;
  for (let at = 0; at < faults.length; at += step) {
    const [n, way] = faults[Math.floor(at)];
    const withOld = count++ % 2 === 0;
    const result = await attempt(n, way, withOld);
    check(`operation ${n}, ${way}`, result, n, withOld, expected);
    if (way === 'short' && result.status !== 0) findings.push({ where: `operation ${n}`, what: 'a short transfer is an error', ...result });
  }
  const again = await attempt(0, undefined, true);
  if (again.status !== 0) findings.push({ where: 'afterwards', what: 'the next run fails', text: again.text });
  return { operations: clean.operations.length, faults: faults.length, tried: count, findings };
}

explore().then(
  (result) => {
    fs.writeFileSync(process.argv[3], JSON.stringify(result));
    process.exit(0);
  },
  (_error) => {
    process.exit(1);
  },
);
