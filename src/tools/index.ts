/** Programs that behave as another tool to the byte, with that tool's own arguments. */

export { readFileText, ToolExit, type ToolHost } from './host.js';
export { runLetor } from './letor/run-letor.js';
export { runLetorTtest } from './letor/ttest.js';
export type { RankList } from './ranklib/lists.js';
export { parseRankLibOptions, type RankLibOptions } from './ranklib/options.js';
export { readRankLibModel } from './ranklib/read-model.js';
export { type ListScorer, runRankLib } from './ranklib/run-ranklib.js';
export { type RankLibFile, type RankLibTrainingHost, runRankLibTraining } from './ranklib/train.js';
export { trains } from './ranklib/training-options.js';
export type { FastRequest, FastResult, TrecEvalHost } from './trec-eval/host.js';
export { runTrecEval } from './trec-eval/run-trec-eval.js';
export { runTrecEval81, runTrecEval81Released } from './trec-eval-81/run-trec-eval-81.js';
export { runYahoo } from './yahoo/run-yahoo.js';
