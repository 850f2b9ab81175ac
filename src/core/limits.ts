import type { EvaluationLimit } from './evaluation-limits.js';
import { InputError } from './problem.js';

/** How much of anything Gradus takes from files and arguments, beyond the `evaluationLimits`. Each value is explained in
 *  `src/cli/print/limit-reference.ts`, from which `docs/limits.md` is made, and tried at the limit and one beyond it in `test/limits`. They
 *  are read where they are needed and never copied, so that tests can lower them for a moment. */
export const limits: Record<InputLimit, number> = {
  lineBytes: 2 ** 26,
  recordBytes: 2 ** 26,
  jsonTokenBytes: 2 ** 26,
  jsonNesting: 64,
  wholeFileBytes: 2 ** 28,
  columns: 2 ** 16,
  duckdbLineBytes: 10_000_000,
  zstdWindowBytes: 2 ** 27,
  decompressionRatio: 2000,
  threads: 1024,
  files: 2 ** 16,
  comparisons: 2 ** 20,
  weightSteps: 10_000,
  resamples: 100_000_000,
  seed: Number.MAX_SAFE_INTEGER,
  serveConnections: 256,
  serveHeaderBytes: 8 << 10,
  serveWaiting: 8,
  messageHeaderBytes: 2 ** 24,
  messageBodyBytes: 2 ** 31,
  heldInputs: 2 ** 10,
  features: 2 ** 20,
  cells: 2 ** 31,
  filledCells: 2 ** 30,
  cellsPerValue: 2 ** 13,
  thresholdCells: 2 ** 28,
  modelBytes: 500 * 2 ** 20,
  modelTrees: 2 ** 20,
  modelNodes: 2 ** 25,
  treeDepth: 1000,
  modelWeights: 2 ** 25,
};

/** All limits by name. */
export type LimitName = EvaluationLimit | InputLimit;

/** The limits that a file or an argument can reach. */
export type InputLimit =
  | 'lineBytes'
  | 'recordBytes'
  | 'jsonTokenBytes'
  | 'jsonNesting'
  | 'wholeFileBytes'
  | 'columns'
  | 'duckdbLineBytes'
  | 'decompressionRatio'
  | 'zstdWindowBytes'
  | 'threads'
  | 'files'
  | 'comparisons'
  | 'weightSteps'
  | 'resamples'
  | 'seed'
  | 'serveConnections'
  | 'serveHeaderBytes'
  | 'serveWaiting'
  | 'messageHeaderBytes'
  | 'messageBodyBytes'
  | 'heldInputs'
  | 'features'
  | 'cells'
  | 'filledCells'
  | 'cellsPerValue'
  | 'thresholdCells'
  | 'modelBytes'
  | 'modelTrees'
  | 'modelNodes'
  | 'treeDepth'
  | 'modelWeights';

/** However small a file is, so much is no burden. */
const ALWAYS_ALLOWED = 2 ** 20;

/** How much may become of so many compressed bytes. */
export function mostOf(numBytes: number): number {
  return ALWAYS_ALLOWED + limits.decompressionRatio * numBytes;
}

/** Refuses a file that has to be in memory as a whole to be understood, and is too large for that. */
export function checkWholeFile(source: string, numBytes: number): void {
  if (numBytes <= limits.wholeFileBytes) return;
  throw new InputError({
    source,
    message: `is larger than ${limits.wholeFileBytes} bytes, too large for a file that is read as a whole`,
    wayOut: 'check that it is the file that was meant',
  });
}

/** Below this many cells nobody asks how full a matrix is. */
const SMALL_MATRIX = 2 ** 24;

/** Refuses to fill up the rows of a sparse matrix if that would take much more memory than the matrix itself. */
export function checkFilledCells(numRows: number, numFeatures: number, numGiven: number): void {
  const numCells = numRows * numFeatures;
  const size = `${numRows} ${numRows === 1 ? 'document' : 'documents'} with ${numFeatures} features`;
  const wayOut = 'number the features without gaps, or take fewer of them; documents can be scored with any number';
  if (numCells > limits.filledCells) throw new InputError({ message: `${size} are more than ${limits.filledCells} cells to fill`, wayOut });
  if (numCells > SMALL_MATRIX && numCells > limits.cellsPerValue * numGiven) {
    throw new InputError({
      message: `${size}, of which ${numGiven} have a value, are more than ${limits.cellsPerValue} cells for each value`,
      wayOut,
    });
  }
}
