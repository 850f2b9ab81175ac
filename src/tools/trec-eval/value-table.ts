import { type Ids, idLatin1 } from '../../core/ids.js';
import { GEOMETRIC_FLOOR } from '../../core/score-table.js';
import { NO_DOCUMENT } from '../../measures/families/counts.js';
import type { Measure } from '../../measures/measure.js';
import { type Column, gradeMeasures } from './columns.js';
import type { Quit } from './quit.js';
import type { Zscores } from './zscore-file.js';

/** Where the values of the columns stand in a topic's row of numbers. */
export interface ValueTableLayout {
  readonly columns: readonly Column[];
  /** Everything that is computed for a topic, in the order of the row. */
  readonly measures: readonly Measure[];
  /** For each column the place of its value, or of its first grade; -1 if nothing is computed for it. */
  readonly places: Int32Array;
}

/** The values of all evaluated topics, and what went wrong after them. */
export interface ValueTable {
  readonly layout: ValueTableLayout;
  /** Topic numbers of the qrels in ascending byte order of the ids. */
  readonly topics: Uint32Array;
  /** 1 for topics that the results file has. */
  readonly answered: Uint8Array;
  /** The row of topic t begins at t * layout.measures.length. */
  readonly values: Float64Array;
  readonly runTag: Uint8Array;
  /** The end that the topic after the last one came to. */
  readonly quit: Quit | undefined;
}

/** Lays out the row of a topic. A string of grades needs no more of them than the longest ranking has. */
export function layOut(columns: readonly Column[], longestRanking: number): ValueTableLayout {
  const measures: Measure[] = [];
  const places = new Int32Array(columns.length).fill(-1); // fits: columns of a table, at most evaluationLimits.scores, or -1
  for (const [c, { measure, stringLength }] of columns.entries()) {
    if (measure === undefined && stringLength === undefined) continue;
    places[c] = measures.length;
    measures.push(...(measure === undefined ? gradeMeasures(Math.min(stringLength ?? 0, longestRanking)) : [measure]));
  }
  return { columns, measures, places };
}

/** The grades at the head of a ranking, one character each. */
export function gradeString(table: ValueTable, column: number, topic: number): string {
  const { layout, values } = table;
  const width = layout.measures.length;
  const start = topic * width + layout.places[column];
  const count = layout.columns[column].stringLength ?? 0;
  // the grades of this column end where the row or the next column's values begin
  const next = layout.places.subarray(column + 1).find((place) => place >= 0) ?? width;
  const end = Math.min(start + count, topic * width + next);
  let text = '';
  for (let at = start; at < end && values[at] !== NO_DOCUMENT; at++) {
    const grade = values[at];
    text += grade > 9 ? '>' : grade >= 0 ? grade : grade === -1 ? '-' : '.';
  }
  return text;
}

/** Whether a topic that stood for a missing one is given 0, or no string, under this name. */
export function isPatched(name: string): boolean {
  return name === 'num_ret' || name === 'utility' || name === 'rbp_resid' || name === 'relstring' || name.startsWith('unj');
}

/** Brings computed values to what is printed and added up: zeros for made-up rankings, logarithms for geometric means,
 *  z-scores. */
export function adjustValues(table: ValueTable, topicIds: Ids, zscores: Zscores | undefined): void {
  const { layout, topics, answered, values } = table;
  const width = layout.measures.length;
  for (const [c, { row, name, measure }] of layout.columns.entries()) {
    if (measure === undefined) continue;
    const patched = isPatched(name);
    const geometric = row.summary === 'geometric mean';
    if (!patched && !geometric && zscores === undefined) continue;
    for (let t = 0, at = layout.places[c]; t < topics.length; t++, at += width) {
      if (patched && answered[t] === 0) values[at] = 0;
      if (geometric) values[at] = Math.log(Math.max(values[at], GEOMETRIC_FLOOR));
      if (zscores !== undefined) values[at] = zscores.score(idLatin1(topicIds, topics[t]), name, values[at]);
    }
  }
}

/** What the lines of all topics show, column by column. */
export interface SummaryRules {
  /** Divide by the number of judged topics instead of the number of evaluated ones. */
  readonly complete: boolean;
  readonly numJudgedTopics: number;
  /** Number of judgements above level 0, which takes the place of num_rel when averages are over all judged topics. */
  readonly numPositive: number;
}

/** The value of each column over all topics; sums run in topic order. */
export function summarize(table: ValueTable, { complete, numJudgedTopics, numPositive }: SummaryRules): Float64Array {
  const { layout, topics, values } = table;
  const width = layout.measures.length;
  const sums = new Float64Array(width);
  for (let t = 0, at = 0; t < topics.length; t++) for (let m = 0; m < width; m++) sums[m] += values[at++];
  const numTopics = complete ? numJudgedTopics : topics.length;
  return Float64Array.from(layout.columns, ({ row, measure }, c) => {
    if (row.summary === 'topics') return numTopics;
    if (measure === undefined) return 0;
    if (row.name === 'num_rel' && complete) return numPositive;
    const sum = sums[layout.places[c]];
    if (row.summary === 'sum') return sum;
    if (row.summary === 'mean') return sum / numTopics;
    const missing = complete ? (numJudgedTopics - topics.length) * Math.log(GEOMETRIC_FLOOR) : 0;
    return Math.exp((sum + missing) / numTopics);
  });
}
