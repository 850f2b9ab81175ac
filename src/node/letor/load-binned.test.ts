import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { parseLetor } from '../../formats/letor/reader.js';
import { notesOnData } from '../../ltr/dataset.js';
import { fingerprintOf } from '../../ltr/fingerprint.js';
import { modelToJson } from '../../ltr/models/json.js';
import { loadLearner } from '../../ltr/registry.js';
import { scoreMatrix } from '../../ltr/scoring/score.js';
import { trainRanker } from '../../ltr/train.js';
import { findEdges } from '../../ltr/trees/bin-edges.js';
import { parseMeasure } from '../../measures/parse.js';
import type { BinningTask } from './binning.js';
import { partControl } from './letor-file-parts.js';
import { loadBinned } from './load-binned.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-binned-'));
const path = join(folder, 'features.txt');
const alone = { size: 1, run: async () => [] };
const ROWS = 70_000;

/** Rows of three features: one of few values, one that some rows leave out, one that is the same everywhere. */
function textOf(seed: number, numRows: number): string {
  const random = seededRandom(seed);
  const row = (_: unknown, r: number): string => {
    const second = random.float() < 0.1 ? '' : ` 2:${Math.round(random.normal() * 1e4) / 1e4}`;
    return `${random.below(3)} qid:${Math.floor(r / 7)} 1:${random.below(9)}${second} 3:4\n`;
  };
  return Array.from({ length: numRows }, row).join('');
}
const text = textOf(1, ROWS);
beforeAll(() => writeFileSync(path, text));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (options: Parameters<typeof loadBinned>[1] = {}, team: Parameters<typeof loadBinned>[2] = alone) =>
  loadBinned(path, { source: path, comments: false, ...options }, team, 31, 0, text.length, 50_000);

describe('loadBinned', () => {
  it.each([
    ['left-out values are 0', 0],
    ['left-out values are missing', Number.NaN],
  ] as const)('%s: bins, fingerprint and notes are those of the whole values', async (_, missing) => {
    const { matrix } = (await load({ missing })) ?? {};
    const whole = parseLetor(text, { features: 'dense', missing, comments: false }).matrix;
    const { features, binned } = { features: whole.features, binned: matrix?.binned };
    if (matrix === undefined || binned === undefined || features === undefined) throw new Error('not read into bins');
    expect(matrix.features).toBeUndefined();
    expect(matrix.labels).toEqual(whole.labels);
    expect(matrix.queryOffsets).toEqual(whole.queryOffsets);
    expect(fingerprintOf(matrix)).toBe(fingerprintOf(whole));
    expect(notesOnData(matrix, missing)).toEqual(notesOnData(whole, missing));
    const bins = new Uint8Array(binned.memory.buffer);
    for (let column = 0; column < 3; column++) {
      // every second row: 70,000 are more than 65,536
      const sample = Float64Array.from({ length: ROWS / 2 }, (__, i) => features.values[2 * i * 3 + column]);
      const edges = findEdges(sample.filter((value) => !Number.isNaN(value)).sort(), 31);
      expect(binned.edges[column]).toEqual(edges);
      let differing = 0;
      for (let row = 0; row < ROWS; row++) {
        const value = features.values[row * 3 + column];
        const bin = Number.isNaN(value) ? 0 : 1 + edges.reduce((below, edge) => below + (edge < value ? 1 : 0), 0);
        if (bins[binned.address + row * binned.stride + column] !== bin) differing++;
      }
      expect(differing).toBe(0);
    }
  });

  it('the model is that of the whole values, and scores bins as it scores values', async () => {
    const learner = await loadLearner('lambdamart');
    const whole = parseLetor(text, { features: 'dense', comments: false }).matrix;
    const validation = parseLetor(textOf(2, 500), { features: 'dense', comments: false }).matrix;
    const binned = (await load())?.matrix;
    if (binned === undefined) throw new Error('not read into bins');
    const request = { learner, validation, objective: parseMeasure('nDCG@10'), options: { trees: 4, leaves: 6, bins: 31 } };
    const model = await trainRanker({ ...request, train: whole });
    expect(modelToJson(await trainRanker({ ...request, train: binned }))).toBe(modelToJson(model));
    // the memory behind the bins can be used again
    expect(modelToJson(await trainRanker({ ...request, train: binned }))).toBe(modelToJson(model));
    expect(scoreMatrix(model, binned)).toEqual(scoreMatrix(model, whole));
    await expect(trainRanker({ ...request, train: binned, normalisation: 'zscore' })).rejects.toThrow('only their bins were read');
  });

  it.each([
    ['few rows', textOf(1, 3000)],
    ['a broken line', text.replace('\n2 qid', '\nx qid')],
    ['an infinite value', text.replace('3:4', '3:inf')],
    ['a query whose lines do not stand together', `${text}1 qid:0 1:1 2:1 3:4\n`],
    ['a feature that the first lines lack', `${text}1 qid:x 1:1 2:1 3:4 4:1\n`],
    ['sparse rows', Array.from({ length: ROWS }, (_, r) => `1 qid:${r >> 3} 90:1\n`).join('')],
  ])('leaves %s to the usual reading', async (_, other) => {
    const file = join(folder, 'other.txt');
    writeFileSync(file, other);
    const options = { source: file, nonFinite: true, comments: false } as const;
    expect(await loadBinned(file, options, alone, 31, 0, other.length, 50_000)).toBeUndefined();
  });

  it('does not wait for ever for a thread that took a part and died', async () => {
    const dying = {
      size: 2,
      run: async (_: URL, task: unknown) => {
        partControl((task as BinningTask).control).parts.next();
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('the thread is lost');
      },
    };
    await expect(load({}, dying)).rejects.toThrow('the thread is lost');
  });

  it('tells why another thread could not read the file', async () => {
    const failing = { size: 2, run: async () => [{ parts: [], failure: 'input/output error' }] };
    await expect(load({}, failing)).rejects.toThrow(`${path}: cannot be read: input/output error`);
  });
});
