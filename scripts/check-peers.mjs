// Compares every number that a convention of an installable tool can print with what the tool says, on rankings made to hurt:
//
//   npm run build && PYTHON=venv/bin/python node scripts/check-peers.mjs [--seed N] [--answers FILE] [--record FOLDER] [QRELS RUN...]
//
// PYTHON is an interpreter with the packages that scripts/golden/peers.py names. Given judgements and runs are cases too. What Gradus refuses
// under a convention is fine, and counted; a number that the tool does not print is listed, and makes the status 1, unless the convention's
// record has it among its deviations. --answers keeps what the tools said, or takes it from there if the file exists; --record writes the
// cases and answers that test/conventions/peers.test.ts compares with.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { evaluateUnder, findConvention } from '../dist/conventions/index.js';
import { InputError } from '../dist/index.js';
import { loadQrels, loadRun } from '../dist/node/index.js';
import { peerCases } from './peer-cases.mjs';
import { peerMeasures } from './peer-measures.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, answers: { type: 'string' }, record: { type: 'string' }, tool: { type: 'string', multiple: true } },
});
const cases = positionals.length > 0 ? await realCases(positionals) : peerCases(Number(options.seed ?? 1));
const tools = Object.entries(peerMeasures).filter(([tool]) => options.tool === undefined || options.tool.includes(tool));
const answers = theirAnswers();
if (options.record !== undefined) record(options.record);

let failed = false;
for (const [asked, { measures }] of tools) {
  const tool = asked.replace(/ .*/, '');
  const tally = { equal: 0, refused: 0, failing: 0, known: 0, worst: 0, wrong: [] };
  for (const [caseName, told] of Object.entries(answers.values[asked] ?? {})) {
    for (const [theirs, ours] of measures) if (told[theirs] !== undefined) compare(tool, caseName, theirs, ours, told[theirs], tally);
  }
  const { equal, refused, failing, known, worst, wrong } = tally;
  failed ||= wrong.length > 0;
  process.stdout.write(
    `${asked} ${answers.versions[asked]}: ${equal} values equal (largest difference ${worst.toExponential(1)}), ${refused} answers refused here, ` +
      `${failing} failures of the tool, ${known} known deviations, ${wrong.length} wrong\n`,
  );
  for (const line of wrong.slice(0, Number(process.env.SHOW ?? 20))) process.stdout.write(`  ${line}\n`);
}
process.exitCode = failed ? 1 : 0;

function compare(tool, caseName, theirs, ours, answer, tally) {
  const convention = findConvention(tool);
  const known = convention.deviations?.find(({ measure }) => measure === theirs);
  const { qrels, run, subtopics } = cases[caseName];
  const judgements = subtopics?.map(([topic, iteration, doc, grade]) => ({ topic, iteration, doc, grade })) ?? qrels;
  let table;
  try {
    table = evaluateUnder(convention, judgements, run, [ours]);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    tally.refused++;
    if (process.env.REFUSED !== undefined && answer.error === undefined)
      process.stdout.write(`  ${caseName}, ${theirs}: ${error.message}\n`);
    return;
  }
  const note = (topic, expected, actual) => tally.wrong.push(`${caseName}, ${theirs}, ${topic}: ${expected}, here ${actual}`);
  if (answer.error !== undefined) {
    tally.failing++;
    note('all', answer.error, table.aggregate(0));
    return;
  }
  const decimals = answer.topics === undefined ? convention.rules.printed?.decimals : undefined;
  const judge = (topic, expected, actual) => {
    const wanted = Number(expected);
    const scale = Number.isNaN(wanted) ? 1 : Math.max(1, Math.abs(wanted));
    const difference = Number.isNaN(wanted) && Number.isNaN(actual) ? 0 : Math.abs(actual - wanted);
    if (difference <= (decimals === undefined ? 1e-9 * scale : 0.5001 * 10 ** -decimals)) {
      tally.equal++;
      if (decimals === undefined) tally.worst = Math.max(tally.worst, difference);
    } else if (known !== undefined) tally.known++;
    else note(topic, expected, actual);
  };
  const topics = Object.keys(answer.topics ?? {});
  for (const topic of topics) judge(topic, answer.topics[topic], table.topics.includes(topic) ? table.value(topic, 0) : undefined);
  for (const topic of table.topics) {
    if (answer.topics !== undefined && !topics.includes(topic) && !Number.isNaN(table.value(topic, 0)))
      note(topic, 'nothing', table.value(topic, 0));
  }
  if (answer.all !== undefined) judge('all', answer.all, table.aggregate(0));
}

/** JSON in which a zero keeps its sign. */
function jsonText(value) {
  return JSON.stringify(value, (_, item) => (Object.is(item, -0) ? '-0.0' : item)).replaceAll('"-0.0"', '-0.0');
}

/** Cases of many documents would fill the folder, and are left to this script. */
function record(folder) {
  const kept = Object.fromEntries(Object.entries(cases).filter(([name]) => name !== 'deep'));
  const write = (name, content) => writeFileSync(join(folder, name), `${jsonText(content)}\n`);
  write('peer-cases.json', kept);
  for (const [asked, { measures }] of tools) {
    const values = Object.fromEntries(Object.entries(answers.values[asked]).filter(([name]) => Object.hasOwn(kept, name)));
    const ours = Object.fromEntries(measures.filter(([theirs, own]) => theirs !== own));
    write(`peer-${asked.replace(/[ (]+/g, '-').replace(')', '')}.json`, { version: answers.versions[asked], ours, values });
  }
}

function theirAnswers() {
  if (options.answers !== undefined && existsSync(options.answers)) return JSON.parse(readFileSync(options.answers, 'utf8'));
  const scratch = mkdtempSync(join(tmpdir(), 'gradus-peers-'));
  try {
    const measures = Object.fromEntries(
      tools.map(([tool, { cases: wanted, measures: names }]) => [
        tool,
        Object.fromEntries(
          Object.keys(cases)
            .filter(wanted)
            .map((name) => [name, names.map(([theirs]) => theirs)]),
        ),
      ]),
    );
    writeFileSync(join(scratch, 'asked.json'), jsonText({ cases, measures }));
    const script = fileURLToPath(new URL('golden/peers.py', import.meta.url));
    execFileSync(process.env.PYTHON ?? 'python3', [script, join(scratch, 'asked.json'), join(scratch, 'told.json')], {
      stdio: ['ignore', 'ignore', process.env.VERBOSE === undefined ? 'ignore' : 'inherit'],
    });
    const told = readFileSync(join(scratch, 'told.json'), 'utf8');
    if (options.answers !== undefined) writeFileSync(options.answers, told);
    return JSON.parse(told);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Each run with the judgements is a case. */
async function realCases([qrelsPath, ...runPaths]) {
  const { qrels } = await loadQrels(qrelsPath);
  const made = {};
  for (const path of runPaths) {
    const { run } = await loadRun(path, { lenient: true });
    made[basename(path)] = { qrels: asTable(qrels, qrels.grades), run: asTable(run, run.scores) };
  }
  return made;
}

function asTable({ topics, docs, docOf, offsets }, values) {
  const table = {};
  for (let topic = 0; topic < topics.size; topic++) {
    const rows = {};
    table[topics.text(topic)] = rows;
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) rows[docs.text(docOf[row])] = values[row];
  }
  return table;
}
