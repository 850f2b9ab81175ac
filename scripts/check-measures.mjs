// Compares every measure that Gradus and another library both have, on runs of your own:
//
//   npm run build && PYTHON=venv/bin/python node scripts/check-measures.mjs QRELS RUN...
//
// PYTHON is an interpreter with the packages that scripts/golden/measures.py names. Each run keeps its order, but not its scores,
// so that equal scores play no part; scripts/check-peers.mjs is about those, and about everything else in which libraries differ. The
// known deviations of a library are those of its convention; any other difference is listed, and makes the status 1.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conventions, evaluateUnder } from '../dist/conventions/index.js';
import { evaluator, judge } from '../dist/index.js';
import { loadQrels, loadRun } from '../dist/node/index.js';

const [qrelsPath, ...runPaths] = process.argv.slice(2);
if (runPaths.length === 0) {
  process.stderr.write('usage: node scripts/check-measures.mjs QRELS RUN...\n');
  process.exit(2);
}
const python = process.env.PYTHON ?? 'python3';
const script = fileURLToPath(new URL('golden/measures.py', import.meta.url));
const { qrels } = await loadQrels(qrelsPath);

/** @type {Map<string, { compared: number, explained: number, worst: number, measures: Set<string>, wrong: string[] }>} */
const tally = new Map();
for (const path of runPaths) {
  const { run } = await loadRun(path, { lenient: true });
  const scratch = mkdtempSync(join(tmpdir(), 'gradus-peers-'));
  try {
    const collections = collectionsOf(run);
    writeFileSync(join(scratch, 'data.json'), JSON.stringify(collections));
    execFileSync(python, [script, scratch, join(scratch, 'data.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
    for (const file of readdirSync(scratch).filter((name) => name !== 'data.json')) {
      compareTool(file.replace('.json', ''), JSON.parse(readFileSync(join(scratch, file), 'utf8')), collections, basename(path));
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

let failed = false;
for (const [tool, { compared, explained, worst, measures, wrong }] of tally) {
  failed ||= wrong.length > 0;
  const words = `${tool}: ${measures.size} measures, ${compared} values on ${runPaths.length} runs, largest difference ${worst.toExponential(1)}`;
  process.stdout.write(`${words}; ${explained} values are known deviations, ${wrong.length} are not explained\n`);
  for (const line of wrong.slice(0, 20)) process.stdout.write(`  ${line}\n`);
}
process.exitCode = failed ? 1 : 0;

/** The whole ranking, and for tools that judge every document only the judged part of it. */
function collectionsOf(run) {
  const judged = judge(qrels, run, { missingTopics: 'skip' });
  /** @type {Record<string, { qrels: Record<string, Record<string, number>>, run: Record<string, Record<string, number>> }>} */
  const collections = { graded: { qrels: {}, run: {} }, tied: { qrels: {}, run: {} } };
  for (const [t, number] of judged.topics.entries()) {
    const topic = qrels.topics.text(number);
    const grades = new Map();
    for (let row = qrels.offsets[number]; row < qrels.offsets[number + 1]; row++) {
      grades.set(qrels.docs.text(qrels.docOf[row]), Math.max(0, qrels.grades[row]));
    }
    collections.graded.qrels[topic] = Object.fromEntries(grades);
    const ranked = [];
    for (let i = judged.offsets[t]; i < judged.offsets[t + 1]; i++) ranked.push(run.docs.text(run.docOf[judged.rows[i]]));
    collections.graded.run[topic] = Object.fromEntries(ranked.map((doc, i) => [doc, ranked.length - i]));
    const known = ranked.filter((doc) => grades.has(doc));
    if (known.length < 2) continue;
    // neighbours share a score, so that the mean over orders is compared as well
    collections.tied.run[topic] = Object.fromEntries(known.map((doc, i) => [doc, known.length - Math.floor(i / 2)]));
    collections.tied.qrels[topic] = Object.fromEntries(known.map((doc) => [doc, grades.get(doc)]));
  }
  return collections;
}

function compareTool(tool, { version, ...parts }, collections, runName) {
  const sums = tally.get(tool) ?? { compared: 0, explained: 0, worst: 0, measures: new Set(), wrong: [] };
  tally.set(tool, sums);
  const convention = conventions.find(({ name }) => name === tool);
  for (const [collection, measures] of Object.entries(parts)) {
    if (collections[collection] === undefined) continue;
    const { qrels: judgements, run } = collections[collection];
    for (const [name, values] of Object.entries(measures)) {
      const isKnown = convention?.deviations?.some(({ measure }) => measure === name) === true;
      sums.measures.add(`${version} ${name}`);
      const table =
        convention === undefined ? evaluator(judgements, [name]).evaluate(run) : evaluateUnder(convention, judgements, run, [name]);
      for (const [topic, expected] of Object.entries(values)) {
        const actual = table.value(topic, 0);
        const difference = Math.abs(actual - (expected ?? Number.NaN));
        sums.compared++;
        if (difference <= 1e-9) sums.worst = Math.max(sums.worst, difference);
        else if (isKnown) sums.explained++;
        else sums.wrong.push(`${runName}, topic ${topic}: ${name} is ${expected}, here ${actual}`);
      }
    }
  }
}
