import { NO_DOCUMENT } from '../measures/families/counts.js';
import { depthOf, numberParam } from '../measures/measure.js';
import { type Expressions, levelOf, oneOrderOnly } from './expression.js';
import type { Query } from './query.js';

/** Counts, the retrieved set, and the top of the ranking: measures of how many relevant documents stand above some place. */

function fValue(query: Query, hits: string, seen: string, numRelevant: string, weight: number): string {
  const precision = `${hits} / ${seen}`;
  const recall = `${hits} / ${numRelevant}`;
  const above = `${query.number(weight + 1)} * (${precision}) * (${recall})`;
  const below = `${query.number(weight)} * (${precision}) + ${recall}`;
  return `CASE WHEN ${hits} > 0 THEN (${above}) / (${below}) ELSE ${query.number(0)} END`;
}

/** The measures that count documents, or ask whether there are any, in SQL. */
export const countExpressions: Expressions = {
  NumQ: ({ query }) => query.number(1),
  NumRet: ({ ranking }) => ranking.numRetrieved,
  NumRel: (e) => e.query.numRelevant(levelOf(e)),
  NumRelRet: (e) => e.ranking.hits(levelOf(e), depthOf(e.measure.params)),
  NumNonRelJudgedRet: (e) => `${e.ranking.judged()} - ${e.ranking.hits(levelOf(e))}`,
  Grade(e) {
    oneOrderOnly(e);
    const rank = numberParam(e.measure.params, 'rank');
    const { query, ranking } = e;
    const code = ranking.lines.extreme('MAX', `CASE WHEN place = ${rank} THEN code END`, rank);
    return `CASE WHEN ${ranking.numRetrieved} >= ${rank} THEN COALESCE(${code}, ${query.number(-1)}) ELSE ${query.number(NO_DOCUMENT)} END`;
  },
  Best(e) {
    oneOrderOnly(e);
    const { query, ranking, measure } = e;
    const highest = ranking.lines.extreme('MAX', `CASE WHEN code > 0 THEN code ELSE ${query.number(0)} END`, depthOf(measure.params));
    return `COALESCE(${highest}, ${query.number(0)})`;
  },

  SetP: (e) => e.query.ratio(e.ranking.hits(levelOf(e)), e.ranking.numRetrieved),
  SetR: (e) => e.query.ratio(e.ranking.hits(levelOf(e)), e.query.numRelevant(levelOf(e))),
  SetRelP: (e) => {
    const { query, ranking } = e;
    const fewer = `(${query.smaller(ranking.numRetrieved, query.numRelevant(levelOf(e)))})`;
    return query.ratio(ranking.hits(levelOf(e)), fewer);
  },
  SetAP: (e) => {
    const { query, ranking } = e;
    if (ranking.rules.depth < Infinity) oneOrderOnly(e);
    const hits = ranking.hits(levelOf(e));
    return query.ratio(`(${hits} * ${hits})`, `(${ranking.numRetrieved} * ${query.numRelevant(levelOf(e))})`);
  },
  SetF: (e) => {
    const { query, ranking, measure } = e;
    const weight =
      (measure.params.weight as number | undefined) ??
      numberParam(measure.params, 'beta') ** (measure.params.weighting === 'plain' ? 1 : 2);
    return fValue(query, ranking.hits(levelOf(e)), ranking.numRetrieved, query.numRelevant(levelOf(e)), weight);
  },
  SetAccuracy: (e) => {
    const { query, ranking } = e;
    const { retrieved, size } = collectionOf(e);
    const hits = ranking.hits(levelOf(e));
    return query.ratio(`(${query.number(2)} * ${hits} + ${size} - ${retrieved} - ${query.numRelevant(levelOf(e))})`, size);
  },
  Fallout: (e) => {
    const { query, ranking } = e;
    const { retrieved, size } = collectionOf(e);
    return query.ratio(`(${retrieved} - ${ranking.hits(levelOf(e))})`, `(${size} - ${query.numRelevant(levelOf(e))})`);
  },
  Satisfaction: (e) => {
    const cutoff = depthOf(e.measure.params);
    return e.query.ratio(e.ranking.hits(levelOf(e), cutoff), `(${e.ranking.seen(cutoff)})`);
  },
  Frustration: (e) => {
    const cutoff = depthOf(e.measure.params);
    const seen = `(${e.ranking.seen(cutoff)})`;
    return e.query.ratio(`(${seen} - ${e.ranking.hits(levelOf(e), cutoff)})`, seen);
  },
  Utility: (e) => {
    const { query, ranking, measure } = e;
    const [a, b, c, d] = (measure.params.coefficients as readonly number[]).map((value) => query.number(value));
    const hits = ranking.hits(levelOf(e));
    const relevant = query.numRelevant(levelOf(e));
    const retrieved = ranking.numRetrieved;
    const left = `(${query.number(numberParam(measure.params, 'collection'))} + ${hits} - ${retrieved} - ${relevant})`;
    return `${a} * ${hits} + ${b} * (${retrieved} - ${hits}) + ${c} * (${relevant} - ${hits}) + ${d} * ${left}`;
  },

  P: (e) => {
    const { query, ranking } = e;
    const { divisor, short } = e.measure.params;
    const cutoff = depthOf(e.measure.params);
    const length = ranking.numRetrieved;
    const isZero = `${length} = 0${short === 'zero' ? ` OR ${length} < ${cutoff}` : ''}`;
    const below = divisor === 'cutoff' ? query.number(cutoff) : `(${ranking.seen(cutoff)})`;
    return `CASE WHEN ${isZero} THEN ${query.number(0)} ELSE ${ranking.hits(levelOf(e), cutoff)} / ${below} END`;
  },
  R: (e) => e.query.ratio(e.ranking.hits(levelOf(e), depthOf(e.measure.params)), e.query.numRelevant(levelOf(e))),
  AverageRecall: (e) => {
    // the hits at every cutoff together: a document at rank i of d is in d + 1 - i of them
    const { query, ranking } = e;
    const cutoff = depthOf(e.measure.params);
    const seen = `(${ranking.seen(cutoff)})`;
    const ranks = ranking.lines.sum(`(${ranking.relevance(levelOf(e))}) * ${ranking.place}`, cutoff);
    const sum = `((${seen} + 1) * ${ranking.hits(levelOf(e), cutoff)} - ${ranks})`;
    const relevant = query.numRelevant(levelOf(e));
    return `CASE WHEN ${seen} > 0 AND ${relevant} > 0 THEN ${sum} / ${seen} / ${relevant} ELSE ${query.number(0)} END`;
  },
  F: (e) => {
    const { query, ranking, measure } = e;
    const cutoff = depthOf(measure.params);
    const hits = ranking.hits(levelOf(e), cutoff);
    return fValue(query, hits, query.number(cutoff), query.numRelevant(levelOf(e)), numberParam(measure.params, 'beta') ** 2);
  },
  Success: (e) => {
    oneOrderOnly(e);
    return e.query.oneIf(`${e.ranking.hits(levelOf(e), depthOf(e.measure.params))} > 0`);
  },
  RelP: (e) => {
    const { query, ranking } = e;
    const cutoff = depthOf(e.measure.params);
    return query.ratio(ranking.hits(levelOf(e), cutoff), `(${query.atMost(query.numRelevant(levelOf(e)), cutoff)})`);
  },
  Judged: (e) => {
    const cutoff = depthOf(e.measure.params);
    return e.query.ratio(e.ranking.judged(cutoff), `(${e.ranking.seen(cutoff)})`);
  },
  Unjudged: (e) => {
    const cutoff = depthOf(e.measure.params);
    return `((${e.ranking.seen(cutoff)}) - ${e.ranking.judged(cutoff)}) / ${e.query.number(cutoff)}`;
  },
  Rprec: (e) => {
    const { query, ranking } = e;
    const relevant = query.numRelevant(levelOf(e));
    const hits = ranking.lines.sum(
      `CASE WHEN place <= ${ranking.lines.ofTopic(relevant)} THEN ${ranking.relevance(levelOf(e))} ELSE ${query.number(0)} END`,
    );
    return query.ratio(hits, relevant);
  },
  RprecMult: (e) => {
    const { query, ranking } = e;
    const multiple = query.number(numberParam(e.measure.params, 'multiple'));
    const exact = `${multiple} * ${query.numRelevant(levelOf(e))}`;
    const isUp = e.measure.params.depth_rounding === 'up';
    const depth = isUp ? `FLOOR(${exact} + ${query.number(0.9)})` : `CEIL(${exact} - ${query.number(1e-9)})`;
    ranking.lines.ofTopic(query.numRelevant(levelOf(e)));
    const hits = ranking.lines.sum(`CASE WHEN place <= ${depth} THEN ${ranking.relevance(levelOf(e))} ELSE ${query.number(0)} END`);
    return `CASE WHEN ${depth} >= 1 THEN ${hits} / ${depth} ELSE ${query.number(0)} END`;
  },
  Accuracy: (e) => {
    // of the d - h documents that are not relevant, those below the relevant one at rank i, which is the k-th: d - i - (h - k)
    oneOrderOnly(e);
    const { query, ranking } = e;
    const cutoff = depthOf(e.measure.params);
    const seen = `(${ranking.seen(cutoff)})`;
    const hits = ranking.hits(levelOf(e), cutoff);
    const ranks = ranking.lines.sum(`(${ranking.relevance(levelOf(e))}) * ${ranking.place}`, cutoff);
    const inOrder = `(${hits} * ${seen} - ${ranks} - ${hits} * ${hits} + ${hits} * (${hits} + 1) / 2)`;
    const share = `CASE WHEN ${hits} = ${seen} THEN ${query.number(1)} ELSE ${inOrder} / (${hits} * (${seen} - ${hits})) END`;
    return { value: `CASE WHEN ${hits} = 0 THEN NULL ELSE ${share} END`, isEmpty: () => `${hits} = 0` };
  },
};

/** What was retrieved, and of how much: of the collection if its size is given, otherwise of the judged documents. */
function collectionOf({ query, ranking, measure }: Parameters<Expressions[string]>[0]): { retrieved: string; size: string } {
  const collection = numberParam(measure.params, 'collection');
  if (collection > 0) return { retrieved: ranking.numRetrieved, size: query.number(collection) };
  return { retrieved: ranking.judged(), size: query.numJudged };
}
