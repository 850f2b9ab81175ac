import { normalDistribution, tDistribution } from '../../stats/distributions/distributions.js';
import { chanceCorrected, chanceCorrectedValue } from './chance-corrected.js';
import { confusionMatrix, confusionsByTopic, kappaValue, weightedKappa } from './kappa.js';
import { alphaValue, type MeasurementLevel, refuseNegative } from './krippendorff.js';
import { codedRatings, type Ratings } from './ratings.js';
import { addSums, clearSums, emptySums, sumsByTopic } from './sums.js';
import { type ResampledValue, resampleTopics, type TopicResamplingOptions } from './topic-resampling.js';
import { agreementWeights, type GradeDistance, type WeightScheme } from './weights.js';

/** How the agreement of judges is computed. */
export interface JudgeAgreementOptions extends TopicResamplingOptions {
  /** What differences of grades mean to Krippendorff's alpha; *ordinal* by default. */
  readonly measurement?: MeasurementLevel | undefined;
  /** Weights of the weighted coefficients; *quadratic* by default. */
  readonly weights?: WeightScheme | undefined;
  /** Distances of grades (the default), or of their places on the scale. */
  readonly distance?: GradeDistance | undefined;
  /** Grades to count as categories even where nobody gave them. */
  readonly scale?: readonly number[] | undefined;
  /** What is drawn for intervals: topics (the default), units, or nothing, which leaves the formulas for independent units. */
  readonly interval?: 'topics' | 'units' | 'formula' | undefined;
}

/** A coefficient, its interval, and why it is missing if it is. */
export interface Coefficient {
  readonly value: number | null;
  readonly standardError: number | null;
  readonly interval: ResampledValue['interval'];
  readonly undefinedDraws: number;
}

/** How far two judges agree. */
export interface PairAgreement {
  readonly first: string;
  readonly second: string;
  /** Pairs of topic and document that both graded, and those that only one of them did. */
  readonly pairs: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Topics with such pairs. */
  readonly topics: number;
  readonly categories: readonly number[];
  /** The first judge in rows, the second in columns. */
  readonly confusion: readonly (readonly number[])[];
  readonly agreement: Coefficient;
  readonly kappa: Coefficient;
  readonly weightedKappa: Coefficient;
  readonly alpha: Coefficient;
  readonly ac1: Coefficient;
  readonly ac2: Coefficient;
  /** Mean of the second judge's grade less the first one's. */
  readonly shift: Coefficient;
}

const pairNumbers = ['agreement', 'kappa', 'weightedKappa', 'alpha', 'ac1', 'ac2', 'shift'] as const;

