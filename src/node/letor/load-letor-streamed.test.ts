import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import { parseLetor } from '../../formats/letor/reader.js';
import { bytesSource } from '../../formats/source.js';
import type { WorkerTeam } from '../threads/team.js';
import { loadFeatures } from './load-features.js';
import { loadLetorStreamed } from './load-letor-streamed.js';
import { StreamedParts, type StreamedTextTask } from './streamed-parts.js';

const { lineBytes } = limits;
afterEach(() => {
  limits.lineBytes = lineBytes;
});

type Team = Pick<WorkerTeam, 'run' | 'size'>;
const nobody: Team = { size: 2, run: async () => [] };
const textOf = (numRows: number): string =>
  Array.from(
    { length: numRows },
    (_, row) => `${row % 3} qid:${row >> 3} 1:${row} ${row % 5 === 0 ? '' : '2:0.5 '}3:${row / 7} # doc${row}\n`,
  ).join('');

/** The text in pieces of so many bytes. */
async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const load = (text: string, { team = nobody, size = 700, options = {} as LetorOptions, partBytes = 2000, expected = 1 << 16 } = {}) =>
  loadLetorStreamed(pieces(text, size), options, team, expected, partBytes);

describe('loadLetorStreamed', () => {
  it('gives what is read in order, wherever the text is cut, with and without an end of the last line', async () => {
    const cuts = fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 5000 }), fc.constantFrom(64, 1 << 16), fc.boolean());
    await fc.assert(
      fc.asyncProperty(cuts, async ([size, partBytes, expected, isEnded]) => {
        const text = isEnded ? textOf(200) : textOf(200).slice(0, -1);
        expect(await load(text, { size, partBytes, expected })).toEqual(parseLetor(text));
      }),
      { numRuns: 30 },
    );
  });

  it('tells problems with the lines they are in', async () => {
    const text = `${textOf(100)}1 qid:9 1:x\n${textOf(20)}1 qid 1:2\n`;
    const refusal = (read: () => unknown): string => {
      try {
        read();
      } catch (error) {
        return String(error);
      }
      return '';
    };
    const expected = refusal(() => parseLetor(text));
    expect(expected).toContain('101');
    await expect(load(text)).rejects.toThrow(InputError);
    await expect(load(text).catch(String)).resolves.toBe(expected);
  });

  it('says which line is too long', async () => {
    limits.lineBytes = 300;
    const text = `${textOf(100)}1 qid:9 1:1 # ${'x'.repeat(400)}\n`;
    await expect(load(text)).rejects.toThrow(/101.*longer than 300 bytes/);
  });

  it('says what a thread says that fails, and waits for no part that it had', async () => {
    const failing: Team = {
      size: 2,
      run: async (_module, data) => {
        const shared = new StreamedParts(data as StreamedTextTask);
        while (shared.take() < 0) await new Promise((resolve) => setTimeout(resolve, 1));
        throw new Error('the thread is lost');
      },
    };
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces(textOf(200), 2000)) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield piece;
      }
    }
    await expect(loadLetorStreamed(slowly(), {}, failing, 1000, 2000)).rejects.toThrow('the thread is lost');
  });

  it('passes on what is wrong with the stream', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(textOf(100), 500);
      throw new InputError({ message: 'the rest is missing' });
    }
    await expect(loadLetorStreamed(broken(), {}, nobody, 1000, 2000)).rejects.toThrow('the rest is missing');
  });
});

describe('loadFeatures', () => {
  it('reads compressed and piped text of any length to the same matrix', async () => {
    for (const numRows of [10, 110_000]) {
      const text = Buffer.from(textOf(numRows));
      const { matrix } = parseLetor(text);
      for (const source of [bytesSource(gzipSync(text, { level: 1 })), { ...bytesSource(text), isReopenable: false }]) {
        const read = await loadFeatures(source, { team: nobody });
        expect(read.matrix.features).toEqual(matrix.features);
        expect(read.matrix.queryOffsets).toEqual(matrix.queryOffsets);
      }
    }
  });
});
