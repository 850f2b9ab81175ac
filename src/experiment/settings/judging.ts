import { conventionNames, gradusConvention } from '../../conventions/registry.js';
import { tieRules } from '../../core/judging/judging-rules.js';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { ChoiceSettings, ColumnSettings } from '../../formats/tables/chosen-columns.js';
import { parseColumns } from '../../formats/tables/columns.js';
import { parseGradeWords } from '../../formats/tables/grade-words.js';
import type { EngineSettings } from '../engine.js';
import type { ReadingSettings } from '../material.js';
import { type JudgingSettings, readMeasuresOfAll } from '../plan.js';
import type { ScoringManner } from '../score.js';
import { settingLabels } from './labels.js';
import { listOf, type Setting, type SettingsOf } from './setting.js';

/** Measures as they are written. */
export const measureList: Setting<readonly string[]> & { readonly value: string; readonly repeatable: true } = {
  short: 'm',
  value: 'MEASURE',
  repeatable: true,
  help: 'a measure, or several separated by blanks',
  complete: 'measure',
  check: (text) => void readMeasuresOfAll([text]),
};

/** Conventions by their names, separated by commas. */
export const conventionList: Omit<Setting<readonly string[]>, 'help'> & { readonly value: string; readonly repeatable: true } = {
  value: 'NAMES',
  repeatable: true,
  complete: 'convention',
  read: (text) => listOf(text).flatMap((name) => name.trim() || []),
};

/** By what and by whose rules rankings are judged. */
export const judgingSettings: SettingsOf<Omit<JudgingSettings, 'rules'>> = {
  measures: { ...measureList, label: settingLabels.measures },
  rel: {
    label: settingLabels.rel,
    type: 'number',
    short: 'l',
    value: 'GRADE',
    help: 'the lowest grade that counts as relevant, for measures that do not say so themselves',
    defaultText: '1',
  },
  depth: {
    label: settingLabels.depth,
    type: 'integer',
    short: 'M',
    value: 'N',
    min: 1,
    help: 'look only at the first N documents of each ranking',
  },
  judgedOnly: { label: settingLabels.judgedOnly, short: 'J', help: 'take documents without a judgement out of the rankings first' },
  ties: {
    label: settingLabels.ties,
    value: 'ORDER',
    choices: tieRules,
    choiceTexts: {
      docno: 'by document id, descending',
      'docno-ascending': 'by document id, ascending',
      file: 'as in the file',
      rank: 'by the rank that the file states',
      quicksort: 'as the quicksort of ranx leaves them',
      optimistic: 'best grade first',
      pessimistic: 'worst grade first',
      expected: 'mean over all orders',
    },
    help: 'how equal scores are ordered',
    defaultText: 'docno, or as the convention has it',
  },
  missing: {
    label: settingLabels.missing,
    value: 'POLICY',
    choices: ['zero', 'skip', 'error'],
    choiceTexts: { zero: 'count as empty rankings', skip: 'are left out', error: 'are refused' },
    help: 'judged topics that a run does not answer',
    defaultText: 'zero, or as the convention has it',
  },
  convention: {
    label: settingLabels.convention,
    value: 'NAME',
    choices: conventionNames(),
    default: gradusConvention.name,
    help: 'whose rules to follow',
    complete: 'convention',
  },
};

/** How files are read. */
export const readingSettings: SettingsOf<ReadingSettings> &
  Readonly<Record<Exclude<keyof ColumnSettings, keyof ChoiceSettings>, { readonly repeatable: true }>> = {
  lenient: { help: 'skip lines that cannot be read and say how many there were, instead of stopping' },
  groups: { help: "keep the second column of the judgements, for measures such as AP(groups='mean')" },
  columns: {
    value: 'LIST',
    repeatable: true,
    help: 'which column of CSV, TSV, JSONL and Parquet files is what, such as topic=q,doc=d,score=s,grade=g; rank=r instead of score=s ranks by a column in which 1 is best; numbers count columns from 1',
    read: parseColumns,
  },
  judgementColumns: { value: 'LIST', repeatable: true, help: 'the same for the judgements only', read: parseColumns },
  run: { value: 'NAME', help: 'which run, of files that hold several' },
  subset: { value: 'NAME', help: 'which subset, of files that hold several' },
  judges: { value: 'HOW', help: 'what counts if judges disagree: mean, median, majority, or the name of one judge' },
  topic: {
    value: 'ID',
    help: 'the topic of a search result, which does not name its query',
    defaultText: 'the name of the file',
  },
  runColumns: { value: 'LIST', repeatable: true, help: 'the same for the runs only', read: parseColumns },
  grades: {
    value: 'LIST',
    repeatable: true,
    help: 'numbers for grades that are words or letters, such as E=3,S=2,C=1,I=0',
    read: parseGradeWords,
  },
};

/** What is known of the readers, for the measures that ask. */
export const readerSettings: SettingsOf<{ readonly known: string; readonly expected: string }> = {
  known: {
    value: 'FILE',
    file: 'input',
    help: 'documents that the reader of each topic knows already, for Coverage and Novelty: judgements whose second column is the reader',
  },
  expected: {
    value: 'FILE',
    file: 'input',
    help: 'how many relevant documents the reader of each topic expects, for RelativeRecall and RecallEffort: lines of a topic and a number',
  },
};

/** How the work is done and what runs are called; no number depends on it. */
export const scoringSettings: SettingsOf<Pick<ScoringManner, 'names' | 'threads'>> = {
  names: {
    value: 'NAME',
    repeatable: true,
    help: 'the name of a run, one for each run in order',
    defaultText: 'its tag',
  },
  threads: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: limits.threads,
    help: `how many threads may work, at most ${limits.threads}; the result is the same with any number`,
    defaultText: 'one for each core, fewer where too few files may be open',
  },
};

/** Which engine computes in place of this program, and its settings. */
export const engineSettings: SettingsOf<EngineSettings & { readonly engine: string }> = {
  engine: {
    value: 'NAME',
    choices: ['duckdb', 'spark'],
    choiceTexts: { duckdb: 'inside this program and within --memory-limit', spark: 'on the cluster that --master names' },
    help: 'who computes; files may then be patterns, such as "run/*.parquet", and directories',
    defaultText: 'this program itself',
  },
  memoryLimit: {
    value: 'SIZE',
    help: 'memory limit of the engine, such as 2GB; what does not fit is spilled to temporary files',
    read: readSize,
  },
  master: {
    value: 'URL',
    default: 'local[*]',
    help: 'the cluster for --engine spark, such as spark://host:7077, yarn or local[4]',
  },
  conf: {
    value: 'NAME=VALUE',
    repeatable: true,
    help: 'a setting that --engine spark passes on, such as spark.executor.memory=2g',
  },
  allowNetwork: {
    help: 'let --engine duckdb read addresses such as s3://bucket/run.parquet, and fetch its extension for that; without it DuckDB reads the files that are named and nothing else',
  },
  trustUnique: {
    help: 'with --engine, do not check the run for duplicate documents, which takes as long as the measures',
  },
};

function readSize(text: string): string {
  if (/^[1-9][0-9]*(\.[0-9]+)?\s*([KMGT]i?B)$/i.test(text)) return text;
  throw new InputError({ message: `expected a size such as 2GB, found ${text}` });
}
