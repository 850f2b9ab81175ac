/** Zstandard files of many kinds, written by the real `zstd`, and damaged copies of them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lines of a run, as text that compresses well. */
function runText(numLines, random) {
  let text = '';
  for (let i = 0; i < numLines; i++) {
    const topic = 301 + Math.floor(i / 100);
    text += `${topic} Q0 clueweb09-en${String(random.below(1e7)).padStart(7, '0')} ${(i % 100) + 1} ${(30 - (i % 100) / 7).toFixed(4)} bm25\n`;
  }
  return text;
}

function compress(content, ...options) {
  return execFileSync('zstd', ['-q', '-c', ...options], { input: content, maxBuffer: 1 << 28 });
}

/** Skippable frames are read over: parallel compressors write them. */
export function skippableFrame(content, number = 0) {
  const frame = Buffer.alloc(8 + content.length);
  frame.writeUInt32LE(0x184d2a50 + number, 0);
  frame.writeUInt32LE(content.length, 4);
  frame.set(Buffer.from(content), 8);
  return frame;
}

/** What a frame looks like that was compressed with a dictionary of its own. */
function withDictionary(random) {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-dictionary-'));
  try {
    const samples = Array.from({ length: 60 }, (_, i) => {
      writeFileSync(join(folder, `${i}`), runText(8, random));
      return `${i}`;
    });
    execFileSync('zstd', ['-q', '--train', ...samples, '-o', 'dictionary', '--maxdict=2000'], { cwd: folder, stdio: 'pipe' });
    return execFileSync('zstd', ['-q', '-c', '-D', 'dictionary', '0'], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files of all kinds by name; `numLines` says how large most of them are, the last two are larger.
 *  @param random as of `seededRandom` */
export function zstdFiles(numLines, random) {
  const small = runText(12, random);
  const middle = runText(numLines, random);
  const large = runText(numLines * 25, random);
  const noise = Buffer.from(Array.from({ length: 300 }, () => random.below(256)));
  const letters = Buffer.from(Array.from({ length: numLines * 8 }, () => 97 + Math.floor(random.float() * random.float() * 20)));
  // each round differs in one number, and a window holds three rounds
  const cycle = Array.from({ length: 120 }, (_, i) => `${i}${middle.slice(0, 5000).padEnd(5000)}`).join('');
  const sized = (content) => `--stream-size=${Buffer.byteLength(content)}`;
  return {
    'level 3, with a content size': compress(small, '-3', sized(small)),
    'level 3, without a checksum': compress(small, '-3', '--no-check'),
    'level 1': compress(middle, '-1', sized(middle)),
    'level 3, with a content size, without a checksum': compress(middle, '-3', '--no-check', sized(middle)),
    'level 9, without a content size': compress(middle, '-9'),
    'level 19': compress(middle, '-19', '--no-check'),
    'level 22': compress(middle, '--ultra', '-22', sized(middle)),
    'a long window': compress(middle, '-3', '--long=24', '--no-check'),
    'a fast level': compress(middle, '--fast=5', '--no-check'),
    'few letters': compress(letters, '-1', '--no-check'),
    'few letters, level 19': compress(letters, '-19', sized(letters)),
    noise: compress(noise, '-3', '--no-check'),
    'one letter': compress(Buffer.alloc(5000, 65), '-3', '--no-check'),
    nothing: compress('', '-3'),
    'skippable frames in front and between': Buffer.concat([
      skippableFrame('index'),
      compress(small, '-3'),
      skippableFrame('', 15),
      compress(letters, '-3', '--no-check'),
    ]),
    'many small frames': Buffer.concat(
      Array.from({ length: 8 }, (_, i) => compress(small.slice(i * 60, i * 60 + 60), '-3', ...(i % 2 === 0 ? ['--no-check'] : []))),
    ),
    'a dictionary': withDictionary(random),
    'more content than window': compress(cycle, '-3', '--zstd=wlog=14', '--no-check'),
    'several blocks': compress(large, '-3', '--no-check'),
    'several blocks, a long window': compress(large, '-12', '--no-check', '--long=27'),
  };
}

/** Damaged copies of files, of which the last two are large; a few come out whole.
 *  @param random as of `seededRandom` */
export function zstdMutants(files, count, random) {
  const below = (n) => random.below(n);
  const one = () => {
    // the large ones take most of the time, and tell the least per file
    const i = below(files.length);
    return i >= files.length - 2 && random.float() < 0.7 ? files[below(files.length - 2)] : files[i];
  };
  const flip = (bytes, times, within) => {
    const changed = Buffer.from(bytes);
    for (let i = 0; i < times; i++) changed[below(Math.min(within, changed.length))] ^= 1 << below(8);
    return changed;
  };
  const kinds = [
    () => flip(one(), 1, Infinity),
    () => flip(one(), 1, Infinity),
    () => flip(one(), 1, Infinity),
    () => flip(one(), 1, 24),
    () => flip(one(), 2 + below(6), Infinity),
    () => {
      const changed = Buffer.from(one());
      changed[below(changed.length)] = below(256);
      return changed;
    },
    () => {
      const file = one();
      return file.subarray(0, below(file.length + 1));
    },
    () => {
      const file = one();
      const at = below(file.length);
      return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + below(12))]);
    },
    () => {
      const file = one();
      const at = below(file.length);
      return Buffer.concat([file.subarray(0, at), Buffer.from([below(256), below(256), below(256)].slice(below(3))), file.subarray(at)]);
    },
    () => {
      const [a, b] = [one(), one()];
      return Buffer.concat([a.subarray(0, below(a.length + 1)), b.subarray(below(b.length + 1))]);
    },
    () => Buffer.concat([one(), random.float() < 0.5 ? one() : flip(one(), 1, 16)]),
    () => Buffer.concat([one(), Buffer.from([below(256), below(256), below(256), below(256), below(256)].slice(below(5)))]),
    () => Buffer.concat([flip(skippableFrame('some words'), below(2), 8), one()]),
  ];
  return Array.from({ length: count }, () => kinds[below(kinds.length)]());
}
