/** What a program sends along with a call: columns in memory, bytes of a file, or the path of one. */
import { InputError, printable, type Run } from '../../core/index.js';
import {
  type ByteSource,
  bytesSource,
  featuresOfColumns,
  type HeldContent,
  heldSource,
  type IdColumn,
  qrelsOfColumns,
  type RunColumns,
  runOfColumns,
  type TopicColumn,
} from '../../formats/index.js';
import type { MessageArray, WorkerMessage } from '../../node/index.js';

/** A part of a header, of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** An input: what is read in the place of a file, or where a file is. */
export type WorkerInput = { readonly path: string } | { readonly source: ByteSource };

/** Finds the arrays and inputs that a header speaks of by number. */
export interface Given {
  readonly arrays: readonly MessageArray[];
  /** What was held back in an earlier call. */
  held(handle: number): ByteSource;
  /** The parts of a run that follow the call. */
  readonly parts: RunParts;
}

/** A run that follows a call in messages of its own, so that it is scored while the program still puts it together. It is gone through once:
 *  who needs it whole has to ask for it. */
export class RunParts {
  private readonly next: () => WorkerMessage;
  /** Whether the last part is still to come. */
  private areToCome: boolean;
  private isTaken = false;

  /** @param inputs Those of the call, whatever they are.
   *  @param next Waits for the next message; it throws where there is none. */
  constructor(inputs: unknown, next: () => WorkerMessage) {
    this.areToCome = Array.isArray(inputs) && inputs.some((input: unknown) => Object(input).parts === true);
    this.next = next;
  }

  /** Makes an input of the parts. */
  input(name: string, tag: string, where: string): HeldContent {
    if (this.isTaken) throw new InputError(`${where}: another run comes in parts already, expected one in a call`);
    this.isTaken = true;
    return {
      runParts: { name: tag, columns: () => this.columns(tag, `a part of ${name}`) },
      get run(): never {
        throw new WholeRunNeeded();
      },
    };
  }

  /** Reads what nobody has asked for: the next call stands behind it. */
  skip(): void {
    while (this.areToCome) this.read();
  }

  private *columns(tag: string, where: string): Generator<RunColumns> {
    for (let message = this.read(); message !== undefined; message = this.read()) {
      yield runColumnsOf(new ColumnReader(fieldsOf(message.header.part, where), where, message.arrays), tag);
    }
  }

  /** Undefined after the last. */
  private read(): WorkerMessage | undefined {
    if (!this.areToCome) return undefined;
    const message = this.next();
    this.areToCome = message.header.part !== null;
    return this.areToCome ? message : undefined;
  }
}

/** The command cannot work on parts: the program is asked to send the run as a whole. */
export class WholeRunNeeded extends Error {}

function runColumnsOf(columns: ColumnReader, name: string): RunColumns {
  return {
    name,
    ...columns.topics(),
    docs: columns.ids('docs'),
    scores: columns.optionalNumbers('scores'),
    ranks: columns.optionalNumbers('ranks'),
  };
}

/** A plain object, or a refusal.
 *  @throws An `InputError` */
