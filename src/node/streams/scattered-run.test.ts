import { describe, expect, it } from 'vitest';
import { beginsScattered } from './scattered-run.js';

const head = (text: string): Uint8Array => new TextEncoder().encode(text);
const line = (topic: string, doc: string): string => `${topic} Q0 ${doc} 1 2.5 tag\n`;

describe('beginsScattered', () => {
  it.each([
    ['a topic that comes back', line('1', 'a') + line('2', 'b') + line('1', 'c') + line('3', 'd')],
    ['a topic that comes back after many', ['1', '2', '3', '4', '1', '5'].map((topic) => line(topic, 'a')).join('')],
  ])('sees %s', (_, text) => expect(beginsScattered(head(text))).toBe(true));

  it.each([
    ['topics that are together', line('1', 'a') + line('1', 'b') + line('2', 'c') + line('3', 'd')],
    ['one topic', line('1', 'a') + line('1', 'b')],
    ['a topic whose last line is cut off', `${line('1', 'a') + line('2', 'b')}1 Q0 c`],
    ['lines that cannot be read', `${line('1', 'a')}what\n${line('1', 'b')}${line('2', 'a')}${line('1', 'c')}`],
    ['nothing', ''],
  ])('does not see it in %s', (_, text) => expect(beginsScattered(head(text))).toBe(false));

  it('looks at no more topics than a few hundred', () => {
    const many = Array.from({ length: 300 }, (_, topic) => line(`${topic}`, 'a')).join('');
    expect(beginsScattered(head(many + line('0', 'b') + line('x', 'a')))).toBe(false);
    const few = Array.from({ length: 200 }, (_, topic) => line(`${topic}`, 'a')).join('');
    expect(beginsScattered(head(few + line('0', 'b') + line('x', 'a')))).toBe(true);
  });
});
