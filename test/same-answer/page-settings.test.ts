import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { comparisonSettings, judgingSettings, type Setting, settingLabels } from '../../src/experiment/index.js';

const page = (path: string): string => new URL(`../../web/src/${path}`, import.meta.url).pathname;
// the sources of the page are checked with the settings of their own workspace
const { addressOf, readAddress } = await import(page('address.ts'));
const { defaultSettings } = await import(page('engine/protocol.ts'));
const { firstView } = await import(page('views.ts'));

const settings: Readonly<Record<string, Setting>> = { ...judgingSettings, ...comparisonSettings };

/** Everything that the page can set, by the declarations of the settings. */
const values: [name: string, value: unknown][] = [
  ...['convention', 'ties', 'missing', 'test', 'correction'].flatMap((name) =>
    (settings[name].choices ?? []).map((value): [string, unknown] => [name, value]),
  ),
  ...[0, 0.5, 2].map((value): [string, unknown] => ['rel', value]),
  ...[1, 1000].map((value): [string, unknown] => ['depth', value]),
  ...[0.1, 0.05, 0.01, 0.001].map((value): [string, unknown] => ['alpha', value]),
  ...[0, 1, 7].map((value): [string, unknown] => ['seed', value]),
  ['judgedOnly', true],
  ['measures', "AP(rel=2) nDCG(gain='exp')@10"],
].filter(([name, value]) => !(name === 'missing' && value === 'error')) as [string, unknown][];

describe('what the page can set', () => {
  test('is there at all, every name that an address can have', () => {
    expect(new Set(values.map(([name]) => name))).toEqual(new Set(Object.keys(defaultSettings).filter((name) => name !== 'baseline')));
  });

  test.each(values)('%s=%s survives the address', (name, value) => {
    const chosen = { settings: { ...defaultSettings, [name]: value }, view: firstView, words: {} };
    expect(readAddress(addressOf(chosen))).toEqual({ ...chosen, unknown: [] });
  });

  test('what is no value of a setting is left as it is by default', () => {
    expect(readAddress('#ties=alphabet&missing=error&depth=0&alpha=1&seed=-1').settings).toEqual(defaultSettings);
  });

  test.each(Object.entries(settingLabels))('%s is called %s where it is declared and on the page', (name, label) => {
    expect(settings[name].label).toBe(label);
    const sources = ['SettingsPanel', 'CompareView', 'MeasurePicker'].map((part) =>
      readFileSync(page(`components/${part}.svelte`), 'utf8'),
    );
    expect(sources.filter((source) => source.includes(`{settingLabels.${name}}`))).toHaveLength(1);
    // no panel has words of its own beside them
    for (const source of sources) expect(source).not.toMatch(new RegExp(`<label[^>]*>\\s*${label}\\s*<`));
  });
});
