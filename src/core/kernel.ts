/** WebAssembly hands out memory in pages of this many bytes. */
export const PAGE_BYTES = 65536;

/** Compiles a kernel when it is first asked for, and never again. The answer is undefined where WebAssembly or its SIMD
 *  instructions are missing (the program is too old, or a content security policy forbids them), and the caller works without.
 *  @param base64  the module as text
 *  @param adjust  changes the bytes before they are compiled */
export function kernelLoader(base64: string, adjust?: (bytes: Uint8Array) => void): () => WebAssembly.Module | undefined {
  let compiled: WebAssembly.Module | null | undefined;
  return () => {
    if (compiled === undefined) compiled = compile(base64, adjust);
    return compiled ?? undefined;
  };
}

function compile(base64: string, adjust: ((bytes: Uint8Array) => void) | undefined): WebAssembly.Module | null {
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length); // fits: bytes
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    adjust?.(bytes);
    return new WebAssembly.Module(bytes);
  } catch {
    return null;
  }
}

/** Memory of one thread for a kernel; undefined where there is none left. Browsers set aside gigabytes of addresses for each, so that
 *  this happens when many files are read at once, and the caller works without. */
export function kernelMemory(numBytes: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(numBytes / PAGE_BYTES) });
  } catch {
    return undefined;
  }
}

/** The functions of a kernel that works on this memory.
 *  @typeParam T  what the module exports; a test calls every one */
export function startKernel<T extends object>(module: WebAssembly.Module, memory: WebAssembly.Memory): T {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } }) as { exports: object };
  return exports as T;
}
