/** What logs of clicks say: how ranks are looked at, data to learn from, and what another ranking would be worth. */
import { commentField, type FeatureMatrix, numQueries, queryText } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Run } from '../../core/run.js';
import { readClickLog, type ShownList } from '../../formats/click-log.js';
import { readRun } from '../../formats/read.js';
import type { ByteSource } from '../../formats/source.js';
import { type EstimatedPropensities, estimatePropensities, harvestPropensities, type Impression } from '../../ltr/clicks/position-bias.js';
import { type CounterfactualResult, counterfactual } from '../../stats/clicks/counterfactual.js';
import { pairedTTest } from '../../stats/t-test.js';
import { sourceOf } from '../material.js';
import type { Platform } from '../platform.js';
import { type FeatureInput, type FeatureSettings, readFeatureFile } from '../training/training-data.js';

/** How chances of being looked at are estimated: expectation maximisation, or by documents that were shown at several ranks. */
export type BiasMethod = 'em' | 'harvest';

/** How ranks are looked at. */
export interface PositionBiasTable {
  readonly lists: number;
  readonly method: BiasMethod;
  /** Share of the pairs of query and document that were shown at several ranks: without them nothing can be told. */
  readonly moved: number;
  readonly ranks: readonly {
    readonly rank: number;
    readonly impressions: number;
    readonly clicks: number;
    /** The chance that it is looked at, relative to the first; null where the log does not tell. */
    readonly propensity: number | null;
  }[];
}

/** Estimates from a log how ranks are looked at. */
export async function positionBiasOf(
  log: FeatureInput,
  { method = 'em' }: { readonly method?: BiasMethod | undefined },
  platform: Platform,
): Promise<PositionBiasTable> {
  return biasOf(await readClickLog(sourceOf(log, platform)), method).table;
}

function biasOf(lists: readonly ShownList[], method: BiasMethod): { table: PositionBiasTable; estimated: EstimatedPropensities } {
  const impressions = impressionsOf(lists);
  const estimated = estimatePropensities(impressions);
  const propensities = method === 'em' ? estimated.propensities : harvestPropensities(impressions);
  const shown = new Float64Array(propensities.length);
  const clicks = new Float64Array(propensities.length);
  const ranksOf = new Map<string, number>();
  let moved = 0;
  for (const { query, doc, rank, clicked } of impressions) {
    shown[rank - 1]++;
    clicks[rank - 1] += Number(clicked);
    const key = `${query}\u0000${doc}`;
    const before = ranksOf.get(key);
    if (before !== undefined && before !== rank && before > 0) {
      moved++;
      ranksOf.set(key, 0);
    } else if (before === undefined) ranksOf.set(key, rank);
  }
  const ranks = Array.from(propensities, (propensity, k) => ({
    rank: k + 1,
    impressions: shown[k],
    clicks: clicks[k],
    propensity: shown[k] > 0 && Number.isFinite(propensity) ? Math.min(1, propensity) : null,
  }));
  return { table: { lists: lists.length, method, moved: moved / ranksOf.size, ranks }, estimated };
}

function impressionsOf(lists: readonly ShownList[]): Impression[] {
  return lists.flatMap(({ query, docs, ranks, clicks }) => docs.map((doc, i) => ({ query, doc, rank: ranks[i], clicked: clicks[i] > 0 })));
}

/** Training data that a log gives. */
export interface ClickTraining {
  /** Lines of LETOR: each list is a query, its documents as they were shown, the labels are clicks. */
  readonly lines: readonly string[];
  readonly lists: number;
  /** Lists without a document that has features, and documents without. */
  readonly emptyLists: number;
  readonly absent: number;
  readonly propensities: readonly number[];
}

/** Joins a log with the features of its documents, by query and document id. */
export async function clickTraining(
  log: FeatureInput,
  features: FeatureInput,
  { method = 'em', ...reading }: FeatureSettings & { readonly method?: BiasMethod | undefined },
  platform: Platform,
): Promise<ClickTraining> {
  const lists = await readClickLog(sourceOf(log, platform));
  const source = sourceOf(features, platform);
  const matrix = await readFeatureFile(source, reading, platform);
  const rows = rowsByDocument(matrix, source.name);
  const { table } = biasOf(lists, method);
  const propensities = table.ranks.map(({ propensity }, k) => propensity ?? table.ranks[Math.max(0, k - 1)].propensity ?? 1);
  const lines: string[] = [];
  let [absent, emptyLists] = [0, 0];
  for (const [l, { query, docs, ranks, clicks }] of lists.entries()) {
    const known = docs.flatMap((doc, i) => {
      const row = rows.get(`${query}\u0000${doc}`);
      if (row === undefined) absent++;
      return row === undefined ? [] : [{ doc, row, i }];
    });
    if (known.length === 0) emptyLists++;
    for (const { doc, row, i } of known) {
      const place = `rank = ${ranks[i]} propensity = ${propensities[ranks[i] - 1]}`;
      lines.push(`${clicks[i]} qid:${l + 1} ${cellsOf(matrix, row)} # docid = ${doc} ${place} query = ${query}`);
    }
  }
  if (lines.length === 0) {
    throw new InputError({
      source: source.name,
      message: 'no document of the log has features here',
      wayOut: 'name queries and documents (qid and docid) as the log does',
    });
  }
  return { lines, lists: lists.length, emptyLists, absent, propensities };
}

