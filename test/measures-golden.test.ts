import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluate, type evaluator } from '../src/measures/evaluate.js';
import { parseMeasures } from '../src/measures/parse.js';

/** What other tools say about the same rankings; scripts/golden/measures.py made it. */
const folder = new URL('golden/measures/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

type Collection = 'graded' | 'tied' | 'diverse';
const data: Record<Collection, { qrels: unknown; run: Record<string, Record<string, number>> }> = read('data.json');

function qrelsOf(collection: Collection): Parameters<typeof evaluator>[0] {
  const { qrels } = data[collection];
  if (!Array.isArray(qrels)) return qrels as Record<string, Record<string, number>>;
  return qrels.map(([topic, iteration, doc, grade]) => ({ topic, iteration, doc, grade }));
}

/** Where a tool means something else by a name, or fails: what is compared instead, and why. */
interface Deviation {
  readonly ours?: string;
  /** Topics that are not compared. */
  readonly except?: readonly string[];
  readonly tolerance?: number;
  readonly reason: string;
}

const fiveDecimals = { tolerance: 5.1e-6, reason: 'gdeval prints five decimals' };

const deviations: Readonly<Record<string, Readonly<Record<string, Deviation>>>> = {
  ir_measures: {
    "nDCG(dcg='exp-log2')@10": fiveDecimals,
    'ERR@10': fiveDecimals,
    'ERR@20': fiveDecimals,
    NumQ: { except: ['4'], reason: 'a topic that the run does not answer is not counted' },
    NumRel: { except: ['4'], reason: 'a topic that the run does not answer has no relevant documents' },
    nNRBP: { except: ['5'], reason: '0/0 for a topic without relevant documents' },
  },
  ranx: {
    recall: { ours: 'SetR', reason: 'to Gradus, recall without a cutoff is trec_eval’s list of nine cutoffs' },
  },
};

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
      const { ours = name, except = [], tolerance = 1e-11 } = deviations[tool]?.[name] ?? {};
      expect(parseMeasures(ours)).toHaveLength(1);
      const table = evaluate(qrels, data[collection].run, [ours]);
      const compared = Object.entries(values).filter(([topic]) => !except.includes(topic));
      expect(compared.length).toBeGreaterThan(4);
      for (const [topic, expected] of compared) {
        const actual = table.value(topic, 0);
        expect([topic, Math.abs(actual - (expected ?? Number.NaN)) <= tolerance, actual, expected]).toEqual([
          topic,
          true,
          actual,
          expected,
        ]);
      }
    });
  }
});

it('every deviation is of a measure that was recorded', () => {
  for (const [tool, measures] of Object.entries(deviations)) {
    const recorded = read(`${tool}.json`);
    for (const name of Object.keys(measures)) expect(name in { ...recorded.graded, ...recorded.diverse }).toBe(true);
  }
});
