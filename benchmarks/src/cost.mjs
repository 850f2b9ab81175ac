import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What one run of one command took, and what it printed.
 *  @typedef {{ wall: number, cpu: number, peakBytes: number, status: number, timedOut: boolean, output: string, words: string }} Cost */

const wrapper = fileURLToPath(new URL('./measured.py', import.meta.url));

/** Runs a command in a fresh process.
 *  @param {readonly string[]} command @param {{ limitSeconds: number, env?: Record<string, string> }} options @returns {Cost} */
export function measure(command, { limitSeconds, env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
  const cost = join(folder, 'cost.json');
  const output = join(folder, 'output');
  // -I -S: the wrapper needs nothing but the standard library, and starts in half the time
  const wrapped = spawnSync('python3', ['-I', '-S', wrapper, cost, output, String(limitSeconds), ...command], {
    // no compiled Python in the source tree; installed packages come compiled
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  try {
    if (wrapped.status !== 0) throw new Error(`cannot measure '${command.join(' ')}': ${wrapped.error?.message ?? wrapped.stderr}`);
    return { ...JSON.parse(readFileSync(cost, 'utf8')), output: readFileSync(output, 'utf8'), words: wrapped.stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Measures every command once per round, in the order given and in reverse by turns, so that a machine that slows down
 *  or warms up favours none. A command that takes long is measured once.
 *  @template {{ name: string }} T
 *  @param {readonly T[]} contenders @param {(contender: T) => Cost} measureOne
 *  @param {{ rounds: number, slowSeconds: number }} options @returns {Map<T, Cost[]>} */
export function measureInRounds(contenders, measureOne, { rounds, slowSeconds }) {
  const costs = new Map(contenders.map((contender) => [contender, /** @type {Cost[]} */ ([])]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : [...contenders].reverse();
    for (const contender of order) {
      const soFar = costs.get(contender) ?? [];
      if (soFar.some((cost) => cost.wall > slowSeconds || cost.status !== 0)) continue;
      soFar.push(measureOne(contender));
    }
  }
  return costs;
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const ascending = [...values].sort((a, b) => a - b);
  const half = ascending.length >> 1;
  return ascending.length % 2 === 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2;
}

/** The line of a failed command's messages that says most: the one that names an error, or the last.
 *  @param {string} words */
export function complaintIn(words) {
  const lines = words.trim().split('\n');
  return lines.find((line) => /error/i.test(line)) ?? lines[lines.length - 1];
}
