import { evaluationLimits } from '../evaluation-limits.js';
import { compareIds, type Ids, idText, sortedIds } from '../ids.js';
import { RankingScratch } from '../order.js';
import { InputError } from '../problem.js';
import { type Qrels, type QrelsLike, toQrels } from '../qrels.js';
import type { Run } from '../run.js';
import { DuplicateError, defaultRules, type JudgingRules } from './judge.js';
import { tieOrderOnly } from './judging-rules.js';
import { type AgreementKind, agreementOf, type PreferenceScope } from './preference-agreement.js';

/** One topic's preferences, set against a ranking. The judged documents of the topic are numbered: first those that were
 *  retrieved, in the order of the ranking, then the others, in the order of their ids. So of two documents the one with
 *  the lower number stands higher, or is at least the only one of the two that was found. */
export interface PreferenceTopic {
  readonly numJudged: number;
  /** Numbers below this belong to retrieved documents. */
  readonly numRetrieved: number;
  readonly groups: readonly PreferenceGroup[];
  agreement(kind: AgreementKind, scope: PreferenceScope): number;
}

/** What one judge, or one reading of the topic, prefers to what. A preference is *retrieved* if both documents are, and
 *  *implied* if one is: it was better to retrieve that one than the other. */
export interface PreferenceGroup {
  readonly possibleRetrieved: number;
  readonly fulfilledRetrieved: number;
  readonly possibleImplied: number;
  readonly fulfilledImplied: number;
  /** Preferences between documents of which none was retrieved. */
  readonly possibleUnretrieved: number;
  readonly numRelevant: number;
  readonly numRelevantRetrieved: number;
  readonly numNonRelevant: number;
  readonly numNonRelevantRetrieved: number;
  readonly order: ClassOrder | PartialOrder;
}

/** All documents of the group were compared with each other: classes of equal grade, highest first, each with its
 *  documents in ascending order. Every document is preferred to all documents of lower classes. */
export interface ClassOrder {
  readonly kind: 'classes';
  readonly classes: readonly Uint32Array[];
}

/** Documents were compared within sub-groups only; what follows from these comparisons is added. */
export interface PartialOrder {
  readonly kind: 'partial';
  /** The documents of the group, ascending, and their grades. */
  readonly docs: Uint32Array;
  readonly grades: Float64Array;
  /** 1 at i * docs.length + j if docs[i] is preferred to docs[j]. */
  readonly prefers: Uint8Array;
}

/** How preferences contradict each other, for messages that name the documents. */
export type PreferenceConflict =
  /** one document has several grades in a group without sub-groups; it goes by its number */
  | { readonly kind: 'several grades'; readonly number: number }
  /** a document of the qrels is graded 0 in one sub-group and higher in another */
  | { readonly kind: 'relevant and not'; readonly docs: Ids; readonly doc: number }
  /** sub-groups contradict each other about two documents, which go by their numbers */
  | { readonly kind: 'cycle'; readonly first: number; readonly second: number };

/** Preferences that contradict each other. */
export class PreferenceError extends InputError {
  readonly conflict: PreferenceConflict;
  constructor(message: string, conflict: PreferenceConflict) {
    super({ message, wayOut: 'put judgements that contradict each other into different groups' });
    this.conflict = conflict;
  }
}

/** A run set against preferences, topic by topic in ascending byte order of the ids. */
export interface JudgedPreferences {
  /** Topic numbers of the qrels. */
  readonly topics: Uint32Array;
  readonly judged: readonly PreferenceTopic[];
}

/** The join of a run with preferences, which only programs that ask for preferences load. */
export type JudgePreferences = (qrels: Qrels, run: Run, rules?: Partial<JudgingRules>) => JudgedPreferences;

/** Takes judgements as preferences: of two documents that the same group judged, the one with the higher grade is
 *  preferred. The `iteration` of a record is its group. */
export function preferences(judgements: QrelsLike): Qrels {
  return { ...toQrels(judgements), judgePreferences };
}

/** Sets a run against preferences: judgements with groups and, where documents were compared only in parts, sub-groups.
 *  Unless told otherwise, equal scores are ordered by document id, ascending, which is the custom for preferences. */
export const judgePreferences: JudgePreferences = (qrels, run, rules = {}) => {
  const applied: JudgingRules = { ...defaultRules, ties: 'docno-ascending', ...rules };
  const judge = new PreferenceJudge(qrels, run, applied);
  const topics = sortedIds(qrels.topics).filter((topic) => applied.missingTopics !== 'skip' || judge.answers(topic));
  return { topics, judged: Array.from(topics, (topic) => judge.judge(topic)) };
};

