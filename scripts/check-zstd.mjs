/**
 * Compares our decoder of Zstandard with the real `zstd` on damaged files: bits flipped, bytes changed, cut, doubled and inserted, files
 * cut off, and pieces of several files joined. What the real one refuses we must refuse, and what both accept must give the same bytes.
 * What only we refuse is listed with our reason.
 *
 *   npm run build && node scripts/check-zstd.mjs [--count 20000] [--seed 1] [--node PATH]... [--record]
 *
 * Needs `zstd` on the path. --node names further Node binaries to decode with; where Node has a decoder of its own, that is compared too.
 * --record writes test/golden/zstd, a few small files and what `zstd` says to some hundreds of damaged copies, for the tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/numbers/random.js';
import { zstdFiles, zstdMutants } from './zstd-mutants.mjs';

/** Files given to one run of `zstd`. */
const BATCH = 500;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    node: { type: 'string', multiple: true, default: [] },
    decode: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});

const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** What the real program makes of each file: the hash of its content, or null where it refuses it. */
function judge(mutants, folder) {
  const verdicts = [];
  for (let from = 0; from < mutants.length; from += BATCH) {
    const [inputs, outputs] = [join(folder, 'in'), join(folder, 'out')];
    for (const path of [inputs, outputs]) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path);
    }
    const batch = mutants.slice(from, from + BATCH);
    const names = batch.map((bytes, i) => {
      writeFileSync(join(inputs, `${i}.zst`), bytes);
      return `${i}.zst`;
    });
    spawnSync('zstd', ['-d', '-q', '-f', '--output-dir-flat', outputs, ...names], { cwd: inputs });
    const { stderr } = spawnSync('zstd', ['-t', ...names], { cwd: inputs, encoding: 'utf8', maxBuffer: 1 << 26 });
    // one line for each file that it refuses: "17.zst : Decoding error (36) : ..." or "zstd: 17.zst: unsupported format"
    const refused = new Set([...stderr.matchAll(/^(?:zstd: )?(\d+)\.zst ?:/gm)].map(([, i]) => Number(i)));
    for (let i = 0; i < batch.length; i++) {
      const output = join(outputs, String(i));
      const isAccepted = existsSync(output);
      if (isAccepted === refused.has(i)) throw new Error(`zstd -d and zstd -t disagree on file ${from + i}: ${stderr.slice(0, 500)}`);
      verdicts.push(isAccepted ? sha(readFileSync(output)) : null);
    }
    process.stderr.write(`\rjudged by zstd: ${verdicts.length}`);
  }
  process.stderr.write('\n');
  return verdicts;
}

async function compare(verdicts, mutants, decode) {
  const counts = { bothRefuse: 0, sameContent: 0, otherContent: 0, acceptedWrongly: 0, refusedByUsOnly: 0 };
  const reasons = {};
  const examples = [];
  for (const [i, bytes] of mutants.entries()) {
    let found = null;
    let reason = '';
    try {
      found = sha(await decode(bytes));
    } catch (error) {
      reason = error.message;
      // a defect of ours is no verdict
      if (error.name !== 'InputError' && error.code === undefined) throw error;
    }
    const expected = verdicts[i];
    const outcome =
      found === null
        ? expected === null
          ? 'bothRefuse'
          : 'refusedByUsOnly'
        : expected === null
          ? 'acceptedWrongly'
          : found === expected
            ? 'sameContent'
            : 'otherContent';
    counts[outcome]++;
    if (outcome === 'refusedByUsOnly') {
      const kind = reason.replace(/^cannot be decompressed as zstd: |; .*$/g, '').replace(/\d+/g, 'N');
      reasons[kind] = (reasons[kind] ?? 0) + 1;
    } else if (outcome === 'otherContent' || outcome === 'acceptedWrongly') examples.push(i);
  }
  return { counts, reasons, examples: examples.slice(0, 10) };
}

