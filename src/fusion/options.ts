import type { TieOrder } from '../core/order.js';
import { type ParamSpec, type ParamValue, requireParam } from '../core/params.js';
import { InputError } from '../core/problem.js';
import type { Measure } from '../measures/measure.js';
import { type FusionMethod, type FusionMethodName, type FusionParameterName, findFusionMethod } from './methods.js';
import { findNormalisation, type ScoreNormalisation } from './normalise.js';

/** What becomes of a topic that only some runs answer: it is fused from those (*union*), left out (*common*), or refused. */
export type PartialTopics = 'union' | 'common' | 'error';

/** The words that `PartialTopics` allows, the default first. */
export const partialTopicsPolicies: readonly PartialTopics[] = ['union', 'common', 'error'];

/** What a document that a run left out gets from it: nothing, or the least score that the run gave on the topic. */
export type AbsentDocs = 'zero' | 'least';

/** The words that `AbsentDocs` allows, the default first. */
export const absentDocsPolicies: readonly AbsentDocs[] = ['zero', 'least'];

/** How runs are fused; everything has a default, except parameters for which none is known to be good. */
export interface FuseOptions {
  /** By name in any usual spelling; *rrf* by default. */
  readonly method?: FusionMethodName | (string & {}) | undefined;
  /** For methods that look at scores; *min-max* by default. */
  readonly norm?: ScoreNormalisation | (string & {}) | undefined;
  /** One for each run, in their order. */
  readonly weights?: readonly number[] | undefined;
  /** Of *rrf*, 60 by default. */
  readonly k?: number | undefined;
  /** Of *rbc*, 0.8 by default. */
  readonly p?: number | undefined;
  /** Of *combgmnz*. */
  readonly gamma?: number | undefined;
  /** Of *lognisr*, 0.01 by default. */
  readonly sigma?: number | undefined;
  /** For *combsum* and *wsum*; *zero* by default. */
  readonly absent?: AbsentDocs | undefined;
  /** *union* by default. */
  readonly topics?: PartialTopics | undefined;
  /** How documents of equal score are ranked within a run; *docno* by default, as trec_eval does. */
  readonly ties?: TieOrder | undefined;
  /** Only so many documents of each run and topic are looked at; all by default. */
  readonly window?: number | undefined;
  /** How many documents are kept for each topic, 1,000 by default. */
  readonly depth?: number | undefined;
  /** The tag of the result; the method's name by default. */
  readonly name?: string | undefined;
}

/** The options with everything decided. */
export interface FusionPlan {
  readonly method: FusionMethod;
  /** undefined for methods that look at ranks. */
  readonly norm: ScoreNormalisation | undefined;
  readonly parameter: number;
  readonly absent: AbsentDocs;
  readonly topics: PartialTopics;
  readonly ties: TieOrder;
  readonly window: number;
  readonly depth: number;
  readonly name: string;
}

const tieOrders: readonly TieOrder[] = ['docno', 'docno-ascending', 'file'];

type Choice<Word> = ParamSpec & { readonly choices: readonly Word[] };
type WholeNumber = ParamSpec & { readonly type: 'integer' };

/** What the options that are no names accept, and what holds without them. */
export const fusionParams: {
  readonly absent: Choice<AbsentDocs>;
  readonly topics: Choice<PartialTopics>;
  readonly ties: Choice<TieOrder>;
  readonly window: WholeNumber;
  readonly depth: WholeNumber;
} = {
  absent: { type: 'choice', default: 'zero', choices: absentDocsPolicies },
  topics: { type: 'choice', default: 'union', choices: partialTopicsPolicies },
  ties: { type: 'choice', default: 'docno', choices: tieOrders },
  window: { type: 'integer', min: 1 },
  depth: { type: 'integer', default: 1000, min: 1 },
};

/** Decides everything but the weights.
 *  @throws An `InputError` for what contradicts itself, instead of leaving an option without effect. */
