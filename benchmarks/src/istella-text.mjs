import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../dist/core/numbers/random.js';
import { benchFolder } from './ltr-set.mjs';

/** LETOR text of the shape of Istella's: 316 documents a query, 220 features, two fifths of them mostly 0, labels 0 to 4. The documents of
 *  64 queries come again and again under other query ids, so that text of any length is written as fast as the disk takes it. */

export const NUM_FEATURES = 220;
const DOCUMENTS = 316;
const QUERIES = 64;
const ID_DIGITS = 8;
/** Upper ends of the labels 0 to 3 on the scale of latent relevance. */
const LABEL_ENDS = [0.8, 1, 1.3, 1.6];

/** The name of a file with so many documents, which is made if it is not there. @param {number} numRows */
export function istellaText(numRows) {
  const path = join(benchFolder(), `istella-shape-${numRows}.txt`);
  if (!existsSync(path)) writeText(path, numRows);
  return path;
}

/** @param {string} path @param {number} numRows */
function writeText(path, numRows) {
  const { block, starts } = makeBlock();
  const part = `${path}.part`;
  const out = openSync(part, 'w');
  for (let row = 0, query = 0; row < numRows; query += QUERIES) {
    const count = Math.min(starts.length - 1, numRows - row);
    for (let i = 0; i < count; i++) {
      const id = String(query + Math.floor(i / DOCUMENTS)).padStart(ID_DIGITS, '0');
      block.write(id, starts[i] + '0 qid:'.length, 'latin1');
    }
    for (let at = 0; at < starts[count]; ) at += writeSync(out, block, at, starts[count] - at);
    row += count;
  }
  closeSync(out);
  renameSync(part, path);
}

/** The lines of some queries, and where each begins. */
function makeBlock() {
  const random = seededRandom(220_000, 1);
  const lines = [];
  const starts = [0];
  for (let row = 0; row < QUERIES * DOCUMENTS; row++) {
    const latent = 2 * random.float() - 1;
    const cells = Array.from({ length: NUM_FEATURES }, (_, k) => cell(k % 4, random.float(), latent));
    const relevance = latent + cells[1] + cells[5] - cells[9] + (cells[0] > 80 ? 1 : 0) - 1;
    const label = LABEL_ENDS.filter((end) => relevance > end).length;
    const line = `${label} qid:${'0'.repeat(ID_DIGITS)} ${cells.map((value, k) => `${k + 1}:${value}`).join(' ')}\n`;
    lines.push(line);
    starts.push(starts[row] + line.length);
  }
  return { block: Buffer.from(lines.join(''), 'latin1'), starts };
}

/** A value of one of four kinds: counts, scores, heavy tails, rare ones. @param {number} kind @param {number} drawn @param {number} latent */
function cell(kind, drawn, latent) {
  if (kind === 0) return drawn < 0.6 ? 0 : Math.floor(drawn * 100);
  if (kind === 1) return Math.round((drawn + latent * 0.1) * 1000) / 1000;
  if (kind === 2) return Math.floor(drawn * drawn * 5000);
  return drawn < 0.8 ? 0 : Math.round(drawn * 100) / 100;
}
