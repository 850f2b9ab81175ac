import type { TopicView } from '../../core/judging/judge.js';
import { InputError } from '../../core/problem.js';
import { meanOfShares } from '../define.js';
import type { MeasureDef, Params } from '../measure.js';
import { choiceParam, depthOf, depthParam, fractionParam, numberParam, relParam } from '../measure.js';
import type { Passes } from '../passes.js';
import { maxRel, maxRelParam } from '../scale.js';
import { expectedCascade } from '../tied.js';

const errParams = { cutoff: depthParam, max_rel: { ...maxRelParam, default: 4 }, gain: choiceParam('exp', 'exp-floor', 'linear') };

/** The probability that a document satisfies the reader, by its grade. */
export function satisfaction(params: Params, passes: Passes): (code: number) => number {
  const highest = maxRel(params, passes);
  const scale = params.gain === 'linear' ? highest + 1 : 2 ** highest;
  return (code) => {
    if (!(code > 0)) return 0;
    if (code > highest) {
      throw new InputError({
        message: `grade ${code} is above the top of the scale, which is ${highest}`,
        wayOut: "name the highest grade, as in ERR(max_rel=5), or take that of the judgements with max_rel='data'",
      });
    }
    const gain = params.gain === 'linear' ? code : 2 ** (params.gain === 'exp' ? code : Math.floor(code)) - 1;
    return gain / scale;
  };
}

function cascade(codes: Float64Array, start: number, depth: number, satisfies: (code: number) => number): number {
  let goesOn = 1;
  let sum = 0;
  for (let i = 0; i < depth; i++) {
    const satisfied = satisfies(codes[start + i]);
    if (satisfied === 0) continue;
    sum += (goesOn * satisfied) / (i + 1);
    goesOn *= 1 - satisfied;
  }
  return sum;
}

/** ERR: the reciprocal rank at which a reader is satisfied, who is the less likely to go on the better a document was. */
export const err: MeasureDef = {
  name: 'ERR',
  params: errParams,
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const satisfies = satisfaction(params, passes);
    const cutoff = depthOf(params);
    return ({ codes, start, numRetrieved }) => cascade(codes, start, Math.min(cutoff, numRetrieved), satisfies);
  },
  expected: (params, passes) => expectedErr(params, passes),
};

function expectedErr(params: Params, passes: Passes): (topic: TopicView) => number {
  const satisfies = satisfaction(params, passes);
  const cutoff = depthOf(params);
  return (topic) =>
    expectedCascade(
      topic,
      cutoff,
      satisfies,
      (code) => 1 - satisfies(code),
      (rank) => 1 / rank,
    );
}

/** nERR: ERR relative to the best order of the judged documents, so that topics with few good documents count as much as
 *  others. */
export const nErr: MeasureDef = {
  name: 'nERR',
  params: { ...errParams, max_rel: maxRelParam },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    return normalisedErr(params, passes, err.bind?.(params, passes));
  },
  expected: (params, passes) => normalisedErr(params, passes, expectedErr(params, passes)),
};

/** ERR divided by that of all judged documents, best first. */
function normalisedErr(params: Params, passes: Passes, compute: ((topic: TopicView) => number) | undefined): (topic: TopicView) => number {
  const satisfies = satisfaction(params, passes);
  const cutoff = depthOf(params);
  return (topic) => {
    const { judged, judgedStart, numJudged } = topic;
    const ideal = cascade(judged, judgedStart, Math.min(cutoff, numJudged), satisfies);
    return ideal > 0 && compute !== undefined ? compute(topic) / ideal : 0;
  };
}

/** The numbers of Smucker and Clarke's calibration, in seconds and probabilities. */
export const timeBiasedGain: MeasureDef = {
  name: 'TBG',
  aliases: ['TimeBiasedGain'],
  params: {
    rel: relParam,
    halflife: { type: 'number', default: 224, min: 0.001 },
    words: { type: 'number', default: 500, min: 0 },
    summary: { type: 'number', default: 4.4, min: 0 },
    click_rel: fractionParam(0.64),
    click_nonrel: fractionParam(0.39),
    save: fractionParam(0.77),
  },
  aggregate: 'mean',
  range: [0, Infinity],
  direction: 'higher',
  bind(params) {
    const { gainOf, keepOf } = timeModel(params);
    return ({ codes, start, numRetrieved }) => {
      let decay = 1;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        sum += decay * gainOf(codes[start + i]);
        decay *= keepOf(codes[start + i]);
      }
      return sum;
    };
  },
  expected: (params) => {
    const { gainOf, keepOf } = timeModel(params);
    return (topic) => expectedCascade(topic, Infinity, gainOf, keepOf, () => 1);
  },
};

/** What a document gains, and how much of all later gain is left after the time it takes. */
function timeModel(params: Params): { gainOf: (code: number) => number; keepOf: (code: number) => number } {
  const level = numberParam(params, 'rel');
  const reading = 0.018 * numberParam(params, 'words') + 7.8;
  const keep = (click: number): number => 2 ** (-(numberParam(params, 'summary') + reading * click) / numberParam(params, 'halflife'));
  const keepRelevant = keep(numberParam(params, 'click_rel'));
  const keepOther = keep(numberParam(params, 'click_nonrel'));
  const gain = numberParam(params, 'click_rel') * numberParam(params, 'save');
  return { gainOf: (code) => (code >= level ? gain : 0), keepOf: (code) => (code >= level ? keepRelevant : keepOther) };
}
