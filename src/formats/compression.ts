/** What a file is compressed with, as its first bytes tell; the one place that knows these bytes. */
import { InputError } from '../core/problem.js';

/** The compressions that are undone while reading. */
export type Compression = 'gzip' | 'zstd' | 'lz4';

interface Signature {
  readonly starts: readonly (readonly number[])[];
  readonly what: string;
  readonly wayOut: string;
}

function packed(name: string, program: string, ...starts: (readonly number[])[]): Signature {
  return { starts, what: `is compressed with ${name}`, wayOut: `decompress it with ${program}` };
}

const ascii = (text: string): number[] => Array.from(text, (c) => c.charCodeAt(0));

const gzip: Signature = packed('gzip', 'gzip -dc', [0x1f, 0x8b]);
/** A frame, or one of the sixteen kinds of frames that are skipped, which may come first. */
const zstd: Signature = packed(
  'zstd',
  'zstd -dc',
  [0x28, 0xb5, 0x2f, 0xfd],
  ...Array.from({ length: 16 }, (_, i) => [0x50 + i, 0x2a, 0x4d, 0x18]),
);

const lz4: Signature = packed('lz4', 'lz4 -dc', [0x04, 0x22, 0x4d, 0x18]);

/** How the names of files end that are decompressed while reading. */
export const compressedEnding: RegExp = /\.(gz|zst|zstd|lz4)$/i;

/** Files that have to be unpacked by another program, or that hold no text at all. Signatures of letters alone go on with what no text has, because a topic may
 *  begin with these letters. */
const foreign: readonly Signature[] = [
  packed('xz', 'xz -dc', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  // the digit is the block size; then comes π, or the root of π if there is no block
  packed(
    'bzip2',
    'bzip2 -dc',
    ...Array.from({ length: 9 }, (_, i) => [...ascii('BZh'), 0x31 + i, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59]),
    ...Array.from({ length: 9 }, (_, i) => [...ascii('BZh'), 0x31 + i, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90]),
  ),
  packed('lz4 before 1.4, of 2013', 'lz4 -dc', [0x02, 0x21, 0x4c, 0x18]),
  packed('lzip', 'lzip -dc', [...ascii('LZIP'), 0x01]),
  packed('compress', 'uncompress -c', [0x1f, 0x9d]),
  { starts: [[0x50, 0x4b, 0x03, 0x04]], what: 'is a ZIP archive', wayOut: 'unpack it first' },
  { starts: [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]], what: 'is a 7z archive', wayOut: 'unpack it first' },
  // letters alone, but no topic is called so
  { starts: [ascii('%PDF-1.'), ascii('%PDF-2.')], what: 'is a PDF', wayOut: 'give the file of text that it was made from' },
  {
    starts: [
      [0x89, ...ascii('PNG'), 0x0d, 0x0a, 0x1a, 0x0a],
      [0xff, 0xd8, 0xff],
    ],
    what: 'is a picture',
    wayOut: 'give a file of text',
  },
  {
    starts: [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
    what: 'is a document of an office program',
    wayOut: 'save it as text or CSV',
  },
  // no longer than the others: whoever types a few bytes into a pipe is answered
  { starts: [ascii('SQLite for')], what: 'is a database of SQLite', wayOut: 'export the table as CSV' },
  { starts: [[0x7f, ...ascii('ELF')]], what: 'is a program', wayOut: 'give a file of text' },
];

const every: readonly Signature[] = [gzip, zstd, lz4, ...foreign];

/** So many bytes of a file, or all if it has fewer, are enough to tell. */
export const SIGNATURE_LENGTH: number = Math.max(...every.flatMap(({ starts }) => starts.map(({ length }) => length)));

/** Whether bytes begin with a signature; false if they are shorter. */
export function startsWith(bytes: Uint8Array, signature: ArrayLike<number>): boolean {
  for (let i = 0; i < signature.length; i++) if (bytes[i] !== signature[i]) return false;
  return true;
}

function isOf(bytes: Uint8Array, { starts }: Signature): boolean {
  return starts.some((start) => startsWith(bytes, start));
}

/** What is to be undone while reading, if anything.
 *  @throws An `InputError` for what has to be unpacked by another program. */
export function compressionOf(start: Uint8Array, source: string): Compression | undefined {
  if (isOf(start, gzip)) return 'gzip';
  if (isOf(start, zstd)) return 'zstd';
  if (isOf(start, lz4)) return 'lz4';
  const found = foreign.find((signature) => isOf(start, signature));
  if (found !== undefined)
    throw new InputError({ source, message: `${found.what}, expected text, gzip, zstd or lz4`, wayOut: found.wayOut });
  // Brotli has no signature, so the name has to tell; text can have any name
  if (/\.br$/i.test(source) && !isText(start)) {
    throw new InputError({
      source,
      message: 'is compressed with Brotli, expected text, gzip, zstd or lz4',
      wayOut: 'decompress it with brotli -dc',
    });
  }
  return undefined;
}

/** No control characters but those of lines and tabs, and nothing that cannot be the start of a UTF-8 text. */
function isText(start: Uint8Array): boolean {
  return start.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13) && (start[0] < 0x80 || start[0] >= 0xc2);
}

/** Whether text that begins with these bytes would be taken for something compressed. */
export function looksCompressed(start: Uint8Array): boolean {
  return every.some((signature) => isOf(start, signature));
}

/** For readers that take text only.
 *  @throws An `InputError` if it is compressed with anything. */
export function refuseCompressed(start: Uint8Array, source: string): void {
  const found = every.find((signature) => isOf(start, signature));
  if (found !== undefined) throw new InputError({ source, message: `${found.what}, expected text`, wayOut: found.wayOut });
}
