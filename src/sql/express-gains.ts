import type { GainTable } from '../core/params.js';
import { type DiscountRule, discountFactors, lnOf, log2Discount } from '../measures/discounted-pass.js';
import { gainRule } from '../measures/families/cumulated-gain.js';
import type { GainRule } from '../measures/gain-pass.js';
import { depthOf, numberParam, type Params } from '../measures/measure.js';
import { maxRel } from '../measures/scale.js';
import { type Expressed, type Expressions, levelOf, oneOrderOnly } from './expression.js';
import { type Lines, WRITTEN_OUT } from './lines.js';
import { NotInSql } from './not-in-sql.js';
import type { Expression, Query } from './query.js';

/** Measures that add up what documents are worth: cumulated gain, and readers who go down the ranking. */

/** Exponentials of less than this are nothing to a sum, and some engines refuse to compute them. */
const NEGLIGIBLE_EXPONENT = -700;

/** What a document is worth, from its grade in `column`. */
function gainOf(query: Query, { gain, table }: Pick<GainRule, 'gain' | 'table'>, column: string): string {
  const zero = query.number(0);
  const exponential = (grade: string): string => `POWER(${query.number(2)}, ${grade}) - 1`;
  const plain = gain === 'table' ? zero : gain === 'linear' ? column : exponential(gain === 'exp' ? column : `FLOOR(${column})`);
  const rule = `WHEN ${column} > 0 THEN ${plain} ELSE ${zero} END`;
  if (table === undefined) return `CASE ${rule}`;
  if (new Set(table.map(([grade]) => grade)).size < table.length) throw new NotInSql('its table of gains has a grade twice');
  return `CASE ${table.map(([grade, worth]) => `WHEN ${column} = ${query.number(grade)} THEN ${query.number(worth)}`).join(' ')} ${rule}`;
}

/** What each ranked document is worth; its mean where all orders of equal scores count. */
function rankedGain({ query, ranking }: Expression, rule: Pick<GainRule, 'gain' | 'table'>): string {
  if (rule.table?.some(([grade, gain]) => grade === -1 && gain !== 0)) ranking.keepUnjudged();
  return ranking.mean(gainOf(query, rule, 'code'));
}

function gainRuleOf({ measure }: Expression): GainRule {
  const rule = gainRule(measure.params);
  if (rule.idealOrder === 'whole') throw new NotInSql("ideal_order='whole' depends on the order in which a table is sorted");
  if (rule.from !== undefined) throw new NotInSql('level is for evaluation in process only');
  return rule;
}

function discountRuleOf({ measure: { params } }: Expression): DiscountRule {
  const discount = params.discount as DiscountRule['discount'];
  const base = discount === 'log2' ? 2 : numberParam(params, 'base');
  return { discount, base, term: params.term as DiscountRule['term'] };
}

/** The discounted gain of the first so many lines. */
function discountedSum(query: Query, lines: Lines, gain: string, rule: DiscountRule, cutoff: number): string {
  if (cutoff > WRITTEN_OUT) return lines.sum(`(${gain}) / (${discountAt(query, rule)})`, cutoff);
  // with logarithms that are right to the last bit, in the order of the ranks
  const factors = discountFactors(rule, cutoff);
  const isLogarithm = rule.discount === 'log2' || rule.discount === 'jk';
  const free = rule.discount === 'jk' ? Math.ceil(rule.base) - 1 : 0;
  const terms = Array.from({ length: cutoff }, (_, i) => {
    const value = lines.at(i + 1, gain);
    if (isLogarithm && rule.term === 'inverse') return `${value} * ${query.number(factors[i])}`;
    if (!isLogarithm || rule.term !== 'product') return `${value} / ${query.number(factors[i])}`;
    return i < free ? value : `${value} * ${query.number(lnOf(rule.base))} / ${query.number(factors[i])}`;
  });
  return `(${terms.join(' + ')})`;
}

/** What a gain is divided by, as an expression of its place. */
function discountAt(query: Query, { discount, base }: DiscountRule): string {
  const place = query.real('place');
  switch (discount) {
    case 'log2':
      return `LN(${place} + 1) / LN(${query.number(2)})`;
    case 'jk':
      return `CASE WHEN place < ${query.number(base)} THEN ${query.number(1)} ELSE LN(${place}) / LN(${query.number(base)}) END`;
    case 'ln':
      return `LN(${place} + 1)`;
    case 'rank':
      return place;
    case 'none':
      return query.number(1);
  }
}

