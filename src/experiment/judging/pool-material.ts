import { judgingRulesOf } from '../../conventions/convention.js';
import type { TieOrder } from '../../core/order.js';
import type { Qrels } from '../../core/qrels.js';
import { type DocumentLists, documentLists, type GradesByTopic } from '../../judging/index.js';
import type { ReadMaterial } from '../material.js';
import { namesOfRuns } from '../names.js';
import type { Plan } from '../plan.js';

/** Judgements by topic and document. */
export function gradesOf(qrels: Qrels): GradesByTopic {
  const grades = new Map<string, Map<string, number>>();
  for (let t = 0; t < qrels.topics.size; t++) {
    const own = new Map<string, number>();
    for (let row = qrels.offsets[t]; row < qrels.offsets[t + 1]; row++) own.set(qrels.docs.text(qrels.docOf[row]), qrels.grades[row]);
    grades.set(qrels.topics.text(t), own);
  }
  return grades;
}

/** The documents of each run in the order that the rules give them. */
export function listsOf({ convention, rules }: Plan, { runs }: ReadMaterial, depth: number): DocumentLists[] {
  const { ties, scorePrecision } = { ...judgingRulesOf(convention.rules), ...rules };
  const order: TieOrder = ties === 'docno-ascending' || ties === 'file' ? ties : 'docno';
  return runs.map((run) => documentLists(run, { ties: order, scorePrecision, depth }));
}

/** What the runs are called. */
export function namesOf({ runs, names: files }: ReadMaterial): string[] {
  return namesOfRuns(
    runs.map(({ name }) => name),
    files,
  );
}
