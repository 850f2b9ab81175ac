import { scratchFor } from '../growing-arrays.js';
import { quicksortOrder } from '../numbers/quicksort.js';
import { type CompareDocs, RankingScratch, sortDescendingInPlace, type TieOrder } from '../order.js';
import { InputError } from '../problem.js';
import type { Qrels } from '../qrels.js';
import { LinesWithout, lineOf, noLines, type TopicLines } from '../topic-lines.js';
import { checkTopicSize } from '../topic-sizes.js';
import { type JudgingRules, needsTieGroups } from './judging-rules.js';
import { type TieGroups, TieScratch } from './tie-groups.js';

/** What a ranked document is worth when no judgement says so: it was never in the pool … */
export const UNJUDGED: number = -1;
/** … or it was in the pool, and its grade is negative because nobody judged it. */
export const POOLED: number = -2;

/** Negative grades that count keep their order and stay above `UNJUDGED`: they are scaled down by a power of two, which is exact. */
const NEGATIVE_SCALE = 2 ** -200;

/** The grade behind a code; documents without a judgement keep theirs. */
export function gradeOfCode(code: number): number {
  return code < 0 && code > UNJUDGED ? code / NEGATIVE_SCALE : code;
}

/** One judged ranking, as measures see it. The same object is moved from topic to topic; a measure reads it and keeps
 *  nothing. */
export interface TopicView {
  /** Grade of each ranked document from `start` on, best rank first; `UNJUDGED` or `POOLED` where there is none. */
  codes: Float64Array;
  start: number;
  numRetrieved: number;
  /** The grades of all judged documents of the topic, retrieved or not, from `judgedStart` on, highest first. */
  judged: Float64Array;
  judgedStart: number;
  numJudged: number;
  /** Where the rules ask for it, the place (from 1) of each ranked document of positive grade in the ideal ranking by grade, score and place
   *  among the judgements, in which a document that was not retrieved has the score 0. */
  idealPlaces: Uint32Array | undefined;
  /** The stretches of equal scores, where the rule for ties asks for the mean over all orders. The codes then go on to the
   *  end of the last stretch. Under every other rule the order of the codes is the order of the ranking. */
  ties: TieGroups | undefined;
}

/** A view that shows nothing yet; judging moves it from topic to topic. */
export function emptyView(): TopicView {
  const nothing = new Float64Array(0);
  return {
    codes: nothing,
    start: 0,
    numRetrieved: 0,
    judged: nothing,
    judgedStart: 0,
    numJudged: 0,
    idealPlaces: undefined,
    ties: undefined,
  };
}

/** The place where a ranking meets its judgements: order, depth, repeated and unjudged documents are decided here, one
 *  topic at a time, in scratch space that grows to the longest topic. */
export class TopicJudge {
  /** The judged ranking of the topic at hand. */
  readonly view: TopicView = emptyView();
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly scratch: RankingScratch = new RankingScratch();
  private lines: TopicLines = noLines;
  /** The line that the rules take out of the ranking, or -1. */
  private dropped = -1;
  private inOrder = true;
  /** How many documents are ranked and graded, and how many of them count; they differ where the depth cuts a tie. */
  private numRanked = 0;
  private numKept = 0;
  /** The groups of equal scores, and the lines in the order of their grades, for the rules that need them. */
  private readonly ties: TieScratch | undefined;
  private byGrade: Uint32Array = new Uint32Array(0);
  /** The ranked documents by hash: rank index plus one, 0 where a slot is free. */
  private slots: Uint32Array = new Uint32Array(8192); // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
  private slotMask = 0;
  private codes: Float64Array = new Float64Array(2048);
  private condensed: Float64Array = new Float64Array(2048);
  private rounded: Float64Array = new Float64Array(0);
  private judged: Float64Array = new Float64Array(1024);
  private readonly gradeCounts: Uint32Array = new Uint32Array(64); // fits: entries

  /** How often a list is sorted under ties='quicksort'. */
  sorts = 1;

  constructor(qrels: Qrels, rules: JudgingRules) {
    this.qrels = qrels;
    this.rules = rules;
    this.ties = needsTieGroups(rules.ties) ? new TieScratch() : undefined;
  }

