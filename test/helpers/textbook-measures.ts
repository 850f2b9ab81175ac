/** Measures by their formulas as papers print them: slow, with no state kept from rank to rank. */

export interface Topic {
  /** The grade of each ranked document; undefined if nobody judged it, negative if it was in the pool and not drawn. */
  readonly ranked: readonly (number | undefined)[];
  /** The grades of judged documents that were not retrieved. */
  readonly missed: readonly number[];
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const count = <T>(values: readonly T[], holds: (value: T) => boolean): number => values.filter(holds).length;
const isAt =
  (level: number) =>
  (value: number | undefined): boolean =>
    value !== undefined && value >= level;

/** The ranks, from 1, of documents at or above the level. */
const hitRanks = ({ ranked }: Topic, level: number): number[] => ranked.flatMap((value, i) => (isAt(level)(value) ? [i + 1] : []));
const judgedGrades = ({ ranked, missed }: Topic): number[] =>
  [...ranked, ...missed].filter((value) => value !== undefined && value >= 0) as number[];
const numRelevant = (topic: Topic, level: number): number => count(judgedGrades(topic), isAt(level));
const hitsTo = (topic: Topic, rank: number, level: number): number => count(topic.ranked.slice(0, rank), isAt(level));
const precisionSum = (topic: Topic, depth: number, level: number): number =>
  total(
    hitRanks(topic, level)
      .filter((rank) => rank <= depth)
      .map((rank) => hitsTo(topic, rank, level) / rank),
  );
const over = (sum: number, divisor: number): number => (divisor > 0 ? sum / divisor : 0);

function bpref(topic: Topic, level: number): number {
  const relevant = numRelevant(topic, level);
  const others = judgedGrades(topic).length - relevant;
  const isOther = (value: number | undefined): boolean => value !== undefined && value >= 0 && value < level;
  const parts = hitRanks(topic, level).map((rank) => {
    const above = count(topic.ranked.slice(0, rank - 1), isOther);
    return above === 0 ? 1 : 1 - Math.min(above, relevant) / Math.min(others, relevant);
  });
  return over(total(parts), relevant);
}

function infAp(topic: Topic, level: number): number {
  const e = 0.00001;
  const parts = hitRanks(topic, level).map((rank) => {
    if (rank === 1) return 1;
    const above = topic.ranked.slice(0, rank - 1);
    const pool = count(above, (value) => value !== undefined);
    const relevant = count(above, isAt(level));
    const judged = count(above, isAt(0));
    return 1 / rank + ((rank - 1) / rank) * (pool / (rank - 1)) * ((relevant + e) / (judged + 2 * e));
  });
  return over(total(parts), numRelevant(topic, level));
}

function binG(topic: Topic, level: number): number {
  const parts = hitRanks(topic, level).map((rank) => 1 / Math.log2(2 + rank - hitsTo(topic, rank, level)));
  return over(total(parts), numRelevant(topic, level));
}

/** The highest precision from the rank on at which enough relevant documents have been seen. */
function interpolated(topic: Topic, recall: number, level: number): number {
  const wanted = recall * numRelevant(topic, level) - 1e-9;
  const precisions = topic.ranked.flatMap((_, i) => {
    const hits = hitsTo(topic, i + 1, level);
    return hits >= wanted ? [hits / (i + 1)] : [];
  });
  return Math.max(0, ...precisions);
}

type Gain = (grade: number) => number;
const linear: Gain = (value) => Math.max(0, value);
const exponential: Gain = (value) => (value > 0 ? 2 ** value - 1 : 0);

/** Grades below the level gain nothing. */
const from =
  (level: number): Gain =>
  (value) =>
    value >= level ? linear(value) : 0;

const gainsOf = ({ ranked }: Topic, gain: Gain): number[] => ranked.map((value) => gain(value ?? 0));
const idealGains = (topic: Topic, gain: Gain): number[] =>
  judgedGrades(topic)
    .map(gain)
    .filter((value) => value > 0)
    .sort((a, b) => b - a);

function blendedRatio(topic: Topic, rank: number, beta: number, gain: Gain): number {
  const gains = gainsOf(topic, gain).slice(0, rank);
  const ideal = total(idealGains(topic, gain).slice(0, rank));
  return (count(gains, (value) => value > 0) + beta * total(gains)) / (rank + beta * ideal);
}

const gainRanks = (topic: Topic, gain: Gain): number[] => gainsOf(topic, gain).flatMap((value, i) => (value > 0 ? [i + 1] : []));

function qMeasure(topic: Topic, depth: number, beta: number, gain: Gain): number {
  const ranks = gainRanks(topic, gain).filter((rank) => rank <= depth);
  return over(total(ranks.map((rank) => blendedRatio(topic, rank, beta, gain))), Math.min(depth, idealGains(topic, gain).length));
}

function oMeasure(topic: Topic, beta: number, gain: Gain): number {
  const [first] = gainRanks(topic, gain);
  return first === undefined ? 0 : blendedRatio(topic, first, beta, gain);
}

/** The rank of the first document with the highest gain of the ranking, if it has any gain. */
function preferredRank(topic: Topic, gain: Gain): number | undefined {
  const gains = gainsOf(topic, gain);
  const highest = Math.max(...gains);
  return highest > 0 ? gains.indexOf(highest) + 1 : undefined;
}

function pMeasure(topic: Topic, beta: number, gain: Gain): number {
  const rank = preferredRank(topic, gain);
  return rank === undefined ? 0 : blendedRatio(topic, rank, beta, gain);
}

function pPlus(topic: Topic, beta: number, gain: Gain): number {
  const last = preferredRank(topic, gain) ?? 0;
  const ranks = gainRanks(topic, gain).filter((rank) => rank <= last);
  return over(total(ranks.map((rank) => blendedRatio(topic, rank, beta, gain))), ranks.length);
}

/** NCU with how often users stop at the relevant documents, retrieved or not; `weight` has a grade and its place among the hits. */
function ncu(topic: Topic, depth: number, beta: number, weight: (value: number, hit: number) => number, all: number): number {
  const parts = gainRanks(topic, linear).map((rank, hit) => {
    return rank > depth ? 0 : weight(topic.ranked[rank - 1] ?? 0, hit) * blendedRatio(topic, rank, beta, linear);
  });
  return over(total(parts), all);
}

function dcg(gains: readonly number[], depth: number): number {
  return total(gains.slice(0, depth).map((value, i) => value / Math.log2(i + 2)));
}

function ndcg(topic: Topic, depth: number, gain: Gain): number {
  return over(dcg(gainsOf(topic, gain), depth), dcg(idealGains(topic, gain), depth));
}

/** Chapelle’s reader, who stops at a document with (2^g − 1)/2^4: 4 is the highest grade unless told. */
function err(topic: Topic, depth: number): number {
  const stops = topic.ranked.map((value) => exponential(value ?? 0) / 16);
  return total(stops.slice(0, depth).map((stop, i) => (stop * stops.slice(0, i).reduce((left, one) => left * (1 - one), 1)) / (i + 1)));
}

function rbp(topic: Topic, p: number, level: number): number {
  return (1 - p) * total(hitRanks(topic, level).map((rank) => p ** (rank - 1)));
}

/** Discounted gain with any discount of a rank, from 1. */
function dcgBy(gains: readonly number[], depth: number, discount: (rank: number) => number): number {
  return total(gains.slice(0, depth).map((value, i) => value / discount(i + 1)));
}

function ndcgBy(topic: Topic, depth: number, discount: (rank: number) => number, gain: Gain = linear): number {
  return over(dcgBy(gainsOf(topic, gain), depth, discount), dcgBy(idealGains(topic, gain), depth, discount));
}

/** Järvelin and Kekäläinen's discount, which begins at the rank that is its base. */
const fromBase =
  (base: number) =>
  (rank: number): number =>
    rank < base ? 1 : Math.log(rank) / Math.log(base);

/** nDCG whose ideal ranking is that of the documents retrieved. */
function ndcgOfList(topic: Topic, depth: number): number {
  const gains = gainsOf(topic, linear);
  return over(
    dcg(gains, depth),
    dcg(
      gains.slice().sort((a, b) => b - a),
      depth,
    ),
  );
}

function meanNdcg(topic: Topic, depth: number): number {
  const n = Math.min(depth, topic.ranked.length);
  return total(Array.from({ length: n }, (_, k) => ndcg(topic, k + 1, linear))) / n;
}

/** nDCG averaged over the relevant documents, each at its rank; those not retrieved at the end of the ranking or the ideal one. */
function ndcgRel(topic: Topic): number {
  const ranks = gainRanks(topic, linear);
  const numIdeal = idealGains(topic, linear).length;
  const end = ndcg(topic, Infinity, linear);
  return over(total(ranks.map((rank) => ndcg(topic, rank, linear))) + (numIdeal - ranks.length) * end, numIdeal);
}

function fMeasure(hits: number, seen: number, relevant: number, beta: number): number {
  const precision = over(hits, seen);
  const recall = over(hits, relevant);
  return over((1 + beta ** 2) * precision * recall, beta ** 2 * precision + recall);
}

/** The pairs of a relevant document and one that is not, of which the relevant one comes first. */
function accuracy(topic: Topic, depth: number): number {
  const ranked = topic.ranked.slice(0, depth).map(isAt(1));
  const hits = count(ranked, Boolean);
  if (hits === 0) return 0;
  if (hits === ranked.length) return 1;
  const pairs = ranked.flatMap((first, i) => ranked.slice(i + 1).map((second) => first && !second));
  return count(pairs, Boolean) / (hits * (ranked.length - hits));
}

/** Users with their threshold at grades 1, 2 and 3, of whom g says how many. */
function gap(topic: Topic, g: readonly number[]): number {
  const found = total(g.map((share, j) => share * precisionSum(topic, Infinity, j + 1)));
  return over(found, total(g.map((share, j) => share * numRelevant(topic, j + 1))));
}

function gradedRecall(topic: Topic, depth: number, g: readonly number[]): number {
  const found = total(g.map((share, j) => share * hitsTo(topic, depth, j + 1)));
  return over(found, total(g.map((share, j) => share * numRelevant(topic, j + 1))));
}

/** Of all gain there is, what the ranking has with each gain divided by the logarithm of what was lost above it. */
function gMeasure(topic: Topic): number {
  const gains = gainsOf(topic, linear);
  const ideal = idealGains(topic, linear);
  const parts = gains.map((value, i) => {
    const cost = total(Array.from({ length: i + 1 }, (_, k) => Math.max(1, ideal[k] ?? 0)));
    return value / Math.log2(2 + cost - total(gains.slice(0, i + 1)));
  });
  return over(total(parts), total(ideal));
}

function nErr(topic: Topic, depth: number): number {
  const best = judgedGrades(topic).sort((a, b) => b - a);
  return over(err(topic, depth), err({ ranked: best, missed: [] }, depth));
}

/** Smucker and Clarke's time-biased gain with their calibration. */
function timeBiasedGain(topic: Topic): number {
  const isHit = topic.ranked.map(isAt(1));
  const timeOf = (hit: boolean): number => 4.4 + (0.018 * 500 + 7.8) * (hit ? 0.64 : 0.39);
  return total(isHit.map((hit, i) => (hit ? 0.64 * 0.77 * 2 ** (-total(isHit.slice(0, i).map(timeOf)) / 224) : 0)));
}

/** What RBP may still gain: from unjudged documents and from below the ranking. */
function rbpLeft(topic: Topic, p: number, depth: number): number {
  const seen = topic.ranked.slice(0, depth);
  const unjudged = seen.map((value, i) => (value === undefined || value < 0 ? (1 - p) * p ** i : 0));
  return p ** seen.length + total(unjudged);
}

const retrieved = (topic: Topic): number => topic.ranked.length;
const found = (topic: Topic): number => hitRanks(topic, 1).length;
const judgedRetrieved = (topic: Topic): number => count(topic.ranked, isAt(0));

const gradesAbove = (topic: Topic): number[] => judgedGrades(topic).filter((value) => value > 0);
const powers = (n: number, gamma: number): number => total(Array.from({ length: n }, (_, i) => gamma ** i));

/** Spellings of measures with what they are to give. */
export const definitions: Readonly<Record<string, (topic: Topic) => number>> = {
  AP: (topic) => over(precisionSum(topic, Infinity, 1), numRelevant(topic, 1)),
  'AP(rel=2)': (topic) => over(precisionSum(topic, Infinity, 2), numRelevant(topic, 2)),
  'AP(rel=0)': (topic) => over(precisionSum(topic, Infinity, 0), numRelevant(topic, 0)),
  'Bpref(rel=0)': (topic) => bpref(topic, 0),
  'BinG(rel=0)': (topic) => binG(topic, 0),
  'infAP(rel=0)': (topic) => infAp(topic, 0),
  'R(rel=3)@5': (topic) => over(hitsTo(topic, 5, 3), numRelevant(topic, 3)),
  'Rprec(rel=2)': (topic) => over(hitsTo(topic, numRelevant(topic, 2), 2), numRelevant(topic, 2)),
  'Success(rel=2)@3': (topic) => Math.min(1, hitsTo(topic, 3, 2)),
  'YAAP(rel=2)': (topic) => {
    const sum = precisionSum(topic, Infinity, 2);
    return Math.log((1 + sum) / (1 + numRelevant(topic, 2) - sum));
  },
  'AP@5': (topic) => over(precisionSum(topic, 5, 1), numRelevant(topic, 1)),
  "AP(denominator='min')@3": (topic) => over(precisionSum(topic, 3, 1), Math.min(3, numRelevant(topic, 1))),
  "AP(denominator='list')@3": (topic) => over(precisionSum(topic, 3, 1), hitRanks(topic, 1).length),
  "AP(denominator='list-min')@3": (topic) => over(precisionSum(topic, 3, 1), Math.min(3, hitRanks(topic, 1).length)),
  "AP(denominator='found')@3": (topic) => over(precisionSum(topic, 3, 1), hitsTo(topic, 3, 1)),
  YAAP: (topic) => {
    const sum = precisionSum(topic, Infinity, 1);
    return Math.log((1 + sum) / (1 + numRelevant(topic, 1) - sum));
  },
  Bpref: (topic) => bpref(topic, 1),
  'Bpref(rel=2)': (topic) => bpref(topic, 2),
  infAP: (topic) => infAp(topic, 1),
  'infAP(rel=2)': (topic) => infAp(topic, 2),
  BinG: (topic) => binG(topic, 1),
  'BinG(rel=2)': (topic) => binG(topic, 2),
  'IPrec@0': (topic) => interpolated(topic, 0, 1),
  'IPrec@0.4': (topic) => interpolated(topic, 0.4, 1),
  'IPrec@1': (topic) => interpolated(topic, 1, 1),
  'IPrec(rel=2)@0.7': (topic) => interpolated(topic, 0.7, 2),
  IAP: (topic) => total(Array.from({ length: 11 }, (_, i) => interpolated(topic, i / 10, 1))) / 11,
  'IAP(levels=[0.2,0.5,0.8])': (topic) => total([0.2, 0.5, 0.8].map((recall) => interpolated(topic, recall, 1))) / 3,
  Q: (topic) => qMeasure(topic, Infinity, 1, linear),
  "Q(beta=0.5,gain='exp')@4": (topic) => qMeasure(topic, 4, 0.5, exponential),
  OMeasure: (topic) => oMeasure(topic, 1, linear),
  "OMeasure(beta=3,gain='exp')": (topic) => oMeasure(topic, 3, exponential),
  PMeasure: (topic) => pMeasure(topic, 1, linear),
  'PMeasure(beta=10)': (topic) => pMeasure(topic, 10, linear),
  PPlus: (topic) => pPlus(topic, 1, linear),
  "PPlus(beta=2,gain='exp')": (topic) => pPlus(topic, 2, exponential),
  NCU: (topic) => ncu(topic, Infinity, 1, () => 1, gradesAbove(topic).length),
  'NCU@4': (topic) => ncu(topic, 4, 1, () => 1, Math.min(4, gradesAbove(topic).length)),
  "NCU(stop='graded',beta=2)": (topic) => ncu(topic, Infinity, 2, (value) => value, total(gradesAbove(topic))),
  "NCU(stop='graded',stops=[1,5,2])@6": (topic) => {
    const stops = (value: number): number => [0, 1, 5, 2][value];
    return ncu(topic, 6, 1, stops, total(gradesAbove(topic).map(stops)));
  },
  "NCU(stop='rank-biased',gamma=0.7)": (topic) => ncu(topic, Infinity, 1, (_, hit) => 0.7 ** hit, powers(gradesAbove(topic).length, 0.7)),
  nDCG: (topic) => ndcg(topic, Infinity, linear),
  'nDCG@5': (topic) => ndcg(topic, 5, linear),
  "nDCG(gain='exp')@7": (topic) => ndcg(topic, 7, exponential),
  'DCG@6': (topic) => dcg(gainsOf(topic, linear), 6),
  'CG@6': (topic) => total(gainsOf(topic, linear).slice(0, 6)),
  ERR: (topic) => err(topic, Infinity),
  'ERR@4': (topic) => err(topic, 4),
  'RBP(p=0.8)': (topic) => rbp(topic, 0.8, 1),
  'RBP(p=0.5,rel=2)': (topic) => rbp(topic, 0.5, 2),
  'RR@4': (topic) => over(1, hitRanks(topic, 1).filter((rank) => rank <= 4)[0] ?? 0),
  'RR(rel=2)': (topic) => over(1, hitRanks(topic, 2)[0] ?? 0),
  'P@4': (topic) => hitsTo(topic, 4, 1) / 4,
  'R@4': (topic) => over(hitsTo(topic, 4, 1), numRelevant(topic, 1)),
  Rprec: (topic) => over(hitsTo(topic, numRelevant(topic, 1), 1), numRelevant(topic, 1)),
  "nDCG(discount='jk',base=3)": (topic) => ndcgBy(topic, Infinity, fromBase(3)),
  "nDCG(discount='jk',base=2.5,term='product')@8": (topic) => ndcgBy(topic, 8, fromBase(2.5)),
  "nDCG(discount='jk',base=4,term='inverse')": (topic) => ndcgBy(topic, Infinity, fromBase(4)),
  "DCG(discount='ln')": (topic) => dcgBy(gainsOf(topic, linear), Infinity, (rank) => Math.log(rank + 1)),
  "DCG(discount='log2',term='product')@6": (topic) => dcg(gainsOf(topic, linear), 6),
  "DCG(term='inverse')": (topic) => dcg(gainsOf(topic, linear), Infinity),
  "DCG(term='ratio')": (topic) => dcg(gainsOf(topic, linear), Infinity),
  "nDCG(discount='rank')@5": (topic) => ndcgBy(topic, 5, (rank) => rank),
  "nDCG(discount='none')@5": (topic) => ndcgBy(topic, 5, () => 1),
  'nDCG(level=2)': (topic) => over(dcg(gainsOf(topic, from(2)), Infinity), dcg(idealGains(topic, from(2)), Infinity)),
  'nDCG(gains={1:5,2:1,3:2})@6': (topic) => ndcg(topic, 6, (value) => [0, 5, 1, 2][Math.max(0, value)]),
  "nDCG(short='zero')@6": (topic) => (retrieved(topic) < 6 ? 0 : ndcg(topic, 6, linear)),
  "nDCG(ideal='list')@6": (topic) => ndcgOfList(topic, 6),
  'IDCG@3': (topic) => dcg(idealGains(topic, linear), 3),
  'MeanNDCG@6': (topic) => meanNdcg(topic, 6),
  MeanNDCG: (topic) => meanNdcg(topic, Infinity),
  nDCGRel: ndcgRel,
  G: gMeasure,
  'nERR(max_rel=4)@5': (topic) => nErr(topic, 5),
  TBG: timeBiasedGain,
  "P(divisor='retrieved')@6": (topic) => hitsTo(topic, 6, 1) / Math.min(6, retrieved(topic)),
  "P(short='zero')@6": (topic) => (retrieved(topic) < 6 ? 0 : hitsTo(topic, 6, 1) / 6),
  'AverageRecall@5': (topic) => {
    const n = Math.min(5, retrieved(topic));
    return over(total(Array.from({ length: n }, (_, k) => hitsTo(topic, k + 1, 1))) / n, numRelevant(topic, 1));
  },
  'F(beta=2)@5': (topic) => fMeasure(hitsTo(topic, 5, 1), 5, numRelevant(topic, 1), 2),
  'RelP@5': (topic) => over(hitsTo(topic, 5, 1), Math.min(5, numRelevant(topic, 1))),
  'Success@3': (topic) => Math.min(1, hitsTo(topic, 3, 1)),
  'Unjudged@4': (topic) => (Math.min(4, retrieved(topic)) - count(topic.ranked.slice(0, 4), isAt(0))) / 4,
  'RprecMult@1.5': (topic) => {
    const depth = Math.ceil(1.5 * numRelevant(topic, 1));
    return over(hitsTo(topic, depth, 1), depth);
  },
  'Accuracy@6': (topic) => accuracy(topic, 6),
  Accuracy: (topic) => accuracy(topic, Infinity),
  SetP: (topic) => found(topic) / retrieved(topic),
  SetR: (topic) => over(found(topic), numRelevant(topic, 1)),
  SetRelP: (topic) => over(found(topic), Math.min(retrieved(topic), numRelevant(topic, 1))),
  SetAP: (topic) => over(found(topic) ** 2, retrieved(topic) * numRelevant(topic, 1)),
  'SetF(beta=0.5)': (topic) => fMeasure(found(topic), retrieved(topic), numRelevant(topic, 1), 0.5),
  SetAccuracy: (topic) => {
    const judged = judgedGrades(topic).length;
    // relevant and retrieved, or neither
    const neither = judged - judgedRetrieved(topic) - (numRelevant(topic, 1) - found(topic));
    return over(found(topic) + neither, judged);
  },
  'SetAccuracy(collection=100)': (topic) => (found(topic) + 100 - retrieved(topic) - numRelevant(topic, 1) + found(topic)) / 100,
  Fallout: (topic) => over(judgedRetrieved(topic) - found(topic), judgedGrades(topic).length - numRelevant(topic, 1)),
  'Fallout(collection=100)': (topic) => (retrieved(topic) - found(topic)) / (100 - numRelevant(topic, 1)),
  'Satisfaction@5': (topic) => hitsTo(topic, 5, 1) / Math.min(5, retrieved(topic)),
  'Frustration@5': (topic) => 1 - hitsTo(topic, 5, 1) / Math.min(5, retrieved(topic)),
  'Utility(coefficients=[3,-2,-5,0.5],collection=100)': (topic) => {
    const missed = numRelevant(topic, 1) - found(topic);
    const wrong = retrieved(topic) - found(topic);
    return 3 * found(topic) - 2 * wrong - 5 * missed + 0.5 * (100 - found(topic) - wrong - missed);
  },
  'GAP(g=[0.2,0.5,0.3])': (topic) => gap(topic, [0.2, 0.5, 0.3]),
  'GAP(clicks=[1,2,1])': (topic) => gap(topic, [0.25, 0.5, 0.25]),
  'GAP(max_rel=3)': (topic) => gap(topic, [1, 1, 1]),
  'GradedR(g=[0.2,0.5,0.3])@5': (topic) => gradedRecall(topic, 5, [0.2, 0.5, 0.3]),
  'RBP(p=0.8)@4': (topic) => rbp({ ...topic, ranked: topic.ranked.slice(0, 4) }, 0.8, 1),
  'RBP(p=0.7,residual=true)@5': (topic) => rbpLeft(topic, 0.7, 5),
  'RBPResidual(p=0.7)': (topic) => (judgedRetrieved(topic) === retrieved(topic) ? 0 : rbpLeft(topic, 0.7, Infinity)),
  NumRet: retrieved,
  NumRel: (topic) => numRelevant(topic, 1),
  NumRelRet: found,
  'Judged@4': (topic) => count(topic.ranked.slice(0, 4), isAt(0)) / Math.min(4, topic.ranked.length),
};
