import { commentField, type FeatureMatrix, inRowOrder, numQueries, queryText } from './feature-matrix.js';
import type { Qrels } from './qrels.js';
import { RowCollector, type Run } from './run.js';

/** A run with its own judgements: what a learning-to-rank test file and its predictions say. */
export interface JudgedLists {
  readonly run: Run;
  readonly qrels: Qrels;
}

/** Takes a test file with predictions, one number per data line, for a run: queries are topics, labels are grades, and the
 *  judged documents are those of the list. Documents go by the `docid` of their comment, where it is there and no other
 *  document of the query has it, otherwise by the number of their line, in as many digits as the largest one needs. */
export function judgedLists(matrix: FeatureMatrix, predictions: Float64Array, name: string): JudgedLists {
  const scores = inRowOrder(matrix, predictions);
  const judged = new RowCollector();
  const ranked = new RowCollector(judged.topics, judged.docs);
  const digits = String(matrix.lines.reduce((largest, line) => Math.max(largest, line), 0)).length;
  const { queryOffsets, labels, lines } = matrix;
  for (let q = 0; q < numQueries(matrix); q++) {
    const topic = judged.topics.intern(queryText(matrix, q));
    const named = new Set<string>();
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      const line = String(lines[row]).padStart(digits, '0');
      const docid = commentField(matrix, row, 'docid');
      const id = docid === undefined ? line : named.has(docid) ? `${docid}#${line}` : docid;
      named.add(id);
      const doc = judged.docs.intern(id);
      judged.add(topic, doc, labels[row]);
      ranked.add(topic, doc, scores[row]);
    }
  }
  const { topics, docs } = judged;
  const { offsets, docOf, values } = judged.finish();
  const run = ranked.finish();
  return {
    run: { name, topics, docs, offsets: run.offsets, docOf: run.docOf, scores: run.values },
    qrels: { topics, docs, offsets, docOf, grades: values },
  };
}
