import { gradeOfCode, type TopicView, UNJUDGED } from '../core/judging/judge.js';
import { InputError } from '../core/problem.js';
import { depthOf, numberParam, optionalNumber, type Params } from '../measures/measure.js';

/* The formulas of Rated Ranking Evaluator. It calculates in decimal numbers and rounds after each step, so its digits come from counting
   in units of the last decimal. A judged document is relevant whatever its grade, and the documents retrieved stand for the total of hits
   that the engine reports. */

type Compute = (topic: TopicView) => number;

/** a / b rounded up to four decimals, in ten-thousandths. */
function shareUp(a: number, b: number): number {
  return Math.ceil((10_000 * a) / b);
}

/** a / b to the nearest unit, halves away from zero. */
function nearest(a: number, b: number): number {
  return Math.sign(a) * Math.floor(Math.abs(a) / b + 0.5);
}

/** How many of the first documents are judged. */
function listedWithin({ codes, start, numRetrieved }: TopicView, depth: number): number {
  let listed = 0;
  for (let i = 0; i < Math.min(depth, numRetrieved); i++) if (codes[start + i] > UNJUDGED) listed++;
  return listed;
}

/** The value where nothing was retrieved: right if there was nothing to find. */
function ofNoHits({ numJudged }: TopicView): number {
  return numJudged === 0 ? 1 : 0;
}

/** Precision in ten-thousandths: of everything, or to two decimals at a cutoff. */
function precisionUnits(topic: TopicView, cutoff: number): number {
  const { numRetrieved } = topic;
  if (numRetrieved === 0) return 10_000 * ofNoHits(topic);
  const listed = listedWithin(topic, cutoff);
  if (cutoff === Infinity) return shareUp(listed, numRetrieved);
  return 100 * nearest(100 * listed, Math.min(cutoff, numRetrieved));
}

function recallUnits(topic: TopicView, cutoff: number): number {
  const { numJudged, numRetrieved } = topic;
  if (numJudged === 0) return numRetrieved === 0 ? 10_000 : 0;
  return shareUp(listedWithin(topic, cutoff), numJudged);
}

function averagePrecisionOf(params: Params): Compute {
  const cutoff = depthOf(params);
  return (topic) => {
    const { codes, start, numRetrieved, numJudged } = topic;
    if (numJudged === 0) return numRetrieved === 0 ? 1 : 0;
    let found = 0;
    let before = 0;
    let sum = 0;
    for (let i = 0; i < Math.min(cutoff, numRetrieved); i++) {
      if (!(codes[start + i] > UNJUDGED)) continue;
      const recall = shareUp(++found, numJudged);
      sum += shareUp(found, i + 1) * (recall - before);
      before = recall;
    }
    return sum / 1e8;
  };
}

/** One over the rank of the best document, the first of equals. */
function reciprocalRankOf(params: Params): Compute {
  const cutoff = depthOf(params);
  return ({ codes, start, numRetrieved, numJudged }) => {
    if (numJudged === 0) return numRetrieved === 0 ? 1 : 0;
    let best = -1;
    for (let i = 0; i < Math.min(cutoff, numRetrieved); i++) {
      if (codes[start + i] > 0 && (best < 0 || codes[start + i] > codes[start + best])) best = i;
    }
    return best < 0 ? 0 : nearest(100, best + 1) / 100;
  };
}

function gainOf({ gain }: Params, code: number): number {
  const grade = gradeOfCode(code);
  return gain === 'linear' ? grade : 2 ** grade - 1;
}

/** nDCG in hundredths; the first document of the ranking, and not that of the ideal one, is left unrounded. */
function ndcgOf(params: Params): Compute {
  const cutoff = depthOf(params);
  const term = (code: number, rank: number): number => Math.floor((100 * gainOf(params, code)) / (Math.log(rank + 1) / Math.log(2)));
  return (topic) => {
    const { codes, start, numRetrieved, judged, judgedStart, numJudged } = topic;
    if (numRetrieved === 0) return ofNoHits(topic);
    if (numJudged === 0) return 0;
    let gained = 0;
    for (let i = 0; i < Math.min(cutoff, numRetrieved); i++) {
      const code = codes[start + i];
      if (code > UNJUDGED) gained += i === 0 ? 100 * gainOf(params, code) : term(code, i + 1);
    }
    let ideal = 0;
    for (let i = 0; i < Math.min(cutoff, numJudged); i++) ideal += term(judged[judgedStart + i], i + 1);
    if (ideal === 0) {
      throw new InputError({
        message: 'nDCG of a topic whose gains are all 0 is refused, because Rated Ranking Evaluator divides by zero there and fails',
        wayOut: 'leave such topics out of the judgements',
      });
    }
    return Math.floor((100 * gained) / ideal) / 100;
  };
}

function fOf(params: Params): Compute {
  const cutoff = depthOf(params);
  const weight = numberParam(params, 'beta') ** 2;
  return (topic) => {
    const precision = precisionUnits(topic, cutoff);
    const recall = recallUnits(topic, cutoff);
    if (precision === 0 || recall === 0) return 0;
    return ((1 + weight) * Math.ceil((precision * recall) / (weight * precision + recall))) / 10_000;
  };
}

/** ERR, exactly: what is left after each document is a product of decimals, which grows by eight of them each time. */
function errOf(params: Params): Compute {
  const cutoff = depthOf(params);
  const ofUnjudged = optionalNumber(params, 'unjudged') ?? 0;
  const scale = 2 ** numberParam(params, 'max_rel');
  const one = 100_000_000n;
  return (topic) => {
    const { codes, start, numRetrieved } = topic;
    if (numRetrieved === 0) return 1;
    if (listedWithin(topic, cutoff) === 0) return 0;
    let goesOn = 1n;
    let sum = 0n;
    let unit = 1n;
    for (let i = 0; i < Math.min(cutoff, numRetrieved); i++) {
      const code = codes[start + i];
      const satisfied = nearest(1e8 * gainOf(params, code > UNJUDGED ? code : ofUnjudged), scale);
      sum = sum * one + goesOn * BigInt(nearest(satisfied, i + 1));
      goesOn *= one - BigInt(satisfied);
      unit *= one;
    }
    return quotient(sum, unit);
  };
}

/** The double nearest to a fraction of large whole numbers: through its decimal digits, of which there are more than enough. */
function quotient(numerator: bigint, denominator: bigint): number {
  const digits = 10n ** 40n;
  return Number(`${(numerator * digits) / denominator}e-40`);
}

/** By measure, what it is in decimal arithmetic. */
export const decimalFormulas: Readonly<Record<string, (params: Params) => Compute>> = {
  P: (params) => (topic) => precisionUnits(topic, depthOf(params)) / 10_000,
  SetP: () => (topic) => precisionUnits(topic, Infinity) / 10_000,
  R: (params) => (topic) => recallUnits(topic, depthOf(params)) / 10_000,
  SetR: () => (topic) => recallUnits(topic, Infinity) / 10_000,
  F: fOf,
  SetF: fOf,
  AP: averagePrecisionOf,
  RR: reciprocalRankOf,
  nDCG: ndcgOf,
  ERR: errOf,
};
