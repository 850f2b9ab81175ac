import type { SparseFeatures } from '../../../core/feature-matrix.js';
import { type RandomIntegers, seededIntegers } from '../../../core/numbers/random.js';
import { MAX_BINS } from '../bin-edges.js';

/** Columns of bins that features share which never both have another than their usual bin, that of the value 0 (Ke and others, LightGBM,
 *  2017, but without any conflict, so that trees are those of columns of their own). The code 0 of a column says that all of its features
 *  have their usual bin; every feature has codes of its own for the other bins. Plain data. */
export interface SharedColumns {
  readonly numColumns: number;
  /** Codes of each column. */
  readonly numCodes: Uint16Array;
  /** The features of column c are members[starts[c]] to members[starts[c + 1]], ascending. */
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
  /** Of each feature: its column, -1 where it has its usual bin only. */
  readonly columnOf: Int32Array;
  readonly firstCode: Uint16Array;
  readonly usualBin: Uint16Array;
  /** Bins, that of missing values among them. */
  readonly numBins: Uint16Array;
  /** Whether a value is missing anywhere, and has a code therefore: the first one. */
  readonly hasMissing: Uint8Array;
}

/** Sparse data in bins: the bin of each given cell. */
export interface SparseBins {
  readonly features: SparseFeatures;
  readonly bins: Uint8Array;
}

/** Features that differ from their usual value in more rows than this share get a column of their own. */
const MOST_USED = 0.2;
/** Columns that a feature is tried in before it gets a new one. */
const MOST_TRIED = 100;
const SEED = 2017;

/** Puts every given cell into its bin. */
export function binCells(features: SparseFeatures, edges: readonly Float64Array[]): SparseBins {
  const { columns, values } = features;
  const bins = new Uint8Array(values.length); // fits: at most MAX_BINS
  for (let i = 0; i < values.length; i++) bins[i] = binOf(edges[columns[i]], values[i]);
  return { features, bins };
}

/** The bin of a value: 0 for NaN, otherwise 1 + the number of edges below it. */
function binOf(edges: Float64Array, value: number): number {
  if (Number.isNaN(value)) return 0;
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle] < value) low = middle + 1;
    else high = middle;
  }
  return 1 + low;
}

/** Divides features among columns.
 *  @param sets  all the data that are to be put into these columns */
export function shareColumns(sets: readonly SparseBins[], edges: readonly Float64Array[]): SharedColumns {
  const numFeatures = edges.length;
  const usualBin = Uint16Array.from(edges, (ofFeature) => binOf(ofFeature, 0)); // fits: at most MAX_BINS
  const numBins = Uint16Array.from(edges, (ofFeature) => ofFeature.length + 2); // fits: at most MAX_BINS
  const uses = findUses(sets, usualBin);
  const { hasMissing } = uses;
  const codesOf = Uint16Array.from(numBins, (count, f) => count - 2 + hasMissing[f]); // fits: at most MAX_BINS
  const order = [...codesOf.keys()].filter((f) => codesOf[f] > 0);
  const asGiven = divide(order, uses, codesOf);
  const byUse = divide(
    [...order].sort((a, b) => uses.counts[b] - uses.counts[a] || a - b),
    uses,
    codesOf,
  );
  const columns = byUse.length < asGiven.length ? byUse : asGiven;
  const shared = {
    numColumns: columns.length,
    numCodes: new Uint16Array(columns.length), // fits: at most MAX_BINS
    starts: new Uint32Array(columns.length + 1), // fits: entries
    members: new Uint32Array(order.length), // fits: entries
    columnOf: new Int32Array(numFeatures).fill(-1), // fits: columns, at most limits.features
    firstCode: new Uint16Array(numFeatures), // fits: at most MAX_BINS
    usualBin,
    numBins,
    hasMissing,
  };
  columns.forEach(({ members }, c) => {
    let code = 1;
    let place = shared.starts[c];
    for (const f of members.sort((a, b) => a - b)) {
      shared.members[place++] = f;
      shared.columnOf[f] = c;
      shared.firstCode[f] = code;
      code += codesOf[f];
    }
    shared.numCodes[c] = code;
    shared.starts[c + 1] = place;
  });
  return shared;
}

/** Where features have another than their usual bin. */
interface FeatureUses {
  readonly numRows: number;
  readonly hasMissing: Uint8Array;
  /** In how many rows. */
  readonly counts: Uint32Array;
  /** In which: rows[offsets[f]] to rows[offsets[f + 1]], for features that may share a column. */
  readonly offsets: Float64Array;
  readonly rows: Uint32Array;
}