/** Sets the preferences of one topic after another against a run. */
export class PreferenceJudge {
  private readonly run: Run;
  private readonly qrels: Qrels;
  private readonly rules: PreferenceRules;
  private readonly scores: Float64Array;
  private readonly scratch: RankingScratch = new RankingScratch();
  /** For each document of the run: its number in the qrels, or -1. */
  private readonly qrelsDocOf: Int32Array;
  private readonly seenIn: Uint32Array;
  /** For each document of the qrels: the topic that listed it last, and its number there. */
  private readonly listedIn: Uint32Array;
  private readonly numberOf: Int32Array;
  private readonly groupRank: Uint32Array | undefined;
  private readonly subgroupRank: Uint32Array | undefined;
  private stamp = 0;

  constructor(qrels: Qrels, run: Run, rules: PreferenceRules) {
    this.run = run;
    this.qrels = qrels;
    this.rules = rules;
    this.scores = rules.scorePrecision === 'float32' ? Float64Array.from(run.scores, Math.fround) : run.scores;
    this.qrelsDocOf = new Int32Array(run.docs.size); // fits: ids, at most evaluationLimits.ids, or -1
    for (let doc = 0; doc < run.docs.size; doc++) {
      this.qrelsDocOf[doc] = qrels.docs.findBytes(run.docs.bytes, run.docs.offsets[doc], run.docs.offsets[doc + 1]);
    }
    this.seenIn = new Uint32Array(run.docs.size); // fits: entries
    this.listedIn = new Uint32Array(qrels.docs.size); // fits: entries
    this.numberOf = new Int32Array(qrels.docs.size); // fits: ids, at most evaluationLimits.ids, or -1
    this.groupRank = qrels.groups && ranksOf(qrels.groups.ids);
    this.subgroupRank = qrels.subgroups && ranksOf(qrels.subgroups.ids);
  }

  /** Whether the run has an answer to this topic of the qrels. */
  answers(topic: number): boolean {
    return this.rowsOfTopic(topic) !== undefined;
  }

  judge(topic: number): PreferenceTopic {
    const { qrels } = this;
    const { numJudged, numRetrieved } = this.numberDocuments(topic);
    const rows = this.sortedRows(qrels.offsets[topic], qrels.offsets[topic + 1]);
    const groups: PreferenceGroup[] = [];
    for (let from = 0; from < rows.length; ) {
      let to = from + 1;
      while (to < rows.length && this.groupOf(rows[to]) === this.groupOf(rows[from])) to++;
      const oneSubgroup = this.subgroupOf(rows[from]) === this.subgroupOf(rows[to - 1]);
      const groupRows = rows.subarray(from, to);
      groups.push(oneSubgroup ? this.classGroup(groupRows, numRetrieved) : this.partialGroup(groupRows, numRetrieved));
      from = to;
    }
    const judged: PreferenceTopic = { numJudged, numRetrieved, groups, agreement: (kind, scope) => agreementOf(judged, kind, scope) };
    return judged;
  }

