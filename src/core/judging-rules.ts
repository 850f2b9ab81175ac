import type { TieOrder } from './order.js';

/** The rules by which a ranking meets its judgements. */
export interface JudgingRules {
  /** How equal scores are ordered. */
  readonly ties: TieOrder;
  /** Only this many documents of each ranking are looked at. */
  readonly depth: number;
  /** Documents without a judgement are taken out of the ranking, and those below move up. */
  readonly judgedOnly: boolean;
  /** Scores are rounded to 32 bits before they are compared, as older tools did; this makes ties. */
  readonly scorePrecision: 'double' | 'float32';
  /** A judged topic that the run does not answer is left out (*skip*), counts as an empty ranking (*empty*), or as a
   *  ranking of one document that nobody judged (*placeholder*). */
  readonly missingTopics: 'skip' | 'empty' | 'placeholder';
  /** Judge once per group of judgements (the second column of the judgements) instead of once per topic. */
  readonly byGroup: boolean;
}

export const defaultRules: JudgingRules = {
  ties: 'docno',
  depth: Infinity,
  judgedOnly: false,
  scorePrecision: 'double',
  missingTopics: 'empty',
  byGroup: false,
};
