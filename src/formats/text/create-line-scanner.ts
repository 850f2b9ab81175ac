import type { LineScanner, LineScannerOptions } from './line-scanner.js';
import { createJsLineScanner } from './line-scanner-js.js';
import { createWasmLineScanner } from './line-scanner-wasm.js';

/** The fastest scanner that runs here. */
export function createLineScanner(options: LineScannerOptions): LineScanner {
  const scanner = options.wasm === false ? undefined : createWasmLineScanner(options);
  if (scanner === undefined && options.wasm === true) throw new Error('WebAssembly with SIMD instructions is not available here');
  return scanner ?? createJsLineScanner(options);
}
