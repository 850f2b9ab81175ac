/** Seeded runs and judgements in the shapes people evaluate. Only whole-number arithmetic decides what is written, so
 *  every machine makes the same bytes. */

import { seededRandom, shuffleInPlace } from '../../dist/core/numbers/random.js';

/** @typedef {import('../../dist/core/numbers/random.js').Random} Random */
/** @typedef {import('./byte-writer.mjs').ByteWriter} ByteWriter */

/** Ids are a prefix and a number below `count`, padded with zeros to `digits`.
 *  @typedef {{ prefix: string, digits: number, count: number }} IdShape */

/** @typedef {object} Shape
 *  @property {number} seed
 *  @property {number} topics topics in the run
 *  @property {number} depth documents per topic
 *  @property {IdShape} topicIds
 *  @property {boolean} topicsAscend the files go by topic number; otherwise topics come in random order
 *  @property {IdShape} documentIds
 *  @property {number} judgedRetrieved judged documents per topic that the run retrieved, on average
 *  @property {number} judgedElsewhere judged documents per topic that the run missed, on average
 *  @property {readonly number[]} gradeShares share of grade 0, 1, 2, … among the judged documents */

/** One topic in this many is retrieved but not judged, and as many again are judged but not retrieved. */
const ODD_TOPIC_EVERY = 100;
/** How often two neighbours have equal scores. */
const TIE_SHARE = 0.03;
/** Scores are counted in millionths and printed with six decimals. A topic's best score lies between 27 and 37, like
 *  BM25's, and the gap after rank r is at most 3.5 / r: the sum over 1,000 ranks stays below 27. */
const LOWEST_TOP_SCORE = 27_000_000;
const TOP_SCORE_SPREAD = 10_000_000;
const LARGEST_GAP = 3_500_000;
const SCORE_UNIT = 1_000_000;
const TAG = ' gradus-bench';

/** @param {Shape} shape @param {ByteWriter} out */
export function writeRun(shape, out) {
  const constant = asciiBytes(' Q0 ');
  const space = asciiBytes(' ');
  const point = asciiBytes('.');
  const tag = asciiBytes(TAG);
  const topicPrefix = asciiBytes(shape.topicIds.prefix);
  const documentPrefix = asciiBytes(shape.documentIds.prefix);
  const drawDocuments = documentDrawer(shape);
  for (const topic of drawTopics(shape)) {
    if (!topic.retrieved) continue;
    const ranking = drawDocuments(topic.index).ranking;
    const random = topicStream(shape, topic.index, 1);
    let score = LOWEST_TOP_SCORE + random.below(TOP_SCORE_SPREAD);
    for (let i = 0; i < ranking.length; i++) {
      const rank = i + 1;
      out.bytes(topicPrefix);
      out.integer(topic.number, shape.topicIds.digits);
      out.bytes(constant);
      out.bytes(documentPrefix);
      out.integer(ranking[i], shape.documentIds.digits);
      out.bytes(space);
      out.integer(rank);
      out.bytes(space);
      const whole = Math.floor(score / SCORE_UNIT);
      out.integer(whole);
      out.bytes(point);
      out.integer(score - whole * SCORE_UNIT, 6);
      out.bytes(tag);
      out.endLine();
      if (random.float() >= TIE_SHARE) score -= 1 + random.below(Math.floor(LARGEST_GAP / rank));
    }
  }
}

/** @param {Shape} shape @param {ByteWriter} out */
export function writeQrels(shape, out) {
  const constant = asciiBytes(' 0 ');
  const space = asciiBytes(' ');
  const topicPrefix = asciiBytes(shape.topicIds.prefix);
  const documentPrefix = asciiBytes(shape.documentIds.prefix);
  const drawDocuments = documentDrawer(shape);
  for (const topic of drawTopics(shape)) {
    if (!topic.judged) continue;
    const { ranking, drawOther } = drawDocuments(topic.index);
    const random = topicStream(shape, topic.index, 2);
    const judge = (/** @type {number} */ document) => {
      out.bytes(topicPrefix);
      out.integer(topic.number, shape.topicIds.digits);
      out.bytes(constant);
      out.bytes(documentPrefix);
      out.integer(document, shape.documentIds.digits);
      out.bytes(space);
      out.integer(drawGrade(random, shape.gradeShares));
      out.endLine();
    };
    const ranks = drawJudgedRanks(random, ranking.length, drawCount(random, shape.judgedRetrieved));
    for (const i of ranks) judge(ranking[i]);
    const elsewhere = Math.max(drawCount(random, shape.judgedElsewhere), ranks.size === 0 ? 1 : 0);
    for (let i = 0; i < elsewhere; i++) judge(drawOther(random));
  }
}

