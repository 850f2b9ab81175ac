/** Settings in the part of the address that browsers never send: what was chosen, and nothing of the data. */
import { tieRules } from 'gradus/core';
import { MISSING_POLICIES } from 'gradus/stats';
import { defaultSettings, type Settings } from './engine/protocol.js';

export const views = ['scores', 'compare', 'topic', 'explain', 'checks', 'export'] as const;
export type View = (typeof views)[number];

export interface Address {
  readonly settings: Settings;
  readonly view: View;
}

/** Names of systems are data, so the baseline stays out. */
type Shared = Exclude<keyof Settings, 'baseline'>;

const shared: readonly Shared[] = [
  'measures',
  'convention',
  'ties',
  'rel',
  'depth',
  'judgedOnly',
  'missing',
  'test',
  'correction',
  'alpha',
  'seed',
];

export function addressOf({ settings, view }: Address): string {
  const words = new URLSearchParams();
  if (view !== 'scores') words.set('view', view);
  for (const name of shared) if (settings[name] !== defaultSettings[name]) words.set(name, String(settings[name]));
  const text = words.toString();
  return text === '' ? '' : `#${text}`;
}

/** Reads what somebody sent; what makes no sense is left as it is by default. */
export function readAddress(fragment: string): Address {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const name of shared) {
    const word = words.get(name);
    if (word === null) continue;
    const usual = defaultSettings[name];
    if (typeof usual === 'boolean') settings[name] = word === 'true';
    else if (typeof usual === 'number' || usual === null) {
      const number = Number(word);
      if (word !== '' && Number.isFinite(number)) settings[name] = number;
    } else settings[name] = word.slice(0, 1000);
  }
  const view = views.find((one) => one === words.get('view')) ?? 'scores';
  return { settings: checked(settings), view };
}

function checked(settings: Record<string, unknown>): Settings {
  const one = <T>(name: Shared, holds: (value: unknown) => boolean): T =>
    (holds(settings[name]) ? settings[name] : defaultSettings[name]) as T;
  /** Nothing, which is as the convention has it, or one of these words. */
  const word =
    (words: readonly string[]) =>
    (value: unknown): boolean =>
      value === '' || words.includes(value as string);
  const whole = (value: unknown): boolean => value === null || (Number.isInteger(value) && (value as number) >= 1);
  return {
    measures: one('measures', (value) => typeof value === 'string' && value.trim() !== ''),
    convention: one('convention', (value) => typeof value === 'string'),
    ties: one('ties', word(tieRules)),
    rel: one('rel', (value) => value === null || typeof value === 'number'),
    depth: one('depth', whole),
    judgedOnly: one('judgedOnly', (value) => typeof value === 'boolean'),
    missing: one('missing', word(MISSING_POLICIES.filter((policy) => policy !== 'error'))),
    test: one('test', (value) => typeof value === 'string'),
    correction: one('correction', (value) => typeof value === 'string'),
    alpha: one('alpha', (value) => typeof value === 'number' && value > 0 && value < 1),
    seed: one('seed', (value) => Number.isInteger(value) && (value as number) >= 0),
    baseline: '',
  };
}