  /** Ranks the lines and cuts them at the depth. The answer is a line whose document stands in the ranking twice (the one
   *  with the smallest id, if there are several), or -1. The number of the topic, in the qrels, is -1 if nobody judged it. */
  rank(given: TopicLines, topic: number): number {
    const { rules, scratch, qrels } = this;
    this.dropped = rules.ownDocument === 'dropped' && topic >= 0 ? lineOf(given, qrels.topics, topic) : -1;
    const lines = this.dropped < 0 ? given : new LinesWithout(given, this.dropped);
    const { numLines } = lines;
    checkTopicSize(numLines);
    this.lines = lines;
    let { scores, scoreStart } = lines;
    if (rules.scorePrecision === 'float32') {
      this.rounded = scratchFor(this.rounded, numLines);
      for (let line = 0; line < numLines; line++) this.rounded[line] = Math.fround(scores[scoreStart + line]);
      scores = this.rounded;
      scoreStart = 0;
    }
    if (rules.ties === 'quicksort') this.inOrder = quicksortOrder(scratch, scores, scoreStart, numLines, this.sorts);
    else if (rules.ties === 'rank') this.inOrder = scratch.rank(scores, scoreStart, numLines, 'docno-ascending', byRank(lines));
    else this.inOrder = scratch.rank(scores, scoreStart, numLines, orderWithin(rules.ties), (a, b) => lines.compareDocs(a, b));
    this.numRanked = Math.min(numLines, rules.depth);
    this.numKept = this.numRanked;
    if (this.ties !== undefined) {
      this.numRanked = this.ties.find(numLines, rules.depth, (rank) => scores[scoreStart + (this.inOrder ? rank : scratch.order[rank])]);
    }
    const duplicate = this.givenLine(this.enter(rules.repeatedDocuments === 'ranked'));
    return rules.repeatedDocuments === 'ranked' ? -1 : duplicate;
  }

  /** True if a document stands among the lines twice, and be it where `rank` would not look: below the depth, or dropped. */
  repeatsDocument(lines: TopicLines): boolean {
    this.lines = lines;
    this.numRanked = lines.numLines;
    this.inOrder = true;
    return this.enter() >= 0;
  }

  /** The line at a rank index, in the order of the codes. */
  lineAt(rank: number): number {
    if (this.byGrade.length > 0) return this.givenLine(this.byGrade[rank]);
    return this.givenLine(this.inOrder ? rank : this.scratch.order[rank]);
  }

  /** A line as it was numbered before one was dropped. */
  private givenLine(line: number): number {
    return this.dropped >= 0 && line >= this.dropped ? line + 1 : line;
  }

  /** The grade at a rank index, of a ranking that still holds its unjudged documents. */
  codeAt(rank: number): number {
    return this.codes[rank];
  }

