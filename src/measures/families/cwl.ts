import { evaluationLimits } from '../../core/evaluation-limits.js';
import type { TopicView } from '../../core/judging/judge.js';
import type { ParamSpec } from '../../core/params.js';
import type { GainPass } from '../gain-pass.js';
import type { Params } from '../measure.js';
import { numberParam } from '../measure.js';

/** Moffat's and others' C/W/L framework: a reader goes on from rank i with probability C(i). From it follow the weight W(i)
 *  of rank i and the probability L(i) that i is the last rank looked at, and from these five numbers. */

/** The probability to go on from rank i, which has this gain and this sum of gains down to itself. */
export type Continuation = (rank: number, gain: number, gained: number) => number;

/** *EU*: expected gain per document; *ETU*: expected total gain; *EC* and *ETC*: expected cost of a document and in total, a
 *  document costing 1; *ED*: expected number of documents looked at. */
export type CwlNumber = 'EU' | 'ETU' | 'EC' | 'ETC' | 'ED';

/** The parameters by which every C/W/L measure can give its other readings: expected utility, cost and depth, per document or
 *  in total. */
export const cwlParams: Readonly<Record<'cwl' | 'depth', ParamSpec>> = {
  cwl: { type: 'choice', default: undefined, choices: ['EU', 'ETU', 'EC', 'ETC', 'ED'] },
  depth: { type: 'integer', default: 1000, min: 1, max: evaluationLimits.cwlDepth },
};

/** One of the five numbers, for a ranking that is cut or continued with documents of no gain to the given length. */
export function cwlNumber(wanted: CwlNumber, gains: Float64Array, count: number, depth: number, next: Continuation): number {
  let reached = 1;
  let gained = 0;
  let sumReached = 0;
  let weighted = 0;
  let totalGain = 0;
  let totalCost = 0;
  for (let rank = 1; rank <= depth && reached > 0; rank++) {
    const gain = rank <= count ? gains[rank - 1] : 0;
    gained += gain;
    const goesOn = next(rank, gain, gained);
    sumReached += reached;
    weighted += reached * gain;
    const last = reached * (1 - goesOn);
    totalGain += last * gained;
    totalCost += last * rank;
    reached *= goesOn;
  }
  switch (wanted) {
    case 'EU':
      return weighted / sumReached;
    case 'ETU':
      return totalGain;
    case 'EC':
      return 1;
    case 'ETC':
      return totalCost;
    case 'ED':
      return sumReached;
  }
}

/** A measure's number under its model of the reader, read from a pass of gains; the model may look at the ranking first. */
export function bindCwl(params: Params, gains: GainPass, model: (topic: TopicView) => Continuation): (topic: TopicView) => number {
  const wanted = (params.cwl as CwlNumber | undefined) ?? 'EU';
  const depth = numberParam(params, 'depth');
  return (topic) => cwlNumber(wanted, gains.ranked, Math.min(gains.numRetrieved, depth), depth, model(topic));
}

/** The expected gain per document of a reader who goes on regardless of gains, so that the weights of ranks are known beforehand. */
export function bindWeights(params: Params, gains: GainPass, next: Continuation): () => number {
  const weights = new Float64Array(numberParam(params, 'depth'));
  let reached = 1;
  let all = 0;
  for (let i = 0; i < weights.length; i++) {
    weights[i] = reached;
    all += reached;
    reached *= next(i + 1, 0, 0);
  }
  return () => {
    const count = Math.min(gains.numRetrieved, weights.length);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += weights[i] * gains.ranked[i];
    return sum / all;
  };
}

/** The same number with all unjudged documents, and all beyond the end, at full gain, less the number without: what the
 *  judgements leave open. */
export function bindResidual(
  params: Params,
  gains: GainPass,
  unjudgedGain: number,
  model: (topic: TopicView) => Continuation,
): (topic: TopicView) => number {
  const wanted = (params.cwl as CwlNumber | undefined) ?? 'EU';
  const depth = numberParam(params, 'depth');
  return (topic) => {
    const { codes, start } = topic;
    const count = Math.min(gains.numRetrieved, depth);
    const low = cwlNumber(wanted, gains.ranked, count, depth, model(topic));
    const full = new Float64Array(depth).fill(unjudgedGain);
    for (let i = 0; i < count; i++) if (codes[start + i] >= 0) full[i] = gains.ranked[i];
    return cwlNumber(wanted, full, depth, depth, model(topic)) - low;
  };
}
