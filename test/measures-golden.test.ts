import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgingRulesOf, type KnownDeviation } from '../src/conventions/convention.js';
import { conventions } from '../src/conventions/registry.js';
import { evaluate, type evaluator } from '../src/measures/evaluate.js';
import { parseMeasures } from '../src/measures/parse.js';

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

/** The topics of the made-up collections on which a tool cannot be compared. */
const exceptions = { unanswered: ['4'], 'nothing relevant': ['5'], everywhere: [] } as const;

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
      const { ours = name, except, within = 1e-11 } = deviation(tool, name) ?? {};
      const excepted: readonly string[] = except === undefined ? [] : exceptions[except];
      expect(parseMeasures(ours)).toHaveLength(1);
      const rules = conventions.find(({ name: known }) => known === tool)?.rules;
      const judging = collection === 'close' && rules !== undefined ? judgingRulesOf(rules) : {};
      const table = evaluate(qrels, data[collection].run, [ours], judging);
      const isClose = (topic: string, value: number | null): boolean => Math.abs(table.value(topic, 0) - (value ?? Number.NaN)) <= within;
      if (except === 'everywhere') {
        expect(Object.entries(values).some(([topic, value]) => !isClose(topic, value))).toBe(true);
        return;
      }
      const compared = Object.entries(values).filter(([topic]) => !excepted.includes(topic));
      expect(compared.length).toBeGreaterThan(4);
      for (const [topic, expected] of compared) {
        const actual = table.value(topic, 0);
        expect([topic, isClose(topic, expected), actual, expected]).toEqual([topic, true, actual, expected]);
      }
    });
  }
});

it('every deviation is of a measure that was recorded', () => {
  for (const { name: tool, deviations = [] } of conventions) {
    for (const { measure, reason } of deviations) {
      const recorded = read(`${tool}.json`);
      expect(measure in { ...recorded.graded, ...recorded.diverse }, `${measure} of ${tool}`).toBe(true);
      expect(reason.length).toBeGreaterThan(10);
    }
  }
});
