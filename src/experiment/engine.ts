import type { JudgingRules } from '../core/judging/judge.js';
import type { ScoreTable } from '../core/score-table.js';
import type { FeatureTableOptions } from '../formats/letor/feature-rows.js';
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

/** What can be set for an engine that trains. */
export interface TrainingEngineSettings extends Pick<EngineSettings, 'master' | 'conf'> {
  /** The Python that has the trainer, such as `venv/bin/python`; `python3` by default. */
  readonly python?: string | undefined;
  /** How many tasks train together, each on its share of the queries; by default as many as the cluster has cores. */
  readonly workers?: number | undefined;
}

/** The settings of a trainer of another tool, under its own names. */
export type TrainerParameters = Readonly<Record<string, number | string | boolean>>;

/** What an engine is asked to train. */
export interface EngineTrainingRequest extends TrainingEngineSettings, Pick<FeatureTableOptions, 'columns' | 'features' | 'ignore'> {
  /** Paths or patterns of tables with a row for each document. */
  readonly train: readonly string[];
  readonly trees: number;
  /** @param numDocuments how many there are, as far as that is known before */
  readonly parametersFor: (numDocuments: number) => TrainerParameters;
  /** The highest label that the trainer takes, and whether labels must be whole numbers. */
  readonly labels: { readonly highest: number; readonly isWhole: boolean };
  /** Labels from this one on count as 1, others as 0; undefined where labels stay as they are. */
  readonly relevantFrom?: number | undefined;
  /** A file where what is trained so far is kept, and from which an ended training goes on. */
  readonly checkpoint?: string | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called with what a person should know of the course of it. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** What an engine has trained. */
export interface EngineTraining {
  /** The model as the other tool writes it. */
  readonly model: Uint8Array;
  readonly featureNames: readonly string[];
  readonly parameters: TrainerParameters;
  /** The engine and the trainer, with their versions. */
  readonly trainer: string;
  readonly documents: number;
  readonly queries: number;
  readonly workers: number;
}

/** A trainer that reads the training data itself, on any number of machines. */
export type TrainingEngine = (request: EngineTrainingRequest) => Promise<EngineTraining>;
