import { kernelLoader, startKernel } from '../../core/kernel.js';
import type { KernelMemory, TreeKernel } from './kernel.js';
import { treesWasm } from './kernels/trees.wasm.js';

/** `env`, `memory`, and the mark of an imported memory; the byte behind says of which kind. */
const MEMORY_IMPORT = [3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2];
const WITH_MAXIMUM = 1;
const WITH_MAXIMUM_SHARED = 3;

/** The same code runs on memory of one thread and on shared memory; only the declaration of the import differs, by one byte. */
const loadPlain = kernelLoader(treesWasm);
const loadShared = kernelLoader(treesWasm, (bytes) => {
  const start = bytes.findIndex((_, at) => MEMORY_IMPORT.every((byte, i) => bytes[at + i] === byte));
  const kind = start + MEMORY_IMPORT.length;
  if (start < 0 || bytes[kind] !== WITH_MAXIMUM) throw new Error('no imported memory with a maximum');
  bytes[kind] = WITH_MAXIMUM_SHARED;
});

/** The kernel in WebAssembly, or undefined where WebAssembly or its SIMD instructions are missing. */
export function createWasmKernel(memory: KernelMemory): TreeKernel | undefined {
  if (typeof WebAssembly === 'undefined' || !(memory instanceof WebAssembly.Memory)) return undefined;
  const isShared = typeof SharedArrayBuffer !== 'undefined' && memory.buffer instanceof SharedArrayBuffer;
  const module = isShared ? loadShared() : loadPlain();
  return module && startKernel<TreeKernel>(module, memory);
}
