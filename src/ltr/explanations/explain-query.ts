import { commentField, type FeatureMatrix, type Features, featureValue, numQueries, queryText } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Measure } from '../../measures/measure.js';
import { featuresOf } from '../dataset.js';
import { type EvaluationRules, evaluateScores } from '../evaluate-model.js';
import { selectQueries } from '../folds.js';
import type { Model } from '../ranker.js';
import { leftOutValue } from '../scoring/rows.js';
import { scoreMatrix } from '../scoring/score.js';
import { type ContributionMethod, type ContributionOptions, type ScoreContributions, scoreContributions } from './contributions.js';

/** What one feature adds to a score. */
export interface FeatureContribution {
  /** As files write it. */
  readonly id: number;
  readonly name: string | undefined;
  /** What the document has; NaN where it is missing. */
  readonly value: number;
  readonly contribution: number;
  /** With the sampled method. */
  readonly standardError?: number | undefined;
}

/** A document in the ranking of its query, and why it has its score. */
export interface DocumentExplanation {
  readonly document: string;
  readonly rank: number;
  readonly label: number;
  readonly score: number;
  /** base + the sum of contributions is the score, up to rounding; a forest that averages explains the sum of its trees. */
  readonly base: number;
  /** The features that the model uses, the largest contributions first. */
  readonly features: readonly FeatureContribution[];
}

/** The ranking of a query with the reasons for it. */
export interface QueryExplanation {
  readonly query: string;
  readonly method: ContributionMethod;
  readonly backgroundSize?: number | undefined;
  readonly documents: readonly DocumentExplanation[];
}

/** The documents of a query in the order of their scores, and what each feature adds to them. */
export function explainQuery(model: Model, data: FeatureMatrix, query: string, options: ContributionOptions = {}): QueryExplanation {
  const matrix = dataOfQuery(data, query);
  // documents of other queries are a background as well
  const found = scoreContributions(model, matrix, { background: data, ...options });
  const scores = scoreMatrix(model, matrix);
  const ranking = rankingOf(scores);
  return {
    query,
    method: found.method,
    ...(found.backgroundSize === undefined ? {} : { backgroundSize: found.backgroundSize }),
    documents: ranking.map((row, i) => ({
      document: documentName(matrix, row),
      rank: i + 1,
      label: matrix.labels[row],
      score: scores[row],
      base: found.base[row],
      features: contributionsOf(model, matrix, row, found),
    })),
  };
}

/** Rows by their scores, best first; equal ones as they come. */
function rankingOf(scores: Float64Array): number[] {
  return Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
}

/** The documents of one query.
 *  @throws An `InputError` if the data does not have it. */
export function dataOfQuery(matrix: FeatureMatrix, query: string): FeatureMatrix {
  for (let q = 0; q < numQueries(matrix); q++) {
    if (queryText(matrix, q) === query) return selectQueries(matrix, Uint32Array.of(q)); // fits: entries
  }
  const names = Array.from({ length: Math.min(5, numQueries(matrix)) }, (_, q) => queryText(matrix, q));
  throw new InputError({
    message: `the data has no query ${query}`,
    wayOut: `it has ${names.join(', ')}${numQueries(matrix) > 5 ? ', …' : ''}`,
  });
}

/** The id in the comment of the line, or else where the line is. */
export function documentName(matrix: FeatureMatrix, row: number): string {
  return commentField(matrix, row, 'docid') ?? `line ${matrix.lines[row]}`;
}

function contributionsOf(model: Model, matrix: FeatureMatrix, row: number, found: ScoreContributions): FeatureContribution[] {
  const { numFeatures, values, standardErrors } = found;
  const value = cellReader(model, matrix);
  return Array.from({ length: numFeatures }, (_, column) => ({
    id: model.firstFeature + column,
    name: model.featureNames?.[column],
    value: value(row, column),
    contribution: values[row * numFeatures + column],
    ...(standardErrors === undefined ? {} : { standardError: standardErrors[row * numFeatures + column] }),
  }))
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.id - b.id);
}

