import { type FilesResult, type FilesTask, scoreFiles } from './stream-files.js';
import { received } from './stream-task.js';

/** What a team of threads calls for `evaluateRunFiles`: takes files from the same counter. */
export function work(task: FilesTask): FilesResult {
  return scoreFiles(task, received(task));
}
