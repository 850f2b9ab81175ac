import { gradeOfCode, type TopicView, UNJUDGED } from '../core/judging/judge.js';
import type { GainTable, ParamSpec } from '../core/params.js';
import { InputError } from '../core/problem.js';
import { fMeasure, judgedAt, precision, recall } from '../measures/cutoff.js';
import { discountFactors } from '../measures/discounted-pass.js';
import { averagePrecision } from '../measures/families/average-precision.js';
import { err } from '../measures/families/cascade.js';
import { cumulatedGain, dcg, discountRule, ndcg } from '../measures/families/cumulated-gain.js';
import { reciprocalRank } from '../measures/families/first-answer.js';
import { setF, setPrecision, setRecall } from '../measures/families/sets.js';
import { choiceParam, depthOf, type MeasureDef, numberParam, optionalNumber, type Params } from '../measures/measure.js';
import type { Passes } from '../measures/passes.js';
import { maxRel } from '../measures/scale.js';
import { decimalFormulas } from './decimal-formulas.js';
import { upperThreshold } from './upper-threshold.js';

type Compute = (topic: TopicView) => number;
type Bind = (params: Params, passes: Passes) => Compute;

/** What tools do to the value of a topic after the formula. */
const finishing: Readonly<Record<string, ParamSpec>> = {
  lowest: { type: 'number', default: undefined },
  half_up: { type: 'integer', default: undefined, min: 0, max: 15 },
  arithmetic: choiceParam('binary', 'decimal'),
};
const threshold: Readonly<Record<string, ParamSpec>> = { threshold: choiceParam('fixed', 'upper') };
const unjudged: Readonly<Record<string, ParamSpec>> = { unjudged: { type: 'number', default: undefined } };

/** A measure with parameters that only the tools of search engines need; without them it is computed as ever. */
function extended(
  { expected: _, ...def }: MeasureDef,
  own: Readonly<Record<string, ParamSpec>>,
  bindOwn: (params: Params, passes: Passes, plain: Compute) => Compute = (_params, _passes, plain) => plain,
): MeasureDef {
  return {
    ...def,
    params: { ...def.params, ...own, ...finishing },
    bind(params, passes) {
      const decimal = params.arithmetic === 'decimal' ? decimalFormulas[def.name] : undefined;
      const compute = decimal?.(params) ?? bindOwn(params, passes, (def.bind as Bind)(params, passes));
      const lowest = optionalNumber(params, 'lowest') ?? -Infinity;
      const decimals = optionalNumber(params, 'half_up');
      if (lowest === -Infinity && decimals === undefined) return compute;
      return (topic) => {
        const value = compute(topic);
        const rounded = decimals === undefined ? value : roundedHalfUp(value, decimals);
        return rounded < lowest ? lowest : rounded;
      };
    },
  };
}

/** Rounds as tools in Java do: through a whole number of 64 bits, halves towards positive infinity. */
function roundedHalfUp(value: number, decimals: number): number {
  const scaled = value * 10 ** decimals;
  if (Math.abs(scaled) < 2 ** 63) return Math.round(scaled) / 10 ** decimals + 0;
  throw new InputError({
    message: `the value ${value} is refused, because it is too large to be rounded to ${decimals} decimals in 64 bits`,
    wayOut: 'use a scale of lower grades',
  });
}

/** True if a negative grade counts with its value, of a ranked document or of one that was not found. */
function hasNegatives({ codes, start, numRetrieved, judged, judgedStart, numJudged }: TopicView): boolean {
  // judged grades stand highest first; where they are cut to whole numbers, the ranking may hold one that they do not
  if (numJudged > 0 && judged[judgedStart + numJudged - 1] < 0) return true;
  for (let i = start; i < start + numRetrieved; i++) if (codes[i] < 0 && codes[i] > UNJUDGED) return true;
  return false;
}

/** What a grade is worth, negative ones too. */
function gainOf(params: Params): (grade: number) => number {
  const table = new Map(params.gains as GainTable | undefined);
  const level = optionalNumber(params, 'level') ?? -Infinity;
  return (grade) => {
    const listed = table.get(grade);
    if (listed !== undefined) return listed;
    if (grade < level || params.gain === 'table') return 0;
    return params.gain === 'linear' ? grade : 2 ** (params.gain === 'exp-floor' ? Math.floor(grade) : grade) - 1;
  };
}

