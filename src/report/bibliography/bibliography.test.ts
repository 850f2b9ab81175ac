import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../../core/score-table.js';
import { docOf } from '../../measures/reference/index.js';
import { allMeasures } from '../../measures/registry.js';
import { compareSystems } from '../../stats/compare.js';
import { CORRECTION_METHODS } from '../../stats/correction.js';
import { COMPARISON_TESTS } from '../../stats/pair-tests.js';
import { bibtex, comparisonEntries, entriesOf, entriesOfMeasure } from './bibliography.js';
import { cikm, sigir, wsdm } from './entry.js';
import { measureEntries, textbook } from './measure-entries.js';
import { statisticsEntries } from './statistics-entries.js';

const all = [...measureEntries, textbook, ...Object.values(statisticsEntries).flat()];

describe('entriesOfMeasure(name)', () => {
  test('has every publication that the reference of measures cites', () => {
    for (const def of allMeasures) {
      const { cite = [] } = docOf(def);
      expect(entriesOfMeasure(def.name).length, def.name).toBe(cite.length > 0 ? cite.length : def.direction === 'neither' ? 0 : 1);
    }
  });

  test.each([
    ['nDCG@10', ['jarvelin2002cumulated', 'burges2005learning']],
    ['P@10', ['manning2008introduction']],
    ['RBP(p=0.5)', ['moffat2008rank']],
    ['a measure of my own', []],
  ])('%s: %j', (measure, keys) => expect(entriesOfMeasure(measure).map(({ key }) => key)).toEqual(keys));
});

describe('entriesOf(cited)', () => {
  test.each(COMPARISON_TESTS)('has a publication for the test %s', (one) =>
    expect(entriesOf({ kind: 'test', test: one }).length).toBeGreaterThan(0),
  );
  test.each(CORRECTION_METHODS)('has a publication for the correction %s', (correction) =>
    expect(entriesOf({ kind: 'correction', correction }).length).toBe(1),
  );
});

describe('the entries', () => {
  test('have keys of their own, DOIs as they are registered, and years that their keys name', () => {
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    for (const { key, year, doi } of all) {
      expect(key).toMatch(/^[a-z]+\d{4}[a-z]+$/);
      expect(key).toContain(String(year));
      if (doi !== undefined) expect(doi).toMatch(/^10\.\d{4,}\/\S+$/);
    }
  });
});

describe('the proceedings', () => {
  test.each([
    [sigir(2000), '23rd Annual International ACM SIGIR Conference'],
    [sigir(2008), '31st Annual International ACM SIGIR Conference'],
    [sigir(2010), '33rd International ACM SIGIR Conference'],
    [sigir(2019), '42nd International ACM SIGIR Conference'],
    [cikm(2006), '15th ACM International Conference'],
    [cikm(2009), '18th ACM Conference'],
    [wsdm(2009), '2nd ACM International Conference'],
    [wsdm(2011), '4th ACM International Conference'],
  ])('%s', (venue, name) => expect(venue).toMatch(new RegExp(`^Proceedings of the ${name} on `)));
});

describe('bibtex(comparisonEntries(comparison))', () => {
  test('names measures, test, correction and effect size once each', () => {
    const columns = ['nDCG@10', 'DCG', 'P@5'].map((name) => ({ name, aggregate: 'mean' as const }));
    const values = Float64Array.from({ length: 3 * 4 * 3 }, (_, i) => ((i * 7) % 11) / 11);
    const table = new ScoreTable(['a', 'b', 'c'], ['1', '2', '3', '4'], columns, values);
    const text = bibtex(comparisonEntries(compareSystems(table, { test: 'wilcoxon', correction: 'bh' })));
    expect(Array.from(text.matchAll(/^@\w+\{(\w+),$/gm), ([, key]) => key)).toEqual([
      'jarvelin2002cumulated',
      'burges2005learning',
      'manning2008introduction',
      'wilcoxon1945individual',
      'benjamini1995controlling',
      'cohen1988statistical',
    ]);
    expect(text).toContain('  doi = {10.2307/3001968},\n');
    expect(text.split('{').length).toBe(text.split('}').length);
  });
});
