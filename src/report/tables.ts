import { formatFixed, formatG } from '../core/numbers/print.js';
import { pText } from './comparison.js';
import type { Cell, Grid } from './grid.js';
import { systemLetter } from './methods.js';
import type { ComparisonReport, Report, ReportCell, ReportColumn, ReportMeasure, ReportTable, TrecReport } from './model.js';
import { inReadingOrder } from './reading-order.js';

/** Up to as many runs have a column each; more of them a row each. */
const MOST_RUN_COLUMNS = 6;
/** Letters mark what is better than what as long as one letter is enough for each. */
const MOST_LETTERS = 25;
const DIGITS = 4;

const text = (name: string): ReportColumn => ({ name, kind: 'text' });
const number = (name: string, digits = DIGITS): ReportColumn => ({ name, kind: 'number', digits });

/** Everything that a report says in rows and columns, in reading order. */
export function reportTables(report: Report): ReportTable[] {
  return report.kind === 'trec' ? trecTables(report) : comparisonTables(report);
}

function trecTables(report: TrecReport): ReportTable[] {
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
    ...provenanceTables(report),
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

function comparisonTables(report: ComparisonReport): ReportTable[] {
  const { systems, topics, queries, measures, test, unjudged, correlation, audit } = report;
  const lettered = systems.length <= MOST_LETTERS;
  const order = measures[0].order;
  const level = `${formatG(100 * (1 - test.alpha), 4)}%`;
  const tables: ReportTable[] = [
    {
      id: 'systems',
      title: 'Systems',
      caption: systems.length === 1 ? null : significanceWords(report, lettered),
      columns: [...(lettered && systems.length > 1 ? [text('')] : []), text('system'), ...measures.map(({ name }) => number(name))],
      rows: order.map((s) => [
        ...(lettered && systems.length > 1 ? [systemLetter(s)] : []),
        systems[s],
        ...measures.map(({ systems: own }): ReportCell => {
          const { mean, better } = own[s];
          return lettered && better.length > 0 ? { value: mean, marks: better.map(systemLetter).join('') } : mean;
        }),
      ]),
    },
  ];
  for (const [m, measure] of measures.entries()) {
    tables.push({
      id: `measure-${m + 1}-systems`,
      title: `${measure.name}: systems`,
      caption: `${measure.numTopics} topics${measure.direction === 'lower' ? '; less is better' : ''}; ${level} intervals of the mean`,
      columns: [
        text('system'),
        number('mean'),
        number('low'),
        number('high'),
        number('minimum'),
        number('lower quartile'),
        number('median'),
        number('upper quartile'),
        number('maximum'),
        ...(systems.length > 1 ? [number('better than', 0)] : []),
      ],
      rows: measure.order.map((s) => {
        const { mean, low, high, minimum, lowerQuartile, median, upperQuartile, maximum, better } = measure.systems[s];
        return [
          systems[s],
          mean,
          low,
          high,
          minimum,
          lowerQuartile,
          median,
          upperQuartile,
          maximum,
          ...(systems.length > 1 ? [better.length] : []),
        ];
      }),
    });
    if (measure.pairs.length > 0) tables.push(pairTable(report, measure, m, level));
  }
  if (systems.length <= MOST_RUN_COLUMNS) {
    for (const [m, measure] of measures.entries()) {
      tables.push({
        id: `measure-${m + 1}-topics`,
        title: `${measure.name}: topics`,
        caption: null,
        columns: [text('topic'), ...(queries === undefined ? [] : [text('query')]), ...systems.map((name) => number(name))],
        rows: inReadingOrder(topics).map((t) => [
          topics[t],
          ...(queries === undefined ? [] : [queries[t] ?? '']),
          ...systems.map((_, s) => measure.scores[s][t]),
        ]),
      });
    }
  }
  if (unjudged !== null) {
    tables.push({
      id: 'unjudged',
      title: 'Unjudged documents',
      caption: 'Share of the first k documents that nobody judged, averaged over topics',
      columns: [text('system'), ...unjudged.x.map((k) => number(`@${k}`, 3))],
      rows: order.map((s) => [systems[s], ...unjudged.values[s]]),
    });
  }
  if (correlation !== null) {
    const { measures: names, bySystem, byTopic } = correlation;
    const matrix = (id: string, title: string, values: readonly (readonly (number | null)[])[]): ReportTable => ({
      id,
      title,
      caption: null,
      columns: [text('measure'), ...names.map((name) => number(name, 3))],
      rows: names.map((name, i) => [name, ...values[i]]),
    });
    if (bySystem !== null) tables.push(matrix('correlation-systems', "Measures: Kendall's tau between orders of systems", bySystem));
    tables.push(matrix('correlation-topics', "Measures: Pearson's correlation over topics and systems", byTopic));
  }
  if (audit.length > 0) {
    tables.push({
      id: 'audit',
      title: 'Audit of the files',
      caption: null,
      columns: [text('file'), text('severity'), text('finding'), text('examples'), text('what to do')],
      rows: audit.flatMap(({ file, what, size, findings }): ReportCell[][] =>
        findings.length === 0
          ? [[file, '', `${what}, ${size}: nothing odd was found`, '', '']]
          : findings.map(({ severity, sentence, examples, recommendation }) => [
              file,
              severity,
              sentence,
              examples.join('; '),
              recommendation ?? '',
            ]),
      ),
    });
  }
  return [...tables, ...provenanceTables(report)];
}

function significanceWords({ test, measures }: ComparisonReport, lettered: boolean): string {
  const level = `p at most ${test.alpha}${test.correction === 'none' ? '' : ` after correction by ${test.correction}`}`;
  const against = test.baseline === null ? '' : `; tested against ${test.baseline} only`;
  return lettered
    ? `Means over ${measures[0].numTopics} topics. Superscripts: significantly better than the system with that letter (${level})${against}.`
    : `Means over ${measures[0].numTopics} topics. The tables of the measures say how many systems each is significantly better than (${level})${against}.`;
}

function pairTable({ systems, test }: ComparisonReport, measure: ReportMeasure, m: number, level: string): ReportTable {
  const shown = {
    all: `${measure.pairs.length} pairs`,
    'with the best': `${measure.pairs.length} of ${measure.numPairsTested} pairs: those with the best system`,
    baseline: `${measure.pairs.length} pairs with the baseline ${test.baseline ?? ''}`,
  }[measure.pairsShown];
  const corrected = test.correction !== 'none';
  return {
    id: `measure-${m + 1}-pairs`,
    title: `${measure.name}: pairs`,
    caption: `${shown}; ${level} intervals of the difference; d_z is the mean difference over the standard deviation of the differences`,
    columns: [
      text('system'),
      text('against'),
      number('difference'),
      number('low'),
      number('high'),
      number('d_z', 2),
      number('wins', 0),
      number('ties', 0),
      number('losses', 0),
      number('p'),
      ...(corrected ? [number(`p (${test.correction})`)] : []),
      text('significant'),
    ],
    rows: measure.pairs.map((pair) => [
      systems[pair.system],
      systems[pair.against],
      pair.difference,
      pair.low,
      pair.high,
      pair.effectSize,
      pair.wins,
      pair.ties,
      pair.losses,
      pair.pValue,
      ...(corrected ? [pair.correctedPValue] : []),
      pair.significant ? 'yes' : 'no',
    ]),
  };
}

function provenanceTables({ provenance, kind }: Report): ReportTable[] {
  const { program, command, date, convention, rules, seed, files } = provenance;
  const facts: [string, string][] = [
    ['program', program],
    ...(command === null ? [] : [['command', command] as [string, string]]),
    ...(date === null ? [] : [['date', date] as [string, string]]),
    ['convention', convention],
    ...rules.map(({ name, value }): [string, string] => [name, value]),
    ...(seed === null ? [] : [['seed', String(seed)] as [string, string]]),
    ['report', `${kind}, version 1`],
  ];
  const tables: ReportTable[] = [
    { id: 'provenance', title: 'Provenance', caption: null, columns: [text('what'), text('value')], rows: facts },
  ];
  if (files.length > 0) {
    tables.push({
      id: 'files',
      title: 'Files',
      caption: null,
      columns: [text('role'), text('file'), number('bytes', 0), text('SHA-256')],
      rows: files.map(({ role, name, bytes, sha256 }) => [role, name, bytes, sha256]),
    });
  }
  return tables;
}

/** A cell as it is read: numbers with the decimals of their column, and a p-value that rounds to 0 as what it is below. */
export function cellText(cell: ReportCell, column: ReportColumn): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  const value = typeof cell === 'number' ? cell : cell.value;
  if (value === null) return '';
  const digits = column.digits ?? DIGITS;
  if (/^p( \(|$)/.test(column.name)) return pText(value, digits, null);
  return formatFixed(value, digits).replace(/^-(0(\.0*)?)$/, '$1');
}

/** The table for printing as text, Markdown, LaTeX or CSV. */
export function gridOf(table: ReportTable): Grid {
  return {
    columns: table.columns.map(({ name, kind }) => ({ name, numeric: kind === 'number' })),
    *rows() {
      for (const row of table.rows) {
        yield row.map((cell, c): Cell => {
          const shown = cellText(cell, table.columns[c]);
          return typeof cell === 'object' && cell !== null ? { text: shown, marks: cell.marks } : shown;
        });
      }
    },
  };
}
