import { type ChunkReader, textBytes } from '../reader.js';
import { checkingStart } from '../text/text-start.js';
import type { LetorOptions } from './options.js';
import { LetorParser, type LetorReading } from './parser.js';

/** Reads a feature file that is in memory as a whole: LETOR 3.0 and 4.0, MSLR, SVMlight. */
export function parseLetor(content: Uint8Array | string, options: LetorOptions = {}): LetorReading {
  const bytes = typeof content === 'string' ? textBytes(content) : content;
  const reader = createLetorReader({ expectedBytes: bytes.length, ...options });
  reader.push(bytes);
  return reader.finish();
}

/** Reads a feature file piece by piece. */
export function createLetorReader(options: LetorOptions = {}): ChunkReader<LetorReading> {
  return checkingStart(new LetorParser(options), options);
}
