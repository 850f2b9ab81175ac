// Evaluates a TREC run of 20 million lines in process, once with the lines of each topic together and once with all topics mixed,
// and says how much memory and time that took.
//
//   node scripts/prove-streaming.mjs [--topics 20000] [--depth 1000] [--folder .cache/prove-streaming] [--keep]
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { peakMemory } from './spark-cluster.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    topics: { type: 'string', default: '20000' },
    depth: { type: 'string', default: '1000' },
    folder: { type: 'string', default: join(repository, '.cache', 'prove-streaming') },
    keep: { type: 'boolean', default: false },
  },
});
const numTopics = Number(options.topics);
const depth = Number(options.depth);
const folder = resolve(options.folder);
const CHUNK = 1 << 22;

/** A number below 2^32 that depends on every bit of another. */
function mixed(x) {
  let z = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/** Writes lines until there are no more. */
function writeLines(path, lines) {
  const file = openSync(path, 'w');
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length > CHUNK) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

const docOf = (topic, i) => `d${(mixed(topic * depth + i) % 1_000_000) * depth + i}`;
const line = (topic, i) => `q${topic} Q0 ${docOf(topic, i)} ${i + 1} ${(5000 - Math.floor((i * 5000) / depth)) / 256} seeded\n`;

function* grouped() {
  for (let topic = 0; topic < numTopics; topic++) for (let i = 0; i < depth; i++) yield line(topic, i);
}

function* scattered() {
  for (let i = 0; i < depth; i++) for (let topic = 0; topic < numTopics; topic++) yield line(topic, i);
}

function* judgements() {
  for (let topic = 0; topic < numTopics; topic++) {
    for (let i = 0; i < depth; i += 1 + (mixed(topic + i) % 100)) yield `q${topic} 0 ${docOf(topic, i)} ${mixed(topic * 31 + i) % 4}\n`;
  }
}

async function evaluate(qrels, run) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(repository, 'bin', 'gradus.js'), 'eval', qrels, run, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peak = 0;
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMemory(child.pid));
  }, 100);
  const status = await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  if (status !== 0) throw new Error(`gradus eval ended with status ${status}`);
  return { seconds: (performance.now() - started) / 1000, peak, all: JSON.stringify(JSON.parse(text).runs[0].all) };
}

mkdirSync(folder, { recursive: true });
const qrels = join(folder, 'qrels.txt');
const run = join(folder, 'run.txt');
writeLines(qrels, judgements());
const results = [];
for (const [title, lines] of [
  ['topics together', grouped()],
  ['topics mixed', scattered()],
]) {
  writeLines(run, lines);
  const result = await evaluate(qrels, run);
  results.push(result);
  const size = Math.round(statSync(run).size / 1e6);
  process.stdout.write(
    `${title}: ${numTopics * depth} lines, ${size} MB: ${result.seconds.toFixed(1)} s, peak memory ${result.peak} MB, ${result.all}\n`,
  );
}
if (!options.keep) rmSync(folder, { recursive: true, force: true });
if (results[0].all !== results[1].all) throw new Error('the two ways give different values');
