/** Whatever a command does, a program can do by importing entry points: each row asks both for the same. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultRankLibVersion, letor4 } from 'gradus/conventions';
import { jsonText } from 'gradus/core';
import * as experiments from 'gradus/experiment';
import { formatTrecQrels, writeTrecRun } from 'gradus/formats';
import { fuseRuns } from 'gradus/fusion';
import {
  contributionImportance,
  loadLearner,
  modelToJson,
  ownImportance,
  shuffledImportance,
  summariseModel,
  writeModel,
} from 'gradus/ltr';
import { allMeasures, parseMeasure } from 'gradus/measures';
import * as node from 'gradus/node';
import { gateJson, writeComparison } from 'gradus/report';
import { compileSql, findDialect, tableName } from 'gradus/sql';
import { runLetor, runRankLib, runRankLibTraining, runTrecEval, runYahoo, type ToolHost } from 'gradus/tools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAllCommands } from '../helpers/all-commands.js';
import { repository, runGradus } from '../helpers/run-gradus.js';
import { noisyQueries } from '../helpers/training-sets.js';

const { nodePlatform } = node;
const folder = mkdtempSync(join(tmpdir(), 'gradus-entry-points-'));
const at = (name: string): string => join(folder, name);

function letorText(seed: number, numQueries: number): string {
  return noisyQueries(seed, numQueries)
    .flatMap((documents, q) =>
      documents.map(
        ([label, ...features], d) =>
          `${label} qid:${q + 1} ${features.map((x, c) => `${c + 1}:${x}`).join(' ')} #docid = q${q}d${d} inc = 1 prob = 0.5\n`,
      ),
    )
    .join('');
}

beforeAll(async () => {
  const topics = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];
  const docs = ['a', 'b', 'c', 'd', 'e', 'f'];
  const write = (name: string, lines: readonly string[]): void => writeFileSync(at(name), `${lines.join('\n')}\n`);
  write(
    'qrels',
    topics.flatMap((topic) => docs.map((doc, d) => `${topic} 0 ${doc} ${(Number(topic) + d * d) % 3}`)),
  );
  const graded = (of: readonly string[]): string[] =>
    of.flatMap((topic) => docs.map((doc, d) => `${topic} 0 ${doc} ${(Number(topic) + d * d + Number(d === 2)) % 3}`));
  write('other.qrels', graded(topics));
  write('shown.jsonl', ['{"method":"team-draft","list":["a","b"],"teams":["A","B"],"clicked":["b"]}']);
  write(
    'some.qrels',
    graded(topics.slice(0, 5)).filter((_, row) => row % 4 !== 1),
  );
  for (const [name, step] of [
    ['r', 5],
    ['s', 7],
    ['t', 11],
  ] as const) {
    write(
      `${name}.run`,
      topics.flatMap((topic) => docs.map((doc, d) => `${topic} Q0 ${doc} 0 ${(step * (d + 1) + Number(topic)) % 13} ${name}`)),
    );
  }
  writeFileSync(at('train.txt'), letorText(1, 12));
  writeFileSync(at('vali.txt'), letorText(2, 6));
  writeFileSync(at('test.txt'), letorText(3, 6));
  writeFileSync(at('predictions.txt'), letorText(3, 6).replace(/^.* 1:(\S+) .*$/gm, '$1'));
  write('clicks.jsonl', ['{"query":"1","list":["a","b"],"clicked":["b"]}', '{"query":"1","list":["b","a"],"clicked":["b"]}']);
  write('shown.letor', ['0 qid:1 1:0.5 2:3 # docid = a', '0 qid:1 1:0.25 2:1 # docid = b']);
  write('labels', ['1 0 2', '0 1']);
  write('ranks', ['1 3 2', '2 1']);
  mkdirSync(at('out'));
  const model = await experiments.trainFromFiles({ learner: 'linear-regression', train: [at('train.txt')] }, nodePlatform);
  writeFileSync(at('model.json'), modelToJson((model.best as experiments.Trial).model));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A tool's host that keeps what is printed. */