function findUses(sets: readonly SparseBins[], usualBin: Uint16Array): FeatureUses {
  const numRows = sets.reduce((sum, { features }) => sum + features.rowOffsets.length - 1, 0);
  const hasMissing = new Uint8Array(usualBin.length); // fits: flags
  const counts = new Uint32Array(usualBin.length); // fits: numbers of rows
  eachUse(sets, usualBin, (feature, _row, bin) => {
    counts[feature]++;
    if (bin === 0) hasMissing[feature] = 1;
  });
  const most = numRows * MOST_USED;
  const offsets = new Float64Array(usualBin.length + 1);
  counts.forEach((count, f) => {
    offsets[f + 1] = offsets[f] + (count <= most ? count : 0);
  });
  const rows = new Uint32Array(offsets[usualBin.length]); // fits: entries
  const places = offsets.slice();
  eachUse(sets, usualBin, (feature, row) => {
    if (counts[feature] <= most) rows[places[feature]++] = row;
  });
  return { numRows, hasMissing, counts, offsets, rows };
}

function eachUse(sets: readonly SparseBins[], usualBin: Uint16Array, use: (feature: number, row: number, bin: number) => void): void {
  let firstRow = 0;
  for (const { features, bins } of sets) {
    const { rowOffsets, columns } = features;
    for (let row = 0; row + 1 < rowOffsets.length; row++) {
      for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
        if (bins[i] !== usualBin[columns[i]]) use(columns[i], firstRow + row, bins[i]);
      }
    }
    firstRow += rowOffsets.length - 1;
  }
}

/** A column as it fills up. */
class OpenColumn {
  readonly members: number[] = [];
  /** Codes that are taken, and rows in which one of its features is in use. */
  numCodes = 1;
  numUsed = 0;
  private readonly used: Uint32Array;

  constructor(numRows: number) {
    this.used = new Uint32Array(Math.ceil(numRows / 32)); // fits: flags, 32 at a time
  }

  /** Whether none of these rows is in use. */
  isFree(rows: Uint32Array): boolean {
    for (const row of rows) if (((this.used[row >>> 5] >>> (row & 31)) & 1) === 1) return false;
    return true;
  }

  add(feature: number, numCodes: number, rows: Uint32Array): void {
    this.members.push(feature);
    this.numCodes += numCodes;
    this.numUsed += rows.length;
    for (const row of rows) this.used[row >>> 5] = (this.used[row >>> 5] | (1 << (row & 31))) >>> 0;
  }
}

/** Puts one feature after the other into the first column that it fits into; one that has many uses, into a column of its own. */
function divide(order: readonly number[], uses: FeatureUses, codesOf: Uint16Array): OpenColumn[] {
  const { numRows, counts, offsets, rows } = uses;
  const columns: OpenColumn[] = [];
  const open: OpenColumn[] = [];
  const random = seededIntegers(SEED);
  for (const f of order) {
    const own = rows.subarray(offsets[f], offsets[f + 1]);
    const isRare = own.length === counts[f];
    let column = isRare ? firstThatFits(open, own, codesOf[f], numRows, random) : undefined;
    if (column === undefined) {
      column = new OpenColumn(isRare ? numRows : 0);
      columns.push(column);
      if (isRare) open.push(column);
    }
    column.add(f, codesOf[f], own);
    if (column.numCodes === MAX_BINS && isRare) open.splice(open.indexOf(column), 1);
  }
  return columns;
}

/** The newest column is tried first, then the others, or some that are drawn where they are many. */
function firstThatFits(
  open: readonly OpenColumn[],
  rows: Uint32Array,
  numCodes: number,
  numRows: number,
  random: RandomIntegers,
): OpenColumn | undefined {
  for (let tried = 0; tried < Math.min(open.length, MOST_TRIED); tried++) {
    const isDrawn = open.length > MOST_TRIED && tried > 0;
    const column = open[isDrawn ? random.below(open.length - 1) : open.length - 1 - tried];
    const hasRoom = column.numCodes + numCodes <= MAX_BINS && column.numUsed + rows.length <= numRows;
    if (hasRoom && column.isFree(rows)) return column;
  }
  return undefined;
}

/** The code of a feature's bin in its column. */
export function codeOf({ firstCode, usualBin, hasMissing }: SharedColumns, feature: number, bin: number): number {
  if (bin === usualBin[feature]) return 0;
  return firstCode[feature] + bin - (1 - hasMissing[feature]) - (bin > usualBin[feature] ? 1 : 0);
}

/** Writes the codes of all rows; column c of row r is at address + r * stride + c, where all is 0 before. */
export function writeCodes(
  { features, bins }: SparseBins,
  shared: SharedColumns,
  bytes: Uint8Array,
  address: number,
  stride: number,
): void {
  const { rowOffsets, columns } = features;
  const { columnOf, usualBin } = shared;
  for (let row = 0; row + 1 < rowOffsets.length; row++) {
    const start = address + row * stride;
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
      const f = columns[i];
      if (bins[i] !== usualBin[f]) bytes[start + columnOf[f]] = codeOf(shared, f, bins[i]);
    }
  }
}
