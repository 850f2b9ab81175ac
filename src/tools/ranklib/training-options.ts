import type { RankLibVersion } from '../../conventions/ranklib-versions.js';
import { limits } from '../../core/limits.js';
import { InputError, type Problem } from '../../core/problem.js';
import type { Normalization } from './options.js';

/** The part of RankLib's command line that trains. Flags of single rankers are kept as they were written. */
export interface RankLibTraining {
  readonly train: string;
  readonly ranker: number;
  readonly validate: string | undefined;
  readonly test: string | undefined;
  readonly save: string | undefined;
  readonly feature: string | undefined;
  readonly trainMetric: string;
  readonly testMetric: string;
  readonly gmax: number;
  readonly norm: Normalization | undefined;
  /** Shares of the training queries that are left for training, the rest being for validation or for a test. */
  readonly validationSplit: number | undefined;
  readonly testSplit: number | undefined;
  readonly folds: number | undefined;
  readonly foldModels: { readonly directory: string; readonly name: string } | undefined;
  readonly threads: number | undefined;
  readonly silent: boolean;
  readonly dropsHopeless: boolean;
  readonly idv: string | undefined;
  /** `-tree 500` of the ranker at hand, by flag. */
  readonly rankerFlags: ReadonlyMap<string, string>;
}

const valued = [
  ...['-train', '-ranker', '-feature', '-metric2t', '-metric2T', '-gmax', '-validate', '-tvs', '-tts', '-save', '-test'],
  ...['-norm', '-kcv', '-kcvmd', '-kcvmn', '-thread', '-idv', '-qrel'],
];
const switches = ['-sparse', '-silent', '-hr', '-keep'];
/** Flags of single rankers, all with a value except the switch. */
const rankerValued = [
  ...['-epoch', '-layer', '-node', '-lr', '-tc', '-round', '-tolerance', '-max', '-r', '-i', '-reg', '-tree', '-leaf', '-shrinkage'],
  ...['-mls', '-estop', '-bag', '-srate', '-frate', '-rtype', '-L2'],
];
const rankerSwitches = ['-noeq'];

/** RankLib's learners in the order of their numbers for `-ranker`. */
export const rankLibRankers: readonly string[] = [
  ...['MART', 'RankNet', 'RankBoost', 'AdaRank', 'Coordinate Ascent', 'LambdaRank', 'LambdaMART', 'ListNet', 'Random Forests'],
  'Linear Regression',
];

/** True if this command line trains. */
export function trains(argv: readonly string[], version: RankLibVersion): boolean {
  return argv.some((word) => (version.foldsOptions ? word.toLowerCase() : word) === '-train');
}

/** Reads the command line, or refuses it with every problem at once. */
export function parseRankLibTraining(argv: readonly string[], version: RankLibVersion): RankLibTraining {
  const problems: Problem[] = [];
  const values = new Map<string, string>();
  const all = [...valued, ...switches, ...rankerValued, ...rankerSwitches];
  for (let i = 0; i < argv.length; i++) {
    const known = version.foldsOptions
      ? all.find((name) => name.toLowerCase() === argv[i].toLowerCase())
      : all.find((name) => name === argv[i]);
    if (known === undefined) {
      const forUse = ['-load', '-rank', '-score', '-indri'].includes(argv[i].toLowerCase());
      problems.push({
        message: forUse ? `${argv[i]} is for using a model, and -train is for making one` : `RankLib has no parameter ${argv[i]}`,
        wayOut: forUse ? 'train and use it in two commands' : undefined,
      });
      if (argv[i + 1] !== undefined && !argv[i + 1].startsWith('-')) i++;
      continue;
    }
    const isSwitch = switches.includes(known) || rankerSwitches.includes(known);
    if (!isSwitch && i + 1 >= argv.length) problems.push({ message: `${argv[i]} needs a value` });
    // where case does not count there is one metric, and the later word sets it
    const name = known === '-metric2T' && version.foldsOptions ? '-metric2t' : known;
    values.set(name, isSwitch ? '' : (argv[++i] ?? ''));
  }
  const number = (flag: string, fits: (x: number) => boolean, expected: string): number | undefined => {
    const text = values.get(flag);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !fits(value))
      problems.push({ message: `${flag} needs ${expected}, found ${text === '' ? 'nothing' : text}` });
    return value;
  };
  const share = (x: number): boolean => x > 0 && x < 1;
  const ranker = number('-ranker', (x) => Number.isInteger(x) && x >= 0 && x < rankLibRankers.length, 'a number from 0 to 9') ?? 4;
  const folds = number('-kcv', (x) => Number.isInteger(x) && x >= 2, 'a whole number from 2');
  const norm = values.get('-norm');
  if (norm !== undefined && norm !== 'sum' && norm !== 'zscore' && norm !== 'linear') {
    problems.push({ message: `-norm is sum, zscore or linear, found ${norm}` });
  }
  if (values.has('-qrel')) {
    problems.push({
      message: '-qrel is not used in training here: the ideal of a list is made of its own labels',
      wayOut: 'leave it out, and give it to the evaluation of the model',
    });
  }
  if (values.has('-kcvmd') && folds === undefined) problems.push({ message: '-kcvmd saves the models of folds, and there is no -kcv' });
  if (folds !== undefined && values.has('-test'))
    problems.push({ message: '-kcv tests on parts of the training data', wayOut: 'leave -test out' });
  if (folds !== undefined && values.has('-save')) {
    problems.push({ message: '-save names one model, and -kcv makes several', wayOut: 'save them with -kcvmd DIR' });
  }
  const trainMetric = values.get('-metric2t') ?? 'ERR@10';
  const directory = values.get('-kcvmd');
  const threads = number(
    '-thread',
    (x) => Number.isInteger(x) && (x === -1 || (x > 0 && x <= limits.threads)),
    `a whole number from 1 to ${limits.threads}, or -1 for all cores`,
  );
  const training: RankLibTraining = {
    train: values.get('-train') ?? '',
    ranker,
    validate: values.get('-validate'),
    test: values.get('-test'),
    save: values.get('-save'),
    feature: values.get('-feature'),
    trainMetric,
    testMetric: values.get('-metric2T') ?? trainMetric,
    gmax: number('-gmax', Number.isFinite, 'a number') ?? 4,
    norm: norm as Normalization | undefined,
    validationSplit: number('-tvs', share, 'a share between 0 and 1'),
    testSplit: number('-tts', share, 'a share between 0 and 1'),
    folds,
    foldModels: directory === undefined ? undefined : { directory, name: values.get('-kcvmn') ?? 'model' },
    threads: threads === -1 ? undefined : threads,
    silent: values.has('-silent'),
    dropsHopeless: values.has('-hr'),
    idv: values.get('-idv'),
    rankerFlags: new Map([...values].filter(([flag]) => rankerValued.includes(flag) || rankerSwitches.includes(flag))),
  };
  if (problems.length > 0) throw new InputError(problems);
  return training;
}
