import type { Features } from '../../core/feature-matrix.js';
import type { TrainingRequest } from '../ranker.js';
import { MAX_BINS } from './bin-edges.js';
import { type BinRule, sampleOf } from './binned-data.js';
import { type ColumnCategories, categoryEdges, encodeCategories, findCategories } from './bins/categories.js';
import { binCells, type SharedColumns, type SparseBins, shareColumns, writeCodes } from './bins/shared-columns.js';
import { sparseEdges } from './bins/sparse-edges.js';
import { type WideColumns, wideColumns } from './bins/wide-columns.js';
import type { GrowthRules } from './growth-limits.js';
import { MEMBER_BYTES } from './layout.js';
import type { TreeThread } from './tree-thread.js';
import { selectColumns, usableColumns } from './usable-columns.js';

/** How the columns of the data become features of trees. */
export interface TrainingColumns {
  readonly features: Features;
  readonly validation: Features | undefined;
  /** Rows that the edges of bins are found from. */
  readonly sample: Uint32Array;
  readonly categories: readonly ColumnCategories[];
  /** Edges that lie between categories, by column. */
  readonly knownEdges: ReadonlyMap<number, Float64Array>;
  /** Columns of more bins than fit into a byte, each as several; undefined where there are none. */
  readonly wide: WideColumns | undefined;
  /** Sparse data, in bins already. */
  readonly sparse: SparseColumns | undefined;
  /** The columns of the data that features are, where these are not all of them. */
  readonly columns: Uint32Array | undefined;
  readonly numFeatures: number;
}

/** Sparse data whose features share columns of bins. */
export interface SparseColumns {
  readonly edges: readonly Float64Array[];
  readonly shared: SharedColumns;
  readonly training: SparseBins;
  readonly validation: SparseBins | undefined;
}

/** What trees are to be grown on, and how. */
export interface ColumnPlan {
  readonly growth: Pick<GrowthRules, 'minDocs' | 'dropsUselessFeatures'>;
  readonly bins: number;
  readonly binning: BinRule;
  readonly categorical: readonly number[];
}

/** Decides which columns trees are grown on, and in what form.
 *  @param rows      the rows that teach
 *  @param isShared  whether other threads are to see what is made here */
export function columnsFor(
  { train, validation }: Pick<TrainingRequest, 'train' | 'validation'>,
  plan: ColumnPlan,
  rows: Uint32Array,
  isShared: boolean,
): TrainingColumns {
  const isBinned = train.binned !== undefined;
  const hasCategories = plan.categorical.length > 0;
  if (isBinned && hasCategories) throw new Error('categories were put into bins as numbers');
  const usable = isBinned || hasCategories ? undefined : usableColumns(train.features, rows, plan.growth.minDocs);
  const categories = plan.categorical.map((column) => findCategories(train.features, column, plan.bins, plan.binning.minDocs));
  const chosen = (all: Features): Features =>
    hasCategories ? encodeCategories(all, categories) : usable === undefined ? all : selectColumns(all, usable);
  const features = chosen(train.features);
  const others = validation && chosen(validation.features);
  const sample = isBinned ? new Uint32Array(0) : sampleOf(rows, train.numRows, isShared); // fits: entries
  const knownEdges = new Map(categories.map((some) => [some.column, categoryEdges(some)]));
  const wide = plan.bins >= MAX_BINS ? wideColumns(features, sample, plan.bins, plan.binning, knownEdges) : undefined;
  // what is asked about every single feature of a leaf is known only where each has a column of its own
  const mayShare = !isBinned && !hasCategories && wide === undefined && !plan.growth.dropsUselessFeatures;
  return {
    features,
    validation: others,
    sample,
    categories,
    knownEdges,
    wide,
    sparse: mayShare ? sparseColumns(features, others, sample, plan.bins) : undefined,
    columns: wide === undefined ? usable : wide.sources.map((source) => usable?.[source] ?? source),
    numFeatures: wide?.sources.length ?? features.numFeatures,
  };
}

function sparseColumns(
  features: Features,
  others: Features | undefined,
  sample: Uint32Array,
  maxValueBins: number,
): SparseColumns | undefined {
  if (features.layout === 'dense' || others?.layout === 'dense') return undefined;
  const edges = sparseEdges(features, sample, maxValueBins);
  const training = binCells(features, edges);
  const validation = others && binCells(others, edges);
  const shared = shareColumns(validation === undefined ? [training] : [training, validation], edges);
  return { edges, shared, training, validation };
}

/** Writes what the kernel asks about the features that share columns, and the codes of all rows. */
export function placeShared({ bytes, words, layout }: TreeThread, { shared, training, validation }: SparseColumns): void {
  const { members, firstCode, usualBin, numBins, hasMissing } = shared;
  members.forEach((f, place) => {
    const at = (layout.members + place * MEMBER_BYTES) / 4;
    words[at] = f;
    words[at + 1] = firstCode[f];
    words[at + 2] = usualBin[f];
    words[at + 3] = numBins[f] + hasMissing[f] * 0x10000;
  });
  bytes.fill(1, layout.anyFeature, layout.anyFeature + layout.numFeatures);
  writeCodes(training, shared, bytes, layout.bins, layout.binStride);
  if (validation !== undefined) writeCodes(validation, shared, bytes, layout.validationBins, layout.binStride);
}

/** What the rules say about features, for some of the columns, numbered anew. */
export function growthFor(rules: GrowthRules, columns: Uint32Array): GrowthRules {
  const { monotone, interactions, categorical } = rules;
  const placesOf = (group: ReadonlySet<number>): Set<number> => new Set([...columns.keys()].filter((place) => group.has(columns[place])));
  return {
    ...rules,
    monotone: monotone && Int8Array.from(columns, (column) => monotone[column]), // fits: signs: -1, 0 or 1
    interactions: interactions?.map(placesOf),
    // fits: flags
    categorical: categorical && { ...categorical, isCategory: Uint8Array.from(columns, (column) => categorical.isCategory[column]) },
  };
}