function listening(): ToolHost & { text(): string } {
  const parts: Uint8Array[] = [];
  return {
    ...node.nodeToolHost,
    writeOut: (bytes) => void parts.push(bytes.slice()),
    text: () => Buffer.concat(parts).toString(),
  };
}

/** What a writer of texts writes. */
function written(produce: (sink: { write(text: string): void }) => void): string {
  const parts: string[] = [];
  produce({ write: (text) => void parts.push(text) });
  return parts.join('');
}

const bytesText = (chunks: Iterable<Uint8Array>): string => Buffer.concat([...chunks]).toString();
const json = (value: unknown): unknown => JSON.parse(jsonText(value, 2));
const question = { judgements: at('qrels'), runs: [at('r.run'), at('s.run'), at('t.run')] };
const files = ['qrels', 'r.run', 's.run', 't.run'];

interface Row {
  /** Its words; the last is the file to look at instead of standard output, where one is written. */
  readonly words: readonly string[];
  readonly file?: string;
  /** What the program computes, and what of the output is compared with it. */
  program(): Promise<unknown>;
  read?(output: string): unknown;
}

const readJson = (output: string): Record<string, never> => JSON.parse(output) as Record<string, never>;

/** What a command found, without the fingerprint of its files. */
function readResult(output: string): unknown {
  const { fingerprint: _, ...found } = readJson(output) as Record<string, unknown>;
  return Object.keys(found).join() === 'results' ? found.results : found;
}

