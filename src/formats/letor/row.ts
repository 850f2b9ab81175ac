import { kernelLoader, kernelMemory, startKernel } from '../../core/kernel.js';
import { letorRowWasm } from '../text/kernels/letor-row.wasm.js';

/** A quick reader of rows of features. It knows the plainest form only and leaves all else to `LetorLines`. */
export interface LetorRowKernel {
  /** Room for text; only text in it can be read. */
  readonly text: Uint8Array;
  /** Room for values: as many as the text can hold. */
  readonly values: Float64Array;
  /** Room for the columns of as many values. */
  readonly columns: Uint32Array;
  /** How many features were read the last time; and after `readSparse`, the least id that may follow. */
  readonly told: Uint32Array;
  /** Reads features of the text from `at` on, the first of which must have the smallest id and the others those that follow, into the
   *  values from `count` on. Returns where it stopped, behind the last of them. */
  read(at: number, count: number): number;
  /** The same for any ids that ascend, whose columns are also noted. */
  readSparse(at: number, count: number): number;
}

// addresses as `kernels/letor-row.as.ts` has them
const TOLD = 64;
const POWERS = 1024;
const PICKS = 2048;
const IDS = 8192;
const ID_SIZE = 24;
/** Ids beyond are read the slow way. */
const MAX_IDS = 4096;
const TEXT = 131072;
const READ_AHEAD = 64;
/** Text that a value takes at least, with its id and a blank. */
const SHORTEST_VALUE = 4;
const LONGEST = 16;

const loadKernel = kernelLoader(letorRowWasm);

/** Both take where text and values are and where the values must end; the others belong to one of them. */
type Read = (at: number, values: number, limit: number, ...more: number[]) => number;

/** The kernel with room for so many bytes of text, or undefined where WebAssembly, its SIMD instructions or memory are missing.
 *  @param firstFeature  the smallest id */
export function createLetorRowKernel(textBytes: number, firstFeature: number): LetorRowKernel | undefined {
  const module = loadKernel();
  if (module === undefined) return undefined;
  const valuesAt = Math.ceil((TEXT + textBytes + READ_AHEAD) / 8) * 8;
  const numValues = Math.ceil(textBytes / SHORTEST_VALUE);
  const columnsAt = valuesAt + numValues * 8;
  const numBytes = columnsAt + numValues * 4;
  const memory = kernelMemory(numBytes);
  if (memory === undefined) return undefined;
  fillTables(memory.buffer, firstFeature);
  const { readFeatures, readSparse } = startKernel<Record<'readFeatures' | 'readSparse', Read>>(module, memory);
  const text = new Uint8Array(memory.buffer, TEXT, textBytes);
  const values = new Float64Array(memory.buffer, valuesAt, numValues);
  return {
    text,
    values,
    // fits: columns, at most 999,999,999, as ids have nine digits, and counts of values
    columns: new Uint32Array(memory.buffer, columnsAt, numValues),
    told: new Uint32Array(memory.buffer, TOLD, 2), // fits: columns, at most 999,999,999, as ids have nine digits, and counts of values
    read: (at, count) => readFeatures(TEXT + at, valuesAt + count * 8, columnsAt, IDS, IDS + MAX_IDS * ID_SIZE, TOLD) - TEXT,
    readSparse: (at, count) =>
      readSparse(TEXT + at, valuesAt + count * 8, columnsAt, columnsAt + count * 4, firstFeature, firstFeature, TOLD) - TEXT,
  };
}

function fillTables(buffer: ArrayBuffer, firstFeature: number): void {
  const bytes = new Uint8Array(buffer); // fits: places of digits in a number of at most LONGEST, and 255
  const view = new DataView(buffer);
  for (let exponent = 0; exponent < LONGEST; exponent++) view.setFloat64(POWERS + exponent * 8, 10 ** exponent, true);
  for (let length = 0; length < LONGEST; length++) {
    for (let pointAt = 0; pointAt <= length; pointAt++) {
      const digits = Array.from({ length }, (_, i) => i).filter((i) => i !== pointAt);
      const at = PICKS + (length * LONGEST + pointAt) * LONGEST;
      // 255 picks a zero
      bytes.fill(255, at, at + LONGEST - digits.length);
      bytes.set(digits, at + LONGEST - digits.length);
    }
  }
  for (let i = 0; i < MAX_IDS; i++) {
    const at = IDS + i * ID_SIZE;
    const text = ` ${firstFeature + i}:`;
    for (let k = 0; k < text.length; k++) {
      bytes[at + k] = text.charCodeAt(k);
      bytes[at + 8 + k] = 255;
    }
    view.setUint32(at + 16, text.length, true);
  }
}