/** The row of each document, by query and id. */
function rowsByDocument(matrix: FeatureMatrix, source: string): Map<string, number> {
  const rows = new Map<string, number>();
  for (let q = 0; q < numQueries(matrix); q++) {
    for (let row = matrix.queryOffsets[q]; row < matrix.queryOffsets[q + 1]; row++) {
      const doc = commentField(matrix, row, 'docid');
      if (doc === undefined) {
        throw new InputError({
          source,
          line: matrix.lines[row],
          message: 'found no document id, by which features are joined with the log',
          wayOut: 'write it behind the features as # docid = d1, or in a column called doc',
        });
      }
      rows.set(`${queryText(matrix, q)}\u0000${doc}`, row);
    }
  }
  return rows;
}

function cellsOf({ features }: FeatureMatrix, row: number): string {
  if (features === undefined) return '';
  const { firstFeature, values, numFeatures } = features;
  if (features.layout === 'dense') {
    return Array.from({ length: numFeatures }, (_, c) => `${firstFeature + c}:${values[row * numFeatures + c]}`).join(' ');
  }
  const { rowOffsets, columns } = features;
  const cells: string[] = [];
  for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) cells.push(`${firstFeature + columns[i]}:${values[i]}`);
  return cells.join(' ');
}

/** How a log judges other rankings. */
export interface CounterfactualRequest {
  /** The chance that each rank was looked at; estimated from the log by default. */
  readonly propensities?: readonly number[] | undefined;
  readonly method?: BiasMethod | undefined;
  /** Chances below this count as this; 0.05 by default. */
  readonly clip?: number | undefined;
}

/** What a log says of one ranking. */
export interface JudgedByClicks extends Omit<CounterfactualResult, 'perQuery'> {
  readonly run: string;
  /** How its part in IPS differs from that of the first run, list by list; null for the first. */
  readonly against: { readonly difference: number; readonly low: number; readonly high: number; readonly pValue: number } | null;
}

/** What rankings would be worth by the clicks that another one got. The value of a list is the sum over its clicks of
 *  1 / log2(new rank + 1), each over the chance that its shown rank was looked at. */
export async function judgeByClicks(
  log: FeatureInput,
  runs: readonly FeatureInput[],
  { propensities, method = 'em', clip = 0.05 }: CounterfactualRequest,
  platform: Platform,
): Promise<JudgedByClicks[]> {
  const lists = await readClickLog(sourceOf(log, platform));
  const { table, estimated } = biasOf(lists, method);
  const chances = propensities ?? table.ranks.map(({ propensity }) => Math.max(propensity ?? 1, Number.EPSILON));
  const results: { name: string; result: CounterfactualResult }[] = [];
  for (const input of runs) {
    const source = sourceOf(input, platform);
    const ranks = ranksOf((await readRun(source)).run);
    refuseOtherQueries(lists, ranks, source);
    const logged = lists.map(({ query, docs, ranks: shown, clicks }) => ({
      shown,
      clicks,
      ranks: docs.map((doc) => ranks.get(query)?.get(doc) ?? 0),
      expected: docs.map((doc) => estimated.attraction(query, doc) ?? 0),
    }));
    results.push({ name: source.name, result: counterfactual(logged, { propensities: chances, clip }) });
  }
  return results.map(({ name, result: { perQuery, ...result } }, r) => {
    if (r === 0) return { run: name, ...result, against: null };
    const { meanDifference, interval, pValue } = pairedTTest({ first: perQuery, second: results[0].result.perQuery });
    return { run: name, ...result, against: { difference: meanDifference, low: interval.low, high: interval.high, pValue } };
  });
}

function refuseOtherQueries(lists: readonly ShownList[], ranks: ReadonlyMap<string, unknown>, source: ByteSource): void {
  if (lists.some(({ query }) => ranks.has(query))) return;
  throw new InputError({
    source: source.name,
    message: `has no query of the log, such as ${lists[0].query}`,
    wayOut: 'both must name queries in the same way',
  });
}

/** The rank of each document from 1, by query; equal scores as they were read. */
function ranksOf({ topics, docs, offsets, docOf, scores }: Run): Map<string, Map<string, number>> {
  const all = new Map<string, Map<string, number>>();
  for (let t = 0; t + 1 < offsets.length; t++) {
    const rows = Array.from({ length: offsets[t + 1] - offsets[t] }, (_, i) => offsets[t] + i);
    rows.sort((x, y) => scores[y] - scores[x] || x - y);
    all.set(topics.text(t), new Map(rows.map((row, place) => [docs.text(docOf[row]), place + 1])));
  }
  return all;
}
