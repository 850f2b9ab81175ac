import { unrelated } from '../core/common-topics.js';
import { type JudgingRules, judgedTopicsAnswered } from '../core/judge.js';
import { defaultRules } from '../core/judging-rules.js';
import type { Qrels } from '../core/qrels.js';
import { ScoreTable } from '../core/score-table.js';
import { readText } from '../core/text.js';
import { ChosenColumns } from '../formats/chosen-columns.js';
import type { Columns } from '../formats/columns.js';
import type { Skipped } from '../formats/reader.js';
import { parseTopicCounts } from '../formats/topic-counts.js';
import { firstTrecTopic, ORDER_HEAD, trecOrderNotes } from '../formats/trec-order.js';
import { canBeStreamed, evaluator, needsGroups, needsRanks } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { type PlanOptions, planOptionsFor, scoreColumns } from '../measures/plan.js';
import { evaluateBySpilling } from './engines/spill.js';
import { readFirst } from './files.js';
import { loadQrels, loadRun } from './load.js';
import { evaluateRunFile } from './stream-evaluate.js';
import { readWholeText } from './whole-file.js';

export interface EvaluateFilesRequest {
  /** Path of the judgements, in any format that can be read, or of a learning-to-rank test file; `-` is standard input. */
  readonly qrels: string;
  readonly runs: readonly string[];
  readonly measures: readonly Measure[];
  readonly rules?: Partial<JudgingRules> | undefined;
  readonly planOptions?: PlanOptions | undefined;
  /** Skip what cannot be read instead of refusing the file. */
  readonly lenient?: boolean | undefined;
  /** Keep the second column of the judgements. */
  readonly keepGroups?: boolean | undefined;
  /** Path of the documents that the reader of each topic knows already, in a format of judgements; its groups are readers. */
  readonly known?: string | undefined;
  /** Path of the number of relevant documents that the reader of each topic expects. */
  readonly expected?: string | undefined;
  /** Which column of CSV, TSV, JSONL and Parquet files is what, where the names do not say so. */
  readonly columns?: Columns | undefined;
  readonly threads?: number | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number, run: string) => void) | undefined;
}

export interface FileEvaluation {
  readonly path: string;
  readonly table: ScoreTable;
  /** Judged topics that the run does not answer. */
  readonly numMissing: number;
  /** How many documents the run ranks, over all topics. */
  readonly numRows: number;
  /** What lenient reading left out. */
  readonly skipped: Skipped | undefined;
}

export interface FilesEvaluation {
  readonly qrels: Qrels;
  readonly qrelsSkipped: Skipped;
  readonly runs: readonly FileEvaluation[];
}

/** Evaluates run files against a file of judgements. Plain TREC runs are read stretch by stretch on all cores and never
 *  held in memory; large ones whose topics are scattered go to temporary files first, topic by topic; anything else is read in
 *  full. */
export async function evaluateFiles(request: EvaluateFilesRequest): Promise<FilesEvaluation> {
  const { measures, lenient, threads } = request;
  const chosen = new ChosenColumns(request.columns);
  const groups = request.keepGroups === true || needsGroups(measures);
  const { qrels, skipped: qrelsSkipped, lists } = await loadQrels(request.qrels, { lenient, groups, ...chosen.options });
  const rules = { ...defaultRules, ...request.rules };
  const planOptions = planOptionsFor(qrels, measures, request.planOptions);
  const streamable = lists === undefined && canBeStreamed(measures, rules);
  const known = request.known === undefined ? undefined : (await loadQrels(request.known, { groups: true })).qrels;
  const expected = request.expected === undefined ? undefined : parseTopicCounts(await readWholeText(request.expected), request.expected);
  const prepared = evaluator(qrels, measures, { ...rules, ...planOptions, known, expected, unrelated: 'accept' });

  if (qrels.topics.size === 0) throw unrelated({ first: undefined }, qrels, { qrels: request.qrels });
  const runs: FileEvaluation[] = [];
  /** Keeps the scores of a run that answers at least one judged topic. */
  const keep = (evaluation: FileEvaluation, firstTopic: () => string | undefined): void => {
    if (evaluation.numMissing === qrels.topics.size) {
      throw unrelated({ first: firstTopic() }, qrels, { run: evaluation.path, qrels: request.qrels });
    }
    runs.push(evaluation);
  };
  for (const path of request.runs) {
    const onProgress = request.onProgress && ((done: number, total: number) => request.onProgress?.(done, total, path));
    const scores = streamable
      ? await evaluateRunFile({ path, qrels, measures, rules, planOptions, grammar: 'strict', comments: true, threads, onProgress })
      : undefined;
    if (scores !== undefined) {
      const { topics, answered, values, runTag, numLines } = scores;
      const names = Array.from(topics, (topic) => qrels.topics.text(topic));
      const head = readFirst(path, ORDER_HEAD);
      const notes = trecOrderNotes(head);
      const table = new ScoreTable([readText(runTag, 0, runTag.length)], names, scoreColumns(measures), values, notes);
      const numAnswered = answered.reduce((sum, one) => sum + one, 0);
      keep({ path, table, numMissing: qrels.topics.size - numAnswered, numRows: numLines, skipped: undefined }, () => firstTrecTopic(head));
      continue;
    }
    const spilled =
      streamable && lenient !== true ? await evaluateBySpilling({ path, qrels, measures, rules, planOptions, onProgress }) : undefined;
    if (spilled !== undefined) {
      const { table, numMissing, numRows } = spilled;
      const head = readFirst(path, ORDER_HEAD);
      const noted = table.withNotes(trecOrderNotes(head) ?? []);
      keep({ path, table: noted, numMissing, numRows, skipped: undefined }, () => firstTrecTopic(head));
    } else {
      // a reader that can leave out the rows of other topics does so
      const judgedTopics = new Set(Array.from({ length: qrels.topics.size }, (_, topic) => qrels.topics.text(topic)));
      const { run, skipped } = await loadRun(path, {
        lenient,
        ranks: needsRanks(measures, rules),
        ...chosen.options,
        topics: judgedTopics,
        lists,
      });
      const numMissing = qrels.topics.size - judgedTopicsAnswered(run, qrels);
      keep({ path, table: prepared.evaluate(run), numMissing, numRows: run.scores.length, skipped }, () =>
        run.topics.size === 0 ? undefined : run.topics.text(0),
      );
    }
  }
  chosen.refuseUnused();
  return { qrels, qrelsSkipped, runs };
}
