import { leastWhole } from '../families/average-precision.js';
import { thresholdsOf } from '../families/graded.js';
import { type MeasureDef, numberParam, optionalNumber, type Params } from '../measure.js';
import { decimal, fraction, number, power, product, ratio, sum, type WorkedExpression } from './expression.js';

/** One topic, small enough to be worked out by hand: the grades of the ranking from the top, and of everything that was judged. */
export interface WorkedList {
  readonly ranking: readonly number[];
  /** The grades of judged documents, whether they were retrieved or not. */
  readonly judged: readonly number[];
}

/** Fills a measure's formula with the numbers of a list. Undefined where the parameters ask for another formula, or the value is not a
 *  matter of computing. */
type Filling = (params: Params, list: WorkedList) => WorkedExpression | undefined;

const fillings: Readonly<Record<string, Filling>> = {
  P(params, { ranking }) {
    const cutoff = numberParam(params, 'cutoff');
    if (params.cwl !== undefined || params.short !== 'as-is') return undefined;
    const seen = Math.min(cutoff, ranking.length);
    if (params.divisor !== 'cutoff' && params.divisor !== 'retrieved') return undefined;
    return fraction(number(hitsAt(params, ranking, cutoff)), number(params.divisor === 'cutoff' ? cutoff : seen));
  },
  R: (params, { ranking, judged }) =>
    fraction(number(hitsAt(params, ranking, numberParam(params, 'cutoff'))), number(hitsAt(params, judged, Infinity))),
  Rprec(params, { ranking, judged }) {
    const numRelevant = hitsAt(params, judged, Infinity);
    return fraction(number(hitsAt(params, ranking, numRelevant)), number(numRelevant));
  },
  RR(params, { ranking }) {
    const first = ranking.findIndex((grade) => grade >= numberParam(params, 'rel')) + 1;
    if (first === 0 || first > depthIn(params) || params.cwl !== undefined || params.precision !== 'double') return undefined;
    return fraction(number(1), number(first));
  },
  AP(params, { ranking, judged }) {
    if (params.cwl !== undefined || (params.denominator !== 'R' && params.denominator !== 'list')) return undefined;
    const among = params.denominator === 'R' ? judged : ranking;
    return fraction(precisionSum(ranking, numberParam(params, 'rel'), depthIn(params)), number(hitsAt(params, among, Infinity)));
  },
  IAP(params, { ranking, judged }) {
    if (params.rounding !== 'exact') return undefined;
    const numRelevant = hitsAt(params, judged, Infinity);
    const best = bestPrecisions(ranking, numberParam(params, 'rel'));
    const levels = params.levels as readonly number[];
    return fraction(sum(levels.map((level) => best[Math.max(1, leastWhole(level * numRelevant)) - 1] ?? number(0))), number(levels.length));
  },
  DCG: (params, { ranking }) => discountedSum(params, ranking),
  nDCG(params, { ranking, judged }) {
    if (params.short !== 'as-is') return undefined;
    const pool = params.ideal === 'list' ? ranking : params.ideal === 'judged' ? judged : undefined;
    const above = discountedSum(params, ranking);
    const below =
      pool &&
      discountedSum(
        params,
        [...pool].sort((a, b) => b - a),
      );
    return above && below && fraction(above, below);
  },
  GAP(params, { ranking, judged }) {
    const { grades, shares } = thresholdsOf(params, () => highestGrade(params, judged), judged);
    const found = grades.map((grade, j) => weighted(shares[j], precisionSum(ranking, grade, depthIn(params))));
    const possible = grades.map((grade, j) => weighted(shares[j], number(judged.filter((one) => one >= grade).length)));
    return fraction(sum(found), sum(possible));
  },
  ERR(params, { ranking }) {
    const highest = params.max_rel;
    if (params.gain !== 'exp' || typeof highest !== 'number') return undefined;
    const terms: WorkedExpression[] = [];
    const passed = new Map<number, number>();
    for (const [i, grade] of ranking.slice(0, depthIn(params)).entries()) {
      if (!(grade > 0)) continue;
      if (!Number.isInteger(grade) || grade > highest) return undefined;
      const factors = [...passed].map(([stopped, times]) => {
        const goesOn = fraction(number(2 ** highest - stopped), number(2 ** highest));
        return times === 1 ? goesOn : power(goesOn, times);
      });
      const stops = 2 ** grade - 1;
      terms.push(product(fraction(number(1), number(i + 1)), ...factors, fraction(number(stops), number(2 ** highest))));
      passed.set(stops, (passed.get(stops) ?? 0) + 1);
    }
    return sum(terms);
  },
  RBP(params, { ranking }) {
    const p = numberParam(params, 'p');
    if (params.gain !== 'binary' || params.residual === true || params.cwl !== undefined || p >= 1) return undefined;
    const depth = Math.min(depthIn(params), optionalNumber(params, 'depth') ?? Infinity);
    const terms = ranking.slice(0, depth).flatMap((grade, i) => (grade >= numberParam(params, 'rel') ? [power(number(p, 2), i)] : []));
    return product(number(1 - p, 2), sum(terms));
  },
};

