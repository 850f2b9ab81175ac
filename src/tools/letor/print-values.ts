import type { BlockLayout, LetorScript } from '../../conventions/letor-scripts.js';
import { formatFixed, formatPerl } from '../../core/numbers/print.js';
import type { QueryValues } from './evaluate.js';

/** What the script writes; `complete` is false if it dies on the way because there is no query to average over. */
export interface PrintedValues {
  readonly text: string;
  readonly complete: boolean;
}

/** What the script prints of these values, and the file that the t-test script reads. */
export function printValues(
  script: LetorScript,
  queries: readonly string[],
  values: readonly QueryValues[],
  perQuery: boolean,
): PrintedValues {
  const { layout } = script;
  return layout.kind === 'blocks' ? printBlocks(script, layout, values, perQuery) : printTable(script, queries, values, perQuery);
}

function printBlocks(script: LetorScript, layout: BlockLayout, values: readonly QueryValues[], perQuery: boolean): PrintedValues {
  let text = '';
  if (perQuery) {
    values.forEach(({ precision, numDocuments }, q) => {
      text += `precision of query${q}:\t`;
      if (!layout.cutsPrecisionLines) text += `${perlList(precision)}\t\n`;
      else {
        for (const value of precision.subarray(0, numDocuments - 1)) text += `${formatPerl(value)}\t`;
        if (numDocuments > script.cutoff) text += '\n';
      }
    });
  }
  text += `${layout.averagePrecisionStart}${perlList(
    averages(
      script,
      values.map(({ precision }) => precision),
    ),
  )}\t\n\n`;
  if (values.length === 0) return { text, complete: false };
  if (perQuery) for (const [q, query] of values.entries()) text += `Map of query${q}:\t${formatPerl(query.averagePrecision)}\n`;
  text += `MAP:\t${formatPerl(mean(values.map(({ averagePrecision }) => averagePrecision)))}\n\n`;
  if (perQuery) for (const [q, query] of values.entries()) text += `NDCG of query${q}:\t${perlList(query.ndcg)}\t\n`;
  text += `NDCG:\t${perlList(
    averages(
      script,
      values.map(({ ndcg }) => ndcg),
    ),
  )}${layout.end}`;
  return { text, complete: true };
}

function printTable(script: LetorScript, queries: readonly string[], values: readonly QueryValues[], perQuery: boolean): PrintedValues {
  const tables = [
    { name: 'P', list: 'precision', summary: 'averagePrecision', summaryName: 'MAP' },
    { name: 'NDCG', list: 'ndcg', summary: 'meanNdcg', summaryName: 'MeanNDCG' },
  ] as const;
  let text = '';
  for (const { name, list, summary, summaryName } of tables) {
    text += 'qid';
    for (let n = 1; n <= script.cutoff; n++) text += `\t${name}@${n}`;
    text += `\t${summaryName}\n`;
    if (perQuery) for (const [q, query] of values.entries()) text += `${queries[q]}${fixedCells(query[list], query[summary])}\n`;
    text += 'Average';
    if (values.length === 0) return { text: `${text}\t`, complete: false };
    const summaries = values.map((query) => query[summary]);
    text += `${fixedCells(
      averages(
        script,
        values.map((query) => query[list]),
      ),
      mean(summaries),
    )}\n\n`;
  }
  return { text, complete: true };
}

/** Sums of what there is at each position, divided by the number of all queries. */
function averages({ cutoff, fullAverages }: LetorScript, lists: readonly Float64Array[]): Float64Array {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  const sums = new Float64Array(fullAverages && lists.length > 0 ? cutoff : longest);
  for (const list of lists) for (let i = 0; i < list.length; i++) sums[i] += list[i];
  return sums.map((sum) => sum / lists.length);
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function perlList(values: Float64Array): string {
  return Array.from(values, formatPerl).join('\t');
}

function fixedCells(values: Float64Array, last: number): string {
  let text = '';
  for (const value of values) text += `\t${formatFixed(value, 4)}`;
  return `${text}\t${formatFixed(last, 4)}`;
}
