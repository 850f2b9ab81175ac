/** An LZ4 frame made without a compressor: the content is stored as it is, in blocks of up to 60,000 bytes, without checksums. */
export function storedLz4(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(content);
  const parts: Uint8Array[] = [Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82])];
  for (let at = 0; at < bytes.length; at += 60_000) {
    const block = bytes.subarray(at, at + 60_000);
    parts.push(Buffer.from([block.length & 0xff, block.length >> 8, 0, 0x80]), block);
  }
  return Buffer.concat([...parts, Buffer.alloc(4)]);
}
