import { InputError, type Problem } from '../core/problem.js';
import { emptyScores, type ScoreColumn, ScoreTable } from '../core/score-table.js';
import { compareBytes } from '../core/text.js';
import { requireOneOf } from './checks.js';

/** What becomes of a topic on which some systems have a value and others have none. *error* refuses the comparison, *skip* leaves
 *  the topic out for all systems, *zero* counts the missing value as 0. */
export type MissingPolicy = 'error' | 'skip' | 'zero';

/** The words that `MissingPolicy` allows, the default first. */
export const MISSING_POLICIES: readonly MissingPolicy[] = ['error', 'skip', 'zero'];

/** How many problems of one kind are reported one by one. */
const MOST_TOLD = 5;

/** Puts tables side by side by topic id, whatever order they are in. Every topic of any of them is kept; a system without it has
 *  NaN there, so that nothing is decided here about what is missing. Only measures that all tables have are kept. */
export function alignTables(tables: readonly ScoreTable[]): ScoreTable {
  if (tables.length === 0) throw new InputError('found no scores to compare');
  for (const table of tables) requireDistinct('topic', table.topics);
  const columns = tables[0].columns.filter(({ name }) => tables.every((table) => table.measures.includes(name)));
  if (columns.length === 0) {
    throw new InputError({
      message: `the scores have no measure in common: ${tables.map((table) => table.measures.join(' ')).join(' / ')}`,
      wayOut: 'score all systems with the same measures',
    });
  }
  const topics = inByteOrder([...new Set(tables.flatMap(({ topics: own }) => own))]);
  const systems = tables.flatMap((table) => table.systems);
  requireDistinct('system', systems);
  const values = emptyScores(systems.length, topics.length, columns.length).fill(Number.NaN);
  let row = 0;
  for (const table of tables) {
    const placeOf = new Map(table.topics.map((topic, t) => [topic, t]));
    const columnOf = columns.map(({ name }) => table.measures.indexOf(name));
    for (let s = 0; s < table.systems.length; s++, row++) {
      for (let t = 0; t < topics.length; t++) {
        const place = placeOf.get(topics[t]);
        if (place === undefined) continue;
        const from = (s * table.topics.length + place) * table.columns.length;
        for (let m = 0; m < columns.length; m++) values[(row * topics.length + t) * columns.length + m] = table.values[from + columnOf[m]];
      }
    }
  }
  return new ScoreTable(systems, topics, columns.map(withoutRefusal), values, [...new Set(tables.flatMap(({ notes }) => notes))]);
}

/** NaN stands for "missing" here, and the policy decides about it later. */
function withoutRefusal(column: ScoreColumn): ScoreColumn {
  return column.empty === 'error' ? { ...column, empty: 'skip' } : column;
}

function inByteOrder(ids: readonly string[]): string[] {
  const encoder = new TextEncoder();
  const keyed = ids.map((id) => ({ id, key: encoder.encode(id) }));
  // ids that are no text may have the same bytes; then any fixed order will do
  keyed.sort((a, b) => compareBytes(a.key, 0, a.key.length, b.key, 0, b.key.length) || (a.id < b.id ? -1 : 1));
  return keyed.map(({ id }) => id);
}

/** Refuses a name that occurs twice: which of the two is meant would be a guess. */
export function requireDistinct(kind: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      throw new InputError({
        message: `${kind} ${name} occurs twice, expected every ${kind} once`,
        wayOut: `rename or remove one of them`,
      });
    }
    seen.add(name);
  }
}

/** One measure's values of all systems over the same topics, ready for a test: aligned and finite. */
export interface AlignedScores {
  readonly topics: readonly string[];
  /** One array per system, in the order of the table. */
  readonly systems: readonly Float64Array[];
  /** Topics on which no system has a value, because the measure is not defined there. */
  readonly undefinedTopics: readonly string[];
  /** Topics on which only some systems have a value; the policy says what became of them. */
  readonly incompleteTopics: readonly string[];
}

/** The values of one measure under the declared policy.
 *  @throws An `InputError` for a value that is not finite, and under *error* for every topic that is not complete. */
export function alignedScores(table: ScoreTable, measure: string, policy: MissingPolicy): AlignedScores {
  requireOneOf('policy for missing topics', policy, MISSING_POLICIES);
  requireDistinct('topic', table.topics);
  requireDistinct('system', table.systems);
  const columns = table.systems.map((_, s) => table.column(measure, s));
  const kept: number[] = [];
  const undefinedTopics: string[] = [];
  const incompleteTopics: string[] = [];
  const problems: Problem[] = [];
  for (const [t, topic] of table.topics.entries()) {
    let lacking = 0;
    for (const [s, column] of columns.entries()) {
      if (Number.isNaN(column[t])) lacking++;
      else if (!Number.isFinite(column[t])) {
        problems.push({ message: `${measure}: ${table.systems[s]} has ${column[t]} on topic ${topic}, expected a finite number` });
      }
    }
    if (lacking === columns.length) {
      undefinedTopics.push(topic);
      continue;
    }
    if (lacking > 0) {
      incompleteTopics.push(topic);
      if (policy === 'skip') continue;
      if (policy === 'error') {
        const without = table.systems.filter((_, s) => Number.isNaN(columns[s][t]));
        problems.push({ message: `${measure}: topic ${topic} has no value for ${without.slice(0, MOST_TOLD).join(', ')}` });
      }
    }
    kept.push(t);
  }
  if (problems.length > 0) throw refusal(problems);
  const value = (column: Float64Array, t: number): number => (Number.isNaN(column[t]) ? 0 : column[t]);
  return {
    topics: kept.map((t) => table.topics[t]),
    systems: columns.map((column) => Float64Array.from(kept, (t) => value(column, t))),
    undefinedTopics,
    incompleteTopics,
  };
}

function refusal(problems: readonly Problem[]): InputError {
  const told = problems.slice(0, MOST_TOLD);
  const more = problems.length - told.length;
  const last: Problem = {
    message: more > 0 ? `and ${more} more of these` : 'systems can only be compared on topics that all of them have',
    wayOut: 'missing values are left out for all systems with the policy skip, and count as 0 with the policy zero',
  };
  return new InputError([...told, last]);
}