/** Where the data has each column of the model; below 0 or beyond its columns where it does not have it. */
function dataColumn(model: Model, features: Features): (column: number) => number {
  const { names } = features;
  if (names === undefined || model.featureNames === undefined) return (column) => model.firstFeature + column - features.firstFeature;
  return (column) => names.indexOf(model.featureNames?.[column] ?? '');
}

/** The values of documents by the columns of the model. */
function cellReader(model: Model, matrix: FeatureMatrix): (row: number, column: number) => number {
  const features = featuresOf(matrix);
  const columnOf = dataColumn(model, features);
  return (row, column) => featureValue(features, row, columnOf(column), leftOutValue(model));
}

/** One feature of two documents. */
export interface PairContribution {
  readonly id: number;
  readonly name: string | undefined;
  readonly value: number;
  readonly againstValue: number;
  /** Its part of the difference of the scores. */
  readonly contribution: number;
  /** Whether the order turns if the lower document gets this value of the higher one, all else as it is. */
  readonly turnsOrder: boolean;
}

/** Why one document is above another. */
export interface PairExplanation {
  readonly query: string;
  /** The document with the higher score, and the other. */
  readonly above: { readonly document: string; readonly rank: number; readonly label: number; readonly score: number };
  readonly below: { readonly document: string; readonly rank: number; readonly label: number; readonly score: number };
  /** The difference of the scores, which the contributions add up to; of the sum of the trees, where a forest averages. */
  readonly difference: number;
  readonly features: readonly PairContribution[];
  /** What the measure is for this query, and what it would be if the two changed places. */
  readonly measure: { readonly name: string; readonly value: number; readonly exchanged: number };
}

/** Settings of the explanation of a pair. */
export interface PairOptions {
  readonly measure: Measure;
  readonly rules?: EvaluationRules | undefined;
  /** For nets, whose contributions are estimates. */
  readonly seed?: number | undefined;
}

/** Why one document of a query is ranked above another: Shapley values with the other document as the only background. */
export function explainPair(
  model: Model,
  data: FeatureMatrix,
  query: string,
  document: string,
  against: string,
  options: PairOptions,
): PairExplanation {
  const matrix = dataOfQuery(data, query);
  const scores = scoreMatrix(model, matrix);
  const ranking = rankingOf(scores);
  const [first, second] = [document, against].map((name) => rowOf(matrix, name, query));
  if (first === second) throw new InputError('a document cannot be compared with itself');
  const [above, below] = ranking.indexOf(first) < ranking.indexOf(second) ? [first, second] : [second, first];
  const pair = rowsOf(matrix, [above, below]);
  const method = model.scorer.kind === 'net' ? 'sampled' : 'interventional';
  const lower = rowsOf(matrix, [below]);
  const { values, numFeatures } = scoreContributions(model, rowsOf(matrix, [above]), { method, background: lower, seed: options.seed });
  const value = cellReader(model, pair);
  const features = Array.from({ length: numFeatures }, (_, column) => ({
    id: model.firstFeature + column,
    name: model.featureNames?.[column],
    value: value(0, column),
    againstValue: value(1, column),
    contribution: values[column],
    turnsOrder: !Object.is(value(0, column), value(1, column)) && turnedScore(model, pair, column) > scores[above],
  }))
    .filter(({ contribution, turnsOrder }) => contribution !== 0 || turnsOrder)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.id - b.id);
  const place = (row: number): PairExplanation['above'] => ({
    document: documentName(matrix, row),
    rank: ranking.indexOf(row) + 1,
    label: matrix.labels[row],
    score: scores[row],
  });
  return {
    query,
    above: place(above),
    below: place(below),
    difference: features.reduce((sum, { contribution }) => sum + contribution, 0),
    features,
    measure: exchange(matrix, scores, above, below, options),
  };
}

