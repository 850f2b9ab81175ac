import type { TopicView } from '../core/judging/judge.js';
import type { ParamSpec } from '../core/params.js';
import type { MeasureDef, Params } from './measure.js';
import { depthOf, numberParam } from './measure.js';
import type { Passes, RelevancePass } from './passes.js';

type ParamSpecs = Readonly<Record<string, ParamSpec>>;
type Bind = (params: Params, passes: Passes) => (topic: TopicView) => number;

/** What most measures have in common: a mean over topics, from 0 to 1, the higher the better. */
export const meanOfShares = { aggregate: 'mean', range: [0, 1], direction: 'higher' } as const;

/** A record with what most measures have in common, unless it says otherwise: a mean over topics, from 0 to 1, the higher the
 *  better; `@` sets the cutoff if there is one. */
export function define(name: string, params: ParamSpecs, rest: Partial<MeasureDef>): MeasureDef {
  return {
    name,
    params,
    ...(params.cutoff === undefined ? {} : { at: 'cutoff' }),
    ...meanOfShares,
    ...rest,
  };
}

/** A measure of rankings that is linear in what the passes hold. */
export function linear(name: string, params: ParamSpecs, bind: Bind, rest: Partial<MeasureDef> = {}): MeasureDef {
  return define(name, params, { bind, expected: 'linear', ...rest });
}

/** A measure of rankings that is linear in the counts of relevant documents. */
export function ofHits(
  name: string,
  params: ParamSpecs,
  prepare: (relevance: RelevancePass, cutoff: number, params: Params, passes: Passes) => (topic: TopicView) => number,
  rest?: Partial<MeasureDef>,
): MeasureDef {
  return linear(name, params, (given, passes) => prepare(passes.relevance(numberParam(given, 'rel')), depthOf(given), given, passes), rest);
}
