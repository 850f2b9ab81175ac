import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyConvention, judgingRulesOf } from '../../src/conventions/convention.js';
import { findConvention } from '../../src/conventions/registry.js';
import { evaluate } from '../../src/measures/evaluate.js';
import { parseMeasure } from '../../src/measures/parse.js';

type Grades = Record<string, Record<string, number>>;

interface Recorded {
  readonly versions: Record<string, string>;
  readonly groups: Record<string, readonly { readonly labels: readonly number[]; readonly scores: readonly number[] }[]>;
  readonly collections: Record<string, { readonly qrels: Grades; readonly run: Grades }>;
  readonly perQuery: Record<string, Record<string, readonly Record<string, number>[]>>;
  readonly perTopic: Record<string, Record<string, Record<string, Record<string, number>>>>;
  readonly means: Record<string, Record<string, Record<string, number>>>;
}

const recorded: Recorded = JSON.parse(readFileSync(new URL('../golden/conventions/values.json', import.meta.url), 'utf8'));

function valueUnder(name: string, qrels: Grades, run: Grades, measure: string): { topics: Record<string, number>; mean: number } {
  const { rules } = findConvention(name);
  const applied = applyConvention(parseMeasure(measure), rules);
  const table = evaluate(qrels, run, [applied], judgingRulesOf(rules));
  return { topics: Object.fromEntries(table.topics.map((topic) => [topic, table.value(topic, 0)])), mean: table.aggregate(0) };
}

const byPlace = (values: readonly number[]): Record<string, number> =>
  Object.fromEntries(values.map((value, i) => [`d${String(i).padStart(2, '0')}`, value]));

describe.each(Object.keys(recorded.perQuery))('the convention %s has the values of the package', (name) => {
  describe.each(Object.keys(recorded.groups))('on lists: %s', (data) => {
    const rows = recorded.groups[data].map((group, q) => [q, group, recorded.perQuery[name][data][q]] as const);
    it.each(rows)('query %i', (q, { labels, scores }, expected) => {
      for (const [measure, value] of Object.entries(expected)) {
        const found = valueUnder(name, { [`q${q}`]: byPlace(labels) }, { [`q${q}`]: byPlace(scores) }, measure);
        expect(found.mean, `${measure} of ${labels} by ${scores}`).toBeCloseTo(value, 12);
      }
    });
  });
});

describe.each(Object.keys(recorded.perTopic))('the convention %s has the values of the package', (name) => {
  const cases = Object.entries(recorded.perTopic[name]).flatMap(([data, measures]) =>
    Object.entries(measures).map(([measure, values]) => [data, measure, values] as const),
  );
  it.each(cases)('%s: %s', (data, measure, expected) => {
    const { qrels, run } = recorded.collections[data];
    const { topics } = valueUnder(name, qrels, run, measure);
    expect(Object.keys(topics).sort()).toEqual(Object.keys(expected).sort());
    for (const [topic, value] of Object.entries(expected)) expect(topics[topic], topic).toBeCloseTo(value, 12);
  });
});

describe.each(Object.keys(recorded.means))('the convention %s has the means of the package', (name) => {
  const cases = Object.entries(recorded.means[name]).flatMap(([data, measures]) =>
    Object.entries(measures).map(([measure, value]) => [data, measure, value] as const),
  );
  // printed with five decimals
  it.each(cases)('%s: %s', (data, measure, expected) => {
    const { qrels, run } = recorded.collections[data];
    expect(Math.abs(valueUnder(name, qrels, run, measure).mean - expected)).toBeLessThanOrEqual(0.5e-5);
  });
});

it.each([
  ['sklearn', 'scikit-learn'],
  ['lightgbm', 'lightgbm'],
  ['xgboost', 'xgboost-cpu'],
  ['catboost', 'catboost'],
  ['ir_measures', 'ir_measures'],
  ['ranx', 'ranx'],
  ['beir', 'beir'],
])('%s names the version it was compared with', (name, packageName) => {
  expect(findConvention(name).version).toBe(recorded.versions[packageName]);
});
