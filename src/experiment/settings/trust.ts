import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type {
  CorrectionQuantile,
  GradeScale,
  JudgeAgreementOptions,
  JudgingOrderOptions,
  OutsidePolicy,
  RankSetOptions,
} from '../../judging/index.js';
import { CORRECTION_QUANTILES, JUDGING_ORDERS, MEASUREMENT_LEVELS, OUTSIDE_POLICIES, WEIGHT_SCHEMES } from '../../judging/index.js';
import type { PoolOrder } from '../judging/pooling.js';
import type { NumberSetting, SettingsOf } from './setting.js';

const seed: NumberSetting = { type: 'integer', value: 'N', min: 0, max: limits.seed, default: 1, help: 'where random draws start' };
const resamples: NumberSetting = {
  type: 'integer',
  short: 'B',
  value: 'N',
  min: 20,
  max: limits.resamples,
  default: 10_000,
  help: 'how many times topics are drawn',
};
const alpha: NumberSetting = {
  type: 'number',
  value: 'LEVEL',
  min: 0,
  max: 1,
  exclusive: true,
  default: 0.05,
  help: 'the chance of a false claim that is accepted',
};

/** A scale such as 0-3. */
function readScale(text: string): Pick<GradeScale, 'lowest' | 'highest'> {
  const [, lowest, highest] = /^(-?\d+)-(-?\d+)$/.exec(text) ?? [];
  if (lowest === undefined || Number(lowest) >= Number(highest)) {
    throw new InputError({ message: `--scale ${text} is no scale`, wayOut: 'write the lowest and the highest grade, as in 0-3' });
  }
  return { lowest: Number(lowest), highest: Number(highest) };
}

/** How much a loss against a baseline counts. */
export const riskSettings: SettingsOf<{ readonly baseline: string; readonly alpha: number }> = {
  baseline: { value: 'NAME', help: 'the system that the others are held against', defaultText: 'the first' },
  alpha: { type: 'number', value: 'A', min: 0, max: 1e6, default: 1, help: 'losses count 1 + A times' },
};

/** How far judges agree. */
export const agreeSettings: SettingsOf<
  Required<Pick<JudgeAgreementOptions, 'measurement' | 'weights' | 'distance' | 'interval' | 'resamples' | 'seed'>> & {
    readonly scale: Pick<GradeScale, 'lowest' | 'highest'>;
    readonly outside: OutsidePolicy;
    readonly alpha: number;
    readonly runs: readonly string[];
    readonly majority: boolean;
  }
> & { readonly runs: { readonly repeatable: true } } = {
  runs: {
    value: 'FILE',
    repeatable: true,
    file: 'input',
    help: 'a run; how the order of runs changes with the judge is then said too',
  },
  majority: { help: 'compare each judge with the most frequent grade of the others (the lower one of two), not with the first judge' },
  measurement: {
    value: 'LEVEL',
    choices: MEASUREMENT_LEVELS,
    choiceTexts: { nominal: 'equal or not', ordinal: 'an order', interval: 'differences', ratio: 'a zero as well' },
    default: 'ordinal',
    help: "what grades mean to Krippendorff's alpha",
  },
  weights: { value: 'SCHEME', choices: WEIGHT_SCHEMES, default: 'quadratic', help: 'weights of weighted kappa and AC2' },
  distance: {
    value: 'WHAT',
    choices: ['grade', 'position'],
    choiceTexts: { grade: 'of grades', position: 'of places on the scale, as scikit-learn has it' },
    default: 'grade',
    help: 'distances that linear and quadratic weights take',
  },
  scale: { value: 'A-B', help: 'the scale of grades, as in 0-3', defaultText: 'all grades that occur', read: readScale },
  outside: {
    value: 'POLICY',
    choices: OUTSIDE_POLICIES,
    choiceTexts: { refuse: 'an error', clip: 'moved to the nearest grade', drop: 'left out' },
    default: 'refuse',
    help: 'grades outside the scale',
  },
  interval: {
    value: 'KIND',
    choices: ['topics', 'units', 'formula'],
    choiceTexts: {
      topics: 'topics are drawn',
      units: 'pairs are drawn as if independent',
      formula: 'formulas for independent pairs, which are several times too narrow; none for alpha and the shift',
    },
    default: 'topics',
    help: 'how intervals are made',
  },
  resamples,
  seed,
  alpha,
};

