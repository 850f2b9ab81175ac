import type { ColumnMetaData, Compressors, FileMetaData, ParquetScan, SchemaElement } from 'hyparquet';
import { limits, mostOf } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import { readText } from '../../core/text.js';
import type { ByteParts } from '../reader.js';
import { DamagedParquet } from './parquet-error.js';
import { loadParquetReader } from './parquet-packages.js';
import { type ColumnLevels, type CompressedPages, checkPages } from './parquet-pages.js';
import { checkRuns } from './parquet-runs.js';

const WAY_OUT = 'the file is damaged or incomplete; fetch or make it again';
/** What stands at both ends of a file, plain and with an encrypted footer. */
const PLAIN = 'PAR1';
const ENCRYPTED = 'PARE';

/** Text as it is; the package would take a byte-order mark away from the start of each value. */
const keepingMarks = { stringFromBytes: (bytes: Uint8Array): string => readText(bytes, 0, bytes.length) };

/** A Parquet file whose declarations have been looked at before anything is done on the strength of them. */
export class OpenParquet {
  readonly source: string;
  readonly metadata: FileMetaData;
  /** The columns at the top of the schema. */
  readonly columns: readonly SchemaElement[];
  readonly numRows: number;
  readonly byteLength: number;
  private readonly file: ByteParts;
  private readonly checked: Set<string> = new Set();
  private readonly compressedPages: CompressedPages = new Map();

  private constructor(file: ByteParts, metadata: FileMetaData, source: string) {
    this.file = file;
    this.metadata = metadata;
    this.source = source;
    this.columns = topColumns(metadata.schema);
    this.byteLength = file.byteLength;
    this.numRows = checkedRows(metadata, file.byteLength);
  }

  static async open(content: Uint8Array | ByteParts, source: string): Promise<OpenParquet> {
    const file = bounded(fileOf(content));
    const { parquetMetadataAsync } = await loadParquetReader();
    await checkEnds(file, source);
    // looking for columns of geography never ends on a schema that counts its elements below zero
    const read = async (): Promise<OpenParquet> => new OpenParquet(file, await parquetMetadataAsync(file, { geoparquet: false }), source);
    return await telling(source, 'its footer is damaged', read);
  }

  get names(): string[] {
    return this.columns.map(({ name }) => name);
  }

  /** A scan of one column. */
  async scan(name: string, options: Partial<Parameters<typeof import('hyparquet').parquetScan>[0]> = {}): Promise<ParquetScan> {
    const { parquetScan, compressors } = await loadParquetReader();
    return await this.telling(name, async () => {
      await this.check(name);
      const { file, metadata } = this;
      return await parquetScan({
        file,
        metadata,
        columns: [name],
        compressors: this.checkedCompressors(compressors),
        parsers: keepingMarks,
        ...options,
      });
    });
  }

  /** All rows, as records by the names of the columns. One column after another: if several were read at once, and several are damaged,
   *  the promises of all but the first would be broken with nobody to notice. */
  async rows(): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    for (const name of this.names) {
      const scan = await this.scan(name);
      for (const { rowStart, rowEnd } of scan.ranges) {
        const values = await this.telling(name, () => scan.readColumn({ column: name, rowStart, rowEnd }));
        for (let row = rowStart; row < rowEnd; row++) {
          rows[row] ??= {};
          rows[row][name] = values[row - rowStart];
        }
      }
    }
    return rows;
  }

  /** The first values of a column. */
  async firstValues(name: string, most: number): Promise<unknown[]> {
    const scan = await this.scan(name);
    const [range] = scan.ranges;
    if (range === undefined) return [];
    const { rowStart } = range;
    const rowEnd = Math.min(range.rowEnd, rowStart + most);
    return Array.from(await this.telling(name, () => scan.readColumn({ column: name, rowStart, rowEnd })));
  }

  /** Does something with a column; what the library says of it, in whatever words, means that the column is damaged. */
  async telling<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await telling(this.source, `column ${name} is damaged`, work, `column ${name} `);
  }

  private async check(name: string): Promise<void> {
    if (this.checked.has(name)) return;
    for (const { columns, num_rows: numRows } of this.metadata.row_groups) {
      for (const { meta_data: chunk, file_path: elsewhere } of columns) {
        if (chunk?.path_in_schema[0] !== name) continue;
        if (elsewhere !== undefined) throw new DamagedParquet('is stored in another file, which is not supported');
        const levels = levelsOf(this.metadata.schema, chunk.path_in_schema);
        await checkPages(this.file, chunk, mostValues(chunk, Number(numRows)), levels, this.compressedPages);
      }
    }
    this.checked.add(name);
  }

  /** Decompressors that look at what a page declares, before and after. */
  private checkedCompressors(compressors: Compressors): Compressors {
    const checked: Compressors = {};
    for (const [codec, decompress] of Object.entries(compressors)) {
      checked[codec as keyof Compressors] = (input, outputLength) => {
        if (!(outputLength >= 0 && outputLength <= mostOf(input.length))) {
          throw new DamagedParquet('has a page that declares too many bytes');
        }
        const page = decompressed(decompress, input, outputLength);
        const shape = this.compressedPages.get((placeOf.get(input.buffer) ?? Number.NaN) + input.byteOffset);
        if (shape !== undefined) checkRuns(page, shape);
        return page;
      };
    }
    return checked;
  }
}

function decompressed(decompress: NonNullable<Compressors[keyof Compressors]>, input: Uint8Array, outputLength: number): Uint8Array {
  try {
    return decompress(input, outputLength);
  } catch (error) {
    // our own decoder knows nothing of the file and the column
    if (!(error instanceof InputError)) throw error;
    throw new DamagedParquet(`has a page that ${error.problems[0].message}`);
  }
}