/** The agreement of the two judges of `ratings`, with intervals. */
export function pairAgreement(ratings: Ratings, options: JudgeAgreementOptions = {}): PairAgreement {
  const { measurement = 'ordinal', weights: scheme = 'quadratic', distance, scale, interval = 'topics' } = options;
  const numUnits = ratings.docs.length;
  const both: number[] = [];
  let onlyFirst = 0;
  let onlySecond = 0;
  for (let u = 0; u < numUnits; u++) {
    const [hasFirst, hasSecond] = [!Number.isNaN(ratings.grades[u]), !Number.isNaN(ratings.grades[numUnits + u])];
    if (hasFirst && hasSecond) both.push(u);
    else if (hasFirst) onlyFirst++;
    else if (hasSecond) onlySecond++;
  }
  const common: Ratings = {
    judges: ratings.judges,
    ...renumbered(
      both.map((u) => (interval === 'units' ? u : ratings.topicOf[u])),
      (t) => (interval === 'units' ? ratings.docs[t] : ratings.topics[t]),
    ),
    docs: both.map((u) => ratings.docs[u]),
    grades: Float64Array.from([...both.map((u) => ratings.grades[u]), ...both.map((u) => ratings.grades[numUnits + u])]),
  };
  const coded = codedRatings(common, scale);
  refuseNegative(coded.categories, measurement);
  const q = coded.categories.length;
  const identity = agreementWeights(coded.categories, 'identity');
  const weights = agreementWeights(coded.categories, scheme, distance);
  const confusions = confusionsByTopic(coded);
  const sums = sumsByTopic(coded);
  const confusion = new Float64Array(q * q);
  const total = emptySums(q);
  const compute = (times: Uint32Array, values: Float64Array): void => {
    confusion.fill(0);
    clearSums(total);
    for (let t = 0; t < times.length; t++) {
      for (let c = 0; c < q * q; c++) confusion[c] += times[t] * confusions[t][c];
      for (let more = 0; more < times[t]; more++) addSums(total, sums[t]);
    }
    let pairs = 0;
    let shift = 0;
    let agreed = 0;
    for (let k = 0; k < q; k++) {
      for (let l = 0; l < q; l++) {
        pairs += confusion[k * q + l];
        shift += confusion[k * q + l] * (coded.categories[l] - coded.categories[k]);
        if (k === l) agreed += confusion[k * q + l];
      }
    }
    values[0] = agreed / pairs;
    values[1] = kappaValue(confusion, identity);
    values[2] = kappaValue(confusion, weights);
    values[3] = alphaValue(total, coded.categories, measurement);
    // one category only: all of the agreement is taken for meant
    values[4] = q === 1 ? 1 : chanceCorrectedValue(total, identity, 'gwet');
    values[5] = chanceCorrectedValue(total, weights, 'gwet');
    values[6] = shift / pairs;
  };
  const values = new Float64Array(pairNumbers.length);
  const once = new Uint32Array(common.topics.length).fill(1); // fits: entries
  compute(once, values);
  const observed = Array.from(values, (value) => (Number.isFinite(value) ? value : null));
  const matrix = Array.from(confusion);
  const spread =
    interval === 'formula' || both.length === 0 ? undefined : resampleTopics(common.topics.length, pairNumbers.length, compute, options);
  const errors = interval === 'formula' && both.length > 1 ? independentErrors(common, options) : undefined;
  const coefficient = (name: (typeof pairNumbers)[number]): Coefficient => {
    const at = pairNumbers.indexOf(name);
    const error = errors !== undefined && name in errors ? errors[name as keyof typeof errors] : null;
    if (error !== null) return byFormula(observed[at], error, name.startsWith('ac') ? both.length - 1 : undefined);
    return { value: observed[at], ...(spread?.[at] ?? { standardError: null, interval: null, undefinedDraws: 0 }) };
  };
  return {
    first: ratings.judges[0],
    second: ratings.judges[1],
    pairs: both.length,
    onlyFirst,
    onlySecond,
    topics: new Set(both.map((u) => ratings.topicOf[u])).size,
    categories: [...coded.categories],
    confusion: Array.from({ length: q }, (_, k) => matrix.slice(k * q, (k + 1) * q)),
    agreement: coefficient('agreement'),
    kappa: coefficient('kappa'),
    weightedKappa: coefficient('weightedKappa'),
    alpha: coefficient('alpha'),
    ac1: coefficient('ac1'),
    ac2: coefficient('ac2'),
    shift: coefficient('shift'),
  };
}

/** The interval of the large-sample formulas: normal, or Student's t with these degrees of freedom. */
function byFormula(value: number | null, standardError: number, degreesOfFreedom: number | undefined): Coefficient {
  const distribution = degreesOfFreedom === undefined ? normalDistribution : tDistribution(degreesOfFreedom);
  const half = distribution.upperQuantile(0.025) * standardError;
  const interval = value === null ? null : { low: value - half, high: value + half, level: 0.95 };
  return { value, standardError, interval, undefinedDraws: 0 };
}

function renumbered(numbers: readonly number[], nameOf: (number: number) => string): Pick<Ratings, 'topics' | 'topicOf'> {
  const known = new Map<number, number>();
  for (const number of numbers) if (!known.has(number)) known.set(number, known.size);
  return {
    topics: Array.from(known.keys(), nameOf),
    topicOf: Uint32Array.from(numbers, (number) => known.get(number) ?? 0), // fits: entries
  };
}

/** The standard errors that take every pair for independent. They are several times too small where judgements of a topic are alike. */
export function independentErrors(
  ratings: Ratings,
  options: Pick<JudgeAgreementOptions, 'weights' | 'distance' | 'scale'> = {},
): { readonly kappa: number | null; readonly weightedKappa: number | null; readonly ac1: number | null; readonly ac2: number | null } {
  const coded = codedRatings(ratings, options.scale);
  const confusion = confusionMatrix(coded);
  const identity = agreementWeights(coded.categories, 'identity');
  const weights = agreementWeights(coded.categories, options.weights ?? 'quadratic', options.distance);
  return {
    kappa: weightedKappa(confusion, identity).standardError,
    weightedKappa: weightedKappa(confusion, weights).standardError,
    ac1: chanceCorrected(coded, 'gwet').standardError,
    ac2: chanceCorrected(coded, 'gwet', { weights: options.weights ?? 'quadratic', distance: options.distance }).standardError,
  };
}
