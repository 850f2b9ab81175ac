import { describe, expect, test } from 'vitest';
import { ReadingLog } from '../reading-log.js';
import { runLines } from '../text/line-scanner.js';
import { LineFeed, type StrictLayout, strictLines } from './lines.js';

const layout: StrictLayout = { ...runLines, ...strictLines, shape: 'topic Q0 document rank score tag' };
const encoder = new TextEncoder();

describe.each([
  ['TypeScript', false],
  ['WebAssembly', true],
])('LineFeed, scanning in %s,', (_, wasm) => {
  /** How often lines are handed on, and how many they are. */
  function fed(topicOf: (line: number) => number, numLines: number, mixes: boolean): { calls: number; lines: number } {
    let calls = 0;
    let lines = 0;
    const take = ({ scanner }: { scanner: { numLines: number } }): void => {
      calls++;
      lines += scanner.numLines;
    };
    const feed = new LineFeed(layout, new ReadingLog({}), take, wasm, mixes);
    feed.push(encoder.encode(Array.from({ length: numLines }, (__, line) => `${topicOf(line)} Q0 d${line} 1 1 t\n`).join('')));
    feed.finish();
    return { calls, lines };
  }

  test('hands scattered lines on by hundreds, if it may', () => {
    expect(fed((line) => line % 7, 20_000, false)).toEqual({ calls: 20_000, lines: 20_000 });
    const { calls, lines } = fed((line) => line % 7, 20_000, true);
    expect(lines).toBe(20_000);
    expect(calls).toBeLessThan(200);
  });

  test('hands lines on topic by topic where these are together', () => {
    expect(fed((line) => Math.floor(line / 10), 20_000, true)).toEqual({ calls: 2_000, lines: 20_000 });
  });
});
