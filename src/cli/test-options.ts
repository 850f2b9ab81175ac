import { InputError } from '../core/problem.js';
import { COMPARISON_TESTS, type ComparisonTest } from '../stats/compare.js';
import { CORRECTION_METHODS, findCorrection } from '../stats/correction.js';
import type { ParsedArguments } from './arguments.js';
import type { OptionSpec } from './command.js';

/** Options of commands that test differences. */
export function testOptions(tests: readonly ComparisonTest[], otherwise: ComparisonTest): OptionSpec[] {
  return [
    {
      long: 'test',
      value: 'TEST',
      choices: tests,
      help: `the test of significance: ${tests.join(', ')}; ${otherwise} if not given`,
    },
    {
      long: 'correction',
      value: 'METHOD',
      help: `how p-values are corrected for several tests: ${CORRECTION_METHODS.join(', ')} or none; holm if not given. The names of statsmodels (fdr_bh, simes-hochberg) are understood`,
      check: (value) => void findCorrection(value),
    },
    {
      long: 'alpha',
      value: 'LEVEL',
      number: true,
      help: 'the chance of a false claim that is accepted, 0.05 if not given',
      check: (value) => {
        if (!(Number(value) > 0 && Number(value) < 1)) throw new InputError(`--alpha: expected a number between 0 and 1, found ${value}`);
      },
    },
    { long: 'seed', value: 'N', integer: { min: 0, max: Number.MAX_SAFE_INTEGER }, help: 'where random draws start, 1 if not given' },
    {
      long: 'resamples',
      value: 'N',
      integer: { min: 10, max: 100_000_000 },
      help: 'how many times a test by resampling draws; 100000 for randomization, 1000 for bootstrap and 10000 for randomized-tukey if not given',
    },
  ];
}

export const pairTests: readonly ComparisonTest[] = ['t', 'wilcoxon', 'sign', 'randomization', 'bootstrap'];

export interface AskedTest {
  readonly test: ComparisonTest | undefined;
  readonly correction: ReturnType<typeof findCorrection> | undefined;
  readonly alpha: number | undefined;
  readonly seed: number | undefined;
  readonly resamples: number | undefined;
}

export function askedTest(args: ParsedArguments): AskedTest {
  const correction = args.value('correction');
  return {
    test: COMPARISON_TESTS.find((test) => test === args.value('test')),
    correction: correction === undefined ? undefined : findCorrection(correction),
    alpha: args.number('alpha'),
    seed: args.number('seed'),
    resamples: args.number('resamples'),
  };
}
