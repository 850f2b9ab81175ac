/** What parameters mean, in the same words wherever they occur. A measure's own entry goes before these. */
export const parameterWords: Readonly<Record<string, string>> = {
  // every measure has these
  agg: 'how the values of the topics become one: *mean*, *sum*, *geometric* or *harmonic* mean, *median*, *min*, *max*, standard deviation (*sd*) or standard error of the mean (*se*)',
  floor: 'what smaller values count as; by default 0.00001 in a geometric mean and 0 in a harmonic mean',
  empty:
    'the value of a topic without anything to be found, in place of what the definition gives; *skip* leaves such topics out of the average, *error* refuses them',
  judged_only: 'take documents without a judgement out of the ranking first, so that those below move up: a condensed list',
  groups: '*mean* takes the measure once per group of judgements (second column of the judgements) and averages within the topic',
  ties: 'what becomes of equal scores: *docno*, *docno-ascending* (by document id), *file* (as they stand in the run), *rank* (as the run states), *quicksort* (as ranx leaves them), *optimistic*, *pessimistic* (best or worst grade first), *expected* (the mean over all orders)',
  scores:
    'whether scores are compared as 64-bit numbers (*double*) or rounded to 32 bits first (*float32*), in place of what holds for all',
  negatives:
    'what a negative grade is: no judgement (*unjudged*), or a judgement as not relevant (*judged*), in place of what holds for all',
  unanswered: 'the value of a topic for which nothing was retrieved, in place of what the definition gives',
  least: 'how many documents a ranking must have at least; a shorter one is refused',
  decimals: 'how many decimals the value of each topic is rounded to before topics are averaged',
  // most measures have some of these
  rel: 'the lowest grade that counts as relevant',
  cutoff: 'how many documents of the ranking count; all of them by default',
  beta: 'how many times more recall counts than precision',
  p: 'probability that the reader goes on to the next document',
  max_rel: 'the highest grade of the scale, which gains 1; *data* takes the highest grade in the judgements',
  min_rel: 'the grade that gains 0',
  T: 'how much the reader is after, in documents of full gain',
  residual: 'give what the value could still rise by if all unjudged documents, and all below the end of the ranking, had full gain',
  cwl: 'one of the five numbers of the C/W/L framework in place of the value: expected gain per document (*EU*), in total (*ETU*), expected cost per document (*EC*), in total (*ETC*), documents looked at (*ED*)',
  depth:
    'for the numbers of the C/W/L framework: how long the list is that the reader looks at; a shorter one goes on with documents of no gain',
  gain: 'what a grade is worth: the grade itself (*linear*), 2 to its power less 1 (*exp*), the same with the fraction cut off first (*exp-floor*), or nothing but what gains says (*table*)',
  gains: 'what single grades are worth, in place of the rule: {1:1,2:3}; -1 and -2 stand for unjudged documents',
  ideal_order: 'how the ideal ranking sorts gains: properly, or by the whole part of their differences (*whole*)',
  ideal: 'what the ideal ranking is made of: all judged documents of the topic, or the documents of the ranking itself (*list*)',
  discount:
    'what a gain at rank i is divided by: log2(i+1), the logarithm of i to the base from rank = base on (*jk*), ln(i+1), i (*rank*), or nothing',
  base: 'the base of the *jk* discount',
  term: 'how a discounted gain is computed to the last bit, for agreement with other programs: *divide* by the logarithm, by the *ratio* of two natural ones, multiply by the *inverse* of that, or divide the *product* of gain and ln(base)',
  short: 'what a ranking shorter than the cutoff is worth: what it has (*as-is*), or 0 (*zero*)',
  alpha: 'how much of the interest in a subtopic each relevant document takes away',
  rounding:
    'how a recall level becomes a number of documents: the least that reaches it (*exact*), rounded up from a tenth on (*up*), or the *nearest* whole number',
  weighting: 'whether beta is squared first, as it should be, or taken as it is (*plain*), as trec_eval and ir_measures do',
  division:
    'what becomes of a topic without judged documents that are not relevant: relevant ones count fully (*guarded*), or there is no value, 0/0 (*plain*)',
  no_pairs: 'what becomes of a ranking of relevant documents only: it counts as 1 (*one*), or is refused (*error*)',
  ideal_by:
    'how the ideal ranking orders equal grades: as they are ranked, documents that were not retrieved last (*rank*), or by their scores, documents that were not retrieved having 0 (*score*)',
  depth_rounding:
    'how a multiple of the number of relevant documents becomes a depth: rounded up (*exact*), or rounded up from a tenth on (*up*), as trec_eval does',
  level: 'the lowest grade that gains anything; all above 0 do by default',
  collection: 'number of documents in the collection; by default, the judged documents are the collection',
  expected: 'how many relevant documents the reader expects, for topics that do not say it themselves',
  g: 'the share of users whose threshold is at each grade from 1 up; equal shares by default',
  clicks: 'how many clicks documents of each grade from 1 up received, from which the shares of users are estimated',
  thresholds: 'the grades at which users have their threshold; 1, 2 … by default',
};
