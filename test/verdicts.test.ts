import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
// @ts-expect-error a script without types
import * as machinery from '../reproductions/src/verdicts.mjs';

const { compared, decide, holmFamily, jointRules, lettersOf, partRules, registry, rules, rulesHash } = machinery;

/** Made-up differences around a mean: the same ones every time. */
function around(mean: number, spread: number, n = 200): number[] {
  return Array.from({ length: n }, (_, i) => mean + spread * (((i * 7919) % n) / (n - 1) - 0.5) * 2);
}

const quick = { flips: 2000, samples: 1000 };
const part = (mean: number, spread: number): object => holmFamily([compared(around(mean, spread), quick)])[0];

describe('the registry', () => {
  test('has 51 claims, each once, with all that was fixed beforehand', () => {
    const ids = registry.claims.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(51);
    expect(new Set(ids).size).toBe(51);
    for (const claim of registry.claims)
      for (const field of ['proposition', 'kind', 'data', 'settings', 'seeds', 'statistic', 'sesoi', 'test', 'rule', 'power', 'threats'])
        expect(claim[field], `${claim.id} ${field}`).toMatch(/./);
  });

  test('gives every claim a rule, and nothing else a verdict', () => {
    expect(Object.keys(rules).toSorted()).toEqual(registry.claims.map(({ id }: { id: string }) => id).toSorted());
    expect(() => decide('A19', {})).toThrow('A19 is not in the registry: exploratory, no verdict');
  });

  test('its rules and the script that follows them are those whose hash was written down', () => {
    const [written] = readFileSync('reproductions/verdicts.sha256', 'utf8').split(' ');
    expect(rulesHash(), 'a change after numbers are known is a deviation: say so on the page').toBe(written);
  });

  test('claims by construction are called so, and a deviation is a defect', () => {
    for (const { id, kind } of registry.claims) {
      if (kind === 'by construction') {
        expect(decide(id, {}).verdict).toMatch(/^by construction: /);
        expect(decide(id, { deviations: 1 }).verdict).toBe('a defect of the product');
      } else if (kind === 'not testable') expect(decide(id, {}).verdict).toBe('not testable here');
    }
  });
});

describe('one part', () => {
  // differences within ±spread, 200 of them: standard error about 0.04 spread
  test.each([
    ['supported', part(0.02, 0.05)],
    ['contradicted', part(-0.02, 0.05)],
    ['equivalent', part(0.001, 0.02)],
    ['inconclusive with this data', part(0.004, 0.2)],
    ['not testable here', { ...part(0.02, 0.05), check: false }],
  ])('std: %s', (verdict, numbers) => {
    expect(partRules.std(numbers, 0.005)).toBe(verdict);
  });

  test('std: a difference that is significant and too small to matter is equivalent', () => {
    const small = part(0.002, 0.01);
    expect(small).toMatchObject({ pHolm: expect.any(Number) });
    expect((small as { pHolm: number }).pHolm).toBeLessThan(0.05);
    expect(partRules.std(small, 0.005)).toBe('equivalent');
  });

  test('std: tests that disagree about 0.05 decide nothing', () => {
    expect(partRules.std({ ...part(0.02, 0.05), pRandomisation: 0.06 }, 0.005)).toBe('inconclusive with this data');
    expect(partRules.std({ ...part(0.02, 0.05), bootstrap95: [-0.001, 0.04] }, 0.005)).toBe('inconclusive with this data');
  });

  test('undirected: any difference supports it', () => {
    expect(partRules.undirected(part(-0.02, 0.05), 0.005)).toBe('supported');
  });

  test.each([
    ['supported', part(0, 0.02)],
    ['supported', part(0.02, 0.05)],
    ['contradicted', part(-0.02, 0.05)],
    ['inconclusive with this data', part(-0.002, 0.2)],
  ])('notInferior: %s', (verdict, numbers) => {
    expect(partRules.notInferior(numbers, 0.005)).toBe(verdict);
  });

  test.each([
    ['supported', part(0.001, 0.02)],
    ['contradicted', part(0.02, 0.05)],
    ['inconclusive with this data', part(0.005, 0.05)],
  ])('same: %s', (verdict, numbers) => {
    expect(partRules.same(numbers, 0.005)).toBe(verdict);
    expect(partRules.sameByInterval(numbers, 0.005)).toBe(verdict);
  });

  test('bounds, thresholds and exact numbers', () => {
    expect([1.1, 0.9, 0.2].map((low) => partRules.above({ low, high: low + 0.5 }, 1))).toEqual([
      'supported',
      'inconclusive with this data',
      'contradicted',
    ]);
    expect(decide('N5', { parts: [{ part: 'all', low: 0.95, high: 0.99 }] }).verdict).toBe('supported');
    expect(decide('N4', { parts: [{ part: 'all', low: -0.1, high: 0.02 }] }).verdict).toBe('inconclusive with this data');
    expect([0.03, 0.07, 0.11].map((distance) => partRules.near({ distance }, 0.05, { far: 0.1 }))).toEqual([
      'supported',
      'inconclusive with this data',
      'contradicted',
    ]);
    expect(
      [
        [0.3, 0.2],
        [0.3, 0.1],
        [0.09, 0.05],
      ].map((values) => partRules.atLeast({ values }, 0.2, { below: 0.1 })),
    ).toEqual(['supported', 'inconclusive with this data', 'contradicted']);
    expect([1e-13, 1e-3].map((deviation) => partRules.exact({ deviation }, 1e-12))).toEqual(['supported', 'contradicted']);
    expect(
      [
        [0.001, 0.01],
        [-0.004, 0.004],
        [-0.01, 0.01],
        [-0.02, -0.01],
      ].map(([low, high]) => partRules.best({ low, high }, 0.005)),
    ).toEqual(['supported', 'equivalent', 'inconclusive with this data', 'contradicted']);
  });
});

