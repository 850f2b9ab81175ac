import { InputError } from '../../core/problem.js';
import type { CounterfactualRequest } from '../clicks/clicks.js';
import type { SettingsOf } from './setting.js';

/** How logs of clicks are understood. */
export const clickSettings: SettingsOf<Required<CounterfactualRequest>> & { readonly propensities: { readonly repeatable: true } } = {
  method: {
    value: 'HOW',
    choices: ['em', 'harvest'],
    choiceTexts: { em: 'expectation maximisation', harvest: 'documents that were shown at the first rank and at another' },
    default: 'em',
    help: 'how chances of being looked at are estimated',
  },
  propensities: {
    value: 'LIST',
    repeatable: true,
    help: 'the chance that each rank was looked at, separated by commas; the last number is for all ranks below',
    defaultText: 'estimated from the log',
    read: (text) =>
      text.split(',').map((word) => {
        const chance = Number(word);
        if (!(word.trim() !== '' && chance > 0 && chance <= 1))
          throw new InputError(`--propensities: expected numbers above 0 and up to 1, found ${word}`);
        return chance;
      }),
  },
  clip: { type: 'number', value: 'P', min: 0, max: 1, default: 0.05, help: 'chances below this count as this' },
};
