import * as ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { growingInts } from '../../src/core/growing-arrays.js';
import { IdTable } from '../../src/core/ids.js';
import * as checks from './checks.js';
import { marker, rewriteStores } from './rewrite.js';

/** Runs a function body with checked stores, and gives what it returns. */
function run(body: string): unknown {
  const name = 'sample.ts';
  const text = `export function sample() { ${body} }`;
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) : read(path, ...rest);
  const program = ts.createProgram([name], { target: ts.ScriptTarget.ES2022, types: [], noEmit: true }, host);
  const file = program.getSourceFile(name);
  if (file === undefined) throw new Error('no sample');
  const rewritten = rewriteStores(file, program.getTypeChecker(), 'checks') ?? text;
  expect(rewritten.split('\n').length).toBe(text.split('\n').length);
  const { outputText } = ts.transpileModule(rewritten.replace(/^import .*?;/, ''), { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  return new Function('__stores', `${outputText.replace('export function', 'return function')}`)(checks)();
}

describe('a checked store', () => {
  test.each([
    ['const a = new Int8Array(2); a[0] = 128', '128 does not survive in a Int8Array'],
    ['const a = new Uint8Array(2); a[0] = 256', '256 does not survive in a Uint8Array'],
    ['const a = new Uint8Array(2); a[1] = 0.5', '0.5 does not survive in a Uint8Array'],
    ['const a = new Int16Array(2); a[0] = -32769', '-32769 does not survive in a Int16Array'],
    ['const a = new Uint16Array(1).fill(65535); a[0]++', '65536 does not survive in a Uint16Array'],
    ['const a = new Uint32Array(1); return a[0]--', '-1 does not survive in a Uint32Array'],
    ['const a = new Int32Array(1).fill(2 ** 31 - 1); a[0] += 1', '2147483648 does not survive in a Int32Array'],
    ['const a = new Uint32Array(1); a[0] = 2 ** 32', '4294967296 does not survive in a Uint32Array'],
    ['const a = new Uint32Array(1); a[0] = [1][1]', 'undefined does not survive in a Uint32Array'],
    ['const a = new Float32Array(1); a[0] = 0.1', '0.1 does not survive in a Float32Array'],
    ['new Uint8Array(3).fill(-1)', '-1 does not survive in a Uint8Array'],
    ['new Uint8Array(3).set([1, 300])', '300 does not survive in a Uint8Array'],
    ['Uint16Array.from([1, 70000])', '70000 does not survive in a Uint16Array'],
    ['Uint16Array.from({ length: 2 }, (_, i) => i - 1)', '-1 does not survive in a Uint16Array'],
    ['Int8Array.of(1, 200)', '200 does not survive in a Int8Array'],
    ['new Uint8Array([256])', '256 does not survive in a Uint8Array'],
    ['new Uint8Array(2).map(() => 256)', '256 does not survive in a Uint8Array'],
    ['Atomics.store(new Int32Array(1), 0, 2 ** 31)', '2147483648 does not survive in a Int32Array'],
    ['new DataView(new ArrayBuffer(8)).setUint16(0, 65536)', '65536 does not survive in a Uint16Array'],
    [
      'const a: Uint32Array | Float64Array = Math.random() < 2 ? new Uint32Array(1) : new Float64Array(1); a[0] = 0.5',
      '0.5 does not survive in a Uint32Array',
    ],
  ])('%s throws', (body, message) => {
    expect(() => run(body)).toThrow(`checked store: ${message}`);
  });

  test.each([
    ['const a = new Uint8Array(2); a[0] = 255; a[1] = a[0]--; return [...a]', [254, 255]],
    ['const a = new Int32Array(1); a[0] -= 5; return a[0]', -5],
    ['const a = new Float64Array(1); a[0] = 0.1; return a[0]', 0.1],
    ['const a = new Float32Array(2); a[0] = 0.5; a[1] = Number.NaN; return [...a]', [0.5, Number.NaN]],
    ['const a = new Uint32Array(3); let i = 0; a[i++] = 7; a[i++] = a[0] = 8; return [...a]', [8, 8, 0]],
    [`const a = new Uint8Array(1); /* ${marker} for the test */ a[0] = 257; return a[0]`, 1],
  ])('%s gives what it gives unchecked', (body, expected) => {
    expect(run(body)).toEqual(expected);
  });

  test('is made by the sources of these tests', () => {
    expect(() => growingInts().push(-1)).toThrow('checked store: -1 does not survive in a Uint32Array');
    expect(() => new IdTable().internHashed(new Uint8Array(1), 0, 1, 2 ** 32)).toThrow('checked store');
  });
});
