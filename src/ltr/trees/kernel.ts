import { PAGE_BYTES } from '../../core/kernel.js';
import { createJsKernel } from './kernel-js.js';
import { createWasmKernel } from './kernel-wasm.js';

/** The inner loops of boosted trees, on arrays that are known by their addresses in one memory. Both forms, WebAssembly and plain
 *  TypeScript, give the same bytes; kernels/trees.as.ts says what each of them does. */
export interface TreeKernel {
  addToHistograms(bins: number, stride: number, rows: number, sums: number, count: number, histograms: number): void;
  subtractHistogram(parent: number, child: number, bytes: number): void;
  addSums(sums: number, count: number, total: number): void;
  packGradients(
    rows: number,
    count: number,
    gradients: number,
    hessians: number,
    sums: number,
    gradientScale: number,
    hessianScale: number,
    countBits: number,
  ): void;
  largestOf(values: number, count: number): number;
  findSplit(
    histogram: number,
    numBins: number,
    countBits: number,
    gradientUnit: number,
    hessianUnit: number,
    totalGradient: number,
    totalHessian: number,
    totalCount: number,
    minCount: number,
    minHessian: number,
    l2: number,
    least: number,
    best: number,
  ): void;
  ownHistogram(
    column: number,
    member: number,
    countBits: number,
    totalGradient: number,
    totalHessian: number,
    totalCount: number,
    atLeast: number,
    room: number,
  ): number;
  findSharedSplit(
    column: number,
    members: number,
    numMembers: number,
    active: number,
    allowed: number,
    room: number,
    countBits: number,
    gradientUnit: number,
    hessianUnit: number,
    totalGradient: number,
    totalHessian: number,
    totalCount: number,
    minCount: number,
    minHessian: number,
    l2: number,
    least: number,
    best: number,
  ): void;
  partitionForward: Partition;
  partitionBackward: Partition;
  addToScores(rows: number, count: number, scores: number, value: number): void;
  binValues(values: number, valueStride: number, count: number, edges: number, span: number, bins: number, stride: number): number;
  sortByScore(scores: number, order: number, keys: number, spareOrder: number, spareKeys: number, count: number): void;
  arrangeByGain(order: number, byGain: number, count: number, level: number, ranks: number, places: number, placed: number): void;
  addPairGradients(
    count: number,
    level: number,
    keys: number,
    gains: number,
    weights: number,
    gradients: number,
    curvatures: number,
    factors: number,
    scale: number,
    sigma: number,
    nearness: number,
    slope: number,
  ): number;
  spreadByOrder(order: number, count: number, ranked: number, factor: number, target: number): void;
  gatherByOrder(order: number, count: number, values: number, target: number): void;
}

type Partition = (
  bins: number,
  stride: number,
  rows: number,
  sums: number,
  toRows: number,
  toSums: number,
  from: number,
  to: number,
  left: number,
  right: number,
  isLeft: number,
) => void;

/** Pages that 32-bit addresses reach. */
const MOST_PAGES = 65536;

/** Memory of a kernel: WebAssembly's, which workers can share, or a plain buffer where there is no WebAssembly. */
export type KernelMemory = WebAssembly.Memory | { readonly buffer: ArrayBufferLike };

/** Memory for a kernel; a plain buffer where there is no WebAssembly. */
export function createMemory(bytes: number, shared: boolean): KernelMemory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  if (typeof WebAssembly === 'undefined') return { buffer: new ArrayBuffer(pages * PAGE_BYTES) };
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
}

/** Memory that begins with so many bytes and can become as large as addresses reach; undefined where there is no WebAssembly. */
export function createGrowingMemory(bytes: number, shared: boolean): WebAssembly.Memory | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES), maximum: MOST_PAGES, shared });
}

/** Makes such memory larger, so that it has so many bytes, and clears what it had from a place on; what is new is clear. */
export function makeRoom(memory: KernelMemory, from: number, bytes: number): KernelMemory {
  const { byteLength } = memory.buffer;
  if (byteLength > from) new Uint8Array(memory.buffer, from).fill(0); // fits: bytes
  const more = Math.ceil((bytes - byteLength) / PAGE_BYTES);
  if (more > 0 && memory instanceof WebAssembly.Memory) memory.grow(more);
  return memory;
}

/** The WebAssembly kernel, or the plain one where WebAssembly is missing or not wanted. */
export function createKernel(memory: KernelMemory, plain = false): TreeKernel {
  return (plain ? undefined : createWasmKernel(memory)) ?? createJsKernel(memory.buffer);
}
