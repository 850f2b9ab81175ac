import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { unrelatedTopics } from '../../core/common-topics.js';
import { InputError, type Problem, printable } from '../../core/problem.js';
import type { EngineRequest, EngineRun } from '../../experiment/engine.js';
import { openSource, withParts } from '../../formats/source.js';
import { ChosenColumns } from '../../formats/tables/chosen-columns.js';
import type { Columns, TableKind } from '../../formats/tables/columns.js';
import { parquetColumnNames } from '../../formats/tables/parquet.js';
import { compileSql, type SqlRequest, type TableSource, tableName } from '../../sql/compile.js';
import { spark } from '../../sql/dialects/spark.js';
import { badRankError, checkSql, factsOf, refuseBadTables, repeatedDocument, scoreTableOf, type TopicRow } from '../../sql/result.js';
import { runProgram } from '../child-program.js';
import { withTemporaryFolder, writeTemporary } from '../cleanup.js';
import { fileSource } from '../files.js';
import { sha256 } from './sha256.js';
import { columnNames, findTableFiles, isAddress, nameOfFiles, type TableFiles, writtenNames } from './table-files.js';

/** What Spark is to compute, and on which cluster. */
export interface SparkRequest extends EngineRequest {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What stands before each answer in the output. */
const MARK = 'gradus answers';

/** Evaluates runs on Spark. The SQL goes to `spark-sql`, which is looked for in SPARK_HOME and on the PATH; what comes back is
 *  one line per topic, on its standard output. Nothing has to be installed on the cluster. */
export async function evaluateWithSpark(request: SparkRequest): Promise<EngineRun[]> {
  const program = findSparkSql(request.environment);
  const qrelsFiles = findTableFiles(request.qrels, 'qrels');
  const chosen = new ChosenColumns(request);
  const qrels = await view('gradus_qrels', qrelsFiles, 'qrels', chosen);
  const runs: EngineRun[] = [];
  const runViews: RunView[] = [];
  for (const path of request.runs) {
    const files = findTableFiles(path, 'run');
    runViews.push({ files, ...(await view('gradus_run', files, 'run', chosen)) });
  }
  chosen.refuseUnused();
  for (const run of runViews) runs.push(await evaluateRun(program, request, qrels, run));
  return runs;
}

interface View {
  readonly create: string;
  readonly source: TableSource;
}

interface RunView extends View {
  readonly files: TableFiles;
}

async function evaluateRun(program: string, request: SparkRequest, qrels: View, run: RunView): Promise<EngineRun> {
  const { measures, rules, planOptions, onProgress, trustUnique } = request;
  const { files } = run;
  const { source } = files;
  const tables = { dialect: spark, run: run.source, qrels: qrels.source, rules };
  const checks = checkSql(tables);
  const questions = [run.create, qrels.create, marked('version'), 'SELECT version()', marked('facts'), checks.facts];
  if (trustUnique !== true) questions.push(marked('repeated'), hexColumns(checks.repeated));
  if (checks.badRank !== undefined) questions.push(marked('badRank'), hexRank(checks.badRank));

  // measures that scale grades have to know the highest one, which takes a round of its own
  let { highestGrade } = planOptions ?? {};
  if (highestGrade === undefined && needsHighestGrade({ ...tables, measures, options: planOptions })) {
    onProgress?.(`counting ${source} on Spark`, undefined);
    highestGrade = factsOf((await ask(program, request, questions)).facts[0]).highestGrade;
  }
  const options = { ...planOptions, highestGrade };
  const compiled = compileSql({ ...tables, measures, options });
  questions.push(marked('values'), hexTopic(compiled.text, measures.length));
  onProgress?.(`evaluating ${source} on Spark`, undefined);
  const { version, facts: factLines, repeated = [], badRank = [], values } = await ask(program, request, questions);
  const facts = factsOf(factLines[0]);
  refuseBadTables(facts, source, request.qrels);
  if (facts.answeredTopics === 0) {
    const [[first, judged]] = (
      await ask(program, request, [
        run.create,
        qrels.create,
        marked('version'),
        'SELECT version()',
        marked('facts'),
        hexColumns(checks.firstTopics),
      ])
    ).facts;
    const names = { run: source, qrels: request.qrels };
    throw unrelatedTopics({ count: facts.judgedTopics, first: textOf(judged) }, { first: textOf(first) }, names);
  }
  if (repeated.length > 0) throw repeatedDocument(source, textOf(repeated[0][0]), textOf(repeated[0][1]));
  if (badRank.length > 0) throw badRankError(source, textOf(badRank[0][0]), Number(badRank[0][1]), Number(badRank[0][2]));
  const rows = values.map(
    ([topic, ...line]): TopicRow => ({ topic: textOf(topic), values: line.map((value) => (value === 'NULL' ? null : Number(value))) }),
  );
  return {
    path: source,
    table: scoreTableOf(compiled, rows, nameOfFiles(files), options),
    facts,
    sql: compiled.text,
    origin: {
      engine: 'spark',
      version: version[0][0].split(' ')[0],
      sqlSha256: await sha256(compiled.text),
      runRows: facts.runRows,
      qrelsRows: facts.qrelsRows,
    },
  };
}

/** Whether the query can only be written with the highest grade at hand. */
function needsHighestGrade(request: SqlRequest): boolean {
  // whatever else is wrong with the measures shows here
  compileSql({ ...request, options: { ...request.options, highestGrade: 1 } });
  try {
    compileSql(request);
    return false;
  } catch (error) {
    if (error instanceof InputError) return true;
    throw error;
  }
}

/** Ids may hold tabs and line ends, so they travel as hexadecimal digits. */
function hexTopic(sql: string, numMeasures: number): string {
  const columns = ['hex(CAST(topic AS BINARY))', ...Array.from({ length: numMeasures }, (_, m) => `m${m + 1}`)];
  return `SELECT ${columns.join(', ')} FROM (\n${sql})`;
}

function hexRank(sql: string): string {
  return `SELECT hex(CAST(topic AS BINARY)), stated_rank, num_rows FROM (\n${sql})`;
}

function hexColumns(sql: string): string {
  return `SELECT hex(CAST(topic AS BINARY)), hex(CAST(doc AS BINARY)) FROM (\n${sql})`;
}

function textOf(hex: string): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}

