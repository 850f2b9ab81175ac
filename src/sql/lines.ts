/** How deep a cutoff may be for its terms to be added one by one, in the order of the ranks. An engine may add up a column in
 *  any order, and in another one tomorrow; what is written out is added as it is written, to the last bit. */
export const WRITTEN_OUT = 32;

/** Gives out names that no other column of a query has. */
export type NameGiver = (prefix: string) => string;

/** The documents of each topic in some order, as one table: which columns the measures need of it, and what they add up per
 *  topic. Columns that several measures ask for are there once. */
export class Lines {
  readonly name: string;
  private readonly newName: NameGiver;
  private readonly windows: Map<string, string> = new Map();
  private readonly aggregates: Map<string, string> = new Map();
  /** The aggregates that are 0 for a topic without lines; the others have no value there. */
  private readonly zeros: Set<string> = new Set();
  private readonly topicColumns: Set<string> = new Set();
  /** The last place that any measure looks at. */
  deepest = 0;

  constructor(name: string, newName: NameGiver) {
    this.name = name;
    this.newName = newName;
  }

  /** The sum of an expression over the documents down to this one, itself included. */
  running(expression: string): string {
    return this.window(`SUM(${expression})`, 'CURRENT ROW');
  }

  /** The sum over the documents above; no value for the first. */
  above(expression: string): string {
    return this.window(`SUM(${expression})`, '1 PRECEDING');
  }

  private window(aggregate: string, last: string): string {
    const text = `${aggregate} OVER (PARTITION BY g.topic ORDER BY g.place ROWS BETWEEN UNBOUNDED PRECEDING AND ${last})`;
    return named(this.windows, text, () => this.newName('w'));
  }

  /** Makes a column of the topics available to the expressions of lines. */
  ofTopic(column: string): string {
    this.topicColumns.add(column);
    return column;
  }

  /** The sum of an expression over the first so many documents of a topic. */
  sum(expression: string, cutoff: number = Infinity): string {
    const column = this.aggregate(`SUM(${this.upTo(cutoff, expression)})`);
    this.zeros.add(column);
    return column;
  }

  /** The largest or smallest value among the first so many; no value if there is none. */
  extreme(which: 'MAX' | 'MIN', expression: string, cutoff: number = Infinity): string {
    return this.aggregate(`${which}(${this.upTo(cutoff, expression)})`);
  }

  /** The value at one place; 0 if nothing stands there. */
  at(place: number, expression: string): string {
    this.deepest = Math.max(this.deepest, place);
    const column = this.aggregate(`SUM(CASE WHEN place = ${place} THEN ${expression} END)`);
    this.zeros.add(column);
    return column;
  }

  private aggregate(text: string): string {
    return named(this.aggregates, text, () => this.newName('a'));
  }

  private upTo(cutoff: number, expression: string): string {
    this.deepest = Math.max(this.deepest, cutoff);
    return cutoff === Infinity ? expression : `CASE WHEN place <= ${cutoff} THEN ${expression} END`;
  }

  get isUsed(): boolean {
    return this.aggregates.size > 0;
  }

  /** The tables that lead from `source`, which has a topic, a place and the columns, to one line per topic. */
  tables(source: string, columns: readonly string[]): string[] {
    const selected = ['g.topic AS topic', 'g.place AS place', ...columns.map((column) => `g.${column} AS ${column}`)];
    for (const column of this.topicColumns) selected.push(`t.${column} AS ${column}`);
    for (const [text, column] of this.windows) selected.push(`${text} AS ${column}`);
    const join = this.topicColumns.size > 0 ? ' JOIN judged_topics t ON t.topic = g.topic' : '';
    const totals = ['topic', ...Array.from(this.aggregates, ([text, column]) => `${text} AS ${column}`)];
    return [
      `${this.name}_lines AS (\n  SELECT ${selected.join(',\n    ')}\n  FROM ${source} g${join}\n)`,
      `${this.name}_totals AS (\n  SELECT ${totals.join(',\n    ')}\n  FROM ${this.name}_lines\n  GROUP BY topic\n)`,
    ];
  }

  /** What one line per topic holds, as columns of a table that has all topics. */
  finished(zero: string): string[] {
    return Array.from(this.aggregates.values(), (column) => {
      const value = `${this.name}_totals.${column}`;
      return `${this.zeros.has(column) ? `COALESCE(${value}, ${zero})` : value} AS ${column}`;
    });
  }
}

function named(known: Map<string, string>, text: string, newName: () => string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const name = newName();
  known.set(text, name);
  return name;
}
