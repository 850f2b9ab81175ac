/** What differs between the versions of trec_eval. Everything else is common to all. */
export interface TrecEvalVersion {
  /** The name by which users ask for it. */
  readonly name: string;
  /** What `-v` prints. */
  readonly reported: string;
  /** Scores, and the levels of preferences, are kept with this precision. */
  readonly precision: 'double' | 'float32';
  /** A judged topic that the results lack stops the evaluation (*fatal*) or is left out (*skip*) … */
  readonly missingTopic: 'fatal' | 'skip';
  /** … and under `-c` it is left out too, or evaluated as a ranking of one made-up document. */
  readonly missingTopicUnderC: 'skip' | 'placeholder';
  /** How a recall level becomes a number of documents. */
  readonly recallRounding: 'up' | 'nearest';
  /** Whether dcg, ideal_dcg, rbp, rbp_resid and unj are there. */
  readonly laterMeasures: boolean;
  /** Whether lines that start with `#` are comments. */
  readonly comments: boolean;
  /** Whether a results file whose name starts with `-` is the standard input. */
  readonly dashIsStdin: boolean;
  /** A gain for a level that is not a whole number, such as `p=4`, is dropped, or goes to the level that `atol` sees. */
  readonly oddLevelNames: 'drop' | 'number';
  /** Which procedure reports a file that cannot be read. */
  readonly groupReader: 'get_qrels_jg' | 'get_qrels';
  readonly zscoreReader: 'get_zscores' | 'get_prefs';
}

const v908: TrecEvalVersion = {
  name: '9.0.8',
  reported: '9.0.8',
  precision: 'double',
  missingTopic: 'skip',
  missingTopicUnderC: 'skip',
  recallRounding: 'up',
  laterMeasures: false,
  comments: false,
  dashIsStdin: false,
  oddLevelNames: 'number',
  groupReader: 'get_qrels_jg',
  zscoreReader: 'get_prefs',
};

/** Newest first. */
export const trecEvalVersions: readonly TrecEvalVersion[] = [
  {
    name: '10.0',
    reported: '10.0-rc3',
    precision: 'double',
    missingTopic: 'fatal',
    missingTopicUnderC: 'placeholder',
    recallRounding: 'nearest',
    laterMeasures: true,
    comments: true,
    dashIsStdin: true,
    oddLevelNames: 'drop',
    groupReader: 'get_qrels_jg',
    zscoreReader: 'get_zscores',
  },
  v908,
  { ...v908, name: '9.0.7', reported: '9.0.7', precision: 'float32', groupReader: 'get_qrels', zscoreReader: 'get_zscores' },
];

/** Nearly every published number comes from 9.x. */
export const defaultTrecEvalVersion: TrecEvalVersion = v908;

/** The version of this name; undefined if there is no stand-in for it. */
export function findTrecEvalVersion(name: string): TrecEvalVersion | undefined {
  return trecEvalVersions.find((version) => version.name === name);
}
