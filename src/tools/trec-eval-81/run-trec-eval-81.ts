import { idText } from '../../core/ids.js';
import { type JudgingRules, judge } from '../../core/judging/judge.js';
import { formatFixed } from '../../core/numbers/print.js';
import type { GainTable } from '../../core/params.js';
import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import { parseTrecQrels } from '../../formats/trec/qrels.js';
import { parseTrecRun } from '../../formats/trec/run.js';
import { evaluate } from '../../measures/evaluate.js';
import { type Measure, makeMeasure } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { toByteText } from '../byte-text.js';
import { runTool, ToolExit, type ToolHost } from '../host.js';
import { allMeasures81, microMeasures81, summary81, type Topic81, topicValues81 } from './all-measures.js';

/** What a line of output shows of a measure. */
interface Row {
  readonly name: string;
  readonly measure: string;
  /** A count is printed without decimals. */
  readonly count?: boolean;
  /** Not printed for single topics. */
  readonly overallOnly?: boolean;
}

const recallLevels = Array.from({ length: 11 }, (_, i) => (i / 10).toFixed(2));
const cutoffs = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

const rows: readonly Row[] = [
  { name: 'num_ret', measure: 'NumRet', count: true },
  { name: 'num_rel', measure: 'NumRel', count: true },
  { name: 'num_rel_ret', measure: 'NumRelRet', count: true },
  { name: 'map', measure: 'AP' },
  { name: 'gm_ap', measure: "AP(agg='geometric')", overallOnly: true },
  { name: 'R-prec', measure: 'Rprec' },
  { name: 'bpref', measure: 'Bpref' },
  { name: 'recip_rank', measure: 'RR' },
  { name: 'ndcg_trec', measure: 'nDCG' },
  // 8.1 counts tenths in whole numbers, where 0.7 times 3 is no less than 2.1; a little more than the level does the same
  ...recallLevels.map((level) => ({ name: `ircl_prn.${level}`, measure: `IPrec@${Math.min(1, Number(level) + 1e-12)}` })),
  ...cutoffs.map((k) => ({ name: `P${k}`, measure: `P@${k}` })),
];

/** Behaves as trec_eval 8.1 with the patch that brought NDCG to it: [-q] [-Mdepth] [-Ggains] QRELS RUN. Topics come in the
 *  order of the run. */
export async function runTrecEval81(argv: readonly string[], host: ToolHost): Promise<number> {
  return await runTool(host, () => {
    const { perTopic, depth, gains, files } = parseOptions(argv, ['-q'], true);
    const { qrels, run } = readFiles(host, files);
    const measures = rows.map(({ measure }) => withGains(parseMeasure(measure), depth, gains));
    const table = evaluate(qrels, run, measures, { ...rules, depth, unrelated: 'accept' });
    let text = '';
    const line = (name: string, topic: string, value: number, count = false): void => {
      text += printedLine(name, topic, value, count);
    };
    if (perTopic) {
      const evaluated = new Set(table.topics);
      for (let i = 0; i < run.topics.size; i++) {
        const topic = idText(run.topics, i);
        if (!evaluated.has(topic)) continue;
        for (const [m, { name, count, overallOnly }] of rows.entries()) if (!overallOnly) line(name, topic, table.value(topic, m), count);
      }
    }
    line('num_q', 'all', table.topics.length, true);
    for (const [i, { name, count }] of rows.entries()) line(name, 'all', table.aggregate(i), count);
    return text;
  });
}

