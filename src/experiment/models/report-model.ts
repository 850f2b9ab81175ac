/** What a model is, how it was learnt and what it makes of data, as a report. */
import { numQueries } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { ByteSource } from '../../formats/source.js';
import { readModelFile } from '../../ltr/models/read-model.js';
import { summariseModel } from '../../ltr/models/summary.js';
import type { Model } from '../../ltr/ranker.js';
import {
  type CurveFamily,
  type ModelReport,
  maybe,
  REPORT_VERSION,
  type ReportCell,
  type ReportFile,
  type ReportTable,
} from '../../report/model.js';
import { sourceOf } from '../material.js';
import { shownPaths } from '../names.js';
import type { Platform } from '../platform.js';
import type { ReportRequest } from '../report.js';
import { type FeatureInput, readFeatureFile } from '../training/training-data.js';
import { type ModelReportData, partsOfData, partsOfModel, type ReportParts } from './report-parts.js';

/** Which model is reported, and how the report presents itself. */
export interface ModelReportRequest extends Pick<ReportRequest, 'title' | 'command' | 'date'> {
  readonly model: FeatureInput;
  /** The id of the first feature of models that count columns; default: 1. */
  readonly firstFeature?: number | undefined;
  /** Only how it was learnt, which the model has to know. */
  readonly onlyTraining?: boolean | undefined;
  /** Labelled documents, on which it is found out what the model and its features are worth. */
  readonly data?: ModelReportData | undefined;
}

/** Makes the report of a model: its facts, what its features are worth, the curves that its training recorded, and an example. */
export async function reportModel(request: ModelReportRequest, platform: Platform): Promise<ModelReport> {
  const { model: input, title, command = null, date = null, onlyTraining = false, data, firstFeature } = request;
  const source = sourceOf(input, platform);
  const model = await readModelFile(source, firstFeature === 0 ? { firstFeature } : {});
  const curves = trainingCurves(model);
  if (onlyTraining && curves.length === 0) {
    throw new InputError({
      source: source.name,
      message: 'the model does not say how it was learnt',
      wayOut: 'train it with gradus train --history curves.csv, which records it in the model too',
    });
  }
  const files = await fileRecord('model', source, platform);
  let found: ReportParts = { tables: [], curves: [], bars: [], notes: [] };
  if (data !== undefined) {
    const dataSource = sourceOf(data.file, platform);
    const matrix = await readFeatureFile(dataSource, { ...data.reading, model, firstFeature }, platform);
    if (numQueries(matrix) === 0) throw new InputError({ source: dataSource.name, message: 'found no documents, expected at least one' });
    files.push(...(await fileRecord('features', dataSource, platform)));
    found = partsOfData(model, matrix, data, shown(dataSource.name));
  } else if (!onlyTraining && model.scorer.kind !== 'net') found = partsOfModel(model);
  const { training } = model;
  return {
    version: REPORT_VERSION,
    kind: 'model',
    title: title ?? `${onlyTraining ? 'Training of' : 'The model'} ${shown(source.name)}`,
    notes: found.notes,
    provenance: {
      program: `Gradus ${platform.version}`,
      command,
      date,
      files,
      convention: training?.convention ?? 'gradus',
      rules: [],
      seed: data?.seed ?? training?.seed ?? null,
    },
    tables: [
      {
        id: 'model',
        title: 'Model',
        caption: null,
        columns: [
          { name: 'what', kind: 'text' },
          { name: 'value', kind: 'text' },
        ],
        rows: factsOf(model),
      },
      ...found.tables,
      ...optionTables(model),
    ],
    curves: [...found.curves, ...curves],
    bars: found.bars,
  };
}

/** A file without the folders that only this machine has. */
function shown(name: string): string {
  return shownPaths([name]).get(name) ?? name;
}

async function fileRecord(role: ReportFile['role'], source: ByteSource, platform: Platform): Promise<ReportFile[]> {
  const sha256 = source.isReopenable ? await platform.sha256?.(source.open()) : undefined;
  return sha256 === undefined ? [] : [{ role, name: source.name, bytes: source.size ?? 0, sha256 }];
}

function factsOf(model: Model): ReportCell[][] {
  const { learner, numFeatures, training } = model;
  const { trees, layers, features } = summariseModel(model);
  const { objective, iterations, best, data } = training ?? {};
  return [
    ['learner', learner],
    ...(trees === undefined ? [] : [['trees', `${trees.trees}, of ${trees.leaves.mean.toFixed(1)} leaves on average`]]),
    ...(layers === undefined ? [] : [['units', layers.join(' - ')]]),
    ['features', `${numFeatures}, of which ${features.used} are used`],
    ...(objective === undefined ? [] : [['objective', objective]]),
    ...(iterations === undefined ? [] : [['iterations', String(iterations)]]),
    ...(best === undefined ? [] : [['best iteration', `${best.iteration}, ${best.validation.toFixed(4)} on the validation data`]]),
    ...(data === undefined ? [] : [['fingerprint of the training data', data]]),
  ];
}

function optionTables({ training }: Model): ReportTable[] {
  const options = Object.entries(training?.options ?? {});
  if (options.length === 0) return [];
  return [
    {
      id: 'training-options',
      title: 'Options of the learner',
      caption: null,
      columns: [
        { name: 'option', kind: 'text' },
        { name: 'value', kind: 'text' },
      ],
      rows: options.map(([name, value]) => [name, String(value)]),
    },
  ];
}

/** One picture for each measure, with a line for each set of data. */
function trainingCurves({ training }: Model): CurveFamily[] {
  const { iterations = [], curves = [] } = training?.history ?? {};
  const measures = [...new Set(curves.map(({ measure }) => measure))];
  return measures.map((measure, m) => {
    const own = curves.filter((curve) => curve.measure === measure);
    return {
      id: `training-${m + 1}`,
      label: `${measure} after each iteration`,
      xLabel: 'iteration',
      yLabel: measure,
      x: iterations,
      systems: own.map(({ set }) => set),
      values: own.map(({ values }) => values.map(maybe)),
    };
  });
}
