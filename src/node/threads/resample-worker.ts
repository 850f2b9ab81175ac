import { type SharedWork, takeParts } from './resample.js';

/** What another thread does for `runTasks`. */
export function work(shared: unknown): void {
  takeParts(shared as SharedWork);
}
