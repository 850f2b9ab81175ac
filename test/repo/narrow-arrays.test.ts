import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { narrowArraysIn } from '../helpers/narrow-arrays.js';
import { repository } from '../helpers/run-gradus.js';

const sources = execFileSync('git', ['ls-files', 'src'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !/\.(test|wasm)\.ts$/.test(path));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const find = (text: string) => narrowArraysIn(ts.createSourceFile('x.ts', text, ts.ScriptTarget.ES2022, true));

/** Kinds of numbers that need no sentence, because CONTRIBUTING.md says why they fit. */
const kinds = ['entries', 'bytes', 'flags', 'hashes', 'nodes'];

describe('an array narrower than 53 bits', () => {
  test('says why its numbers fit', () => {
    const without: string[] = [];
    const unclear: string[] = [];
    let count = 0;
    for (const path of sources.filter((name) => !name.endsWith('.as.ts'))) {
      for (const { line, text, reason } of find(read(path))) {
        count++;
        if (reason === undefined) without.push(`${path}:${line}: ${text}`);
        else if (!kinds.includes(reason) && reason.split(' ').length < 3) unclear.push(`${path}:${line}: ${reason}`);
      }
    }
    expect(without).toEqual([]);
    expect(unclear).toEqual([]);
    expect(count).toBeGreaterThan(300);
  });

  test('of a kind that needs no sentence is explained in CONTRIBUTING.md', () => {
    for (const kind of kinds) expect(read('CONTRIBUTING.md')).toContain(`\`${kind}\``);
  });

  test('and every WebAssembly kernel with narrow stores say so too', () => {
    const narrow = sources.filter((path) => path.endsWith('.as.ts') && /\bstore<[uif](8|16|32)>/.test(read(path)));
    expect(narrow.length).toBeGreaterThan(3);
    expect(narrow.filter((path) => !/^\/\/ fits: .{20}/m.test(read(path)))).toEqual([]);
  });
});

describe('narrowArraysIn', () => {
  test.each([
    'const a = new Int8Array(n);',
    'const a = Uint16Array.from(list);',
    'const a = new Uint8Array(n); a[0] = x;',
    'class A { private a: Uint8Array = new Uint8Array(9); f(x: number) { this.a[1] += x; } }',
    'f(new Uint32Array(n));',
    '// at most 7\nconst a = new Int16Array(n);',
    '// fits: entries\n\nconst a = new Uint32Array(n);',
    '// fits: entries\nconst a = new Uint32Array(n);\nconst b = new Uint32Array(n);',
  ])('finds what has no reason: %s', (text) => {
    expect(find(text).filter(({ reason }) => reason === undefined)).toHaveLength(1);
  });

  test.each([
    ['const a = new Int8Array(n); // fits: at most 7 of them', 'at most 7 of them'],
    ['// fits: entries\nconst a = new Uint32Array(n);', 'entries'],
    ['/** The rows; fits: entries */\nconst a = new Uint32Array(n);', 'entries'],
    ['// fits: nodes\nreturn {\n  a: new Uint32Array(n),\n};', 'nodes'],
  ])('finds the reason of %s', (text, reason) => {
    expect(find(text).map((found) => found.reason)).toEqual([reason]);
  });

  test.each([
    'const a = new Uint32Array(0);',
    'const a = Uint8Array.of(1, 2);',
    'const a = new Uint8Array(n); a.set(b);',
    'const a = new Float64Array(n);',
  ])('asks for none where there is nothing to lose: %s', (text) => {
    expect(find(text)).toEqual([]);
  });
});
