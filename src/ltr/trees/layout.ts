import { MAX_BINS } from './bin-edges.js';
import type { SharedColumns } from './bins/shared-columns.js';
import { CONTROL_NUMBERS, CONTROL_WORDS } from './job-control.js';

/** Features that the kernel adds to histograms of at a time. */
export const GROUP = 8;
/** Groups whose bins of one row fill a line of the cache. */
const LINE_GROUPS = 8;
/** Bytes from the histogram of one feature to that of the next; `SPACING` of the kernel. */
export const HISTOGRAM_SPACING = 4160;
/** Bytes of a bin in a histogram, and of a row's sums. */
export const SUM_BYTES = 16;
/** Bytes of a split that the kernel describes. */
export const SPLIT_BYTES = 72;
/** Bytes of a feature among those that share a column. */
export const MEMBER_BYTES = 16;
/** Bytes of a set of bins, one bit for each. */
export const SET_BYTES = 32;
/** Rows that are put into bins at a time; 520 rather than 512 keeps columns from competing for the same lines of the cache. */
export const BLOCK_ROWS = 520;
/** Addresses below are left alone, so that none is 0. */
export const FIRST_ADDRESS = 1024;
/** How much memory the histograms of leaves may take; with more leaves some are computed anew. */
const HISTOGRAM_BYTES = 512 * 2 ** 20;

/** How much of everything the memory has to hold. */
export interface Dimensions {
  readonly numRows: number;
  readonly numValidationRows: number;
  readonly numFeatures: number;
  readonly numQueries: number;
  /** Documents of the longest query. */
  readonly longest: number;
  readonly maxLeaves: number;
  readonly threads: number;
  /** Of each column, the bin of missing values among them. Known once edges are found, and seen by all threads then. */
  readonly numBins: Uint16Array;
  /** Whether documents have weights, and whether features have categories. */
  readonly weighsDocuments?: boolean | undefined;
  readonly hasCategories?: boolean | undefined;
  /** Which column of the data each feature is, where some columns are several features. */
  readonly sources?: Uint32Array | undefined;
  /** How features share columns; undefined where each has its own. */
  readonly shared?: SharedColumns | undefined;
  /** Where the bins of the training data are already, and where the memory behind them begins. */
  readonly placed?: { readonly bins: number; readonly binStride: number; readonly end: number } | undefined;
}

/** Where everything stands in the one memory that all threads share; addresses in bytes. Plain data. */
export interface Layout extends Dimensions {
  /** Columns of bins, each with its histogram: as many as features, where these do not share them. */
  readonly numColumns: number;
  readonly numGroups: number;
  /** Bytes from row to row among the bins. */
  readonly binStride: number;
  /** Groups whose histograms one thread makes at a time. */
  readonly groupsPerPart: number;
  /** Atomic counters and the arguments of the job at hand. */
  readonly control: number;
  readonly numbers: number;
  /** Row by row one byte per column: a leaf that holds few of the rows then reads few lines of memory. */
  readonly bins: number;
  readonly validationBins: number;
  /** For each feature MAX_BINS numbers, where features have columns of their own. */
  readonly edges: number;
  /** Rows in the order of the leaves, and their sums: two of each, between which leaves move when they are split. */
  readonly rows: readonly [number, number];
  readonly sums: readonly [number, number];
  readonly gradients: number;
  readonly hessians: number;
  readonly scores: number;
  readonly labels: number;
  /** For each query the order of its documents by score. */
  readonly order: number;
  /** For each query its documents by gain, descending. */
  readonly byGain: number;
  readonly queryOffsets: number;
  /** For each query what the changes by swaps are multiplied by; 0 where it teaches nothing. */
  readonly queryScales: number;
  /** For each query what its gradients are multiplied by in the end. */
  readonly queryWeights: number;
  /** For each document what its gradients are multiplied by, where documents have weights. */
  readonly documentWeights: number;
  readonly gains: number;
  readonly weights: number;
  readonly positionFactors: number;
  readonly histograms: number;
  readonly numHistograms: number;
  readonly histogramBytes: number;
  /** 1 for each feature and for each column that the tree at hand may use; and 1 for each feature; and for each that the one child and the other may be split by, where these are
   *  fewer. */
  readonly active: number;
  readonly activeColumns: number;
  readonly anyFeature: number;
  readonly allowed: readonly [number, number];
  /** Of each leaf of a finished tree: address of its rows and how many they are; and its value. */
  readonly leafRows: number;
  readonly leafValues: number;
  /** The best split by each column in the one child and in the other. */
  readonly splits: readonly [number, number];
  /** The bins that these send left where a feature has categories; and a byte for each bin of a column: 1 if the split at hand does. */
  readonly splitSets: readonly [number, number];
  readonly isLeft: number;
  /** Of each feature what the kernel asks, where features share columns. */
  readonly members: number;
  readonly scratch: number;
  readonly scratchBytes: number;
  readonly totalBytes: number;
}

