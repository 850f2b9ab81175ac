import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { letorScripts } from '../../../src/conventions/letor-scripts.js';
import { rankLibVersions } from '../../../src/conventions/ranklib-versions.js';
import { evaluateRunFile } from '../../../src/node/streams/stream-evaluate.js';
import type { ToolHost } from '../../../src/tools/host.js';
import { runLetor } from '../../../src/tools/letor/run-letor.js';
import { runLetorTtest } from '../../../src/tools/letor/ttest.js';
import { runRankLib } from '../../../src/tools/ranklib/run-ranklib.js';
import { runTrecEval81, runTrecEval81Released } from '../../../src/tools/trec-eval-81/run-trec-eval-81.js';
import { runYahoo } from '../../../src/tools/yahoo/run-yahoo.js';
import { Dice } from '../../helpers/dice.js';
import { type SlowRequest, slowTrecEval } from '../../helpers/slow-trec-eval.js';
import { goldenCases, goldenFolder, type Outcome, runCaptured } from '../../helpers/trec-golden.js';
import { argumentsOf, makeRequest } from '../../helpers/trec-requests.js';
import { gradeText, letorLines, qrelsText, runText, scoreText } from '../generate.js';
import { bytesOf, numberTexts } from '../mutate.js';
import { agree, outcomeLater, shapeOfOutcome } from '../outcome.js';
import { argumentsOfPart, argumentsPart, joinParts, partsOf } from '../parts.js';
import { shapeOf } from '../shape.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const versions = ['10.0', '9.0.8', '9.0.7'] as const;

