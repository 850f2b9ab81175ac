import { commentField, type FeatureMatrix, inRowOrder, numQueries, queryText } from './feature-matrix.js';
import type { Qrels } from './qrels.js';
import { RowCollector, type Run } from './run.js';

/** A run with its own judgements: what a learning-to-rank test file and its predictions say. */
export interface JudgedLists {
  readonly run: Run;
  readonly qrels: Qrels;
}

/** The lists of a learning-to-rank test file, which any number of systems can rank. */
export interface TestLists {
  readonly qrels: Qrels;
  /** The run of a system that gives each data line of the file a number.
   *  @throws An `InputError` if there are more or fewer numbers than data lines. */
  ranked(predictions: Float64Array, name: string): Run;
}

/** Takes a test file for judgements: queries are topics, labels are grades, and the judged documents are those of the list.
 *  Documents go by the `docid` of their comment, where it is there and no other document of the query has it, otherwise by the
 *  number of their line, in as many digits as the largest one needs. */
export function testLists(matrix: FeatureMatrix): TestLists {
  const judged = new RowCollector();
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
      judged.add(topic, judged.docs.intern(id), labels[row]);
    }
  }
  const { topics, docs } = judged;
  const { offsets, docOf, values, source } = judged.finish();
  return {
    qrels: { topics, docs, offsets, docOf, grades: values },
    ranked(predictions, name) {
      const inRows = inRowOrder(matrix, predictions);
      const scores = source === undefined ? inRows.slice() : Float64Array.from(source, (row) => inRows[row]);
      return { name, topics, docs, offsets, docOf, scores };
    },
  };
}

/** A test file and one system's predictions for it. */
export function judgedLists(matrix: FeatureMatrix, predictions: Float64Array, name: string): JudgedLists {
  const lists = testLists(matrix);
  return { run: lists.ranked(predictions, name), qrels: lists.qrels };
}