/** The program as it was released, which has no NDCG: [-q] [-a] [-Mdepth] QRELS RUN. */
export async function runTrecEval81Released(argv: readonly string[], host: ToolHost): Promise<number> {
  return await runTool(host, () => {
    const { perTopic, all, depth, files } = parseOptions(argv, ['-q', '-a'], false);
    const { qrels, run } = readFiles(host, files);
    const judged = judge(qrels, run, { ...rules, depth });
    const topics = new Map<string, Topic81>();
    for (const [t, topic] of judged.topics.entries()) {
      const grades = judged.judged.subarray(judged.judgedOffsets[t], judged.judgedOffsets[t + 1]);
      const numRelevant = grades.filter((grade) => grade >= 1).length;
      topics.set(idText(qrels.topics, topic), {
        codes: judged.codes.subarray(judged.offsets[t], judged.offsets[t + 1]),
        numRelevant,
        numNonRelevant: grades.length - numRelevant,
      });
    }
    const inOrder = Array.from({ length: run.topics.size }, (_, i) => idText(run.topics, i)).filter((topic) => topics.has(topic));
    const values = inOrder.map((topic) => topicValues81(topics.get(topic) as Topic81));
    const shown = allMeasures81.filter(({ name }) => all || rows.some((row) => row.name === name));
    let text = '';
    if (perTopic) {
      for (const [t, topic] of inOrder.entries()) {
        for (const { name, summary } of shown) {
          const isCount = summary === 'sum' || summary === 'topic only';
          if (summary !== 'geometric') text += printedLine(name, topic, values[t].get(name) ?? 0, isCount);
        }
      }
    }
    text += printedLine('num_q', 'all', values.length, true);
    for (const measure of shown) {
      if (measure.summary === 'topic only') continue;
      text += printedLine(measure.name, 'all', summary81(measure, values), measure.summary === 'sum');
    }
    if (!all) return text;
    const total = (name: string): number => values.reduce((sum, topic) => sum + (topic.get(name) ?? 0), 0);
    for (const [name, over, under] of microMeasures81) text += printedLine(name, 'all', total(over) / total(under));
    return text;
  });
}

const rules: Pick<JudgingRules, 'ties' | 'scorePrecision' | 'missingTopics'> = {
  ties: 'docno',
  scorePrecision: 'float32',
  missingTopics: 'skip',
};

function printedLine(name: string, topic: string, value: number, count = false): string {
  return `${name.padEnd(15)}\t${topic}\t${count ? String(value) : formatFixed(value, 4, 6, '-nan')}\n`;
}

function readFiles(host: ToolHost, [qrels, run]: readonly string[]): { qrels: Qrels; run: Run } {
  return { qrels: parseTrecQrels(read(host, qrels)).qrels, run: parseTrecRun(read(host, run)).run };
}

/** With a depth the ideal ranking is cut as well as the ranking. */
function withGains(measure: Measure, depth: number, gains: GainTable | undefined): Measure {
  if (measure.def.name !== 'nDCG') return measure;
  return makeMeasure(measure.def, {
    ...(depth < Infinity ? { cutoff: depth } : {}),
    ...(gains === undefined ? {} : { gains }),
  });
}

function read(host: ToolHost, path: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  if (!host.read(path, (piece) => pieces.push(piece.slice())))
    throw new ToolExit(2, { err: `trec_eval: cannot read ${toByteText(path)}\n` });
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

interface Options {
  readonly perTopic: boolean;
  readonly all: boolean;
  readonly depth: number;
  readonly gains: GainTable | undefined;
  readonly files: readonly string[];
}

function parseOptions(argv: readonly string[], flags: readonly string[], takesGains: boolean): Options {
  const given = new Set<string>();
  let depth = Infinity;
  let gains: GainTable | undefined;
  const files: string[] = [];
  for (const argument of argv) {
    const value = argument.slice(2);
    if (flags.includes(argument)) given.add(argument);
    else if (/^-M[1-9]\d*$/.test(argument)) depth = Number(value);
    else if (takesGains && /^-G\d+=[\d.]+(,\d+=[\d.]+)*$/.test(argument)) {
      gains = value.split(',').map((pair) => [Number(pair.split('=')[0]), Number(pair.split('=')[1])] as const);
    } else if (argument.startsWith('-')) files.length = 3;
    else files.push(argument);
  }
  if (files.length !== 2) {
    const shown = [...flags, '-Mdepth', ...(takesGains ? ['-Glevel=gain,...'] : [])].map((flag) => `[${flag}]`);
    throw new ToolExit(1, { err: `Usage: trec_eval ${shown.join(' ')} QRELS RUN\n` });
  }
  return { perTopic: given.has('-q'), all: given.has('-a'), depth, gains, files };
}
