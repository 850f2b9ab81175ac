import { logTable } from '../../core/numbers/logarithm.js';
import { formatShortest } from '../../core/numbers/print.js';
import { toByteText } from '../byte-text.js';
import { linesOf, readFileText, runTool, ToolExit, type ToolHost, wordsOf } from '../host.js';

/** Behaves as the evaluation function of Yahoo's learning to rank challenge does: LABELS RANKS [-k 10 | -k1,2,3]. Both files
 *  have a line for each query; the j-th number of a line of ranks is the rank of the query's j-th document. */
export async function runYahoo(argv: readonly string[], host: ToolHost): Promise<number> {
  return await runTool(host, () => evaluate(argv, host));
}

function evaluate(argv: readonly string[], host: ToolHost): string {
  const { files, cutoffs } = readArguments(argv);
  const [labelLines, rankLines] = files.map((path) => {
    const text = readFileText(host, path);
    if (text === undefined) throw new ToolExit(2, { err: `gradus: ${toByteText(path)}: cannot be read\n` });
    return linesOf(text);
  });
  const rankings = readRankings(labelLines, rankLines);
  if (rankings.length === 0) throw new ToolExit(1, { out: 'ZeroDivisionError: division by zero\n' });
  const err = meanExpectedReciprocalRank(rankings);
  return cutoffs
    .map((k) => `k=${k}\tERR=${formatShortest(err)}\tNDCG=${formatShortest(mean(rankings.map((gains) => ndcg(gains, k))))}\n`)
    .join('');
}

function readArguments(argv: readonly string[]): { files: readonly string[]; cutoffs: readonly number[] } {
  const files: string[] = [];
  let cutoffs = '10';
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '-k') cutoffs = argv[++i] ?? '';
    else if (argv[i].startsWith('-k')) cutoffs = argv[i].slice(2);
    else files.push(argv[i]);
  }
  if (files.length !== 2 || !/^-?\d+(,-?\d+)*$/.test(cutoffs)) {
    throw new ToolExit(2, { err: 'usage: gradus as yahoo LABELS RANKS [-k 10 | -k1,2,3]\n' });
  }
  return { files, cutoffs: cutoffs.split(',').map(Number) };
}

/** The gains of each query in the order of the ranks; every check, in the order of the original. */
function readRankings(labelLines: readonly string[], rankLines: readonly string[]): Float64Array[] {
  if (labelLines.length !== rankLines.length) fail('AssertionError', `Expected ${labelLines.length} lines, but got ${rankLines.length}.`);
  return labelLines.map((labelLine, q) => {
    const line = q + 1;
    const labels = integers(labelLine, line);
    const ranks = integers(rankLines[q], line);
    const n = labels.length;
    if (ranks.length !== n) fail('AssertionError', `Expected ${n} ranks at line ${line}, but got ${ranks.length}.`);
    if (n === 0) fail('ValueError', 'max() arg is an empty sequence');
    if (ranks.some((rank) => rank > n)) fail('AssertionError', `Ranks on line ${line} larger than number of documents (${n}).`);
    const gains = new Float64Array(n).fill(Number.NaN);
    ranks.forEach((rank, j) => {
      // a rank of 0 is position -1, which in Python is the last one
      const position = rank >= 1 ? rank - 1 : rank - 1 + n;
      if (position < 0) fail('IndexError', 'list assignment index out of range');
      gains[position] = (2 ** labels[j] - 1) / 16;
    });
    if (gains.some(Number.isNaN)) fail('AssertionError', `Not all ranks present at line ${line}.`);
    return gains;
  });
}

function integers(text: string, line: number): number[] {
  const words = wordsOf(text);
  if (!words.every((word) => /^[+-]?\d+(_\d+)*$/.test(word))) fail('ValueError', `Non integer value on line ${line}`);
  return words.map((word) => Number(word.replaceAll('_', '')));
}

function fail(kind: string, message: string): never {
  throw new ToolExit(1, { out: `${kind}: ${message}\n` });
}

/** One running sum over the documents of all queries: the last printed digit depends on it, so the ERR of single queries, which is what
 *  the measure of that name gives, does not serve. */
function meanExpectedReciprocalRank(rankings: readonly Float64Array[]): number {
  let sum = 0;
  for (const gains of rankings) {
    let stillLooking = 1;
    for (let i = 0; i < gains.length; i++) {
      sum += (stillLooking * gains[i]) / (i + 1);
      stillLooking *= 1 - gains[i];
    }
  }
  return sum / rankings.length;
}

/** A query without anything to find counts as answered perfectly. The measure nDCG has the same bits for labels from 0 up; but this script
 *  takes labels below 0 and cutoffs below 1 as well, and gives the former a negative gain, in the ideal ranking too. */
function ndcg(gains: Float64Array, k: number): number {
  const ideal = dcg(
    gains.slice().sort((a, b) => b - a),
    k,
  );
  return ideal === 0 ? 1 : dcg(gains, k) / ideal;
}

function dcg(gains: Float64Array, k: number): number {
  const depth = Math.min(k, gains.length);
  const logs = logTable(gains.length + 1, 'e');
  let sum = 0;
  for (let i = 0; i < depth; i++) sum += gains[i] / logs[i + 2];
  return sum;
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
