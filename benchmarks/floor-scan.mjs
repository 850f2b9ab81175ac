/** The least that any evaluation in Node has to do with a run: floor-scan.mjs load | read | scan [RUN]
 *  `load`: nothing but loading the scanner. `read`: the file, in pieces of 1 MiB. `scan`: its lines too, by the kernel that `gradus` uses:
 *  fields found, document ids hashed, scores read as numbers, one topic after another. Nothing is judged, sorted or printed. */

import { closeSync, openSync, readSync } from 'node:fs';
import { createLineScanner } from '../dist/formats/text/create-line-scanner.js';
import { runLines } from '../dist/formats/text/line-scanner.js';
import { STREAM_END, TopicStream } from '../dist/formats/trec/topic-stream.js';

const CHUNK = 1 << 20;
const [mode, path] = process.argv.slice(2);
if (mode === 'read') read(path);
else if (mode === 'scan') scan(path);
else createLineScanner(runLines);

/** @param {string} file */
function read(file) {
  const handle = openSync(file, 'r');
  const piece = new Uint8Array(CHUNK);
  while (readSync(handle, piece, 0, CHUNK, null) > 0);
  closeSync(handle);
}

/** @param {string} file */
function scan(file) {
  const handle = openSync(file, 'r');
  const scanner = createLineScanner({ ...runLines, capacity: 2 * CHUNK + 1, lines: 2048 });
  const source = {
    read: (/** @type {Uint8Array} */ target, /** @type {number} */ at, /** @type {number} */ length) =>
      readSync(handle, target, at, length, null),
  };
  const stream = new TopicStream(scanner, source, CHUNK);
  while (stream.next() > STREAM_END);
  closeSync(handle);
}
