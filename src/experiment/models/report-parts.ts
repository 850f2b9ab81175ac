/** What a report says of the features of a model, and what shows it. */
import { type FeatureMatrix, numQueries } from '../../core/feature-matrix.js';
import { evaluateModel } from '../../ltr/evaluate-model.js';
import { modelCells } from '../../ltr/explanations/contributions.js';
import type { PairExplanation, QueryExplanation } from '../../ltr/explanations/explain-query.js';
import { partialDependence } from '../../ltr/explanations/partial-dependence.js';
import { ownImportance, type PermutationOptions } from '../../ltr/models/importance.js';
import type { Model } from '../../ltr/ranker.js';
import type { Measure } from '../../measures/measure.js';
import { type BarFamily, type CurveFamily, type ModelReport, maybe, type ReportTable } from '../../report/model.js';
import { bootstrapInterval } from '../../stats/bootstrap.js';
import { spearmanCorrelation } from '../../stats/correlation/correlation.js';
import { allEqual } from '../../stats/moments.js';
import type { FeatureInput, FeatureSettings } from '../training/training-data.js';
import { dependenceIntervals } from './dependence.js';
import { exampleOf, type ModelExample } from './example.js';
import { INTERVAL_SAMPLES, type MeasuredImportance, measuredImportance } from './importance.js';

/** Features that pictures and tables have, and those whose dependence is drawn. */
const SHOWN_FEATURES = 20;
const DRAWN_FEATURES = 6;
const SHOWN_DOCUMENTS = 10;
/** Features whose ranks agree beyond this stand in for each other. */
const ALIKE = 0.9;
const MOST_COMPARED_ROWS = 2000;

/** What a model is tried on. */
export interface ModelReportData extends Pick<PermutationOptions, 'seed' | 'repeats' | 'shuffle'> {
  readonly file: FeatureInput;
  readonly reading?: FeatureSettings | undefined;
  readonly measure: Measure;
  /** The query that is explained as an example; default: the one of median value. */
  readonly query?: string | undefined;
  /** How many features have a picture of how scores follow them; default: 6. */
  readonly top?: number | undefined;
}

/** What data, or the model itself, adds to a report. */
export type ReportParts = Pick<ModelReport, 'tables' | 'curves' | 'bars' | 'notes'>;

const featureName = ({ id, name }: { readonly id: number; readonly name?: string | undefined }): string =>
  name === undefined ? `feature ${id}` : `${id} ${name}`;

/** What a model tells of its features without data. */
export function partsOfModel(model: Model): ReportParts {
  const features = ownImportance(model);
  const by = (['gain', 'weight', 'splits'] as const).find((kind) => features.some((feature) => feature[kind] !== undefined));
  if (by === undefined) return { tables: [], curves: [], bars: [], notes: [] };
  const size = (feature: (typeof features)[number]): number => Math.abs(feature[by] ?? 0);
  const sorted = features.filter((feature) => size(feature) > 0).sort((a, b) => size(b) - size(a) || a.id - b.id);
  const words = { gain: 'gain of its splits', weight: 'weight', splits: 'number of splits' }[by];
  const items = sorted
    .slice(0, SHOWN_FEATURES)
    .map((feature) => ({ name: featureName(feature), value: feature[by] ?? 0, low: null, high: null }));
  return {
    tables: [],
    curves: [],
    bars: [{ id: 'importance', label: `Features by the ${words}`, xLabel: words, items }],
    notes: ['what features are worth on data, with intervals, needs data: gradus model report MODEL DATA'],
  };
}

