import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saveApp } from '../app-files.js';
import { ARCHIVE, archiveOf, filesOfArchive } from './app-archive.js';
import { readServedFiles } from './served-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const page = { path: 'index.html', content: new TextEncoder().encode('<p>page\n') };
const script = { path: 'assets/é.js', content: new TextEncoder().encode('let a = "\n";') };
const nothing = { path: 'assets/empty.css', content: new Uint8Array(0) };

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

describe('the archive', () => {
  test('is a line that lists the files, and their bytes', () => {
    const bytes = gunzipSync(archiveOf([page, script, nothing])).toString();
    expect(bytes).toBe('[["index.html",8],["assets/é.js",12],["assets/empty.css",0]]\n<p>page\nlet a = "\n";');
  });

  test('gives back what was put in', () => {
    const files = filesOfArchive(archiveOf([page, script, nothing]));
    expect(files.map(({ path, content }) => [path, text(content)])).toEqual([
      ['index.html', '<p>page\n'],
      ['assets/é.js', 'let a = "\n";'],
      ['assets/empty.css', ''],
    ]);
  });

  test('is served as if its files lay in the folder, together with those that do', () => {
    writeFileSync(join(folder, ARCHIVE), archiveOf([page, script]));
    writeFileSync(join(folder, 'report.css'), 'p {}');
    const files = readServedFiles(folder);
    expect([...files.keys()].sort()).toEqual(['/', '/assets/é.js', '/index.html', '/report.css']);
    expect(text(files.get('/')?.content)).toBe('<p>page\n');
    expect(files.get('/assets/é.js')?.type).toBe('text/javascript; charset=utf-8');
  });

  test('is left alone where the page itself lies in the folder', () => {
    writeFileSync(join(folder, ARCHIVE), archiveOf([page, script]));
    writeFileSync(join(folder, 'index.html'), 'newer');
    const files = readServedFiles(folder);
    expect([...files.keys()].sort()).toEqual(['/', '/index.html']);
    expect(text(files.get('/')?.content)).toBe('newer');
  });
});

describe('saveApp', () => {
  let source: string;
  beforeEach(() => {
    source = join(folder, 'app');
    mkdirSync(source);
    writeFileSync(join(source, ARCHIVE), archiveOf([page, script]));
  });

  test('writes the files into a folder that it makes, and over older ones', () => {
    const target = join(folder, 'out');
    expect(saveApp(target, source)).toBe(2);
    writeFileSync(join(target, 'index.html'), 'old');
    expect(saveApp(target, source)).toBe(2);
    expect(readFileSync(join(target, 'index.html'), 'utf8')).toBe('<p>page\n');
    expect(readFileSync(join(target, 'assets/é.js'), 'utf8')).toBe('let a = "\n";');
  });

  test('leaves nothing behind if one cannot be written', () => {
    const target = join(folder, 'out');
    mkdirSync(join(target, 'assets/é.js'), { recursive: true });
    expect(() => saveApp(target, source)).toThrow('cannot write: it is a directory');
    expect(readdirSync(target)).toEqual(['assets']);
    rmSync(target, { recursive: true });
    writeFileSync(target, '');
    expect(() => saveApp(target, source)).toThrow(/out: cannot make a folder/);
  });
});
