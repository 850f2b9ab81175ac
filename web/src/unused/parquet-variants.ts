/** Stands in the place of hyparquet's decoder of variants, columns whose values have types of their own: runs and judgements have none. */
export function decodeVariantColumn(): never {
  throw new Error('parquet unsupported encoding: VARIANT');
}
