import type { FeatureMatrix, Features } from '../../core/feature-matrix.js';
import { idText } from '../../core/ids.js';
import { fixedLength, formatFixedInto } from '../../core/numbers/print.js';
import { InputError, printable } from '../../core/problem.js';
import { isWhite } from '../../core/text.js';
import { ByteWriter, joinChunks } from '../text/byte-writer.js';

/** How features are written as text. */
export interface LetorWriteOptions {
  /** Values with so many decimals, as LETOR's own files have six; otherwise the shortest text that reads back the same. */
  readonly decimals?: number | undefined;
  /** Whether zeros of a dense matrix are written; otherwise they are left out, and the file is read back as sparse. */
  readonly zeros?: boolean | undefined;
  /** Whether comments are written, where the matrix has any; they are, unless said otherwise. */
  readonly comments?: boolean | undefined;
  /** LF unless said otherwise; the LETOR files themselves have CR LF. */
  readonly lineEnd?: '\n' | '\r\n' | undefined;
}

const LF = 10;
const CR = 13;
const HASH_SIGN = 35;
const COLON = 58;
const SPACE = 32;

/** Writes lines `label qid:id feature:value … #comment`. */
export function formatLetor(matrix: FeatureMatrix, options: LetorWriteOptions = {}): Uint8Array {
  return joinChunks(writeLetor(matrix, options));
}

/** Writes features in the format of LETOR and SVMlight, chunk by chunk. What could not be read back is refused. */
export function* writeLetor(matrix: FeatureMatrix, options: LetorWriteOptions = {}): Generator<Uint8Array> {
  const { queries, queryOf, queryOffsets, labels, features } = matrix;
  const comments = (options.comments ?? true) ? matrix.comments : undefined;
  const writer = new ByteWriter();
  const writeValue = valueWriter(writer, features?.values instanceof Float32Array, options.decimals);
  for (let q = 0; q < queryOf.length; q++) {
    checkId(queries.bytes, queries.offsets[queryOf[q]], queries.offsets[queryOf[q] + 1], idText(queries, queryOf[q]));
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      if (!Number.isFinite(labels[row]))
        throw new InputError(`row ${row + 1}: cannot write ${labels[row]} as label, only finite numbers can be read back`);
      writer.number(labels[row]);
      writer.text(' qid:');
      writer.id(queries, queryOf[q]);
      if (features !== undefined) writeFeatures(writer, features, row, options.zeros ?? true, writeValue);
      if (comments !== undefined && comments.offsets[row] < comments.offsets[row + 1]) {
        writer.byte(SPACE);
        writer.byte(HASH_SIGN);
        writer.part(comments.bytes, comments.offsets[row], comments.offsets[row + 1]);
      }
      if (options.lineEnd === '\r\n') writer.byte(CR);
      writer.byte(LF);
      const full = writer.takeFull();
      if (full !== undefined) yield full;
    }
  }
  yield writer.take();
}

function writeFeatures(writer: ByteWriter, features: Features, row: number, zeros: boolean, writeValue: (value: number) => void): void {
  const { firstFeature, numFeatures, values } = features;
  if (features.layout === 'sparse') {
    for (let i = features.rowOffsets[row]; i < features.rowOffsets[row + 1]; i++) {
      writer.byte(SPACE);
      writer.number(features.columns[i] + firstFeature);
      writer.byte(COLON);
      writeValue(values[i]);
    }
    return;
  }
  const base = row * numFeatures;
  for (let column = 0; column < numFeatures; column++) {
    const value = values[base + column];
    if (value === 0 && !zeros) continue;
    writer.byte(SPACE);
    writer.number(column + firstFeature);
    writer.byte(COLON);
    writeValue(value);
  }
}

function valueWriter(writer: ByteWriter, single: boolean, decimals: number | undefined): (value: number) => void {
  const writeFinite =
    decimals !== undefined ? fixedWriter(writer, decimals) : single ? singleWriter(writer) : (value: number) => writer.number(value);
  return (value) => {
    if (Number.isFinite(value)) writeFinite(value);
    else writer.text(Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf');
  };
}

function fixedWriter(writer: ByteWriter, decimals: number): (value: number) => void {
  const scratch = new Uint8Array(fixedLength(decimals));
  return (value) => writer.part(scratch, 0, formatFixedInto(scratch, 0, value, decimals));
}

/** The fewest digits that read back as the same 32-bit float; nine are always enough. */
function singleWriter(writer: ByteWriter): (value: number) => void {
  return (value) => {
    if (value === 0) return writer.number(value); // toPrecision would drop the sign
    for (let digits = 6; digits < 9; digits++) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return writer.number(short);
    }
    writer.number(Number(value.toPrecision(9)));
  };
}

/** An id with white space or `#` would not come back as it is. */
function checkId(bytes: Uint8Array, start: number, end: number, text: string): void {
  let good = end > start;
  for (let i = start; i < end; i++) if (isWhite(bytes[i]) || bytes[i] === HASH_SIGN) good = false;
  if (!good) {
    throw new InputError({
      message: `cannot write the query id "${printable(text, 60)}": it must not be empty nor hold white space or #`,
      wayOut: 'give the query another id',
    });
  }
}
