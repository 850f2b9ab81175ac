import type { ReportTable, TrecReport } from './model.js';
import { inReadingOrder } from './reading-order.js';
import { DIGITS, number, text } from './table-columns.js';

/** Up to as many runs have a column each; more of them a row each. */
const MOST_RUN_COLUMNS = 6;

/** The classic tables of a TREC report. */
export function trecTables(report: TrecReport): ReportTable[] {
  const { runs, topics, queries, allRuns } = report;
  const few = runs.length <= MOST_RUN_COLUMNS;
  const names = runs.map(({ name }) => name);
  // lines of the classic tables, with the value of each run; a caption stands where the line is that it explains
  const turned = (
    id: string,
    title: string,
    explains: readonly [caption: string, label: string],
    first: string,
    all: readonly Line[],
  ): ReportTable[] => {
    // ready scores do not say everything
    const lines = all.filter(({ values }) => values.some((value) => value !== null));
    if (lines.length === 0) return [];
    const [caption, explained] = explains;
    const words = { id, title, caption: lines.some(({ label }) => label === explained) ? caption : null };
    return few
      ? [
          {
            ...words,
            columns: [text(first), ...names.map((name) => number(name, lines[0].digits))],
            rows: lines.map(({ label, values }) => [label, ...values]),
          },
        ]
      : [
          {
            ...words,
            columns: [text('run'), ...lines.map(({ label, digits }) => number(label, digits))],
            rows: runs.map(({ name }, r) => [name, ...lines.map(({ values }) => values[r])]),
          },
        ];
  };
  const isAlone = report.comparedWith.runs === 'all' && runs.length === 1;
  const best = allRuns.best.map((value, t) =>
    runs.filter(({ averagePrecisionByTopic: own }) => value !== null && own[t] === value).map(({ name }) => name),
  );
  return [
    ...turned('summary-statistics', 'Summary Statistics', ['Total number of documents over all topics', 'Retrieved'], 'Run', [
      { label: 'Number of topics', digits: 0, values: runs.map(({ summary }) => summary.numTopics) },
      { label: 'Retrieved', digits: 0, values: runs.map(({ summary }) => summary.numRetrieved) },
      { label: 'Relevant', digits: 0, values: runs.map(({ summary }) => summary.numRelevant) },
      { label: 'Rel_ret', digits: 0, values: runs.map(({ summary }) => summary.numRelevantRetrieved) },
    ]),
    ...turned(
      'recall-level-precision-averages',
      'Recall Level Precision Averages',
      ['Interpolated precision at standard levels of recall; average precision over all relevant documents is not interpolated', '0.00'],
      'Recall',
      [
        ...runs[0].recallLevels.map(({ recall }, i) => ({
          label: recall.toFixed(2),
          digits: DIGITS,
          values: runs.map(({ recallLevels }) => recallLevels[i].precision),
        })),
        { label: 'Average precision (non-interpolated)', digits: DIGITS, values: runs.map(({ averagePrecision }) => averagePrecision) },
      ],
    ),
    ...turned(
      'document-level-averages',
      'Document Level Averages',
      ['R-Precision is the precision after R documents, where R is the number of relevant documents of the topic', 'R-Precision (exact)'],
      '',
      [
        ...runs[0].documentLevels.map(({ cutoff }, i) => ({
          label: `At ${cutoff} docs`,
          digits: DIGITS,
          values: runs.map(({ documentLevels }) => documentLevels[i].precision),
        })),
        { label: 'R-Precision (exact)', digits: DIGITS, values: runs.map(({ rPrecision }) => rPrecision) },
      ],
    ),
    {
      id: 'average-precision-by-topic',
      title: 'Average Precision by Topic',
      caption: isAlone ? null : `Median, best and worst of ${comparedRuns(report)}`,
      columns: [
        text('topic'),
        ...(queries === undefined ? [] : [text('query')]),
        ...(few ? names.map((name) => number(name)) : []),
        ...(isAlone ? [] : [number('median'), number('best'), number('worst')]),
        ...(few ? [] : [text('best run')]),
      ],
      rows: inReadingOrder(topics).map((t) => [
        topics[t],
        ...(queries === undefined ? [] : [queries[t] ?? '']),
        ...(few ? runs.map(({ averagePrecisionByTopic: values }) => values[t]) : []),
        ...(isAlone ? [] : [allRuns.median[t], allRuns.best[t], allRuns.worst[t]]),
        ...(few ? [] : [best[t].length > 2 ? `${best[t][0]} and ${best[t].length - 1} more` : best[t].join(', ')]),
      ]),
    },
  ];
}

/** The runs whose median, best and worst a TREC report shows: `3 runs`, `102 other runs`. */
export function comparedRuns({ comparedWith: { runs, count } }: TrecReport): string {
  return `${count}${runs === 'others' ? ' other' : ''} ${count === 1 ? 'run' : 'runs'}`;
}

interface Line {
  readonly label: string;
  readonly digits: number;
  readonly values: readonly (number | null)[];
}
