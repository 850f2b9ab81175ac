import { thresholdsOf } from '../measures/families/graded.js';
import { depthOf, numberParam, optionalNumber } from '../measures/measure.js';
import { maxRel } from '../measures/scale.js';
import { checkedLevel, type Expressions, levelOf, oneOrderOnly } from './expression.js';
import { NotInSql } from './not-in-sql.js';
import type { Expression, Query } from './query.js';

/** Average precision and its relatives, and measures of the first relevant document. */

/** The sum of the precisions at the relevant documents among the first so many. With all orders of equal scores: of t
 *  documents of which m are relevant, with h before them, each place is relevant with probability m/t, and each of the others
 *  above it in the tie then with (m - 1)/(t - 1). */
function precisionSum({ query, ranking }: Expression, level: number, cutoff: number): string {
  const { lines } = ranking;
  const isRelevant = `code >= ${query.number(level)}`;
  if (!ranking.isExpected) {
    return lines.sum(`CASE WHEN ${isRelevant} THEN ${ranking.runningHits(level)} / ${ranking.place} ELSE ${query.number(0)} END`, cutoff);
  }
  const inTie = ranking.tieSum(query.oneIf(isRelevant));
  const before = `(${ranking.tieTotal(query.oneIf(isRelevant))} - ${inTie})`;
  const others = `CASE WHEN tie_size > 1 THEN (${inTie} - 1) / (tie_size - 1) ELSE ${query.number(0)} END`;
  const hits = `(${before} + 1 + (${ranking.place} - tie_start) * ${others})`;
  return lines.sum(`(${inTie} / tie_size) * ${hits} / ${ranking.place}`, cutoff);
}

/** How many relevant documents reach a level of recall. */
function documentsAtRecall(query: Query, level: number, numRelevant: string, rounding: string): string {
  if (Math.abs(level) > 1e9) throw new NotInSql(`a recall of ${level} is beyond what can be counted`);
  const exact = `${query.number(level)} * ${numRelevant}`;
  if (rounding === 'up') return `FLOOR(${exact} + ${query.number(0.9)})`;
  if (rounding === 'exact') return `CEIL(${exact} - ${query.number(1e-9)})`;
  return `CASE WHEN ${exact} - FLOOR(${exact}) >= ${query.number(0.5)} THEN FLOOR(${exact}) + 1 ELSE FLOOR(${exact}) END`;
}

/** The highest precision at or below the place where a level of recall is reached. */
function interpolated(e: Expression, recall: number): string {
  const { query, ranking, measure } = e;
  const level = levelOf(e);
  const relevant = query.numRelevant(level);
  const wanted = `(${documentsAtRecall(query, recall, relevant, String(measure.params.rounding))})`;
  ranking.lines.ofTopic(relevant);
  const hits = ranking.runningHits(level);
  const isThere = `code >= ${query.number(level)} AND ${hits} >= ${wanted}`;
  const best = ranking.lines.extreme('MAX', `CASE WHEN ${isThere} THEN ${hits} / ${ranking.place} END`);
  const isBeyond = `${wanted} > ${ranking.hits(level)}`;
  // an empty ranking has no precision at all
  return `CASE WHEN ${isBeyond} THEN ${query.number(0)} WHEN ${ranking.numRetrieved} = 0 THEN NULL ELSE COALESCE(${best}, ${query.number(0)}) END`;
}

/** Each threshold is an expression of its own. */
const MOST_THRESHOLDS = 256;

/** Thresholds of users and the share of each, those without users left out. */
function thresholds({ query, measure }: Expression): { grade: number; share: number }[] {
  // which grades occur is not known when the text is written
  const everyGrade = (): number[] => {
    const highest = Math.floor(maxRel(measure.params, query.passes));
    if (highest > MOST_THRESHOLDS)
      throw new NotInSql(`it has a threshold at each of ${highest} grades, and at most ${MOST_THRESHOLDS} are written out`);
    return Array.from({ length: highest }, (_, i) => i + 1);
  };
  const areGiven = [measure.params.g, measure.params.clicks, measure.params.thresholds].some((given) => given !== undefined);
  const { grades, shares } = thresholdsOf(measure.params, () => maxRel(measure.params, query.passes), areGiven ? [] : everyGrade());
  return grades.flatMap((grade, j) => (shares[j] > 0 ? [{ grade: checkedLevel(grade), share: shares[j] }] : []));
}

