import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedLz4 } from '../helpers/lz4-frames.js';
import { repository, runGradus, runShell } from '../helpers/run-gradus.js';
import { skippableFrame, storedZstd } from '../helpers/zstd-frames.js';

const names = ['q', 'a.run', 'b.run', 'test.txt', 'predictions.txt', 'model.txt', 'scores.csv'] as const;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-compressed-'));
  const examples = `${repository}examples/data/`;
  copyFileSync(`${examples}example.qrels`, join(folder, 'q'));
  copyFileSync(`${examples}bm25.run`, join(folder, 'a.run'));
  copyFileSync(`${examples}neural.run`, join(folder, 'b.run'));
  copyFileSync(`${examples}ltr/test.txt`, join(folder, 'test.txt'));
  copyFileSync(`${repository}test/golden/ltr-models/ranklib-mart.txt`, join(folder, 'model.txt'));
  const numRows = readFileSync(join(folder, 'test.txt'), 'utf8').trimEnd().split('\n').length;
  writeFileSync(join(folder, 'predictions.txt'), Array.from({ length: numRows }, (_, i) => `${(i * 37) % 11}\n`).join(''));
  writeFileSync(join(folder, 'scores.csv'), `topic,a,b\n${Array.from({ length: 9 }, (_, i) => `t${i},0.${i},0.${9 - i}`).join('\n')}\n`);
  for (const name of names) {
    const content = readFileSync(join(folder, name));
    const half = content.indexOf(10, content.length >> 1) + 1;
    writeFileSync(
      join(folder, `${name}.zst`),
      Buffer.concat([skippableFrame, storedZstd(content.subarray(0, half)), skippableFrame, storedZstd(content.subarray(half))]),
    );
    writeFileSync(join(folder, `${name}.lz4`), Buffer.concat([storedLz4(content.subarray(0, half)), storedLz4(content.subarray(half))]));
    writeFileSync(join(folder, `${name}.gz`), Buffer.concat([gzipSync(content.subarray(0, half)), gzipSync(content.subarray(half))]));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('files in several frames, the first of which is to be skipped, are read by', () => {
  const commands: [string, string][] = [
    ['eval', 'eval q a.run -q -f csv'],
    ['eval with options that need the whole run', "eval q a.run -m 'RR(ties=expected) Judged@10' -f csv"],
    ['eval from standard input', 'eval q - -f csv < a.run'],
    ['eval --engine duckdb', 'eval q a.run -q -f csv --engine duckdb'],
    ['compare', 'compare q a.run b.run -f csv'],
    ['compare --scores', 'compare --scores scores.csv -f csv'],
    ['correlate', 'correlate scores.csv scores.csv'],
    ['convert', 'convert a.run - --to csv'],
    ['fuse', 'fuse a.run b.run -o -'],
    ['eval of a learning-to-rank test file', 'eval test.txt predictions.txt -f csv'],
    ['score', 'score model.txt test.txt -o -'],
    ['model inspect', 'model inspect model.txt'],
    ['audit', 'audit q'],
  ];
  test.each(commands)('%s', (_, line) => {
    const plain = runShell(`gradus ${line}`, { cwd: folder });
    expect([plain.status, plain.stdout.length > 20, plain.stderr.includes('unknown')]).toEqual([0, true, false]);
    for (const ending of ['.zst', '.gz', ...(line.includes('duckdb') ? [] : ['.lz4'])]) {
      const compressed = line.replace(/(?<= |^)(q|[ab]\.run|test\.txt|predictions\.txt|model\.txt|scores\.csv)(?= |$)/g, `$1${ending}`);
      const { stdout, stderr, status } = runShell(`gradus ${compressed}`, { cwd: folder });
      const withoutEnding = stdout.replaceAll(ending, '');
      expect([ending, status, withoutEnding, stderr.includes('damaged')]).toEqual([ending, 0, plain.stdout, false]);
    }
  });
});

describe('a compressed file that is cut off or changed', () => {
  const cases: [string, () => Uint8Array][] = [
    ['gzip, cut off', () => gzipSync(readFileSync(join(folder, 'a.run'))).subarray(0, -20)],
    ['gzip, without its last byte', () => gzipSync(readFileSync(join(folder, 'a.run'))).subarray(0, -1)],
    [
      'gzip with a wrong checksum',
      () => {
        const bytes = gzipSync(readFileSync(join(folder, 'a.run')));
        bytes[bytes.length - 6] ^= 1;
        return bytes;
      },
    ],
    ['zstd, cut off', () => storedZstd(readFileSync(join(folder, 'a.run'))).subarray(0, -20)],
    ['zstd, cut off between frames', () => Buffer.concat([storedZstd(readFileSync(join(folder, 'a.run'))), skippableFrame.subarray(0, 9)])],
  ];
  test.each(cases)('%s: is refused, by every engine', (_, content) => {
    const path = join(folder, 'damaged');
    writeFileSync(path, content());
    for (const engine of [[], ['--engine', 'duckdb']]) {
      const { stdout, stderr, status } = runGradus(['eval', join(folder, 'q'), path, ...engine]);
      expect([engine, stdout, status]).toEqual([engine, '', 2]);
      expect(stderr).toMatch(/^gradus: .*damaged: cannot be decompressed as (gzip|zstd): .*; the file is damaged or incomplete/);
    }
  });
});

describe('what is compressed with something else is called by its name, with a program that decompresses it', () => {
  const run = (): string => join(folder, 'a.run');
  const programs: [string, string, string][] = [
    ['xz', 'xz', 'is compressed with xz, expected text, gzip, zstd or lz4; decompress it with xz -dc'],
    ['bzip2', 'bzip2', 'is compressed with bzip2, expected text, gzip, zstd or lz4; decompress it with bzip2 -dc'],
    ['old lz4', 'lz4', 'is compressed with lz4 before 1.4, of 2013, expected text, gzip, zstd or lz4; decompress it with lz4 -dc'],
  ];
  test.each(programs)('%s', (_, program, message) => {
    const starts: Record<string, number[]> = {
      xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04],
      bzip2: [...Buffer.from('BZh91AY&SY')],
      lz4: [0x02, 0x21, 0x4c, 0x18, 0x64, 0x40],
    };
    const path = join(folder, `packed.${program}`);
    writeFileSync(path, Uint8Array.from([...starts[program], ...Buffer.alloc(30, 7)]));
    for (const argv of [
      ['eval', join(folder, 'q'), path],
      ['eval', path, run()],
      ['eval', join(folder, 'q'), path, '--engine', 'duckdb'],
      ['compare', '--scores', path],
      ['model', 'inspect', path],
      ['convert', path, '-', '--to', 'csv'],
    ]) {
      const { stderr, status } = runGradus(argv);
      expect([argv, stderr, status]).toEqual([argv, `gradus: ${path}: ${message}\n`, 2]);
    }
  });

  test('Brotli, by the name of the file, unless it holds text', () => {
    const path = join(folder, 'a.run.br');
    writeFileSync(path, brotliCompressSync(readFileSync(run())));
    const { stderr, status } = runGradus(['eval', join(folder, 'q'), path]);
    expect([stderr, status]).toEqual([
      `gradus: ${path}: is compressed with Brotli, expected text, gzip, zstd or lz4; decompress it with brotli -dc\n`,
      2,
    ]);
    copyFileSync(run(), path);
    expect(runGradus(['eval', join(folder, 'q'), path]).status).toBe(0);
  });

  test('text that begins with the same letters is text', () => {
    const path = join(folder, 'letters.run');
    writeFileSync(path, 'BZh9 Q0 d1 1 2 t\nLZIP Q0 d1 1 2 t\n');
    writeFileSync(join(folder, 'letters'), 'BZh9 0 d1 1\n');
    expect(runGradus(['eval', join(folder, 'letters'), path, '-m', 'AP', '-f', 'csv']).stdout).toContain('1');
  });
});