  /** Ranks the topic, refuses duplicates, and numbers the judged documents. */
  private numberDocuments(topic: number): { numJudged: number; numRetrieved: number } {
    const { run, qrels, rules, scratch, numberOf, listedIn } = this;
    const stamp = ++this.stamp;
    const unnumbered: number[] = [];
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
      const doc = qrels.docOf[row];
      if (listedIn[doc] === stamp) continue;
      listedIn[doc] = stamp;
      numberOf[doc] = -1;
      unnumbered.push(doc);
    }
    let numRetrieved = 0;
    const rows = this.rowsOfTopic(topic);
    if (rows !== undefined) {
      const [start, end] = rows;
      const { docOf, docs } = run;
      const inOrder = scratch.rank(this.scores, start, end - start, tieOrderOnly(rules.ties, 'preferences'), (a, b) =>
        compareIds(docs, docOf[start + a], docs, docOf[start + b]),
      );
      const kept = Math.min(end - start, rules.depth);
      let duplicate = -1;
      for (let rank = 0; rank < kept; rank++) {
        const doc = docOf[start + (inOrder ? rank : scratch.order[rank])];
        if (this.seenIn[doc] === stamp && (duplicate < 0 || compareIds(docs, doc, docs, duplicate) < 0)) duplicate = doc;
        this.seenIn[doc] = stamp;
        const judged = this.qrelsDocOf[doc];
        if (judged >= 0 && listedIn[judged] === stamp) numberOf[judged] = numRetrieved++;
      }
      if (duplicate >= 0) throw new DuplicateError('run', qrels.topics, topic, docs, duplicate);
    }
    let next = numRetrieved;
    const missing = unnumbered.filter((doc) => numberOf[doc] < 0).sort((a, b) => compareIds(qrels.docs, a, qrels.docs, b));
    for (const doc of missing) numberOf[doc] = next++;
    return { numJudged: next, numRetrieved };
  }

  private rowsOfTopic(topic: number): readonly [start: number, end: number] | undefined {
    const { run, qrels } = this;
    const { bytes, offsets } = qrels.topics;
    const runTopic = run.topics.findBytes(bytes, offsets[topic], offsets[topic + 1]);
    return runTopic < 0 ? undefined : [run.offsets[runTopic], run.offsets[runTopic + 1]];
  }

  private groupOf(row: number): number {
    return this.groupRank === undefined ? 0 : this.groupRank[this.qrels.groups?.of[row] ?? 0];
  }

  private subgroupOf(row: number): number {
    return this.subgroupRank === undefined ? 0 : this.subgroupRank[this.qrels.subgroups?.of[row] ?? 0];
  }

  /** The rows by group, sub-group, grade from the highest down, and document number. */
  private sortedRows(from: number, to: number): Uint32Array {
    const { grades, docOf } = this.qrels;
    const rows = Uint32Array.from({ length: to - from }, (_, i) => from + i); // fits: entries
    return rows.sort(
      (a, b) =>
        this.groupOf(a) - this.groupOf(b) ||
        this.subgroupOf(a) - this.subgroupOf(b) ||
        grades[b] - grades[a] ||
        this.numberOf[docOf[a]] - this.numberOf[docOf[b]],
    );
  }

  private classGroup(rows: Uint32Array, numRetrieved: number): PreferenceGroup {
    const { qrels, numberOf } = this;
    const classes: Uint32Array[] = [];
    const counts = { numRelevant: 0, numRelevantRetrieved: 0, numNonRelevant: 0, numNonRelevantRetrieved: 0 };
    for (let from = 0; from < rows.length; ) {
      const grade = qrels.grades[rows[from]];
      let to = from + 1;
      while (to < rows.length && qrels.grades[rows[to]] === grade) to++;
      const members = Uint32Array.from(rows.subarray(from, to), (row) => numberOf[qrels.docOf[row]]); // fits: entries
      const retrieved = countBelow(members, numRetrieved);
      if (grade > 0) {
        counts.numRelevant += members.length;
        counts.numRelevantRetrieved += retrieved;
      } else {
        counts.numNonRelevant += members.length;
        counts.numNonRelevantRetrieved += retrieved;
      }
      classes.push(members);
      from = to;
    }
    refuseSeveralGrades(classes);
    return { ...counts, ...countClassPreferences(classes, numRetrieved), order: { kind: 'classes', classes } };
  }

  private partialGroup(rows: Uint32Array, numRetrieved: number): PreferenceGroup {
    const { qrels, numberOf } = this;
    const docs = Uint32Array.from(new Set(Array.from(rows, (row) => numberOf[qrels.docOf[row]]))).sort(); // fits: entries
    const { partialOrder } = evaluationLimits;
    if (docs.length > partialOrder) {
      throw new InputError({
        message: `a topic has ${docs.length} documents that one judge put into several lists, expected at most ${partialOrder} documents in the lists of one judge`,
        wayOut: 'give each list a judge of its own',
      });
    }
    const indexOf = new Map(Array.from(docs, (number, index) => [number, index]));
    const grades = new Float64Array(docs.length).fill(-1);
    const members = Array.from(rows, (row) => indexOf.get(numberOf[qrels.docOf[row]]) ?? 0);
    const prefers = new Uint8Array(docs.length * docs.length); // fits: flags
    for (let i = 0; i < rows.length; i++) {
      const grade = qrels.grades[rows[i]];
      const known = grades[members[i]];
      if ((known > 0 && grade === 0) || (known === 0 && grade > 0)) {
        const doc = qrels.docOf[rows[i]];
        throw new PreferenceError(`document ${idText(qrels.docs, doc)} is graded 0 and higher by the same group`, {
          kind: 'relevant and not',
          docs: qrels.docs,
          doc,
        });
      }
      grades[members[i]] = grade;
      for (let j = i + 1; j < rows.length && this.subgroupOf(rows[j]) === this.subgroupOf(rows[i]); j++) {
        if (qrels.grades[rows[j]] !== grade) prefers[members[i] * docs.length + members[j]] = 1;
      }
    }
    closeTransitively(prefers, docs);
    const counts = { numRelevant: 0, numRelevantRetrieved: 0, numNonRelevant: 0, numNonRelevantRetrieved: 0 };
    for (let i = 0; i < docs.length; i++) {
      const retrieved = docs[i] < numRetrieved ? 1 : 0;
      if (grades[i] > 0) {
        counts.numRelevant++;
        counts.numRelevantRetrieved += retrieved;
      } else if (grades[i] === 0) {
        counts.numNonRelevant++;
        counts.numNonRelevantRetrieved += retrieved;
      }
    }
    return { ...counts, ...countPartialPreferences(docs, prefers, numRetrieved), order: { kind: 'partial', docs, grades, prefers } };
  }
}

