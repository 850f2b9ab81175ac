import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launcher, runGradus, runShell } from '../helpers/run-gradus.js';

let folder: string;
let qrels: string;
let run: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-hostile-'));
  qrels = file('good.qrels', '1 0 a 1\n1 0 b 0\n2 0 a 2\n');
  run = file('good.run', '1 Q0 a 1 2 tag\n1 Q0 b 2 1 tag\n2 Q0 a 1 2 tag\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Expects a refusal: nothing on standard output, one line of words that names the file, status 2, and no stack. */
function expectRefusal(argv: readonly string[], message: RegExp): void {
  const { stdout, stderr, status } = runGradus(argv);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^gradus: /);
  expect(stderr).not.toMatch(/\n\s+at |internal error/);
  expect(stderr.length).toBeLessThan(2000);
  expect(stdout).toBe('');
  expect(status).toBe(2);
}

describe('gradus eval with files that are not what they should be', () => {
  test('a missing file', () => {
    expectRefusal(['eval', qrels, join(folder, 'nowhere.run')], /nowhere\.run: .*no such file/);
    expectRefusal(['eval', join(folder, 'nowhere.qrels'), run], /nowhere\.qrels: .*no such file/);
  });

  test('a directory', () => {
    mkdirSync(join(folder, 'a-directory'));
    expectRefusal(['eval', qrels, join(folder, 'a-directory')], /a-directory: .*director/);
    expectRefusal(['eval', join(folder, 'a-directory'), run], /a-directory: .*director/);
  });

  test('an empty file', () => {
    const empty = file('empty', '');
    expectRefusal(['eval', qrels, empty], /empty: .*empty|empty: .*expected/);
    expectRefusal(['eval', empty, run], /empty: .*empty|empty: .*expected/);
  });

  test('a line of 10 MB', () => {
    const long = file('long.run', `1 Q0 a 1 2 tag\n${'x'.repeat(10 << 20)}\n`);
    expectRefusal(['eval', qrels, long], /long\.run:2: .*expected 6 fields/);
  });

  test('an id of 10 MB is an id like any other', () => {
    const id = 'y'.repeat(10 << 20);
    const long = file('long-id.run', `1 Q0 a 1 3 tag\n1 Q0 ${id} 2 2 tag\n2 Q0 a 1 2 tag\n`);
    const { stdout, stderr, status } = runGradus(['eval', qrels, long, '-m', 'AP', '-f', 'csv']);
    expect(stderr).toBe('');
    expect(stdout).toBe('run,measure,value\ntag,AP,1\n');
    expect(status).toBe(0);
  });

  test('NUL bytes', () => {
    const nul = file('nul.run', '1 Q0 a\0b 1 2 tag\n');
    expectRefusal(['eval', qrels, nul], /nul\.run:1: .*NUL/);
  });

  test('too few fields, words for numbers, NaN and a repeated document, all reported at once', () => {
    const bad = file('bad.run', '1 Q0 a 1 2\n1 Q0 b 1 two tag\n1 Q0 c 1 nan tag\n1 Q0 d 1 1 tag\n1 Q0 d 2 1 tag\n');
    const { stderr, stdout, status } = runGradus(['eval', qrels, bad]);
    const lines = stderr.trimEnd().split('\n');
    for (const line of [1, 2, 3, 5]) expect(lines.some((text) => text.includes(`bad.run:${line}: `))).toBe(true);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  test('--lenient keeps what can be read, and says what it skipped', () => {
    const bad = file('half.run', '1 Q0 a 1 2\n1 Q0 b 2 1 tag\n2 Q0 a 1 2 tag\n');
    const { stderr, stdout, status } = runGradus(['eval', qrels, bad, '--lenient', '-m', 'RR', '-f', 'csv']);
    expect(stderr).toMatch(/half\.run: 1 line was skipped/);
    expect(stdout).toBe('run,measure,value\ntag,RR,0.5\n'); // topic 1 lost its only relevant document
    expect(status).toBe(0);
  });
});

describe('gradus eval with odd ids', () => {
  test('bytes that are not UTF-8 stay different ids', () => {
    const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
    const oddQrels = file('odd.qrels', latin('\xe9 0 d\xff 1\n\xe8 0 d\xfe 1\n'));
    const oddRun = file('odd.run', latin('\xe9 Q0 d\xff 1 2 t\n\xe8 Q0 d\xff 1 2 t\n'));
    const { stdout, status } = runGradus(['eval', oddQrels, oddRun, '-q', '-m', 'RR', '-f', 'csv']);
    expect(stdout).toBe('run,topic,measure,value\nt,\ufffd,RR,0\nt,\ufffd,RR,1\n');
    expect(status).toBe(0);
  });

  test('names of Object.prototype are ids like any others', () => {
    const ids = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
    const oddQrels = file('proto.qrels', ids.map((id) => `${id} 0 ${id} 1\n`).join(''));
    const oddRun = file('proto.run', ids.map((id) => `${id} Q0 ${id} 1 2 ${id}\n`).join(''));
    const { stdout, stderr, status } = runGradus(['eval', oddQrels, oddRun, '-q', '-m', 'RR', '--json']);
    expect(stderr).toBe('');
    const { runs } = JSON.parse(stdout);
    expect(runs[0].perTopic.map(({ topic, scores }: { topic: string; scores: object }) => [topic, scores])).toEqual(
      ids.map((id) => [id, { RR: 1 }]),
    );
    expect(status).toBe(0);
  });

  test('escape sequences are shown in what people read, and kept in what programs read', () => {
    const oddQrels = file('escape.qrels', '\x1b[31m 0 a 1\n');
    const oddRun = file('escape.run', '\x1b[31m Q0 a 1 2 \x1b]0;title\x07\n');
    for (const form of ['table', 'trec', 'tsv', 'csv', 'md', 'latex', 'json', 'jsonl']) {
      const { stdout, stderr, status } = runGradus(['eval', oddQrels, oddRun, '-q', '-f', form]);
      expect(stdout.includes('\x1b')).toBe(['trec', 'tsv', 'csv'].includes(form));
      expect(stderr).not.toContain('\x1b');
      expect(status).toBe(0);
    }
  });
});

describe('gradus eval with much input', () => {
  test('a million topics', () => {
    const manyQrels = join(folder, 'many.qrels');
    const manyRun = join(folder, 'many.run');
    writeMillion(manyQrels, (topic) => `${topic} 0 a ${topic % 2}\n`);
    writeMillion(manyRun, (topic) => `${topic} Q0 a 1 1 t\n`);
    const { stdout, stderr, status } = runGradus(['eval', manyQrels, manyRun, '-m', 'RR NumQ', '-f', 'csv']);
    expect(stderr).toBe('');
    expect(stdout).toBe('run,measure,value\nt,RR,0.5\nt,NumQ,1000000\n');
    expect(status).toBe(0);
    // the values of each topic are printed row by row, and the reader may leave before the end
    const first = runShell(`gradus eval '${manyQrels}' '${manyRun}' -q -m RR -f tsv | head -2; echo "\${PIPESTATUS[@]}"`);
    expect(first.stderr).toBe('');
    expect(first.stdout).toBe('run\ttopic\tmeasure\tvalue\nt\t0\tRR\t0\n0 0\n');
  }, 180_000);
});

function writeMillion(path: string, line: (topic: number) => string): void {
  const descriptor = openSync(path, 'w');
  for (let from = 0; from < 1_000_000; from += 50_000) {
    writeSync(descriptor, Array.from({ length: 50_000 }, (_, i) => line(from + i)).join(''));
  }
  closeSync(descriptor);
}

describe('output that cannot be written', () => {
  const full = 'standard output: cannot write: no space left on the device';

  test('a full disk behind standard output', () => {
    for (const line of [`gradus eval '${qrels}' '${run}'`, 'gradus measures', 'gradus --help', `gradus as trec_eval '${qrels}' '${run}'`]) {
      const { stderr, status } = runShell(`${line} > /dev/full`);
      expect(stderr).toContain(full);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(status).toBe(2);
    }
  });

  test('a reader that went away is not an error', () => {
    for (const line of ['gradus measures --json', `gradus as trec_eval -q '${qrels}' '${run}'`, `gradus eval '${qrels}' '${run}' -q`]) {
      const { stderr, stdout } = runShell(`${line} | true; echo "\${PIPESTATUS[0]}"`);
      expect(stderr).toBe('');
      expect(stdout).toBe('0\n');
    }
  });

  test('--output appears complete or not at all', () => {
    const target = join(folder, 'results.csv');
    expect(runGradus(['eval', qrels, run, '-m', 'AP', '-f', 'csv', '-o', target]).stdout).toBe('');
    expect(readFileSync(target, 'utf8')).toBe('run,measure,value\ntag,AP,1\n');
    // bad input leaves the old file alone
    expect(runGradus(['eval', qrels, join(folder, 'nowhere.run'), '-o', target]).status).toBe(2);
    expect(readFileSync(target, 'utf8')).toBe('run,measure,value\ntag,AP,1\n');
    // a symbolic link stays one
    symlinkSync(target, join(folder, 'link.csv'));
    expect(runGradus(['eval', qrels, run, '-m', 'RR', '-f', 'csv', '-o', join(folder, 'link.csv')]).status).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('run,measure,value\ntag,RR,1\n');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('--output to a full disk, a directory, or a folder that is not there', () => {
    expectRefusal(['eval', qrels, run, '-o', '/dev/full'], /\/dev\/full: cannot write: no space left/);
    expectRefusal(['eval', qrels, run, '-o', folder], /cannot write: it is a directory/);
    expectRefusal(
      ['eval', qrels, run, '-o', join(folder, 'no', 'where.csv')],
      /where\.csv: cannot write: there is no folder .*no; make it first/,
    );
  });
});

describe('standard input', () => {
  test('- is the run, compressed or not, or the judgements', () => {
    const plain = runShell(`cat '${run}' | gradus eval '${qrels}' - -m AP -f csv`);
    expect(plain.stdout).toBe('run,measure,value\ntag,AP,1\n');
    const zipped = runShell(`gzip -c '${run}' | gradus eval '${qrels}' - -m AP -f csv`);
    expect(zipped.stdout).toBe(plain.stdout);
    const judgements = runShell(`cat '${qrels}' | gradus eval - '${run}' -m AP -f csv`);
    expect(judgements.stdout).toBe(plain.stdout);
  });

  test('that is broken ends the program although it is still open', async () => {
    const child = spawn(process.execPath, [launcher, 'eval', qrels, '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let words = '';
    child.stderr.on('data', (text) => {
      words += text;
    });
    // standard input is never ended, so only the program itself can end the program
    child.stdin.write(Buffer.from([0x1f, 0x8b, 0x08, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20]));
    const [status] = await once(child, 'exit');
    expect(status).toBe(2);
    expect(words).toMatch(/^gradus: standard input: .*gzip/);
  });

  test('can be read only once', () => {
    expectRefusal(['eval', '-', '-'], /- was given 2 times; standard input can be read only once/);
  });
});
