import { type LimitName, limits } from '../core/limits.js';

/** What is to be said about a limit. */
export interface LimitText {
  /** The heading of the limits it belongs to. */
  readonly group: LimitGroup;
  /** What is limited, and where. */
  readonly what: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly why: string;
  /** What is said beyond the limit, as far as it is always the same; `{limit}` stands for the value. */
  readonly says: string;
}

export const limitGroups = ['Text', 'JSON', 'Compression', 'Threads', 'Features', 'Models'] as const;
export type LimitGroup = (typeof limitGroups)[number];

const limitTexts: Readonly<Record<LimitName, LimitText>> = {
  lineBytes: {
    group: 'Text',
    what: 'a line of a TREC, LETOR, JSON lines or number file, without its line end',
    unit: 'bytes',
    why: 'A line is held in memory as a whole. No ranking, judgement or row of features needs as much; a longer line is nearly always a file of another kind.',
    says: 'is longer than {limit} bytes',
  },
  recordBytes: {
    group: 'Text',
    what: 'a record of a CSV or TSV file, which may span lines inside quotes',
    unit: 'bytes',
    why: 'As for lines. A quote that is never closed makes one record of the rest of the file, so the message mentions it.',
    says: 'is longer than {limit} bytes',
  },
  jsonTokenBytes: {
    group: 'JSON',
    what: 'a string or number in a JSON file',
    unit: 'bytes',
    why: 'A token is held in memory as a whole, as a line is.',
    says: 'expected strings of at most {limit} bytes, found a longer one',
  },
  jsonNesting: {
    group: 'JSON',
    what: 'arrays and objects inside one another in runs and judgements',
    unit: 'levels',
    why: 'These files need three levels; further ones only occur in fields that are ignored.',
    says: 'expected at most {limit} levels of nesting, found more',
  },
  wholeFileBytes: {
    group: 'Text',
    what: 'a file that is read as a whole: scores computed before, lists of topics and names, one JSON array of features, the side files of other tools',
    unit: 'bytes',
    why: 'Such a file becomes one string, and JavaScript has no strings of more than 512 MiB. Runs, judgements and feature files of any other format are read in pieces and may be of any size.',
    says: 'is larger than {limit} bytes, too large for a file that is read as a whole',
  },
  columns: {
    group: 'Text',
    what: 'fields of a record of a CSV or TSV file',
    unit: 'fields',
    why: 'Each field of the header becomes a string, and a file of nothing but commas should not become millions of them.',
    says: 'has more than {limit} fields',
  },
  decompressionRatio: {
    group: 'Compression',
    what: 'what becomes of a byte of a compressed file, beyond the first MiB: bytes of text, bytes of a page of Parquet, rows of a Parquet file',
    unit: 'for each byte',
    why: 'Files made to exhaust memory grow by far more: zstd can by 32,768. gzip cannot grow by more than 1,032, and a run shrinks to a tenth, rarely to a hundredth.',
    says: 'more than {limit} times as many',
  },
  duckdbLineBytes: {
    group: 'Text',
    what: 'a line of a TREC file that `--engine duckdb` reads',
    unit: 'bytes',
    why: 'DuckDB sets aside several times as much for each thread, out of `--memory-limit`.',
    says: 'has a line that is longer than {limit} bytes, which DuckDB does not read',
  },
  zstdWindowBytes: {
    group: 'Compression',
    what: 'the window of a zstd frame: how far back it repeats content',
    unit: 'bytes',
    why: 'As much of the content is kept in memory while it is read. It is what `zstd` itself takes without `--long` or `--memory`.',
    says: 'and at most {limit} bytes are taken',
  },
  threads: {
    group: 'Threads',
    what: 'threads that work at a time: `--threads`, `-thread` of RankLib, and `threads` in the library',
    unit: 'threads',
    why: 'Each takes about 10 MB before it does anything. Without the option there is one for each core, up to this limit. Where the system lets fewer files be open than so many threads need, fewer are started, and the result is the same.',
    says: 'a whole number from 1 to {limit}',
  },
  features: {
    group: 'Features',
    what: 'features of a LETOR file, counted by the largest id, and of a model',
    unit: 'features',
    why: 'Everything that is kept for each feature takes memory, whether or not a document has it; a short line can name any id. Hashed features rarely have more places.',
    says: 'expected at most {limit} features',
  },
  cells: {
    group: 'Features',
    what: 'documents times features of a LETOR file that the library is asked to read into dense rows',
    unit: 'cells',
    why: 'Dense rows take 8 bytes per cell.',
    says: 'expected at most {limit} cells',
  },
  filledCells: {
    group: 'Features',
    what: 'documents times features of sparse data in training, where learners need every cell',
    unit: 'cells',
    why: 'Learners work on dense rows of 8 bytes per cell, and some on a scaled copy as well. Scoring has no such limit.',
    says: 'more than {limit} cells to fill',
  },
  cellsPerValue: {
    group: 'Features',
    what: 'cells for each value that sparse data gives in training; not asked below 16,777,216 cells',
    unit: 'cells for each value',
    why: 'Memory stays in proportion to the file: a few documents with high feature numbers do not take gigabytes.',
    says: 'more than {limit} cells for each value',
  },
  modelBytes: {
    group: 'Models',
    what: 'a model file, decompressed',
    unit: 'bytes',
    why: 'A model file becomes one string, and JavaScript has no strings of more than 512 MiB.',
    says: 'is larger than {limit} bytes, too large for a model',
  },
  modelTrees: {
    group: 'Models',
    what: 'trees of a model',
    unit: 'trees',
    why: 'Every document passes through every tree. It is as many as `train` grows at most.',
    says: 'expected at most {limit} trees',
  },
  modelNodes: {
    group: 'Models',
    what: 'nodes of all trees of a model, leaves included',
    unit: 'nodes',
    why: 'A node takes about 50 bytes; larger ensembles do not fit into a model file either.',
    says: 'expected at most {limit} nodes',
  },
  treeDepth: {
    group: 'Models',
    what: 'splits between the root of a tree and a leaf; `train` grows no deeper ones',
    unit: 'splits',
    why: 'A document takes as many steps in a tree as the tree is deep. Trees that were grown on data are balanced enough to stay far below.',
    says: 'is deeper than {limit} splits',
  },
  modelWeights: {
    group: 'Models',
    what: 'weights of a net, biases included',
    unit: 'weights',
    why: 'Weights are kept for every pair of units of neighbouring layers, and a model of RankLib can name many with few words.',
    says: 'expected at most {limit} weights',
  },
  entries: {
    group: 'Text',
    what: 'rows of a run or of judgements, bytes of their different ids, and rows, values and bytes of comments of feature files, where they are held in memory',
    unit: 'entries',
    why: 'They are numbered in 32 bits, which halves the memory that they take. A TREC run whose topics come one after the other is not held in memory, and may have more.',
    says: 'found more than {limit}',
  },
};

/** A limit with its value. */
export interface LimitReference extends LimitText {
  readonly name: LimitName;
  readonly value: number;
}

export function limitReference(): LimitReference[] {
  return (Object.keys(limitTexts) as LimitName[]).map((name) => ({ ...limitTexts[name], name, value: limits[name] }));
}

/** What is said beyond a limit. */
export function saidBeyond({ says }: LimitText, value: number): string {
  return says.replaceAll('{limit}', String(value));
}
