import { defaultRules, type JudgingRules } from '../core/judging/judging-rules.js';
import { InputError, type Problem } from '../core/problem.js';
import type { Measure } from '../measures/measure.js';
import { emptyValue } from '../measures/measure.js';
import type { PlanOptions } from '../measures/plan.js';
import type { Dialect } from './dialect.js';
import { countExpressions } from './express-counts.js';
import { gainExpressions } from './express-gains.js';
import { precisionExpressions } from './express-precision.js';
import type { Expressions } from './expression.js';
import { NotInSql } from './not-in-sql.js';
import { type Expression, Query } from './query.js';
import type { Ranking } from './ranking.js';

const expressions: Expressions = { ...countExpressions, ...precisionExpressions, ...gainExpressions };

/** The names of all measures that have a form in SQL. Some of their parameters may not; `whyNotInSql` tells. */
export const measuresInSql: readonly string[] = Object.keys(expressions);

/** A table as a query sees it. */
export interface TableSource {
  /** What stands behind FROM: a quoted name, or a call with quoted arguments. `tableName` makes one. */
  readonly relation: string;
  /** The columns by what they hold; *topic*, *doc*, and *score* or *grade* by default. */
  readonly columns?: TableColumns | undefined;
}

/** What the columns of a table are called, where they have other names than the usual ones. */
export interface TableColumns {
  readonly topic?: string | undefined;
  readonly doc?: string | undefined;
  /** The score of a run or the grade of judgements. */
  readonly value?: string | undefined;
  /** Whether the value of a run is its rank, of which the lowest is best. */
  readonly isRank?: boolean | undefined;
}

/** What a query is to compute, from which tables, and for which database. */
export interface SqlRequest {
  readonly dialect: Dialect;
  readonly measures: readonly Measure[];
  readonly run: TableSource;
  readonly qrels: TableSource;
  readonly rules?: Partial<JudgingRules> | undefined;
  /** `highestGrade` is needed by measures that scale grades by it, unless they name one. */
  readonly options?: PlanOptions | undefined;
}

/** A query whose answer is a line for each topic: the topic, and a column m1, m2 … for each measure. */
export interface CompiledSql {
  readonly text: string;
  readonly dialect: Dialect;
  readonly measures: readonly Measure[];
}

/** A table by its name; the parts of a qualified name are quoted one by one, and may hold any character. */
export function tableName(dialect: Dialect, ...parts: readonly string[]): string {
  if (parts.length === 0 || parts.some((part) => part === '')) {
    throw new InputError({
      message: `"${parts.join('.')}" is not the name of a table`,
      wayOut: 'give a name such as runs or catalog.schema.runs',
    });
  }
  return parts.map((part) => dialect.identifier(part)).join('.');
}

/** Compiles measures to one SQL query.
 *  @throws An `InputError` that names every measure which has no form in SQL, and why. */
export function compileSql(request: SqlRequest): CompiledSql {
  const { dialect, measures, options = {} } = request;
  const rules: JudgingRules = { ...defaultRules, ...request.rules };
  const query = new Query(dialect, options);
  const problems: Problem[] = [];
  const values = measures.map((measure) => {
    try {
      return measureValue(query, measure, rules);
    } catch (error) {
      if (!(error instanceof NotInSql)) throw error;
      problems.push(notInSql(measure, error.reason));
      return '';
    }
  });
  if (rules.scorePrecision === 'float32' && dialect.float32 === undefined) {
    problems.push({
      message: `${dialect.title} has no 32-bit numbers to compare scores by`,
      wayOut: 'round the scores when the table is made, or choose a convention that compares 64-bit numbers',
    });
  }
  if (problems.length > 0) throw new InputError(problems);
  return { text: queryText(request, query, rules, values), dialect, measures };
}

/** Why a measure has no form in SQL; undefined if it has one. */
export function whyNotInSql(
  measure: Measure,
  dialect: Dialect,
  rules: Partial<JudgingRules> = {},
  options: PlanOptions = {},
): string | undefined {
  try {
    measureValue(new Query(dialect, options), measure, { ...defaultRules, ...rules });
    return undefined;
  } catch (error) {
    if (error instanceof NotInSql) return error.reason;
    throw error;
  }
}

