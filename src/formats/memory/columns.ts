/** Runs, judgements and features that a program holds as columns. */
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { IdTable } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import { RowCollector, type Run } from '../../core/run.js';
import { isRank, RANK_WORDS, repeatedScore, scoreOfRank } from '../../core/stated-ranks.js';
import { type IdColumn, numberIds, usedIds } from './id-column.js';

/** Which topic each row belongs to: a column with an id for each row, or the topics and how many rows each has, one after another. */
export interface TopicColumn {
  readonly topics: IdColumn;
  /** How many rows each topic has, where the topics are not repeated. */
  readonly rowsOfTopics?: Uint32Array | undefined;
}

/** A run as columns. */
export interface RunColumns extends TopicColumn {
  readonly name?: string | undefined;
  readonly docs: IdColumn;
  /** Where there are none, documents are ranked by `ranks`. */
  readonly scores?: Float64Array | undefined;
  readonly ranks?: Float64Array | undefined;
}

/** Judgements as columns. */
export interface QrelsColumns extends TopicColumn {
  readonly docs: IdColumn;
  readonly grades: Float64Array;
  /** The second column of a qrels file. */
  readonly groups?: IdColumn | undefined;
}

/** Makes a run of columns. A document may appear once per topic, which is found out when it is judged.
 *  @throws An `InputError` if columns differ in length, an id is empty, or a score is not a number. */
export function runOfColumns({ name = 'run', docs, scores, ranks, ...topics }: RunColumns): Run {
  const values = scores ?? rankScores(ranks);
  const { rows, docOf, ordered, offsets, source } = grouped(topics, docs, values, 'scores');
  const rankOf = ranks === undefined ? undefined : inOrder(ranks, source, values.length, 'ranks');
  const run = { name, topics: rows.topics, docs: rows.docs, offsets, docOf, scores: ordered, ranks: rankOf };
  const odd = run.scores.findIndex((score) => Number.isNaN(score));
  if (odd >= 0) {
    throw new InputError({
      message: `${placeOf(run, odd)}: expected a number as score, found NaN`,
      wayOut: 'leave the document out or give it a score',
    });
  }
  if (scores !== undefined) return run;
  refuseEqualRanks(run);
  return { ...run, ranksOnly: true };
}

/** Makes judgements of columns.
 *  @throws An `InputError` if columns differ in length, an id is empty, or a grade is not a finite number. */
export function qrelsOfColumns({ docs, grades, groups, ...topics }: QrelsColumns): Qrels {
  const { rows, docOf, ordered, offsets, source } = grouped(topics, docs, grades, 'grades');
  const qrels = { topics: rows.topics, docs: rows.docs, offsets, docOf, grades: ordered };
  const odd = qrels.grades.findIndex((grade) => !Number.isFinite(grade));
  if (odd >= 0) {
    throw new InputError({
      message: `${placeOf(qrels, odd)}: expected a number as grade, found ${qrels.grades[odd]}`,
      wayOut: 'leave the document out if it was not judged',
    });
  }
  if (groups === undefined) return qrels;
  const { table, numbers } = numberIds(groups, 'group');
  refuseLength(numbers.length, grades.length, 'groups', 'grades');
  return { ...qrels, groups: { ids: table, of: source === undefined ? numbers : Uint32Array.from(source, (row) => numbers[row]) } }; // fits: entries
}

interface GroupedRows {
  readonly rows: RowCollector;
  readonly offsets: Uint32Array;
  readonly docOf: Uint32Array;
  /** The values in the order of the rows. */
  readonly ordered: Float64Array;
  readonly source: Uint32Array | undefined;
}

function grouped({ topics, rowsOfTopics }: TopicColumn, docs: IdColumn, values: Float64Array, what: string): GroupedRows {
  const topicIds = numberIds(topics, 'topic');
  const docIds = numberIds(docs, 'document');
  const numRows = docIds.numbers.length;
  refuseLength(values.length, numRows, what, 'documents');
  refuseLength(
    rowsOfTopics?.length ?? numRows,
    topicIds.numbers.length,
    rowsOfTopics === undefined ? 'documents' : 'numbers of rows',
    'topics',
  );
  // a topic without rows is no topic of the run, and none that was judged
  const { table, numbers } =
    rowsOfTopics === undefined ? topicIds : usedIds({ table: topicIds.table, numbers: repeated(topicIds.numbers, rowsOfTopics, numRows) });
  const rows = new RowCollector(table, docIds.table);
  for (let row = 0; row < numRows; row++) rows.add(numbers[row], docIds.numbers[row], values[row]);
  const { offsets, docOf, values: ordered, source } = rows.finish();
  return { rows, offsets, docOf, ordered, source };
}

function repeated(topics: Uint32Array, rowsOfTopics: Uint32Array, numRows: number): Uint32Array {
  const topicOf = new Uint32Array(numRows); // fits: entries
  let row = 0;
  for (let t = 0; t < topics.length; t++) {
    const end = row + rowsOfTopics[t];
    if (end > numRows) break;
    topicOf.fill(topics[t], row, end);
    row = end;
  }
  const total = rowsOfTopics.reduce((sum, count) => sum + count, 0);
  if (total !== numRows) throw new InputError(`the topics have ${total} rows together, expected ${numRows}, one for each document`);
  return topicOf;
}

function refuseLength(found: number, expected: number, what: string, beside: string): void {
  if (found !== expected) throw new InputError(`found ${found} ${what} for ${expected} ${beside}, expected as many of both`);
}

