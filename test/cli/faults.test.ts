import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/core/numbers/random.js';
import { launcher, runGradus } from '../helpers/run-gradus.js';

const runner = fileURLToPath(new URL('../helpers/fault-runner.cjs', import.meta.url));
/** Faults that are tried of each command, spread over all; GRADUS_ALL_FAULTS=1 tries every one. */
const MOST_FAULTS = process.env.GRADUS_ALL_FAULTS === '1' ? undefined : 40;

interface Scenario {
  readonly argv: string;
  /** Names in the folder `out`. */
  readonly outputs: readonly string[];
  /** Folders in it that must be there before. */
  readonly folders?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Other than for most commands, because it takes long. */
  readonly most?: number;
}

const train = '--train in/train.txt --threads 1 --quiet';

const scenarios: Readonly<Record<string, Scenario>> = {
  'eval csv': { argv: 'eval in/qrels in/a.run in/b.run -q -f csv -o out/scores.csv', outputs: ['scores.csv'] },
  'eval json': { argv: 'eval in/qrels in/a.run.gz -q --json -o out/scores.json', outputs: ['scores.json'] },
  'eval parquet': { argv: 'eval in/qrels in/a.run -f parquet -o out/scores.parquet', outputs: ['scores.parquet'] },
  'eval lenient': { argv: 'eval in/qrels in/bad.run --lenient -o out/scores.txt', outputs: ['scores.txt'] },
  'eval --engine duckdb': { argv: 'eval in/qrels in/a.run --engine duckdb -m AP -o out/scores.txt', outputs: ['scores.txt'], most: 25 },
  compare: { argv: 'compare in/qrels in/a.run in/b.run -o out/compared.txt', outputs: ['compared.txt'] },
  'compare --scores': { argv: 'compare --scores in/scores.csv -o out/compared.md -f md', outputs: ['compared.md'] },
  gate: {
    argv: 'gate in/qrels in/base.json in/a.run -m AP --min-topics 2 -o out/gate.txt --junit out/junit.xml --summary out/summary.md --save-baseline out/next.json',
    outputs: ['gate.txt', 'junit.xml', 'summary.md', 'next.json'],
  },
  'report text': { argv: 'report in/qrels in/a.run in/b.run --no-audit -o out/r.txt', outputs: ['r.txt'], most: 20 },
  'report html': { argv: 'report in/qrels in/a.run --no-audit -o out/r.html', outputs: ['r.html'], most: 15 },
  'report pdf': {
    argv: 'report in/qrels in/a.run --trec -o out/r.pdf',
    outputs: ['r.pdf'],
    environment: { CHROME_PATH: 'in/browser' },
    most: 30,
  },
  'report figures': {
    argv: 'report in/qrels in/a.run --trec -o out/r.tex --figures tikz',
    outputs: ['r.tex', 'r-charts/recall-precision.tex'],
    folders: ['r-charts'],
    most: 20,
  },
  fuse: { argv: 'fuse in/a.run in/b.run --method rrf -o out/fused.run', outputs: ['fused.run'] },
  'fuse gzip': { argv: 'fuse in/a.run in/b.run --method rrf -o out/fused.run.gz', outputs: ['fused.run.gz'], most: 30 },
  'convert jsonl': { argv: 'convert in/a.run out/a.jsonl', outputs: ['a.jsonl'] },
  'convert gzip': { argv: 'convert in/a.run.gz out/a.csv.gz', outputs: ['a.csv.gz'] },
  'convert parquet': { argv: 'convert in/a.run out/a.parquet', outputs: ['a.parquet'] },
  'convert from parquet': { argv: 'convert in/a.parquet out/a.run', outputs: ['a.run'] },
  'convert qrels': { argv: 'convert in/qrels out/q.tsv', outputs: ['q.tsv'] },
  train: { argv: `train linear-regression ${train} --model out/m.json -o out/values.txt`, outputs: ['m.json', 'values.txt'] },
  score: { argv: 'score in/model.json in/train.txt --quiet -o out/s.run --qrels out/s.qrels', outputs: ['s.run', 's.qrels'] },
  cv: {
    argv: `cv linear-regression ${train} --folds 2 --models out/models --predictions out/p.txt -o out/cv.txt`,
    outputs: ['models/fold-1.json', 'models/fold-2.json', 'p.txt', 'cv.txt'],
    folders: ['models'],
  },
  'model convert': { argv: 'model convert in/model.json out/m.ts', outputs: ['m.ts'] },
  'model inspect': { argv: 'model inspect in/model.json -o out/m.txt', outputs: ['m.txt'] },
  'model importance': { argv: 'model importance in/model.json --data in/train.txt -o out/m.txt', outputs: ['m.txt'] },
  'model report': { argv: 'model report in/model.json in/train.txt --repeats 1 -o out/m.html', outputs: ['m.html'], most: 20 },
  sql: { argv: 'sql qrels run -o out/measures.sql', outputs: ['measures.sql'] },
  meta: {
    argv: 'meta power in/qrels in/a.run in/b.run -m AP -B 20 --threads 1 --chart out/c.svg -o out/meta.txt',
    outputs: ['c.svg', 'c-2.svg', 'meta.txt'],
    most: 20,
  },
  risk: { argv: 'risk in/qrels in/a.run in/b.run -o out/risk.txt', outputs: ['risk.txt'], most: 20 },
  interleave: { argv: 'interleave lists in/a.run in/b.run -o out/lists.jsonl', outputs: ['lists.jsonl'], most: 20 },
  leaderboard: { argv: 'leaderboard in/qrels in/a.run in/b.run -o out/board.csv -f csv', outputs: ['board.csv'], most: 20 },
  'training curves': {
    argv: `train linear-regression ${train} --history out/curves.csv --model out/m.json`,
    outputs: ['curves.csv', 'm.json'],
    most: 30,
  },
  correlate: { argv: 'correlate in/a.run in/b.run -o out/c.txt', outputs: ['c.txt'] },
  explain: { argv: 'explain in/qrels in/a.run --as trec_eval,ranx -m AP -o out/e.txt', outputs: ['e.txt'] },
  audit: { argv: 'audit in/qrels in/a.run -o out/a.txt', outputs: ['a.txt'] },
  'as ranklib': { argv: 'as ranklib -train in/train.txt -ranker 9 -save out/m.txt', outputs: ['m.txt'] },
  'temporary files of large runs': { argv: 'SPILL', outputs: ['spilled'] },
};

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'gradus-faults-')));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