function notInSql({ text }: Measure, reason: string): Problem {
  return { message: `${text} cannot be computed in SQL: ${reason}`, wayOut: 'leave it out, or evaluate in process, without --engine' };
}

/** The value of a measure, with what it is worth on topics that hold nothing to be found. */
function measureValue(query: Query, measure: Measure, rules: JudgingRules): string {
  const { def, params } = measure;
  if (def.bind === undefined)
    throw new NotInSql(`it is not computed from rankings with grades but from ${def.needs ?? 'other judgements'}`);
  if (params.groups !== undefined) throw new NotInSql('judgements by groups are not a plain table');
  for (const name of ['scores', 'negatives', 'unanswered', 'least', 'decimals']) {
    if (params[name] !== undefined) throw new NotInSql(`${name} is for evaluation in process only`);
  }
  if (rules.negativeGrades !== 'unjudged') throw new NotInSql('negative grades count as not judged there');
  if (params.cwl !== undefined) throw new NotInSql('the weights of cwl depend on the whole ranking at once');
  const express = Object.hasOwn(expressions, def.name) ? expressions[def.name] : undefined;
  if (express === undefined) throw new NotInSql('it has no form in SQL yet');
  const own: JudgingRules = {
    ...rules,
    ties: (params.ties as JudgingRules['ties'] | undefined) ?? def.ties ?? rules.ties,
    judgedOnly: params.judged_only === true || rules.judgedOnly,
  };
  const ranking: Ranking = query.ranking(own);
  const expression: Expression = { query, ranking, measure, rules: own };
  const expressed = express(expression);
  const { value, isEmpty } = typeof expressed === 'string' ? { value: expressed, isEmpty: undefined } : expressed;
  if (params.empty === undefined) return value;
  const rel = params.rel as number | undefined;
  const nothing = isEmpty?.() ?? `${rel === undefined ? query.judgedSum(query.oneIf('grade > 0')) : query.numRelevant(rel)} = 0`;
  const whenEmpty = emptyValue(params.empty);
  const otherwise = def.undefinedValue === undefined ? value : `COALESCE(${value}, ${query.number(def.undefinedValue)})`;
  return `CASE WHEN ${nothing} THEN ${Number.isNaN(whenEmpty) ? 'NULL' : query.number(whenEmpty)} ELSE ${otherwise} END`;
}

/** The statement, table after table from the files to the values. */
function queryText({ dialect, measures, run, qrels }: SqlRequest, query: Query, rules: JudgingRules, values: readonly string[]): string {
  const rankings = [...query.rankings.values()];
  const zero = query.number(0);
  const isDropping = rules.ownDocument === 'dropped';
  const judgedAnswers = 'FROM run_rows\n  WHERE topic IN (SELECT topic FROM judged_topics)';
  const tables = [
    ...sourceTables(dialect, qrels, run, rules),
    judgedTopics(query),
    `answers AS (\n  SELECT topic, doc, score\n  ${judgedAnswers}${isDropping ? ' AND doc <> topic' : ''}\n)`,
    // a topic of which nothing is left was answered all the same
    isDropping
      ? `sizes AS (\n  SELECT topic, SUM(CASE WHEN doc <> topic THEN 1 ELSE 0 END) AS size\n  ${judgedAnswers}\n  GROUP BY topic\n)`
      : 'sizes AS (\n  SELECT topic, COUNT(*) AS size\n  FROM answers\n  GROUP BY topic\n)',
  ];
  for (const ranking of rankings) tables.push(...ranking.tables());
  for (const { lines, source, gain, condition } of query.ideals.values()) {
    const limit = lines.deepest < Infinity ? `\n  WHERE place <= ${lines.deepest}` : '';
    tables.push(
      `${lines.name}_gains AS (\n  SELECT topic, ${gain} AS gain\n  FROM ${source}\n  WHERE ${condition}\n)`,
      `${lines.name}_ranked AS (\n  SELECT topic, gain, ROW_NUMBER() OVER (PARTITION BY topic ORDER BY gain DESC) AS place\n  FROM ${lines.name}_gains\n  WHERE gain > 0\n)`,
      `${lines.name}_cut AS (\n  SELECT topic, gain, place\n  FROM ${lines.name}_ranked${limit}\n)`,
      ...lines.tables(`${lines.name}_cut`, ['gain']),
    );
  }

  // one line per topic with everything that the measures are made of
  const used = [...rankings.map(({ lines }) => lines), ...Array.from(query.ideals.values(), ({ lines }) => lines)].filter(
    (lines) => lines.isUsed,
  );
  const columns = [
    't.topic AS topic',
    ...Array.from(query.judgedSums.values(), (name) => `t.${name} AS ${name}`),
    ...rankings.flatMap((ranking) => ranking.sizes()),
    ...used.flatMap((lines) => lines.finished(zero)),
  ];
  const joins = used.map(({ name }) => `\n    LEFT JOIN ${name}_totals ON ${name}_totals.topic = t.topic`).join('');
  const skip = rules.missingTopics === 'skip' ? '\n  WHERE s.topic IS NOT NULL' : '';
  tables.push(
    `facts AS (\n  SELECT ${columns.join(',\n    ')}\n  FROM judged_topics t\n    LEFT JOIN sizes s ON s.topic = t.topic${joins}${skip}\n)`,
  );
  const names = measures.map(({ text }, m) => `-- m${m + 1}: ${text.replace(/[^\x20-\x7e]/g, '?')}`);
  const results = values.map((value, m) => `${value} AS m${m + 1}`);
  return `${[...names, `WITH ${tables.join(',\n')}`].join('\n')}\nSELECT ${['topic', ...results].join(',\n  ')}\nFROM facts${dialect.settings}\n`;
}

