import type { TieOrder } from '../order.js';
import { InputError } from '../problem.js';

/** What becomes of equal scores. */
export type TieRule =
  | TieOrder
  /** by the rank that the input states */
  | 'rank'
  /** as ranx leaves them: by a quicksort that does not keep the order of the input in lists of more than 15 documents */
  | 'quicksort'
  /** highest grade first: the best that any order can give, for measures that never lose when a better document moves up */
  | 'optimistic'
  /** lowest grade first: the worst that any order can give */
  | 'pessimistic'
  /** the mean over all orders */
  | 'expected';

/** The words that `TieRule` allows, the default first. */
export const tieRules: readonly TieRule[] = [
  'docno',
  'docno-ascending',
  'file',
  'rank',
  'quicksort',
  'optimistic',
  'pessimistic',
  'expected',
];

/** The rules by which a ranking meets its judgements. */
export interface JudgingRules {
  /** How equal scores are ordered. */
  readonly ties: TieRule;
  /** Only this many documents of each ranking are looked at. */
  readonly depth: number;
  /** Documents without a judgement are taken out of the ranking, and those below move up. */
  readonly judgedOnly: boolean;
  /** Scores are rounded to 32 bits before they are compared, as older tools did; this makes ties. */
  readonly scorePrecision: 'double' | 'float32';
  /** A document with a negative grade counts as not judged, as trec_eval has it, as judged and not relevant, or with its grade
   *  (*graded*), so that measures which reckon with negative grades can subtract it. */
  readonly negativeGrades: 'unjudged' | 'judged' | 'graded';
  /** Grades are taken as they are (*kept*), cut to whole numbers towards zero (*cut*), or cut only where all judged documents of a topic
   *  are counted or sorted and not in the ranking (*cut-in-ideal*). */
  readonly gradeFractions: 'kept' | 'cut' | 'cut-in-ideal';
  /** A document that a ranking holds twice is refused, or counts at each of its ranks (*ranked*). */
  readonly repeatedDocuments: 'refused' | 'ranked';
  /** A document whose id is that of the topic is ranked as any other, or taken out of the ranking, as a query that finds itself is. */
  readonly ownDocument: 'ranked' | 'dropped';
  /** A judged topic that the run does not answer is left out (*skip*), counts as an empty ranking (*empty*), or as a
   *  ranking of one document that nobody judged (*placeholder*). */
  readonly missingTopics: 'skip' | 'empty' | 'placeholder';
  /** Also find the place of each ranked document in the ideal ranking that breaks equal grades by score. */
  readonly idealByScore: boolean;
  /** Judge once per group of judgements (the second column of the judgements) instead of once per topic. */
  readonly byGroup: boolean;
}

/** The rules that hold where nothing else is said. */
export const defaultRules: JudgingRules = {
  ties: 'docno',
  depth: Infinity,
  judgedOnly: false,
  scorePrecision: 'double',
  negativeGrades: 'unjudged',
  gradeFractions: 'kept',
  repeatedDocuments: 'refused',
  ownDocument: 'ranked',
  missingTopics: 'empty',
  idealByScore: false,
  byGroup: false,
};

/** True if the rule looks at grades, or at all orders, and so needs to know which documents are tied. */
export function needsTieGroups(ties: TieRule): ties is 'optimistic' | 'pessimistic' | 'expected' {
  return ties === 'optimistic' || ties === 'pessimistic' || ties === 'expected';
}

/** The rule as an order of documents by id or place, for judgements that know no other. */
export function tieOrderOnly(ties: TieRule, judgements: string): TieOrder {
  if (ties === 'docno' || ties === 'docno-ascending' || ties === 'file') return ties;
  throw new InputError({
    message: `ties='${ties}' has no meaning for ${judgements}`,
    wayOut: 'order equal scores by docno, docno-ascending or file',
  });
}