/** The judged documents, or those of the list, best first. */
function idealLines(e: Expression, rule: GainRule): Lines {
  const { query, ranking } = e;
  if (rule.ideal !== 'list') return query.ideal('judged', 'grade', gainOf(query, rule, 'grade'));
  if (ranking.rules.depth < Infinity) oneOrderOnly(e);
  // all documents that were retrieved may be in it
  ranking.lines.deepest = Infinity;
  return query.ideal(ranking.source, 'code', gainOf(query, rule, 'code'));
}

function cumulated(e: Expression, discount: DiscountRule): Expressed {
  const rule = gainRuleOf(e);
  const { query, ranking, measure } = e;
  return {
    value: discountedSum(query, ranking.lines, rankedGain(e, rule), discount, depthOf(measure.params)),
    isEmpty: () => withoutGain(e, rule),
  };
}

function withoutGain(e: Expression, rule: GainRule): string {
  return `${idealLines(e, rule).sum(e.query.number(1))} = 0`;
}

function idealSum(e: Expression, rule: GainRule): string {
  return discountedSum(e.query, idealLines(e, rule), 'gain', discountRuleOf(e), depthOf(e.measure.params));
}

/** The probability that a document satisfies the reader. */
function satisfaction({ query, measure: { params } }: Expression, highest: number, column: string): string {
  const gain = gainOf(query, { gain: params.gain as GainRule['gain'] }, column);
  const scale = params.gain === 'linear' ? highest + 1 : 2 ** highest;
  return `(${gain}) / ${query.number(scale)}`;
}

/** The mean reciprocal rank at which a reader who goes down the lines is satisfied. */
function cascade(query: Query, lines: Lines, satisfied: string, cutoff: number): string {
  if (cutoff <= WRITTEN_OUT) {
    const nested = (place: number): string => {
      const here = lines.at(place, satisfied);
      const value = `${here} / ${query.number(place)}`;
      return place === cutoff ? value : `${value} + (1 - ${here}) * (${nested(place + 1)})`;
    };
    return `(${nested(1)})`;
  }
  // a product over the documents above, as a sum of logarithms; the error of that grows with the logarithm, and the product
  // shrinks faster. A document that satisfies everybody has no logarithm and ends the walk.
  const goesOn = `1 - ${satisfied}`;
  const logarithm = lines.above(`CASE WHEN ${goesOn} > 0 THEN LN(${goesOn}) ELSE ${query.number(0)} END`);
  const ends = lines.above(query.oneIf(`${goesOn} <= 0`));
  const exponent = `COALESCE(${logarithm}, ${query.number(0)})`;
  const isOver = `COALESCE(${ends}, ${query.number(0)}) > 0 OR ${exponent} < ${query.number(NEGLIGIBLE_EXPONENT)}`;
  const product = `CASE WHEN ${isOver} THEN ${query.number(0)} ELSE EXP(${exponent}) END`;
  return lines.sum(`(${product}) * (${satisfied}) / ${query.real('place')}`, cutoff);
}

function expectedReciprocalRank(e: Expression): { value: string; highest: number } {
  oneOrderOnly(e);
  const { query, ranking, measure } = e;
  const highest = maxRel(measure.params, query.passes);
  const cutoff = depthOf(measure.params);
  const value = cascade(query, ranking.lines, satisfaction(e, highest, 'code'), cutoff);
  // a grade beyond the scale has no probability
  const beyond = ranking.lines.sum(query.oneIf(`code > ${query.number(highest)}`), cutoff);
  return { value: `CASE WHEN ${beyond} > 0 THEN NULL ELSE ${value} END`, highest };
}

/** Weights of p to the power of the rank, of the lines down to where nothing is left of them. */
function rankBiasedSum({ query, ranking, measure }: Expression, value: string): string {
  const p = numberParam(measure.params, 'p');
  const cutoff = depthOf(measure.params);
  if (p > 1) throw new NotInSql('a persistence above 1 grows without end');
  if (p === 0) return ranking.lines.at(1, value);
  const deepest = p === 1 ? Infinity : Math.floor(NEGLIGIBLE_EXPONENT / Math.log(p));
  const weight = p === 1 ? query.number(1) : `POWER(${query.number(p)}, ${ranking.place} - 1)`;
  return ranking.lines.sum(`(${value}) * ${weight}`, Math.min(cutoff, deepest));
}

