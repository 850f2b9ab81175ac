import { existsSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { InputError, printable } from '../../core/problem.js';
import type { EngineTraining, EngineTrainingRequest } from '../../experiment/engine.js';
import { featureUse } from '../../formats/letor/feature-rows.js';
import { openSource, withParts } from '../../formats/source.js';
import { OpenParquet } from '../../formats/tables/parquet-table.js';
import { runProgram } from '../child-program.js';
import { withTemporaryFolder, writeTemporary } from '../cleanup.js';
import { filesBehind } from '../file-patterns.js';
import { fileSource } from '../files.js';
import { checkSettings, refusePattern } from './spark.js';
import { sparkTrainer } from './spark-trainer.js';
import { isAddress } from './table-files.js';

/** What Spark is to train, and on which cluster. */
export interface SparkTrainingRequest extends EngineTrainingRequest {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What stands before each answer in the output. */
const MARK = 'gradus answers ';
/** Training is divided into so many parts, after each of which it is saved: what is lost with a machine is a part at most. */
const PARTS = 10;
const PACKAGES = 'pyspark xgboost pandas pyarrow scikit-learn';

/** Trains a ranker with XGBoost on Spark. Both come from the Python that is named, and nothing else is needed on this machine; on the others
 *  of a cluster the same Python must be found. */
export async function trainWithSpark(request: SparkTrainingRequest): Promise<EngineTraining> {
  const { master = 'local[*]', conf = [], workers, trees, checkpoint, onProgress, onNote, environment } = request;
  checkSettings(conf);
  const python = findPython(request.python ?? 'python3', environment);
  const table = await tableOf(request);
  const parameters = request.parametersFor(table.numRows);
  return await withTemporaryFolder('spark-training', async (folder) => {
    const [asked, program, model] = ['request.json', 'train.py', 'model.json'].map((name) => join(folder, name));
    const kept = checkpoint === undefined ? '' : resolve(checkpoint);
    writeTemporary(program, sparkTrainer);
    const { topic, label, features, paths } = table;
    const { highest, isWhole } = request.labels;
    const told = {
      ...{ master, conf, workers: workers ?? 0, paths, topic, label, features, highest, isWhole },
      ...{ relevantFrom: request.relevantFrom ?? null, parameters, trees, model },
      ...{ every: Math.ceil(trees / PARTS), checkpoint: kept, resumes: kept !== '' && existsSync(kept) },
    };
    writeTemporary(asked, JSON.stringify(told));
    const answers: Answer[] = [];
    onProgress?.(0, trees);
    const { stderr, status } = await runProgram(python, [program, asked], {
      cwd: folder,
      environment: { PYSPARK_PYTHON: python, PYSPARK_DRIVER_PYTHON: python, ...environment },
      onLine: (line) => {
        if (!line.startsWith(MARK)) return;
        const answer = JSON.parse(line.slice(MARK.length)) as Answer;
        answers.push(answer);
        if (answer.kind === 'progress') onProgress?.(Math.min(answer.trees, trees), trees);
        if (answer.kind === 'again') onNote?.(`Spark lost a task; training goes on after the first ${answer.trees} trees`);
      },
    });
    const facts = checkedFacts(answers, request, { python, master, stderr, status, checkpoint });
    return {
      model: readFileSync(model),
      featureNames: features,
      parameters,
      trainer: `XGBoost ${facts.xgboost} on Spark ${facts.spark}`,
      documents: facts.rows,
      queries: facts.queries,
      workers: facts.workers,
    };
  });
}

interface Facts {
  readonly kind: 'facts';
  readonly spark: string;
  readonly xgboost: string;
  readonly rows: number;
  readonly unknown: number;
  readonly lowest: number;
  readonly highest: number;
  readonly fractional: number;
  readonly queries: number;
  readonly workers: number;
}

type Answer =
  | Facts
  | { readonly kind: 'progress' | 'again' | 'done'; readonly trees: number }
  | { readonly kind: 'absent'; readonly columns: readonly string[]; readonly found: readonly string[] }
  | { readonly kind: 'words'; readonly columns: readonly string[] }
  | { readonly kind: 'other' }
  | { readonly kind: 'failed'; readonly error: string };

interface Outcome {
  readonly python: string;
  readonly master: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly checkpoint: string | undefined;
}

/** What is known of the data of a training that went well.
 *  @throws An `InputError` that says why there is no model. */
function checkedFacts(
  answers: readonly Answer[],
  { train, labels }: EngineTrainingRequest,
  { python, master, stderr, status, checkpoint }: Outcome,
): Facts {
  const source = train.join(' and ');
  const found = answers.find((answer): answer is Facts => answer.kind === 'facts');
  for (const answer of answers) {
    if (answer.kind === 'absent') {
      throw new InputError({
        source,
        message: `has no column ${answer.columns.map((name) => printable(name)).join(', ')}, found ${answer.found.map((name) => printable(name)).join(', ')}`,
        wayOut: 'say which columns there are with --columns and --features',
      });
    }
    if (answer.kind === 'words') {
      const names = answer.columns.map((name) => printable(name)).join(',');
      throw new InputError({ source, message: `expected numbers in ${names}`, wayOut: `--ignore ${names} leaves columns out` });
    }
    if (answer.kind === 'other') {
      throw new InputError({
        source: checkpoint,
        message: 'what was saved belongs to a training with other data or options',
        wayOut: 'name another --checkpoint FILE, or remove this one to begin again',
      });
    }
    if (answer.kind === 'failed') throw new InputError(failure(answer.error, python, master));
  }
  if (found !== undefined) refuseLabels(found, source, labels);
  if (found === undefined || status !== 0 || !answers.some(({ kind }) => kind === 'done')) {
    const last = stderr
      .split('\n')
      .filter((line) => line.trim() !== '')
      .at(-1);
    throw new InputError(failure(last ?? 'nothing', python, master));
  }
  return found;
}

function refuseLabels(
  { rows, unknown, lowest, highest, fractional }: Facts,
  source: string,
  labels: EngineTrainingRequest['labels'],
): void {
  if (rows === 0) throw new InputError({ source, message: 'has no rows', wayOut: 'check the files' });
  if (unknown > 0) throw new InputError({ source, message: `${unknown} rows have no query or no label`, wayOut: 'remove them' });
  if (lowest < 0) {
    throw new InputError({ source, message: `has a label of ${lowest}, expected labels from 0`, wayOut: 'add as much to all labels' });
  }
  if (highest > labels.highest) {
    throw new InputError({
      source,
      message: `has a label of ${highest}, and XGBoost takes labels up to ${labels.highest} with exponential gain`,
      wayOut: 'optimise nDCG@10, whose gain is linear',
    });
  }
  if (labels.isWhole && fractional > 0) {
    throw new InputError({
      source,
      message: `${fractional} labels are not whole numbers, of which XGBoost would cut the fractions with exponential gain`,
      wayOut: 'optimise nDCG@10, whose gain is linear',
    });
  }
}

function failure(said: string, python: string, master: string) {
  const lacking = /No module named '([\w.]+)'/.exec(said)?.[1];
  if (lacking !== undefined) {
    return {
      source: python,
      message: `has no ${lacking.split('.')[0]}, which trains on Spark`,
      wayOut: `${python} -m pip install ${PACKAGES}`,
    };
  }
  return {
    source: master,
    message: `Spark says: ${printable(said, 300)}`,
    wayOut:
      'see that the cluster runs, that its machines have the same Python and can read the files, and that --workers has as many cores',
  };
}

/** A path to the program: it is started in another folder. */
function findPython(name: string, { PATH: path = '' }: SparkTrainingRequest['environment']): string {
  if (name.includes('/') || name.includes('\\')) return isAbsolute(name) ? name : resolve(name);
  const found = path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((program) => existsSync(program));
  if (found !== undefined) return found;
  throw new InputError({
    message: `${name} was not found on the PATH`,
    wayOut: `name the Python of an environment with ${PACKAGES}: --python venv/bin/python`,
  });
}

interface TrainingTable {
  readonly paths: readonly string[];
  readonly topic: string;
  readonly label: string;
  readonly features: readonly string[];
  /** How many documents there are; more than any number, where nobody can look. */
  readonly numRows: number;
}

/** Which files there are, and which of their columns is what. */
async function tableOf({ train, columns, features, ignore }: SparkTrainingRequest): Promise<TrainingTable> {
  const paths: string[] = [];
  let names: readonly string[] | undefined;
  let numRows = 0;
  for (const path of train) {
    if (isAddress(path)) {
      paths.push(path);
      numRows = Infinity;
      continue;
    }
    const found = filesBehind(path);
    if (found.files.length === 0) {
      throw new InputError({
        source: path,
        message: 'there is no such file',
        wayOut: 'quote the pattern, so that the shell leaves it alone',
      });
    }
    refusePattern({ source: path, pattern: found.pattern, isLiteral: found.isLiteral });
    paths.push(resolve(found.pattern));
    for (const file of found.files) {
      const open = await withParts(await openSource(fileSource(file)), (parts) => OpenParquet.open(parts, file));
      names ??= open.names;
      numRows += open.numRows;
    }
  }
  const uses = names?.map((name) => ({ name, use: featureUse(name, { columns, features, ignore }) }));
  const roleOf = (role: 'topic' | 'label', otherwise: string): string => {
    const chosen = columns?.[role];
    if (typeof chosen === 'string') return chosen;
    if (typeof chosen === 'number' && names !== undefined && names[chosen - 1] !== undefined) return names[chosen - 1];
    const name = uses === undefined ? otherwise : uses.find(({ use }) => use === role)?.name;
    if (name !== undefined) return name;
    throw new InputError({
      source: train.join(' and '),
      message: `has no column for the ${role === 'topic' ? 'query' : 'label'}, found ${(names ?? []).slice(0, 20).join(', ')}`,
      wayOut: `say which it is: --columns ${role}=NAME`,
    });
  };
  const [topic, label] = [roleOf('topic', 'query_id'), roleOf('label', 'relevance')];
  const chosen = uses?.filter(({ name, use }) => use === 'feature' && name !== topic && name !== label).map(({ name }) => name) ?? features;
  if (chosen !== undefined && chosen.length > 0) return { paths, topic, label, features: chosen, numRows };
  throw new InputError({
    source: train.join(' and '),
    message: names === undefined ? 'lies where its columns cannot be looked at from here' : 'has no column left for a feature',
    wayOut: 'name the features: --features NAME,NAME',
  });
}
