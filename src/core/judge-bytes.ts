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
 *  that are evaluated once and forgotten. Memory is bounded by the longest topic. The judgements must not list a document
 *  twice within a topic. */
export class ByteJudge {
  readonly view: TopicView = emptyView();
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly scratch: RankingScratch = new RankingScratch();
  /** The lines of the topic by the hash of their document: line number plus one, 0 where a slot is free. */
  private slots: Uint32Array = new Uint32Array(8192);
  private slotMask = 1;
  private codes: Float64Array = new Float64Array(2048);
  private ranked: Float64Array = new Float64Array(2048);
  private scores: Float64Array = new Float64Array(2048);
  private judged: Float64Array = new Float64Array(1024);
  private readonly gradeCounts: Uint32Array = new Uint32Array(64);

  constructor(qrels: Qrels, rules: JudgingRules) {
    this.qrels = qrels;
    this.rules = rules;
  }

  /** Enters the lines into the hash table; false if two of them name the same document. */
  enter(source: ScannedTopic, numLines: number): boolean {
    const { bytes, docStart, docEnd, docHash } = source;
    // at most a quarter full, so that nearly every line finds its slot free
    const size = powerOfTwo(4 * numLines);
    if (this.slots.length < size) this.slots = new Uint32Array(2 * size);
    const { slots } = this;
    slots.fill(0, 0, size);
    const mask = size - 1;
    this.slotMask = mask;
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

  /** Points `view` at the judged ranking of the lines entered last. */
  judge(topic: number, source: ScannedTopic, numLines: number): void {
    this.reserve(numLines);
    const { rules, scratch, codes, scores, ranked, view } = this;
    const { bytes, docStart, docEnd, numbers } = source;
    codes.fill(UNJUDGED, 0, numLines);
    this.gradeLines(topic, source);

    const float32 = rules.scorePrecision === 'float32';
    if (float32) for (let line = 0; line < numLines; line++) scores[line] = Math.fround(numbers[line]);
    const inOrder = scratch.rank(float32 ? scores : numbers, 0, numLines, rules.ties, (a, b) =>
      compareBytes(bytes, docStart[a], docEnd[a], bytes, docStart[b], docEnd[b]),
    );
    view.start = 0;
    if (inOrder && !rules.judgedOnly) {
      view.codes = codes;
      view.numRetrieved = Math.min(numLines, rules.depth);
      return;
    }
    const { order } = scratch;
    const depth = Math.min(numLines, rules.depth);
    let numRetrieved = 0;
    for (let rank = 0; rank < depth; rank++) {
      const code = codes[inOrder ? rank : order[rank]];
      if (code >= 0 || !rules.judgedOnly) ranked[numRetrieved++] = code;
    }
    view.codes = ranked;
    view.numRetrieved = numRetrieved;
  }

  /** Points `view` at what the rules make of a topic that the run does not answer. */
  judgeMissing(topic: number): void {
    const { rules, view, ranked } = this;
    this.slotMask = 0;
    this.slots[0] = 0;
    this.gradeLines(topic, noLines);
    view.codes = ranked;
    view.start = 0;
    view.numRetrieved = 0;
    if (rules.missingTopics === 'placeholder' && !rules.judgedOnly && rules.depth > 0) {
      ranked[0] = UNJUDGED;
      view.numRetrieved = 1;
    }
  }

  /** Looks each judged document up among the lines, and lists the topic's grades, highest first. */
  private gradeLines(topic: number, source: ScannedTopic): void {
    const { qrels, view, slots, slotMask, codes } = this;
    const { bytes, docStart, docEnd, docHash } = source;
    const { docOf, grades, docs } = qrels;
    const from = qrels.offsets[topic];
    const to = qrels.offsets[topic + 1];
    if (this.judged.length < to - from) this.judged = new Float64Array(2 * (to - from));
    const { judged } = this;
    let numJudged = 0;
    for (let row = from; row < to; row++) {
      const grade = grades[row];
      if (grade >= 0) judged[numJudged++] = grade;
      const doc = docOf[row];
      const hash = docs.hashes[doc];
      let slot = hash & slotMask;
      for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
        const line = entry - 1;
        if (
          docHash[line] === hash &&
          equalBytes(docs.bytes, docs.offsets[doc], docs.offsets[doc + 1], bytes, docStart[line], docEnd[line])
        ) {
          codes[line] = grade >= 0 ? grade : POOLED;
          break;
        }
        slot = (slot + 1) & slotMask;
      }
    }
    sortDescendingInPlace(judged, 0, numJudged, this.gradeCounts);
    view.judged = judged;
    view.judgedStart = 0;
    view.numJudged = numJudged;
  }

  private reserve(numLines: number): void {
    if (this.codes.length >= numLines) return;
    const capacity = Math.max(numLines, this.codes.length * 2);
    this.codes = new Float64Array(capacity);
    this.scores = new Float64Array(capacity);
    this.ranked = new Float64Array(capacity);
  }
}

const noLines: ScannedTopic = {
  bytes: new Uint8Array(0),
  docStart: new Uint32Array(0),
  docEnd: new Uint32Array(0),
  docHash: new Uint32Array(0),
  numbers: new Float64Array(0),
};

/** The smallest power of two that is at least n. */
function powerOfTwo(n: number): number {
  return n <= 2 ? 2 : 1 << (32 - Math.clz32(n - 1));
}