function rbpGain(e: Expression): { gain: string; scale?: string } {
  const { query, measure } = e;
  const { params } = measure;
  const table = params.gains as GainTable | undefined;
  if (params.ideal_order === 'whole') throw new NotInSql("ideal_order='whole' depends on the order in which a table is sorted");
  if (params.level !== undefined) throw new NotInSql('level is for evaluation in process only');
  switch (params.gain) {
    case 'linear':
    case 'exp': {
      const highest = maxRel(params, query.passes);
      const width = query.number(params.gain === 'linear' ? highest : 2 ** highest - 1);
      const gain = `(${gainOf(query, { gain: params.gain }, 'code')}) / ${width}`;
      return { gain: e.ranking.mean(`CASE WHEN ${gain} > 1 THEN ${query.number(1)} ELSE ${gain} END`) };
    }
    case 'grade':
      return { gain: rankedGain(e, { gain: 'linear', table }) };
    case 'range': {
      if (table !== undefined) throw new NotInSql("gain='range' with a table scales by all gains of the table");
      const highest = query.highestGrade();
      return { gain: rankedGain(e, { gain: 'linear' }), scale: `(CASE WHEN ${highest} > 1 THEN ${highest} ELSE ${query.number(1)} END)` };
    }
    default:
      return { gain: e.ranking.relevance(levelOf(e)) };
  }
}

/** What is left for documents without a judgement: everything but the weights of the judged ones. */
function residual(e: Expression): string {
  const { query, ranking, measure } = e;
  const weights = rankBiasedSum(e, ranking.mean(query.oneIf('code >= 0')));
  return `1 - ${query.number(1 - numberParam(measure.params, 'p'))} * ${weights}`;
}

/** The measures that add up gains by rank, in SQL. */
export const gainExpressions: Expressions = {
  CG: (e) => cumulated(e, { ...log2Discount, discount: 'none' }),
  DCG: (e) => cumulated(e, discountRuleOf(e)),
  IDCG: (e) => {
    const rule = gainRuleOf(e);
    if (e.ranking.rules.depth < Infinity) oneOrderOnly(e);
    return { value: idealSum(e, rule), isEmpty: () => withoutGain(e, rule) };
  },
  nDCG: (e) => {
    const { query, ranking, measure } = e;
    const rule = gainRuleOf(e);
    const cutoff = depthOf(measure.params);
    const sum = discountedSum(query, ranking.lines, rankedGain(e, rule), discountRuleOf(e), cutoff);
    const quotient = query.ratio(sum, idealSum(e, rule));
    const needsAll = measure.params.short === 'zero' && cutoff < Infinity;
    const value = needsAll ? `CASE WHEN ${ranking.numRetrieved} < ${cutoff} THEN ${query.number(0)} ELSE ${quotient} END` : quotient;
    return { value, isEmpty: () => withoutGain(e, rule) };
  },
  RBP: (e) => {
    if (e.measure.params.residual === true) return residual(e);
    const { gain, scale } = rbpGain(e);
    const value = `${e.query.number(1 - numberParam(e.measure.params, 'p'))} * ${rankBiasedSum(e, gain)}`;
    return scale === undefined ? value : `${value} / ${scale}`;
  },
  RBPResidual: (e) => {
    const { query, ranking } = e;
    if (ranking.rules.depth < Infinity) oneOrderOnly(e);
    return `CASE WHEN ${ranking.numRetrieved} = ${ranking.judged()} THEN ${query.number(0)} ELSE ${residual(e)} END`;
  },
  ERR: (e) => expectedReciprocalRank(e).value,
  nERR: (e) => {
    const { value, highest } = expectedReciprocalRank(e);
    const { query, measure } = e;
    const ideal = query.ideal('judged', 'grade', satisfaction(e, highest, 'grade'));
    const best = cascade(query, ideal, 'gain', depthOf(measure.params));
    const beyond = query.judgedSum(query.oneIf(`grade > ${query.number(highest)}`));
    return `CASE WHEN ${beyond} > 0 THEN NULL ELSE ${query.ratio(`(${value})`, `(${best})`)} END`;
  },
  TBG: (e) => {
    oneOrderOnly(e);
    const { query, ranking, measure } = e;
    const level = levelOf(e);
    const logKeep = (click: string): string => query.number(logDecay(measure.params, click));
    const hits = ranking.runningHits(level);
    const exponent = `((${hits} - 1) * ${logKeep('click_rel')} + (${ranking.place} - ${hits}) * ${logKeep('click_nonrel')})`;
    const decay = `CASE WHEN ${exponent} < ${query.number(NEGLIGIBLE_EXPONENT)} THEN ${query.number(0)} ELSE EXP(${exponent}) END`;
    const sum = ranking.lines.sum(`CASE WHEN code >= ${query.number(level)} THEN ${decay} ELSE ${query.number(0)} END`);
    return `${query.number(numberParam(measure.params, 'click_rel') * numberParam(measure.params, 'save'))} * ${sum}`;
  },
};

/** The logarithm of how much of all later gain is left after a document that is opened with this probability. */
function logDecay(params: Params, click: string): number {
  const reading = 0.018 * numberParam(params, 'words') + 7.8;
  return (-(numberParam(params, 'summary') + reading * numberParam(params, click)) / numberParam(params, 'halflife')) * Math.LN2;
}
