import { IdTable } from '../core/ids.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';

/** The judgements with all topics that a tool evaluates which averages queries nobody has rated: those that the judgements name, and
 *  those that the run answers. The added topics come last, and have no judgements. */
export function withUnratedTopics(qrels: Qrels, run: Pick<Run, 'topics'>): Qrels {
  const added = new Set<string>();
  for (const topic of qrels.unrated ?? []) if (qrels.topics.find(topic) < 0) added.add(topic);
  for (let t = 0; t < run.topics.size; t++) {
    const topic = run.topics.text(t);
    if (qrels.topics.find(topic) < 0) added.add(topic);
  }
  if (added.size === 0) return qrels;
  const judged = Array.from({ length: qrels.topics.size }, (_, t) => qrels.topics.text(t));
  const offsets = new Uint32Array(qrels.offsets.length + added.size).fill(qrels.grades.length); // fits: entries
  offsets.set(qrels.offsets);
  return { ...qrels, topics: IdTable.of([...judged, ...added]), offsets };
}