function marked(answer: string): string {
  return `SELECT ${spark.literal(`${MARK} ${answer}`)}`;
}

/** The names of the columns of a Parquet file. */
export async function columnsOfParquet(path: string): Promise<string[]> {
  return await withParts(await openSource(fileSource(path)), (file) => parquetColumnNames(file, path));
}

/** A temporary view of files that every machine of the cluster can reach under the same name. */
async function view(name: string, files: TableFiles, kind: TableKind, chosen: ChosenColumns): Promise<View> {
  const path = isAddress(files.pattern) ? files.pattern : resolve(files.pattern);
  refuseSemicolon(path, files.source);
  if (!isAddress(path)) refusePattern(files);
  const relation = tableName(spark, name);
  const at = spark.literal(path);
  if (files.format === 'parquet') {
    const header = isAddress(files.first) ? namedOr(writtenNames(kind), chosen.of(kind).columns) : await columnsOfParquet(files.first);
    const names = columnNames(header, kind, chosen, files.source);
    for (const column of [names.topic, names.doc, names.value]) refuseSemicolon(column, files.source);
    return { create: `CREATE TEMPORARY VIEW ${relation} USING parquet OPTIONS (path ${at})`, source: { relation, columns: names } };
  }
  if (files.format !== 'lines') {
    throw new InputError({
      source: files.source,
      message: `is ${files.format}, and Gradus hands Spark Parquet and TREC files`,
      wayOut: 'gradus convert writes Parquet',
    });
  }
  const lines = tableName(spark, `${name}_lines`);
  const [numFields, doc, value] = kind === 'run' ? [6, 3, 5] : [4, 3, 4];
  const field = (place: number): string => `CASE WHEN size(f) = ${numFields} THEN f[${place - 1}] END`;
  const cut = `SELECT split(trim(BOTH ' \\t\\r' FROM value), '[ \\t]+') AS f FROM ${lines} WHERE NOT value RLIKE '^[ \\t\\r]*(#|$)'`;
  const number = `TRY_CAST(${field(value)} AS DOUBLE) AS ${kind === 'run' ? 'score' : 'grade'}`;
  return {
    create: [
      `CREATE TEMPORARY VIEW ${lines} USING text OPTIONS (path ${at})`,
      `CREATE TEMPORARY VIEW ${relation} AS SELECT ${field(1)} AS topic, ${field(doc)} AS doc, ${number} FROM (${cut})`,
    ].join(';\n'),
    source: { relation },
  };
}

/** The names that the user gives to columns nobody can look at, besides those that are written by default. */
function namedOr(names: readonly string[], columns: Columns | undefined): string[] {
  return [...names, ...Object.values(columns ?? {}).filter((name): name is string => typeof name === 'string')];
}

/** `spark-sql` parts statements at semicolons without minding all quotes. */
function refuseSemicolon(text: string, source: string): void {
  if (!text.includes(';')) return;
  throw new InputError({
    source,
    message: `"${printable(text, 80)}" holds a semicolon, at which spark-sql would cut it`,
    wayOut: 'rename it',
  });
}