/** Where the parts of files that were asked for begin in them. */
const placeOf: WeakMap<ArrayBufferLike, number> = new WeakMap();

/** How many elements on the way to a column may repeat, and how many may be left out. */
function levelsOf(schema: readonly SchemaElement[], path: readonly string[]): ColumnLevels {
  let repetition = 0;
  let definition = 0;
  let at = 0;
  for (const name of path) {
    const found = childNamed(schema, at, name);
    if (found === undefined) throw new DamagedParquet('is not in the schema');
    at = found;
    if (schema[at].repetition_type !== 'REQUIRED') definition++;
    if (schema[at].repetition_type === 'REPEATED') repetition++;
  }
  return { repetition, definition };
}

/** The place of a child of this name in a schema, in which every element is followed by its children. */
function childNamed(schema: readonly SchemaElement[], parent: number, name: string): number | undefined {
  let at = parent + 1;
  for (let child = 0; child < (schema[parent].num_children ?? 0) && at < schema.length; child++) {
    if (schema[at].name === name) return at;
    // over all that belongs to it
    for (let open = 1; open > 0 && at < schema.length; at++) open += (schema[at].num_children ?? 0) - 1;
  }
  return undefined;
}

/** Lists have other numbers of values than rows. */
function mostValues(chunk: ColumnMetaData, numRows: number): number {
  return chunk.path_in_schema.length === 1 ? numRows : Math.min(Number(chunk.num_values), mostOf(Number(chunk.total_compressed_size)));
}

async function telling<T>(source: string, otherwise: string, work: () => Promise<T>, subject = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError({ source, message: `cannot be read as Parquet: ${reasonOf(error, subject) ?? otherwise}`, wayOut: WAY_OUT });
  }
}

/** What is wrong, where the library says it in words that mean something to people. */
function reasonOf(error: unknown, subject: string): string | undefined {
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof DamagedParquet) return subject + words;
  const unsupported = /^parquet unsupported (compression codec|encoding|page type): (\w+)/.exec(words);
  return unsupported === null || unsupported[2] === 'undefined'
    ? undefined
    : `${subject}has the ${unsupported[1]} ${unsupported[2]}, which is not supported`;
}

async function checkEnds(file: ByteParts, source: string): Promise<void> {
  const { byteLength } = file;
  const markAt = async (at: number): Promise<string> => String.fromCharCode(...new Uint8Array(await file.slice(at, at + 4))); // fits: bytes
  const ends = byteLength < 12 ? [] : [await markAt(0), await markAt(byteLength - 4)];
  if (ends.includes(ENCRYPTED)) {
    throw new InputError({ source, message: 'is an encrypted Parquet file, which is not supported', wayOut: 'decrypt it first' });
  }
  if (ends.length === 0 || ends.some((mark) => mark !== PLAIN)) {
    throw new InputError({ source, message: `cannot be read as Parquet: it does not begin and end with ${PLAIN}`, wayOut: WAY_OUT });
  }
}

/** The rows of all row groups, if a file of so many bytes can hold them. */
function checkedRows({ num_rows: declared, row_groups: groups }: FileMetaData, byteLength: number): number {
  const rows = Number(declared);
  const inGroups = groups.reduce((sum, { num_rows: numRows }) => sum + Math.abs(Number(numRows)), 0);
  if (rows !== inGroups) throw new DamagedParquet(`its footer declares ${rows} rows, and its row groups ${inGroups}`);
  if (!(rows <= mostOf(byteLength))) throw new DamagedParquet(`its footer declares ${rows} rows, more than ${byteLength} bytes can hold`);
  return rows;
}

/** The columns at the top of the schema, whose root is its first element. */
function topColumns(schema: readonly SchemaElement[]): SchemaElement[] {
  // the library would look for levels of the root, which has none
  if (schema[0]?.repetition_type === 'REPEATED') throw new DamagedParquet('its schema is damaged');
  const columns: SchemaElement[] = [];
  // how many elements are still to come at each level that has been entered
  const open: number[] = [];
  for (const element of schema.slice(1)) {
    if (open.length === 0) columns.push(element);
    else open[open.length - 1]--;
    const children = element.num_children ?? 0;
    // whatever its type says, a damaged file may leave the name out
    if (typeof element.name !== 'string' || children < 0 || children > schema.length) throw new DamagedParquet('its schema is damaged');
    if (children > 0) open.push(children);
    while (open.length > 0 && open[open.length - 1] === 0) open.pop();
  }
  if (open.length > 0) throw new DamagedParquet('its schema is damaged');
  if (columns.length > limits.columns) throw new DamagedParquet(`it has more than ${limits.columns} columns`);
  return columns;
}

/** A file that is not asked for what it does not have. */
function bounded(file: ByteParts): ByteParts {
  const { byteLength } = file;
  return {
    byteLength,
    async slice(start, end = byteLength) {
      if (!(start >= 0 && start <= end && end <= byteLength)) throw new DamagedParquet('lies outside of the file');
      const part = await file.slice(start, end);
      placeOf.set(part, start);
      return part;
    },
  };
}

function fileOf(content: Uint8Array | ByteParts): ByteParts {
  if (!(content instanceof Uint8Array)) return content;
  const { buffer, byteOffset, byteLength } = content;
  if (!(buffer instanceof ArrayBuffer)) return fileOf(content.slice());
  return { byteLength, slice: (start, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) };
}
