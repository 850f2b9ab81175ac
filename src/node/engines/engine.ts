import type { JudgingRules } from '../../core/judge.js';
import { InputError } from '../../core/problem.js';
import type { ScoreTable } from '../../core/score-table.js';
import type { Columns } from '../../formats/columns.js';
import type { Measure } from '../../measures/measure.js';
import type { PlanOptions } from '../../measures/plan.js';
import type { SqlFacts } from '../../sql/result.js';

/** What an engine is asked to do. */
export interface EngineRequest {
  /** Path or pattern of the judgements. */
  readonly qrels: string;
  /** Path or pattern of each run; the files that a pattern names are one run together. */
  readonly runs: readonly string[];
  readonly measures: readonly Measure[];
  readonly rules?: Partial<JudgingRules> | undefined;
  readonly planOptions?: PlanOptions | undefined;
  readonly columns?: Columns | undefined;
  /** Take it on trust that no topic of a run has a document twice, which is as much work to find out as the measures are. */
  readonly trustUnique?: boolean | undefined;
  readonly threads?: number | undefined;
  /** How much memory the engine may take, such as `2GB`. */
  readonly memoryLimit?: string | undefined;
  /** Whether DuckDB may read addresses such as `s3://…`; Spark reads where its user sends it. */
  readonly allowNetwork?: boolean | undefined;
  /** Called from time to time with what is being done, and with the share of it that is done, from 0 to 1, where that is known. */
  readonly onProgress?: ((doing: string, share: number | undefined) => void) | undefined;
}

/** Where a result comes from, so that it can be had again. */
export interface Provenance {
  readonly engine: string;
  readonly version: string;
  /** SHA-256 of the SQL text, in hexadecimal digits. */
  readonly sqlSha256?: string;
  readonly runRows: number;
  readonly qrelsRows: number;
}

export interface EngineRun {
  readonly path: string;
  readonly table: ScoreTable;
  readonly facts: SqlFacts;
  readonly sql: string;
  readonly provenance: Provenance;
}

export async function sha256(text: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

/** The error that a package is not there which is only installed by those who want it. */
export function missingPackage(name: string, purpose: string): InputError {
  return new InputError({ message: `${purpose} needs the package ${name}, which is not installed`, wayOut: `npm install ${name}` });
}

/** True for an error that says a package cannot be found, as opposed to one that it threw. */
export function isMissingModule(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
