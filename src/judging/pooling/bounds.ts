import { InputError } from '../../core/problem.js';
import {
  type CompletedMeasure,
  completedValue,
  discountAt,
  type IncompleteTopic,
  idealGain,
  isLinear,
  rankWeight,
  topicDocuments,
} from './completions.js';

/** The lowest and the highest value that completions of the missing judgements allow. */
export interface MeasureBounds {
  readonly low: number;
  readonly high: number;
  /** False for outer bounds, which no completion may reach. */
  readonly attained: boolean;
  /** What an infinitely long list could add to rank-biased precision. */
  readonly tail: number;
  /** Grades of the documents at the bounds, where completions were counted through. */
  readonly lowAt?: ReadonlyMap<string, number> | undefined;
  readonly highAt?: ReadonlyMap<string, number> | undefined;
}

/** Completions that are counted through at most. */
const MOST_COMPLETIONS = 1_000_000;

/** Bounds of one system's value. */
export function measureBounds(topic: IncompleteTopic, measure: CompletedMeasure): MeasureBounds {
  if (isLinear(measure)) return linearBounds(topic, measure);
  return measure.name === 'nDCG' ? gainBounds(topic, measure) : precisionBounds(topic, measure);
}

function topGrade({ grades = [0, 1] }: IncompleteTopic): number {
  const top = grades[grades.length - 1];
  if (!(top > 0)) throw new InputError({ message: 'no grade of the scale is relevant', wayOut: 'give a scale such as 0, 1, 2' });
  return top;
}

function linearBounds(topic: IncompleteTopic, measure: CompletedMeasure): MeasureBounds {
  const { lists, grades, unjudged } = topicDocuments(topic);
  const low = completedValue(measure, lists[0], grades);
  for (const d of unjudged) grades[d] = topGrade(topic);
  return {
    low,
    high: completedValue(measure, lists[0], grades),
    attained: true,
    tail: measure.name === 'RBP' ? measure.p ** lists[0].length : 0,
  };
}

/** Average precision is highest with the first of the unjudged documents of the ranking relevant and no others, lowest with the last of them
 *  and all documents that were not retrieved; how many is tried out. An exchange of two documents shows it. */
function precisionBounds(topic: IncompleteTopic, measure: CompletedMeasure): MeasureBounds {
  const { lists, ranks, grades, unjudged } = topicDocuments(topic);
  const [list] = lists;
  const retrieved = unjudged.filter((d) => ranks[0][d] > 0).sort((a, b) => ranks[0][a] - ranks[0][b]);
  const others = unjudged.filter((d) => ranks[0][d] === 0);
  let high = completedValue(measure, list, grades);
  for (const d of retrieved) {
    grades[d] = 1;
    high = Math.max(high, completedValue(measure, list, grades));
  }
  for (const d of retrieved) grades[d] = 0;
  for (const d of others) grades[d] = 1;
  let low = completedValue(measure, list, grades);
  for (const d of retrieved.reverse()) {
    grades[d] = 1;
    low = Math.min(low, completedValue(measure, list, grades));
  }
  return { low, high, attained: true, tail: 0 };
}

function gainBounds(topic: IncompleteTopic, measure: CompletedMeasure & { readonly name: 'nDCG' }): MeasureBounds {
  const { docs, lists, grades, unjudged } = topicDocuments(topic);
  const scale = topic.grades ?? [0, 1];
  const [list] = lists;
  if (scale.length ** unjudged.length > MOST_COMPLETIONS) return outerGainBounds(topic, measure);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [lowAt, highAt] = [grades, grades];
  const places = new Uint32Array(unjudged.length); // fits: entries
  for (const d of unjudged) grades[d] = scale[0];
  for (;;) {
    const value = completedValue(measure, list, grades);
    if (value < low - 1e-14) [low, lowAt] = [value, grades.slice()];
    if (value > high + 1e-14) [high, highAt] = [value, grades.slice()];
    // the last document counts fastest, as the digits of a number
    let at = unjudged.length - 1;
    while (at >= 0 && places[at] === scale.length - 1) {
      places[at] = 0;
      grades[unjudged[at]] = scale[0];
      at--;
    }
    if (at < 0) break;
    grades[unjudged[at]] = scale[++places[at]];
  }
  const named = (of: Float64Array): Map<string, number> => new Map(docs.map((doc, d) => [doc, of[d]]));
  return { low, high, attained: true, tail: 0, lowAt: named(lowAt), highAt: named(highAt) };
}

/** Bounds of nDCG that no completion may reach: the worst gain over the best ideal, and the best gain over the ideal of what is judged. */
export function outerGainBounds(topic: IncompleteTopic, { k }: { readonly k: number }): MeasureBounds {
  const { lists, grades, unjudged } = topicDocuments(topic);
  const gainOf = (): number => {
    let sum = 0;
    for (let i = 0; i < Math.min(k, lists[0].length); i++) sum += Math.max(0, grades[lists[0][i]]) * discountAt(i + 1);
    return sum;
  };
  const [worstGain, worstIdeal] = [gainOf(), idealGain(grades, k)];
  for (const d of unjudged) grades[d] = topGrade(topic);
  const [bestGain, bestIdeal] = [gainOf(), idealGain(grades, k)];
  return {
    low: bestIdeal > 0 ? worstGain / bestIdeal : 0,
    high: bestGain === 0 ? 0 : worstIdeal > 0 ? Math.min(1, bestGain / worstIdeal) : 1,
    attained: false,
    tail: 0,
  };
}

/** Bounds of the difference of two systems in a linear measure: the sums of the weights on either side. They are usually much narrower than
 *  the difference of the bounds. */
export function linearDifferenceBounds(topic: IncompleteTopic, measure: CompletedMeasure): MeasureBounds {
  const { ranks, grades, unjudged, lists } = topicDocuments(topic);
  const known = completedValue(measure, lists[0], grades) - completedValue(measure, lists[1], grades);
  const top = measure.name === 'P' ? 1 : topGrade(topic);
  let [low, high] = [known, known];
  for (const d of unjudged) {
    const weight = (rankWeight(measure, ranks[0][d]) - rankWeight(measure, ranks[1][d])) * top;
    if (weight > 0) high += weight;
    else low += weight;
  }
  return { low, high, attained: true, tail: 0 };
}
