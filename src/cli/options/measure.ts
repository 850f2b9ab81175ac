import { type JudgingSettings, planOf, readMeasuresOfAll } from '../../experiment/index.js';
import type { Measure } from '../../measures/index.js';
import type { ListOption } from '../parse/command.js';

/** The option `-m`, with what is computed if it is not given. */
export function measureOption(otherwise: string): ListOption<'measure'> {
  return {
    long: 'measure',
    short: 'm',
    value: 'MEASURE',
    repeatable: true,
    help: `a measure, or several separated by blanks; ${otherwise} if not given`,
    complete: 'measure',
    check: checkMeasure,
  };
}

/** Refuses what no convention reads as a measure. */
export function checkMeasure(text: string): void {
  readMeasuresOfAll([text]);
}

/** The measures that were asked for, with the defaults that the convention and its options give them. */
export function askedMeasures(settings: JudgingSettings, otherwise: readonly string[]): readonly Measure[] {
  return planOf(settings, { otherwise }).measures;
}
