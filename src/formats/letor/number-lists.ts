import { growingFloats, growingInts } from '../../core/growing-arrays.js';
import { type ChunkReader, type ReadOptions, readAll } from '../reader.js';
import { ReadingLog, shown } from '../reading-log.js';
import { ByteWriter, joinChunks } from '../text/byte-writer.js';
import { CHECK_TEXT } from '../text/line-lengths.js';
import { checkingStart } from '../text/text-start.js';
import { WholeLines } from '../text/whole-lines.js';

/** Lists of whole numbers, one per query: list q has values[offsets[q]] to values[offsets[q + 1]]. */
export interface NumberLists {
  readonly offsets: Uint32Array;
  readonly values: Float64Array;
}

/** Reads the lists of Yahoo's learning to rank challenge: a line for each query, with the labels of its documents or with
 *  their ranks, whole numbers parted by white space. A blank line is a query without documents. */
export function parseNumberLists(content: Uint8Array | string, options: Pick<ReadOptions, 'source' | 'maxProblems'> = {}): NumberLists {
  return readAll(createNumberListsReader(options), content);
}

/** Reads a list of numbers from each line, chunk by chunk. */
export function createNumberListsReader(options: Pick<ReadOptions, 'source' | 'maxProblems'> = {}): ChunkReader<NumberLists> {
  const log = new ReadingLog({ source: options.source, maxProblems: options.maxProblems });
  const values = growingFloats();
  const offsets = growingInts();
  offsets.push(0);
  const lines = new WholeLines(
    (bytes, start, end) => {
      let i = start;
      while (i < end) {
        // one word after another up to the end of the line
        for (; bytes[i] !== 10; i++) {
          if (isWhite(bytes[i])) continue;
          const wordStart = i;
          while (!isWhite(bytes[i + 1])) i++;
          values.push(wholeNumber(bytes, wordStart, i + 1, log, offsets.length));
        }
        offsets.push(values.length);
        i++;
      }
    },
    (message) => log.fatal(`${message}, expected whole numbers parted by spaces`, CHECK_TEXT, offsets.length),
  );
  const reader: ChunkReader<NumberLists> = {
    push: (chunk) => lines.push(chunk),
    finish() {
      lines.finish();
      log.close(1, '', lines.sawBytes);
      return { offsets: offsets.take(undefined), values: values.take(undefined) };
    },
  };
  return checkingStart(reader, options);
}

/** Lists of numbers as text, one list to a line. */
export function formatNumberLists(lists: NumberLists): Uint8Array {
  return joinChunks(writeNumberLists(lists));
}

/** Writes lists of numbers one to a line, chunk by chunk. */
export function* writeNumberLists({ offsets, values }: NumberLists): Generator<Uint8Array> {
  const writer = new ByteWriter();
  for (let q = 0; q + 1 < offsets.length; q++) {
    for (let i = offsets[q]; i < offsets[q + 1]; i++) {
      if (i > offsets[q]) writer.byte(32);
      writer.number(values[i]);
    }
    writer.byte(10);
    const full = writer.takeFull();
    if (full !== undefined) yield full;
  }
  yield writer.take();
}

function wholeNumber(bytes: Uint8Array, start: number, end: number, log: ReadingLog, line: number): number {
  const signed = bytes[start] === 45 || bytes[start] === 43;
  let number = 0;
  for (let i = signed ? start + 1 : start; i < end; i++) {
    const digit = bytes[i] ^ 48;
    number = digit > 9 ? Number.NaN : number * 10 + digit;
  }
  if (!Number.isSafeInteger(number) || (signed && end - start === 1)) {
    const message = (): string => `expected whole numbers parted by spaces, found ${shown(bytes, start, end)}`;
    log.add('not a number', line, message, 'each line must hold the numbers of one query');
  }
  return bytes[start] === 45 ? 0 - number : number;
}

/** White space, and the LF that ends a line. */
function isWhite(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}
