import { expect, test } from 'vitest';
import { toQrels } from '../../core/qrels.js';
import { toRun } from '../../core/run.js';
import { parseMeasure } from '../../measures/parse.js';
import { planOf } from '../plan.js';
import { systemOrders } from './system-orders.js';
import { toolValues } from './tool-values.js';

// grades 2 at rank 1 and 1 at rank 3 of three documents, and a judged document of grade 2 that was not found
const qrels = toQrels({ q: { a: 2, b: 0, c: 1, d: 2 } });
const run = toRun({ q: { a: 3, b: 2, c: 1 } }, 'one');

test('tools that say the same share a row, and the steps of each row add up to its gap', () => {
  const { rows, fromValue, without } = toolValues(qrels, run, { measure: parseMeasure('nDCG@10'), from: 'trec_eval@9.0.8' });
  // by hand: gains are grades, the ideal list has all judged documents: (2 + 1/2) / (2 + 2/log2(3) + 1/2)
  expect(fromValue).toBeCloseTo(2.5 / (2.5 + 2 / Math.log2(3)), 12);
  const toolsOf = (name: string) => rows.find(({ tools }) => tools.some((tool) => tool.name === name));
  expect(rows[0].tools.map(({ name }) => name)).toContain('gradus');
  expect(toolsOf('ranx')).toBe(rows[0]);
  // scikit-learn knows only the documents that were retrieved: (2 + 1/2) / (2 + 1/log2(3))
  expect(toolsOf('sklearn')?.value).toBeCloseTo(2.5 / (2 + 1 / Math.log2(3)), 12);
  // LightGBM gains are 2^grade - 1 besides: (3 + 1/2) / (3 + 1/log2(3))
  expect(toolsOf('lightgbm')?.value).toBeCloseTo(3.5 / (3 + 1 / Math.log2(3)), 12);
  for (const { value, steps } of rows.slice(1)) {
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.reduce((sum, { share }) => sum + share, fromValue)).toBeCloseTo(value, 10);
  }
  const tools = rows.flatMap((row) => row.tools.map(({ name }) => name));
  expect(new Set(tools).size).toBe(tools.length);
  expect(without.every(({ reason }) => reason !== '')).toBe(true);
});

test('orders of systems by measures, depth, ties and pool', () => {
  const material = {
    qrels: toQrels({ q: { a: 1, b: 0, c: 1, d: 0 } }),
    runs: [
      toRun({ q: { b: 4, a: 3, c: 2 } }, 'late'),
      toRun({ q: { a: 4, b: 3, d: 2 } }, 'early'),
      toRun({ q: { c: 1, d: 1, b: 1 } }, 'tied'),
    ],
    names: ['late', 'early', 'tied'],
    notes: [],
  };
  const plan = planOf({ measures: 'RR R@3' });
  const by = (what: Parameters<typeof systemOrders>[2]['by']) => systemOrders(plan, material, { by: what });
  // RR: late 1/2, early 1; tied: equal scores by id, the last first: d, c, b, so 1/2. R@3: late 1, early 1/2, tied 1/2
  const [rr, recall] = by('measures').orders;
  expect(rr.means).toEqual([0.5, 1, 0.5]);
  expect(rr.places).toEqual([2, 1, 3]);
  expect(recall.means).toEqual([1, 0.5, 0.5]);
  expect(recall.places).toEqual([1, 2, 3]);
  // one pair of opposite order, two pairs tied in one of them: (0 - 1) / sqrt(2 * 2)
  expect(recall.tau).toBeCloseTo(-0.5, 12);
  // in the best order the tied system finds a document at once, in the file it does too
  const ties = by('ties').orders;
  expect(ties.map(({ means }) => means[2])).toEqual([0.5, 1, 1, 1 / 3, expect.closeTo((1 + 1 / 2 + 1 / 3) / 3, 12)]);
  const depth = by('depth').orders;
  expect(depth[1].name).toBe('RR@1');
  expect(depth[1].means).toEqual([0, 1, 0]);
  // only b, a and the first of the tied, d, are in a pool of depth 1: c is no longer relevant
  const pool = by('pool').orders;
  expect(pool.at(-1)?.detail).toBe('pool of depth 1');
  expect(pool.at(-1)?.means).toEqual([0.5, 1, 0]);
});
