import { describe, expect, test } from 'vitest';
import { orAdvice } from './optional-packages.js';
import { escapeUnprintable, InputError, namingSource, printable, problemText } from './problem.js';

describe('InputError', () => {
  test('takes a sentence, a problem or several, and prints one per line', () => {
    expect(new InputError('wrong')).toMatchObject({ name: 'InputError', message: 'wrong', problems: [{ message: 'wrong' }] });
    const one = { source: 'a.run', line: 3, message: 'wrong', wayOut: 'mend it' };
    expect(new InputError(one)).toMatchObject({ message: 'a.run:3: wrong; mend it', problems: [one] });
    expect(new InputError([one, { message: 'worse' }])).toMatchObject({ message: 'a.run:3: wrong; mend it\nworse' });
  });

  test('says where, as far as that is known', () => {
    expect(problemText({ message: 'wrong' })).toBe('wrong');
    expect(problemText({ line: 4, message: 'wrong' })).toBe('wrong');
    expect(problemText({ source: 'a', message: 'wrong' })).toBe('a: wrong');
    expect(problemText({ source: 'a', line: 4, message: 'wrong', wayOut: 'b\n' })).toBe('a:4: wrong; b\\x0a');
  });
});

test('namingSource names the file that no problem names, and lets other errors pass', () => {
  expect(namingSource('a', () => 5)).toBe(5);
  const problems = (error: Error) => {
    try {
      namingSource('a.run', () => {
        throw error;
      });
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  };
  expect(problems(new InputError([{ message: 'x' }, { source: 'b', line: 2, message: 'y' }]))).toMatchObject({
    message: 'a.run: x\nb:2: y',
  });
  const other = new RangeError('x');
  expect(problems(other)).toBe(other);
});

describe('text from outside', () => {
  test('shows what a terminal would act upon', () => {
    expect(printable('a\u001b[31mb\u009b\u007f')).toBe('a\\x1b[31mb\\x9b\\x7f');
    expect(printable('x\u202ey\u2028')).toBe('x\\u202ey\\u2028');
    // an invisible letter takes two units
    expect(printable('\u{e0041}')).toBe('\\udb40\\udc41');
    expect(printable('näïve 中文 \u{1f600}')).toBe('näïve 中文 \u{1f600}');
  });

  test('keeps line ends and tabs in lines and JSON only, and JSON has its own escapes', () => {
    expect(escapeUnprintable('a\n\t\r', 'plain')).toBe('a\\x0a\\x09\\x0d');
    expect(escapeUnprintable('a\n\t\r', 'lines')).toBe('a\n\t\\x0d');
    expect(escapeUnprintable('a\n\t\r\u200e', 'json')).toBe('a\n\t\\u000d\\u200e');
  });

  test('is cut where it is very long', () => {
    expect(printable('x'.repeat(400))).toBe('x'.repeat(400));
    expect(printable('x'.repeat(401))).toBe(`${'x'.repeat(400)}…`);
    expect(printable('abcd', 3)).toBe('abc…');
    expect(printable('abc', 3)).toBe('abc');
  });
});

describe('orAdvice', () => {
  test.each([
    ['Node', { code: 'ERR_MODULE_NOT_FOUND', message: 'Cannot find package' }],
    ['webpack', { code: 'MODULE_NOT_FOUND', message: 'x' }],
    ['Chrome', new TypeError('Failed to fetch dynamically imported module: x')],
    ['Firefox', new TypeError('The specifier “x” was a bare specifier, but was not remapped to anything')],
    ['Safari', new TypeError("Module name, 'x' does not resolve to a valid URL.")],
    ['Chrome, without a map', new TypeError("Failed to resolve module specifier 'x'")],
  ])('advises to install where %s does not find a package', (_, error) => {
    expect((orAdvice(error, 'Parquet', ['x']) as InputError).message).toBe(
      'Parquet needs the package x, which is not installed; npm install x',
    );
    expect((orAdvice(error, 'PDF', ['x', 'y']) as InputError).message).toBe(
      'PDF needs the packages x and y, which are not installed; npm install x y',
    );
  });

  test('leaves other errors as they are', () => {
    for (const error of [new Error('out of memory'), { code: 'ENOENT', message: 'x' }, {}])
      expect(orAdvice(error, 'PDF', ['x'])).toBe(error);
  });
});