/** The grades of the ranking; NaN for a document without one. */
function rankedGrades({ codes, start, numRetrieved }: TopicView, ofUnjudged: number | undefined): Float64Array {
  const grades = new Float64Array(numRetrieved);
  for (let i = 0; i < numRetrieved; i++) {
    const code = codes[start + i];
    grades[i] = code > UNJUDGED ? gradeOfCode(code) : (ofUnjudged ?? Number.NaN);
  }
  return grades;
}

/** The discounted gain of the first grades of a list. */
function discountedGain(grades: Float64Array, depth: number, params: Params, gain: (grade: number) => number): number {
  const rule = discountRule(params);
  const { discount, base, term } = rule;
  const factors = discountFactors(rule, grades.length);
  const multiplies = (discount === 'log2' || discount === 'jk') && term === 'inverse';
  const product = (discount === 'log2' || discount === 'jk') && term === 'product';
  const lnBase = Math.log(discount === 'log2' ? 2 : base);
  let sum = 0;
  for (let i = 0; i < Math.min(depth, grades.length); i++) {
    if (Number.isNaN(grades[i])) continue;
    const gained = gain(grades[i]);
    if (gained === 0) continue;
    if (multiplies) sum += gained * factors[i];
    else if (product) sum += discount === 'jk' && i + 1 < base ? gained : (gained * lnBase) / factors[i];
    else sum += gained / factors[i];
  }
  return sum;
}

const extendedCg = extended(cumulatedGain, {}, (params, _passes, plain) => {
  const cutoff = depthOf(params);
  return (topic) => {
    if (!hasNegatives(topic)) return plain(topic);
    const gain = gainOf(params);
    return discountedGain(rankedGrades(topic, undefined), cutoff, { ...params, discount: 'none', base: 2, term: 'divide' }, gain);
  };
});

const extendedDcg = extended(dcg, unjudged, (params, _passes, plain) => {
  const cutoff = depthOf(params);
  const ofUnjudged = optionalNumber(params, 'unjudged');
  return (topic) => {
    if (ofUnjudged === undefined && !hasNegatives(topic)) return plain(topic);
    return discountedGain(rankedGrades(topic, ofUnjudged), cutoff, params, gainOf(params));
  };
});

const idealParams: Readonly<Record<string, ParamSpec>> = {
  ideal_depth: choiceParam('cutoff', 'retrieved', 'all'),
  ideal_best: choiceParam('first', 'last'),
  division: choiceParam('guarded', 'plain'),
};

const extendedNdcg = extended(ndcg, { ...unjudged, ...idealParams }, (params, _passes, plain) => {
  const cutoff = depthOf(params);
  const ofUnjudged = optionalNumber(params, 'unjudged');
  const isPlain = ofUnjudged === undefined && params.ideal_depth === 'cutoff' && params.ideal_best === 'first';
  return (topic) => {
    if (isPlain && !hasNegatives(topic)) return plain(topic);
    const { numRetrieved } = topic;
    if (params.short === 'zero' && cutoff < Infinity && numRetrieved < cutoff) return 0;
    const gain = gainOf(params);
    const best = idealGrades(topic, params.ideal === 'list');
    if (params.gains !== undefined) best.sort((a, b) => gain(b) - gain(a));
    if (params.ideal_best === 'last' && params.ideal_depth !== 'all') best.reverse();
    const depths = { cutoff, retrieved: Math.min(cutoff, numRetrieved), all: Infinity };
    const ideal = discountedGain(best, depths[params.ideal_depth as keyof typeof depths], params, gain);
    if (params.division === 'plain' ? ideal === 0 : !(ideal > 0)) return 0;
    return discountedGain(rankedGrades(topic, ofUnjudged), cutoff, params, gain) / ideal;
  };
});

/** Grades from the highest down: of all judged documents, or of those that were retrieved. */
function idealGrades(topic: TopicView, ofList: boolean): Float64Array {
  if (ofList) {
    const found = rankedGrades(topic, undefined).filter((grade) => !Number.isNaN(grade));
    return found.sort().reverse();
  }
  return topic.judged.slice(topic.judgedStart, topic.judgedStart + topic.numJudged).map(gradeOfCode);
}

const errParams: Readonly<Record<string, ParamSpec>> = {
  ...unjudged,
  beyond: choiceParam('refused', 'taken', 'all-refused'),
  step: choiceParam('product', 'share'),
};

