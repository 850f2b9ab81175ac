import { type Convention, conventionParams } from '../../conventions/convention.js';
import { InputError, type Problem } from '../../core/problem.js';
import { checkOptions } from '../../ltr/options.js';
import type { Learner, LearnerOption, OptionValue } from '../../ltr/ranker.js';
import { type Measure, makeMeasure, type Params } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { rankLibRankers } from './training-options.js';

/** RankLib's defaults by ranker, where a flag has one. */
const defaults: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  0: { '-tree': '1000', '-leaf': '10', '-shrinkage': '0.1', '-tc': '256', '-mls': '1', '-estop': '100' },
  1: { '-epoch': '100', '-layer': '1', '-node': '10', '-lr': '0.00005' },
  2: { '-round': '300', '-tc': '10' },
  3: { '-round': '500', '-tolerance': '0.002', '-max': '5' },
  4: { '-r': '5', '-i': '25', '-tolerance': '0.001', '-reg': '0' },
  5: { '-epoch': '100', '-layer': '1', '-node': '10', '-lr': '0.00005' },
  6: { '-tree': '1000', '-leaf': '10', '-shrinkage': '0.1', '-tc': '256', '-mls': '1', '-estop': '100' },
  7: { '-epoch': '1500', '-lr': '0.00001' },
  8: { '-bag': '300', '-srate': '1', '-frate': '0.3', '-tree': '1', '-leaf': '100', '-shrinkage': '0.1', '-tc': '256', '-mls': '1' },
  9: { '-L2': '0.0000000001' },
};

/** What RankLib does without being asked, and the learner here only if it is. */
const always: Readonly<Record<number, Readonly<Record<string, OptionValue>>>> = { 3: { reweighting: 'product', settled: 'all' } };

/** The learner's options for RankLib's flags. A flag that the learner has no counterpart of is refused, unless it says what
 *  happens anyway. */
export function optionsFromFlags(learner: Learner, ranker: number, flags: ReadonlyMap<string, string>): Record<string, OptionValue> {
  const problems: Problem[] = [];
  const given: Record<string, OptionValue> = { ...always[ranker] };
  const byFlag = new Map(
    Object.entries(learner.options).flatMap(([name, spec]) =>
      spec.ranklib === undefined ? [] : [[spec.ranklib, { name, spec }] as const],
    ),
  );
  const title = rankLibRankers[ranker];
  const all = new Map([...Object.entries(defaults[ranker] ?? {}), ...flags]);
  for (const [flag, text] of all) {
    const option = byFlag.get(flag);
    if (option !== undefined) given[option.name] = valueFor(option.spec, flag, text, all);
    else if (flags.has(flag) && !(flag === '-layer' && byFlag.has('-node')) && !isWhatHappens(ranker, flag, text)) {
      problems.push({
        message: Object.hasOwn(defaults[ranker] ?? {}, flag)
          ? `${flag} cannot be honoured: ${title} here has nothing that corresponds`
          : `${flag} is no parameter of ${title}`,
        wayOut: `it has ${[...byFlag.keys()].join(', ') || 'none'}`,
      });
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  if (Object.hasOwn(learner.options, 'splitBy')) given.splitBy = 'documents';
  // RankLib weighs pairs by the measure as it is cut
  if (Object.hasOwn(learner.options, 'cutPairs')) Object.assign(given, { cutPairs: true, truncation: 30 });
  return checkOptions(learner, given);
}

/** RankLib's number of random forests. */
const FOREST = 8;

/** RankLib's way of asking for what is done in any case: bags of one regression tree. */
function isWhatHappens(ranker: number, flag: string, text: string): boolean {
  return ranker === FOREST && ((flag === '-rtype' && text === '0') || (flag === '-tree' && text === '1'));
}

function valueFor(spec: LearnerOption, flag: string, text: string, all: ReadonlyMap<string, string>): OptionValue {
  // RankLib's 256 candidates are the 255 bins of a byte that has one value left for missing
  if (flag === '-tc' && text === '256') return '255';
  if (spec.type === 'boolean') return true;
  // so many layers, each of so many units
  if (flag === '-node' && spec.type === 'numbers') return Array.from({ length: Number(all.get('-layer') ?? 1) }, () => text).join(',');
  return text;
}

const names: Readonly<Record<string, string>> = { NDCG: 'nDCG', DCG: 'DCG', ERR: 'ERR', MAP: 'AP', P: 'P', RR: 'RR' };

/** RankLib's metric as a measure under RankLib's rules, to be optimised. */
export function measureOfMetric(text: string, gmax: number, convention: Convention): Measure {
  const [word, depthText] = text.split('@');
  const name = names[word.toUpperCase()];
  if (name === undefined) {
    throw new InputError({ message: `${text} cannot be trained for`, wayOut: 'RankLib has MAP, NDCG@k, DCG@k, P@k, RR@k and ERR@k' });
  }
  const depth = depthText === undefined ? (name === 'RR' ? 0 : 10) : Number(depthText);
  if (!Number.isInteger(depth)) throw new InputError(`${text}: expected a whole number behind @`);
  if (name === 'RR' && depth <= 0) {
    throw new InputError({
      message: 'RR without a depth is 0 for every list in RankLib, and teaches nothing',
      wayOut: 'write it as RR@10',
    });
  }
  const { def } = parseMeasure(name === 'P' ? 'P@10' : name);
  const params: Params = {
    ...conventionParams(def, convention.rules),
    ...(name === 'ERR' ? { max_rel: gmax, gain: 'exp-floor' } : {}),
    ...(name === 'AP' ? {} : { cutoff: depth > 0 ? depth : name === 'P' ? 1_000_000 : undefined }),
  };
  return makeMeasure(def, params);
}
