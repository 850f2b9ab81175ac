/** Options of LambdaMART as XGBoost has them. */
import { InputError, type Problem } from '../../core/problem.js';
import { withSizedOptions } from '../../ltr/learners/size-defaults.js';
import { checkOptions, type GivenOptions } from '../../ltr/options.js';
import type { Learner, OptionValue } from '../../ltr/ranker.js';
import type { Measure } from '../../measures/measure.js';
import type { EngineTrainingRequest, TrainerParameters } from '../engine.js';

/** What XGBoost calls the options that it has too. */
const sameOptions: Readonly<Record<string, string>> = {
  rate: 'learning_rate',
  leaves: 'max_leaves',
  depth: 'max_depth',
  minHessian: 'min_child_weight',
  minGain: 'gamma',
  l2: 'reg_lambda',
  l1: 'reg_alpha',
  maxStep: 'max_delta_step',
  bins: 'max_bin',
  featureSample: 'colsample_bytree',
  nodeFeatureSample: 'colsample_bynode',
  rowSample: 'subsample',
  truncation: 'lambdarank_num_pair_per_sample',
  normalise: 'lambdarank_normalization',
};

/** Options that say how XGBoost is asked, without a name of their own there. */
const otherOptions: readonly string[] = ['trees', 'sampleBy', 'defaults'];

/** The highest label for which 2^label fits where XGBoost keeps it. */
const HIGHEST_EXPONENT = 31;

/** The parameters of XGBoost for these options of LambdaMART and this objective. Trees, rate, leaves and truncation are those of LambdaMART where
 *  nobody gave them; all else is as XGBoost has it.
 *  @param spelling  how options are written in messages
 *  @throws An `InputError` that names every option that XGBoost does not have. */
export function xgboostTraining(
  learner: Learner,
  given: GivenOptions,
  objective: Measure,
  seed: number,
  spelling: (option: string) => string = (option) => option,
): Pick<EngineTrainingRequest, 'trees' | 'parametersFor' | 'labels' | 'relevantFrom'> {
  const complete = checkOptions(learner, given);
  const problems: Problem[] = Object.keys(given)
    .filter((option) => !Object.hasOwn(sameOptions, option) && !otherOptions.includes(option))
    .map((option) => ({ message: `XGBoost, which trains on Spark, has no --${spelling(option)}`, wayOut: 'leave it out' }));
  if (Object.hasOwn(given, 'rowSample') && complete.sampleBy !== 'document') {
    problems.push({
      message: `XGBoost, which trains on Spark, draws documents and not queries for --${spelling('rowSample')}`,
      wayOut: `add --${spelling('sampleBy')} document`,
    });
  }
  if (problems.length > 0) throw new InputError(problems);
  const { goal, ...labels } = goalOf(objective);
  const known = (option: string, value: OptionValue): [string, number | string | boolean][] =>
    typeof value === 'object' ? [] : [[sameOptions[option], value]];
  return {
    ...labels,
    trees: Number(complete.trees),
    parametersFor: (numDocuments): TrainerParameters => {
      const sized = withSizedOptions(complete, numDocuments);
      const asked = ['rate', 'leaves', 'truncation', ...Object.keys(given).filter((option) => Object.hasOwn(sameOptions, option))];
      return {
        ...goal,
        tree_method: 'hist',
        grow_policy: 'lossguide',
        // leaves decide, unless somebody asks for a depth
        max_depth: 0,
        lambdarank_pair_method: 'topk',
        ...Object.fromEntries([...new Set(asked)].flatMap((option) => known(option, sized[option]))),
        random_state: seed,
      };
    },
  };
}

function goalOf(objective: Measure): Pick<EngineTrainingRequest, 'labels' | 'relevantFrom'> & { readonly goal: TrainerParameters } {
  const { def, params, text } = objective;
  if (
    def.name === 'nDCG' &&
    params.discount === 'log2' &&
    (params.gain === 'exp' || params.gain === 'linear') &&
    params.gains === undefined
  ) {
    const isExponential = params.gain === 'exp';
    return {
      goal: { objective: 'rank:ndcg', ndcg_exp_gain: isExponential },
      labels: { highest: isExponential ? HIGHEST_EXPONENT : Number.MAX_VALUE, isWhole: isExponential },
    };
  }
  if (def.name === 'AP' && typeof params.rel === 'number') {
    return { goal: { objective: 'rank:map' }, labels: { highest: Number.MAX_VALUE, isWhole: false }, relevantFrom: params.rel };
  }
  throw new InputError({
    message: `XGBoost, which trains on Spark, cannot optimise ${text}`,
    wayOut: "take nDCG@10, nDCG(gain='exp')@10 or AP; any measure can be reported with -m",
  });
}
