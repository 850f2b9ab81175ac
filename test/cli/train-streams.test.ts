import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/numbers/random.js';
import { runGradus } from '../helpers/run-gradus.js';

let folder = '';
let text = '';
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-train-streams-'));
  const random = seededRandom(3);
  // more than 4 MiB, from which on other threads are called
  text = Array.from({ length: 60_000 }, (_, row) => {
    const cells = Array.from({ length: 8 }, (_, f) => `${f + 1}:${random.float().toFixed(6)}`);
    return `${random.below(3)} qid:${row >> 4} ${cells.join(' ')}\n`;
  }).join('');
  writeFileSync(at('train.txt.gz'), gzipSync(text, { level: 1 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function modelOf(threads: number, train: string, input?: string): string {
  const model = at(`${threads}.json`);
  const argv = ['train', 'lambdamart', '--train', train, '--trees', '2', '--threads', String(threads), '--model', model, '--quiet'];
  const { status, stderr } = runGradus(argv, input === undefined ? {} : { input });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return readFileSync(model, 'utf8');
}

describe('training on text that several threads parse', () => {
  it('gives the same model for a compressed file and for a pipe, for any number of threads', () => {
    const alone = modelOf(1, at('train.txt.gz'));
    expect(modelOf(3, at('train.txt.gz'))).toBe(alone);
    expect(modelOf(2, '-', text)).toBe(alone);
  });
});