/** The run and the judgements as the rest of a query sees them. */
export function sourceTables(dialect: Dialect, qrels: TableSource, run: TableSource, rules: JudgingRules): string[] {
  const value = `CAST(r.${dialect.identifier(run.columns?.value ?? 'score')} AS ${dialect.double})`;
  const score = scoreExpression(dialect, run.columns?.isRank ? `-${value}` : value, rules);
  return [
    `run_rows AS (\n  SELECT ${idColumns(dialect, run)},\n    ${score} AS score\n  FROM ${run.relation} r\n)`,
    `judged AS (\n  SELECT ${idColumns(dialect, qrels)},\n    CAST(r.${dialect.identifier(qrels.columns?.value ?? 'grade')} AS ${dialect.double}) AS grade\n  FROM ${qrels.relation} r\n)`,
  ];
}

function idColumns(dialect: Dialect, { columns }: TableSource): string {
  const topic = `CAST(r.${dialect.identifier(columns?.topic ?? 'topic')} AS ${dialect.text}) AS topic`;
  return `${topic},\n    CAST(r.${dialect.identifier(columns?.doc ?? 'doc')} AS ${dialect.text}) AS doc`;
}

/** A score as it is compared: to 32 bits if the rules say so, and without a zero that is negative. */
function scoreExpression(dialect: Dialect, score: string, { scorePrecision }: JudgingRules): string {
  if (scorePrecision === 'float32' && dialect.float32 !== undefined) return score32(dialect, score, dialect.float32);
  return `CASE WHEN ${score} = 0 THEN ${dialect.number(0)} ELSE ${score} END`;
}

/** Numbers from here on are infinite in 32 bits. */
const INFINITE_32 = 2 ** 128 - 2 ** 103;
/** Numbers up to here are 0 in 32 bits. */
const ZERO_32 = 2 ** -150;

/** A score in 32 bits. Some engines refuse to round what becomes infinite or 0, so that is not left to them; every infinite score is
 *  the same number, beyond all that are finite. */
function score32(dialect: Dialect, score: string, float32: string): string {
  const cases = [
    `WHEN ABS(${score}) <= ${dialect.number(ZERO_32)} THEN ${dialect.number(0)}`,
    `WHEN ${score} >= ${dialect.number(INFINITE_32)} THEN ${dialect.number(INFINITE_32)}`,
    `WHEN ${score} <= ${dialect.number(-INFINITE_32)} THEN ${dialect.number(-INFINITE_32)}`,
  ];
  return `CASE ${cases.join(' ')} ELSE CAST(CAST(${score} AS ${float32}) AS ${dialect.double}) END`;
}

function judgedTopics(query: Query): string {
  const columns = ['topic', ...Array.from(query.judgedSums, ([text, name]) => `${text} AS ${name}`)];
  return `judged_topics AS (\n  SELECT ${columns.join(',\n    ')}\n  FROM judged\n  GROUP BY topic\n)`;
}