/** Trains in a process of its own, where threads can be started. */
async function trainedRanker(): Promise<string> {
  const request = {
    ...{ learner: 'lambdamart', options: { trees: 5, leaves: 4 }, grid: ['minDocs=1,2'], objective: 'nDCG@5', threads: 2 },
    ...{ train: [at('train.txt')], validate: [at('vali.txt')] },
  };
  const program = `
    import { trainFromFiles } from 'gradus/experiment';
    import { modelToJson } from 'gradus/ltr';
    import { nodePlatform } from 'gradus/node';
    const { best } = await trainFromFiles(${JSON.stringify(request)}, nodePlatform);
    process.stdout.write(modelToJson(best.model));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: repository, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

async function read(measures: string): Promise<[experiments.Plan, experiments.ReadMaterial]> {
  const plan = experiments.planOf({ measures });
  return [plan, await experiments.readMaterial(await experiments.openMaterial(question, plan, nodePlatform))];
}

async function comparable(measures: string): Promise<experiments.ComparableScores> {
  return experiments.comparableRuns(await experiments.scoreExperiment({ ...question, measures }, nodePlatform), 'zero');
}

const rows: Readonly<Record<string, Row>> = {
  eval: {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => (await node.experiment({ ...question, measures: 'AP' })).scored.tables.map((table) => table.aggregate(0)),
    read: (output) => (readJson(output).runs as { all: { AP: number } }[]).map(({ all }) => all.AP),
  },
  compare: {
    words: [...files, '-m', 'AP', '-f', 'csv'],
    async program() {
      const scored = await experiments.scoreExperiment({ ...question, measures: 'AP' }, nodePlatform);
      const comparison = await experiments.compareScores(
        experiments.comparableRuns(scored, 'zero'),
        { effectIntervals: true },
        nodePlatform,
      );
      return written((sink) => writeComparison('csv', comparison, sink));
    },
  },
  gate: {
    words: ['qrels', 'r.run', 's.run', '--json'],
    async program() {
      const [baseline, candidate] = [at('r.run'), at('s.run')].map(nodePlatform.source);
      return json(gateJson((await experiments.gateExperiment({ ...question, baseline, candidate, test: {} }, nodePlatform)).report));
    },
    read: readResult,
  },
  report: {
    words: [...files, '-f', 'json'],
    program: async () => (await experiments.reportExperiment(question, nodePlatform)).kind,
    read: (output) => readJson(output).kind,
  },
  'meta power': {
    words: [...files, '-m', 'AP', '--json'],
    program: async () =>
      experiments.powerOf(await experiments.scoreExperiment({ ...question, measures: 'AP' }, nodePlatform), {}).measures[0].share,
    read: (output) => (readJson(output).measures as { share: number }[])[0].share,
  },
  'meta stability': {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.stabilityOf(...(await read('AP')), {}).swaps),
    read: (output) => readJson(output).swaps,
  },
  'meta informativeness': {
    words: [...files, '-m', 'AP', '--min-per-grade', '1', '--json'],
    program: async () => json((await experiments.informednessOf(...(await read('AP')), { minPerGrade: 1 })).result),
    read: readResult,
  },
  fuse: {
    words: ['r.run', 's.run'],
    async program() {
      const { runs } = await experiments.readRunsToFuse([at('r.run'), at('s.run')].map(nodePlatform.source), {}, false);
      return bytesText(writeTrecRun(fuseRuns(runs).run));
    },
  },
  explain: {
    words: ['qrels', 'r.run', '--as', 'trec_eval,ranklib', '--json'],
    async program() {
      const [plan, { qrels, runs }] = await read('nDCG@10');
      return json(experiments.explainRun(qrels, runs[0], { measures: plan.measures, conventions: ['trec_eval', 'ranklib'] }).values.flat());
    },
    read: (output) => readJson(output).values,
  },
  audit: {
    words: ['qrels', 'r.run', '--json'],
    program: async () =>
      (await experiments.auditSources(nodePlatform.source(at('qrels')), [nodePlatform.source(at('r.run'))])).map(({ findings }) =>
        json(findings),
      ),
    read: (output) => (readJson(output).files as { findings: unknown }[]).map(({ findings }) => findings),
  },
  correlate: {
    words: ['r.run', 's.run', '--json'],
    async program() {
      const found = await experiments.correlateSources(nodePlatform.source(at('r.run')), nodePlatform.source(at('s.run')));
      return found.of === 'runs' ? json(found.agreement.mean) : undefined;
    },
    read: (output) => readJson(output).mean,
  },
  convert: {
    words: ['r.run', 'out/r.jsonl'],
    file: 'out/r.jsonl',
    async program() {
      const found = await experiments.readToConvert(node.fileSource(at('r.run')), { target: at('program.jsonl') });
      if ('run' in found) await node.saveRun(at('program.jsonl'), found.run);
      return readFileSync(at('program.jsonl'), 'utf8');
    },
  },
  'train lambdamart': {
    words: [
      ...[
        '--train',
        'train.txt',
        '--validate',
        'vali.txt',
        '--objective',
        'nDCG@5',
        '--trees',
        '5',
        '--leaves',
        '4',
        '--grid',
        'min-docs=1,2',
      ],
      ...['--model', 'out/model.json', '--quiet'],
    ],
    file: 'out/model.json',
    program: trainedRanker,
  },
  'cv lambdamart': {
    words: [
      ...['--train', 'train.txt', '--folds', '3', '--shuffle', '--trees', '3', '--min-docs', '1'],
      ...['--predictions', 'out/cv.txt', '-m', 'AP', '--json'],
    ],
    async program() {
      const request = { learner: 'lambdamart', options: { trees: 3, minDocs: 1 }, folds: 3, shuffle: true, measures: ['AP'], threads: 1 };
      const { folds } = await experiments.crossValidate({ ...request, train: [at('train.txt')] }, nodePlatform);
      return experiments.pooledFolds(folds).aggregate(0);
    },
    read: (output) => (readJson(output).allQueries as { AP: number }).AP,
  },
  'clicks bias': {
    words: ['clicks.jsonl', '--json'],
    program: async () => json(await experiments.positionBiasOf(at('clicks.jsonl'), {}, nodePlatform)),
    read: readJson,
  },
  'clicks data': {
    words: ['clicks.jsonl', 'shown.letor', '--quiet'],
    program: async () =>
      (await experiments.clickTraining(at('clicks.jsonl'), at('shown.letor'), {}, nodePlatform)).lines.map((line) => `${line}\n`).join(''),
  },
  'clicks evaluate': {
    words: ['clicks.jsonl', 'r.run', 's.run', '--json'],
    async program() {
      const judged = await experiments.judgeByClicks(at('clicks.jsonl'), [at('r.run'), at('s.run')], {}, nodePlatform);
      return judged.map(({ ips }) => ips.value);
    },
    read: (output) => (JSON.parse(output) as experiments.JudgedByClicks[]).map(({ ips }) => ips.value),
  },
  tune: {
    words: ['--train', 'train.txt', '--learners', 'linear-regression', '--folds', '2', '--inner', '2', '--threads', '1', '--json'],
    async program() {
      const request = { learners: ['linear-regression'], folds: 2, inner: 2, threads: 1, train: [at('train.txt')] };
      return (await experiments.tune(request, nodePlatform))?.verdict.rankers.map(({ name, mean }) => [name, mean]);
    },
    read: (output) => (readJson(output).verdict as experiments.RankerVerdict).rankers.map(({ name, mean }) => [name, mean]),
  },
  score: {
    words: ['model.json', 'test.txt', '--qrels', 'out/qrels'],
    async program() {
      const model = await node.loadModel(at('model.json'));
      const { matrix } = await node.loadFeatures(node.fileSource(at('test.txt')));
      const { run, qrels } = experiments.scoreDocuments(model, matrix);
      return [bytesText(writeTrecRun(run)), bytesText([formatTrecQrels(qrels)])];
    },
    read: (output) => [output, readFileSync(at('out/qrels'), 'utf8')],
  },
  'model inspect': {
    words: ['model.json', '--json'],
    program: async () => json(summariseModel(await node.loadModel(at('model.json')))),
    read: (output) => {
      const { missing: _, training: __, ...summary } = readJson(output) as Record<string, unknown>;
      return summary;
    },
  },
  'model importance': {
    words: ['model.json', '--data', 'test.txt', '-m', 'AP', '--json'],
    async program() {
      const model = await node.loadModel(at('model.json'));
      const { matrix } = await node.loadFeatures(node.fileSource(at('test.txt')));
      const features = experiments.measuredImportance(model, matrix, { measure: parseMeasure('AP'), seed: 1 });
      expect(shuffledImportance(model, matrix, { measure: parseMeasure('AP'), seed: 1 }).map(({ loss }) => loss)).toEqual(
        features.map(({ loss }) => loss),
      );
      expect(ownImportance(model)).toHaveLength(features.length);
      return json(features.sort((a, b) => b.loss - a.loss || a.id - b.id));
    },
    read: (output) => readJson(output).features,
  },
  'model report': {
    words: ['model.json', 'test.txt', '-f', 'json'],
    program: async () =>
      json({
        ...(await experiments.reportModel(
          { model: at('model.json'), data: { file: at('test.txt'), measure: parseMeasure('nDCG@10'), seed: 1 } },
          node.nodePlatform,
        )),
        provenance: null,
      }),
    read: (output) => ({ ...readJson(output), provenance: null }),
  },
  'model explain': {
    words: ['model.json', 'test.txt', '--json'],
    async program() {
      const { matrix } = await node.loadFeatures(node.fileSource(at('test.txt')));
      return json(contributionImportance(await node.loadModel(at('model.json')), matrix));
    },
    read: (output) => readJson(output).features,
  },
  'model convert': {
    words: ['model.json', '-', '--to', 'c'],
    program: async () => writeModel(await node.loadModel(at('model.json')), 'c').content,
  },
  sql: {
    words: ['qrels', 'run', '-m', 'AP'],
    async program() {
      const { measures, rules, planOptions } = experiments.planOf({ measures: 'AP' });
      const dialect = findDialect('duckdb');
      const [qrels, run] = ['qrels', 'run'].map((name) => ({ relation: tableName(dialect, name) }));
      return compileSql({ dialect, measures, run, qrels, rules, options: planOptions }).text;
    },
  },
  leaderboard: {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.leaderboardsOf(await comparable('AP'))),
    read: readResult,
  },
  agree: {
    words: ['qrels', 'other.qrels', '--runs', 'r.run', '--runs', 's.run', '-m', 'AP', '--json'],
    program: async () =>
      json(
        await experiments.agreeOf(
          { judgements: [at('qrels'), at('other.qrels')], runs: [at('r.run'), at('s.run')], measures: 'AP', relevant: [] },
          nodePlatform,
        ),
      ),
    read: (output) => {
      const { resamples: _, seed: __, interval: ___, ...found } = readResult(output) as Record<string, unknown>;
      return found;
    },
  },
  correct: {
    words: ['some.qrels', 'other.qrels', 'r.run', 's.run', '-m', 'AP', '--json'],
    program: async () =>
      json(
        await experiments.correctScores(
          { human: at('some.qrels'), machine: at('other.qrels'), runs: [at('r.run'), at('s.run')], measures: 'AP' },
          nodePlatform,
        ),
      ),
    read: (output) => {
      const { halfWidth: _, ...found } = readResult(output) as Record<string, unknown>;
      return found;
    },
  },
  'plan labels': {
    words: ['some.qrels', 'other.qrels', 'r.run', 's.run', '-m', 'AP', '--json'],
    program: async () =>
      json(
        await experiments.planLabels(
          { human: at('some.qrels'), machine: at('other.qrels'), runs: [at('r.run'), at('s.run')], measures: 'AP' },
          nodePlatform,
        ),
      ),
    read: readResult,
  },
  'interleave lists': {
    words: ['r.run', 's.run'],
    program: async () =>
      (await experiments.interleaveRuns(nodePlatform.source(at('r.run')), nodePlatform.source(at('s.run'))))
        .map((list) => `${JSON.stringify(list)}\n`)
        .join(''),
  },
  'interleave test': {
    words: ['shown.jsonl', '--json'],
    async program() {
      return json(await experiments.interleavingResultOf(nodePlatform.source(at('shown.jsonl'))));
    },
    read: readResult,
  },
  risk: {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.risksOf(await comparable('AP'))),
    read: readResult,
  },
  'plan topics': {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.planTopics(await comparable('AP'))),
    read: readResult,
  },
  'plan reliability': {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.planReliability(await comparable('AP'))),
    read: readResult,
  },
  'plan equivalence': {
    words: [...files.slice(0, 3), '-m', 'AP', '--json'],
    program: async () => json(experiments.bayesianComparison(await comparable('AP'), { onlyFirstTwo: true }).pairs),
    read: (output) => readJson(output).results,
  },
  'pool bounds': {
    words: ['some.qrels', ...files.slice(1), '-m', 'nDCG@10', '--json'],
    async program() {
      const plan = experiments.planOf({ measures: 'nDCG@10' });
      const material = await experiments.openMaterial({ ...question, judgements: at('some.qrels') }, plan, nodePlatform);
      return json(await experiments.completedScoresOf(plan, await experiments.readMaterial(material), {}));
    },
    read: readResult,
  },
  'pool next': {
    words: ['some.qrels', ...files.slice(1), '--json'],
    async program() {
      const plan = experiments.planOf({ measures: 'nDCG@10' });
      const material = await experiments.openMaterial({ ...question, judgements: at('some.qrels') }, plan, nodePlatform);
      return json(experiments.nextDocuments(plan, await experiments.readMaterial(material), {}));
    },
    read: readResult,
  },
  'pool replay': {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.replayPool(...(await read('AP')), {})),
    read: readResult,
  },
  'pool reuse': {
    words: [...files, '-m', 'AP', '--json'],
    program: async () => json(experiments.reuseOf(...(await read('AP')), new Map(), {})),
    read: readResult,
  },
  reproduce: {
    words: ['qrels', 'r.run', 's.run', '-m', 'AP', '--json'],
    program: async () =>
      json(
        await experiments.reproduceOf(
          { judgements: at('qrels'), original: at('r.run'), reproduced: at('s.run'), measures: 'AP' },
          nodePlatform,
        ),
      ),
    read: readResult,
  },
  version: { words: [], program: async () => `gradus ${node.gradusVersion()}\n` },
  measures: {
    words: ['--json'],
    program: async () => allMeasures.map(({ name }) => name).sort(),
    read: (output) => (JSON.parse(output) as { name: string }[]).map(({ name }) => name).sort(),
  },
};

/** The programs that `gradus as` stands in for. */
const toolRows: Readonly<Record<string, Row>> = {
  trec_eval: {
    words: ['-m', 'map', 'qrels', 'r.run'],
    async program() {
      const host = { ...node.nodeTrecEvalHost, ...listening(), read: node.nodeTrecEvalHost.read };
      await runTrecEval(['-m', 'map', at('qrels'), at('r.run')], '9.0.8', host);
      return host.text();
    },
  },
  letor4: {
    words: ['score', 'test.txt', 'predictions.txt', 'out/letor.txt', '0'],
    file: 'out/letor.txt',
    async program() {
      await runLetor(letor4, 'scores', [at('test.txt'), at('predictions.txt'), at('letor.txt'), '0'], false, listening());
      return readFileSync(at('letor.txt'), 'utf8');
    },
  },
  yahoo: {
    words: ['labels', 'ranks'],
    async program() {
      const host = listening();
      await runYahoo([at('labels'), at('ranks')], host);
      return host.text();
    },
  },
  ranklib: {
    words: ['-test', 'test.txt', '-metric2T', 'NDCG@5'],
    async program() {
      const host = listening();
      await runRankLib(['-test', at('test.txt'), '-metric2T', 'NDCG@5'], defaultRankLibVersion, host);
      return host.text().replaceAll(`${folder}/`, '');
    },
  },
  'ranklib@2.8': {
    words: ['-train', 'train.txt', '-ranker', '4', '-r', '1', '-i', '2', '-metric2t', 'NDCG@5', '-save', 'out/ranklib.txt'],
    file: 'out/ranklib.txt',
    async program() {
      const words = ['-train', at('train.txt'), '-ranker', '4', '-r', '1', '-i', '2', '-metric2t', 'NDCG@5', '-save', at('ranklib.txt')];
      const host = { ...node.nodeRankLibHost, writeOut: () => undefined };
      expect(await runRankLibTraining(words, defaultRankLibVersion, host)).toBe(0);
      return readFileSync(at('ranklib.txt'), 'utf8');
    },
  },
};

/** Commands that are about the command line itself, or about the rows above, or that go on until they are stopped. */
const others: Readonly<Record<string, string>> = {
  as: 'each of its tools has a row',
  help: 'of the command line',
  completion: 'of the command line',
  worker: 'answers calls of other programs until they end; each is one of the rows above',
  serve: '`serveFolder` and `appFolder` of gradus/node; test/browser uses both',
};

async function sameAnswer(command: readonly string[], { words, file, program, read: readOutput = (output) => output }: Row): Promise<void> {
  const { stdout, stderr, status } = runGradus([...command, ...words], { cwd: folder });
  expect(status === 1 ? 0 : status, stderr).toBe(0);
  const answer = readOutput(file === undefined ? stdout : readFileSync(at(file), 'utf8'));
  expect(answer).toBeDefined();
  expect(answer).not.toBe('');
  expect(await program()).toEqual(answer);
}

describe('a program that imports entry points has the answer of the command', () => {
  test.each(Object.keys(rows))('gradus %s', async (name) => await sameAnswer(name.split(' '), rows[name]));
  test.each(Object.keys(toolRows))('gradus as %s', async (name) => await sameAnswer(['as', name], toolRows[name]));

  test('every command is in the table', async () => {
    const learner = (await loadLearner('lambdamart')).name;
    const all = (await loadAllCommands())
      .map(({ name }) => name)
      .filter((name) => !/^(train|cv) /.test(name) || name.endsWith(` ${learner}`));
    expect(all.filter((name) => !Object.hasOwn(rows, name) && !Object.hasOwn(others, name))).toEqual([]);
  });
});
