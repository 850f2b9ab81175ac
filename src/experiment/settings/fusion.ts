import { readMeasures } from '../../conventions/read-measures.js';
import { InputError } from '../../core/problem.js';
import { type FusionParameterName, findFusionMethod, fusionMethodNames, fusionMethods } from '../../fusion/methods.js';
import { findNormalisation, normalisations } from '../../fusion/normalise.js';
import { type FuseOptions, fusionParams, tuningDirection } from '../../fusion/options.js';
import type { TuneOptions } from '../../fusion/tune.js';
import { type GivenWeights, readWeights } from './fusion-weights.js';
import type { NumberSetting, SettingsOf } from './setting.js';

/** The parameter of a method, as the method declares it. */
function parameterOf(name: FusionParameterName, help: string): NumberSetting {
  const method = fusionMethods.find(({ parameter }) => parameter?.name === name);
  return { ...method?.parameter, type: 'number', value: 'NUMBER', help: `of ${method?.name}: ${help}` };
}

/** How runs are fused. */
export const fusionSettings: SettingsOf<Omit<FuseOptions, 'weights'> & { readonly weights: GivenWeights }> = {
  method: {
    type: 'text',
    value: 'METHOD',
    choices: fusionMethodNames,
    default: 'rrf',
    help: 'how scores are fused, also by the names of ranx and trectools',
    read: (text) => findFusionMethod(text).name,
  },
  norm: {
    type: 'text',
    value: 'NORM',
    choices: normalisations,
    help: 'how the scores of a run and topic are made comparable, for methods that look at scores',
    defaultText: 'min-max',
    read: findNormalisation,
  },
  weights: {
    value: 'LIST',
    help: 'a weight for each run, by order (0.3,0.7) or by name (bm25=0.3,neural=0.7)',
    read: readWeights,
  },
  k: parameterOf('k', 'how little the first ranks stand out'),
  p: parameterOf('p', 'the persistence'),
  gamma: parameterOf('gamma', 'how much the number of runs counts'),
  sigma: parameterOf('sigma', 'the floor'),
  absent: {
    ...fusionParams.absent,
    value: 'WHAT',
    choiceTexts: { zero: 'nothing', least: 'the least score of the run on the topic' },
    help: 'what a document gets from a run that left it out, with combsum and wsum',
  },
  topics: {
    ...fusionParams.topics,
    value: 'POLICY',
    choiceTexts: { union: 'are fused from those', common: 'are left out', error: 'are refused' },
    help: 'topics that only some runs answer',
  },
  ties: {
    ...fusionParams.ties,
    value: 'ORDER',
    choiceTexts: { docno: 'by id, descending', 'docno-ascending': 'by id, ascending', file: 'as they stand' },
    help: 'how documents of equal score are ranked within a run',
  },
  window: { ...fusionParams.window, value: 'N', help: 'look only at the first N documents of each run and topic' },
  depth: { ...fusionParams.depth, value: 'N', help: 'documents written for each topic' },
  name: { value: 'TAG', help: 'the tag of the fused run', defaultText: "the method's name" },
};

/** How weights are chosen. */
export const tuningSettings: SettingsOf<
  Pick<TuneOptions, 'folds' | 'search' | 'step'> & { readonly tune: string; readonly qrels: string; readonly trainTopics: string }
> = {
  tune: { value: 'MEASURE', help: 'choose the weights by this measure', complete: 'measure', check: checkTuned },
  qrels: { value: 'FILE', file: 'input', help: 'the judgements to tune by' },
  folds: {
    type: 'integer',
    value: 'N',
    min: 2,
    help: 'test each of N parts of the judged topics with weights from the others',
    defaultText: '5',
  },
  trainTopics: {
    value: 'FILE',
    file: 'input',
    help: 'choose the weights on the topics of this file, one id to a line, and test them on all others',
  },
  search: {
    value: 'WAY',
    choices: ['grid', 'coordinate'],
    choiceTexts: { grid: 'try all weights that add up to 1', coordinate: 'change one at a time' },
    help: 'how weights are searched',
    defaultText: 'grid up to 300 of them, then coordinate',
  },
  step: { type: 'number', value: 'SIZE', default: 0.1, help: 'the distance of neighbouring weights' },
};

function checkTuned(text: string): void {
  const measures = readMeasures([text]);
  if (measures.length !== 1) throw new InputError(`--tune: expected one measure, found ${measures.length} in ${text}`);
  tuningDirection(measures[0]);
}
