/** Fuses several rankings into one, and tunes the weights on some topics while testing them on others. */

export { type Fused, fuse, fuseRuns } from './fuse.js';
export {
  type FusionMethod,
  type FusionMethodName,
  type FusionParameterName,
  findFusionMethod,
  fusionMethodNames,
  fusionMethods,
} from './methods.js';
export { findNormalisation, normalisations, type ScoreNormalisation } from './normalise.js';
export {
  type AbsentDocs,
  absentDocsPolicies,
  type FuseOptions,
  type PartialTopics,
  partialTopicsPolicies,
  planFusion,
  tuningDirection,
  weightsFor,
} from './options.js';
export { splitTopics, type TopicSplit } from './split.js';
export { EQUAL_WEIGHTS, TUNED_WEIGHTS, type TunedFusion, type TunedPart, type TuneOptions, tuneFusion } from './tune.js';
export { simplexGrid, type WeightSearch } from './weight-search.js';
