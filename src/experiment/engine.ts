import type { JudgingRules } from '../core/judging/judge.js';
import type { ScoreTable } from '../core/score-table.js';
import type { ColumnSettings } from '../formats/tables/chosen-columns.js';
import type { Measure } from '../measures/measure.js';
import type { PlanOptions } from '../measures/plan.js';
import type { SqlFacts } from '../sql/result.js';

/** What can be set for an engine only. */
export interface EngineSettings {
  /** Take it on trust that no topic of a run has a document twice, which is as much work to find out as the measures are. */
  readonly trustUnique?: boolean | undefined;
  /** How much memory the engine may take, such as `2GB`. */
  readonly memoryLimit?: string | undefined;
  /** Whether DuckDB may read addresses such as `s3://…`; Spark reads where its user sends it. */
  readonly allowNetwork?: boolean | undefined;
  /** The address of Spark's cluster; all cores of this machine by default. */
  readonly master?: string | undefined;
  /** What is passed on to Spark, such as `spark.executor.memory=2g`. */
  readonly conf?: readonly string[] | undefined;
}

/** What an engine is asked to do. */
export interface EngineRequest extends EngineSettings, ColumnSettings {
  /** Path or pattern of the judgements. */
  readonly qrels: string;
  /** Path or pattern of each run; the files that a pattern names are one run together. */
  readonly runs: readonly string[];
  readonly measures: readonly Measure[];
  readonly rules?: Partial<JudgingRules> | undefined;
  readonly planOptions?: PlanOptions | undefined;
  readonly threads?: number | undefined;
  /** Called from time to time with what is being done, and with the share of it that is done, from 0 to 1, where that is known. */
  readonly onProgress?: ((doing: string, share: number | undefined) => void) | undefined;
}

/** Where a result comes from, so that it can be had again. */
export interface ScoreOrigin {
  readonly engine: string;
  readonly version: string;
  /** SHA-256 of the SQL text, in hexadecimal digits. */
  readonly sqlSha256?: string;
  readonly runRows: number;
  readonly qrelsRows: number;
}

/** A program that reads and scores files itself. */
export type Engine = (request: EngineRequest) => Promise<readonly EngineRun[]>;

/** What an engine says of one run. */
export interface EngineRun {
  readonly path: string;
  readonly table: ScoreTable;
  readonly facts: SqlFacts;
  readonly sql: string;
  readonly origin: ScoreOrigin;
}
