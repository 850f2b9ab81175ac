/** Many runs of one task: the lines of a run with their scores disturbed, each run in its own way. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../dist/core/numbers/random.js';

/** Scores are counted in millionths, and moved by up to four. */
const SCORE_UNIT = 1_000_000;
const LARGEST_MOVE = 4 * SCORE_UNIT;

/** Makes so many runs in `folder` unless they are there already.
 *  @param {string} original a run file @param {string} folder @param {number} count
 *  @returns {string[]} their paths */
export function prepareVariants(original, folder, count) {
  mkdirSync(folder, { recursive: true });
  const paths = Array.from({ length: count }, (_, r) => join(folder, `r${String(r + 1).padStart(3, '0')}.run`));
  /** @type {Map<string, { doc: string, score: number }[]> | undefined} */
  let topics;
  for (const [r, path] of paths.entries()) {
    if (existsSync(path)) continue;
    topics ??= linesByTopic(readFileSync(original, 'latin1'));
    writeFileSync(path, variant(topics, r + 1));
  }
  return paths;
}

/** @param {string} text @returns {Map<string, { doc: string, score: number }[]>} */
function linesByTopic(text) {
  const topics = new Map();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [topic, , doc, , score] = line.split(' ');
    const lines = topics.get(topic) ?? [];
    lines.push({ doc, score: Math.round(Number(score) * SCORE_UNIT) });
    topics.set(topic, lines);
  }
  return topics;
}

/** @param {ReadonlyMap<string, readonly { doc: string, score: number }[]>} topics @param {number} number */
function variant(topics, number) {
  const random = seededRandom(number);
  const parts = [];
  for (const [topic, lines] of topics) {
    const moved = lines.map(({ doc, score }) => ({ doc, score: score + random.below(LARGEST_MOVE) }));
    moved.sort((a, b) => b.score - a.score || (a.doc < b.doc ? 1 : -1));
    for (const [i, { doc, score }] of moved.entries()) {
      const whole = Math.floor(score / SCORE_UNIT);
      const rest = String(score - whole * SCORE_UNIT).padStart(6, '0');
      parts.push(`${topic} Q0 ${doc} ${i + 1} ${whole}.${rest} r${number}\n`);
    }
  }
  return parts.join('');
}