/** What the model and its features are worth on data. */
export function partsOfData(model: Model, matrix: FeatureMatrix, data: ModelReportData, dataName: string): ReportParts {
  const { measure, seed, repeats, shuffle, query, top = DRAWN_FEATURES } = data;
  const features = measuredImportance(model, matrix, { measure, seed, repeats, shuffle }).sort((a, b) => b.loss - a.loss || a.id - b.id);
  const shown = features.filter(({ loss, correctedPValue }) => loss !== 0 || correctedPValue !== undefined).slice(0, SHOWN_FEATURES);
  const drawn = shown.slice(0, top);
  const dependences = partialDependence(
    model,
    matrix,
    drawn.map(({ id }) => id - model.firstFeature),
    { seed },
  );
  const curves = dependences.flatMap((dependence): CurveFamily[] => {
    const { id, values, changes, isScaled } = dependence;
    if (values.length < 2) return [];
    const name = featureName(dependence);
    return [
      {
        id: `dependence-${id}`,
        label: `How the score follows ${name}, all else as it is (95% intervals over queries)`,
        xLabel: isScaled ? `${name}, as the model scales it` : name,
        yLabel: 'change of the score',
        x: [...values],
        systems: ['mean'],
        values: [[...changes]],
        intervals: [dependenceIntervals(dependence, seed)],
      },
    ];
  });
  const example = exampleOf(model, matrix, measure, query, seed);
  const parts = example === undefined ? undefined : partsOfExample(example, query === undefined);
  return {
    tables: [
      valueTable(model, matrix, measure, seed, dataName),
      importanceTable(shown, features.length, measure),
      ...(parts?.tables ?? []),
    ],
    curves,
    bars: [importanceBars(shown, measure, numQueries(matrix), shuffle), ...(parts?.bars ?? [])],
    notes: alikeNotes(
      model,
      matrix,
      shown.map(({ id }) => id),
    ),
  };
}

function valueTable(model: Model, matrix: FeatureMatrix, measure: Measure, seed: number, dataName: string): ReportTable {
  const table = evaluateModel(model, matrix, [measure]);
  const values = table.column(0).filter((value) => !Number.isNaN(value));
  const interval = values.length < 2 ? undefined : bootstrapInterval({ first: values, seed, resamples: INTERVAL_SAMPLES }).interval;
  return {
    id: 'model-value',
    title: 'On the data',
    caption: 'Interval over queries (bootstrap, BCa, 95%)',
    columns: [
      { name: 'data', kind: 'text' },
      { name: 'queries', kind: 'number', digits: 0 },
      { name: 'documents', kind: 'number', digits: 0 },
      { name: measure.text, kind: 'number' },
      { name: 'low', kind: 'number' },
      { name: 'high', kind: 'number' },
    ],
    rows: [[dataName, numQueries(matrix), matrix.numRows, maybe(table.aggregate(0)), maybe(interval?.low), maybe(interval?.high)]],
  };
}

function importanceTable(features: readonly MeasuredImportance[], numFeatures: number, measure: Measure): ReportTable {
  const rest = numFeatures - features.length;
  return {
    id: 'importance',
    title: 'What features are worth',
    caption: `Loss of ${measure.text} when the values are shuffled; p of no loss by a paired t test over queries, Holm-corrected${rest > 0 ? `; ${rest} more features lose less or nothing` : ''}`,
    columns: [
      { name: 'feature', kind: 'text' },
      { name: 'loss', kind: 'number' },
      { name: 'low', kind: 'number' },
      { name: 'high', kind: 'number' },
      { name: 'p', kind: 'number' },
    ],
    rows: features.map((feature) => [
      featureName(feature),
      feature.loss,
      maybe(feature.interval?.low),
      maybe(feature.interval?.high),
      maybe(feature.correctedPValue),
    ]),
  };
}

function importanceBars(
  features: readonly MeasuredImportance[],
  measure: Measure,
  queries: number,
  shuffle: ModelReportData['shuffle'],
): BarFamily {
  const where = shuffle === 'query' ? 'within queries' : 'over all documents';
  return {
    id: 'importance',
    label: `What ${measure.text} loses when a feature is shuffled ${where} (95% intervals over ${queries} queries)`,
    xLabel: `loss of ${measure.text}`,
    items: features.map((feature) => ({
      name: featureName(feature),
      value: feature.loss,
      low: maybe(feature.interval?.low),
      high: maybe(feature.interval?.high),
    })),
  };
}

