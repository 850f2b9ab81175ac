import { afterEach, expect, test, vi } from 'vitest';
import { kernelLoader, kernelMemory, PAGE_BYTES } from './kernel.js';

/** The smallest module: the magic word and the version. */
const EMPTY_MODULE = btoa('\0asm\u0001\0\0\0');

afterEach(() => vi.unstubAllGlobals());

test('kernelLoader compiles once, when it is first asked', () => {
  const load = kernelLoader(EMPTY_MODULE);
  const first = load();
  expect(first).toBeInstanceOf(WebAssembly.Module);
  expect(load()).toBe(first);
});

test('kernelLoader changes the bytes before they are compiled', () => {
  const spoil = (bytes: Uint8Array): void => void bytes.fill(0);
  expect(kernelLoader(EMPTY_MODULE, spoil)()).toBeUndefined();
});

test('kernelLoader gives undefined where there is no WebAssembly', () => {
  vi.stubGlobal('WebAssembly', undefined);
  expect(kernelLoader(EMPTY_MODULE)()).toBeUndefined();
});

test('kernelMemory has whole pages', () => {
  expect(kernelMemory(PAGE_BYTES + 1)?.buffer.byteLength).toBe(2 * PAGE_BYTES);
});
