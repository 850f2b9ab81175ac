/** Tables as text in the forms that the command line prints. */
import type { ScoreTable } from 'gradus';
import type { Plan, ScoredRuns } from 'gradus/experiment';
import { type Grid, type GridForm, writeGrid } from 'gradus/report';
import { alignTables } from 'gradus/stats';

export interface ExportRequest {
  readonly form: GridForm | 'json';
  /** The means over all topics, or every topic. */
  readonly what: 'means' | 'topics';
  readonly digits: number;
}

export function exported(request: ExportRequest, { plan, tables }: ScoredRuns): string {
  const { form, what, digits } = request;
  if (form === 'json') return jsonText(plan, tables);
  // decimals for people, all digits for programs
  const number = (value: number): string =>
    Number.isNaN(value) ? '' : form === 'csv' || form === 'tsv' || Number.isInteger(value) ? String(value) : value.toFixed(digits);
  const measureColumns = plan.measures.map(({ text }) => ({ name: text, numeric: true }));
  const means: Grid = {
    columns: [{ name: 'run' }, ...measureColumns],
    rows: () => tables.map((table) => [table.systems[0], ...plan.measures.map((_, m) => number(table.aggregate(m)))]),
  };
  const topics: Grid = {
    columns: [{ name: 'run' }, { name: 'topic' }, ...measureColumns],
    *rows() {
      for (const table of tables) {
        for (const [t, topic] of table.topics.entries())
          yield [table.systems[0], topic, ...plan.measures.map((_, m) => number(table.value(t, m)))];
      }
    },
  };
  const parts: string[] = [];
  writeGrid(form, what === 'means' ? means : topics, { write: (text) => void parts.push(text) });
  return parts.join('');
}

function jsonText({ convention, rules }: Plan, tables: readonly ScoreTable[]): string {
  const { topics, measures, systems } = alignTables(tables).toJSON();
  return `${JSON.stringify({ convention: convention.name, rules, topics, measures, systems }, null, 2)}\n`;
}
