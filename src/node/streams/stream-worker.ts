import { fileInput, received, StreamEvaluator, type StreamResult, type StreamTask } from './stream-task.js';

/** What a team of threads calls for `evaluateRunFile`: takes parts of the same file from the same counter. */
export function work(task: StreamTask): StreamResult {
  const { measures, qrels } = received(task);
  const evaluator = new StreamEvaluator(task, measures, qrels);
  evaluator.work((from) => fileInput(task.file, from));
  return evaluator.result();
}