/** The names of the measures whose formulas can be filled in. */
export const workedMeasures: readonly string[] = Object.keys(fillings);

/** The formula of a measure with the numbers of one topic in the places of its letters. Undefined where there is nothing relevant, or no
 *  formula for these parameters. */
export function workedFormula(
  { def, params }: { readonly def: MeasureDef; readonly params: Params },
  list: WorkedList,
): WorkedExpression | undefined {
  if (params.judged_only === true || params.groups !== undefined || params.decimals !== undefined) return undefined;
  if (list.judged.every((grade) => !(grade > 0)) || list.ranking.length === 0) return undefined;
  return Object.hasOwn(fillings, def.name) ? fillings[def.name](params, list) : undefined;
}

function depthIn(params: Params): number {
  return optionalNumber(params, 'cutoff') ?? Infinity;
}

function hitsAt(params: Params, grades: readonly number[], depth: number): number {
  const level = numberParam(params, 'rel');
  return grades.slice(0, depth).filter((grade) => grade >= level).length;
}

/** hits / rank at every relevant document, added up. */
function precisionSum(ranking: readonly number[], level: number, depth: number): WorkedExpression {
  return sum(
    precisionsAt(ranking, level)
      .filter(({ rank }) => rank <= depth)
      .map(({ hits, rank }) => ratio(number(hits), number(rank))),
  );
}

function precisionsAt(ranking: readonly number[], level: number): { readonly hits: number; readonly rank: number }[] {
  const ranks = ranking.flatMap((grade, i) => (grade >= level ? [i + 1] : []));
  return ranks.map((rank, i) => ({ hits: i + 1, rank }));
}

/** For each relevant document the best precision at it or at one below. */
function bestPrecisions(ranking: readonly number[], level: number): WorkedExpression[] {
  const points = precisionsAt(ranking, level);
  return points.map((_, i) => {
    const { hits, rank } = points.slice(i).reduce((best, point) => (point.hits / point.rank > best.hits / best.rank ? point : best));
    return ratio(number(hits), number(rank));
  });
}

/** gain / log(rank + 1), added up. */
function discountedSum(params: Params, grades: readonly number[]): WorkedExpression | undefined {
  const gain = gains[String(params.gain)];
  if (gain === undefined || params.base !== 2) return undefined;
  const logarithm = params.discount === 'log2' ? Math.log2 : params.discount === 'ln' ? Math.log : undefined;
  if (logarithm === undefined) return undefined;
  const terms = grades
    .slice(0, depthIn(params))
    .flatMap((grade, i) => (grade > 0 ? [ratio(number(gain(grade)), decimal(logarithm(i + 2)))] : []));
  return sum(terms);
}

const gains: Readonly<Record<string, (grade: number) => number>> = {
  linear: (grade) => grade,
  exp: (grade) => 2 ** grade - 1,
};

function weighted(share: number, expression: WorkedExpression): WorkedExpression {
  return share === 1 ? expression : product(number(share, 2), expression);
}

function highestGrade(params: Params, judged: readonly number[]): number {
  return typeof params.max_rel === 'number' ? params.max_rel : Math.max(...judged);
}
