import { fileInput, findMeasures, joinQrels, StreamEvaluator, type StreamResult, type StreamTask } from './stream-task.js';

/** What a team of threads calls for `evaluateRunFile`: takes parts of the same file from the same counter. */
export function work(task: StreamTask): StreamResult {
  const evaluator = new StreamEvaluator(task, findMeasures(task.measures), joinQrels(task.qrels));
  evaluator.work((from) => fileInput(task.file, from));
  return evaluator.result();
}
