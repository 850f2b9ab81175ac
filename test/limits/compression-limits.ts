import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainChunks } from '../../src/formats/source.js';
import { ZstdDecoder } from '../../src/formats/zstd/decoder.js';
import { fileSource } from '../../src/node/files.js';
import type { LimitCases } from './limit-case.js';

/** A frame whose window is its content, so many bytes of the same letter. */
function frameOf(amount: number): Uint8Array {
  const blocks: number[] = [];
  for (let at = 0; at < amount; at += 1 << 17) {
    const size = Math.min(1 << 17, amount - at);
    const header = (size << 3) | 2 | (at + size === amount ? 1 : 0);
    blocks.push(header & 0xff, (header >> 8) & 0xff, header >> 16, 120);
  }
  return Uint8Array.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0xa0,
    amount & 0xff,
    (amount >> 8) & 0xff,
    (amount >> 16) & 0xff,
    amount >>> 24,
    ...blocks,
  ]);
}

function decoded(amount: number): void {
  const decoder = new ZstdDecoder();
  let length = 0;
  for (const part of decoder.push(frameOf(amount))) length += part.length;
  decoder.finish();
  if (length !== amount) throw new Error(`${length} bytes instead of ${amount}`);
}

/** Reads a file that grows by one MiB and so many bytes for each of its own. */
async function grown(amount: number): Promise<void> {
  let size = 2 ** 20;
  // nine bytes of header, and four for each block of 128 KiB
  for (let before = 0; before !== size; ) {
    before = size;
    size = 2 ** 20 + amount * (9 + 4 * Math.ceil(size / 2 ** 17));
  }
  const folder = mkdtempSync(join(tmpdir(), 'gradus-limits-'));
  try {
    const path = join(folder, 'run.zst');
    writeFileSync(path, frameOf(size));
    for await (const _ of plainChunks(fileSource(path)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const compressionLimits: LimitCases = {
  decompressionRatio: [
    { name: 'a zstd file', lowered: 100, use: grown },
    { name: 'a zstd file at the true limit', use: grown },
  ],
  zstdWindowBytes: [
    { name: 'a zstd frame', lowered: 1000, use: decoded },
    { name: 'a zstd frame at the true limit', use: decoded },
  ],
};
