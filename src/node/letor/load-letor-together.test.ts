import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../../core/problem.js';
import { parseLetor } from '../../formats/letor/reader.js';
import { watchReading } from '../reading-watch.js';
import type { WorkerTeam } from '../threads/team.js';
import { type PartTask, partControl } from './letor-file-parts.js';
import { loadFeatures } from './load-features.js';
import { canReadTogether, loadLetorTogether } from './load-letor-together.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-together-'));
const path = join(folder, 'features.txt');
const text = Array.from({ length: 500 }, (_, row) => `${row % 3} qid:${row >> 3} 1:${row} 2:0.5\n`).join('');
beforeAll(() => writeFileSync(path, text));
afterAll(() => rmSync(folder, { recursive: true }));

/** A team whose other thread does this. */
const teamThat = (work: (task: PartTask) => unknown): Pick<WorkerTeam, 'run'> => ({
  run: async (_module, data) => [await work(data as PartTask)],
});
const load = (team: Pick<WorkerTeam, 'run'>, from = path) => loadLetorTogether(from, { source: from }, team, 0, text.length, 1000);

describe('loadLetorTogether', () => {
  it('does all the work where nobody helps', async () => {
    expect((await load({ run: async () => [] })).matrix.features?.values).toEqual(parseLetor(text).matrix.features?.values);
  });

  it('tells how much has been read, once for each byte', async () => {
    let numBytes = 0;
    watchReading((read) => {
      numBytes += read;
    });
    await load({ run: async () => [] });
    watchReading(undefined);
    expect(numBytes).toBe(text.length);
  });

  it('tells why another thread could not read the file', async () => {
    const refused = load(teamThat(() => ({ parts: [], failure: 'input/output error' })));
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow(`${path}: cannot be read: input/output error`);
  });

  it('does not wait for ever for a thread that took a part and died', async () => {
    const dying = teamThat(async ({ control }) => {
      partControl(control).parts.next();
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('the thread is lost');
    });
    await expect(load(dying)).rejects.toThrow('the thread is lost');
  });

  it('leaves it to the reader in order where memory is short', async () => {
    const large = join(folder, 'large.txt');
    const many = text.repeat(Math.ceil((5 << 20) / text.length));
    writeFileSync(large, many);
    const short = { size: 2, run: () => Promise.reject(new RangeError('Array buffer allocation failed')), close: async () => undefined };
    const { matrix } = await loadFeatures(large, { team: short });
    expect(matrix.features?.values.buffer).toBeInstanceOf(ArrayBuffer);
    expect(matrix.numRows).toBe(many.split('\n').length - 1);
  });

  it('refuses a directory', async () => {
    await expect(load({ run: async () => [] }, folder)).rejects.toThrow('cannot be read: it is a directory');
  });
});

describe('canReadTogether', () => {
  it('is false where a line depends on those before, or on a function', () => {
    expect(canReadTogether({})).toBe(true);
    expect(canReadTogether({ scattered: 'split', precision: 'single', lenient: true })).toBe(true);
    expect(canReadTogether({ scattered: 'refuse' })).toBe(false);
    expect(canReadTogether({ groupSizes: [1] })).toBe(false);
    expect(canReadTogether({ features: false })).toBe(false);
    expect(canReadTogether({ readLabel: () => 0 })).toBe(false);
    expect(canReadTogether({ checkLine: () => undefined })).toBe(false);
  });
});
