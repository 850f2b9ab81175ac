import { type ComputedMeasures, type Convention, type ConventionRules, plainRules } from './convention.js';
import { type LetorScript, letor2, letor3, letor4, mslr } from './letor-scripts.js';
import { type RankLibVersion, rankLibVersions } from './ranklib-versions.js';

/** Lists of learning to rank: the ranking holds every judged document, ties keep the order of the file. */
const listRules: ConventionRules = { ...plainRules, ideal: 'list', ties: 'file', apDenominator: 'list' };

const recorded = 'byte for byte with the output of the original on generated data, odd input included';

/** What a script prints, at its own cutoffs or at others by the same rules. */
function letorMeasures({ gains, layout }: LetorScript): ComputedMeasures[] {
  // the scripts look labels up in a table, and what it does not have is not relevant; rules have a floor but no ceiling
  const grades = { most: gains.length - 1, whole: true };
  return [
    { measures: ['nDCG'], fits: { cutoff: 'given' } },
    ...(layout.kind === 'table' ? [{ measures: ['MeanNDCG'], fits: { cutoff: 'left out' } } as const] : []),
    { measures: ['P'], fits: { cutoff: 'given' }, grades },
    { measures: ['AP'], fits: { cutoff: 'left out' }, grades },
  ];
}

/** The rules of a script, by which `gradus as` computes what it prints too. */
export function letorRules(script: LetorScript): ConventionRules {
  return {
    ...listRules,
    gain: script.gains.map((gain, label) => [label, gain] as const),
    discount: 'jk',
    term: script.term,
    short: [...(script.shortNdcg === 'pad' ? [] : ['nDCG']), ...(script.shortPrecision === 'omit' ? ['P'] : [])],
    relevanceFloor: script.relevantFrom,
    printed: script.layout.kind === 'table' ? { decimals: 4, halves: 'even' } : undefined,
  };
}

function letorConvention(script: LetorScript, title: string, help: string): Convention {
  return {
    name: script.name,
    title,
    help,
    verified: `gradus as ${script.name}: ${recorded}`,
    unverified: `cutoffs above ${script.cutoff}, where the script stops`,
    rules: letorRules(script),
    computes: letorMeasures(script),
    missingTopicsOfAll: 'empty',
  };
}

const verifiedBy: Readonly<Record<string, string>> = {
  '2.1': 'the printed results of nine metrics on one generated data set',
  '2.3': 'the printed results of nine metrics on one generated data set',
  '2.8': `gradus as ranklib: ${recorded}`,
  '2.10.1': 'the printed results of nine metrics, and the files it writes for several models, normalised features and outside judgements',
};

function rankLibMeasures({ name, gain, cutsReciprocalRank }: RankLibVersion): ComputedMeasures[] {
  return [
    // gains are made by shifting 32 bits, and so wrong beyond
    { measures: ['nDCG', 'DCG'], fits: { cutoff: 'given' }, grades: { least: 0, ...(gain === 'shift' ? { most: 31 } : {}) } },
    { measures: ['ERR'], fits: { cutoff: 'given' }, grades: { least: 0 } },
    { measures: ['P', 'Best'], fits: { cutoff: 'given' } },
    { measures: ['AP'], fits: { cutoff: 'left out' } },
    cutsReciprocalRank
      ? {
          measures: ['RR'],
          fits: { cutoff: 'left out' },
          refused: `RankLib ${name} gives RR without a cutoff the value 0, whatever the ranking`,
        }
      : { measures: ['RR'], fits: { cutoff: 'given' }, refused: `RankLib ${name} takes no notice of the cutoff of RR` },
    { measures: ['RR'] },
  ];
}

/** The rules of a version of RankLib, by which `gradus as` computes some of its metrics too. */
export function rankLibRules({ term }: RankLibVersion): ConventionRules {
  return {
    ...listRules,
    gain: 'exp-floor',
    term,
    precisionDivisor: 'retrieved',
    // any label above 0 is relevant, and labels need not be whole
    relevanceFloor: Number.MIN_VALUE,
    reciprocalPrecision: 'float32',
    printed: { decimals: 4, halves: 'up' },
  };
}

const rankLibConventions: readonly Convention[] = rankLibVersions.map((version) => {
  const isDefault = version.name === '2.8';
  return {
    name: `ranklib@${version.name}`,
    ...(isDefault ? { aliases: ['ranklib'] } : {}),
    title: `RankLib ${version.name}`,
    help: `Exponential gains of whole labels, the ideal of the list at hand, no relevant document counts as 0. Precision is divided by the
      length of a list shorter than the cutoff. ${version.cutsReciprocalRank ? 'RR without a depth is always 0 in the tool itself.' : 'RR ignores its depth.'}`,
    version: version.name,
    verified: verifiedBy[version.name],
    unverified: 'what the console shows apart from the result, except for one recorded run of 2.8',
    rules: rankLibRules(version),
    computes: rankLibMeasures(version),
    missingTopicsOfAll: 'empty',
  };
});

/** The conventions of learning to rank: LETOR's scripts, the Yahoo challenge, and libraries. */
export const ltrConventions: readonly Convention[] = [
  letorConvention(
    letor2,
    'LETOR 1 and 2 (eval.pl)',
    'No discount at ranks 1 and 2. Lists shorter than a cutoff count as they are in NDCG, and as 0 in precision.',
  ),
  letorConvention(
    letor3,
    'LETOR 3.0 (Eval-Score-3.0.pl)',
    'No discount at ranks 1 and 2. A query with fewer documents than the cutoff counts as 0, in NDCG and in precision. Labels above 2 are worth nothing.',
  ),
  letorConvention(
    letor4,
    'LETOR 4.0 (Eval-Score-4.0.pl)',
    'No discount at ranks 1 and 2. A query with fewer documents than the cutoff counts as 0 in NDCG. Labels above 2 are worth nothing.',
  ),
  letorConvention(
    mslr,
    'MSLR-WEB (eval-score-mslr.pl)',
    'As LETOR 4.0, with labels from 0 to 4; precision and average precision count labels from 2 up as relevant.',
  ),
  {
    name: 'yahoo',
    title: "Yahoo's learning to rank challenge (evaluate.py)",
    help: 'Exponential gains, the ideal of the list. A query without a relevant document counts as 1 in NDCG. ERR looks at the whole list.',
    verified: `gradus as yahoo: ${recorded}`,
    unverified: 'messages about a wrong number of ranks in a line',
    rules: { ...listRules, gain: 'exp', discount: 'ln', empty: { nDCG: 1 } },
    computes: [
      { measures: ['nDCG'], fits: { cutoff: 'given' }, grades: { least: 0, whole: true } },
      { measures: ['ERR'], fits: { cutoff: 'left out' }, grades: { least: 0, whole: true } },
    ],
    missingTopicsOfAll: 'empty',
  },
  ...rankLibConventions,
];