export function fieldsOf(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InputError(`${where}: expected an object, found ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : value === undefined ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** A list of texts, or a refusal.
 *  @throws An `InputError` */
function textsOf(value: unknown, where: string): string[] {
  if (!Array.isArray(value)) throw new InputError(`${where}: expected a list of texts, found ${kindOf(value)}`);
  return value.map((one: unknown) => {
    if (typeof one === 'string') return one;
    throw new InputError(`${where}: expected a list of texts, found ${kindOf(one)} in it`);
  });
}

/** Makes an input of what the header says about it.
 *  @throws An `InputError` if it says too little, or what does not fit. */
export function inputOf(value: unknown, where: string, given: Given): WorkerInput {
  const input = fieldsOf(value, where);
  const { path, held, kind } = input;
  if (typeof path === 'string') return { path };
  if (typeof held === 'number') return { source: given.held(held) };
  const name = typeof input.name === 'string' ? printable(input.name) : where;
  const columns = new ColumnReader(input, where, given.arrays);
  switch (kind) {
    case 'run': {
      const tag = typeof input.tag === 'string' ? input.tag : name;
      if (input.parts === true) return { source: heldSource(given.parts.input(name, tag, where), name) };
      return { source: heldSource(heldRun(runColumnsOf(columns, tag)), name) };
    }
    case 'qrels': {
      const groups = input.groups === undefined ? undefined : columns.ids('groups');
      const qrels = qrelsOfColumns({ ...columns.topics(), docs: columns.ids('docs'), grades: columns.numbers('grades'), groups });
      return { source: heldSource({ qrels }, name) };
    }
    case 'features': {
      const features = featuresOfColumns({
        values: columns.cells('values'),
        numFeatures: columns.count('numFeatures'),
        names: input.names === undefined ? undefined : textsOf(input.names, `${where}, names`),
        labels: columns.optionalNumbers('labels'),
        groupSizes: input.groupSizes === undefined ? undefined : columns.array('groupSizes', Uint32Array, 'u32'),
        queries: input.queries === undefined ? undefined : columns.ids('queries'),
      });
      return { source: heldSource({ features }, name) };
    }
    case 'bytes':
      return { source: bytesSource(columns.array('bytes', Uint8Array, 'u8'), name, name) };
    default:
      throw new InputError(`${where}: expected a path, held, or one of the kinds run, qrels, features, bytes`);
  }
}

/** A run that is made of its columns when it is needed: most are scored as they are. */
function heldRun(runColumns: RunColumns): HeldContent {
  let run: Run | undefined;
  return {
    runColumns,
    get run() {
      run ??= runOfColumns(runColumns);
      return run;
    },
  };
}

/** Reads columns of one input. */
class ColumnReader {
  private readonly fields: Fields;
  private readonly where: string;
  private readonly arrays: readonly MessageArray[];

  constructor(fields: Fields, where: string, arrays: readonly MessageArray[]) {
    this.fields = fields;
    this.where = where;
    this.arrays = arrays;
  }

  topics(): TopicColumn {
    const rowsOfTopics = this.fields.rowsOfTopics === undefined ? undefined : this.array('rowsOfTopics', Uint32Array, 'u32');
    return { topics: this.ids('topics'), rowsOfTopics };
  }

  ids(field: string): IdColumn {
    return this.idColumn(this.fields[field], field);
  }

  private idColumn(value: unknown, field: string): IdColumn {
    const column = fieldsOf(value, `${this.where}, ${field}`);
    const part = new ColumnReader(column, `${this.where}, ${field}`, this.arrays);
    if (column.codes !== undefined) {
      const dictionary = fieldsOf(column.dictionary, `${this.where}, ${field}, dictionary`);
      // a dictionary of a dictionary would be a way to nest without end
      if (dictionary.codes !== undefined) throw new InputError(`${this.where}, ${field}: the dictionary has codes itself, expected ids`);
      return { codes: part.array('codes', Uint32Array, 'u32'), dictionary: this.idColumn(dictionary, field) };
    }
    const bytes = part.array('bytes', Uint8Array, 'u8');
    if (column.offsets !== undefined) return { bytes, offsets: part.array('offsets', Uint32Array, 'u32') };
    const count = part.count('count');
    // each id takes a byte, so that a small message cannot ask for a large table
    if (count > bytes.length + 1) throw new InputError(`${this.where}, ${field}: expected ${count} ids, found ${bytes.length} bytes`);
    const separator = part.count('separator');
    if (separator > 255) throw new InputError(`${this.where}, ${field}: expected a byte as separator, found ${separator}`);
    return { bytes, separator, count };
  }

  count(field: string): number {
    const value = this.fields[field];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new InputError(`${this.where}: expected a whole number as ${field}, found ${kindOf(value)}`);
  }

  array<Kind extends MessageArray>(field: string, type: abstract new (...args: never[]) => Kind, name: string): Kind {
    const found = this.arrays[this.count(field)];
    if (found instanceof type) return found;
    throw new InputError(`${this.where}: expected the number of an array of type ${name} as ${field}`);
  }

  numbers(field: string): Float64Array {
    const found = this.arrays[this.count(field)];
    if (found instanceof Float64Array) return found;
    if (found instanceof Float32Array || found instanceof Uint32Array) return Float64Array.from(found);
    throw new InputError(`${this.where}: expected the number of an array of type f64, f32 or u32 as ${field}`);
  }

  optionalNumbers(field: string): Float64Array | undefined {
    return this.fields[field] === undefined ? undefined : this.numbers(field);
  }

  cells(field: string): Float64Array | Float32Array {
    const found = this.arrays[this.count(field)];
    if (found instanceof Float64Array || found instanceof Float32Array) return found;
    throw new InputError(`${this.where}: expected the number of an array of type f64 or f32 as ${field}`);
  }
}
