import { limits } from '../../core/limits.js';
import { interleavingMethods } from '../../stats/clicks/interleaving.js';
import type { InterleavingRequest } from '../interleave.js';
import type { SettingsOf } from './setting.js';

/** How two rankings are interleaved. */
export const interleavingSettings: SettingsOf<Required<InterleavingRequest>> = {
  method: {
    value: 'HOW',
    choices: interleavingMethods,
    choiceTexts: {
      'team-draft': 'whoever has fewer picks takes its best unused document',
      balanced: 'both take turns',
      probabilistic: 'documents are drawn, the first ranks most often',
    },
    default: 'team-draft',
    help: 'how the rankings are mixed',
  },
  length: { type: 'integer', value: 'N', min: 1, max: 1000, default: 10, help: 'documents of a list at most' },
  seed: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: limits.seed,
    default: 1,
    help: 'where random draws start; each topic has draws of its own',
  },
};