function rowOf(matrix: FeatureMatrix, name: string, query: string): number {
  for (let row = 0; row < matrix.numRows; row++) if (documentName(matrix, row) === name) return row;
  throw new InputError({
    message: `query ${query} has no document ${name}`,
    wayOut: `its first is ${documentName(matrix, 0)}; documents without "docid = …" after # are called line N`,
  });
}

/** Some documents of the data, as one list. */
function rowsOf(matrix: FeatureMatrix, rows: readonly number[]): FeatureMatrix {
  const features = featuresOf(matrix);
  const { numFeatures } = features;
  const values = new Float64Array(rows.length * numFeatures);
  rows.forEach((row, i) => {
    for (let column = 0; column < numFeatures; column++) values[i * numFeatures + column] = featureValue(features, row, column, Number.NaN);
  });
  return {
    ...matrix,
    numRows: rows.length,
    numRecords: rows.length,
    queryOffsets: Uint32Array.of(0, rows.length), // fits: entries
    labels: Float64Array.from(rows, (row) => matrix.labels[row]),
    records: undefined,
    comments: undefined,
    features: { layout: 'dense', firstFeature: features.firstFeature, numFeatures, numGiven: values.length, names: features.names, values },
  };
}

/** The score of the second document with one value of the first. */
function turnedScore(model: Model, pair: FeatureMatrix, column: number): number {
  const features = featuresOf(pair);
  const { numFeatures } = features;
  const at = dataColumn(model, features)(column);
  if (at < 0 || at >= numFeatures) return -Infinity;
  const values = Float64Array.from(features.values);
  values[numFeatures + at] = values[at];
  return scoreMatrix(model, { ...pair, features: { ...features, values } as typeof features })[1];
}

function exchange(
  matrix: FeatureMatrix,
  scores: Float64Array,
  above: number,
  below: number,
  { measure, rules }: PairOptions,
): PairExplanation['measure'] {
  const measured = (given: Float64Array): number => evaluateScores(given, matrix, [measure], rules).aggregate(0);
  const exchanged = Float64Array.from(scores);
  [exchanged[above], exchanged[below]] = [scores[below], scores[above]];
  return { name: measure.text, value: measured(scores), exchanged: measured(exchanged) };
}

/** How much a feature moves scores of documents. */
export interface ContributionImportance {
  readonly id: number;
  readonly name: string | undefined;
  /** The mean size of its contributions. */
  readonly meanSize: number;
  /** The mean size of their distance from the mean within the query, which is what can change a ranking. */
  readonly meanSizeWithinQuery: number;
}

/** What each feature adds over all documents, the largest effect on rankings first. */
export function contributionImportance(model: Model, matrix: FeatureMatrix, options: ContributionOptions = {}): ContributionImportance[] {
  const { values, numFeatures, numRows } = scoreContributions(model, matrix, options);
  const { queryOffsets } = matrix;
  const size = new Float64Array(numFeatures);
  const within = new Float64Array(numFeatures);
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    const [start, end] = [queryOffsets[q], queryOffsets[q + 1]];
    for (let column = 0; column < numFeatures; column++) {
      let mean = 0;
      for (let row = start; row < end; row++) mean += values[row * numFeatures + column] / (end - start);
      for (let row = start; row < end; row++) {
        const value = values[row * numFeatures + column];
        size[column] += Math.abs(value) / numRows;
        within[column] += Math.abs(value - mean) / numRows;
      }
    }
  }
  return Array.from({ length: numFeatures }, (_, column) => ({
    id: model.firstFeature + column,
    name: model.featureNames?.[column],
    meanSize: size[column],
    meanSizeWithinQuery: within[column],
  })).sort((a, b) => b.meanSizeWithinQuery - a.meanSizeWithinQuery || b.meanSize - a.meanSize || a.id - b.id);
}
