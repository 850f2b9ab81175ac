import { InputError, limits, type Problem } from '../../core/index.js';
import {
  COMPARISON_TESTS,
  CORRECTION_METHODS,
  type CompareOptions,
  type ComparisonTest,
  findCorrection,
  isJointTest,
} from '../../stats/index.js';
import type { ArgumentsOf, ChoiceOption, IntegerOption, NumberOption, TextOption } from '../parse/command.js';

/** Options of commands that test differences. */
export type TestOptions = readonly [
  ChoiceOption<'test', ComparisonTest>,
  TextOption<'correction'>,
  NumberOption<'alpha'>,
  IntegerOption<'seed'>,
  IntegerOption<'resamples'>,
];

/** Options of commands that test differences. */
export function testOptions(tests: readonly ComparisonTest[], otherwise: ComparisonTest): TestOptions {
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
    { long: 'seed', value: 'N', integer: { min: 0, max: limits.seed }, help: 'where random draws start, 1 if not given' },
    {
      long: 'resamples',
      value: 'N',
      integer: { min: 10, max: limits.resamples },
      help: 'how many times a test by resampling draws; 100000 for randomization, 1000 for bootstrap and 10000 for randomized-tukey if not given',
    },
  ];
}

/** Options of commands that compare all systems, or all with one. */
export const comparisonOptions: readonly [
  TextOption<'baseline'>,
  ...TestOptions,
  ChoiceOption<'family', 'measure' | 'all'>,
  ChoiceOption<'interval', 't' | 'bootstrap'>,
] = [
  { long: 'baseline', value: 'NAME', help: 'compare the others with this system only' },
  ...testOptions(COMPARISON_TESTS, 't'),
  {
    long: 'family',
    value: 'WHICH',
    choices: ['measure', 'all'],
    help: 'what is corrected together: the pairs of each measure (measure, the default), or all tests (all)',
  },
  {
    long: 'interval',
    value: 'METHOD',
    choices: ['t', 'bootstrap'],
    help: "how intervals are made: Student's t (t, the default) or the BCa bootstrap (bootstrap)",
  },
];

/** What the options of `compare` say about the comparison. */
export type AskedComparison = AskedTest & Pick<CompareOptions, 'baseline' | 'family' | 'interval'>;

/** Reads the options that say how systems are compared. */
export function askedComparison(args: ArgumentsOf<typeof comparisonOptions>): AskedComparison {
  return {
    ...askedTest(args),
    baseline: args.value('baseline'),
    family: args.value('family') ?? 'measure',
    interval: args.value('interval') ?? 't',
  };
}

/** What is wrong with the options of a comparison taken together. */
export function comparisonProblems(args: ArgumentsOf<TestOptions>): Problem[] {
  const test = args.value('test');
  if (test === undefined || !isJointTest(test) || !args.has('correction') || args.value('correction') === 'none') return [];
  return [
    {
      message: `--correction ${args.value('correction')} with --test ${test}, whose p-values hold for all pairs together already`,
      wayOut: 'leave --correction out',
    },
  ];
}

/** The tests that a gate can use: those of one pair at a time. */
export const pairTests: readonly ComparisonTest[] = ['t', 'wilcoxon', 'sign', 'randomization', 'bootstrap'];

/** What the options of a test say; undefined where the default holds. */
export interface AskedTest {
  readonly test: ComparisonTest | undefined;
  readonly correction: ReturnType<typeof findCorrection> | undefined;
  readonly alpha: number | undefined;
  readonly seed: number | undefined;
  readonly resamples: number | undefined;
}

/** Reads the options that say how a difference is tested. */
export function askedTest(args: ArgumentsOf<TestOptions>): AskedTest {
  const correction = args.value('correction');
  return {
    test: args.value('test'),
    correction: correction === undefined ? undefined : findCorrection(correction),
    alpha: args.number('alpha'),
    seed: args.number('seed'),
    resamples: args.number('resamples'),
  };
}
