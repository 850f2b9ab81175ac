import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSource, plainChunks } from '../formats/source.js';
import { fileSource } from './files.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function contentOf(path: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of plainChunks(fileSource(path))) parts.push(chunk.slice());
  return Buffer.concat(parts).toString('latin1');
}

const text = '1 Q0 d1 1 2.5 t\n1 Q0 d2 2 1 t\n';
// zstd 1.5: the text as one frame, and its two lines as a frame each, the second without checksum
const zstdFrame = Buffer.from('KLUv/SQe8QAAMSBRMCBkMSAxIDIuNSB0CjEgUTAgZDIgMiAxIHQKL5sqzw==', 'base64');
const zstdFrames = Buffer.from('KLUv/QRYgQAAMSBRMCBkMSAxIDIuNSB0CivRIbYotS/9AFhxAAAxIFEwIGQyIDIgMSB0Cg==', 'base64');
const skippableFrame = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const [firstLine, secondLine] = text.split(/(?<=\n)/);

describe('fileSource', () => {
  const contents: [string, () => Uint8Array][] = [
    ['plain text', () => Buffer.from(text)],
    ['gzip', () => gzipSync(text)],
    ['gzip in several members', () => Buffer.concat([gzipSync(firstLine), gzipSync(''), gzipSync(secondLine)])],
    ['zstd', () => zstdFrame],
    ['zstd in several frames', () => zstdFrames],
    ['zstd with frames to skip', () => Buffer.concat([skippableFrame, zstdFrame])],
  ];
  test.each(contents)('reads %s, whatever the name says', async (_, content) => {
    for (const name of ['run.txt', 'run.gz', 'run.zst']) expect(await contentOf(file(name, content()))).toBe(text);
  });

  test('reads files of less than a signature, and of many chunks', async () => {
    for (const content of ['', 'a', 'ab', 'abc', 'abcd', '\x1f', '\x1fx', 'x'.repeat(3_500_000)]) {
      expect(await contentOf(file('some', Buffer.from(content, 'latin1')))).toBe(content);
      if (content !== '') expect(await contentOf(file('some', gzipSync(Buffer.from(content, 'latin1'))))).toBe(content);
    }
  });

  test('passes bytes on as they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect(await contentOf(file('bytes', bytes))).toBe(Buffer.from(bytes).toString('latin1'));
  });

  test('says that a file is missing, or a directory', async () => {
    const missing = join(folder, 'missing');
    await expect(openSource(fileSource(missing))).rejects.toThrow(`${missing}: cannot be read: no such file or directory`);
    mkdirSync(join(folder, 'sub'));
    await expect(openSource(fileSource(join(folder, 'sub')))).rejects.toThrow(`${join(folder, 'sub')}: is a directory, expected a file`);
    const below = join(file('plain', 'x'), 'below');
    await expect(openSource(fileSource(below))).rejects.toThrow(`${below}: cannot be read: a part of the path is not a directory`);
  });

  test('says that it may not read a file', async () => {
    const path = file('secret', 'x');
    chmodSync(path, 0o000);
    chmodSync(folder, 0o755);
    // the superuser may read everything
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      await expect(openSource(fileSource(path))).rejects.toThrow(`${path}: cannot be read: permission denied`);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('says that compressed data is damaged or cut short', async () => {
    const wayOut = 'the file is damaged or incomplete; fetch or make it again';
    const long = gzipSync(Array.from({ length: 10_000 }, (_, i) => `${i * 7919} `).join(''));
    const cut = file('cut.gz', long.subarray(0, long.length - 100));
    await expect(contentOf(cut)).rejects.toThrow(`${cut}: cannot be decompressed as gzip: unexpected end of file; ${wayOut}`);
    const wrong = file('wrong.gz', Buffer.concat([long.subarray(0, 2000), Buffer.alloc(100), long.subarray(2100)]));
    await expect(contentOf(wrong)).rejects.toThrow(`${wrong}: cannot be decompressed as gzip: `);
    // gzip itself says "trailing garbage ignored" and ends with status 2
    const behind = file('behind.gz', Buffer.concat([gzipSync(firstLine), Buffer.alloc(20), gzipSync(secondLine)]));
    await expect(contentOf(behind)).rejects.toThrow(
      `${behind}: cannot be decompressed as gzip: data behind the zeros at its end; ${wayOut}`,
    );
    expect(await contentOf(file('zeros.gz', Buffer.concat([gzipSync(text), Buffer.alloc(700)])))).toBe(text);
    for (const end of [6, 20, zstdFrame.length - 1]) {
      const zst = file('cut.zst', zstdFrame.subarray(0, end));
      await expect(contentOf(zst)).rejects.toThrow(`${zst}: cannot be decompressed as zstd: `);
    }
  });

  test('closes the file when the reader stops early', async () => {
    for (const content of [Buffer.alloc(3_000_000, 120), gzipSync(Buffer.alloc(3_000_000, 120))]) {
      const chunks = plainChunks(fileSource(file('long', content)));
      for await (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    }
  });
});