/** Scores corrected by people. */
export const correctSettings: SettingsOf<{
  readonly quantile: CorrectionQuantile;
  readonly lambda: number;
  readonly halfWidth: number;
  readonly baseline: string;
}> = {
  quantile: {
    value: 'KIND',
    choices: CORRECTION_QUANTILES,
    choiceTexts: {
      fitted: "Student's t with a degree of freedom less for the tuned lambda, which holds its level in small samples",
      student: "Student's t without that",
      normal: 'as published',
    },
    defaultText:
      'fitted below 100 topics that people judged, normal from there on; for scores of 0 and 1 the shares of ones where the machine says 1 and where it says 0',
    help: 'the distribution of intervals',
  },
  lambda: {
    type: 'number',
    value: 'SHARE',
    min: 0,
    max: 1,
    help: 'how far the machine is followed: 0 not at all, 1 fully',
    defaultText: 'the share that makes the interval shortest',
  },
  halfWidth: {
    type: 'number',
    value: 'WIDTH',
    min: 0,
    exclusive: true,
    default: 0.05,
    help: 'say how many topics people have to judge for an interval of this much to either side',
  },
  baseline: { value: 'NAME', help: 'the system that the others are compared with', defaultText: 'the best by corrected score' },
};

/** How sure a leaderboard is. */
export const leaderboardSettings: SettingsOf<
  Required<Pick<RankSetOptions, 'singleStep' | 'seed' | 'quantile'>> & {
    readonly alpha: number;
    readonly resamples: number;
    readonly top: number;
    readonly prior: number;
    readonly preferences: string;
    readonly stability: boolean;
    readonly shuffles: number;
  }
> = {
  preferences: {
    value: 'FILE',
    file: 'input',
    help: 'comparisons of two systems (first, second, outcome), in the place of judgements and runs',
  },
  alpha: { ...alpha, help: 'the chance that any rank lies outside its set' },
  resamples,
  quantile: {
    value: 'KIND',
    choices: ['student', 'normal'],
    choiceTexts: { student: 'allows for few topics', normal: 'as published' },
    default: 'student',
    help: 'the distribution of draws',
  },
  singleStep: { help: 'stop after one round, with wider sets' },
  top: { type: 'integer', value: 'K', min: 1, default: 1, help: 'name the topics without which any of the first K would be another' },
  stability: { help: 'also say how far the other measures and tie rules keep the order' },
  prior: { type: 'number', value: 'TIES', min: 0, default: 0, help: 'with --preferences: virtual ties between every two systems' },
  shuffles: {
    type: 'integer',
    value: 'N',
    min: 2,
    max: 100_000,
    help: "with --preferences: also Elo's numbers kept in sequence, over N random orders of the comparisons",
  },
  seed,
};

/** How many topics. */
export const planSettings: SettingsOf<{
  readonly difference: number;
  readonly power: number;
  readonly alpha: number;
  readonly pairs: number;
  readonly width: number;
  readonly stability: number;
  readonly drop: number;
}> = {
  difference: { type: 'number', value: 'D', min: 0, exclusive: true, default: 0.02, help: 'the smallest difference of means of interest' },
  power: { type: 'number', value: 'P', min: 0, max: 1, exclusive: true, default: 0.8, help: 'the wanted chance to find it' },
  alpha,
  pairs: { type: 'integer', value: 'K', min: 1, default: 1, help: 'pairs that will be tested; alpha is divided by this number' },
  width: { type: 'number', value: 'W', min: 0, exclusive: true, default: 0.05, help: 'the wanted width of the interval of a difference' },
  stability: { type: 'number', value: 'V', min: 0, max: 1, exclusive: true, default: 0.95, help: 'the wanted coefficient of reliability' },
  drop: { type: 'number', value: 'F', min: 0, max: 0.9, default: 0, help: 'leave out systems below this quantile of the means' },
};

