import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { KnownDeviation } from '../src/conventions/convention.js';
import { evaluateUnder } from '../src/conventions/evaluate-under.js';
import { conventions } from '../src/conventions/registry.js';
import { InputError } from '../src/core/problem.js';
import type { ScoreTable } from '../src/core/score-table.js';
import { evaluate, type evaluator } from '../src/measures/evaluate.js';

/** What other tools say about the same rankings; scripts/golden/measures.py made it. */
const folder = new URL('golden/measures/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

type Collection = 'graded' | 'tied' | 'diverse' | 'close';
const data: Record<Collection, { qrels: unknown; run: Record<string, Record<string, number>> }> = read('data.json');

function qrelsOf(collection: Collection): Parameters<typeof evaluator>[0] {
  const { qrels } = data[collection];
  if (!Array.isArray(qrels)) return qrels as Record<string, Record<string, number>>;
  return qrels.map(([topic, iteration, doc, grade]) => ({ topic, iteration, doc, grade }));
}

function deviation(tool: string, measure: string): KnownDeviation | undefined {
  return conventions.find(({ name }) => name === tool)?.deviations?.find((known) => known.measure === measure);
}

const tools = readdirSync(folder).filter((name) => name !== 'data.json');

describe.each(tools)('%s', (file) => {
  const tool = file.replace('.json', '');
  const { version, ...collections } = read(file);

  it('is recorded with its version', () => {
    expect(version).toMatch(/^\d+\.\d+/);
  });

  for (const [collection, measures] of Object.entries(collections) as [Collection, Record<string, Record<string, number | null>>][]) {
    const qrels = qrelsOf(collection);
    it.each(Object.entries(measures))(`%s (${collection})`, (name, values) => {
      const isKnown = deviation(tool, name) !== undefined;
      const table = tableOf(tool, qrels, data[collection].run, name);
      const isClose = (topic: string, value: number | null): boolean => {
        const actual = table.value(topic, 0);
        return value === null ? Number.isNaN(actual) : Math.abs(actual - value) <= 1e-11;
      };
      if (isKnown) {
        expect(Object.entries(values).some(([topic, value]) => !isClose(topic, value))).toBe(true);
        return;
      }
      expect(Object.keys(values).length).toBeGreaterThan(4);
      for (const [topic, expected] of Object.entries(values)) {
        expect([topic, isClose(topic, expected), table.value(topic, 0), expected]).toEqual([topic, true, table.value(topic, 0), expected]);
      }
    });
  }
});

/** The values under the convention of the tool, if it has one; by our own rules if not, or if that refuses the whole for one topic on which the
 *  tool fails. */
function tableOf(tool: string, qrels: ReturnType<typeof qrelsOf>, run: Record<string, Record<string, number>>, name: string): ScoreTable {
  const convention = conventions.find((known) => known.name === tool);
  try {
    if (convention !== undefined) return evaluateUnder(convention, qrels, run, [name]);
  } catch (error) {
    if (!(error instanceof InputError) || !refusedForOneTopic.includes(name)) throw error;
    return evaluate(qrels, run, [name.replace('nNRBP', "nNRBP(empty='skip')")]);
  }
  return evaluate(qrels, run, [name]);
}

const refusedForOneTopic: readonly string[] = ['Accuracy', 'Accuracy@10', 'Accuracy(rel=2)', 'nNRBP'];

it('every deviation is of a measure that was recorded', () => {
  for (const { name: tool, deviations = [] } of conventions) {
    for (const { measure, reason } of deviations) {
      const recorded = read(`${tool}.json`);
      expect(measure in { ...recorded.graded, ...recorded.diverse }, `${measure} of ${tool}`).toBe(true);
      expect(reason.length).toBeGreaterThan(10);
    }
  }
});
