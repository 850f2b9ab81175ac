import { describe, expect, test } from 'vitest';
import { displayWidth, padEnd, padStart, wrapText } from './width.js';

describe('displayWidth(text)', () => {
  test.each([
    ['', 0],
    ['nDCG@10', 7],
    ['Järvelin', 8],
    ['Ja\u0308rvelin', 8], // a letter and its dots as two code points
    ['検索', 4],
    ['ﾎﾟ', 2], // half-width kana with a half-width mark
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['🙂', 2],
    ['👩‍👧‍👦', 2], // three people joined into one picture
    ['🇨🇭', 2],
    ['\u200b', 0],
    ['שלום', 4],
  ])('%j takes %i columns', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

describe('padding', () => {
  test('fills up to the column, wide letters counted as two', () => {
    expect(padEnd('検', 4)).toBe('検  ');
    expect(padStart('検', 4)).toBe('  検');
    expect(padEnd('long', 2)).toBe('long');
  });
});

describe('wrapText(text, width, indent)', () => {
  test('breaks at blanks, keeps long words whole, and indents every line', () => {
    expect(wrapText('one two  three\nfour', 9)).toBe('one two\nthree\nfour');
    expect(wrapText('a incomprehensible b', 6, '  ')).toBe('  a\n  incomprehensible\n  b');
  });
});