const extendedErr = extended(err, errParams, (params, passes, plain) => {
  const cutoff = depthOf(params);
  const ofUnjudged = optionalNumber(params, 'unjudged');
  const isPlain = ofUnjudged === undefined && params.beyond === 'refused';
  return (topic) => {
    if (isPlain && !hasNegatives(topic)) return plain(topic);
    if (params.beyond === 'all-refused' && topic.numRetrieved > 0) {
      throw new InputError({
        message: "ERR has no value where the top of the scale is not defined, as on Quepid's server, which fails on it",
        wayOut: 'take another convention, such as quepid',
      });
    }
    const highest = maxRel(params, passes);
    const scale = params.gain === 'linear' ? highest + 1 : 2 ** highest;
    const gain = gainOf(params);
    const grades = rankedGrades(topic, ofUnjudged);
    if (params.beyond === 'refused' && grades.some((grade) => grade > highest)) return plain(topic);
    let goesOn = 1;
    let sum = 0;
    for (let i = 0; i < Math.min(cutoff, grades.length); i++) {
      if (Number.isNaN(grades[i])) continue;
      const satisfied = gain(grades[i]) / scale;
      sum += params.step === 'share' ? goesOn * (satisfied / (i + 1)) : (goesOn * satisfied) / (i + 1);
      goesOn *= 1 - satisfied;
    }
    return sum;
  };
});

const extendedPrecision = extended(
  precision,
  { divisor: choiceParam('cutoff', 'retrieved', 'judged'), ...threshold },
  (params, passes, plain) => {
    const cutoff = depthOf(params);
    const { divisor } = params;
    if (divisor !== 'judged' && params.threshold === 'fixed') return plain;
    const unjudgedAbove = passes.unjudged(cutoff);
    return (topic) => {
      const depth = Math.min(cutoff, topic.numRetrieved);
      const divisors = { cutoff, retrieved: depth, judged: depth - unjudgedAbove.counts[depth] };
      const below = divisors[divisor as keyof typeof divisors];
      return below > 0 ? hitsWithin(topic, levelOf(topic, params), depth) / below : 0;
    };
  },
);

/** The lowest relevant grade of a topic, as a code. */
function levelOf(topic: TopicView, params: Params): number {
  return params.threshold === 'upper' ? Math.max(upperThreshold(idealGrades(topic, false)), Number.MIN_VALUE) : numberParam(params, 'rel');
}

function hitsWithin({ codes, start }: TopicView, level: number, depth: number): number {
  let hits = 0;
  for (let i = 0; i < depth; i++) if (codes[start + i] >= level) hits++;
  return hits;
}

function numRelevant(topic: TopicView, level: number): number {
  return hitsWithin({ ...topic, codes: topic.judged, start: topic.judgedStart }, level, topic.numJudged);
}

const extendedRecall = extended(recall, threshold, (params, _passes, plain) => {
  if (params.threshold === 'fixed') return plain;
  const cutoff = depthOf(params);
  return (topic) => {
    const level = levelOf(topic, params);
    const relevant = numRelevant(topic, level);
    return relevant === 0 ? 0 : hitsWithin(topic, level, Math.min(cutoff, topic.numRetrieved)) / relevant;
  };
});

const extendedRr = extended(reciprocalRank, threshold, (params, _passes, plain) => {
  if (params.threshold === 'fixed') return plain;
  const cutoff = depthOf(params);
  return (topic) => {
    const level = levelOf(topic, params);
    for (let i = 0; i < Math.min(cutoff, topic.numRetrieved); i++) if (topic.codes[topic.start + i] >= level) return 1 / (i + 1);
    return 0;
  };
});

const extendedAp = extended(averagePrecision, threshold, (params, _passes, plain) => {
  if (params.threshold === 'fixed') return plain;
  if (params.denominator !== 'R') {
    throw new InputError({
      message: `AP with threshold='upper' is divided by all relevant documents, found denominator='${String(params.denominator)}'`,
      wayOut: 'leave out denominator',
    });
  }
  const cutoff = depthOf(params);
  return (topic) => {
    const level = levelOf(topic, params);
    const relevant = numRelevant(topic, level);
    let hits = 0;
    let sum = 0;
    for (let i = 0; i < Math.min(cutoff, topic.numRetrieved); i++) {
      if (topic.codes[topic.start + i] >= level) sum += ++hits / (i + 1);
    }
    return relevant === 0 ? 0 : sum / relevant;
  };
});

/** Measures as search engines and the tools around them compute them: those of the registry, with the parameters that these tools need
 *  in addition. They stand here so that a program which only evaluates does not carry them. */
export const engineMeasures: readonly MeasureDef[] = [
  extendedPrecision,
  extendedRecall,
  extendedRr,
  extendedAp,
  extendedCg,
  extendedDcg,
  extendedNdcg,
  extendedErr,
  ...[judgedAt, fMeasure, setF, setPrecision, setRecall].map((def) => extended(def, {})),
];