function inOrder(numbers: Float64Array, source: Uint32Array | undefined, numRows: number, what: string): Float64Array {
  refuseLength(numbers.length, numRows, what, 'documents');
  return source === undefined ? numbers : Float64Array.from(source, (row) => numbers[row]);
}

function rankScores(ranks: Float64Array | undefined): Float64Array {
  if (ranks === undefined) throw new InputError({ message: 'the run has neither scores nor ranks', wayOut: 'give it one of them' });
  const odd = ranks.findIndex((rank) => !isRank(rank));
  if (odd >= 0) throw new InputError(`row ${odd + 1}: expected ${RANK_WORDS}, found ${ranks[odd]}`);
  return ranks.map(scoreOfRank);
}

function refuseEqualRanks({ topics, docs, docOf, offsets, scores }: Run): void {
  for (let topic = 0; topic < topics.size; topic++) {
    const equal = repeatedScore(scores, offsets[topic], offsets[topic + 1]);
    if (equal === undefined) continue;
    const [first, second] = [equal.first, equal.second].map((row) => docs.text(docOf[row]));
    throw new InputError({
      message: `topic ${topics.text(topic)}: documents ${first} and ${second} both have rank ${0 - scores[equal.first]}`,
      wayOut: 'give each document a rank of its own',
    });
  }
}

function placeOf({ topics, docs, docOf, offsets }: Pick<Run, 'topics' | 'docs' | 'docOf' | 'offsets'>, row: number): string {
  const topic = offsets.findIndex((end, t) => t > 0 && end > row) - 1;
  return `topic ${topics.text(topic)}, document ${docs.text(docOf[row])}`;
}

/** Documents with features as columns. */
export interface FeatureColumnsInMemory {
  /** Every cell, row by row. */
  readonly values: Float64Array | Float32Array;
  readonly numFeatures: number;
  readonly names?: readonly string[] | undefined;
  /** Of each document; 0 if undefined. */
  readonly labels?: Float64Array | undefined;
  /** How many rows each query has, one after another. */
  readonly groupSizes?: Uint32Array | undefined;
  /** The query of each row, where rows of a query need not stand together. */
  readonly queries?: IdColumn | undefined;
}

/** Makes a feature matrix of columns. Without groups and queries all documents belong to one query.
 *  @throws An `InputError` if the columns do not fit together. */
export function featuresOfColumns(columns: FeatureColumnsInMemory): FeatureMatrix {
  const { values, numFeatures, names, groupSizes, queries } = columns;
  if (!Number.isInteger(numFeatures) || numFeatures < 1 || values.length % numFeatures !== 0) {
    throw new InputError(`found ${values.length} values of ${numFeatures} features, expected as many for each document`);
  }
  const numRows = values.length / numFeatures;
  const labels = columns.labels ?? new Float64Array(numRows);
  refuseLength(labels.length, numRows, 'labels', 'documents');
  if (names !== undefined) refuseLength(names.length, numFeatures, 'names', 'features');
  const { table, rowsOf } = listsOf(numRows, groupSizes, queries);
  const { offsets, source } = rowsOf;
  const features = { layout: 'dense', numFeatures, firstFeature: 1, numGiven: values.length, names } as const;
  const lines = Uint32Array.from({ length: numRows }, (_, row) => (source?.[row] ?? row) + 1); // fits: entries
  return {
    numRows,
    numRecords: numRows,
    queryOffsets: offsets,
    queries: table,
    queryOf: Uint32Array.from({ length: table.size }, (_, q) => q), // fits: entries
    labels: source === undefined ? labels : Float64Array.from(source, (row) => labels[row]),
    lines,
    records: source,
    comments: undefined,
    features: { ...features, values: source === undefined ? values : rowsInOrder(values, numFeatures, source) },
  };
}

function listsOf(
  numRows: number,
  groupSizes: Uint32Array | undefined,
  queries: IdColumn | undefined,
): { readonly table: IdTable; readonly rowsOf: { readonly offsets: Uint32Array; readonly source: Uint32Array | undefined } } {
  if (queries !== undefined) {
    const { table, numbers } = numberIds(queries, 'query');
    refuseLength(numbers.length, numRows, 'queries', 'documents');
    const rows = new RowCollector(table);
    for (let row = 0; row < numRows; row++) rows.add(numbers[row], 0, 0);
    return { table, rowsOf: rows.finish() };
  }
  const sizes = groupSizes ?? Uint32Array.of(numRows); // fits: entries
  const empty = sizes.indexOf(0);
  if (empty >= 0) throw new InputError(`query ${empty + 1} has no documents, expected at least 1`);
  const offsets = new Uint32Array(sizes.length + 1); // fits: entries
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== numRows) {
    throw new InputError({
      message: `the queries have ${total} documents together, expected ${numRows}, one for each row`,
      wayOut: 'check that the sizes of the groups belong to these rows',
    });
  }
  for (let q = 0; q < sizes.length; q++) offsets[q + 1] = offsets[q] + sizes[q];
  return { table: IdTable.of(Array.from(sizes, (_, q) => String(q + 1))), rowsOf: { offsets, source: undefined } };
}

function rowsInOrder<Values extends Float64Array | Float32Array>(values: Values, width: number, source: Uint32Array): Values {
  const ordered = values.slice() as Values;
  for (let row = 0; row < source.length; row++) {
    ordered.set(values.subarray(source[row] * width, (source[row] + 1) * width), row * width);
  }
  return ordered;
}