beforeAll(() => {
  const inputs = join(parent, 'in');
  mkdirSync(inputs);
  const write = (name: string, text: string): void => writeFileSync(join(inputs, name), text);
  const topics = Array.from({ length: 12 }, (_, topic) => topic + 1);
  const docs = Array.from({ length: 6 }, (_, doc) => doc);
  write('qrels', topics.map((topic) => docs.map((doc) => `${topic} 0 d${doc} ${(doc * topic) % 3}\n`).join('')).join(''));
  // topics in turn, as a system writes them that answers them together
  const run = (factor: number, tag: string): string =>
    docs.map((doc) => topics.map((topic) => `${topic} Q0 d${(doc * factor + topic) % 6} ${doc + 1} ${6 - doc} ${tag}\n`).join('')).join('');
  write('a.run', run(1, 'a'));
  write('b.run', run(5, 'b'));
  write('bad.run', `${run(1, 'a')}1 Q0 no number\n`);
  write('scores.csv', `topic,a,b\n${topics.map((topic) => `${topic},${topic / 20},${((topic * 7) % 5) / 10}\n`).join('')}`);
  write(
    'train.txt',
    Array.from({ length: 60 }, (_, i) => `${i % 3} qid:${i >> 3} 1:${(i * 7) % 11} 2:${(i * 5) % 13} 3:${i % 7} # docid=d${i}\n`).join(''),
  );
  write('browser', `#!/bin/sh\nfor word; do case $word in --print-to-pdf=*) echo "%PDF" > "\${word#*=}";; esac; done\n`);
  chmodSync(join(inputs, 'browser'), 0o755);
  const make = (...argv: string[]): void => expect(runGradus(argv, { cwd: inputs }).status).toBe(0);
  make('convert', 'a.run', 'a.run.gz');
  make('convert', 'a.run', 'a.parquet');
  make('eval', 'qrels', 'a.run', '-q', '--json', '-m', 'AP', '-o', 'base.json');
  make('train', 'linear-regression', '--train', 'train.txt', '--model', 'model.json', '--quiet');
});

