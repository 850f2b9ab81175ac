/** Programs that behave as another tool to the byte, with that tool's own arguments. */

export type { ToolHost } from './host.js';
export { runLetor } from './letor/run-letor.js';
export { runLetorTtest } from './letor/ttest.js';
export { runRankLib } from './ranklib/run-ranklib.js';
export type { FastRequest, FastResult, TrecEvalHost } from './trec-eval/host.js';
export { runTrecEval } from './trec-eval/run-trec-eval.js';
export { runTrecEval81 } from './trec-eval-81/run-trec-eval-81.js';
export { runYahoo } from './yahoo/run-yahoo.js';
