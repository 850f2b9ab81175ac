import type { KernelMemory, TreeKernel } from './kernel.js';
import { treesWasm } from './kernels/trees.wasm.js';

const compiled: { plain?: WebAssembly.Module | null; shared?: WebAssembly.Module | null } = {};

/** The kernel in WebAssembly, or undefined where WebAssembly or its SIMD instructions are missing. */
export function createWasmKernel(memory: KernelMemory): TreeKernel | undefined {
  if (typeof WebAssembly === 'undefined' || !(memory instanceof WebAssembly.Memory)) return undefined;
  const shared = typeof SharedArrayBuffer !== 'undefined' && memory.buffer instanceof SharedArrayBuffer;
  const kind = shared ? 'shared' : 'plain';
  if (compiled[kind] === undefined) compiled[kind] = compile(shared);
  const module = compiled[kind];
  if (module === null) return undefined;
  // the module exports just what the interface names; a test calls every one
  const { exports } = new WebAssembly.Instance(module, { env: { memory } }) as { exports: object };
  return exports as TreeKernel;
}

/** `env`, `memory`, and the mark of an imported memory; the byte behind says of which kind. */
const MEMORY_IMPORT = [3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2];
const WITH_MAXIMUM = 1;
const WITH_MAXIMUM_SHARED = 3;

/** The same code runs on memory of one thread and on shared memory; only the declaration of the import differs, by one byte. */
function compile(shared: boolean): WebAssembly.Module | null {
  try {
    // fits: characters of base64, which atob gives as bytes
    const bytes = Uint8Array.from(atob(treesWasm), (character) => character.charCodeAt(0));
    const start = bytes.findIndex((_, at) => MEMORY_IMPORT.every((byte, i) => bytes[at + i] === byte));
    const kind = start + MEMORY_IMPORT.length;
    if (start < 0 || bytes[kind] !== WITH_MAXIMUM) throw new Error('no imported memory with a maximum');
    if (shared) bytes[kind] = WITH_MAXIMUM_SHARED;
    return new WebAssembly.Module(bytes);
  } catch {
    return null; // too old, or forbidden by a content security policy
  }
}
