/** Zstandard frames made without a compressor (RFC 8878): the content is stored as it is, in blocks of up to 100,000 bytes. */
export function storedZstd(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(content);
  // a window of 128 KiB, no content size, no checksum
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];
  for (let at = 0; at === 0 || at < bytes.length; at += 100_000) {
    const block = bytes.subarray(at, at + 100_000);
    const header = (block.length << 3) | (at + 100_000 >= bytes.length ? 1 : 0);
    parts.push(Buffer.from([header & 0xff, (header >> 8) & 0xff, header >> 16]), block);
  }
  return Buffer.concat(parts);
}

/** A frame that decoders read over, with three bytes in it. */
export const skippableFrame: Uint8Array = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
