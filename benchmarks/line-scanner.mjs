/** Speed of the two line scanners on text that lies in memory: line-scanner.mjs [MEGABYTES]
 *  CPU time, the best of five. Both scanners must find the same in it. */

import process from 'node:process';
import { seededRandom } from '../dist/core/numbers/random.js';
import { createLineScanner } from '../dist/formats/text/create-line-scanner.js';
import { qrelsLines, runLines, SCAN_END, SCAN_TOPIC } from '../dist/formats/text/line-scanner.js';

/** @typedef {import('../dist/formats/text/line-scanner.js').LineScanner} LineScanner */

const DEPTH = 1000;
const numBytes = 1e6 * Number(process.argv[2] ?? 200);
const random = seededRandom(1);
const document = () => String(1_000_000 + random.below(9_000_000));

/** @type {[string, import('../dist/formats/text/line-scanner.js').LineLayout, (topic: number, rank: number) => string][]} */
const shapes = [
  ['run, 6 decimals', runLines, (topic, rank) => `${topic} Q0 ${document()} ${rank} ${(30 / rank + random.float()).toFixed(6)} bm25\n`],
  ['run, 16-17 digits', runLines, (topic, rank) => `${topic} Q0 ${document()} ${rank} ${30 / rank + random.float()} bm25\n`],
  ['judgments', qrelsLines, (topic) => `${topic} 0 ${document()} ${random.below(4)}\n`],
];

for (const [name, layout, line] of shapes) {
  const text = makeText(line);
  const results = [true, false].map((wasm) => {
    const scanner = createLineScanner({ ...layout, capacity: text.length, lines: DEPTH, wasm });
    scanner.bytes.set(text);
    return measure(scanner, text.length);
  });
  if (results[0].check !== results[1].check) throw new Error(`${name}: the scanners disagree`);
  const speeds = results.map(({ seconds }) => `${(text.length / seconds / 1e9).toFixed(2)} GB/s`);
  process.stdout.write(`${name.padEnd(20)} WebAssembly ${speeds[0]}   TypeScript ${speeds[1]}   ${results[0].lines} lines\n`);
}

/** Some megabytes of lines, repeated up to the size asked for.
 *  @param {(topic: number, rank: number) => string} line */
function makeText(line) {
  const parts = [];
  for (let topic = 100; topic < 300; topic++) for (let rank = 1; rank <= DEPTH; rank++) parts.push(line(topic, rank));
  const block = Buffer.from(parts.join(''));
  const copies = Math.max(1, Math.round(numBytes / block.length));
  const text = new Uint8Array(copies * block.length);
  for (let copy = 0; copy < copies; copy++) text.set(block, copy * block.length);
  return text;
}

/** @param {LineScanner} scanner @param {number} end */
function measure(scanner, end) {
  let seconds = Number.POSITIVE_INFINITY;
  let lines = 0;
  let check = 0;
  for (let round = 0; round < 5; round++) {
    scanner.startFile();
    check = 0;
    const before = process.cpuUsage();
    for (;;) {
      const stop = scanner.scan(end);
      const last = scanner.numLines - 1;
      check += scanner.docHash[last] + scanner.docEnd[last] + scanner.numbers[last];
      if (stop === SCAN_END) break;
      if (stop !== SCAN_TOPIC) throw new Error(`unexpected stop ${stop}`);
      scanner.startTopic();
    }
    const { user, system } = process.cpuUsage(before);
    seconds = Math.min(seconds, (user + system) / 1e6);
    lines = scanner.linesSeen;
  }
  return { seconds, lines, check };
}
