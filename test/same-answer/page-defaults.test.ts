import { expect, test } from 'vitest';
import { comparisonSettings, defaultMeasures, judgingSettings } from '../../src/experiment/index.js';

test('the page begins with the defaults of the settings', async () => {
  // its sources are checked with the settings of their own workspace
  const protocol = new URL('../../web/src/engine/protocol.ts', import.meta.url).pathname;
  const { defaultSettings } = await import(protocol);
  const { test: significance, correction, alpha, seed } = comparisonSettings;
  expect(defaultSettings).toEqual({
    measures: defaultMeasures.join(' '),
    convention: judgingSettings.convention.default,
    test: significance.default,
    correction: correction.default,
    alpha: alpha.default,
    seed: seed.default,
    // what is left open is as the convention has it
    ties: '',
    rel: null,
    depth: null,
    judgedOnly: false,
    missing: '',
    baseline: '',
  });
});
