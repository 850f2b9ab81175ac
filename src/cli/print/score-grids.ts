import { formatFixed, type ScoreTable } from '../../core/index.js';
import { latexText, markdownText } from '../../report/index.js';
import { type Grid, type GridColumn, type GridForm, gridWidth, transposedGrid } from './output.js';

/** What is printed in the place of a topic's id on lines that are about all topics. */
export const ALL = 'all';

/** A run as it is printed. */
export interface ShownRun {
  readonly name: string;
  readonly file: string;
  readonly table: ScoreTable;
  /** Values as people read them: so many decimals, counts without any. */
  show(value: number, measure: number): string;
}

/** What of the scores is printed, and how. */
export interface ScoreLayout {
  readonly perTopic: boolean;
  readonly summary: boolean;
  /** Rows and columns change places. */
  readonly transpose?: boolean | undefined;
  /** A column per measure where programs read the table. */
  readonly wide?: boolean | undefined;
  /** Decimals for programs; all if undefined. */
  readonly exactDigits?: number | undefined;
}

/** A table and what it is about, if there are several. */
export interface TitledGrid {
  readonly title: string | undefined;
  readonly grid: Grid;
}

/** Tables for people: the values over all topics, or those of each topic with the runs side by side, a table for each measure.
 *  @param columns How wide the place is where they are shown: runs that do not fit beside one another get a row each. */
export function gridsForPeople(runs: readonly ShownRun[], layout: ScoreLayout, columns: number): TitledGrid[] {
  const turned = layout.transpose === true;
  if (!layout.perTopic) return [{ title: undefined, grid: summaryGrid(runs, columns, turned) }];
  const { measures } = runs[0].table;
  if (runs.length === 1) {
    const grid = topicGrid(runs[0], layout.summary);
    return [{ title: undefined, grid: turned ? transposedGrid(grid, 'measure') : grid }];
  }
  return measures.map((measure, m) => {
    const grid = sideBySide(runs, m, layout.summary);
    return { title: measures.length === 1 ? undefined : measure, grid: turned ? transposedGrid(grid, 'run') : grid };
  });
}

/** A row per measure and a column per run, or the other way round where that is too wide. */
function summaryGrid(runs: readonly ShownRun[], columns: number, turned: boolean): Grid {
  const { measures } = runs[0].table;
  const byMeasure: Grid = {
    columns: [{ name: 'measure' }, ...runs.map(({ name }): GridColumn => ({ name, numeric: true }))],
    *rows() {
      for (const [m, measure] of measures.entries()) yield [measure, ...runs.map((run) => run.show(run.table.aggregate(m), m))];
    },
  };
  const byRun = transposedGrid(byMeasure, 'run');
  const fitsByMeasure = gridWidth(byMeasure) <= columns || (gridWidth(byRun) > columns && runs.length <= measures.length);
  return fitsByMeasure === turned ? byRun : byMeasure;
}

/** A row per topic and one for all topics, a column per measure. */
function topicGrid({ table, show }: ShownRun, summary: boolean): Grid {
  return {
    columns: [{ name: 'topic' }, ...table.measures.map((name) => ({ name, numeric: true }))],
    *rows() {
      for (const [t, topic] of table.topics.entries()) yield [topic, ...table.measures.map((_, m) => show(table.value(t, m), m))];
      if (summary) yield [ALL, ...table.measures.map((_, m) => show(table.aggregate(m), m))];
    },
  };
}

/** A row per topic that some run has a value for, a column per run. */
function sideBySide(runs: readonly ShownRun[], m: number, summary: boolean): Grid {
  const { topics, scoreOf } = topicsOf(runs);
  return {
    columns: [{ name: 'topic' }, ...runs.map(({ name }) => ({ name, numeric: true }))],
    *rows() {
      for (const topic of topics) {
        yield [
          topic,
          ...runs.map((run, r) => {
            const value = scoreOf(r, topic, m);
            return value === undefined ? '-' : run.show(value, m);
          }),
        ];
      }
      if (summary) yield [ALL, ...runs.map(({ table, show }) => show(table.aggregate(m), m))];
    },
  };
}

interface AllTopics {
  readonly topics: readonly string[];
  scoreOf(run: number, topic: string, measure: number): number | undefined;
}

/** The topics of all runs in their order; under some rules a run has those only that it answers. */
function topicsOf(runs: readonly ShownRun[]): AllTopics {
  const places = runs.map(({ table }) => new Map(table.topics.map((topic, t) => [topic, t])));
  const longest = runs.reduce((a, b) => (b.table.topics.length > a.table.topics.length ? b : a)).table.topics;
  const known = new Set(longest);
  const others = runs.flatMap(({ table }) => table.topics.filter((topic) => !known.has(topic)));
  return {
    topics: [...known, ...new Set(others)],
    scoreOf(run, topic, measure) {
      const place = places[run].get(topic);
      return place === undefined ? undefined : runs[run].table.value(place, measure);
    },
  };
}

/** A table for programs: a row for each run, topic and measure, or with a column per measure. Values over all topics are in a table of
 *  their own, which is the one without topics. */
export function gridForPrograms(runs: readonly ShownRun[], { perTopic, wide, exactDigits }: ScoreLayout): Grid {
  const { measures } = runs[0].table;
  const text = (value: number): string =>
    exactDigits === undefined && Number.isFinite(value) ? String(value) : formatFixed(value, exactDigits ?? 4);
  const values: GridColumn[] = wide
    ? measures.map((name) => ({ name, numeric: true }))
    : [{ name: 'measure' }, { name: 'value', numeric: true }];
  return {
    columns: [{ name: 'run' }, ...(perTopic ? [{ name: 'topic' }] : []), ...values],
    *rows() {
      for (const { name, table } of runs) {
        const rows = perTopic ? table.topics.map((topic, t) => ({ lead: [name, topic], value: (m: number) => table.value(t, m) })) : [];
        if (!perTopic) rows.push({ lead: [name], value: (m) => table.aggregate(m) });
        for (const { lead, value } of rows) {
          if (wide) yield [...lead, ...measures.map((_, m) => text(value(m)))];
          else for (const [m, measure] of measures.entries()) yield [...lead, measure, text(value(m))];
        }
      }
    },
  };
}

/** The forms in which such tables are printed with a title. */
export function titleIn(form: GridForm, title: string): string {
  return form === 'md' ? `**${markdownText(title)}**\n\n` : form === 'latex' ? `\\noindent ${latexText(title)}\\par\n` : `${title}\n`;
}
