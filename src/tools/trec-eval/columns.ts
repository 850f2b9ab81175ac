import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { formatFixed } from '../../core/numbers/print.js';
import { mergeSort } from '../../core/order.js';
import type { GainTable, ParamValue } from '../../core/params.js';
import { gradeAt } from '../../measures/families/counts.js';
import { type Measure, makeMeasure, withParams } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { trecEvalMeasure } from '../../measures/spellings.js';
import { doubleOf, exactLongOf, longOf } from '../byte-text.js';
import type { MeasureRow } from './measure-table.js';
import type { TrecEvalOptions } from './options.js';
import { Quit } from './quit.js';

/** One printed value: a measure with one of its cutoffs. */
export interface Column {
  readonly row: MeasureRow;
  /** The name that is printed, as byte text. */
  readonly name: string;
  /** Our measure for it; none for the run's name, the number of topics and the string of grades. */
  readonly measure: Measure | undefined;
  /** How many grades the string shows. */
  readonly stringLength?: number;
  /** Whether this row can be computed at all; the tool finds out when it comes to the first topic. */
  readonly broken?: string;
}

/** The columns for all measures asked for, in table order. The first parameter that cannot be read ends the run. */
export function makeColumns(options: TrecEvalOptions, rows: readonly MeasureRow[], version: TrecEvalVersion): Column[] {
  return rows.flatMap((row) => (options.measures.has(row) ? columnsOf(row, options, version) : []));
}

function columnsOf(row: MeasureRow, options: TrecEvalOptions, version: TrecEvalVersion): Column[] {
  const parameters = options.measures.get(row);
  const base = baseMeasure(row, options, version);
  switch (row.parameters) {
    case 'none':
      return [{ row, name: row.name, measure: base }];
    case 'cutoffs':
      return wholeCutoffs(row, parameters).map((cutoff) => atCutoff(row, base, Number(cutoff), String(cutoff)));
    case 'real cutoffs':
      return realCutoffs(row, parameters).map((cutoff) => atCutoff(row, base, cutoff, formatFixed(cutoff, 2, 3).slice(0, 8)));
    case 'list':
      return [listColumn(row, base, parameters)];
    case 'pairs':
      return [pairsColumn(row, base, parameters, version)];
  }
}

/** The measures that show the grades of the first ranks, from which the string of grades is put together. */
export function gradeMeasures(count: number): Measure[] {
  return Array.from({ length: count }, (_, i) => makeMeasure(gradeAt, { rank: i + 1 }));
}

/** Our measure under the rules of this command line; its cutoff is still open. */
function baseMeasure(row: MeasureRow, options: TrecEvalOptions, version: TrecEvalVersion): Measure | undefined {
  if (row.source === 'nothing' || row.listParameter === 'length') return undefined;
  const measure = parseMeasure((trecEvalMeasure(row.name)?.ours ?? row.name).replace('{}', '1'));
  const rules: Record<string, ParamValue> = {
    rel: options.level,
    collection: options.collection,
    rounding: version.recallRounding,
    depth_rounding: 'up',
    ideal_order: 'whole',
  };
  return withParams(measure, Object.fromEntries(Object.entries(rules).filter(([name]) => Object.hasOwn(measure.def.params, name))));
}

function atCutoff(row: MeasureRow, base: Measure | undefined, cutoff: number, printed: string): Column {
  return {
    row,
    name: `${row.name}_${printed}`,
    measure: base?.def.at === undefined ? base : withParams(base, { [base.def.at]: cutoff }),
  };
}

function wholeCutoffs(row: MeasureRow, parameters: string | undefined): bigint[] {
  if (parameters === undefined) return (trecEvalMeasure(row.name)?.cutoffs ?? []).map(BigInt);
  const cutoffs = parameters.split(',').map(exactLongOf);
  cutoffs.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (cutoffs[0] <= 0n) throw cannotInitialize(row, 'Negative cutoff detected');
  return withoutDuplicates(row, cutoffs);
}

function realCutoffs(row: MeasureRow, parameters: string | undefined): readonly number[] {
  if (parameters === undefined) return trecEvalMeasure(row.name)?.cutoffs ?? [];
  const cutoffs = parameters.split(',').map(doubleOf);
  return withoutDuplicates(
    row,
    mergeSort(cutoffs, (a, b) => (a > b ? 1 : a < b ? -1 : 0)),
  );
}

function withoutDuplicates<T>(row: MeasureRow, sorted: T[]): T[] {
  if (sorted.some((cutoff, i) => i > 0 && cutoff === sorted[i - 1])) throw cannotInitialize(row, 'duplicate cutoffs detected');
  return sorted;
}

function listColumn(row: MeasureRow, base: Measure | undefined, parameters: string | undefined): Column {
  const numbers = parameters?.split(',').map(doubleOf);
  const name = parameters === undefined ? row.name : `${row.name}_${parameters}`;
  switch (row.listParameter) {
    case 'length':
      return { row, name, measure: undefined, stringLength: numbers === undefined ? 10 : lengthOf(numbers[0]) };
    case 'weight':
      return { row, name, measure: base && withParams(base, numbers === undefined ? {} : { weight: numbers[0] }) };
    case 'coefficients': {
      const measure = base && withParams(base, numbers === undefined ? {} : { coefficients: numbers });
      const improper = numbers !== undefined && numbers.length !== 4;
      return improper
        ? { row, name, measure, broken: 'trec_eval.calc_utility: improper number of coefficients\n' }
        : { row, name, measure };
    }
    default:
      return { row, name, measure: base && withParams(base, numbers === undefined ? {} : { levels: numbers }) };
  }
}

/** A length as C makes it from a real number: what an integer cannot hold becomes the lowest one, which is no length. */
function lengthOf(x: number): number {
  return x >= 1 && x < 2 ** 63 ? Math.trunc(x) : 0;
}

function pairsColumn(row: MeasureRow, base: Measure | undefined, parameters: string | undefined, version: TrecEvalVersion): Column {
  if (parameters === undefined || base === undefined) return { row, name: row.name, measure: base };
  const pairs = parameters.split(',').map((item) => item.split('='));
  if (pairs.some((pair) => pair.length !== 2)) throw cannotInitialize(row, `malformed pair parameters in '${parameters}'`);
  const changes: Record<string, ParamValue> = {};
  if (Object.hasOwn(base.def.params, 'p')) {
    for (const [name, value] of pairs) if (name === 'p') changes.p = doubleOf(value);
  }
  if (Object.hasOwn(base.def.params, 'gains')) {
    const levels = version.oddLevelNames === 'drop' ? pairs.filter(([name]) => /^[+-]?\d+$/.test(name)) : pairs;
    const gains: GainTable = levels.map(([name, value]) => [longOf(name), doubleOf(value)]);
    if (gains.length > 0) changes.gains = gains;
  }
  return { row, name: `${row.name}_${parameters}`, measure: withParams(base, changes) };
}

function cannotInitialize(row: MeasureRow, problem: string): Quit {
  return new Quit(2, `trec_eval: ${problem}\ntrec_eval: Cannot initialize measure '${row.name}'\n`);
}
