import { describe, expect, test } from 'vitest';
import { wantsColour, withoutColour } from './colour.js';

describe('wantsColour(isTerminal, environment)', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: 'true', TERM: 'dumb', NO_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [false, { FORCE_COLOR: '' }, false],
  ])('%s %j: %s', (isTerminal, environment, wanted) => {
    expect(wantsColour(isTerminal, environment)).toBe(wanted);
  });

  test('--no-color is stronger than FORCE_COLOR', () => {
    expect(wantsColour(true, withoutColour({ FORCE_COLOR: '1' }))).toBe(false);
  });
});