interface Findings {
  readonly operations: number;
  readonly tried: number;
  readonly findings: readonly unknown[];
}

async function explore(name: string, scenario: Scenario & { readonly outputs: readonly string[] }): Promise<Findings> {
  const folder = join(parent, name.replace(/\W+/g, '-'));
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  writeFileSync(
    join(folder, 'scenario.json'),
    JSON.stringify({
      ...scenario,
      folder,
      argv: scenario.argv.split(' '),
      most: MOST_FAULTS === undefined ? undefined : (scenario.most ?? MOST_FAULTS),
    }),
  );
  symlinkSync('../in', join(folder, 'in'));
  await promisify(execFile)(process.execPath, [runner, join(folder, 'scenario.json'), join(folder, 'result.json')], { maxBuffer: 1 << 26 });
  return JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
}

describe.concurrent('a file operation that fails leaves the output whole or untouched, and is reported in a sentence', () => {
  test.each(Object.entries(scenarios))('%s', async (name, scenario) => {
    const { tried, findings } = await explore(name, scenario);
    expect(findings).toEqual([]);
    expect(tried).toBeGreaterThan(9);
  });

  test('report with its pictures', async () => {
    const argv = 'report in/qrels in/a.run in/b.run --no-audit -o out/r.md';
    mkdirSync(join(parent, 'first'));
    runGradus(argv.replaceAll('out/', 'first/').split(' '), { cwd: parent });
    const outputs = readdirSync(join(parent, 'first'), { recursive: true })
      .map(String)
      .filter((file) => /\.(svg|md)$/.test(file));
    expect(outputs.length).toBeGreaterThan(3);
    expect((await explore('report with pictures', { argv, outputs, most: 40 })).findings).toEqual([]);
  });
});

describe('a process that is killed', () => {
  test('leaves the output whole or untouched, and the next one works', async () => {
    const folder = join(parent, 'killed');
    mkdirSync(folder);
    const random = seededRandom(14);
    const argv = ['convert', join(parent, 'in', 'a.run'), 'a.csv.gz'];
    expect(runGradus(argv, { cwd: folder }).status).toBe(0);
    const whole = readFileSync(join(folder, 'a.csv.gz'));
    for (let round = 0; round < 12; round++) {
      if (round % 2 === 0) rmSync(join(folder, 'a.csv.gz'));
      const child = spawn(process.execPath, [launcher, ...argv], { cwd: folder, stdio: 'ignore' });
      const exit = once(child, 'exit');
      await sleep(random.below(250));
      child.kill('SIGKILL');
      await exit;
      if (existsSync(join(folder, 'a.csv.gz'))) expect(readFileSync(join(folder, 'a.csv.gz'))).toEqual(whole);
      else expect(round % 2).toBe(0);
      expect(runGradus(argv, { cwd: folder }).status).toBe(0);
      expect(readFileSync(join(folder, 'a.csv.gz'))).toEqual(whole);
    }
    for (const name of readdirSync(folder)) expect(name).toMatch(/^a\.csv\.gz$|^\.gradus-\w+\.tmp$/);
  });
});
