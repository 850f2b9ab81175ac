import type { ColumnMetaData } from 'hyparquet';
import { limits, mostOf } from '../../core/limits.js';
import type { ByteParts } from '../reader.js';
import { DamagedParquet } from './parquet-error.js';
import { checkRuns, checkRunsAt, type PageShape } from './parquet-runs.js';

/** What the header of a page declares. */
interface PageHeader {
  readonly length: number;
  readonly compressed: number;
  readonly uncompressed: number;
  readonly numValues: number;
  readonly isData: boolean;
  readonly fields: Fields;
}

/** How many levels a column has. */
export interface ColumnLevels {
  readonly repetition: number;
  readonly definition: number;
}

/** The shapes of the pages that only can be looked at when they are decompressed, by the place of their bytes in the file. */
export type CompressedPages = Map<number, PageShape>;

/** Enough for the header of nearly every page; those with long statistics are read again. */
const HEADER_BYTES = 512;
const LONGEST_HEADER = 1 << 20;
/** Walks over the headers of the pages of a column in one row group. What they declare is made room for before it is read, so it has to
 *  be believable: no more values than the row group has, no more bytes than compression can explain. */
export async function checkPages(
  file: ByteParts,
  chunk: ColumnMetaData,
  mostValues: number,
  levels: ColumnLevels,
  compressedPages: CompressedPages,
): Promise<void> {
  const first = Number(chunk.dictionary_page_offset ?? 0) || Number(chunk.data_page_offset);
  let at = Math.min(first, Number(chunk.data_page_offset));
  const end = at + Number(chunk.total_compressed_size);
  if (!(at >= 4 && end >= at && end <= file.byteLength)) throw new DamagedParquet('lies outside of the file');
  let numValues = 0;
  while (at < end && numValues < mostValues) {
    const header = await headerAt(file, at, end);
    const { compressed, uncompressed } = header;
    const next = at + header.length + compressed;
    if (!(compressed >= 0 && next > at && next <= end)) throw new DamagedParquet('has a page that does not end where it should');
    if (!(uncompressed >= 0 && uncompressed <= mostOf(compressed))) {
      throw new DamagedParquet(
        `has a page of ${compressed} bytes that declares ${uncompressed}, more than ${limits.decompressionRatio} times as many`,
      );
    }
    // a dictionary has at most eight values to a byte
    const most = header.isData ? mostValues - numValues : 8 * uncompressed;
    if (!(header.numValues >= 0 && header.numValues <= most)) {
      throw new DamagedParquet(`has a page that declares ${header.numValues} values, where there is room for ${most}`);
    }
    if (header.isData) {
      numValues += header.numValues;
      await checkLevels(file, chunk, header, at + header.length, levels, compressedPages);
    }
    at = next;
  }
}

async function headerAt(file: ByteParts, at: number, end: number): Promise<PageHeader> {
  for (let length = HEADER_BYTES; ; length *= 8) {
    const stop = Math.min(at + length, end);
    const fields = new ThriftStruct(new DataView(await file.slice(at, stop)));
    const header = fields.read();
    if (header !== undefined) {
      // a page of data of the first or second version, or a dictionary
      const about = header.get(5) ?? header.get(8) ?? header.get(7);
      return {
        length: fields.at,
        uncompressed: numberIn(header, 2),
        compressed: numberIn(header, 3),
        numValues: about instanceof Map ? numberIn(about, 1) : 0,
        isData: header.has(5) || header.has(8),
        fields: header,
      };
    }
    if (stop === end || length >= LONGEST_HEADER) throw new DamagedParquet('has a page without a header');
  }
}

const DATA_PAGE = 0;
const DATA_PAGE_V2 = 3;
/** Numbers of encodings: PLAIN_DICTIONARY and RLE_DICTIONARY, and RLE, which booleans have. */
const DICTIONARIES: readonly number[] = [2, 8];
const RLE = 3;

