import { type AggregateName, aggregateValues } from './aggregate.js';
import { checkScores } from './evaluation-limits.js';
import { InputError } from './problem.js';

export { type AggregateName, GEOMETRIC_FLOOR } from './aggregate.js';

/** What the table needs to know of a measure. */
export interface ScoreColumn {
  /** The measure's canonical spelling. */
  readonly name: string;
  readonly aggregate: AggregateName;
  /** What smaller values count as in a geometric or harmonic mean. */
  readonly floor?: number | undefined;
  /** What becomes of a topic that has no value, which is NaN in the table: left out of the aggregate (*skip*), or refused. */
  readonly empty?: 'skip' | 'error' | undefined;
}

/** Scores of systems on topics under measures: what statistics, reports and printers work from. Topics stand in ascending
 *  byte order of their ids, and every sum over topics runs in that order. */
export class ScoreTable {
  readonly systems: readonly string[];
  readonly topics: readonly string[];
  readonly columns: readonly ScoreColumn[];
  /** The value of system s, topic t, measure m is at (s * numTopics + t) * numMeasures + m. */
  readonly values: Float64Array;
  /** What a reader of the numbers should know about how they came about. */
  readonly notes: readonly string[];

  constructor(
    systems: readonly string[],
    topics: readonly string[],
    columns: readonly ScoreColumn[],
    values: Float64Array,
    notes: readonly string[] = [],
  ) {
    this.systems = systems;
    this.topics = topics;
    this.columns = columns;
    this.values = values;
    this.notes = notes;
    for (const [m, column] of columns.entries()) if (column.empty === 'error') this.refuseEmptyTopics(m);
  }

  /** The same scores, with more to know about them. */
  withNotes(notes: readonly string[]): ScoreTable {
    return new ScoreTable(this.systems, this.topics, this.columns, this.values, [...notes, ...this.notes]);
  }

  get measures(): string[] {
    return this.columns.map((column) => column.name);
  }

  /** The value on one topic. */
  value(topic: string | number, measure: string | number, system: string | number = 0): number {
    const t = this.indexOf('topic', this.topics, topic);
    return this.values[this.rowStart(system) + t * this.columns.length + this.columnIndex(measure)];
  }

  /** The values of all topics, in the table's order. */
  column(measure: string | number, system: string | number = 0): Float64Array {
    const start = this.rowStart(system) + this.columnIndex(measure);
    const step = this.columns.length;
    return Float64Array.from(this.topics, (_, t) => this.values[start + t * step]);
  }

  /** The topics' values as one number, in the way the measure declares. No topics at all give NaN for a mean. */
  aggregate(measure: string | number, system: string | number = 0): number {
    const m = this.columnIndex(measure);
    const { aggregate, floor, empty } = this.columns[m];
    if (empty === 'skip') {
      const kept = this.column(m, system).filter((value) => !Number.isNaN(value));
      return aggregateValues(aggregate, kept, 0, 1, kept.length, floor);
    }
    return aggregateValues(aggregate, this.values, this.rowStart(system) + m, this.columns.length, this.topics.length, floor);
  }

  /** Measure → aggregated value, for one system. */
  means(system: string | number = 0): Record<string, number> {
    return Object.fromEntries(this.columns.map((column, m) => [column.name, this.aggregate(m, system)]));
  }

  /** Everything as plain objects, topics included. */
  toJSON(): ScoreTableJson {
    return {
      topics: this.topics,
      measures: this.measures,
      systems: this.systems.map((system, s) => ({
        system,
        all: this.means(s),
        perTopic: this.topics.map((topic, t) => ({
          topic,
          scores: Object.fromEntries(this.columns.map((column, m) => [column.name, this.value(t, m, s)])),
        })),
      })),
    };
  }

  private refuseEmptyTopics(measure: number): void {
    for (let i = measure; i < this.values.length; i += this.columns.length) {
      if (!Number.isNaN(this.values[i])) continue;
      throw new InputError({
        message: `${this.columns[measure].name}: topic ${this.topics[Math.floor(i / this.columns.length) % this.topics.length]} has no relevant document`,
        wayOut: "leave such topics out with empty='skip', or give them a value",
      });
    }
  }

  private rowStart(system: string | number): number {
    return this.indexOf('system', this.systems, system) * this.topics.length * this.columns.length;
  }

  private columnIndex(measure: string | number): number {
    return typeof measure === 'number' ? this.indexOf('measure', this.columns, measure) : this.indexOf('measure', this.measures, measure);
  }

  private indexOf(kind: string, known: readonly unknown[], wanted: string | number): number {
    const index = typeof wanted === 'number' ? wanted : known.indexOf(wanted);
    if (index >= 0 && index < known.length) return index;
    throw new InputError({ message: `no ${kind} ${wanted} in this table`, wayOut: `it has ${known.length} ${kind}s` });
  }
}

/** Room for the scores of a table.
 *  @param numGiven How many of them a file gives; all of them if undefined. */
export function emptyScores(numSystems: number, numTopics: number, numMeasures: number, numGiven?: number): Float64Array {
  checkScores(numSystems, numTopics, numMeasures, numGiven);
  return new Float64Array(numSystems * numTopics * numMeasures);
}

/** A table of scores as plain objects, ready for `JSON.stringify`. */
export interface ScoreTableJson {
  readonly topics: readonly string[];
  readonly measures: readonly string[];
  readonly systems: readonly {
    readonly system: string;
    readonly all: Readonly<Record<string, number>>;
    readonly perTopic: readonly { readonly topic: string; readonly scores: Readonly<Record<string, number>> }[];
  }[];
}

/** Puts the tables of several systems over the same topics and measures side by side. */
export function joinSystems(tables: readonly ScoreTable[]): ScoreTable {
  const [first] = tables;
  const numSystems = tables.reduce((total, table) => total + table.systems.length, 0);
  const values = emptyScores(numSystems, first.topics.length, first.columns.length);
  let at = 0;
  for (const table of tables) {
    if (table.topics.length !== first.topics.length || table.topics.some((topic, t) => topic !== first.topics[t])) {
      throw new InputError({
        message: `systems ${first.systems[0]} and ${table.systems[0]} were scored on different topics`,
        wayOut: 'score both on all judged topics',
      });
    }
    values.set(table.values, at);
    at += table.values.length;
  }
  return new ScoreTable(
    tables.flatMap((table) => table.systems),
    first.topics,
    first.columns,
    values,
    tables.flatMap((table) => table.notes.map((note) => `${table.systems[0]}: ${note}`)),
  );
}
