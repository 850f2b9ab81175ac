import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { letor4 } from '../../src/conventions/letor-scripts.js';
import { defaultTrecEvalVersion } from '../../src/conventions/trec-eval-versions.js';
import { defaultRules } from '../../src/core/judging/judging-rules.js';
import { toQrels } from '../../src/core/qrels.js';
import { parseScoreFile } from '../../src/formats/read.js';
import { readText } from '../../src/formats/source.js';
import { parseMeasures } from '../../src/measures/parse.js';
import { planOptionsFor } from '../../src/measures/plan.js';
import { evaluateWithDuckdb } from '../../src/node/engines/duckdb.js';
import { evaluateBySpilling } from '../../src/node/engines/spill.js';
import { experiment } from '../../src/node/experiment.js';
import { fileSource } from '../../src/node/files.js';
import { loadFeatures } from '../../src/node/letor/load-features.js';
import { loadRun, loadScores } from '../../src/node/load.js';
import { readFileText, type ToolHost } from '../../src/tools/host.js';
import { readTestSet } from '../../src/tools/letor/test-set.js';
import { readRankLists, readScores } from '../../src/tools/ranklib/lists.js';
import { runTrecEval } from '../../src/tools/trec-eval/run-trec-eval.js';
import { readZscores } from '../../src/tools/trec-eval/zscore-file.js';
import type { LimitCase, LimitCases } from './limit-case.js';

const encoder = new TextEncoder();

/** Writes files for a moment. */
async function inFiles<T>(texts: Readonly<Record<string, string>>, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-limits-'));
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inFile<T>(text: string, work: (path: string) => T | Promise<T>): Promise<T> {
  return inFiles({ file: text }, (folder) => work(join(folder, 'file')));
}

/** A case whose limit is lowered to 100. */
function small(name: string, use: (amount: number) => unknown): LimitCase {
  return { name, lowered: 100, use };
}

const line = (before: string, amount: number, after = ''): string =>
  `${before}${'x'.repeat(amount - before.length - after.length)}${after}\n`;
const longRun = (amount: number): string => `q1 Q0 d1 1 2.5 tag\n${line('q1 Q0 ', amount, ' 2 1.5 tag')}`;
const longQrels = (amount: number): string => `q1 0 d1 1\n${line('q1 0 ', amount, ' 1')}`;

/** Files in memory for the programs that Gradus stands in for. */
function hostOf(texts: Readonly<Record<string, string>>): ToolHost {
  return {
    read(path, take) {
      take(encoder.encode(texts[path]));
      return true;
    },
    write: () => true,
    writeOut() {},
    writeErr() {},
  };
}

async function asTrecEval(qrels: string, results: string): Promise<void> {
  await runTrecEval(['qrels', 'results'], '9.0.8', {
    read: (path) => encoder.encode(path === 'qrels' ? qrels : results),
    readStdin: () => new Uint8Array(0),
    writeOut() {},
    writeErr() {},
  });
}

const qrels = toQrels({ q1: { d1: 1 } });
const measures = parseMeasures('AP');

/** As `gradus eval` does with large files: what cannot be divided into parts is read in full. */
async function evaluateSpilled(path: string): Promise<void> {
  const request = { path, qrels, measures, rules: defaultRules, planOptions: planOptionsFor(qrels, measures, {}), from: 1, partSize: 50 };
  if ((await evaluateBySpilling(request)) === undefined) await loadRun(path);
}

export const fileLimits: LimitCases = {
  lineBytes: [
    small('a TREC run evaluated as it is read', (amount) =>
      inFiles({ qrels: 'q1 0 d1 1\n', run: longRun(amount) }, (folder) =>
        experiment({ judgements: join(folder, 'qrels'), runs: [join(folder, 'run')], measures }),
      ),
    ),
    small('a large run of scattered topics', (amount) => inFile(longRun(amount), evaluateSpilled)),
    {
      name: 'a LETOR file read in segments',
      lowered: 2 ** 20,
      use: (amount) =>
        inFile(`1 qid:1 1:2\n${line('1 qid:1 1:2 # ', amount)}${'0 qid:1 1:3\n'.repeat(300_000)}`, (path) =>
          loadFeatures(path, { threads: 1 }),
        ),
    },
    small('as trec_eval, the results', (amount) => asTrecEval('q1 0 d1 1\n', longRun(amount))),
    small('as trec_eval, the judgements', (amount) => asTrecEval(longQrels(amount), 'q1 Q0 d1 1 2 t\n')),
    small('as letor4, the test file', (amount) =>
      readTestSet(
        letor4,
        'scores',
        { test: 't', predictions: 'p' },
        true,
        hostOf({ t: line('1 qid:1 #docid = ', amount, ' inc = 1 prob = 0.5'), p: '1\n' }),
      ),
    ),
    small('as letor4, the predictions', (amount) =>
      readTestSet(
        letor4,
        'scores',
        { test: 't', predictions: 'p' },
        true,
        hostOf({ t: '1 qid:1 #docid = d inc = 1 prob = 0.5\n', p: `${'1'.repeat(amount)}\n` }),
      ),
    ),
    small('as RankLib, the test file', (amount) => readRankLists(hostOf({ t: line('1 qid:1 1:2 # ', amount) }), 't', true)),
    small('as RankLib, the scores', (amount) => readScores(hostOf({ s: `${'1'.repeat(amount)}\n` }), 's')),
  ],
  duckdbLineBytes: [
    small('a TREC run', (amount) =>
      inFiles({ qrels: 'q1 0 d1 1\n', run: longRun(amount) }, (folder) =>
        evaluateWithDuckdb({ qrels: join(folder, 'qrels'), runs: [join(folder, 'run')], measures, threads: 1 }),
      ),
    ),
  ],
  columns: [
    small('scores', (amount) =>
      parseScoreFile(`topic,${Array.from({ length: amount - 1 }, (_, k) => `s${k}`).join(',')}\nt1${',1'.repeat(amount - 1)}\n`),
    ),
  ],
  wholeFileBytes: [
    small('scores', (amount) => inFile(`topic,a\nt1,1\n${line('#', amount - 14)}`, loadScores)),
    small('a list of words', (amount) => inFile('x'.repeat(amount), (path) => readText(fileSource(path)))),
    small('as trec_eval, z-scores', (amount) =>
      readZscores(encoder.encode(line('q1 ', amount - 1, ' 0.5 0.1')), 'z', defaultTrecEvalVersion),
    ),
    small('the side files of other tools', (amount) => readFileText(hostOf({ f: 'x'.repeat(amount) }), 'f')),
  ],
};