/** Lines on which the twin, which reads numbers as JavaScript does, can be asked. */
function isOrdinary(relevance: string, results: string, { format, version }: SlowRequest): boolean {
  if (/[\0]/.test(relevance + results)) return false;
  // the real program reads memory it does not own here
  if (version === '10.0' && /(^|\n)#[^\n]*\n?$/.test(relevance)) return false;
  const level = format.endsWith('prefs') ? /^[+-]?\d{1,6}(\.\d{1,6})?$/ : /^[+-]?\d{1,6}$/;
  const fieldsOf = (line: string): string[] => line.match(/[^ \t\v\f\r]+/g) ?? [];
  const levels = relevance.split('\n').map(fieldsOf);
  const scores = results.split('\n').map(fieldsOf);
  const width = format === 'prefs' ? 5 : 4;
  return (
    levels.every((fields) => fields.length !== width || level.test(fields[width - 1])) &&
    scores.every((fields) => fields.length < 6 || /^([+-]?(\d{1,17}(\.\d{1,17})?(e[+-]?\d{1,2})?|inf)|nan)$/i.test(fields[4]))
  );
}

/** A trec_eval 9.0 of your own, given by --trec-eval: asked for what the twin is asked for, where it does not crash. */
function agreeWithProgram(request: SlowRequest, outcome: Outcome): void {
  const program = process.env.GRADUS_FUZZ_TREC_EVAL;
  if (program === undefined || request.version !== '9.0.7') return;
  writeFileSync('rel', bytesOf(request.relevance, true));
  writeFileSync('run', bytesOf(request.results, true));
  const { status, stdout, signal } = spawnSync(program, argumentsOf(request), { encoding: 'latin1' });
  if (signal === null && status !== null)
    agree('trec_eval and the real program', { exitCode: status, stdout }, { exitCode: outcome.exitCode, stdout: outcome.stdout });
}

/** Our trec_eval against the slow twin, and the fast path over a file against the thorough one. */
async function checkTrecEval(input: Uint8Array): Promise<string> {
  const [head, relevanceBytes, resultsBytes] = partsOf(input, 3);
  // a mutation may make it longer than any number
  const written = Number.parseInt(latin1(head), 10);
  const seed = Number.isSafeInteger(written) ? written : 0;
  const version = versions[Math.abs(seed) % versions.length];
  const relevance = latin1(relevanceBytes);
  const results = latin1(resultsBytes);
  const request: SlowRequest = { ...makeRequest(new Dice(seed), version), relevance, results };
  const files: Record<string, Uint8Array> = { rel: relevanceBytes, run: resultsBytes };
  const read = (path: string): Uint8Array | undefined => (files[path].length > 0 ? files[path] : undefined);
  const outcome = await runCaptured(argumentsOf(request), version, read);
  if (relevance !== '' && results !== '' && isOrdinary(relevance, results, request)) {
    agree('trec_eval and its twin', slowTrecEval(request), outcome);
    agreeWithProgram(request, outcome);
  }
  writeFileSync('results', resultsBytes);
  const fast = await runCaptured(argumentsOf(request), version, read, {
    evaluateFast: async ({ qrels, measures, rules, options, comments }) =>
      await evaluateRunFile({
        path: 'results',
        qrels,
        measures,
        rules,
        planOptions: options,
        grammar: 'c',
        comments,
        threads: 1,
        partSize: 40,
      }),
  });
  agree('trec_eval: fast and thorough', outcome, fast);
  return shapeOf(`${version} ${outcome.exitCode} ${outcome.stderr} ${outcome.stdout.slice(0, 200)}`);
}

function trecEvalInput(dice: Dice): Uint8Array {
  const seed = dice.below(1_000_000);
  const { relevance, results } = makeRequest(new Dice(seed), versions[seed % versions.length]);
  return joinParts([`${seed}\n`, bytesOf(relevance, true), bytesOf(results, true)]);
}

const toolNames = [
  'trec_eval@10.0',
  'trec_eval@9.0.8',
  'trec_eval@9.0.7',
  'trec_eval@8.1',
  'trec_eval@8.1+ndcg',
  'letor2',
  'letor3',
  'letor4',
  'mslr',
  'rank',
  'ttest',
  'ttest-table',
  'yahoo',
  ...rankLibVersions.map(({ name }) => `ranklib@${name}`),
];

/** Any tool with any arguments and files: it ends with a status of its own or refuses, and says so in bytes. */
async function checkTool(input: Uint8Array): Promise<string> {
  const [argumentBytes, a, b, c] = partsOf(input, 4);
  const [tool = '', ...argv] = argumentsOfPart(argumentBytes);
  const files = new Map<string, Uint8Array>(Object.entries({ a, b, c }));
  const { exitCode, words } = await runAny(tool, argv, files);
  if (!Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) throw new Disagreement(`${tool}: a status of ${exitCode}`);
  if (exitCode === 70) throw new Disagreement(`${tool}: the status of a defect`);
  return shapeOf(`${tool} ${exitCode} ${words.slice(0, 300)}`);
}

async function runAny(tool: string, argv: readonly string[], files: Map<string, Uint8Array>): Promise<{ exitCode: number; words: string }> {
  let words = '';
  const host: ToolHost = {
    read(path, take) {
      const bytes = files.get(path);
      if (bytes === undefined) return false;
      take(bytes.slice(0, bytes.length >> 1));
      take(bytes.slice(bytes.length >> 1));
      return true;
    },
    write: (path) => path !== '',
    writeOut: (bytes) => {
      words += latin1(bytes);
    },
    writeErr: (bytes) => {
      words += latin1(bytes);
    },
  };
  const [name, version = ''] = tool.split('@');
  const script = letorScripts[['letor2', 'letor3', 'letor4', 'mslr'].indexOf(name)];
  const ranklib = rankLibVersions.find((candidate) => candidate.name === version);
  const ended = await outcomeLater(async () => {
    if (name === 'trec_eval' && version.startsWith('8.1'))
      return await (version === '8.1' ? runTrecEval81Released : runTrecEval81)(argv, host);
    if (name === 'trec_eval') {
      const outcome = await runCaptured(argv, versions.find((known) => known === version) ?? '9.0.8', (path) => {
        const bytes = files.get(path);
        return bytes === undefined || bytes.length === 0 ? undefined : bytes;
      });
      words = outcome.stdout + outcome.stderr;
      return outcome.exitCode;
    }
    if (name === 'ttest' || name === 'ttest-table') return await runLetorTtest(name === 'ttest' ? 'blocks' : 'table', argv, host);
    if (name === 'rank') return await runLetor(letorScripts[1], 'ranks', argv, false, host);
    if (name === 'yahoo') return await runYahoo(argv, host);
    if (ranklib !== undefined) return await runRankLib(argv, ranklib, host);
    return script === undefined ? 0 : await runLetor(script, 'scores', argv, argv.length % 2 === 0, host);
  }, null);
  return { exitCode: ended.value ?? 2, words: words + (ended.refused === undefined ? '' : shapeOfOutcome(ended)) };
}

const trecFlags = ['-q', '-c', '-J', '-n', '-M', '-l', '-N', '-m', '-R', '-h', '-v', '-D', '-T', '-Z', '-o', '-a', '-G1=2', '-M10'];
const ranklibFlags = [
  '-test',
  '-rank',
  '-metric2T',
  '-score',
  '-indri',
  '-idv',
  '-qrel',
  '-gmax',
  '-load',
  '-norm',
  '-hr',
  '-silent',
  '-keep',
];
const toolWords = [
  'a',
  'b',
  'c',
  'OUT',
  '0',
  '1',
  'map',
  'all_trec',
  'official',
  'ndcg_cut.5,10',
  'P.5',
  'utility.1,2',
  'qrels_jg',
  'prefs',
  'trec_results',
  'NDCG@10',
  'ERR@5',
  'MAP',
  'RR@3',
  'Best@2',
  'sum',
  'zscore',
  'linear',
  '-k',
  '-k1,2',
  '--',
];

function toolInput(dice: Dice): Uint8Array {
  const tool = dice.pick(toolNames);
  const numbers = (): Uint8Array => bytesOf(`${Array.from({ length: 1 + dice.below(12) }, () => scoreText(dice)).join('\n')}\n`);
  const lists = (): Uint8Array =>
    bytesOf(
      `${Array.from({ length: 1 + dice.below(4) }, () => Array.from({ length: 1 + dice.below(5) }, () => gradeText(dice)).join(' ')).join('\n')}\n`,
    );
  const usual: readonly string[] = tool.startsWith('ranklib')
    ? [
        '-load',
        'b',
        dice.pick(['-rank', '-test']),
        'a',
        '-metric2T',
        dice.pick(['NDCG@10', 'MAP', 'ERR@10', 'P@5', 'RR', 'Best@3']),
        dice.pick(['-score', '-idv', '-indri']),
        'OUT',
      ]
    : tool.startsWith('trec_eval') || tool === 'yahoo'
      ? ['a', 'b']
      : ['a', 'b', 'OUT', dice.pick(['0', '1'])];
  const flags = tool.startsWith('ranklib') ? ranklibFlags : trecFlags;
  const extra = Array.from({ length: dice.below(4) }, () => dice.pick(dice.chance(0.6) ? flags : [...toolWords, ...numberTexts]));
  const argv = dice.chance(0.3) ? dice.shuffled([...usual, ...extra]) : [...extra, ...usual];
  const first = tool.startsWith('trec_eval') ? qrelsText(dice) : tool === 'yahoo' ? lists() : letorLines(dice);
  const second = tool.startsWith('trec_eval')
    ? runText(dice)
    : tool === 'yahoo'
      ? lists()
      : tool.startsWith('ranklib')
        ? bytesOf('## Coordinate Ascent\n1:0.5 2:0.25\n')
        : numbers();
  return joinParts([argumentsPart([tool, ...argv]), first, second, qrelsText(dice)]);
}

/** Recorded command lines of the real program, over its own files. */
function recordedCases(): Uint8Array[] {
  const cases = goldenCases().filter(({ args, stdin }) => stdin === undefined && args.length > 2);
  return cases
    .filter((_, i) => i % 37 === 0)
    .map(({ args, version }) => {
      const [a, b] = args.slice(-2);
      const file = (path: string): Uint8Array => {
        try {
          return new Uint8Array(readFileSync(join(goldenFolder, path)).subarray(0, 3000));
        } catch {
          return bytesOf('');
        }
      };
      return joinParts([argumentsPart([`trec_eval@${version}`, ...args.slice(0, -2), 'a', 'b']), file(a), file(b), '']);
    });
}

export const toolTargets: readonly FuzzTarget[] = [
  {
    name: 'trec_eval',
    summary: 'our trec_eval of three versions: a slow twin, the fast path',
    cases: 350,
    words: ['Q0', '#', '\n', '%%\n', '-1', 'nan', 'inf'],
    seeds: () => [3, 4, 5, 16, 17, 18].map((seed) => trecEvalInput(new Dice(seed))),
    generate: trecEvalInput,
    check: checkTrecEval,
  },
  {
    name: 'tools',
    summary: 'every tool of `as` with any arguments and files: a status or a refusal',
    cases: 1500,
    words: [...toolNames, ...trecFlags, ...ranklibFlags, ...toolWords, '%%\n', '\n'].map((word) => `${word}\n`),
    seeds: () => [...recordedCases(), ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed) => toolInput(new Dice(seed)))],
    generate: toolInput,
    check: checkTool,
  },
];
