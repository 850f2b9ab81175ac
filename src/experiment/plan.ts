import { type Convention, judgingRulesOf } from '../conventions/convention.js';
import { computes } from '../conventions/measures-of-tools.js';
import { parameterDefaults, readMeasures } from '../conventions/read-measures.js';
import { findConvention, gradusConvention } from '../conventions/registry.js';
import type { JudgingRules, TieRule } from '../core/judging/judging-rules.js';
import { InputError } from '../core/problem.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import type { PlanOptions } from '../measures/plan.js';
import type { MissingPolicy } from '../stats/alignment.js';

/** What a person can say about how rankings are judged. What is left out is as the convention has it. */
export interface JudgingSettings {
  /** Whose rules hold; Gradus' own by default. */
  readonly convention?: string | undefined;
  /** Measures as they are written, several in one text where blanks separate them; or as they were read before, which the convention
   *  does not change any more. */
  readonly measures?: string | readonly (string | Measure)[] | undefined;
  /** The lowest grade that counts as relevant, for measures that do not say so themselves. */
  readonly rel?: number | undefined;
  /** Single rules in the place of those of the convention, for programs that need one which has no name of its own here. */
  readonly rules?: Partial<JudgingRules> | undefined;
  /** What becomes of equal scores. */
  readonly ties?: TieRule | undefined;
  /** Look only at so many documents of each ranking. */
  readonly depth?: number | undefined;
  /** Take documents without a judgement out of the rankings first. */
  readonly judgedOnly?: boolean | undefined;
  /** What becomes of a judged topic that a run does not answer: it counts as an empty ranking (*zero*), is left out (*skip*), or the
   *  comparison is refused (*error*). */
  readonly missing?: MissingPolicy | undefined;
}

/** What the settings come to. */
export interface Plan {
  readonly convention: Convention;
  readonly measures: readonly Measure[];
  readonly rules: Partial<JudgingRules>;
  readonly planOptions?: PlanOptions | undefined;
  /** What becomes of topics that a run does not answer, as a part of a sentence. */
  readonly fateOfMissing: string;
}

/** What is computed if no measure is asked for: the top of the ranking with grades, the whole ranking, the first answer,
 *  and how far the numbers can be trusted. */
export const defaultMeasures: readonly string[] = ['nDCG@10', 'AP', 'RR', 'P@10', 'R@100', 'Judged@10'];

/** In which way a command departs from the usual plan. */
export interface PlanManner {
  /** What is computed if no measure is asked for; of these what the convention has. */
  readonly otherwise?: readonly string[] | undefined;
  /** What becomes of topics that the rule *skip* leaves out. */
  readonly skippedWords?: string | undefined;
}

/** Reads the settings. This is the only place that knows what a convention means for measures, topics and ties. */
export function planOf(settings: JudgingSettings, { otherwise = defaultMeasures, skippedWords }: PlanManner = {}): Plan {
  const convention = conventionOf(settings);
  const rules: { -readonly [K in keyof JudgingRules]?: JudgingRules[K] } = { ...judgingRulesOf(convention.rules), ...settings.rules };
  const { ties, depth, judgedOnly, missing } = settings;
  if (depth !== undefined) rules.depth = depth;
  if (judgedOnly === true) rules.judgedOnly = true;
  if (ties !== undefined) rules.ties = ties;
  if (missing === 'zero') rules.missingTopics = convention.missingTopicsOfAll;
  // a topic that is to be refused is left out here, for the comparison to find
  else if (missing !== undefined) rules.missingTopics = 'skip';
  return {
    convention,
    measures: measuresUnder(convention, settings, otherwise),
    rules,
    planOptions: convention.planOptions,
    fateOfMissing: fateOf(missing, rules, skippedWords),
  };
}

function fateOf(missing: MissingPolicy | undefined, rules: Partial<JudgingRules>, skippedWords = 'left out of the averages'): string {
  if (missing === 'error') return 'which is refused';
  return rules.missingTopics === 'skip' ? skippedWords : 'counted as empty rankings';
}

/** The convention that the settings name. */
export function conventionOf({ convention = gradusConvention.name }: Pick<JudgingSettings, 'convention'>): Convention {
  return findConvention(convention);
}

/** The measures that were asked for, as the convention computes them; if none were, those of `otherwise` that it has. */
function measuresUnder(convention: Convention, { measures = [], rel }: JudgingSettings, otherwise: readonly string[]): Measure[] {
  const asked = typeof measures === 'string' ? [measures] : measures;
  const defaults = parameterDefaults(convention, rel);
  if (asked.some((measure) => typeof measure !== 'string')) {
    const read = asked.flatMap((measure) => (typeof measure === 'string' ? readMeasures([measure], defaults) : [measure]));
    return [...new Map(read.map((measure) => [measure.text, measure])).values()];
  }
  const computed = otherwise.filter((text) => computes(convention, parseMeasure(text)));
  return readMeasures(asked.length > 0 ? (asked as readonly string[]) : computed.length > 0 ? computed : otherwise, defaults);
}

/** Measures by our own rules, whoever's spelling they have: a text that only ranx reads is read as ranx does. */
export function readMeasuresOfAll(texts: readonly string[]): Measure[] {
  try {
    return readMeasures(texts);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    try {
      return readMeasures(
        texts,
        Object.assign(() => ({}), { names: 'ranx' } as const),
      );
    } catch {
      throw error;
    }
  }
}