  /** Enters the ranking into the hash table; the answer is a line whose document stands there twice, or -1. */
  private enter(keepsRepeated = false): number {
    const { lines, numRanked, inOrder } = this;
    const { docHash } = lines;
    const { order } = this.scratch;
    // at most a quarter full, so that nearly every document finds its slot free
    const size = powerOfTwo(4 * numRanked);
    this.slots = scratchFor(this.slots, size);
    const { slots } = this;
    slots.fill(0, 0, size);
    const mask = size - 1;
    this.slotMask = mask;
    let duplicate = -1;
    for (let rank = 0; rank < numRanked; rank++) {
      const line = inOrder ? rank : order[rank];
      const hash = docHash[line];
      let slot = hash & mask;
      for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
        const other = inOrder ? entry - 1 : order[entry - 1];
        if (docHash[other] === hash && lines.sameDoc(other, line)) {
          if (duplicate < 0 || lines.compareDocs(line, duplicate) < 0) duplicate = line;
          if (!keepsRepeated) break;
        }
        slot = (slot + 1) & mask;
      }
      slots[slot] = rank + 1;
    }
    return duplicate;
  }

  /** Grades the ranking by the judgements `from` to `to` (rows of the qrels, or of `rowIndex`), which must not name a
   *  document twice, and points `view` at the result. */
  grade(from: number, to: number, rowIndex?: Uint32Array): void {
    const { qrels, rules, view, lines, numRanked, inOrder, slots, slotMask } = this;
    const { docOf, grades, docs } = qrels;
    const { docHash } = lines;
    const { order } = this.scratch;
    this.codes = scratchFor(this.codes, numRanked);
    this.condensed = scratchFor(this.condensed, numRanked);
    this.judged = scratchFor(this.judged, to - from);
    const { codes, judged } = this;
    codes.fill(UNJUDGED, 0, numRanked);
    const { negativeGrades, gradeFractions, repeatedDocuments } = rules;
    const ideal: IdealDocument[] | undefined = rules.idealByScore ? [] : undefined;

    // there are fewer judged documents than ranked ones: look each of them up in the ranking
    let numJudged = 0;
    for (let i = from; i < to; i++) {
      const row = rowIndex === undefined ? i : rowIndex[i];
      const given = grades[row];
      const whole = gradeFractions === 'kept' ? given : Math.trunc(given);
      const grade = codeOf(gradeFractions === 'cut' ? whole : given, negativeGrades);
      if (grade > UNJUDGED) judged[numJudged++] = gradeFractions === 'cut-in-ideal' ? codeOf(whole, negativeGrades) : grade;
      const inIdeal = ideal !== undefined && grade > 0 ? { grade, score: 0, rank: -1 } : undefined;
      if (inIdeal !== undefined) ideal?.push(inIdeal);
      const doc = docOf[row];
      const hash = docs.hashes[doc];
      let slot = hash & slotMask;
      for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
        const line = inOrder ? entry - 1 : order[entry - 1];
        if (docHash[line] === hash && lines.isJudgedDoc(line, docs, doc)) {
          codes[entry - 1] = grade;
          if (inIdeal !== undefined) {
            inIdeal.score = lines.scores[lines.scoreStart + line];
            inIdeal.rank = entry - 1;
          }
          if (repeatedDocuments === 'refused') break;
        }
        slot = (slot + 1) & slotMask;
      }
    }
    sortDescendingInPlace(judged, 0, numJudged, this.gradeCounts);
    view.judged = judged;
    view.numJudged = numJudged;
    view.codes = codes;
    view.numRetrieved = this.numKept;
    view.idealPlaces = ideal && placesOf(ideal, numRanked);
    if (this.ties !== undefined) this.applyTies(this.ties);
    if (rules.judgedOnly && view.ties === undefined) this.condense();
  }

  /** Puts the best or the worst document of each tie first, or hands the ties on for whoever averages over their orders. */
  private applyTies(ties: TieScratch): void {
    const { rules, codes, numRanked, inOrder } = this;
    if (rules.ties === 'expected') {
      this.view.ties = ties;
      return;
    }
    const { order } = this.scratch;
    this.byGrade = Uint32Array.from({ length: numRanked }, (_, rank) => (inOrder ? rank : order[rank])); // fits: entries
    ties.sortByCode(codes, this.byGrade, rules.ties === 'optimistic');
  }

  /** Takes the unjudged documents out of the view. */
  private condense(): void {
    const { codes, condensed, view, numKept } = this;
    let kept = 0;
    for (let rank = 0; rank < numKept; rank++) if (codes[rank] > UNJUDGED) condensed[kept++] = codes[rank];
    view.codes = condensed;
    view.numRetrieved = kept;
  }

  /** Points `view` at what the rules make of a topic that the run does not answer. */
  gradeMissing(from: number, to: number, rowIndex?: Uint32Array): void {
    const { rules, view, slots } = this;
    this.lines = noLines;
    this.numRanked = 0;
    this.numKept = 0;
    this.ties?.find(0, 0, () => 0);
    this.inOrder = true;
    this.slotMask = 0;
    slots[0] = 0;
    this.grade(from, to, rowIndex);
    if (rules.missingTopics === 'placeholder' && !rules.judgedOnly && rules.depth > 0) {
      view.codes[0] = UNJUDGED;
      view.numRetrieved = 1;
      this.ties?.find(1, 1, () => 0);
    }
  }
}

/** What a grade is worth by the rule for negative ones. */
function codeOf(grade: number, negativeGrades: JudgingRules['negativeGrades']): number {
  if (grade >= 0) return grade;
  if (negativeGrades === 'unjudged') return POOLED;
  return negativeGrades === 'judged' ? 0 : grade * NEGATIVE_SCALE;
}

/** A judged document of positive grade on its way to the ideal ranking. */
interface IdealDocument {
  readonly grade: number;
  score: number;
  /** Its rank index; -1 if it was not retrieved. */
  rank: number;
}

function placesOf(ideal: readonly IdealDocument[], numRanked: number): Uint32Array {
  const places = new Uint32Array(numRanked); // fits: entries
  const sorted = ideal.toSorted((a, b) => b.grade - a.grade || (a.score === b.score ? 0 : a.score < b.score ? 1 : -1));
  for (const [place, { rank }] of sorted.entries()) if (rank >= 0) places[rank] = place + 1;
  return places;
}

/** The order in which documents of equal score are first put; rules that look at grades go on from there. */
function orderWithin(ties: Exclude<JudgingRules['ties'], 'rank' | 'quicksort'>): TieOrder {
  return needsTieGroups(ties) ? 'docno' : ties;
}

/** Compares lines by the ranks that the input states; lines without a rank come last, equal ranks keep the order of the input. */
function byRank({ ranks, scoreStart }: TopicLines): CompareDocs {
  if (ranks === undefined) {
    throw new InputError({
      message: "ties='rank' needs the ranks that the run states, and this run has none",
      wayOut: 'read the run with its ranks kept, or order equal scores by docno or file',
    });
  }
  const rankOf = (line: number): number => (Number.isNaN(ranks[scoreStart + line]) ? Infinity : ranks[scoreStart + line]);
  return (a, b) => (rankOf(a) === rankOf(b) ? a - b : rankOf(a) - rankOf(b));
}

/** The smallest power of two that is at least n. */
function powerOfTwo(n: number): number {
  return n <= 2 ? 2 : 1 << (32 - Math.clz32(n - 1));
}
