import { compareIds } from '../../core/ids.js';
import { RankingScratch, type TieOrder } from '../../core/order.js';
import { type RunLike, toRun } from '../../core/run.js';

/** How a run is put in order. */
export interface ListRules {
  /** *docno* by default. */
  readonly ties?: TieOrder | undefined;
  /** *double* by default. */
  readonly scorePrecision?: 'double' | 'float32' | undefined;
  /** Only the first documents of each topic; all by default. */
  readonly depth?: number | undefined;
}

/** The documents of each topic, the best first. */
export type DocumentLists = ReadonlyMap<string, readonly string[]>;

/** Puts the documents of a run in order. */
export function documentLists(input: RunLike, rules: ListRules = {}): DocumentLists {
  const { ties = 'docno', scorePrecision = 'double', depth = Number.POSITIVE_INFINITY } = rules;
  const run = toRun(input);
  const { docs, docOf, offsets, topics } = run;
  const scores = scorePrecision === 'float32' ? run.scores.map(Math.fround) : run.scores;
  const scratch = new RankingScratch();
  const lists = new Map<string, readonly string[]>();
  for (let topic = 0; topic < topics.size; topic++) {
    const start = offsets[topic];
    const n = offsets[topic + 1] - start;
    const inPlace = scratch.rank(scores, start, n, ties, (a, b) => compareIds(docs, docOf[start + a], docs, docOf[start + b]));
    const length = Math.min(n, depth);
    const list = new Array<string>(length);
    for (let i = 0; i < length; i++) list[i] = docs.text(docOf[start + (inPlace ? i : scratch.order[i])]);
    lists.set(topics.text(topic), list);
  }
  return lists;
}

/** Grades by topic and document. */
export type GradesByTopic = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The order of ids by code points, which is that of their bytes. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    // a surrogate belongs to a code point above all others
    const [highX, highY] = [x >= 0xd800 && x < 0xe000, y >= 0xd800 && y < 0xe000];
    return highX === highY ? x - y : highX ? 1 : -1;
  }
  return a.length - b.length;
}