async function throughStream(bytes, stream) {
  const parts = [];
  stream.end(bytes);
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Runs in each Node: decodes all files of a folder, and prints what came of it. */
async function decodeAll(folder) {
  const { ZstdDecoder } = await import('../dist/formats/zstd/decoder.js');
  const zlib = await import('node:zlib');
  const { lengths, verdicts } = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'));
  const all = readFileSync(join(folder, 'mutants.bin'));
  let end = 0;
  const mutants = lengths.map((length) => {
    end += length;
    return all.subarray(end - length, end);
  });
  const random = seededRandom(7);
  const ours = await compare(verdicts, mutants, (bytes) => {
    const decoder = new ZstdDecoder();
    const parts = [];
    // in one piece, in pieces of any size, and byte by byte
    const size = random.float() < 0.3 ? bytes.length : random.float() < 0.2 ? 1 : 1 + random.below(3000);
    for (let i = 0; i < bytes.length; i += size) for (const part of decoder.push(bytes.subarray(i, i + size))) parts.push(part.slice());
    decoder.finish();
    return Buffer.concat(parts);
  });
  const native =
    zlib.createZstdDecompress && (await compare(verdicts, mutants, (bytes) => throughStream(bytes, zlib.createZstdDecompress())));
  process.stdout.write(JSON.stringify({ version: process.version, ours, native }));
}

/** Writes what the tests compare with, where there may be no `zstd`. */
function record(folder) {
  const files = zstdFiles(40, seededRandom(2026));
  const originals = Object.values(files);
  const seed = 14;
  const mutants = zstdMutants(originals, 600, seededRandom(seed));
  const golden = new URL('../test/golden/zstd/', import.meta.url);
  mkdirSync(golden, { recursive: true });
  const short = (verdicts) => verdicts.map((verdict) => verdict?.slice(0, 16) ?? null);
  const contents = short(judge(originals, folder));
  const about = {
    by: execFileSync('zstd', ['--version'], { encoding: 'utf8' }).trim(),
    command: 'node scripts/check-zstd.mjs --record',
    hashes: 'the first 16 hexadecimal digits of SHA-256 of the content; null if zstd -t refuses it',
  };
  const listed = Object.entries(files).map(([name, bytes], i) => ({
    name,
    content: contents[i],
    base64: Buffer.from(bytes).toString('base64'),
  }));
  writeFileSync(new URL('files.json', golden), `${JSON.stringify({ ...about, files: listed }, null, 1)}\n`);
  writeFileSync(new URL('verdicts.json', golden), `${JSON.stringify({ ...about, seed, verdicts: short(judge(mutants, folder)) })}\n`);
}

if (values.decode !== undefined) await decodeAll(values.decode);
else {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-zstd-'));
  try {
    process.stdout.write(execFileSync('zstd', ['--version']));
    if (values.record) record(folder);
    const files = Object.values(zstdFiles(360, seededRandom(2026)));
    const mutants = zstdMutants(files, Number(values.count), seededRandom(Number(values.seed)));
    const verdicts = judge(mutants, folder);
    writeFileSync(join(folder, 'mutants.bin'), Buffer.concat(mutants));
    writeFileSync(join(folder, 'mutants.json'), JSON.stringify({ lengths: mutants.map(({ length }) => length), verdicts }));
    let isRight = true;
    for (const node of [process.execPath, ...values.node]) {
      const answer = execFileSync(node, [fileURLToPath(import.meta.url), '--decode', folder], { maxBuffer: 1 << 26 });
      const { version, ours, native } = JSON.parse(answer);
      process.stdout.write(`Node ${version}\n  ours   ${JSON.stringify(ours)}\n  native ${JSON.stringify(native ?? 'none')}\n`);
      isRight &&= ours.counts.acceptedWrongly === 0 && ours.counts.otherContent === 0;
    }
    process.exitCode = isRight ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