/** Where everything lies in memory; each array begins at a cache line of its own. */
export function planLayout(dimensions: Dimensions): Layout {
  const { numRows, numValidationRows, numFeatures, numQueries, longest, maxLeaves, threads, placed } = dimensions;
  const setBytes = dimensions.hasCategories === true ? numFeatures * SET_BYTES : 0;
  const { shared } = dimensions;
  const numColumns = shared === undefined ? numFeatures : Math.max(1, shared.numColumns);
  const numGroups = Math.ceil(numColumns / GROUP);
  let end = placed?.end ?? FIRST_ADDRESS;
  const place = (bytes: number): number => {
    const start = end;
    end = Math.ceil((start + bytes) / 64) * 64;
    return start;
  };
  const histogramBytes = numGroups * GROUP * HISTOGRAM_SPACING;
  // threads that share the groups of a row read lines of their own, where there are enough of them
  const byLines = threads > 1 && Math.ceil(numGroups / LINE_GROUPS) >= threads;
  const groupsPerPart = threads === 1 ? numGroups : byLines ? LINE_GROUPS : Math.ceil(numGroups / (2 * threads));
  const rowGroups = byLines ? Math.ceil(numGroups / LINE_GROUPS) * LINE_GROUPS : numGroups;
  const binStride = placed?.binStride ?? rowGroups * GROUP;
  const numHistograms = Math.max(2, Math.min(maxLeaves, Math.floor(HISTOGRAM_BYTES / histogramBytes)));
  // one thread works on one query, on one block of rows or on one feature of a column at a time
  const scratchBytes =
    Math.ceil(Math.max(9 * (longest + 2) * 8, shared === undefined ? numFeatures * BLOCK_ROWS * 8 : HISTOGRAM_SPACING + SPLIT_BYTES) / 64) *
    64;
  const layout = {
    ...dimensions,
    numColumns,
    numGroups,
    groupsPerPart,
    binStride,
    control: place(CONTROL_WORDS * 4),
    numbers: place(CONTROL_NUMBERS * 8),
    bins: placed?.bins ?? place(binStride * numRows),
    validationBins: place(binStride * numValidationRows),
    edges: place(shared === undefined ? numFeatures * MAX_BINS * 8 : 0),
    rows: [place(numRows * 4), place(numRows * 4)] as const,
    sums: [place(numRows * SUM_BYTES), place(numRows * SUM_BYTES)] as const,
    gradients: place(numRows * 8),
    hessians: place(numRows * 8),
    scores: place(numRows * 8),
    labels: place(numRows * 8),
    order: place(numRows * 4),
    byGain: place(numRows * 4),
    queryOffsets: place((numQueries + 1) * 4),
    queryScales: place(numQueries * 8),
    queryWeights: place(numQueries * 8),
    documentWeights: place(dimensions.weighsDocuments === true ? numRows * 8 : 0),
    gains: place(numRows * 8),
    weights: place((longest + 2) * 8),
    positionFactors: place((longest + 2) * 8),
    histograms: place(numHistograms * histogramBytes),
    numHistograms,
    histogramBytes,
    active: place(numFeatures),
    activeColumns: place(numColumns),
    anyFeature: place(shared === undefined ? 0 : numFeatures),
    allowed: [place(numFeatures), place(numFeatures)] as const,
    leafRows: place(maxLeaves * 8),
    leafValues: place(maxLeaves * 8),
    splits: [place(numColumns * SPLIT_BYTES), place(numColumns * SPLIT_BYTES)] as const,
    splitSets: [place(setBytes), place(setBytes)] as const,
    isLeft: place(MAX_BINS),
    members: place((shared?.members.length ?? 0) * MEMBER_BYTES),
    scratch: place(threads * scratchBytes),
    scratchBytes,
  };
  return { ...layout, totalBytes: end };
}
