// a module of its own: those who compile against it may not have the packages for Parquet, whose types the other modules use

/** A file of which parts can be asked for, so that only the columns that are needed are read. */
export interface ParquetFile {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}
