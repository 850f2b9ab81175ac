import { formatFixed, formatPerl } from '../../core/numbers/print.js';
import { perlNumber } from '../../formats/text/perl-number.js';
import { bytesOf, toByteText } from '../byte-text.js';
import { linesOf, readFileText, runTool, ToolExit, type ToolHost } from '../host.js';
import { DIED } from './run-letor.js';

/** Values by measure and query, both in the order of the file. */
type Results = Map<string, Map<string, number>>;

/** Which of the two forms of result files is read: blocks of LETOR 3.0, or the tables of LETOR 4.0 and MSLR. */
export type ResultForm = 'blocks' | 'table';

/** Behaves as the significance test scripts do: RESULT_A RESULT_B OUT. */
export async function runLetorTtest(form: ResultForm, argv: readonly string[], host: ToolHost): Promise<number> {
  return await runTool(host, () => compare(form, argv, host));
}

function compare(form: ResultForm, argv: readonly string[], host: ToolHost): string {
  if (argv.length !== 3) {
    throw new ToolExit(255, { out: 'Invalid command line.\nUsage: RESULT_A RESULT_B OUT, where both results list each query (flag 1)\n' });
  }
  const [pathA, pathB, output] = argv;
  const a = readResults(form, pathA, host);
  const b = readResults(form, pathB, host);
  let text = `t-test results for A: ${toByteText(pathA)} and B: ${toByteText(pathB)}\n\n\n`;
  text += 'Measure\tNumber of queries\tMean A\tMean B\tt-value\tp-value\n';
  try {
    for (const measure of ordered(form, [...a.keys()])) text += testRow(measure, a, b);
  } finally {
    // rows of measures before the one that cannot be compared are written all the same
    host.write(output, bytesOf(text));
  }
  return '';
}

function readResults(form: ResultForm, path: string, host: ToolHost): Results {
  const text = readFileText(host, path);
  if (text === undefined) throw new ToolExit(NO_SUCH_FILE, { err: `cannot open ${toByteText(path)}\n` });
  return form === 'blocks' ? readBlocks(linesOf(text)) : readTable(linesOf(text));
}

const NO_SUCH_FILE = 2;
/** More positions than this are refused. */
const MAX_POSITIONS = 100;

function readBlocks(lines: readonly string[]): Results {
  const results: Results = new Map();
  for (const line of lines) {
    const match = /^(precision|map|ndcg) of query(\d+):(.*)$/i.exec(line.replace(/\r$/, ''));
    if (match === null) continue;
    const [, word, query, rest] = match;
    const values = rest.split(/[ \t\f\v\r]+/).filter((value) => value !== '');
    if (values.length > MAX_POSITIONS) throw new ToolExit(DIED, { err: `more than ${MAX_POSITIONS} positions\n` });
    const kind = word.toLowerCase();
    values.forEach((value, i) => {
      if (kind === 'map') enter(results, 'map', query, value);
      else enter(results, `${kind === 'ndcg' ? 'ndcg' : 'prec'}@${i + 1}`, query, value);
    });
  }
  return results;
}

function readTable(lines: readonly string[]): Results {
  const results: Results = new Map();
  let columns: readonly string[] = [];
  for (const full of lines) {
    const line = full.replace(/\r$/, '');
    if (line.length < 2 || /^average/i.test(line)) continue;
    const cells = line.split('\t');
    if (cells[0] === 'qid' && cells.length > 1) columns = cells;
    else for (let i = 1; i < Math.min(cells.length, columns.length); i++) enter(results, columns[i], cells[0], cells[i]);
  }
  return results;
}

function enter(results: Results, measure: string, query: string, value: string): void {
  const values = results.get(measure) ?? new Map<string, number>();
  results.set(measure, values);
  values.set(query, perlNumber(bytesOf(value), 0, value.length));
}

const families: Readonly<Record<ResultForm, readonly string[]>> = {
  blocks: ['map', 'ndcg', 'prec'],
  table: ['P', 'MAP', 'NDCG', 'MeanNDCG'],
};

/** By family, then by position; columns of no family last, as they came. */
function ordered(form: ResultForm, measures: readonly string[]): string[] {
  const key = (measure: string): readonly [family: number, position: number] => {
    const [name, position] = measure.split('@');
    const family = families[form].indexOf(name);
    return [family < 0 ? families[form].length : family, family < 0 ? 0 : Number(position ?? 0)];
  };
  return [...measures].sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1]);
}

function testRow(measure: string, a: Results, b: Results): string {
  const valuesA = a.get(measure) ?? new Map<string, number>();
  const valuesB = b.get(measure) ?? new Map<string, number>();
  const differences: number[] = [];
  let sumA = 0;
  let sumB = 0;
  for (const query of new Set([...valuesA.keys(), ...valuesB.keys()])) {
    const x = valuesA.get(query);
    const y = valuesB.get(query);
    if (x === undefined || y === undefined) throw new ToolExit(DIED, { err: `Empty value for ${measure}, qid = ${query}\n` });
    sumA += x;
    sumB += y;
    differences.push(x - y);
  }
  const n = differences.length;
  if (n < 2) throw new ToolExit(DIED, { err: `Invalid n: ${n - 1}\n` });
  const t = pairedT(differences);
  const p = upperTailOfT(n - 1, t);
  return `${[measure, String(n), formatPerl(sumA / n), formatPerl(sumB / n), formatPerl(t), significantDigits(p)].join('\t')}\n`;
}

/** The mean difference over its standard error; 0 when there is no spread at all. */
function pairedT(differences: readonly number[]): number {
  const n = differences.length;
  let sum = 0;
  for (const difference of differences) sum += difference;
  const mean = sum / n;
  let squares = 0;
  for (const difference of differences) squares += (difference - mean) ** 2;
  const standardError = Math.sqrt(squares / (n - 1)) / Math.sqrt(n);
  return standardError === 0 ? 0 : mean / standardError;
}

/** The number that the scripts' library of distributions has for π. */
const PI = Number('3.1415926536');

/** P(T > t) by the finite series that the distribution function has for whole degrees of freedom (Abramowitz and Stegun
 *  1964, 26.7.3 and 26.7.4). */
export function upperTailOfT(degrees: number, t: number): number {
  const angle = Math.atan2(t / Math.sqrt(degrees), 1);
  const cosineSquared = Math.cos(angle) ** 2;
  let series = 1;
  for (let i = degrees - 2; i >= 2; i -= 2) series = 1 + ((i - 1) / i) * cosineSquared * series;
  const even = degrees % 2 === 0;
  const factor = even ? Math.sin(angle) / 2 : degrees === 1 ? 0 : (Math.sin(angle) * Math.cos(angle)) / PI;
  const start = even ? 0.5 : 0.5 + angle / PI;
  return Math.max(0, 1 - start - factor * series);
}

/** About five significant digits, positional. */
function significantDigits(p: number): string {
  return p === 0 ? '0' : formatFixed(p, Math.abs(Math.trunc(Math.log10(p) - 5)));
}
