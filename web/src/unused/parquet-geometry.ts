/** Stands in the place of hyparquet's decoder of shapes on maps: runs and judgements have none. */
export function wkbToGeojson(): never {
  throw new Error('parquet unsupported encoding: WKB');
}
