import { emptyValue, type Measure, type MeasureDef, type Params } from './measure.js';
import { type PlanOptions, undefinedValueOf } from './plan.js';

/** Writes a topic's values to out[at], out[at + 1] … */
export type WriteValues<Topic> = (topic: Topic, out: Float64Array, at: number) => void;

/** Makes measures of one kind ready to be computed, for kinds that share nothing between measures. */
export function bindMeasures<Topic>(
  measures: readonly Measure[],
  bind: (def: MeasureDef) => ((params: Params) => (topic: Topic) => number) | undefined,
  isEmpty: (topic: Topic, params: Params) => boolean,
  options: PlanOptions,
): WriteValues<Topic> {
  const bound = measures.map((measure) => {
    const { def, params } = measure;
    const compute = bind(def)?.(params);
    if (compute === undefined) throw new Error(`${def.name} is not computed from this kind of judgements`);
    return { compute, params, undefinedValue: undefinedValueOf(measure, options), otherwise: def.undefinedValue ?? Number.NaN };
  });
  return (topic, out, at) => {
    for (const [m, { compute, params, undefinedValue, otherwise }] of bound.entries()) {
      if (params.empty !== undefined && isEmpty(topic, params)) {
        out[at + m] = emptyValue(params.empty);
        continue;
      }
      const value = compute(topic);
      out[at + m] = Number.isNaN(value) ? (params.empty === undefined ? undefinedValue : otherwise) : value;
    }
  };
}
