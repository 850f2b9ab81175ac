export type { Convention } from './convention.js';
export { conventionNames, conventions, findConvention, gradusConvention } from './registry.js';
export type { FastRequest, FastResult, TrecEvalHost } from './trec-eval/host.js';
export { runTrecEval } from './trec-eval/run-trec-eval.js';
