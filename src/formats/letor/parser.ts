import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { idText } from '../../core/ids.js';
import { topicProblem } from '../../core/topic-sizes.js';
import type { ChunkReader, Skipped } from '../reader.js';
import { WholeLines } from '../text/whole-lines.js';
import { LetorLines } from './lines.js';
import { listsOfSizes } from './lists.js';
import type { LetorOptions } from './options.js';

/** A LETOR file that was read, and what was left out. */
export interface LetorReading {
  readonly matrix: FeatureMatrix;
  readonly skipped: Skipped;
}

/** Reads a feature file piece by piece: `push` any number of times, the pieces cut anywhere, then `finish`. */
export class LetorParser implements ChunkReader<LetorReading> {
  private readonly lines: LetorLines;
  private readonly wholeLines: WholeLines;

  constructor(options: LetorOptions = {}) {
    const lines = new LetorLines(options);
    this.lines = lines;
    this.wholeLines = new WholeLines(
      (bytes, start, end) => lines.parseLines(bytes, start, end),
      (message) => lines.tooLong(message),
    );
  }

  push(bytes: Uint8Array): void {
    this.wholeLines.push(bytes);
  }

  finish(): LetorReading {
    this.wholeLines.finish();
    return finishLetor(this.lines, this.wholeLines.sawBytes);
  }
}

/** The matrix of all lines that were read.
 *  @param sawBytes  whether the input had any bytes, for what is said of one without rows */
export function finishLetor({ rows, options, log, lists, numRecords }: LetorLines, sawBytes: boolean): LetorReading {
  const { numRows, labels } = rows;
  const skipped = log.close(options.allowEmpty ? 1 : numRows, 'lines of label, qid:id and feature:value', sawBytes);
  const { queryOffsets, queries, queryOf, order } =
    options.groupSizes !== undefined
      ? listsOfSizes(options.groupSizes, numRows, log)
      : options.scattered === 'split'
        ? lists.split(numRows)
        : lists.group(numRows);
  const problem = topicProblem(queryOffsets, queryOffsets.length - 1, (q) => idText(queries, queryOf[q]));
  if (problem !== undefined) throw log.fatal(problem.message, problem.wayOut);
  const inOrder = (column: Uint32Array): Uint32Array => (order === undefined ? column.slice(0, numRows) : order.map((row) => column[row]));
  const records = inOrder(rows.records);
  const matrix: FeatureMatrix = {
    numRows,
    numRecords,
    queryOffsets,
    queries,
    queryOf,
    labels: order === undefined ? labels.slice(0, numRows) : Float64Array.from(order, (row) => labels[row]),
    lines: inOrder(rows.lines),
    records: records.every((record, row) => record === row) ? undefined : records,
    comments: rows.finishComments(order),
    features: options.features === false ? undefined : rows.finishFeatures(order, options, log),
  };
  return { matrix, skipped };
}