/** Spark takes more characters for wildcards than Gradus does, and would read other files. */
export function refusePattern({ source, pattern, isLiteral }: Pick<TableFiles, 'source' | 'pattern' | 'isLiteral'>): void {
  const found = (isLiteral ? /[*?[\]{}\\]/ : /[[\]{}\\]/).exec(pattern);
  if (found === null) return;
  throw new InputError({ source, message: `has a ${found[0]} in its name, which Spark takes for a pattern`, wayOut: 'rename it' });
}

function findSparkSql(environment: SparkRequest['environment']): string {
  const { SPARK_HOME: home, PATH: path = '' } = environment;
  const folders = home === undefined || home === '' ? path.split(delimiter) : [join(home, 'bin')];
  for (const folder of folders) {
    const program = join(folder, 'spark-sql');
    try {
      accessSync(program, constants.X_OK);
      return program;
    } catch {
      // not here
    }
  }
  throw new InputError({
    message: home === undefined ? 'spark-sql was not found on the PATH' : `there is no spark-sql in ${join(home, 'bin')}`,
    wayOut: 'install Spark (pip install pyspark has it) and set SPARK_HOME to where it is',
  });
}

type Answers = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Has `spark-sql` answer the questions, and tells the answers apart by the marks between them. */
async function ask(
  program: string,
  { master = 'local[*]', conf: settings = [], memoryLimit, environment }: SparkRequest,
  questions: readonly string[],
): Promise<Answers> {
  checkSettings(settings);
  return await withTemporaryFolder('spark', async (folder) => {
    const script = join(folder, 'questions.sql');
    writeTemporary(script, `${questions.join(';\n')};\n`);
    const executorMemory =
      memoryLimit === undefined ? [] : [`spark.executor.memory=${memoryLimit.replace(/\s*([KMGT])i?B$/i, '$1').toLowerCase()}`];
    const fixed = [
      'spark.sql.cli.print.header=false',
      'spark.sql.session.timeZone=UTC',
      `spark.sql.warehouse.dir=${folder}`,
      'spark.sql.catalogImplementation=in-memory',
      // rows that lie together by topic need not be moved again to meet their judgements
      'spark.sql.requireAllClusterKeysForCoPartition=false',
    ];
    const conf = [...fixed, ...executorMemory, ...settings].flatMap((setting) => ['--conf', setting]);
    const { stdout, stderr, status } = await runProgram(program, ['--master', master, ...conf, '-S', '-f', script], {
      cwd: folder,
      environment,
    });
    if (status !== 0) throw new InputError(sparkProblem(stderr, master));
    return answersIn(stdout);
  });
}

/** Refuses settings that Spark would not understand. */
export function checkSettings(settings: readonly string[]): void {
  const bad = settings.filter((setting) => !/^[A-Za-z][\w.-]*=/.test(setting));
  if (bad.length > 0)
    throw new InputError(bad.map((setting): Problem => ({ message: `--conf: expected NAME=VALUE, found ${printable(setting)}` })));
  const repeated = settings.find((setting, s) => settings.findIndex((other) => nameOfSetting(other) === nameOfSetting(setting)) < s);
  if (repeated !== undefined) throw new InputError({ message: `--conf sets ${nameOfSetting(repeated)} twice`, wayOut: 'give it once' });
}

function nameOfSetting(setting: string): string {
  return setting.slice(0, setting.indexOf('='));
}

/** The line of a long complaint that says what is wrong. */
function sparkProblem(stderr: string, master: string): Problem {
  const lines = stderr.split('\n');
  const telling =
    lines.find((line) => /^\[[A-Z_.]+\]|Exception:|^Error|OutOfMemoryError/.test(line)) ??
    lines.filter((line) => line.trim() !== '').at(-1);
  return {
    source: master,
    message: `Spark says: ${printable(telling ?? 'nothing', 300)}`,
    wayOut: 'see that the cluster runs and that all of its machines can read the files',
  };
}

function answersIn(stdout: string): Answers {
  const answers: Record<string, string[][]> = {};
  let current: string[][] | undefined;
  for (const line of stdout.split('\n')) {
    if (line.startsWith(`${MARK} `)) {
      current = [];
      answers[line.slice(MARK.length + 1)] = current;
    } else if (line !== '') current?.push(line.split('\t'));
  }
  for (const expected of ['version', 'facts']) {
    if (answers[expected] === undefined || answers[expected].length === 0)
      throw new InputError({ message: 'Spark gave no answer', wayOut: 'run spark-sql by hand to see why' });
  }
  return answers;
}
