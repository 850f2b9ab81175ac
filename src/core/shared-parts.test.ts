import { describe, expect, test } from 'vitest';
import { SharedParts, wordsForParts } from './shared-parts.js';
import { nameWords } from './shared-words.js';

/** Two threads' views of the same memory. */
function two(numParts: number): [SharedParts, SharedParts] {
  const words = wordsForParts();
  const first = new SharedParts(words);
  first.offer(numParts);
  return [first, new SharedParts(words)];
}

describe('shared parts', () => {
  test('are taken once each, whoever asks', () => {
    const [a, b] = two(5);
    expect([a.next(), b.next(), b.next(), a.next(), a.next(), b.next(), a.next()]).toEqual([0, 1, 2, 3, 4, -1, -1]);
  });

  test('can be offered from any on, and again', () => {
    const [a, b] = two(2);
    b.takeEach(() => undefined);
    a.offer(4, 2);
    expect([b.next(), a.next(), b.next()]).toEqual([2, 3, -1]);
  });

  test('are not handed out after one has failed', () => {
    const [a, b] = two(5);
    const done: number[] = [];
    const fail = (part: number): void => {
      done.push(part);
      if (part === 1) throw new Error('part 1 cannot be done');
    };
    expect(() => a.takeEach(fail)).toThrow('part 1 cannot be done');
    expect(done).toEqual([0, 1]);
    expect([b.isStopped, b.next()]).toEqual([true, -1]);
  });

  test('are left to others beyond the most that one may take', () => {
    const [a, b] = two(3);
    const taken: number[] = [];
    a.takeEach((part) => taken.push(part), 2);
    b.takeEach((part) => taken.push(10 + part), 2);
    expect(taken).toEqual([0, 1, 12]);
  });

  test('add up what threads report', () => {
    const [a, b] = two(2);
    a.advance(3);
    b.advance(4);
    expect([a.done, b.done]).toEqual([7, 7]);
  });
});

describe('nameWords', () => {
  test('gives each name a word of its own, from a place on', () => {
    const memory = new Int32Array(new SharedArrayBuffer(16));
    const { turn, failed } = nameWords(memory, ['turn', 'failed'], 2);
    turn.store(7);
    failed.value = 9;
    expect([...memory]).toEqual([0, 0, 7, 9]);
    expect([turn.add(2), turn.load(), turn.replace(1, 5), turn.replace(9, 5), turn.value]).toEqual([7, 9, 9, 9, 5]);
    expect(turn.waitWhile(4)).toBe(true);
    expect(turn.waitWhile(5, 1)).toBe(false);
  });

  test('refuses memory that is too short', () => {
    expect(() => nameWords(new Int32Array(2), ['one', 'two'], 1)).toThrow('2 words are too few for one, two from 1 on');
  });
});
