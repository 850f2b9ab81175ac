/** Stands in the place of hyparquet's filters and Bloom filters: whole columns are read here. */
function noFilter(): never {
  throw new Error('Parquet files are not filtered here');
}

/** Asked of every reading: which columns its filter needs. */
function noColumns(): string[] {
  return [];
}

/** Asked of every row group. */
export function canSkipRowGroup(): boolean {
  return false;
}

export {
  noColumns as columnsNeededForFilter,
  noColumns as pathsNeededForFilter,
  noFilter as bloomEligibleColumns,
  noFilter as filterPageRanges,
  noFilter as matchFilter,
  noFilter as readBloomFilter,
};
