import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { growingFloats, growingInts } from '../../core/growing-arrays.js';
import { textCapacity, writeText } from '../../core/text.js';
import { textBytes } from '../reader.js';
import type { ReadingLog } from '../reading-log.js';
import { readColumnList, roleOf } from '../tables/columns.js';
import { ListCollector } from './lists.js';

/** What a column of a table of features can be besides a feature. */
export type FeatureRole = 'topic' | 'label' | 'doc';

/** How a table of features is read. */
export interface FeatureTableOptions {
  /** What the file is called in messages; `input` by default. */
  readonly source?: string | undefined;
  readonly lenient?: boolean | undefined;
  readonly maxProblems?: number | undefined;
  /** Which column holds the query, the label, the document id, where its name does not say so; numbers count from 1. */
  readonly columns?: Readonly<Partial<Record<FeatureRole, string | number>>> | undefined;
  /** The columns that are features; by default all that are nothing else. */
  readonly features?: readonly string[] | undefined;
  /** The features that a model has, where there is one: other columns are none, unless `features` names them. */
  readonly known?: ReadonlySet<string> | undefined;
  /** Columns that are none. */
  readonly ignore?: readonly string[] | undefined;
  /** Whether every record must have a label, which it must unless this is false; otherwise its label is 0. */
  readonly labelled?: boolean | undefined;
  readonly header?: boolean | undefined;
  readonly delimiter?: string | undefined;
  readonly quotes?: boolean | undefined;
}

const roles: readonly FeatureRole[] = ['topic', 'label', 'doc'];

/** What the column of this name is for: a role, a feature, or nothing. */
export function featureUse(name: string, options: FeatureTableOptions): FeatureRole | 'feature' | undefined {
  const { columns = {}, features, ignore, known } = options;
  for (const role of roles) if (columns[role] === name) return role;
  if (features?.includes(name)) return 'feature';
  if (ignore?.includes(name)) return undefined;
  const role = featureRoleOf(name);
  if (role !== undefined && columns[role] === undefined) return role;
  return features === undefined && known?.has(name) !== false ? 'feature' : undefined;
}

function featureRoleOf(name: string): FeatureRole | undefined {
  const known = roleOf(name);
  return known === 'grade' ? 'label' : known === 'topic' || known === 'doc' ? known : undefined;
}

/** Understands `topic=qid,label=rel,doc=3`, where the words before `=` may be any known name. */
export function parseFeatureColumns(text: string): Partial<Record<FeatureRole, string | number>> {
  return readColumnList(text, roles, featureRoleOf);
}

/** Documents with features, gathered record by record from a table. Cells that a record does not give are missing. */
export class FeatureRows {
  private readonly lists = new ListCollector();
  private readonly labels = growingFloats();
  private readonly lines = growingInts();
  private readonly cellOffsets = growingInts();
  private readonly cellColumns = growingInts();
  private readonly cells = growingFloats();
  private readonly docs: string[] = [];
  private hasDocs = false;

  get numRows(): number {
    return this.labels.length;
  }

  /** Adds a value to the record at hand, which `addRow` completes. */
  addCell(column: number, value: number): void {
    this.cellColumns.push(column);
    this.cells.push(value);
  }

  addRow(query: string, label: number, doc: string | undefined, line: number): void {
    const bytes = textBytes(query);
    if (!this.lists.isCurrent(bytes, 0, bytes.length)) this.lists.startList(this.numRows, bytes, 0, bytes.length);
    this.labels.push(label);
    this.lines.push(line);
    this.cellOffsets.push(this.cells.length);
    this.docs.push(doc ?? '');
    if (doc !== undefined) this.hasDocs = true;
  }

  finish(names: readonly string[] | undefined, numFeatures: number): FeatureMatrix {
    const { numRows } = this;
    const { queryOffsets, queries, queryOf, order } = this.lists.group(numRows);
    const ends = this.cellOffsets.take(undefined);
    const columns = this.cellColumns.take(undefined);
    const cells = this.cells.take(undefined);
    const values = new Float64Array(numRows * numFeatures).fill(Number.NaN);
    for (let row = 0; row < numRows; row++) {
      const from = order === undefined ? row : order[row];
      for (let i = from === 0 ? 0 : ends[from - 1]; i < ends[from]; i++) values[row * numFeatures + columns[i]] = cells[i];
    }
    return {
      numRows,
      numRecords: numRows,
      queryOffsets,
      queries,
      queryOf,
      labels: this.labels.take(order),
      lines: this.lines.take(order),
      records: order,
      comments: this.hasDocs ? docComments(order === undefined ? this.docs : Array.from(order, (row) => this.docs[row])) : undefined,
      features: { layout: 'dense', numFeatures, firstFeature: 1, numGiven: cells.length, names, values },
    };
  }
}

/** Document ids as comments of the usual shape, in which the rest of the program looks for them. */
function docComments(docs: readonly string[]): FeatureMatrix['comments'] {
  const texts = docs.map((doc) => (doc === '' ? '' : `docid = ${doc.replace(/\s+/g, '_')}`));
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + textCapacity(text), 0));
  const offsets = new Uint32Array(texts.length + 1); // fits: entries
  texts.forEach((text, row) => {
    offsets[row + 1] = writeText(bytes, offsets[row], text);
  });
  return { bytes: bytes.slice(0, offsets[texts.length]), offsets };
}

/** Refuses a table in which some needed column cannot be found. */
export function requireRoles(found: ReadonlySet<string>, options: FeatureTableOptions, names: string, log: ReadingLog, line: number): void {
  const needed: readonly FeatureRole[] = options.labelled === false ? ['topic'] : ['topic', 'label'];
  const missing = needed.filter((role) => !found.has(role));
  if (missing.length > 0) {
    throw log.fatal(
      `expected columns for ${needed.join(' and ')}, found ${names}`,
      `say which they are: --columns ${missing.map((role) => `${role}=NAME`).join(',')}`,
      line,
    );
  }
  if (!found.has('feature')) throw log.fatal('has no column left for a feature', 'check the columns', line);
}
