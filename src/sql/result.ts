import { defaultRules } from '../core/judging/judging-rules.js';
import { InputError, type Problem, printable } from '../core/problem.js';
import { ScoreTable } from '../core/score-table.js';
import { MAX_RANK, RANK_WORDS } from '../core/stated-ranks.js';
import { compareBytes, textCapacity, writeText } from '../core/text.js';
import type { Measure } from '../measures/measure.js';
import { type PlanOptions, scoreColumns, undefinedValueOf } from '../measures/plan.js';
import { type CompiledSql, type SqlRequest, sourceTables } from './compile.js';

/** A line of the answer: the topic, and the value of each measure; null where it has none. */
export interface TopicRow {
  readonly topic: string;
  readonly values: readonly (number | null)[];
}

/** What a query cannot say for itself, because it would give a wrong number instead. */
export interface SqlFacts {
  readonly runRows: number;
  readonly qrelsRows: number;
  /** Rows without a topic, a document or a finite number. */
  readonly badRunRows: number;
  readonly badQrelsRows: number;
  /** Judgements about a document that the topic has judged already. */
  readonly repeatedJudgements: number;
  readonly highestGrade: number;
  readonly lowestGrade: number;
  /** Judgements whose grade is no whole number. */
  readonly fractionalGrades: number;
  readonly judgedTopics: number;
  readonly answeredTopics: number;
}

type CheckRequest = Pick<SqlRequest, 'dialect' | 'run' | 'qrels' | 'rules'>;

/** Queries to be asked before the measures are believed. *facts* answers with one line, in the order of `SqlFacts`; *repeated*
 *  with a topic and a document that the run has twice, or with nothing. *badRank*, which is there if the run has ranks and no
 *  scores, answers with a topic and a rank that it has twice or that is none, or with nothing; *firstTopics* with the lowest topic
 *  of the run and that of the judgements. */
export function checkSql({ dialect, run, qrels, rules }: CheckRequest): {
  facts: string;
  repeated: string;
  badRank: string | undefined;
  firstTopics: string;
} {
  // what is wrong with a number shows before it is rounded
  const tables = sourceTables(dialect, qrels, run, { ...defaultRules, ...rules, scorePrecision: 'double' });
  const bad = (value: string): string => `SUM(CASE WHEN topic <> '' AND doc <> '' AND ${value} - ${value} = 0 THEN 0 ELSE 1 END)`;
  const counted = [
    ...tables,
    // the run is read as seldom as possible
    `run_topics AS (\n  SELECT topic, COUNT(*) AS num_rows, ${bad('score')} AS bad_rows\n  FROM run_rows\n  GROUP BY topic\n)`,
    `run_facts AS (\n  SELECT SUM(r.num_rows) AS run_rows, SUM(r.bad_rows) AS bad_run_rows, COUNT(j.topic) AS answered_topics\n  FROM run_topics r LEFT JOIN (SELECT topic FROM judged GROUP BY topic) j ON j.topic = r.topic\n)`,
    `judged_documents AS (\n  SELECT topic, doc, COUNT(*) AS num_rows, ${bad('grade')} AS bad_rows, MAX(grade) AS highest,\n    MIN(grade) AS lowest, SUM(CASE WHEN grade = FLOOR(grade) THEN 0 ELSE 1 END) AS fractional\n  FROM judged\n  GROUP BY topic, doc\n)`,
    `judged_facts AS (\n  SELECT SUM(num_rows) AS judged_rows, SUM(bad_rows) AS bad_judged_rows, SUM(CASE WHEN num_rows > 1 THEN 1 ELSE 0 END) AS repeated_judgements,\n    MAX(highest) AS highest_grade, MIN(lowest) AS lowest_grade, SUM(fractional) AS fractional_grades, COUNT(DISTINCT topic) AS judged_topics\n  FROM judged_documents\n)`,
  ];
  const columns = [
    'r.run_rows',
    'j.judged_rows',
    'r.bad_run_rows',
    'j.bad_judged_rows',
    'j.repeated_judgements',
    'j.highest_grade',
    'j.lowest_grade',
    'j.fractional_grades',
    'j.judged_topics',
    'r.answered_topics',
  ];
  return {
    facts: `WITH ${counted.join(',\n')}\nSELECT ${columns.join(', ')}\nFROM run_facts r CROSS JOIN judged_facts j${dialect.settings}\n`,
    firstTopics: `WITH ${tables.join(',\n')},\nrun_first AS (SELECT MIN(topic) AS topic FROM run_rows),\njudged_first AS (SELECT MIN(topic) AS topic FROM judged)\nSELECT r.topic AS topic, j.topic AS doc\nFROM run_first r CROSS JOIN judged_first j${dialect.settings}\n`,
    badRank: run.columns?.isRank
      ? `WITH ${tables[0]}\nSELECT topic, ${dialect.number(0)} - score AS stated_rank, COUNT(*) AS num_rows\nFROM run_rows\nGROUP BY topic, score\nHAVING COUNT(*) > 1 OR score > 0 OR score < -${MAX_RANK} OR score <> FLOOR(score)\nLIMIT 1${dialect.settings}\n`
      : undefined,
    repeated: `WITH ${tables[0]}\nSELECT topic, doc\nFROM run_rows\nGROUP BY topic, doc\nHAVING COUNT(*) > 1\nLIMIT 1${dialect.settings}\n`,
  };
}

