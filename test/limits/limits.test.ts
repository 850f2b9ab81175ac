import { describe, expect, test } from 'vitest';
import { limitReference, saidBeyond } from '../../src/cli/print/limit-reference.js';
import { InputError } from '../../src/core/problem.js';
import { withLimits } from '../helpers/lowered-limits.js';
import { compressionLimits } from './compression-limits.js';
import { entryLimits } from './entry-limits.js';
import { fileLimits } from './file-limits.js';
import type { LimitCase, LimitCases } from './limit-case.js';
import { modelLimits } from './model-limits.js';
import { rankingLimits } from './ranking-limits.js';
import { scoreLimits } from './score-limits.js';
import { serveLimits } from './serve-limits.js';
import { textLimits } from './text-limits.js';
import { threadLimits } from './thread-limits.js';
import { workerLimits } from './worker-limits.js';

/** To add a limit: a value in `src/core/limits.ts` or `src/core/evaluation-limits.ts`, its text in `src/cli/print/limit-reference.ts`, and its cases in one of these. */
const allCases: readonly LimitCases[] = [
  compressionLimits,
  textLimits,
  fileLimits,
  threadLimits,
  modelLimits,
  entryLimits,
  rankingLimits,
  scoreLimits,
  serveLimits,
  workerLimits,
];

describe.each(limitReference())('the limit $name', (limit) => {
  const cases = allCases.flatMap((table) => table[limit.name] ?? []);

  test('is tried', () => {
    expect(cases.map(({ name }) => name)).not.toEqual([]);
    expect(Number.isSafeInteger(limit.value) && limit.value > 0).toBe(true);
  });

  test.each(cases)('$name takes as much as is allowed and refuses one more', async ({ lowered, use }: LimitCase) => {
    const value = lowered ?? limit.value;
    await withLimits({ [limit.name]: value }, async () => {
      await use(value);
      const refusal = await Promise.resolve()
        .then(() => use(value + 1))
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(refusal).toBeInstanceOf(InputError);
      expect((refusal as InputError).message).toContain(saidBeyond(limit, value));
    });
  });
});