function weighted(query: Query, terms: readonly { share: number; value: string }[]): string {
  return `(${terms.map(({ share, value }) => `${query.number(share)} * ${value}`).join(' + ')})`;
}

/** Non-relevant judged documents above a line. */
function nonRelevantSoFar({ query, ranking }: Expression, level: number): string {
  return ranking.lines.running(query.oneIf(`code >= 0 AND code < ${query.number(level)}`));
}

/** The measures that look at precision at relevant documents, in SQL. */
export const precisionExpressions: Expressions = {
  AP: (e) => {
    const { query, ranking, measure } = e;
    const level = levelOf(e);
    const cutoff = depthOf(measure.params);
    const { denominator } = measure.params;
    const ofList = denominator === 'list' || denominator === 'found';
    if ((ofList && ranking.rules.depth < Infinity) || (denominator === 'found' && cutoff < Infinity)) oneOrderOnly(e);
    const relevant = query.numRelevant(level);
    const below =
      denominator === 'min'
        ? `(${query.atMost(relevant, cutoff)})`
        : denominator === 'list'
          ? ranking.hits(level)
          : denominator === 'found'
            ? ranking.hits(level, cutoff)
            : relevant;
    return query.ratio(precisionSum(e, level, cutoff), below);
  },
  IPrec: (e) => {
    oneOrderOnly(e);
    return interpolated(e, numberParam(e.measure.params, 'recall'));
  },
  IAP: (e) => {
    oneOrderOnly(e);
    const levels = e.measure.params.levels as readonly number[];
    if (levels.some((level, i) => i > 0 && level < levels[i - 1])) throw new NotInSql('its levels have to ascend');
    // from the last to the first
    const sum = levels.toReversed().map((level) => `(${interpolated(e, level)})`);
    return `(${sum.join(' + ')}) / ${e.query.number(levels.length)}`;
  },
  YAAP: (e) => {
    oneOrderOnly(e);
    const sum = precisionSum(e, levelOf(e), Infinity);
    return `LN((1 + ${sum}) / (1 + ${e.query.numRelevant(levelOf(e))} - ${sum}))`;
  },
  BinG: (e) => {
    oneOrderOnly(e);
    const { query, ranking } = e;
    const level = levelOf(e);
    const others = `LN(2 + ${ranking.place} - ${ranking.runningHits(level)}) / LN(${query.number(2)})`;
    const sum = ranking.lines.sum(
      `CASE WHEN code >= ${query.number(level)} THEN ${query.number(1)} / (${others}) ELSE ${query.number(0)} END`,
    );
    return query.ratio(sum, query.numRelevant(level));
  },
  GAP: (e) => {
    const { query, measure } = e;
    const users = thresholds(e);
    const sum = weighted(
      query,
      users.map(({ share, grade }) => ({ share, value: precisionSum(e, grade, depthOf(measure.params)) })),
    );
    const possible = weighted(
      query,
      users.map(({ share, grade }) => ({ share, value: query.numRelevant(grade) })),
    );
    return query.ratio(sum, possible);
  },
  GradedR: (e) => {
    const { query, ranking, measure } = e;
    const users = thresholds(e);
    const sum = weighted(
      query,
      users.map(({ share, grade }) => ({ share, value: ranking.hits(grade, depthOf(measure.params)) })),
    );
    const possible = weighted(
      query,
      users.map(({ share, grade }) => ({ share, value: query.numRelevant(grade) })),
    );
    return query.ratio(sum, possible);
  },
  GradedP: (e) => {
    oneOrderOnly(e);
    const { query, ranking, measure } = e;
    const rank = numberParam(measure.params, 'rank');
    const pivot = ranking.lines.at(rank, 'code');
    const users = thresholds(e);
    const counted = (value: (grade: number) => string): { share: number; value: string }[] =>
      users.map(({ share, grade }) => ({
        share,
        value: `CASE WHEN ${pivot} >= ${query.number(grade)} THEN ${value(grade)} ELSE ${query.number(0)} END`,
      }));
    const satisfied = weighted(
      query,
      counted(() => query.number(1)),
    );
    const sum = weighted(
      query,
      counted((grade) => ranking.hits(grade, rank)),
    );
    return `CASE WHEN ${satisfied} > 0 THEN ${sum} / ${satisfied} / ${query.number(rank)} ELSE ${query.number(0)} END`;
  },
  Bpref: (e) => {
    oneOrderOnly(e);
    if (e.measure.params.division === 'plain') throw new NotInSql("division='plain' has no value where nothing was judged irrelevant");
    const { query, ranking } = e;
    const level = levelOf(e);
    const relevant = ranking.lines.ofTopic(query.numRelevant(level));
    const nonRelevant = query.numNonRelevant(level);
    if (level > 0) ranking.lines.ofTopic(nonRelevant);
    const above = nonRelevantSoFar(e, level);
    const worst = `(${query.smaller(above, relevant)}) / (${query.smaller(nonRelevant, relevant)})`;
    const term = `CASE WHEN ${above} > 0 THEN 1 - ${worst} ELSE ${query.number(1)} END`;
    const sum = ranking.lines.sum(`CASE WHEN code >= ${query.number(level)} THEN ${term} ELSE ${query.number(0)} END`);
    return query.ratio(sum, query.numRelevant(level));
  },
  infAP: (e) => {
    oneOrderOnly(e);
    const { query, ranking } = e;
    const level = levelOf(e);
    const smoothing = query.number(0.00001);
    const relevantAbove = `(${ranking.runningHits(level)} - 1)`;
    const nonRelevant = nonRelevantSoFar(e, level);
    const pooled = ranking.lines.running(query.oneIf('code < -1'));
    const rank = ranking.place;
    const inPool = `(${relevantAbove} + ${nonRelevant} + ${pooled})`;
    const above = `(${rank} - 1)`;
    const precision = `(${relevantAbove} + ${smoothing}) / (${relevantAbove} + ${nonRelevant} + 2 * ${smoothing})`;
    const deeper = `${query.number(1)} / ${rank} + (${above} / ${rank}) * (${inPool} / ${above}) * (${precision})`;
    const term = `CASE WHEN place = 1 THEN ${query.number(1)} ELSE ${deeper} END`;
    const sum = ranking.lines.sum(`CASE WHEN code >= ${query.number(level)} THEN ${term} ELSE ${query.number(0)} END`);
    return query.ratio(sum, query.numRelevant(level));
  },

  RR: (e) => {
    oneOrderOnly(e);
    const { query, measure } = e;
    const value = `${query.number(1)} / ${firstRank(e)}`;
    if (measure.params.precision !== 'float32') return `COALESCE(${value}, ${query.number(0)})`;
    const { float32, title } = query.dialect;
    if (float32 === undefined) throw new NotInSql(`${title} has no 32-bit numbers`);
    return `COALESCE(${query.real(`CAST(${value} AS ${float32})`)}, ${query.number(0)})`;
  },
  FirstRel: (e) => {
    oneOrderOnly(e);
    return `COALESCE(${firstRank(e)}, (${e.ranking.seen(depthOf(e.measure.params))}) + 1)`;
  },
  ESL: (e) => {
    const { query, ranking, measure } = e;
    const level = levelOf(e);
    const wanted = query.number(numberParam(measure.params, 'wanted'));
    const missing = optionalNumber(measure.params, 'missing');
    const otherwise = missing === undefined ? `${ranking.numRetrieved} - ${ranking.hits(level)}` : query.number(missing);
    if (!ranking.isExpected) {
      const place = ranking.lines.extreme('MIN', `CASE WHEN ${ranking.runningHits(level)} >= ${wanted} THEN ${ranking.place} END`);
      return `COALESCE(${place} - ${wanted}, ${otherwise})`;
    }
    if (ranking.rules.depth < Infinity) oneOrderOnly(e);
    const isRelevant = query.oneIf(`code >= ${query.number(level)}`);
    const inTie = ranking.tieSum(isRelevant);
    const upToHere = ranking.tieTotal(isRelevant);
    const before = `(${upToHere} - ${inTie})`;
    const others = `(tie_start - 1 - ${before})`;
    const length = `${others} + (tie_size - ${inTie}) * (${wanted} - ${before}) / (${inTie} + 1)`;
    const found = ranking.lines.extreme('MAX', `CASE WHEN ${upToHere} >= ${wanted} AND ${before} < ${wanted} THEN ${length} END`);
    return `COALESCE(${found}, ${otherwise})`;
  },
};

/** The rank of the first relevant document; no value if there is none. */
function firstRank(e: Expression): string {
  const { query, ranking, measure } = e;
  return ranking.lines.extreme('MIN', `CASE WHEN code >= ${query.number(levelOf(e))} THEN ${ranking.place} END`, depthOf(measure.params));
}