describe('several parts', () => {
  const [s, c, e, i, n] = ['supported', 'contradicted', 'equivalent', 'inconclusive with this data', 'not testable here'];
  test.each([
    ['all', [s, s, s], s],
    ['all', [s, c, i], i],
    ['all', [e, i, i], c],
    ['all', [c, i], c],
    ['all', [n, n], n],
    ['all', [n, i], i],
    ['every', [s, c], c],
    ['every', [n], n],
    ['any', [n, n], n],
    ['every', [e, e], e],
    ['any', [i, s], s],
    ['any', [e, e], c],
    ['any', [e, i], i],
    ['threeOfFour', [s, s, s, c], s],
    ['threeOfFour', [s, s, c, c], c],
    ['threeOfFour', [s, s, i, c], i],
    ['oneAndNoneAgainst', [s, i], s],
    ['oneAndNoneAgainst', [s, c], i],
  ])('%s of %j is %s', (rule, list, verdict) => {
    expect(jointRules[rule](list)).toBe(verdict);
  });

  test('G11: consistently best needs all twelve ahead and seven significant', () => {
    const cells = (ahead: number, significant: number): object[] =>
      Array.from({ length: 12 }, (_, k) => ({
        ...part(k < ahead ? 0.02 : -0.02, 0.05),
        pHolm: k < significant ? 0.01 : 0.2,
        margin: 0.004,
      }));
    expect(decide('G11', { cells: cells(12, 7) }).verdict).toBe(s);
    expect(decide('G11', { cells: cells(12, 6) }).verdict).toBe(i);
    expect(decide('G11', { cells: cells(11, 11) }).verdict).toBe(i);
    expect(decide('G11', { cells: cells(5, 5) }).verdict).toBe(c);
  });

  test('a comparison with itself is equivalent, never confirmed', () => {
    const itself = holmFamily([{ part: 'CA', ...compared(new Array(50).fill(0), quick) }]);
    expect(decide('A11', { parts: itself }).parts[0].verdict).toBe(e);
  });
});

describe('lettersOf', () => {
  test('gives every arm a letter of its own, the same ones each time', () => {
    const arms = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const letters = lettersOf(arms);
    expect([...letters.values()].toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((letter) => `arm ${letter}`));
    expect([...lettersOf(arms)]).toEqual([...letters]);
    expect([...lettersOf(arms, 1)]).not.toEqual([...letters]);
  });
});
