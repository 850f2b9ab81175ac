import { confusionMatrix, confusionsByTopic, weightedKappa } from './kappa.js';
import { alphaValue, type MeasurementLevel } from './krippendorff.js';
import { codedRatings, type Ratings } from './ratings.js';
import { sumsByTopic } from './sums.js';
import { agreementWeights } from './weights.js';

/** What the second judge did with the documents that got one grade from the first. */
export interface GradeByGrade {
  readonly grade: number;
  readonly pairs: number;
  readonly meanGrade: number | null;
  readonly shareHigher: number | null;
  readonly shareLower: number | null;
}

/** In which direction one judge differs from another, on the pairs that both graded. */
export interface JudgeBias {
  readonly pairs: number;
  /** Mean of the second judge's grade less the first one's. */
  readonly shift: number | null;
  readonly byGrade: readonly GradeByGrade[];
  /** Share of each category with either judge. */
  readonly margins: readonly { readonly grade: number; readonly first: number | null; readonly second: number | null }[];
}

/** Which of the two judges of `ratings` is stricter, and where. */
export function judgeBias(ratings: Ratings, scale?: readonly number[]): JudgeBias {
  const coded = codedRatings(ratings, scale);
  const q = coded.categories.length;
  const confusion = confusionMatrix(coded);
  const rows = new Float64Array(q);
  const columns = new Float64Array(q);
  let pairs = 0;
  let shift = 0;
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) {
      const count = confusion[k * q + l];
      rows[k] += count;
      columns[l] += count;
      pairs += count;
      shift += count * (coded.categories[l] - coded.categories[k]);
    }
  }
  const share = (count: number, of: number): number | null => (of > 0 ? count / of : null);
  const byGrade = Array.from({ length: q }, (_, k): GradeByGrade => {
    let sum = 0;
    let higher = 0;
    let lower = 0;
    for (let l = 0; l < q; l++) {
      const count = confusion[k * q + l];
      sum += count * coded.categories[l];
      if (l > k) higher += count;
      if (l < k) lower += count;
    }
    return {
      grade: coded.categories[k],
      pairs: rows[k],
      meanGrade: share(sum, rows[k]),
      shareHigher: share(higher, rows[k]),
      shareLower: share(lower, rows[k]),
    };
  });
  return {
    pairs,
    shift: share(shift, pairs),
    byGrade,
    margins: Array.from({ length: q }, (_, k) => ({
      grade: coded.categories[k],
      first: share(rows[k], pairs),
      second: share(columns[k], pairs),
    })),
  };
}

/** Two judges about which documents are relevant. */
export interface BinaryAgreement {
  readonly threshold: number;
  readonly agreement: number | null;
  readonly kappa: number | null;
  readonly alpha: number | null;
  /** Share of documents that each of them takes for relevant. */
  readonly firstRate: number | null;
  readonly secondRate: number | null;
  /** With the first judge as the truth. */
  readonly truePositiveRate: number | null;
  readonly falsePositiveRate: number | null;
}

/** Agreement on what is relevant: grades from `threshold` on. */
export function binaryAgreement(ratings: Ratings, threshold: number): BinaryAgreement {
  const units = ratings.docs.length;
  // no, yes by the first in rows, by the second in columns
  const confusion = new Float64Array(4);
  for (let u = 0; u < units; u++) {
    const [first, second] = [ratings.grades[u], ratings.grades[units + u]];
    if (Number.isNaN(first) || Number.isNaN(second)) continue;
    confusion[(first >= threshold ? 2 : 0) + (second >= threshold ? 1 : 0)]++;
  }
  const [neither, onlySecond, onlyFirst, both] = confusion;
  const pairs = neither + onlySecond + onlyFirst + both;
  const share = (count: number, of: number): number | null => (of > 0 ? count / of : null);
  const mixed = onlySecond + onlyFirst;
  const alpha = alphaValue({ numCategories: 2, coincidences: [2 * neither, mixed, mixed, 2 * both] }, [0, 1], 'nominal');
  return {
    threshold,
    agreement: share(neither + both, pairs),
    kappa: weightedKappa(confusion, agreementWeights([0, 1], 'identity')).value,
    alpha: Number.isNaN(alpha) ? null : alpha,
    firstRate: share(onlyFirst + both, pairs),
    secondRate: share(onlySecond + both, pairs),
    truePositiveRate: share(both, onlyFirst + both),
    falsePositiveRate: share(onlySecond, onlySecond + neither),
  };
}

/** How far two judges agree on one topic. */
export interface TopicAgreement {
  readonly topic: string;
  readonly pairs: number;
  readonly agreement: number;
  /** Null where both gave the same grade to everything. */
  readonly kappa: number | null;
  readonly alpha: number | null;
}

/** Agreement on each topic, and means over the topics where it is defined, which is not the same as the agreement on all pairs together. */
export interface AgreementByTopic {
  readonly topics: readonly TopicAgreement[];
  readonly meanKappa: number | null;
  readonly meanAlpha: number | null;
  readonly undefinedKappas: number;
  readonly undefinedAlphas: number;
}

/** The agreement of the two judges of `ratings` on each topic. */
export function agreementByTopic(ratings: Ratings, measurement: MeasurementLevel = 'ordinal', scale?: readonly number[]): AgreementByTopic {
  const coded = codedRatings(ratings, scale);
  const identity = agreementWeights(coded.categories, 'identity');
  const sums = sumsByTopic(coded);
  const q = coded.categories.length;
  const topics = confusionsByTopic(coded).flatMap((confusion, t): TopicAgreement[] => {
    const { pairs, value } = weightedKappa(confusion, identity);
    if (pairs === 0) return [];
    let agreed = 0;
    for (let k = 0; k < q; k++) agreed += confusion[k * q + k];
    const alpha = alphaValue(sums[t], coded.categories, measurement);
    return [{ topic: ratings.topics[t], pairs, agreement: agreed / pairs, kappa: value, alpha: Number.isNaN(alpha) ? null : alpha }];
  });
  const mean = (of: readonly (number | null)[]): number | null => {
    const defined = of.filter((value) => value !== null);
    return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
  };
  return {
    topics,
    meanKappa: mean(topics.map(({ kappa }) => kappa)),
    meanAlpha: mean(topics.map(({ alpha }) => alpha)),
    undefinedKappas: topics.filter(({ kappa }) => kappa === null).length,
    undefinedAlphas: topics.filter(({ alpha }) => alpha === null).length,
  };
}