/** What to judge next. */
export const poolSettings: SettingsOf<
  Required<Pick<JudgingOrderOptions, 'memory' | 'persistence' | 'seed'>> & {
    readonly order: PoolOrder;
    readonly depth: number;
    readonly budget: number;
    readonly groups: string;
    readonly seeds: number;
    readonly confidence: number;
    readonly chance: number;
    readonly chances: string;
    readonly draws: number;
  }
> = {
  order: {
    value: 'ORDER',
    choices: [...JUDGING_ORDERS, 'influence', 'minimal'],
    choiceTexts: {
      rank: 'rank 1 of every run, then rank 2',
      'move-to-front': 'stay with a run while it brings relevant documents',
      bandit: 'the run with the largest share of relevant documents so far',
      thompson: 'a run drawn by that share',
      'rbp-a': 'weight in rank-biased precision over all runs',
      'rbp-b': 'the same, for runs of which much is unknown',
      'rbp-c': 'the same, for runs that may be good',
      influence: 'over all topics, what moves the average precision of the runs apart and is least known',
      minimal: 'over all topics, what tells two runs apart by AP, P or RBP, until the comparison is settled',
    },
    default: 'move-to-front',
    help: 'how documents are chosen',
  },
  memory: { type: 'number', value: 'G', min: 0, max: 1, default: 1, help: 'of bandits: 1 never forgets, 0 knows the last judgement only' },
  persistence: { type: 'number', value: 'P', min: 0, max: 1, exclusive: true, default: 0.8, help: 'of rank-biased precision' },
  depth: { type: 'integer', value: 'K', min: 1, default: 100, help: 'only the first K documents of each run' },
  budget: { type: 'integer', value: 'N', min: 1, default: 10, help: 'documents to judge for each topic' },
  groups: {
    value: 'FILE',
    file: 'input',
    help: 'which group each run belongs to: run and team or group in each line; each run is its own group otherwise',
  },
  confidence: {
    type: 'number',
    value: 'P',
    min: 0.5,
    max: 1,
    exclusive: true,
    default: 0.95,
    help: 'how probable it has to be which of two runs is ahead for their comparison to count as settled',
  },
  chance: {
    type: 'number',
    value: 'P',
    min: 0,
    max: 1,
    help: 'the chance that a document is relevant which nobody judged',
    defaultText: 'the share of relevant ones among the judged documents at its rank',
  },
  chances: { value: 'FILE', file: 'input', help: 'such chances, in lines of a topic, a document and a chance' },
  draws: { type: 'integer', value: 'N', min: 20, max: limits.resamples, default: 1000, help: 'how many completions are drawn' },
  seeds: { type: 'integer', value: 'N', min: 1, max: 1000, default: 10, help: 'how many orders of the runs are tried, for the spread' },
  seed,
};

/** Whether an experiment was reproduced. */
export const reproduceSettings: SettingsOf<{
  readonly advanced: string;
  readonly advancedAgain: string;
  readonly replication: string;
  readonly persistence: number;
  readonly depth: number;
  readonly rope: number;
}> = {
  advanced: { value: 'FILE', file: 'input', help: 'the run of the system that improves on the first, in the original' },
  advancedAgain: { value: 'FILE', file: 'input', help: 'the same system in the reproduction' },
  replication: { value: 'FILE', file: 'input', help: 'judgements of another collection, if the runs were reproduced there' },
  persistence: { type: 'number', value: 'P', min: 0, max: 1, exclusive: true, default: 0.95, help: 'of rank-biased overlap' },
  depth: { type: 'integer', value: 'K', min: 1, default: 1000, help: 'only the first K documents of each run' },
  rope: {
    type: 'number',
    value: 'R',
    min: 0,
    default: 0.01,
    help: 'mean differences up to this, in either direction, are practically none',
  },
};
