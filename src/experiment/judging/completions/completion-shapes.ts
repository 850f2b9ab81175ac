import { isGainTable } from '../../../core/params.js';
import type { Measure } from '../../../measures/measure.js';

/** Which completions of missing judgements can give a measure its extreme values. For all measures of rankings, a better document that
 *  changes places with a worse one above it never makes the value worse: of all ways to give the same grades to the open documents of a
 *  ranking, best first and best last are the extremes (*exchange*). */
export interface CompletionShape {
  /** Of the open documents in the ranking: *monotone* where raising all grades is extreme too, so that none but the lowest and the highest
   *  grade are tried. */
  readonly inside: 'monotone' | 'exchange';
  /** Of the open documents that the measure does not see in the ranking. */
  readonly outside: 'monotone' | 'exchange';
  /** *relevance*: the lowest and the highest grade are enough. */
  readonly levels: 'relevance' | 'grades';
  /** The value is a sum over the documents of the ranking. */
  readonly isSum?: true;
  /** A ranking over the ideal one, each of which grows with its grades. */
  readonly isRatio?: true;
}

const monotone: CompletionShape = { inside: 'monotone', outside: 'monotone', levels: 'relevance' };
const sum: CompletionShape = { ...monotone, isSum: true };
const averagePrecision: CompletionShape = { inside: 'exchange', outside: 'monotone', levels: 'relevance' };
/** The number of relevant documents decides how far down the ranking counts. */
const relevanceDepth: CompletionShape = { inside: 'exchange', outside: 'exchange', levels: 'relevance' };
const gradedRatio: CompletionShape = { inside: 'exchange', outside: 'monotone', levels: 'grades', isRatio: true };
const graded: CompletionShape = { inside: 'exchange', outside: 'monotone', levels: 'grades' };
/** Holds for every measure, at the price of many completions to try. */
const any: CompletionShape = { inside: 'exchange', outside: 'exchange', levels: 'grades' };

/** Measures by their shapes; a test counts through all completions of small rankings for every measure of the registry. */
const named: readonly (readonly [shape: CompletionShape, names: string])[] = [
  [
    sum,
    'NumQ NumRet NumRelRet NumNonRelJudgedRet Grade P CG DCG RBP RBPResidual INSQ SDCG UMeasure Judged Unjudged SetP Satisfaction Frustration Utility',
  ],
  [monotone, 'NumRel Best R F Success RelP RR FirstRel ESL IDCG GradedR ERR INST BPM NERR8 NERR9 NERR10 NERR11 IFT TBG'],
  [monotone, 'SetR SetF SetAP SetRelP SetAccuracy Fallout'],
  [averagePrecision, 'AP IPrec IAP YAAP BinG AverageRecall infAP'],
  [relevanceDepth, 'Rprec RprecMult Accuracy Bpref'],
  [gradedRatio, 'nDCG MeanNDCG nERR Q NCU'],
  [graded, 'G GAP GradedP GradedIPrec OMeasure PMeasure PPlus'],
];

const shapes: ReadonlyMap<string, CompletionShape> = new Map(
  named.flatMap(([shape, names]) => names.split(' ').map((name) => [name, shape])),
);

/** The shape of a measure; undefined where gains do not grow with grades, so that nothing is known of it. */
export function completionShapeOf({ def, params }: Measure): CompletionShape | undefined {
  const isTurned = Object.values(params).some(
    (value) => isGainTable(value) && [...value].sort(([a], [b]) => a - b).some(([, gain], i, all) => i > 0 && gain < all[i - 1][1]),
  );
  return isTurned ? undefined : (shapes.get(def.name) ?? any);
}
