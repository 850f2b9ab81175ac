import { closest } from '../core/closest.js';
import type { ParamSpec } from '../core/params.js';
import { InputError } from '../core/problem.js';

/** The methods by the short names that options and tables use. */
export type FusionMethodName =
  | 'combsum'
  | 'combmnz'
  | 'combmin'
  | 'combmax'
  | 'combmed'
  | 'combanz'
  | 'combgmnz'
  | 'wsum'
  | 'wmnz'
  | 'mixed'
  | 'rrf'
  | 'isr'
  | 'logisr'
  | 'lognisr'
  | 'rbc'
  | 'borda'
  | 'condorcet';

/** The parameters that single methods have beyond weights. */
export type FusionParameterName = 'k' | 'p' | 'gamma' | 'sigma';

/** A way to make one ranking of several, as a record in the list of methods. */
export interface FusionMethod {
  readonly name: FusionMethodName;
  /** As papers write it. */
  readonly title: string;
  /** What other libraries call it, in lower case without hyphens and underscores. */
  readonly aliases: readonly string[];
  /** What it looks at: scores, which have to be made comparable first, or ranks. */
  readonly from: 'scores' | 'ranks';
  /** Whether runs may have weights, or must have them. */
  readonly weights: 'none' | 'optional' | 'required';
  /** The one parameter that it may have; without a default, the caller has to say. */
  readonly parameter?: ParamSpec & { readonly name: FusionParameterName };
  /** The fused score of a document, in words and signs. */
  readonly help: string;
  readonly doi?: string;
}

/** Every method, in the order of the help. In the formulas s is a normalised score, r a rank from 1, n the number of runs that
 *  retrieved the document, and sums run over these. */
export const fusionMethods: readonly FusionMethod[] = [
  { name: 'combsum', title: 'CombSUM', aliases: ['sum'], from: 'scores', weights: 'optional', help: 'the sum of scores' },
  { name: 'combmnz', title: 'CombMNZ', aliases: ['mnz'], from: 'scores', weights: 'optional', help: 'the sum of scores times n' },
  { name: 'combmin', title: 'CombMIN', aliases: ['min'], from: 'scores', weights: 'none', help: 'the least score' },
  { name: 'combmax', title: 'CombMAX', aliases: ['max'], from: 'scores', weights: 'none', help: 'the greatest score' },
  { name: 'combmed', title: 'CombMED', aliases: ['med'], from: 'scores', weights: 'none', help: 'the median of the scores' },
  { name: 'combanz', title: 'CombANZ', aliases: ['anz'], from: 'scores', weights: 'optional', help: 'the sum of scores divided by n' },
  {
    name: 'combgmnz',
    title: 'CombGMNZ',
    aliases: ['gmnz'],
    from: 'scores',
    weights: 'optional',
    parameter: { name: 'gamma', type: 'number', min: 0, max: 100 },
    help: 'the sum of scores times n to the power of gamma',
    doi: '10.1145/258525.258587',
  },
  {
    name: 'wsum',
    title: 'weighted sum',
    aliases: ['weightedsum', 'linear'],
    from: 'scores',
    weights: 'required',
    help: 'the sum of weight times score',
  },
  {
    name: 'wmnz',
    title: 'weighted MNZ',
    aliases: ['weightedmnz'],
    from: 'scores',
    weights: 'required',
    help: 'the sum of scores times the sum of the weights of the runs that retrieved the document',
    doi: '10.1145/584792.584908',
  },
  {
    name: 'mixed',
    title: 'mixed',
    aliases: [],
    from: 'scores',
    weights: 'required',
    help: 'the sum of weight times score, times the root of n',
    doi: '10.1145/584792.584908',
  },
  {
    name: 'rrf',
    title: 'reciprocal rank fusion',
    aliases: ['reciprocalrankfusion'],
    from: 'ranks',
    weights: 'optional',
    parameter: { name: 'k', type: 'number', default: 60, min: 0, max: 1e9 },
    help: 'the sum of 1/(k + r)',
    doi: '10.1145/1571941.1572114',
  },
  {
    name: 'isr',
    title: 'inverse square rank',
    aliases: [],
    from: 'ranks',
    weights: 'optional',
    help: 'the sum of 1/r² times n',
    doi: '10.1016/j.compmedimag.2014.05.006',
  },
  {
    name: 'logisr',
    title: 'logarithmic inverse square rank',
    aliases: [],
    from: 'ranks',
    weights: 'optional',
    help: 'the sum of 1/r² times ln n: 0 for what only one run retrieved',
    doi: '10.1016/j.compmedimag.2014.05.006',
  },
  {
    name: 'lognisr',
    title: 'logarithmic inverse square rank with a floor',
    aliases: [],
    from: 'ranks',
    weights: 'optional',
    parameter: { name: 'sigma', type: 'number', default: 0.01, min: 0, max: 1 },
    help: 'the sum of 1/r² times ln(n + sigma)',
    doi: '10.1016/j.compmedimag.2014.05.006',
  },
  {
    name: 'rbc',
    title: 'rank-biased centroid',
    aliases: ['rankbiasedcentroid', 'rbpfusion', 'rankbiasedprecisionfusion'],
    from: 'ranks',
    weights: 'optional',
    parameter: { name: 'p', type: 'number', default: 0.8, min: 0, max: 1, exclusive: true },
    help: 'the sum of (1 − p) times p to the power of r − 1',
    doi: '10.1145/3077136.3080839',
  },
  {
    name: 'borda',
    title: 'Borda count',
    aliases: ['bordafuse', 'bordacount', 'wbordafuse', 'weightedbordafuse'],
    from: 'ranks',
    weights: 'optional',
    help: 'the sum of points: of c documents the first gets c, the next c − 1 …; those a run left out share its remaining points',
    doi: '10.1145/383952.384007',
  },
  {
    name: 'condorcet',
    title: 'Condorcet fusion',
    aliases: ['condorcetfuse', 'wcondorcet', 'weightedcondorcet'],
    from: 'ranks',
    weights: 'optional',
    help: 'no document stands above one that most runs prefer to it directly; the scores only tell the order',
    doi: '10.1145/584792.584881',
  },
];

/** The names of all methods, in the order of the list. */
export const fusionMethodNames: readonly FusionMethodName[] = fusionMethods.map(({ name }) => name);

/** Finds a method by its name in any usual spelling: `CombSUM`, `comb_sum`, `sum`. */
export function findFusionMethod(name: string): FusionMethod {
  const key = name.toLowerCase().replace(/[-_\s]/g, '');
  const found = fusionMethods.find((method) => method.name === key || method.aliases.includes(key));
  if (found !== undefined) return found;
  const close = closest(key, fusionMethodNames);
  throw new InputError({
    message: `${name === '' ? 'an empty name' : name} is no method of fusion, expected one of ${fusionMethodNames.join(', ')}`,
    wayOut: close === undefined ? undefined : `did you mean ${close}?`,
  });
}
