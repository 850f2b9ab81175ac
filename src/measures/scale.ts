import type { ParamSpec } from '../core/params.js';
import { InputError } from '../core/problem.js';
import type { GainPass } from './gain-pass.js';
import type { Params } from './measure.js';
import type { Passes } from './passes.js';

/** The top of the scale of grades: a number, or *data* for the highest grade in the judgements. */
export const maxRelParam: ParamSpec = { type: 'number', default: 'data', choices: ['data'] };

/** The two ends of the scale; grades beyond them count as the ends. */
export const scaleParams: Readonly<Record<'min_rel' | 'max_rel', ParamSpec>> = {
  min_rel: { type: 'number', default: 0, min: 0 },
  max_rel: maxRelParam,
};

/** The top of the scale of grades: the parameter `max_rel`, or else the highest grade of the judgements. */
export function maxRel(params: Params, passes: Passes): number {
  if (typeof params.max_rel === 'number') return params.max_rel;
  const { highestGrade } = passes.facts;
  if (highestGrade === undefined) {
    throw new InputError({
      message: 'the top of the scale of grades is not known here',
      wayOut: 'write it out, as in max_rel=4',
    });
  }
  return highestGrade > 0 ? highestGrade : 1;
}

/** Gains from 0 at `min_rel` to 1 at `max_rel`. */
export function scaledGains(params: Params, passes: Passes, gain: 'linear' | 'exp' = 'linear'): GainPass {
  const low = (params.min_rel as number | undefined) ?? 0;
  const high = maxRel(params, passes);
  if (low >= high) {
    throw new InputError({
      message: `min_rel must be below max_rel, found ${low} and ${high}`,
      wayOut: 'name the two ends of the scale of grades',
    });
  }
  return passes.gains({ gain, between: [low, high] });
}
