import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { fileSource, findMeasures, joinQrels, StreamEvaluator, type StreamTask } from './stream-task.js';

/** One more thread of `evaluateRunFile`: takes stretches of the same file from the same counter. */
const task = workerData as StreamTask;
const evaluator = new StreamEvaluator(task, findMeasures(task.measures), joinQrels(task.qrels));
const file = openSync(task.path, 'r');
evaluator.work((from) => fileSource(file, from));
closeSync(file);
const result = evaluator.result();
parentPort?.postMessage(result, [result.topics.buffer as ArrayBuffer, result.values.buffer as ArrayBuffer]);
