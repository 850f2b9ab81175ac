import type { LineScanner, LineScannerOptions } from './line-scanner.js';
import { createJsLineScanner } from './line-scanner-js.js';

/** The fastest scanner that runs here. */
export function createLineScanner(options: LineScannerOptions): LineScanner {
  return createJsLineScanner(options);
}
