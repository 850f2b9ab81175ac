import { commentField, type FeatureMatrix, inRowOrder, numQueries, queryText } from './feature-matrix.js';
import { compareIds, type IdTable } from './ids.js';
import { RankingScratch, type TieOrder } from './order.js';
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

/** Enters the document of each row into `docs` and tells its number there. Documents go by the `docid` of their comment, where it is
 *  there and no other document of the query has it, otherwise by the number of their line, in as many digits as the largest one needs. */
export function documentsOf(matrix: FeatureMatrix, docs: IdTable): Uint32Array {
  const { queryOffsets, lines, numRows } = matrix;
  const digits = String(lines.reduce((largest, line) => Math.max(largest, line), 0)).length;
  const docOf = new Uint32Array(numRows); // fits: entries
  for (let q = 0; q < numQueries(matrix); q++) {
    const named = new Set<string>();
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      const line = String(lines[row]).padStart(digits, '0');
      const docid = commentField(matrix, row, 'docid');
      const id = docid === undefined ? line : named.has(docid) ? `${docid}#${line}` : docid;
      named.add(id);
      docOf[row] = docs.intern(id);
    }
  }
  return docOf;
}

/** Takes a test file for judgements: queries are topics, labels are grades, and the judged documents are those of the list, by the
 *  ids that `documentsOf` gives them. */
export function testLists(matrix: FeatureMatrix): TestLists {
  const judged = new RowCollector();
  const { queryOffsets, labels } = matrix;
  const docOfRow = documentsOf(matrix, judged.docs);
  for (let q = 0; q < numQueries(matrix); q++) {
    const topic = judged.topics.intern(queryText(matrix, q));
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) judged.add(topic, docOfRow[row], labels[row]);
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

/** The run with the rank of every document written down, equal scores in this order. */
export function withRanks(run: Run, ties: TieOrder): Run {
  const { docs, docOf, offsets, scores } = run;
  const ranks = new Float64Array(scores.length);
  const scratch = new RankingScratch();
  for (let topic = 0; topic + 1 < offsets.length; topic++) {
    const start = offsets[topic];
    const n = offsets[topic + 1] - start;
    const inPlace = scratch.rank(scores, start, n, ties, (a, b) => compareIds(docs, docOf[start + a], docs, docOf[start + b]));
    for (let i = 0; i < n; i++) ranks[start + (inPlace ? i : scratch.order[i])] = i + 1;
  }
  return { ...run, ranks };
}

/** A test file and one system's predictions for it. */
export function judgedLists(matrix: FeatureMatrix, predictions: Float64Array, name: string): JudgedLists {
  const lists = testLists(matrix);
  return { run: lists.ranked(predictions, name), qrels: lists.qrels };
}