/** The facts from the line that an engine answers with. */
export function factsOf(line: readonly unknown[]): SqlFacts {
  const numbers = line.map((value) => Number(value ?? 0));
  const [runRows, qrelsRows, badRunRows, badQrelsRows, repeatedJudgements] = numbers;
  const [highestGrade, lowestGrade, fractionalGrades, judgedTopics, answeredTopics] = numbers.slice(5);
  const grades = { highestGrade, lowestGrade, fractionalGrades };
  return { runRows, qrelsRows, badRunRows, badQrelsRows, repeatedJudgements, ...grades, judgedTopics, answeredTopics };
}

/** Refuses tables from which no right number can come. */
export function refuseBadTables(facts: SqlFacts, runSource: string, qrelsSource: string): void {
  const problems: Problem[] = [];
  const rows = (count: number): string => `${count} ${count === 1 ? 'row has' : 'rows have'}`;
  const wayOut = 'every row needs a topic, a document and a number; look for empty cells and NaN';
  if (facts.runRows === 0) problems.push({ source: runSource, message: 'holds no rows' });
  if (facts.qrelsRows === 0) problems.push({ source: qrelsSource, message: 'holds no rows' });
  if (facts.badRunRows > 0)
    problems.push({ source: runSource, message: `${rows(facts.badRunRows)} no topic, document or finite score`, wayOut });
  if (facts.badQrelsRows > 0) {
    problems.push({ source: qrelsSource, message: `${rows(facts.badQrelsRows)} no topic, document or finite grade`, wayOut });
  }
  if (facts.repeatedJudgements > 0) {
    problems.push({
      source: qrelsSource,
      message: `${facts.repeatedJudgements === 1 ? '1 document is' : `${facts.repeatedJudgements} documents are`} judged more than once for the same topic`,
      wayOut: 'keep one line per topic and document',
    });
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** The error that a run has a document twice. */
export function repeatedDocument(source: string, topic: string, doc: string): InputError {
  return new InputError({
    source,
    message: `topic ${printable(topic, 60)}: document ${printable(doc, 60)} appears more than once in the run`,
    wayOut: 'keep one line per topic and document',
  });
}

/** The error that something is wrong with the ranks of a run that has no scores. */
export function badRankError(source: string, topic: string, rank: number, count: number): InputError {
  const where = `topic ${printable(topic, 60)}`;
  return count > 1
    ? new InputError({ source, message: `${where}: ${count} documents have rank ${rank}`, wayOut: 'give each document a rank of its own' })
    : new InputError({ source, message: `${where}: expected ${RANK_WORDS}, found ${rank}`, wayOut: 'correct the ranks' });
}

/** A table of scores from the lines of an answer, which may come in any order. Topics are put in byte order, so that every
 *  mean is taken in the same order whichever engine answered. */
export function scoreTableOf({ measures }: CompiledSql, rows: Iterable<TopicRow>, name: string, options: PlanOptions = {}): ScoreTable {
  const sorted = Array.from(rows, (row) => ({ ...row, bytes: bytesOf(row.topic) })).sort((a, b) =>
    compareBytes(a.bytes, 0, a.bytes.length, b.bytes, 0, b.bytes.length),
  );
  const width = measures.length;
  const values = new Float64Array(sorted.length * width);
  const otherwise = measures.map((measure) => undefinedValueOf(measure, options));
  for (const [t, { topic, values: given }] of sorted.entries()) {
    for (let m = 0; m < width; m++) {
      const value = given[m];
      if (value === null && hasNoValue(measures[m])) throw beyondScale(measures[m], topic);
      values[t * width + m] = value ?? otherwise[m];
    }
  }
  return new ScoreTable(
    [name],
    sorted.map(({ topic }) => topic),
    scoreColumns(measures),
    values,
  );
}

/** True for a measure that is defined everywhere, so that no value can only mean a grade it cannot take. */
function hasNoValue({ def, params }: Measure): boolean {
  return def.undefinedValue === undefined && typeof params.empty !== 'string';
}

function beyondScale(measure: Measure, topic: string): InputError {
  return new InputError({
    message: `${measure.text}: topic ${printable(topic, 60)} has a grade above the top of the scale`,
    wayOut: "name the highest grade, as in ERR(max_rel=5), or take that of the judgements with max_rel='data'",
  });
}

function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(textCapacity(text));
  return bytes.subarray(0, writeText(bytes, 0, text));
}
