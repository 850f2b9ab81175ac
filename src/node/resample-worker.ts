import { type SharedWork, takePieces } from './resample.js';

/** What another thread does for `runTasks`. */
export function work(shared: unknown): void {
  takePieces(shared as SharedWork);
}
