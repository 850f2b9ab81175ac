import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendText, writeOutputFile, writeWholeFile, writeWholeFiles } from './output-file.js';
import { checkOutput, ownDescriptor } from './output-place.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-output-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const at = (name: string): string => join(folder, name);
const written = (name: string): string => readFileSync(at(name), 'utf8');

describe('writeOutputFile', () => {
  test('two at once both succeed, and one of them wins whole', async () => {
    let finishFirst = (): void => undefined;
    const first = writeOutputFile(at('out'), async (writer) => {
      writer.write('first '.repeat(100_000));
      await new Promise<void>((resolve) => {
        finishFirst = resolve;
      });
    });
    await writeOutputFile(at('out'), (writer) => writer.write('second'));
    expect(written('out')).toBe('second');
    finishFirst();
    await first;
    expect(written('out')).toBe('first '.repeat(100_000));
    expect(readdirSync(folder)).toEqual(['out']);
  });

  test('takes any name that the file system takes', async () => {
    for (const name of ['a'.repeat(250), 'b'.repeat(255), '\u{1d11e}'.repeat(63), '日'.repeat(85), '-', ' ', 'ü'.repeat(127)]) {
      await writeOutputFile(at(name), (writer) => writer.write(name));
      expect(written(name)).toBe(name);
    }
    await expect(writeOutputFile(at('c'.repeat(256)), () => undefined)).rejects.toThrow('cannot write: the name is too long');
  });

  test('leaves everything as it was if the work fails', async () => {
    writeFileSync(at('out'), 'old');
    const failing = writeOutputFile(at('out'), (writer) => {
      writer.write('new'.repeat(100_000));
      throw new Error('on the way');
    });
    await expect(failing).rejects.toThrow('on the way');
    expect(written('out')).toBe('old');
    expect(readdirSync(folder)).toEqual(['out']);
    expect(process.listenerCount('SIGTERM')).toBe(0);
  });

  test('keeps who may read a file that it replaces', () => {
    for (const mode of [0o600, 0o640, 0o755]) {
      writeFileSync(at('out'), 'old');
      chmodSync(at('out'), mode);
      writeWholeFile(at('out'), bytes('new'));
      expect(statSync(at('out')).mode & 0o777).toBe(mode);
    }
    if (process.getuid?.() !== 0) return;
    execFileSync('chown', ['12345:23456', at('out')]);
    writeWholeFile(at('out'), bytes('newer'));
    expect([statSync(at('out')).uid, statSync(at('out')).gid]).toEqual([12345, 23456]);
  });
});

describe('symbolic links', () => {
  test('are kept, and what they lead to is replaced', () => {
    mkdirSync(at('sub'));
    writeFileSync(at('sub/file'), 'old');
    symlinkSync('sub/file', at('link'));
    writeWholeFile(at('link'), bytes('new'));
    expect(readlinkSync(at('link'))).toBe('sub/file');
    expect(written('sub/file')).toBe('new');
  });

  test('that lead to nothing are written through', () => {
    mkdirSync(at('deep'));
    mkdirSync(at('deep/er'));
    symlinkSync('deep/er', at('short'));
    // read where it really lies, .. is deep, and not the folder of the test
    symlinkSync('../file', at('short/dangling'));
    symlinkSync('short/dangling', at('link'));
    writeWholeFile(at('link'), bytes('new'));
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(lstatSync(at('short/dangling')).isSymbolicLink()).toBe(true);
    expect(written('deep/file')).toBe('new');
    expect(readdirSync(folder).sort()).toEqual(['deep', 'link', 'short']);
  });

  test('that lead nowhere or in a circle are refused', () => {
    symlinkSync('no/such/folder', at('nowhere'));
    expect(() => writeWholeFile(at('nowhere'), bytes(''))).toThrow(/nowhere: cannot write: there is no folder .*no\/such/);
    symlinkSync('b', at('a'));
    symlinkSync('a', at('b'));
    expect(() => writeWholeFile(at('a'), bytes(''))).toThrow('cannot write: too many symbolic links');
    expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'nowhere']);
  });
});

describe('what cannot be written says so', () => {
  test.each([
    ['a folder', 'sub', /sub: cannot write: it is a directory; name a file in it/],
    ['a folder that is missing', 'no/file', /no\/file: cannot write: there is no folder .*no; make it first, or name another/],
    ['a file as a folder', 'file/below', /below: cannot write: a part of the path is not a directory/],
    ['a slash at the end', 'new/', /new\/: cannot write: there is no such folder; name a file/],
  ])('%s', (_, name, message) => {
    mkdirSync(at('sub'));
    writeFileSync(at('file'), 'old');
    for (const attempt of [() => writeWholeFile(`${folder}/${name}`, bytes('')), () => checkOutput(`${folder}/${name}`)]) {
      expect(attempt).toThrow(message);
    }
    expect(readdirSync(folder).sort()).toEqual(['file', 'sub']);
  });

  test('an empty name', () => {
    expect(() => writeWholeFile('', bytes(''))).toThrow(
      'cannot write: the name of the file is empty; name a file, or - for standard output',
    );
  });
});

describe('writeWholeFiles', () => {
  const files = (): { path: string; content: Uint8Array }[] => [
    { path: at('charts/a'), content: bytes('a') },
    { path: at('charts/b'), content: bytes('b') },
    { path: at('text'), content: bytes('text') },
  ];

  test('makes the folder and all files', () => {
    writeWholeFiles(files(), at('charts'));
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['charts', 'charts/a', 'charts/b', 'text']);
  });

  test('leaves no folder behind if one of the files cannot be written', () => {
    mkdirSync(at('text'));
    expect(() => writeWholeFiles(files(), at('charts'))).toThrow('text: cannot write: it is a directory');
    expect(readdirSync(folder, { recursive: true })).toEqual(['text']);
  });

  test('leaves a folder alone that was there, and what is in it', () => {
    mkdirSync(at('charts'));
    writeFileSync(at('charts/a'), 'old');
    mkdirSync(at('text'));
    expect(() => writeWholeFiles(files(), at('charts'))).toThrow('it is a directory');
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['charts', 'charts/a', 'text']);
    expect(written('charts/a')).toBe('old');
  });

  test('says that a folder cannot be made', () => {
    writeFileSync(at('charts'), 'a file');
    expect(() => writeWholeFiles(files(), at('charts'))).toThrow(/charts: cannot make a folder/);
  });
});

describe('appendText', () => {
  test('adds to what is there, or begins a file', () => {
    appendText(at('log'), 'one\n');
    appendText(at('log'), 'two\n');
    expect(written('log')).toBe('one\ntwo\n');
    expect(() => appendText(at('no/log'), '')).toThrow('there is no folder');
  });
});

test('ownDescriptor knows the names of the descriptors of this process', () => {
  expect(
    ['/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/fd/63', '/proc/self/fd/7', `/proc/${process.pid}/fd/8`, '-'].map(ownDescriptor),
  ).toEqual([0, 1, 2, 63, 7, 8, 1]);
  expect(['/dev/null', '/proc/1/fd/8', 'dev/stdout', '/dev/fd/', '/dev/fd/x'].map(ownDescriptor)).toEqual(Array(5).fill(undefined));
});
