import type { DocumentLists, GradesByTopic } from './lists.js';

/** A run, or anything else that brings documents into a pool. */
export interface Contributor {
  readonly name: string;
  readonly lists: DocumentLists;
  /** Whom it belongs to, such as a team; runs of one group are left out together. */
  readonly group?: string | undefined;
}

/** The documents of each topic that some run has among its first ones, each with the groups that bring it. */
export type Pool = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** The pool of the first `depth` documents of every run. */
export function poolOf(contributors: readonly Contributor[], depth: number): Pool {
  const pool = new Map<string, Map<string, Set<string>>>();
  for (const { name, lists, group = name } of contributors) {
    for (const [topic, list] of lists) {
      let docs = pool.get(topic);
      if (docs === undefined) {
        docs = new Map();
        pool.set(topic, docs);
      }
      for (let i = 0; i < list.length && i < depth; i++) {
        const groups = docs.get(list[i]);
        if (groups === undefined) docs.set(list[i], new Set([group]));
        else groups.add(group);
      }
    }
  }
  return pool;
}

/** What a pool holds. */
export interface PoolCounts {
  readonly documents: number;
  readonly judged: number;
  readonly relevant: number;
  /** Documents that one group alone brings. */
  readonly unique: number;
}

/** Counts a pool's documents, over all topics.
 *  @param threshold The lowest grade that is relevant. */
export function poolCounts(pool: Pool, grades: GradesByTopic, threshold = 1): PoolCounts {
  let [documents, judged, relevant, unique] = [0, 0, 0, 0];
  for (const [topic, docs] of pool) {
    const known = grades.get(topic);
    for (const [doc, groups] of docs) {
      documents++;
      if (groups.size === 1) unique++;
      const grade = known?.get(doc);
      if (grade === undefined) continue;
      judged++;
      if (grade >= threshold) relevant++;
    }
  }
  return { documents, judged, relevant, unique };
}

/** The share of judged documents among the first `depth` of a run: the mean over the topics that have judgements. */
export function judgedShare(lists: DocumentLists, grades: GradesByTopic, depth: number): number | null {
  let sum = 0;
  for (const [topic, known] of grades) {
    const list = lists.get(topic) ?? [];
    let judged = 0;
    for (let i = 0; i < list.length && i < depth; i++) if (known.has(list[i])) judged++;
    sum += judged / depth;
  }
  return grades.size === 0 ? null : sum / grades.size;
}

/** What the collection would lack had one group not taken part. */
export interface GroupLeftOut {
  readonly group: string;
  /** Judged documents that only this group brings, and the relevant ones among them. */
  readonly documents: number;
  readonly relevant: number;
  /** The judgements that would be left. Judged documents that no pool explains stay. */
  readonly grades: GradesByTopic;
}

/** Leaves each group out of the pool of the runs that were pooled. */
export function leaveGroupsOut(
  contributors: readonly Contributor[],
  depth: number,
  grades: GradesByTopic,
  groups: readonly string[],
  threshold = 1,
): GroupLeftOut[] {
  const pool = poolOf(contributors, depth);
  return groups.map((group) => {
    let [documents, relevant] = [0, 0];
    const left = new Map<string, Map<string, number>>();
    for (const [topic, known] of grades) {
      const docs = pool.get(topic);
      const kept = new Map<string, number>();
      for (const [doc, grade] of known) {
        const owners = docs?.get(doc);
        if (owners?.size === 1 && owners.has(group)) {
          documents++;
          if (grade >= threshold) relevant++;
        } else kept.set(doc, grade);
      }
      left.set(topic, kept);
    }
    return { group, documents, relevant, grades: left };
  });
}
