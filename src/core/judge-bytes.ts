import { emptyView, type JudgingRules, POOLED, type TopicView, UNJUDGED } from './judge.js';
import { RankingScratch, sortDescendingInPlace } from './order.js';
import type { Qrels } from './qrels.js';
import { compareBytes, equalBytes } from './text.js';

/** The lines of one topic as a scanner left them: where each document id stands in the text, its hash, and its score. */
export interface ScannedTopic {
  readonly bytes: Uint8Array;
  readonly docStart: Uint32Array;
  readonly docEnd: Uint32Array;
  readonly docHash: Uint32Array;
  readonly numbers: Float64Array;
}

/** Judges topics straight from the scanned text of a run, without keeping any of it: the counterpart of `judge` for runs
 *  that are evaluated once and forgotten. Memory is bounded by the longest topic. */
export class ByteJudge {
  readonly view: TopicView = emptyView();
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly scratch: RankingScratch = new RankingScratch();
  /** The judged documents of the topic by hash: row number plus one, 0 where a slot is free. */
  private judgedSlots: Uint32Array = new Uint32Array(64);
  /** The ranked documents of the topic by hash: line number plus one. */
  private seenSlots: Uint32Array = new Uint32Array(4096);
  private codes: Float64Array = new Float64Array(2048);
  private ranked: Float64Array = new Float64Array(2048);
  private scores: Float64Array = new Float64Array(2048);
  private judged: Float64Array = new Float64Array(1024);
  private readonly gradeCounts: Uint32Array = new Uint32Array(64);

  constructor(qrels: Qrels, rules: JudgingRules) {
    this.qrels = qrels;
    this.rules = rules;
    this.view.codes = this.ranked;
    this.view.judged = this.judged;
  }

  /** True if no document id stands on two of the lines. */
  hasDistinctDocs(source: ScannedTopic, numLines: number): boolean {
    const { bytes, docStart, docEnd, docHash } = source;
    if (this.seenSlots.length < 2 * numLines) this.seenSlots = new Uint32Array(powerOfTwo(4 * numLines));
    const size = powerOfTwo(2 * numLines);
    const slots = this.seenSlots;
    slots.fill(0, 0, size);
    const mask = size - 1;
    for (let line = 0; line < numLines; line++) {
      const hash = docHash[line];
      let slot = hash & mask;
      for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
        const other = entry - 1;
        if (docHash[other] === hash && equalBytes(bytes, docStart[other], docEnd[other], bytes, docStart[line], docEnd[line])) return false;
        slot = (slot + 1) & mask;
      }
      slots[slot] = line + 1;
    }
    return true;
  }

  /** Points `view` at the judged ranking of these lines. False if the topic's judgements name a document twice, which the
   *  caller has to report. */
  judge(topic: number, source: ScannedTopic, numLines: number): boolean {
    if (!this.openTopic(topic)) return false;
    this.reserve(numLines);
    const { qrels, rules, scratch, codes, scores, ranked, view } = this;
    const { bytes, docStart, docEnd, docHash, numbers } = source;
    const from = qrels.offsets[topic];
    const mask = powerOfTwo(2 * (qrels.offsets[topic + 1] - from)) - 1;
    const { judgedSlots } = this;
    const { docOf, grades } = qrels;
    const judgedIds = qrels.docs;

    // look each document up among the judged ones; most are not there, which the first slot mostly shows
    for (let line = 0; line < numLines; line++) {
      const hash = docHash[line];
      let code = UNJUDGED;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const entry = judgedSlots[slot];
        if (entry === 0) break;
        const row = from + entry - 1;
        const doc = docOf[row];
        if (judgedIds.hashes[doc] !== hash) continue;
        if (!equalBytes(judgedIds.bytes, judgedIds.offsets[doc], judgedIds.offsets[doc + 1], bytes, docStart[line], docEnd[line])) continue;
        code = grades[row] >= 0 ? grades[row] : POOLED;
        break;
      }
      codes[line] = code;
    }

    // rank, then write the grades down in that order
    if (rules.scorePrecision === 'float32') for (let line = 0; line < numLines; line++) scores[line] = Math.fround(numbers[line]);
    scratch.rank(rules.scorePrecision === 'float32' ? scores : numbers, 0, numLines, rules.ties, (a, b) =>
      compareBytes(bytes, docStart[a], docEnd[a], bytes, docStart[b], docEnd[b]),
    );
    const { order } = scratch;
    const depth = Math.min(numLines, rules.depth);
    let numRetrieved = 0;
    for (let rank = 0; rank < depth; rank++) {
      const code = codes[order[rank]];
      if (code < 0 && rules.judgedOnly) continue;
      ranked[numRetrieved++] = code;
    }
    view.numRetrieved = numRetrieved;
    return true;
  }

  /** Points `view` at what the rules make of a topic that the run does not answer. */
  judgeMissing(topic: number): boolean {
    if (!this.openTopic(topic)) return false;
    const { rules, view, ranked } = this;
    view.numRetrieved = 0;
    if (rules.missingTopics === 'placeholder' && !rules.judgedOnly && rules.depth > 0) {
      ranked[0] = UNJUDGED;
      view.numRetrieved = 1;
    }
    return true;
  }

  /** Enters the topic's judged documents into the hash table and lists their grades, highest first. */
  private openTopic(topic: number): boolean {
    const { qrels, view } = this;
    const { docOf, grades, docs } = qrels;
    const from = qrels.offsets[topic];
    const numRows = qrels.offsets[topic + 1] - from;
    if (this.judgedSlots.length < 2 * numRows) this.judgedSlots = new Uint32Array(powerOfTwo(4 * numRows));
    if (this.judged.length < numRows) {
      this.judged = new Float64Array(2 * numRows);
      view.judged = this.judged;
    }
    const { judgedSlots, judged } = this;
    const size = powerOfTwo(2 * numRows);
    judgedSlots.fill(0, 0, size);
    const mask = size - 1;
    let numJudged = 0;
    for (let i = 0; i < numRows; i++) {
      const doc = docOf[from + i];
      let slot = docs.hashes[doc] & mask;
      for (let entry = judgedSlots[slot]; entry !== 0; entry = judgedSlots[slot]) {
        if (docOf[from + entry - 1] === doc) return false;
        slot = (slot + 1) & mask;
      }
      judgedSlots[slot] = i + 1;
      const grade = grades[from + i];
      if (grade >= 0) judged[numJudged++] = grade;
    }
    sortDescendingInPlace(judged, 0, numJudged, this.gradeCounts);
    view.numJudged = numJudged;
    return true;
  }

  private reserve(numLines: number): void {
    if (this.codes.length >= numLines) return;
    const capacity = Math.max(numLines, this.codes.length * 2);
    this.codes = new Float64Array(capacity);
    this.scores = new Float64Array(capacity);
    this.ranked = new Float64Array(capacity);
    this.view.codes = this.ranked;
  }
}

/** The smallest power of two that is at least n. */
function powerOfTwo(n: number): number {
  return n <= 2 ? 2 : 1 << (32 - Math.clz32(n - 1));
}
