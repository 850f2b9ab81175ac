import { log2OfInteger } from '../../core/numbers/logarithm.js';
import type { ParamSpec } from '../../core/params.js';
import type { MeasureDef, Params } from '../measure.js';
import { choiceParam, cutoffParam, numberParam } from '../measure.js';
import { scaledGains, scaleParams } from '../scale.js';
import { bindCwl, bindResidual, bindWeights, type Continuation, cwlParams } from './cwl.js';

/** Prepares the reader of a measure; the result makes a fresh one for each ranking. */
type Reader = (params: Params) => () => Continuation;

/** A measure of the C/W/L framework: a way of going on, and gains between 0 and 1. A *static* reader goes on regardless of
 *  what was found, so that every one of the five numbers is linear in the gains. */
function userModel(
  name: string,
  kind: 'static' | 'adaptive',
  params: Readonly<Record<string, ParamSpec>>,
  reader: Reader,
  at?: string,
): MeasureDef {
  const bind: Required<MeasureDef>['bind'] = (given, passes) => {
    const gains = scaledGains(given, passes);
    const model = reader(given);
    if (given.residual === true) return bindResidual(given, gains, 1, model);
    if (kind === 'static' && given.cwl === undefined) return bindWeights(given, gains, model());
    return bindCwl(given, gains, model);
  };
  return {
    name,
    params: { ...params, ...scaleParams, residual: { type: 'boolean', default: false }, ...cwlParams },
    ...(at === undefined ? {} : { at }),
    aggregate: 'mean',
    range: [0, 1],
    direction: 'higher',
    bind,
    ...(kind === 'static' ? { expected: (given, passes) => (given.residual === true ? undefined : bind(given, passes)) } : {}),
  };
}

/** The amount of gain that the reader is after, in documents of full gain. */
const target: ParamSpec = { type: 'number', default: 1, min: 0 };
const real = (otherwise: number): ParamSpec => ({ type: 'number', default: otherwise });

const square = (x: number): number => x * x;
/** INSQ's chance to go on from a rank. */
const insqNext = (rank: number, goal: number): number => square((rank + 2 * goal - 1) / (rank + 2 * goal));

/** INSQ: the rate of gain for a reader who came for T documents and grows more patient with the rank. */
export const insq: MeasureDef = userModel('INSQ', 'static', { T: target }, (params) => {
  const goal = numberParam(params, 'T');
  return () => (rank) => insqNext(rank, goal);
});

/** INST: as INSQ, for a reader who also grows less eager as the goal comes near. */
export const inst: MeasureDef = userModel('INST', 'adaptive', { T: { ...target, min: 0.5 } }, (params) => {
  const goal = numberParam(params, 'T');
  return () => (rank, _, gained) => {
    const ahead = rank + 2 * goal - gained;
    return square((ahead - 1) / ahead);
  };
});

/** SDCG: DCG relative to a ranking of nothing but perfect documents, whether or not they exist. */
export const sdcg: MeasureDef = userModel(
  'SDCG',
  'static',
  { cutoff: cutoffParam },
  (params) => {
    const cutoff = numberParam(params, 'cutoff');
    return () => (rank) => (rank < cutoff ? log2OfInteger(rank + 1) / log2OfInteger(rank + 2) : 0);
  },
  'cutoff',
);

/** BPM: the rate of gain for a reader who stops when enough was gained or enough was read. */
export const bpm: MeasureDef = userModel(
  'BPM',
  'adaptive',
  { cutoff: cutoffParam, T: target, hb: real(0), hc: real(0), gain_med: real(0.5) },
  (params) => {
    const { hb, hc, gain_med: median } = params as Readonly<Record<string, number>>;
    return () => {
      let goal = numberParam(params, 'T');
      let patience = numberParam(params, 'cutoff');
      return (rank, gain, gained) => {
        const goesOn = gained < goal && rank < patience;
        goal += hb * (gain - median);
        patience += hc * (gain - median);
        return goesOn ? 1 : 0;
      };
    };
  },
  'cutoff',
);

/** NERR8: the rate of gain for a reader who stops at good documents, and at rank k in any case (equation 8 of its paper). */
export const nerr8: MeasureDef = userModel(
  'NERR8',
  'adaptive',
  { cutoff: cutoffParam },
  (params) => {
    const cutoff = numberParam(params, 'cutoff');
    return () => (rank, gain) => (rank < cutoff ? 1 - gain : 0);
  },
  'cutoff',
);

/** NERR9: as NERR8, for a reader who grows more patient with the rank (equation 9). */
export const nerr9: MeasureDef = userModel(
  'NERR9',
  'adaptive',
  { cutoff: cutoffParam },
  (params) => {
    const cutoff = numberParam(params, 'cutoff');
    return () => (rank, gain) => (rank < cutoff ? (rank / (rank + 1)) * (1 - gain) : 0);
  },
  'cutoff',
);

/** NERR10: as NERR8, for a reader who goes on from a poor document with probability p (equation 10). */
export const nerr10: MeasureDef = userModel('NERR10', 'adaptive', { p: { type: 'number', default: 0.9, min: 0, max: 1 } }, (params) => {
  const p = numberParam(params, 'p');
  return () => (_, gain) => p * (1 - gain);
});

/** NERR11: as NERR8, for a reader who goes on from a poor document as that of INSQ does (equation 11). */
export const nerr11: MeasureDef = userModel('NERR11', 'adaptive', { T: target }, (params) => {
  const goal = numberParam(params, 'T');
  return () => (rank, gain) => insqNext(rank, goal) * (1 - gain);
});

/** UMeasure: gain that loses worth in proportion to what was read before it. */
export const uMeasure: MeasureDef = userModel('UMeasure', 'static', { L: { type: 'number', default: 1000, min: 1 } }, (params) => {
  const length = numberParam(params, 'L');
  return () => (rank) => (rank < length ? (length - rank) / (length - rank + 1) : 0);
});

/** IFT: the rate of gain for a reader who stops on reaching a goal, or when too little is gained per document. */
export const ift: MeasureDef = userModel(
  'IFT',
  'adaptive',
  {
    model: choiceParam('goal-rate', 'goal', 'rate'),
    T: { ...target, default: 2 },
    b1: real(0.9),
    R1: real(10),
    A: real(0.2),
    b2: real(0.9),
    R2: real(10),
  },
  (params) => {
    const { T, b1, R1, A, b2, R2 } = params as Readonly<Record<string, number>>;
    const goal = (gained: number): number => 1 - 1 / (1 + b1 * Math.exp((T - gained) * R1));
    const rate = (gained: number, rank: number): number => 1 / (1 + b2 * Math.exp((A - gained / rank) * R2));
    return () => (rank, _, gained) => (params.model === 'rate' ? 1 : goal(gained)) * (params.model === 'goal' ? 1 : rate(gained, rank));
  },
);
