import { formatFixed, formatG } from '../core/numbers/print.js';
import { pText } from './comparison.js';
import type { Cell, Grid } from './grid.js';
import { correctionWord, systemLetter } from './methods.js';
import type { ComparisonReport, Report, ReportCell, ReportColumn, ReportMeasure, ReportTable, TrecReport } from './model.js';
import { movedTables } from './moved.js';
import { inReadingOrder } from './reading-order.js';
import { MOST_GROUPED, rankText } from './standings.js';
import { counted } from './verdict/words.js';

/** Up to as many runs have a column each; more of them a row each. */
const MOST_RUN_COLUMNS = 6;
/** Letters mark what is better than what as long as one letter is enough for each. */
const MOST_LETTERS = 25;
/** More pairs than this are listed only where that is asked for. */
const MOST_PAIRS = 15;
const DIGITS = 4;

const text = (name: string): ReportColumn => ({ name, kind: 'text' });
const number = (name: string, digits = DIGITS): ReportColumn => ({ name, kind: 'number', digits });

/** Everything that a report says in rows and columns, in reading order. */
export function reportTables(report: Report): ReportTable[] {
  if (report.kind === 'model') return [...report.tables, ...provenanceTables(report)];
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
  // letters follow the order of the table: a is the best
  const rankOf = new Map(order.map((s, place) => [s, place]));
  const letterOf = (s: number): string => systemLetter(rankOf.get(s) ?? 0);
  const level = `${formatG(100 * (1 - test.alpha), 4)}%`;
  const tables: ReportTable[] = [
    ...verdictTables(report, level),
    ...movedTables(report),
    ...(report.trust ?? []),
    {
      id: 'systems',
      title: 'Systems',
      caption: systems.length === 1 ? null : significanceWords(report, lettered),
      columns: [...(lettered && systems.length > 1 ? [text('')] : []), text('system'), ...measures.map(({ name }) => number(name))],
      rows: order.map((s) => [
        ...(lettered && systems.length > 1 ? [letterOf(s)] : []),
        systems[s],
        ...measures.map(({ systems: own }): ReportCell => {
          const { mean, better } = own[s];
          return lettered && better.length > 0 ? { value: mean, marks: better.map(letterOf).sort().join('') } : mean;
        }),
      ]),
    },
  ];
  for (const [m, measure] of measures.entries()) {
    tables.push({
      id: `measure-${m + 1}-systems`,
      title: `${measure.name}: systems`,
      caption: `${counted(measure.numTopics, 'topic')}${measure.direction === 'lower' ? '; less is better' : ''}; ${level} intervals of the mean`,
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
    // of many pairs, those with the best by the first measure are enough unless somebody asks
    const isListed = m === 0 || measure.pairs.length <= MOST_PAIRS || report.listsPairs === true || test.baseline !== null;
    if (measure.pairs.length > 0 && isListed) tables.push(pairTable(report, measure, m, level));
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
  const level = `p at most ${test.alpha}${test.correction === 'none' ? '' : `, ${correctionWord(test.correction)}-corrected`}`;
  const against = test.baseline === null ? '' : `; tested against ${test.baseline} only`;
  return lettered
    ? `Means over ${counted(measures[0].numTopics, 'topic')}. Superscripts: significantly better than the system with that letter (${level})${against}.`
    : `Means over ${counted(measures[0].numTopics, 'topic')}. The tables of the measures say how many systems each is significantly better than (${level})${against}.`;
}

/** The best systems with mean, interval and ranks, and the topics that decide: what the pictures of the first page show. */
function verdictTables({ systems, measures, standings, verdict }: ComparisonReport, level: string): ReportTable[] {
  if (verdict === undefined) return [];
  const [{ name, order, systems: own }] = measures;
  const best = order[0];
  const { gains, losses } = verdict.topics;
  const shares = standings?.unjudged?.shares;
  const hasQueries = [...gains, ...losses].some(({ query }) => query !== undefined);
  return [
    {
      id: 'leaderboard',
      title: `Leaderboard by ${name}`,
      caption: `${level} intervals of the mean${order.length > MOST_GROUPED ? `; the best ${MOST_GROUPED} of ${order.length} systems` : ''}`,
      columns: [
        text('system'),
        number(name),
        number('low'),
        number('high'),
        text('ranks'),
        ...(shares === undefined ? [] : [text('unjudged')]),
        text('told apart from the best'),
      ],
      rows: order.slice(0, MOST_GROUPED).map((s): ReportCell[] => {
        const { mean, low, high } = own[s];
        const ranks = standings?.ranks[s];
        const share = shares?.[s];
        return [
          systems[s],
          mean,
          low,
          high,
          ranks === undefined ? '' : rankText(ranks),
          ...(shares === undefined ? [] : [share === null || share === undefined ? '' : `${Math.round(100 * share)}%`]),
          s === best ? '' : own[best].better.includes(s) ? 'yes' : 'no',
        ];
      }),
    },
    {
      id: 'deciding-topics',
      title: `Topics that decide: ${verdict.pair.system} less ${verdict.pair.against}`,
      caption: null,
      columns: [
        text('topic'),
        ...(hasQueries ? [text('query')] : []),
        number(verdict.pair.system),
        number(verdict.pair.against),
        number('difference'),
      ],
      rows: [...gains, ...losses].map(({ topic, query, system, against, difference }) => [
        topic,
        ...(hasQueries ? [query ?? ''] : []),
        system,
        against,
        difference,
      ]),
    },
  ];
}

function pairTable(report: ComparisonReport, measure: ReportMeasure, m: number, level: string): ReportTable {
  const { systems, test } = report;
  const best = measure.order[0];
  const isLong = measure.pairs.length > MOST_PAIRS && report.listsPairs !== true && measure.pairsShown === 'all';
  const pairs = isLong ? measure.pairs.filter(({ system, against }) => system === best || against === best) : measure.pairs;
  const shown = {
    all: counted(pairs.length, 'pair'),
    'with the best': `${pairs.length} of ${counted(measure.numPairsTested, 'pair')}: those with the best system`,
    baseline: `${counted(pairs.length, 'pair')} with the baseline ${test.baseline ?? ''}`,
  }[isLong ? 'with the best' : measure.pairsShown];
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
      ...(corrected ? [number(`p (${correctionWord(test.correction)})`)] : []),
      text('significant'),
    ],
    rows: pairs.map((pair) => [
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
  const { program, command, date, convention, rules, seed, files, fingerprint } = provenance;
  const facts: [string, string][] = [
    ['program', program],
    ...(command === null ? [] : [['command', command] as [string, string]]),
    ...(date === null ? [] : [['date', date] as [string, string]]),
    ['convention', convention],
    ...rules.map(({ name, value }): [string, string] => [name, value]),
    ...(seed === null ? [] : [['seed', String(seed)] as [string, string]]),
    ...(fingerprint?.judgements === undefined ? [] : [['SHA-256 of the judgements', fingerprint.judgements] as [string, string]]),
    ...(fingerprint?.rules === undefined ? [] : [['SHA-256 of the rules', fingerprint.rules] as [string, string]]),
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
      for (const [r, row] of table.rows.entries()) {
        yield row.map((cell, c): Cell => {
          const shown = cellText(cell, table.columns[c]);
          const address = table.links?.column === c ? (table.links.addresses[r] ?? undefined) : undefined;
          if (address !== undefined) return { text: shown, marks: '', address };
          return typeof cell === 'object' && cell !== null ? { text: shown, marks: cell.marks } : shown;
        });
      }
    },
  };
}
