/** Files that were dropped on the page, as sources. */
import { InputError } from 'gradus';
import type { Platform } from 'gradus/experiment';
import { type ByteSource, type Chunks, parquetContent } from 'gradus/formats';

/** A dropped file. It may be moved or changed meanwhile, which shows when it is read.
 *  @param onBytes Called with how much of it has been read.
 *  @param sizes The file that stands beside it and says how many lines each query has. */
export function blobSource(file: File, onBytes?: (done: number, total: number) => void, sizes?: File): ByteSource {
  return {
    beside: (ending) => (sizes?.name.endsWith(ending) === true ? blobSource(sizes) : undefined),
    name: file.name,
    fileName: file.name,
    size: file.size,
    isReopenable: true,
    open: () => chunksOf(file, onBytes),
    openParts: () => ({
      byteLength: file.size,
      slice: (start, end) => file.slice(start, end).arrayBuffer(),
      close: () => undefined,
    }),
  };
}

async function* chunksOf(file: File, onBytes: ((done: number, total: number) => void) | undefined): Chunks {
  const reader = file.stream().getReader();
  let done = 0;
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) return;
      done += next.value.length;
      onBytes?.(done, file.size);
      yield next.value;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = error instanceof Error && error.message !== '' ? ` (${error.message.replace(/\.$/, '')})` : '';
    throw new InputError({
      source: file.name,
      message: `the file cannot be read${reason}`,
      wayOut: 'was it moved or changed? Choose it again',
    });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Loads what reads Parquet before somebody needs it, because the network may be gone by then. */
export async function prepareReaders(): Promise<void> {
  // there is nothing to read, but what would read it is loaded
  await parquetContent(new Uint8Array(0)).catch(() => undefined);
}

/** The page has no names for files that nobody gave it. */
export const pagePlatform: Platform = {
  source: (name) => {
    throw new InputError({ source: name, message: 'is not open here', wayOut: 'add it to the page' });
  },
  /** Undefined where the page was not loaded in a way that browsers trust. */
  async sha256(chunks) {
    if (globalThis.crypto?.subtle === undefined) return undefined;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  },
  version: __GRADUS_VERSION__,
};
