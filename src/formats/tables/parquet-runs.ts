import { DamagedParquet } from './parquet-error.js';

/** What is known of a page before it is decoded. */
export interface PageShape {
  readonly numValues: number;
  /** Widths in bits of the levels before the values, each behind its length in bytes. */
  readonly levels: readonly number[];
  /** How the values are written: as numbers of a dictionary, as runs of booleans, or in another way. */
  readonly values: 'dictionary' | 'booleans' | 'other';
}

/** Values of a bit-packed run that may be there for nothing but to fill it up. */
const LONGEST_FILLING = 504;

/** Looks at the lengths of the runs in a page that is decompressed. The library puts down as many values as a run declares, and a
 *  damaged one declares billions. */
export function checkRuns(bytes: Uint8Array, { numValues, levels, values }: PageShape): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (const width of levels) {
    if (at + 4 > bytes.length) return;
    checkRunsAt(view, at + 4, width, numValues);
    at += 4 + view.getUint32(at, true);
  }
  if (at >= bytes.length) return;
  if (values === 'dictionary') checkRunsAt(view, at + 1, bytes[at], numValues);
  else if (values === 'booleans') checkRunsAt(view, at + 4, 1, numValues);
}

/** The same for runs that begin here. What lies behind the end of the bytes is for the library to miss. */
export function checkRunsAt(view: DataView, start: number, width: number, numValues: number): void {
  const most = Math.max(numValues, 8 * view.byteLength) + LONGEST_FILLING;
  let at = start;
  for (let seen = 0; seen < numValues; ) {
    let header = 0;
    for (let scale = 1; ; scale *= 128) {
      if (at >= view.byteLength) return;
      const byte = view.getUint8(at++);
      header += (byte & 127) * scale;
      if (byte < 128 || scale > 2 ** 35) break;
    }
    const isPacked = header % 2 === 1;
    const length = Math.floor(header / 2);
    const count = isPacked ? 8 * length : length;
    if (count > most) throw new DamagedParquet(`has a page with a run of ${count} values, where there is room for ${numValues}`);
    at += isPacked ? length * width : (width + 7) >> 3;
    seen += count;
  }
}
