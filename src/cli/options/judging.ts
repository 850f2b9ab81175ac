import {
  type JudgingSettings,
  judgingSettings,
  planOf,
  type ReadingSettings,
  readingSettings,
  scoringSettings,
} from '../../experiment/index.js';
import type { ColumnSettings } from '../../formats/index.js';
import type { Measure } from '../../measures/index.js';
import type { ArgumentsOf } from '../parse/command.js';
import { type OptionFor, optionsFor, settingsFrom } from './settings.js';

type JudgingOption<Name extends keyof typeof judgingSettings> = OptionFor<typeof judgingSettings, Name>;
type ReadingOption<Name extends keyof typeof readingSettings> = OptionFor<typeof readingSettings, Name>;
type ScoringOption<Name extends keyof typeof scoringSettings> = OptionFor<typeof scoringSettings, Name>;

/** The options `--rel` and `--convention`, for commands that score. */
export const ruleOptions: readonly JudgingOption<'rel' | 'convention'>[] = optionsFor(judgingSettings, 'rel', 'convention');

// without a comparison nothing can be refused for its sake
const scoredAlone: typeof judgingSettings = { ...judgingSettings, missing: { ...judgingSettings.missing, choices: ['zero', 'skip'] } };

/** How one ranking is judged, for commands that score and do no more. */
export const rankingOptions: readonly JudgingOption<'rel' | 'depth' | 'judgedOnly' | 'ties' | 'missing' | 'convention'>[] = optionsFor(
  scoredAlone,
  ...(['rel', 'depth', 'judgedOnly', 'ties', 'missing', 'convention'] as const),
);

/** The option `--lenient`, for commands that read lines. */
export const lenientOptions: readonly ReadingOption<'lenient'>[] = optionsFor(readingSettings, 'lenient');

const choiceNames = ['run', 'subset', 'judges', 'topic'] as const;
const columnNames = ['columns', 'judgementColumns', 'runColumns', 'grades', ...choiceNames] as const;

/** For commands that read both, whose columns may have different names. */
export const columnOptions: readonly ReadingOption<keyof ColumnSettings>[] = optionsFor(readingSettings, ...columnNames);

/** The option of all commands that work on several threads. */
export const threadsOptions: readonly ScoringOption<'threads'>[] = optionsFor(scoringSettings, 'threads');

/** What runs are to be called. */
export const nameOptions: readonly ScoringOption<'names'>[] = optionsFor(scoringSettings, 'names');

/** The option `-m`.
 *  @param defaultText What is computed if it is not given. */
export function measureOption(defaultText: string): JudgingOption<'measures'> {
  return { ...judgingSettings.measures, long: 'measure', defaultText };
}

/** What becomes of topics without an answer.
 *  @param defaultText What holds if it is not given. */
export function missingOption(defaultText: string, help: string = judgingSettings.missing.help): JudgingOption<'missing'> {
  return { ...judgingSettings.missing, long: 'missing', help, defaultText };
}

/** The arguments that say by what and by whose rules rankings are judged. */
export type JudgingArguments = ArgumentsOf<readonly JudgingOption<'rel' | 'convention' | 'measures'>[]>;

/** How rankings are judged, as far as the arguments say. */
export function judgingFrom(args: JudgingArguments): JudgingSettings {
  return settingsFrom(args, judgingSettings, 'convention', 'measures', 'rel');
}

/** How files are read, as far as the arguments say. */
export function readingFrom(args: ArgumentsOf<readonly ReadingOption<'lenient' | keyof ColumnSettings>[]>): ReadingSettings {
  return settingsFrom(args, readingSettings, 'lenient', ...columnNames);
}

/** What the options say about columns. */
export function columnsFrom(args: ArgumentsOf<typeof columnOptions>): ColumnSettings {
  return settingsFrom(args, readingSettings, ...columnNames);
}

/** The measures that were asked for, with the defaults that the convention and its options give them. */
export function askedMeasures(settings: JudgingSettings, otherwise: readonly string[]): readonly Measure[] {
  return planOf(settings, { otherwise }).measures;
}
