import { limits } from '../../core/limits.js';
import type { CompareOptions } from '../../stats/compare.js';
import { CORRECTION_METHODS, findCorrection } from '../../stats/correction.js';
import type { GateOptions } from '../../stats/gate.js';
import { COMPARISON_TESTS, isJointTest } from '../../stats/pair-tests.js';
import type { GateRequest } from '../gate.js';
import type { ReportRequest } from '../report.js';
import { type AllowedDrops, readDrops, readTopicDrop, readUnjudgedLimit } from './gate-limits.js';
import { settingLabels } from './labels.js';
import type { SettingsOf } from './setting.js';

/** How differences are tested. */
export const testSettings: SettingsOf<Pick<CompareOptions, 'test' | 'correction' | 'alpha' | 'seed' | 'resamples'>> = {
  test: {
    label: settingLabels.test,
    value: 'TEST',
    choices: COMPARISON_TESTS,
    choiceTexts: {
      t: 'paired t test',
      wilcoxon: 'Wilcoxon signed-rank',
      sign: 'sign test',
      randomization: 'randomisation',
      bootstrap: 'paired bootstrap',
      tukey: 'Tukey HSD',
      'randomized-tukey': 'randomised Tukey HSD',
      friedman: 'Friedman and Nemenyi',
    },
    default: 't',
    help: 'the significance test',
  },
  correction: {
    label: settingLabels.correction,
    type: 'text',
    value: 'METHOD',
    choices: ['none', ...CORRECTION_METHODS],
    choiceTexts: {
      bonferroni: 'Bonferroni',
      sidak: 'Šidák',
      holm: 'Holm',
      hochberg: 'Hochberg',
      bh: 'Benjamini–Hochberg',
      by: 'Benjamini–Yekutieli',
    },
    default: 'holm',
    help: 'how p-values are corrected for several tests, also by the names of statsmodels (fdr_bh, simes-hochberg)',
    read: findCorrection,
  },
  alpha: {
    label: settingLabels.alpha,
    type: 'number',
    value: 'LEVEL',
    min: 0,
    max: 1,
    exclusive: true,
    default: 0.05,
    help: 'the significance level',
  },
  seed: { type: 'integer', value: 'N', min: 0, max: limits.seed, default: 1, help: 'the random seed' },
  resamples: {
    type: 'integer',
    value: 'N',
    min: 10,
    max: limits.resamples,
    help: 'the number of resamples of a resampling test',
    defaultText: '100000 for randomization, 1000 for bootstrap, 10000 for randomized-tukey',
  },
};

/** How all systems are compared, or all with one. */
export const comparisonSettings: typeof testSettings & SettingsOf<Pick<CompareOptions, 'baseline' | 'family' | 'interval'>> = {
  baseline: { label: settingLabels.baseline, value: 'NAME', help: 'compare the others with this system only' },
  ...testSettings,
  family: {
    value: 'WHICH',
    choices: ['measure', 'all'],
    choiceTexts: { measure: 'the pairs of each measure', all: 'all tests' },
    default: 'measure',
    help: 'what is corrected together',
  },
  interval: {
    value: 'METHOD',
    choices: ['t', 'bootstrap'],
    choiceTexts: { t: "by Student's t", bootstrap: 'by the BCa bootstrap' },
    default: 't',
    help: 'how confidence intervals are computed',
  },
};

/** How a difference of two systems is tested, by a test of single pairs. */
export const pairTestSettings: typeof testSettings = {
  ...testSettings,
  test: { ...testSettings.test, choices: COMPARISON_TESTS.filter((test) => !isJointTest(test)) },
};

/** What a gate lets pass. */
export const gateSettings: typeof testSettings &
  SettingsOf<
    Pick<GateOptions, 'strict' | 'minTopics' | 'maxTopicDrop'> &
      Pick<GateRequest, 'worst' | 'maxUnjudged' | 'trustBaseline'> & { readonly maxDrop: AllowedDrops }
  > = {
  maxDrop: {
    value: 'SIZE',
    default: '0.01',
    help: "how much a mean may fall, in the measure's own unit or as a share of the baseline, such as 5%; for single measures nDCG@10=0.01,AP=5%",
    read: readDrops,
  },
  maxTopicDrop: {
    value: 'SIZE',
    help: 'fail if a single topic falls by more than this, such as 0.3, or 50% of what it was',
    defaultText: 'topics are not looked at one by one',
    read: readTopicDrop,
  },
  ...pairTestSettings,
  test: { ...pairTestSettings.test, default: 'randomization' },
  strict: { help: 'fail on a drop that is larger than allowed or significant; both are needed otherwise' },
  minTopics: { type: 'integer', value: 'N', min: 2, default: 10, help: 'fail with fewer topics than this' },
  worst: { type: 'integer', value: 'N', min: 0, default: 5, help: 'how many of the topics with the largest drops are listed' },
  maxUnjudged: {
    value: 'RATE@K',
    help: 'fail if more than this share of the first K documents of the candidate has no judgement, such as 0.2@10 or 20%@10',
    read: readUnjudgedLimit,
  },
  trustBaseline: { help: 'compare with stored scores although judgements, rules or the version of Gradus have changed since' },
};

/** What a report holds and how it presents itself. */
export const reportSettings: SettingsOf<
  Pick<ReportRequest, 'trec' | 'about' | 'margin' | 'pairs' | 'graded' | 'audit' | 'bounds' | 'title' | 'date'> & {
    readonly agree: readonly string[];
  }
> & { readonly agree: { readonly repeatable: true } } = {
  trec: { help: 'the evaluation report of TREC' },
  about: { value: 'NAME', help: 'the run that the TREC report is about; the others are what it is compared with', defaultText: 'all' },
  margin: {
    type: 'number',
    value: 'X',
    min: 0,
    help: 'the smallest difference that matters, set before looking: systems that certainly differ by less are called equivalent',
  },
  pairs: { help: 'list every pair of systems, however many there are, instead of those with the best' },
  graded: { help: 'add the graded recall-precision graph, for readers who draw the line between relevant and not at different grades' },
  audit: { help: 'check the files for anomalies, even if there are more than 20 runs' },
  agree: {
    value: 'FILE',
    repeatable: true,
    file: 'input',
    help: 'judgements by somebody else: how far they agree, and what they would conclude',
  },
  bounds: { help: 'say what missing judgements can change; runs are then read a second time, all at once' },
  title: { value: 'TEXT', help: 'the title of the report' },
  date: { value: 'TEXT', help: 'the date that the report bears', defaultText: 'none' },
};
