import { limits } from '../../core/limits.js';
import type { PowerOptions } from '../../meta/index.js';
import type { InformednessRequest, StabilityRequest } from '../meta.js';
import { conventionList } from './judging.js';
import type { NumberSetting, SettingsOf } from './setting.js';

const seed: NumberSetting = { type: 'integer', value: 'N', min: 0, max: limits.seed, default: 1, help: 'the random seed' };
const draws: Omit<NumberSetting, 'help'> = { type: 'integer', short: 'B', value: 'N', min: 1, max: 10_000_000 };

/** Which measure tells most systems apart. */
export const powerSettings: SettingsOf<
  Pick<PowerOptions, 'resamples' | 'alpha' | 'top' | 'seed'> & { readonly test: PowerOptions['method'] }
> = {
  test: {
    value: 'TEST',
    choices: ['bootstrap', 'tukey'],
    default: 'bootstrap',
    help: 'how pairs are tested',
  },
  resamples: { ...draws, help: 'samples of the topics', defaultText: '1000, or 10000 for tukey' },
  alpha: {
    type: 'number',
    value: 'LEVEL',
    min: 0,
    max: 1,
    exclusive: true,
    default: 0.05,
    help: 'the significance level below which a pair counts as different',
  },
  top: { type: 'integer', value: 'N', min: 2, help: 'only the best N systems by each measure' },
  seed,
};

/** How stable the order of systems is. */
export const stabilitySettings: SettingsOf<
  Pick<StabilityRequest, 'pool' | 'conventions' | 'seed'> & { readonly resamples: number; readonly groups: string }
> = {
  resamples: { ...draws, default: 1000, help: 'divisions of the topics' },
  pool: {
    type: 'integer',
    value: 'DEPTH',
    min: 1,
    help: 'also with judgements pooled to this depth only, and with each run left out of the pool',
  },
  groups: {
    value: 'FILE',
    file: 'input',
    help: 'with --pool: which group each run belongs to, run and team or group in each line; groups are then left out, not single runs',
  },
  conventions: { ...conventionList, help: 'conventions to compare, separated by commas' },
  seed,
};

/** What the value of a measure tells about the ranking. */
export const informativenessSettings: SettingsOf<Pick<InformednessRequest, 'depth' | 'minPerGrade' | 'sweep'>> = {
  depth: { type: 'integer', value: 'N', min: 1, default: 1000, help: 'lists are cut here' },
  minPerGrade: { type: 'integer', value: 'N', min: 1, default: 5, help: 'lists with fewer documents of some grade are left out' },
  sweep: { help: 'graded average precision with the share of users at grade 1 from 0 to 1' },
};