/** Looks at the runs of a page of data, or notes what to look for when it is decompressed. */
async function checkLevels(
  file: ByteParts,
  { codec }: ColumnMetaData,
  { fields, compressed, numValues }: PageHeader,
  at: number,
  { repetition, definition }: ColumnLevels,
  compressedPages: CompressedPages,
): Promise<void> {
  const type = numberIn(fields, 1);
  const about = fields.get(type === DATA_PAGE_V2 ? 8 : 5);
  if (!(about instanceof Map) || (type !== DATA_PAGE && type !== DATA_PAGE_V2)) return;
  const encoding = numberIn(about, type === DATA_PAGE_V2 ? 4 : 2);
  const values = DICTIONARIES.includes(encoding) ? 'dictionary' : encoding === RLE ? 'booleans' : 'other';
  const widths = [repetition, definition].filter((most) => most > 0).map(bitWidth);
  const isPlain = codec === 'UNCOMPRESSED';
  if (type === DATA_PAGE) {
    const shape: PageShape = { numValues, levels: widths, values };
    if (isPlain)
      checkRuns(new Uint8Array(await file.slice(at, at + compressed)), shape); // fits: bytes
    else compressedPages.set(at, shape);
    return;
  }
  // the second version keeps levels apart, and does not compress them
  const bytes = new Uint8Array(await file.slice(at, at + compressed));
  const view = new DataView(bytes.buffer);
  const repetitionBytes = numberIn(about, 6) || 0;
  if (repetition > 0) checkRunsAt(view, 0, bitWidth(repetition), numValues);
  if (definition > 0) checkRunsAt(view, repetitionBytes, bitWidth(definition), numValues);
  const valuesAt = repetitionBytes + (definition > 0 ? numberIn(about, 5) || 0 : 0);
  const shape: PageShape = { numValues, levels: [], values };
  compressedPages.set(at + valuesAt, shape);
  if (isPlain && valuesAt >= 0 && valuesAt <= bytes.length) checkRuns(bytes.subarray(valuesAt), shape);
}

function bitWidth(most: number): number {
  return 32 - Math.clz32(most);
}

type Fields = Map<number, number | Fields | undefined>;

function numberIn(fields: Fields, field: number): number {
  const value = fields.get(field);
  return typeof value === 'number' ? value : Number.NaN;
}

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const STRUCT = 12;
const DEEPEST = 8;

/** The numbers of a struct in Thrift's compact protocol, in which the headers of pages are written. */
class ThriftStruct {
  private readonly view: DataView;
  at = 0;

  constructor(view: DataView) {
    this.view = view;
  }

  /** The fields, or undefined if they do not end within the bytes at hand. */
  read(): Fields | undefined {
    try {
      return this.fields(0);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private fields(depth: number): Fields {
    if (depth > DEEPEST) throw new DamagedParquet('has a page whose header is nested too deeply');
    const fields: Fields = new Map();
    for (let id = 0; ; ) {
      const byte = this.view.getUint8(this.at++);
      if (byte === 0) return fields;
      id = byte >> 4 === 0 ? this.signed() : id + (byte >> 4);
      fields.set(id, this.value(byte & 15, depth));
    }
  }

  private value(type: number, depth: number): number | Fields | undefined {
    if (type === TRUE || type === FALSE) return undefined;
    if (type > BYTE && type <= I64) return this.signed();
    if (type === STRUCT) return this.fields(depth + 1);
    if (type === BYTE) this.skip(1);
    else if (type === DOUBLE) this.skip(8);
    else if (type === BINARY) this.skip(this.unsigned());
    else if (type === LIST || type === SET) {
      const byte = this.view.getUint8(this.at++);
      const size = byte >> 4 === 15 ? this.unsigned() : byte >> 4;
      const elementType = byte & 15;
      // an element takes a byte at least
      for (let i = 0; i < size; i++) {
        if (elementType === TRUE || elementType === FALSE) this.skip(1);
        else this.value(elementType, depth + 1);
      }
    } else throw new DamagedParquet('has a page whose header cannot be read');
    return undefined;
  }

  private skip(numBytes: number): void {
    this.at += numBytes;
    if (this.at > this.view.byteLength) throw new RangeError('past the end');
  }

  private unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.view.getUint8(this.at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  private signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