/** The rules of judging that bear on preferences. */
export type PreferenceRules = Pick<JudgingRules, 'ties' | 'depth' | 'scorePrecision'>;

type PreferenceCounts = Pick<
  PreferenceGroup,
  'possibleRetrieved' | 'fulfilledRetrieved' | 'possibleImplied' | 'fulfilledImplied' | 'possibleUnretrieved'
>;

/** For each id its place in byte order. */
function ranksOf(ids: Ids): Uint32Array {
  const ranks = new Uint32Array(ids.size); // fits: entries
  for (const [rank, id] of sortedIds(ids).entries()) ranks[id] = rank;
  return ranks;
}

function countBelow(ascending: Uint32Array, bound: number): number {
  let count = 0;
  while (count < ascending.length && ascending[count] < bound) count++;
  return count;
}

/** Counts all pairs of a higher and a lower class. Only pairs of retrieved documents need a look at single numbers. */
function countClassPreferences(classes: readonly Uint32Array[], numRetrieved: number): PreferenceCounts {
  const counts = { possibleRetrieved: 0, fulfilledRetrieved: 0, possibleImplied: 0, fulfilledImplied: 0, possibleUnretrieved: 0 };
  for (const [a, higher] of classes.entries()) {
    const higherFound = countBelow(higher, numRetrieved);
    const higherMissed = higher.length - higherFound;
    for (const lower of classes.slice(a + 1)) {
      const lowerFound = countBelow(lower, numRetrieved);
      const lowerMissed = lower.length - lowerFound;
      counts.possibleRetrieved += higherFound * lowerFound;
      counts.fulfilledImplied += higherFound * lowerMissed;
      counts.possibleImplied += higherFound * lowerMissed + higherMissed * lowerFound;
      counts.possibleUnretrieved += higherMissed * lowerMissed;
      // both ascend: every document of the higher class is fulfilled against all lower ones behind it
      for (let i = 0, behind = 0; i < higherFound; i++) {
        while (behind < lowerFound && lower[behind] < higher[i]) behind++;
        counts.fulfilledRetrieved += lowerFound - behind;
      }
    }
  }
  return counts;
}

function countPartialPreferences(docs: Uint32Array, prefers: Uint8Array, numRetrieved: number): PreferenceCounts {
  const counts = { possibleRetrieved: 0, fulfilledRetrieved: 0, possibleImplied: 0, fulfilledImplied: 0, possibleUnretrieved: 0 };
  const numFound = countBelow(docs, numRetrieved);
  for (let i = 0; i < docs.length; i++) {
    for (let j = 0; j < docs.length; j++) {
      if (prefers[i * docs.length + j] === 0) continue;
      if (i < numFound && j < numFound) {
        counts.possibleRetrieved++;
        if (i < j) counts.fulfilledRetrieved++;
      } else if (i < numFound || j < numFound) {
        counts.possibleImplied++;
        if (i < numFound) counts.fulfilledImplied++;
      } else counts.possibleUnretrieved++;
    }
  }
  return counts;
}

/** Of several offenders the one in the highest pair of classes is named. */
function refuseSeveralGrades(classes: readonly Uint32Array[]): void {
  const firstClass = new Map<number, number>();
  let worst: { first: number; second: number; number: number } | undefined;
  for (const [second, members] of classes.entries()) {
    for (const number of members) {
      const first = firstClass.get(number);
      if (first === undefined) firstClass.set(number, second);
      else if (first !== second && (worst === undefined || first < worst.first)) worst = { first, second, number };
    }
  }
  if (worst === undefined) return;
  throw new PreferenceError(`the judged document at place ${worst.number + 1} has several grades in the same group`, {
    kind: 'several grades',
    number: worst.number,
  });
}

/** Adds every preference that follows from others (Warshall, doi:10.1145/321105.321107), and refuses circles. */
function closeTransitively(prefers: Uint8Array, docs: Uint32Array): void {
  const n = docs.length;
  for (let via = 0; via < n; via++) {
    for (let i = 0; i < n; i++) {
      if (prefers[i * n + via] === 0) continue;
      for (let j = 0; j < n; j++) if (prefers[via * n + j] !== 0) prefers[i * n + j] = 1;
    }
  }
  for (let i = 0; i < n; i++) prefers[i * n + i] = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (prefers[i * n + j] === 0 || prefers[j * n + i] === 0) continue;
      throw new PreferenceError(`the judged documents at places ${docs[i] + 1} and ${docs[j] + 1} are each preferred to the other`, {
        kind: 'cycle',
        first: docs[i],
        second: docs[j],
      });
    }
  }
}