/** @param {Uint8Array} text whole lines @param {number} seed @param {ByteWriter} out */
export function writeShuffled(text, seed, out) {
  const starts = [0];
  for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, end + 1)) starts.push(end + 1);
  const order = Uint32Array.from({ length: starts.length - 1 }, (_, line) => line);
  shuffleInPlace(seededRandom(seed), order);
  for (const line of order) {
    out.bytes(text.subarray(starts[line], starts[line + 1] - 1));
    out.endLine();
  }
}

/** @typedef {{ index: number, number: number, retrieved: boolean, judged: boolean }} Topic */

/** @param {Shape} shape @returns {Topic[]} */
function drawTopics(shape) {
  const odd = Math.ceil(shape.topics / ODD_TOPIC_EVERY);
  const random = topicStream(shape, shape.topics + odd, 0);
  const numbers = /** @type {Set<number>} */ (new Set());
  while (numbers.size < shape.topics + odd) numbers.add(random.below(shape.topicIds.count));
  const topics = [...numbers].map((number, index) => ({ index, number, retrieved: index >= odd, judged: index < odd || index >= 2 * odd }));
  if (shape.topicsAscend) return topics.sort((a, b) => a.number - b.number);
  shuffleInPlace(random, topics);
  return topics;
}

/** Each topic has streams of its own, so that the run and the judgements can be written apart and still agree.
 *  @param {Shape} shape @param {number} topic @param {0 | 1 | 2} purpose */
function topicStream(shape, topic, purpose) {
  return seededRandom(shape.seed, 3 * topic + purpose);
}

/** Draws a topic's ranking without a document twice. Both the array and the table of seen documents are used again for
 *  the next topic.
 *  @param {Shape} shape */
function documentDrawer(shape) {
  const ranking = new Uint32Array(shape.depth);
  const lastSeen = new Uint32Array(shape.documentIds.count);
  return (/** @type {number} */ topic) => {
    const drawOther = (/** @type {Random} */ random) => {
      let document = random.below(lastSeen.length);
      while (lastSeen[document] === topic + 1) document = random.below(lastSeen.length);
      lastSeen[document] = topic + 1;
      return document;
    };
    const random = topicStream(shape, topic, 0);
    for (let i = 0; i < ranking.length; i++) ranking[i] = drawOther(random);
    return { ranking, drawOther };
  };
}

/** Pools are deep at the top and thin below: the cube makes the first tenth of the ranks as likely as the rest.
 *  @param {Random} random @param {number} depth @param {number} count */
function drawJudgedRanks(random, depth, count) {
  const ranks = /** @type {Set<number>} */ (new Set());
  for (let i = 0; i < count; i++) {
    const u = random.float();
    ranks.add(Math.floor(depth * u * u * u));
  }
  return ranks;
}

/** A whole number with this mean: the next lower or the next higher one.
 *  @param {Random} random @param {number} mean */
function drawCount(random, mean) {
  const lower = Math.floor(mean);
  return lower + (random.float() < mean - lower ? 1 : 0);
}

/** @param {Random} random @param {readonly number[]} shares */
function drawGrade(random, shares) {
  let u = random.float();
  let grade = 0;
  while (grade < shares.length - 1 && u >= shares[grade]) u -= shares[grade++];
  return grade;
}

/** @param {string} text */
function asciiBytes(text) {
  return new TextEncoder().encode(text);
}
