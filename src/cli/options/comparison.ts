import type { Problem } from '../../core/index.js';
import { comparisonSettings, testSettings } from '../../experiment/index.js';
import { type CompareOptions, isJointTest } from '../../stats/index.js';
import type { ArgumentsOf } from '../parse/command.js';
import { type OptionFor, optionsFor, settingsFrom } from './settings.js';

/** Options of commands that compare all systems, or all with one. */
export const comparisonOptions: readonly OptionFor<typeof comparisonSettings>[] = optionsFor(comparisonSettings);

/** Reads the options that say how systems are compared. */
export function comparisonFrom(args: ArgumentsOf<typeof comparisonOptions>): Pick<CompareOptions, keyof typeof comparisonSettings> {
  return settingsFrom(args, comparisonSettings);
}

/** Reads the options that say how a difference is tested. */
export function testFrom(args: ArgumentsOf<readonly OptionFor<typeof testSettings>[]>): Pick<CompareOptions, keyof typeof testSettings> {
  return settingsFrom(args, testSettings);
}

/** What is wrong with the options of a comparison taken together. */
export function comparisonProblems(args: ArgumentsOf<readonly OptionFor<typeof testSettings>[]>): Problem[] {
  const test = args.value('test');
  if (test === undefined || !isJointTest(test) || !args.has('correction') || args.value('correction') === 'none') return [];
  return [
    {
      message: `--correction ${args.value('correction')} with --test ${test}, whose p-values hold for all pairs together already`,
      wayOut: 'leave --correction out',
    },
  ];
}
