// Which share of pairs of systems a test tells apart, measure by measure on the same topics, with the uncertainty that topics bring.
import { seededRandom } from '../../dist/core/numbers/random.js';
import { tDistribution } from '../../dist/stats/distributions/distributions.js';
import { bootstrapAllPairs } from '../../dist/stats/index.js';

const ALPHA = 0.05;
/** Levels above this are no part of the area under the curve. */
const INNER = 0.15;

/** Shares of significant pairs among all systems, and the interval of the difference between the first two measures. */
export function powerOfMeasures(scores, measures, { samples, outer, seed }) {
  const all = scores.systems.map((_, s) => s);
  return { ...tested(scores, measures, all, { samples, outer, seed }, () => all), hash: scores.hash };
}

/** The same among the best systems, those with the least sum of ranks under the measures. The choice is made anew in each outer sample. */
export function sharesByOuterSamples(scores, measures, { top, samples, outer, seed }) {
  const everything = scores.topics.map((_, t) => t);
  const chosen = bestSystems(scores, measures, everything, top);
  const again = (topics) => bestSystems(scores, measures, topics, top);
  return {
    ...tested(scores, measures, chosen, { samples, outer, seed }, again),
    systems: chosen.map((s) => scores.systems[s]),
    hash: scores.hash,
  };
}

/** The same with other choices of systems, without intervals: two measures each tested on the systems that `choices` names for them. */
export function sharesByChoice(scores, choices, { samples, seed }) {
  const everything = scores.topics.map((_, t) => t);
  return choices.map(({ choice, measures, top, isOwn = false }) => {
    const chosen = measures.map((measure) => bestSystems(scores, isOwn ? [measure] : measures, everything, top));
    const found = measures.map((measure, m) => shareOf(scores, measure, chosen[m], { samples, seed }).share);
    return { choice, systems: chosen[0].length, pairs: (chosen[0].length * (chosen[0].length - 1)) / 2, shares: found };
  });
}

/** The share of pairs of a ready matrix that the bootstrap tells apart, and its interval over samples of topics. */
export function shareWithInterval(columns, { samples, outer, seed }) {
  const scores = { values: { only: columns } };
  const all = columns.map((_, s) => s);
  const topics = columns[0].map((_, t) => t);
  const { share } = shareOf(scores, 'only', all, { samples, seed });
  const atReal = shareOfPairs(columns, all, topics);
  const random = seededRandom(seed);
  const moved = Array.from({ length: outer }, () => {
    const drawn = topics.map(() => random.below(topics.length));
    return shareOfPairs(columns, all, drawn) - atReal + share;
  }).sort((a, b) => a - b);
  const at = (part) => Math.min(1, Math.max(0, moved[Math.min(moved.length - 1, Math.floor(part * moved.length))]));
  return { share, interval: [at(0.025), at(0.975)] };
}

/** Levels of all pairs of the chosen systems under one measure by Sakai's bootstrap test. */
function shareOf(scores, measure, chosen, { samples, seed }) {
  const systems = chosen.map((s) => Float64Array.from(scores.values[measure][s]));
  const { pValues } = bootstrapAllPairs({ systems, seed, resamples: samples });
  return {
    measure,
    share: pValues.reduce((sum, p) => sum + (p < ALPHA ? 1 : 0), 0) / pValues.length,
    area: pValues.reduce((sum, p) => sum + Math.max(0, INNER - p), 0) / pValues.length,
    levels: curveOf(pValues),
  };
}

function tested(scores, measures, chosen, { samples, outer, seed }, choose) {
  const byMeasure = measures.map((measure) => shareOf(scores, measure, chosen, { samples, seed }));
  const [first, second] = measures;
  const everything = scores.topics.map((_, t) => t);
  const shareByT = (topics, systems, measure) => shareOfPairs(scores.values[measure], systems, topics);
  const difference = byMeasure[0].share - byMeasure[1].share;
  const atReal = shareByT(everything, choose(everything), first) - shareByT(everything, choose(everything), second);
  const random = seededRandom(seed);
  const moved = Array.from({ length: outer }, () => {
    const topics = everything.map(() => random.below(everything.length));
    const systems = choose(topics);
    return shareByT(topics, systems, first) - shareByT(topics, systems, second) - atReal + difference;
  }).sort((a, b) => a - b);
  const at = (share) => moved[Math.min(moved.length - 1, Math.floor(share * moved.length))];
  return {
    topics: everything.length,
    pairs: (chosen.length * (chosen.length - 1)) / 2,
    difference,
    interval: [at(0.025), at(0.975)],
    measures: byMeasure,
  };
}

/** At most 101 points of the sorted levels, from the highest down: enough to draw them. */
function curveOf(levels) {
  const sorted = levels.slice().sort().reverse();
  const numPoints = Math.min(101, sorted.length);
  return Array.from({ length: numPoints }, (_, i) => {
    const at = Math.round((i * (sorted.length - 1)) / Math.max(1, numPoints - 1));
    return [at + 1, Math.round(sorted[at] * 1e4) / 1e4];
  });
}

/** The systems with the least sum of ranks under all measures; of equal sums the earlier name. */
function bestSystems({ systems, values }, measures, topics, top) {
  const sums = systems.map(() => 0);
  for (const measure of measures) {
    const means = systems.map((_, s) => topics.reduce((sum, t) => sum + values[measure][s][t], 0));
    const order = systems.map((_, s) => s).sort((a, b) => means[b] - means[a] || a - b);
    for (const [rank, s] of order.entries()) sums[s] += rank;
  }
  return systems
    .map((_, s) => s)
    .sort((a, b) => sums[a] - sums[b] || a - b)
    .slice(0, top)
    .sort((a, b) => a - b);
}

/** The share of pairs that a paired t test tells apart on these topics. */
function shareOfPairs(values, systems, topics) {
  const n = topics.length;
  const critical = tDistribution(n - 1).quantile(1 - ALPHA / 2) ** 2;
  const columns = systems.map((s) => Float64Array.from(topics, (t) => values[s][t]));
  let significant = 0;
  for (let i = 0; i < columns.length; i++) {
    for (let j = i + 1; j < columns.length; j++) {
      const [a, b] = [columns[i], columns[j]];
      let sum = 0;
      let squares = 0;
      for (let t = 0; t < n; t++) {
        const d = a[t] - b[t];
        sum += d;
        squares += d * d;
      }
      const mean = sum / n;
      const variance = (squares - sum * mean) / (n - 1);
      if (mean * mean * n > critical * variance) significant++;
    }
  }
  return (2 * significant) / (columns.length * (columns.length - 1));
}
