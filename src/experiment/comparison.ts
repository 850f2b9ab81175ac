import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { readScores } from '../formats/read.js';
import type { ByteSource } from '../formats/source.js';
import { alignTables, type MissingPolicy } from '../stats/alignment.js';
import { type CompareOptions, type Comparison, compareSteps } from '../stats/compare.js';
import { unlikeResults } from './fingerprint.js';
import { canonicalName, directionsOf, renamed } from './names.js';
import { noteText } from './notes.js';
import { type Platform, resampled } from './platform.js';
import type { ScoredRuns } from './score.js';

/** Scores of systems on the same topics, ready to be compared. */
export interface ComparableScores {
  readonly table: ScoreTable;
  /** The measures to compare by. */
  readonly measures: readonly string[];
  /** What becomes of a topic that some system has no value for. */
  readonly missing: MissingPolicy;
  readonly notes: readonly string[];
}

/** The scores of runs. */
export function comparableRuns({ tables, notes }: ScoredRuns, missing: MissingPolicy): ComparableScores {
  const table = alignTables(tables);
  return { table, measures: table.measures, missing, notes: notes.map(noteText) };
}

/** Scores that were computed before, from files with a row per topic.
 *  @param asked The measures to compare by; all that the files have in common if undefined. */
export async function comparableFiles(
  sources: readonly ByteSource[],
  asked: readonly string[] | undefined,
  missing: MissingPolicy,
): Promise<ComparableScores> {
  const tables: ScoreTable[] = [];
  for (const source of sources) tables.push(await readTopicScores(source, asked, 'gradus eval -q and trec_eval -q print them'));
  const table = alignTables(tables);
  const absent = asked?.filter((name) => !table.measures.includes(name)) ?? [];
  if (absent.length > 0) {
    throw new InputError({ message: `the scores have no ${absent.join(', ')}`, wayOut: `they have ${table.measures.join(', ')}` });
  }
  return { table, measures: asked ?? table.measures, missing, notes: await unlikeResults(sources) };
}

/** Reads scores of each topic, with our names for measures.
 *  @param wayOut What to do about a file that has the values over all topics only. */
export async function readTopicScores(source: ByteSource, asked: readonly string[] | undefined, wayOut: string): Promise<ScoreTable> {
  const table = await readScores(source, { measure: asked?.length === 1 ? asked[0] : undefined });
  if (table.topics.length === 1 && table.topics[0] === 'all') {
    throw new InputError({
      source: source.name,
      message: 'holds the values over all topics only, expected those of each topic',
      wayOut,
    });
  }
  const columns = table.columns.map((column) => ({ ...column, name: canonicalName(column.name) }));
  return renamed(table, table.systems, columns);
}

/** Tests whether the differences between systems are real. The notes of the scores come before those of the tests. */
export async function compareScores(
  { table, measures, missing, notes }: ComparableScores,
  options: CompareOptions,
  platform: Pick<Platform, 'resample'>,
  threads?: number | undefined,
): Promise<Comparison> {
  const complete: CompareOptions = { missing, measures, directions: directionsOf(options.measures ?? measures), ...options };
  const comparison = await resampled(platform, compareSteps(table, complete), threads);
  return { ...comparison, notes: [...notes, ...comparison.notes] };
}
