import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { InputError } from '../../../src/core/problem.js';
import { GzipDecoder } from '../../../src/formats/gzip/decoder.js';
import { parseLetor } from '../../../src/formats/letor/reader.js';
import { Lz4Decoder } from '../../../src/formats/lz4/decoder.js';
import { plainChunks } from '../../../src/formats/source.js';
import { joinChunks } from '../../../src/formats/text/byte-writer.js';
import { fileSource } from '../../../src/node/files.js';
import { loadLetorTogether } from '../../../src/node/letor/load-letor-together.js';
import { createTeam, type WorkerTeam } from '../../../src/node/threads/team.js';
import type { Dice } from '../../helpers/dice.js';
import { letorLines, runText } from '../generate.js';
import { bytesOf, joined } from '../mutate.js';
import { agree, isDue, outcomeLater, outcomeOf, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

/** What the file of this name holds when it is decompressed. */
async function contentOf(path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of plainChunks(fileSource(path))) parts.push(new Uint8Array(chunk));
  return joinChunks(parts);
}

/** The content by the decoder that browsers use, which is given pieces of any length. */
function decodedInChunks(input: Uint8Array, dice: Dice): Uint8Array {
  const decoder = new GzipDecoder({ source: 'input.gz' });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < input.length; ) {
    const length = dice.chance(0.3) ? 1 : dice.between(1, 400);
    for (const part of decoder.push(input.slice(at, at + length))) parts.push(new Uint8Array(part));
    at += length;
  }
  for (const part of decoder.finish()) parts.push(new Uint8Array(part));
  return joinChunks(parts);
}

async function checkGzip(input: Uint8Array, dice: Dice): Promise<string> {
  writeFileSync('input.gz', input);
  const ours = await outcomeLater(() => contentOf('input.gz'), 'input.gz');
  if (input[0] !== 0x1f || input[1] !== 0x8b) return shapeOfOutcome(ours);
  let theirs: Uint8Array | undefined;
  try {
    theirs = new Uint8Array(zlib.gunzipSync(input));
  } catch {
    theirs = undefined;
  }
  const byHand = outcomeOf(() => decodedInChunks(input, dice), 'input.gz');
  agree('gzip: our decoder and the reader', ours.value, byHand.value);
  // Node looks at nothing behind zeros at the end; the reader does
  const isBehindZeros = ours.refused !== undefined && /behind the zeros/.test(ours.refused);
  if (!isBehindZeros) agree('gzip: by stream and at once', theirs, ours.value);
  return shapeOfOutcome(ours);
}

type Decompress = (input: Uint8Array) => Uint8Array | undefined;

/** The reference for zstd: the one of Node where it has one, or else the program, if it is installed. */
const referenceZstd: Decompress | undefined = (() => {
  const native: unknown = Reflect.get(zlib, 'zstdDecompressSync');
  if (typeof native === 'function') {
    return (input: Uint8Array) => {
      try {
        return new Uint8Array(native(input));
      } catch {
        return undefined;
      }
    };
  }
  if (spawnSync('zstd', ['--version']).status !== 0) return undefined;
  return (input: Uint8Array) => {
    const { status, stdout } = spawnSync('zstd', ['-dc'], { input, maxBuffer: 1 << 26 });
    return status === 0 ? new Uint8Array(stdout) : undefined;
  };
})();
const isReferenceFast = typeof Reflect.get(zlib, 'zstdDecompressSync') === 'function';

async function checkZstd(input: Uint8Array, dice: Dice): Promise<string> {
  writeFileSync('input.zst', input);
  const ours = await outcomeLater(() => contentOf('input.zst'), 'input.zst');
  const isZstd = input[0] === 0x28 && input[1] === 0xb5 && input[2] === 0x2f && input[3] === 0xfd;
  if (!isZstd || referenceZstd === undefined || !(isReferenceFast || isDue(dice, 0.25))) return shapeOfOutcome(ours);
  const theirs = referenceZstd(input);
  if (ours.value !== undefined && theirs === undefined) throw new Disagreement('zstd: accepted, but zstd refuses it');
  // ours refuses bits that are left over, as the description of the format asks for; the program does not look at all of them
  if (ours.value !== undefined) agree('zstd: ours and the reference', theirs, ours.value);
  return shapeOfOutcome(ours);
}

function zstdSeeds(): Uint8Array[] {
  const files: string[] = JSON.parse(readFileSync(new URL('../seeds/zstd.json', import.meta.url), 'utf8'));
  return files.map((base64) => new Uint8Array(Buffer.from(base64, 'base64')));
}

