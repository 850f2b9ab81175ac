import type { GainTable } from '../core/params.js';
import { type Measure, withParams } from '../measures/measure.js';
import type { ConventionRules } from './convention.js';

type RuleName = keyof ConventionRules;

/** The rules in words, as headings. */
export const ruleLabels: Readonly<Record<RuleName, string>> = {
  gain: 'gain of a grade',
  discount: 'discount of a rank',
  term: 'order of operations',
  ideal: 'ideal list',
  idealDepth: 'depth of the ideal list',
  empty: 'empty queries',
  short: 'short lists',
  precisionDivisor: 'divisor of precision',
  relevanceFloor: 'lowest relevant grade',
  threshold: 'relevance threshold',
  apDenominator: 'divisor of average precision',
  ties: 'equal scores',
  depth: 'depth',
  topics: 'topics averaged',
  unratedTopics: 'queries without judgements',
  scorePrecision: 'precision of scores',
  recallRounding: 'rounding of recall levels',
  reciprocalPrecision: 'precision of reciprocal ranks',
  negativeGrades: 'negative grades',
  gradeFractions: 'fractions of grades',
  repeatedDocuments: 'documents returned twice',
  ownDocument: 'document with the id of the query',
  formulas: 'formula of the measure',
  unanswered: 'value of unanswered queries',
  topicDecimals: 'decimals of a query',
  lowestValue: 'lowest value of a query',
  arithmetic: 'rounding within the formula',
  printed: 'rounding in print',
};

/** What a reason is about. */
export interface ReasonContext {
  readonly from: ConventionRules;
  readonly to: ConventionRules;
  readonly measure: Measure;
  /** Topics whose share is not zero, and all topics. */
  readonly affected: number;
  readonly numTopics: number;
  /** Topics that nobody has judged. */
  readonly numUnrated: number;
}

/** Why a rule makes the difference it makes, as a clause after "because". */
export function ruleReason(rule: RuleName, context: ReasonContext): string {
  const { from, to, measure, affected, numTopics, numUnrated } = context;
  const queries = `${affected} of ${numTopics} queries`;
  const one = affected === 1;
  const cutoff = measure.params.cutoff;
  switch (rule) {
    case 'gain':
      return `a grade is worth ${gainWords(to.gain)} instead of ${gainWords(from.gain)}`;
    case 'discount':
      return `a gain is divided by ${discountWords[to.discount]} instead of ${discountWords[from.discount]}`;
    case 'term':
      return 'the last bits differ, as operations are done in another order';
    case 'ideal':
      return `the ideal ranking is made of ${idealWords[to.ideal]} instead of ${idealWords[from.ideal]}`;
    case 'idealDepth':
      return `the ideal ranking is cut ${idealDepthWords[to.idealDepth]} instead of ${idealDepthWords[from.idealDepth]}`;
    case 'empty':
      return `${queries} ${one ? 'has' : 'have'} no relevant document and ${one ? 'counts' : 'count'} as ${emptyWords(to, measure)} instead of ${emptyWords(from, measure)}`;
    case 'short':
      return to.short.includes(measure.def.name)
        ? `${queries} would have a value but ${one ? 'holds' : 'hold'} fewer than ${String(cutoff)} documents and ${one ? 'counts' : 'count'} as 0`
        : `${queries} ${one ? 'holds' : 'hold'} fewer than ${String(cutoff)} documents and ${one ? 'counts as it is' : 'count as they are'} instead of 0`;
    case 'precisionDivisor':
      return `precision is divided by ${divisorWords[to.precisionDivisor]} instead of ${divisorWords[from.precisionDivisor]} on ${queries}`;
    case 'relevanceFloor':
      return `a document is relevant ${floorWords(to.relevanceFloor)} instead of ${floorWords(from.relevanceFloor)}`;
    case 'threshold':
      return `the lowest relevant grade is ${thresholdWords[to.threshold]} instead of ${thresholdWords[from.threshold]}`;
    case 'apDenominator':
      return `average precision is divided by ${apWords[to.apDenominator]} instead of ${apWords[from.apDenominator]}`;
    case 'ties':
      return `equal scores are ordered ${tieWords[to.ties] ?? to.ties} instead of ${(tieWords[from.ties] ?? from.ties).replace(/,$/, '')}, which moves ${queries}`;
    case 'depth':
      return `${Number.isFinite(to.depth) ? `only ${to.depth} documents` : 'all documents'} of a ranking are looked at instead of ${Number.isFinite(from.depth) ? from.depth : 'all'}`;
    case 'topics':
      return `judged queries that the run does not answer ${topicWords[to.topics]} instead of being ${topicWordsBefore[from.topics]}`;
    case 'unratedTopics': {
      const queriesWithout = `${numUnrated} ${numUnrated === 1 ? 'query' : 'queries'} without judgements`;
      return to.unratedTopics === 'count'
        ? `${queriesWithout} ${numUnrated === 1 ? 'counts' : 'count'} instead of being left out`
        : `${queriesWithout} ${numUnrated === 1 ? 'is' : 'are'} left out instead of being counted`;
    }
    case 'scorePrecision':
      return `scores are compared as ${to.scorePrecision === 'float32' ? '32' : '64'}-bit numbers, which ${to.scorePrecision === 'float32' ? 'makes' : 'undoes'} ties on ${queries}`;
    case 'recallRounding':
      return `a recall level becomes ${recallWords[to.recallRounding]} instead of ${recallWords[from.recallRounding]}`;
    case 'reciprocalPrecision':
      return `reciprocal ranks are ${to.reciprocalPrecision === 'float32' ? '32' : '64'}-bit numbers`;
    case 'negativeGrades':
      return `documents with a negative grade count ${negativeWords[to.negativeGrades]} instead of ${negativeWords[from.negativeGrades]} on ${queries}`;
    case 'gradeFractions':
      return `grades are ${fractionWords[to.gradeFractions]} instead of ${fractionWords[from.gradeFractions]}`;
    case 'repeatedDocuments':
      return `documents that a ranking holds twice are ${to.repeatedDocuments === 'ranked' ? 'counted at each rank' : 'refused'}`;
    case 'ownDocument':
      return `a document with the id of the query is ${to.ownDocument === 'dropped' ? 'taken out of the ranking' : 'ranked as any other'} on ${queries}`;
    case 'formulas':
      return `the formula is that of ${formulaWords(to, measure)} instead of ${formulaWords(from, measure)}`;
    case 'unanswered':
      return `judged queries that the run does not answer have ${to.unanswered === undefined ? 'the value of an empty ranking' : `the value ${to.unanswered}`}`;
    case 'topicDecimals':
      return `the value of each query ${decimalsWords(to.topicDecimals)}`;
    case 'lowestValue':
      return `values of queries ${to.lowestValue === undefined ? 'may be negative' : `below ${to.lowestValue} count as ${to.lowestValue}`}`;
    case 'arithmetic':
      return to.arithmetic === 'decimal' ? 'each step of the formula is rounded to a few decimals' : 'no step of the formula is rounded';
    case 'printed':
      return 'printed values are rounded';
  }
}

