import { expect, test } from 'vitest';
import { friedmanTest } from './friedman.js';

test('Friedman’s test and the F statistic of Iman and Davenport agree with scipy', () => {
  const systems = [
    [0.1, 0.5, 0.3, 0.9, 0.7, 0.2, 0.4, 0.6],
    [0.2, 0.4, 0.1, 0.5, 0.6, 0.25, 0.1, 0.8],
    [0.9, 0.55, 0.8, 0.7, 0.9, 0.6, 0.45, 0.7],
  ];
  // scipy.stats.friedmanchisquare, and scipy.stats.f.sf(F, 2, 14) with F = 7 chi2 / (16 − chi2)
  const found = friedmanTest({ systems });
  expect(found.statistic).toBeCloseTo(7, 12);
  expect(found.pValue).toBeCloseTo(0.0301973834223185, 13);
  expect(found.imanDavenport.statistic).toBeCloseTo(5.444444444444445, 12);
  expect(found.imanDavenport.pValue).toBeCloseTo(0.017817948013544086, 13);
  expect(found.degreesOfFreedom).toBe(2);
  // best first: ranks 3 2 2 1 2 3 2 3, 2 3 3 3 3 2 3 1, 1 1 1 2 1 1 1 2
  expect([...found.meanRanks]).toEqual([18 / 8, 20 / 8, 10 / 8]);
});