function lz4Seeds(): Uint8Array[] {
  const { files } = JSON.parse(readFileSync(new URL('../../golden/lz4/files.json', import.meta.url), 'utf8'));
  const small = files.filter(({ base64 }: { base64: string }) => base64.length < 1000);
  return small.map(({ base64 }: { base64: string }) => new Uint8Array(Buffer.from(base64, 'base64')));
}

function lz4InPieces(input: Uint8Array, pieceLength: () => number): Uint8Array {
  const decoder = new Lz4Decoder({ source: 'input.lz4' });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < input.length; ) {
    const length = pieceLength();
    for (const part of decoder.push(input.slice(at, at + length))) parts.push(new Uint8Array(part));
    at += length;
  }
  decoder.finish();
  return joinChunks(parts);
}

async function checkLz4(input: Uint8Array, dice: Dice): Promise<string> {
  const whole = outcomeOf(() => lz4InPieces(input, () => input.length), 'input.lz4');
  const inPieces = outcomeOf(() => lz4InPieces(input, () => (dice.chance(0.3) ? 1 : dice.between(1, 400))), 'input.lz4');
  agree('lz4: at once and in pieces', whole, inPieces);
  return shapeOfOutcome(whole);
}

const gzipped = (dice: Dice): Uint8Array => {
  const members = Array.from(
    { length: dice.chance(0.8) ? 1 : 2 },
    () => new Uint8Array(zlib.gzipSync(runText(dice), { level: dice.below(10) })),
  );
  return joined(...members, ...(dice.chance(0.05) ? [bytesOf('\0\0\0')] : []));
};

let team: WorkerTeam | undefined;

/** A feature file read by several threads in small segments, and by one at once. */
async function checkThreads(input: Uint8Array, dice: Dice): Promise<string> {
  team ??= createTeam(3);
  const threads = team;
  writeFileSync('features', input);
  const options = {
    source: 'features',
    lenient: dice.chance(0.5),
    features: dice.pick(['auto', 'dense', 'sparse'] as const),
    scattered: dice.pick(['group', 'split'] as const),
  };
  const isMarked = input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf;
  const plain = (reading: ReturnType<typeof parseLetor>): unknown => ({
    ...reading.matrix,
    queries: { ...reading.matrix.queries },
    skipped: reading.skipped,
  });
  let isText = true;
  const alone = await outcomeLater(async () => {
    try {
      return plain(parseLetor(input, options));
    } catch (error) {
      if (error instanceof InputError && /expected text|UTF-16/.test(error.message)) isText = false;
      throw error;
    }
  }, 'features');
  if (!isText || input.length <= (isMarked ? 3 : 0)) return 'no text';
  const together = await outcomeLater(
    async () => plain(await loadLetorTogether('features', options, threads, isMarked ? 3 : 0, input.length, dice.between(1, 200))),
    'features',
  );
  agree('letor: by one thread and by several', alone, together);
  return shapeOfOutcome(alone);
}

export const fileTargets: readonly FuzzTarget[] = [
  {
    name: 'gzip',
    summary: 'gzip streams: at once by zlib, and by our own decoder in pieces',
    cases: 400,
    words: ['\x1f\x8b\x08', '\0\0'],
    seeds: () => [new Uint8Array(zlib.gzipSync('1 Q0 a 1 3 t\n')), new Uint8Array(zlib.gzipSync(''))],
    generate: gzipped,
    check: checkGzip,
  },
  {
    name: 'zstd',
    summary: 'zstd streams: the decoder of Node, or the zstd program where there is none',
    cases: 300,
    words: ['\x28\xb5\x2f\xfd', '\x50\x2a\x4d\x18'],
    seeds: zstdSeeds,
    check: checkZstd,
  },
  {
    name: 'lz4',
    summary: 'LZ4 streams: at once and in pieces of any length',
    cases: 300,
    words: ['\x04\x22\x4d\x18', '\x50\x2a\x4d\x18', '\0\0\0\0'],
    seeds: lz4Seeds,
    check: checkLz4,
  },
  {
    name: 'letor-threads',
    summary: 'LETOR files by several threads in small segments: one thread at once',
    cases: 150,
    words: ['qid:1', '\n', '#', '1:1', '\r\n', '9:nan'],
    seeds: () => [bytesOf('1 qid:1 1:0.5 2:3 # docid = a\n0 qid:1 1:1 2:-1\n2 qid:2 1:0 2:1e-3\n')],
    generate: letorLines,
    check: checkThreads,
  },
];
