/** What the page shows, in the part of the address that browsers never send: `#/topics?a=1&b=3&measures=AP`. Names of systems and topics
 *  are data and stay out: they go by their places. Only what is not as usual is written. */
import { tieRules } from 'gradus/core';
import { MISSING_POLICIES } from 'gradus/stats';
import { defaultSettings, type Settings } from './engine/protocol.js';
import { firstView, type ViewRecord, viewNamed, views } from './views.js';

export interface Address {
  readonly settings: Settings;
  readonly view: ViewRecord;
  /** The view's own words. */
  readonly words: Readonly<Record<string, string>>;
  /** Words that say nothing here. */
  readonly unknown: readonly string[];
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

export function addressOf({ settings, view, words }: Omit<Address, 'unknown'>): string {
  const written = new URLSearchParams();
  for (const name of view.words) if (words[name] !== undefined) written.set(name, words[name]);
  for (const name of shared) if (settings[name] !== defaultSettings[name]) written.set(name, String(settings[name]));
  const text = written.toString().replaceAll('%2C', ',').replaceAll('%40', '@');
  if (view === firstView && text === '') return '';
  return `#/${view.id}${text === '' ? '' : `?${text}`}`;
}

/** Reads what somebody sent; what makes no sense is left as it is by default. */
export function readAddress(fragment: string): Address {
  const [, path, query] = /^#?(?:\/([^?]*)\??)?(.*)$/s.exec(fragment) ?? [];
  const given = new URLSearchParams(query);
  const former = given.get('view');
  const view = path === undefined ? (views.find(({ formerly }) => formerly === former) ?? firstView) : viewNamed(path);
  const settings: Record<string, unknown> = { ...defaultSettings };
  const words: Record<string, string> = {};
  const unknown: string[] = path === undefined || view.id === path || path === '' ? [] : [path];
  for (const [name, word] of given) {
    const setting = shared.find((one) => one === name);
    if (setting !== undefined) settings[setting] = settingOf(setting, word);
    else if (view.words.includes(name)) words[name] = word.slice(0, 1000);
    else if (name !== 'view') unknown.push(name);
  }
  return { settings: checked(settings), view, words, unknown };
}

function settingOf(name: Shared, word: string): unknown {
  const usual = defaultSettings[name];
  if (typeof usual === 'boolean') return word === 'true';
  if (typeof usual !== 'number' && usual !== null) return word.slice(0, 1000);
  const number = Number(word);
  return word !== '' && Number.isFinite(number) ? number : usual;
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
