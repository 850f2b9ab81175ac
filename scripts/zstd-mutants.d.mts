import type { Random } from '../src/core/numbers/random.js';

export function skippableFrame(content: string, number?: number): Uint8Array;
export function zstdFiles(numLines: number, random: Random): Record<string, Uint8Array>;
export function zstdMutants(files: readonly Uint8Array[], count: number, random: Random): Uint8Array[];
