import type { GainTable, ParamSpec } from '../../core/params.js';
import { meanOfShares } from '../define.js';
import type { GainPass, GainRule } from '../gain-pass.js';
import type { MeasureDef, Params } from '../measure.js';
import { choiceParam, depthOf, depthParam, numberParam, relParam } from '../measure.js';
import type { Passes, UnjudgedPass } from '../passes.js';
import { maxRelParam, scaledGains } from '../scale.js';
import { isCut } from '../tied.js';
import { bindCwl, bindResidual, cwlParams } from './cwl.js';

const persistence: ParamSpec = { type: 'number', default: 0.8, min: 0, below: 1 };

/** RBP: the rate of gain for a reader who goes on from rank to rank with a fixed probability. */
export const rbp: MeasureDef = {
  name: 'RBP',
  params: {
    p: persistence,
    cutoff: depthParam,
    rel: relParam,
    gain: choiceParam('binary', 'linear', 'exp', 'range', 'grade'),
    level: { type: 'number', default: undefined },
    max_rel: maxRelParam,
    gains: { type: 'gains', default: undefined },
    ideal_order: choiceParam('exact', 'whole'),
    residual: { type: 'boolean', default: false },
    ...cwlParams,
  },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const p = numberParam(params, 'p');
    const cutoff = depthOf(params);
    if (params.residual === true && params.cwl === undefined) {
      const unjudged = passes.unjudged();
      return ({ numRetrieved }) => {
        const depth = Math.min(cutoff, numRetrieved);
        return p ** depth + (1 - p) * unjudgedWeight(unjudged, depth, p);
      };
    }
    const gains = rbpGains(params, passes);
    if (params.cwl !== undefined) {
      const model = () => (): number => p;
      return params.residual === true ? bindResidual(params, gains, 1, model) : bindCwl(params, gains, model);
    }
    return ({ numRetrieved }) => {
      const { ranked } = gains;
      const depth = Math.min(cutoff, numRetrieved);
      let weight = 1;
      let sum = 0;
      for (let i = 0; i < depth; i++) {
        if (ranked[i] !== 0) sum += ranked[i] * weight;
        weight *= p;
      }
      return (1 - p) * sum;
    };
  },
  expected: (params, passes) => (params.residual === true && params.cwl !== undefined ? undefined : rbp.bind?.(params, passes)),
};

function rbpGains(params: Params, passes: Passes): GainPass {
  const table: Pick<GainRule, 'table' | 'idealOrder'> = {
    table: params.gains as GainTable | undefined,
    idealOrder: params.ideal_order as 'exact' | 'whole',
  };
  switch (params.gain) {
    case 'linear':
    case 'exp':
      return scaledGains(params, passes, params.gain);
    case 'range':
      return passes.gains({ gain: 'linear', ...table, scaled: true });
    case 'grade':
      return passes.gains({ gain: 'linear', ...table, from: params.level as number | undefined });
    default:
      return passes.gains({ gain: 'binary', level: numberParam(params, 'rel') });
  }
}

/** The sum of the weights of the unjudged documents among the first so many. */
function unjudgedWeight({ counts }: UnjudgedPass, depth: number, p: number): number {
  let weight = 1;
  let sum = 0;
  for (let i = 0; i < depth; i++) {
    if (counts[i + 1] !== counts[i]) sum += (counts[i + 1] - counts[i]) * weight;
    weight *= p;
  }
  return sum;
}

/** RBPResidual: how much RBP could still rise if everything unjudged were relevant. */
export const rbpResidual: MeasureDef = {
  name: 'RBPResidual',
  params: { p: persistence },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'lower',
  bind(params, passes) {
    const p = numberParam(params, 'p');
    const unjudged = passes.unjudged();
    return ({ numRetrieved }) => {
      if (unjudged.counts[numRetrieved] === 0) return 0;
      let weight = 1;
      for (let i = 0; i < numRetrieved; i++) weight *= p;
      return weight + (1 - p) * unjudgedWeight(unjudged, numRetrieved, p);
    };
  },
  expected: (params, passes) => {
    const compute = rbpResidual.bind?.(params, passes);
    return compute && ((topic) => (isCut(topic) ? undefined : compute(topic)));
  },
};
