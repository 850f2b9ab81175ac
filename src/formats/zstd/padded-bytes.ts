/** No block is larger, whatever the window is. */
export const LARGEST_BLOCK: number = 128 << 10;

/** Whole words are read and written at any byte, also a little in front of the content and behind it. */
export const PADDING = 16;

/** Bytes that are also read as words. */
export interface PaddedBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Room for so many bytes behind `PADDING` bytes, with as many behind them. */
export function paddedBytes(length: number): PaddedBytes {
  const bytes = new Uint8Array(length + 2 * PADDING);
  return { bytes, view: new DataView(bytes.buffer) };
}