/** Features that rise and fall together: shuffling one of them leaves the other, so that both seem to be worth less than they are. */
function alikeNotes(model: Model, matrix: FeatureMatrix, ids: readonly number[]): string[] {
  const cells = modelCells(model, matrix);
  const { numFeatures, firstFeature } = model;
  const step = Math.max(1, Math.ceil(matrix.numRows / MOST_COMPARED_ROWS));
  const columns = ids.flatMap((id) => {
    const values: number[] = [];
    for (let row = 0; row < matrix.numRows; row += step) values.push(cells[row * numFeatures + id - firstFeature]);
    return values.length < 3 || values.some(Number.isNaN) || allEqual(values) ? [] : [{ id, values }];
  });
  const pairs: string[] = [];
  columns.forEach(({ id, values }, i) => {
    for (const other of columns.slice(0, i)) {
      const correlation = spearmanCorrelation({ first: values, second: other.values });
      if (Math.abs(correlation) > ALIKE) pairs.push(`${other.id} and ${id} (${correlation.toFixed(2)})`);
    }
  });
  if (pairs.length === 0) return [];
  const more = pairs.length > 5 ? ` and ${pairs.length - 5} more pairs` : '';
  return [
    `features that rise and fall together, by rank correlation: ${pairs.slice(0, 5).join(', ')}${more}; one of them can stand in for the other, so that each seems to be worth less than it is`,
  ];
}

function partsOfExample({ ranking, value, pair }: ModelExample, isMedian: boolean): Pick<ModelReport, 'tables' | 'bars'> {
  const which = isMedian ? ', the query of median value' : '';
  const name = pair === undefined ? 'the measure' : pair.measure.name;
  return {
    tables: [rankingTable(ranking, `${name} is ${value.toFixed(4)}${which}`), ...(pair === undefined ? [] : [pairTable(pair)])],
    bars:
      pair === undefined
        ? []
        : [
            {
              id: 'example-pair',
              label: `Why ${pair.above.document} is above ${pair.below.document}`,
              xLabel: 'part of the difference of the scores',
              items: pair.features.slice(0, SHOWN_FEATURES).map((feature) => ({
                name: featureName(feature),
                value: feature.contribution,
                low: null,
                high: null,
              })),
            },
          ],
  };
}

function rankingTable({ query, documents, method }: QueryExplanation, about: string): ReportTable {
  const cut = documents.length - SHOWN_DOCUMENTS;
  return {
    id: 'example-ranking',
    title: `Query ${query}`,
    caption: `${about}; contributions to the score by ${method === 'sampled' ? 'sampled Shapley values (estimates)' : `Shapley values (${method})`}${cut > 0 ? `; the first ${SHOWN_DOCUMENTS} of ${documents.length} documents` : ''}`,
    columns: [
      { name: 'rank', kind: 'number', digits: 0 },
      { name: 'document', kind: 'text' },
      { name: 'label', kind: 'number', digits: documents.every(({ label }) => Number.isInteger(label)) ? 0 : 4 },
      { name: 'score', kind: 'number' },
      { name: 'because of', kind: 'text' },
    ],
    rows: documents.slice(0, SHOWN_DOCUMENTS).map(({ rank, document, label, score, features }) => [
      rank,
      document,
      label,
      score,
      features
        .slice(0, 3)
        .map((feature) => `${signed(feature.contribution)} ${featureName(feature)}`)
        .join(', '),
    ]),
  };
}

function pairTable({ above, below, features, measure }: PairExplanation): ReportTable {
  const change = measure.exchanged - measure.value;
  return {
    id: 'example-pair',
    title: `${above.document} (rank ${above.rank}, label ${above.label}) above ${below.document} (rank ${below.rank}, label ${below.label})`,
    caption: `If they changed places, ${measure.name} would be ${measure.exchanged.toFixed(4)} instead of ${measure.value.toFixed(4)} (${signed(change)})`,
    columns: [
      { name: 'feature', kind: 'text' },
      { name: 'of the upper', kind: 'number' },
      { name: 'of the lower', kind: 'number' },
      { name: 'adds', kind: 'number' },
      { name: 'turns the order', kind: 'text' },
    ],
    rows: features
      .slice(0, SHOWN_FEATURES)
      .map((feature) => [
        featureName(feature),
        maybe(feature.value),
        maybe(feature.againstValue),
        feature.contribution,
        feature.turnsOrder ? 'yes' : '',
      ]),
  };
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