export function planFusion(options: FuseOptions): FusionPlan {
  const method = findFusionMethod(options.method ?? 'rrf');
  const absent = checked('absent', options.absent);
  if (method.from === 'ranks' && options.norm !== undefined && findNormalisation(options.norm) !== 'none') {
    throw new InputError({
      message: `${method.name} looks at ranks only, the normalisation ${options.norm} would have no effect`,
      wayOut: 'leave it out, or fuse scores with combsum or wsum',
    });
  }
  const norm = method.from === 'ranks' ? undefined : findNormalisation(options.norm ?? 'min-max');
  if (absent === 'least' && (norm === 'borda' || !['combsum', 'wsum'].includes(method.name))) {
    throw new InputError({
      message: `documents that a run left out get its least score with combsum and wsum, found ${method.name}${norm === 'borda' ? ' with the normalisation borda, which has points for them' : ''}`,
      wayOut: 'use absent zero',
    });
  }
  return {
    method,
    norm,
    parameter: parameterOf(method, options),
    absent,
    topics: checked('topics', options.topics),
    ties: checked('ties', options.ties),
    window: checked('window', options.window) ?? Number.POSITIVE_INFINITY,
    depth: checked('depth', options.depth),
    name: options.name ?? method.name,
  };
}

/** What was given, if it is allowed; otherwise the default. Infinity stands for all documents. */
function checked<T extends ParamValue>(name: keyof typeof fusionParams, given: T | undefined): T {
  const spec = fusionParams[name];
  if (given === undefined) return spec.default as T;
  if (given !== Number.POSITIVE_INFINITY) requireParam(name, spec, given);
  return given;
}

const parameterNames: readonly FusionParameterName[] = ['k', 'p', 'gamma', 'sigma'];

function parameterOf(method: FusionMethod, options: FuseOptions): number {
  const { parameter } = method;
  for (const name of parameterNames) {
    if (options[name] !== undefined && name !== parameter?.name) {
      throw new InputError({
        message: `${method.name} has no parameter ${name}${parameter === undefined ? '' : `, only ${parameter.name}`}`,
        wayOut: 'leave it out',
      });
    }
  }
  if (parameter === undefined) return Number.NaN;
  const { name } = parameter;
  const value = options[name] ?? parameter.default;
  if (value === undefined) throw new InputError({ message: `${method.name} needs a value for ${name}`, wayOut: `try ${name} = 1` });
  requireParam(`${name} of ${method.name}`, parameter, value);
  return value as number;
}

/** The weights of the runs: as given, or all 1.
 *  @throws An `InputError` if their number or their values cannot be right, or the method knows none. */
export function weightsFor({ name, weights: wanted }: FusionMethod, given: readonly number[] | undefined, numRuns: number): Float64Array {
  if (given === undefined) {
    if (wanted === 'required') {
      throw new InputError({ message: `${name} needs a weight for each run`, wayOut: 'give weights, or have them tuned' });
    }
    return new Float64Array(numRuns).fill(1);
  }
  if (wanted === 'none') throw new InputError({ message: `${name} knows no weights`, wayOut: 'leave them out, or use wsum' });
  if (given.length !== numRuns) throw new InputError(`found ${given.length} weights for ${numRuns} runs, expected one for each`);
  for (const weight of given) requireParam('weight', { type: 'number', min: 0 }, weight);
  if (given.every((weight) => weight === 0)) throw new InputError('all weights are 0, expected one that is not');
  return Float64Array.from(given);
}

/** Whether weights are better with higher or with lower values of a measure. */
export function tuningDirection({ text, def }: Measure): 'higher' | 'lower' {
  const { direction = 'higher' } = def;
  if (direction !== 'neither') return direction;
  throw new InputError({
    message: `${text} says nothing about which weights are better`,
    wayOut: 'tune for a measure of quality, such as nDCG@10',
  });
}