function floorWords(floor: number): string {
  return floor === Number.MIN_VALUE ? 'above grade 0' : `from grade ${floor} on`;
}

function decimalsWords(rule: ConventionRules['topicDecimals']): string {
  if (rule === undefined) return 'is not rounded';
  return `is rounded to ${typeof rule === 'number' ? rule : rule.decimals} decimals`;
}

const idealDepthWords = {
  cutoff: 'at the cutoff',
  retrieved: 'at the number of documents retrieved',
  all: 'nowhere',
} as const;

const thresholdWords = {
  fixed: 'the same for all queries',
  upper: 'half of the highest or the 90th percentile of the grades of each query',
} as const;

const negativeWords = { unjudged: 'as not judged', judged: 'as judged', graded: 'with their grade' } as const;

const fractionWords = {
  kept: 'taken as they are',
  cut: 'cut to whole numbers',
  'cut-in-ideal': 'cut to whole numbers in the ideal ranking',
} as const;

function gainWords(gain: ConventionRules['gain']): string {
  if (gain === 'linear') return 'itself';
  if (gain === 'exp') return '2^grade - 1';
  if (gain === 'exp-floor') return '2^grade - 1 of its whole part';
  return `what the table ${tableWords(gain)} says`;
}

function tableWords(table: GainTable): string {
  return `{${table.map(([grade, gain]) => `${grade}:${gain}`).join(', ')}}`;
}

function emptyWords(rules: ConventionRules, measure: Measure): string {
  return String(Object.hasOwn(rules.empty, measure.def.name) ? rules.empty[measure.def.name] : 0);
}

/** The measure with the parameters of its own that the rules give it. */
function formulaWords({ formulas }: ConventionRules, measure: Measure): string {
  return withParams(measure, Object.hasOwn(formulas, measure.def.name) ? formulas[measure.def.name] : {}).text;
}

const recallWords: Readonly<Record<ConventionRules['recallRounding'], string>> = {
  exact: 'the least number of documents that reaches it',
  up: 'a number of documents rounded up from a tenth on',
  nearest: 'the nearest number of documents',
};

const discountWords: Readonly<Record<ConventionRules['discount'], string>> = {
  log2: 'log2(rank + 1)',
  jk: 'log2(rank) (not at all at rank 1)',
  ln: 'ln(rank + 1)',
};

const idealWords: Readonly<Record<ConventionRules['ideal'], string>> = {
  judged: 'all judged documents',
  list: 'the documents of the list',
};

const divisorWords: Readonly<Record<ConventionRules['precisionDivisor'], string>> = {
  cutoff: 'the cutoff',
  retrieved: 'the length of a shorter list',
};

const apWords: Readonly<Record<ConventionRules['apDenominator'], string>> = {
  R: 'all relevant documents',
  min: 'at most as many relevant documents as the cutoff',
  list: 'the relevant documents of the list',
  'list-min': 'at most as many relevant documents of the list as the cutoff',
  found: 'the relevant documents found',
};

const tieWords: Readonly<Record<string, string>> = {
  docno: 'by document id, descending,',
  'docno-ascending': 'by document id, ascending,',
  file: 'as in the file',
  rank: 'by the stated rank',
  quicksort: 'as a quicksort leaves them',
  optimistic: 'with the best grade first',
  pessimistic: 'with the worst grade first',
  expected: 'in all ways at once, on average,',
};

const topicWords: Readonly<Record<ConventionRules['topics'], string>> = {
  skip: 'are left out',
  empty: 'count as empty rankings',
  placeholder: 'count as rankings of one unjudged document',
};

const topicWordsBefore: Readonly<Record<ConventionRules['topics'], string>> = {
  skip: 'left out',
  empty: 'counted as empty rankings',
  placeholder: 'counted as rankings of one unjudged document',
};
