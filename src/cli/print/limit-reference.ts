import { evaluationLimits, type LimitName, limits } from '../../core/index.js';

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

/** The headings of the page of limits, in their order. */
export const limitGroups = [
  'Text',
  'JSON',
  'Compression',
  'Threads',
  'Commands',
  'Scores',
  'Features',
  'Models',
  'gradus serve',
  'gradus worker',
] as const;
/** What a limit is about, which is the heading it stands under. */
export type LimitGroup = (typeof limitGroups)[number];

const limitTexts: Readonly<Record<LimitName, LimitText>> = {
  lineBytes: {
    group: 'Text',
    what: 'a line of a TREC, LETOR, JSON lines or number file, without its line end, and so any id, the digits of any number, and any other field of it',
    unit: 'bytes',
    why: 'A line is held in memory as a whole. No ranking, judgement or row of features needs as much; a longer line is nearly always a file of another kind.',
    says: 'is longer than {limit} bytes',
  },
  recordBytes: {
    group: 'Text',
    what: 'a record of a CSV or TSV file, which may span lines inside quotes, and so any id, number or other field of it',
    unit: 'bytes',
    why: 'As for lines. A quote that is never closed makes one record of the rest of the file, so the message mentions it.',
    says: 'is longer than {limit} bytes',
  },
  jsonTokenBytes: {
    group: 'JSON',
    what: 'a string or number in a JSON file, ids included',
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
  topics: {
    group: 'Text',
    what: 'topics of a run or of judgements, and queries of a feature file',
    unit: 'topics',
    why: 'Every topic becomes a row of the results, which is found by its name, and a JavaScript `Map` holds no more names.',
    says: 'expected at most {limit} topics',
  },
  topicDocuments: {
    group: 'Text',
    what: 'lines of one topic in a run, in judgements or in a feature file, and so documents of a topic',
    unit: 'documents',
    why: 'Several checks and measures look the documents of a topic up in a JavaScript `Map`, which holds no more. The longest rankings there are, of a whole collection of passages, have half as many.',
    says: 'expected at most {limit} documents of a topic',
  },
  ids: {
    group: 'Text',
    what: 'different documents in a run or in judgements',
    unit: 'ids',
    why: 'They are looked up in a hash table of twice the size, whose places are numbered in 31 bits.',
    says: 'found more than {limit} different ids',
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
    what: 'a line of a text file that `--engine duckdb` reads',
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
  files: {
    group: 'Commands',
    what: 'arguments of a command that are not options, such as the runs of `gradus eval`',
    unit: 'arguments',
    why: 'Each run becomes a column of tables, and tables of more columns cannot be read back.',
    says: 'expected at most {limit} arguments',
  },
  measures: {
    group: 'Commands',
    what: 'measures that are computed at a time, as `P@1,2,3` is three',
    unit: 'measures',
    why: 'Each becomes a column of tables, and tables of more columns cannot be read back.',
    says: 'expected at most {limit} measures',
  },
  cutoff: {
    group: 'Commands',
    what: 'the cutoff of a measure, such as the 10 of `P@10`',
    unit: 'ranks',
    why: 'Rankings are far shorter, and larger numbers are slips.',
    says: 'a whole number from 1 to {limit}',
  },
  cwlDepth: {
    group: 'Commands',
    what: 'the parameter `depth` of measures with user models, such as `INST(depth=1000)`',
    unit: 'ranks',
    why: 'The weights of all ranks down to it are summed for every topic, however short the ranking is.',
    says: 'a whole number from 1 to {limit}',
  },
  pairedDocuments: {
    group: 'Commands',
    what: 'judged documents of a topic for `PrefsPair`, `PrefsPairRet` and `PrefsPairImp`',
    unit: 'documents',
    why: 'They count for every pair of documents how many judges prefer the one, in a table of the square of their number. The other measures of preferences have no such limit.',
    says: 'expected at most {limit} documents to compare pair by pair',
  },
  partialOrder: {
    group: 'Commands',
    what: 'judged documents of a topic that one judge put into several lists, as preferences',
    unit: 'documents',
    why: 'What follows from several lists is found in time that grows with the cube of their number. A judge with one list has no such limit.',
    says: 'expected at most {limit} documents in the lists of one judge',
  },
  resamples: {
    group: 'Commands',
    what: 'samples that a test or an interval draws: `--resamples` of `compare`, `gate` and `report`, and `resamples` in the library',
    unit: 'samples',
    why: 'The standard error of a p-value is then below 0.0001. Time grows with the number, and so does the memory of some tests.',
    says: 'to {limit}',
  },
  seed: {
    group: 'Commands',
    what: 'a seed of random numbers',
    unit: '',
    why: 'Larger whole numbers cannot be distinguished from their neighbours, so that two seeds would give the same draws.',
    says: 'a whole number from 0 to {limit}',
  },
  scores: {
    group: 'Scores',
    what: 'systems times topics times measures of one table of results',
    unit: 'scores',
    why: 'A table takes 8 bytes for each, whether or not there is a value.',
    says: 'are more than {limit} scores',
  },
  scoresPerValue: {
    group: 'Scores',
    what: 'systems times topics times measures, for each score that a file of ready scores gives; not asked below 1,048,576',
    unit: 'for each score',
    why: 'Memory stays in proportion to the file: many systems with one score each, all on different topics, would take the square of their number.',
    says: 'are more than {limit} places for each score',
  },
  comparisons: {
    group: 'Scores',
    what: 'tests of one comparison: pairs of systems times measures',
    unit: 'comparisons',
    why: 'Pairs grow with the square of the systems. All pairs of 1,448 systems can be compared by one measure.',
    says: 'expected at most {limit} comparisons',
  },
  weightSteps: {
    group: 'Commands',
    what: 'steps from a weight of 0 to one of 1, as `gradus fuse --tune` tries them: 1 divided by `--step`',
    unit: 'steps',
    why: 'The runs are fused and evaluated for each of them, and a finer step changes no measure.',
    says: 'expected at most {limit} steps',
  },
  serveConnections: {
    group: 'gradus serve',
    what: 'connections at a time',
    unit: 'connections',
    why: "The page is for this machine's own browsers, which open about six each. A further connection is closed without an answer.",
    says: 'connection closed',
  },
  serveHeaderBytes: {
    group: 'gradus serve',
    what: 'the address and the headers of a request: names and values',
    unit: 'bytes',
    why: 'Browsers send one or two thousand, and as much is kept for every connection.',
    says: '431 Request Header Fields Too Large',
  },
  serveWaiting: {
    group: 'gradus serve',
    what: 'requests of one connection that wait for their answers',
    unit: 'requests',
    why: 'Browsers wait for an answer before they ask again; programs that do not would pile up answers in memory. The connection is closed.',
    says: 'connection closed',
  },
  messageHeaderBytes: {
    group: 'gradus worker',
    what: 'the header of a message',
    unit: 'bytes',
    why: 'It holds settings and the places of arrays; what is large travels as arrays.',
    says: 'expected at most {limit}',
  },
  messageBodyBytes: {
    group: 'gradus worker',
    what: 'the arrays of a message',
    unit: 'bytes',
    why: 'They are in memory as a whole. A larger run is better read from a file, which need not be.',
    says: 'expected at most {limit}',
  },
  heldInputs: {
    group: 'gradus worker',
    what: 'inputs that a worker holds between calls',
    unit: 'inputs',
    why: 'Each takes memory until it is released, and a program that forgets to release them would not notice otherwise.',
    says: 'more than {limit} inputs are held',
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
  thresholdCells: {
    group: 'Features',
    what: 'documents of the longest query, and one more, times thresholds, where a model is trained for GAP',
    unit: 'cells',
    why: 'The hits above every rank are kept for every threshold, at 12 bytes for each.',
    says: 'are more than {limit} cells',
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
    what: 'rows of a run or of judgements, bytes of their different ids, and lines, rows, values and bytes of comments of feature files, where they are held in memory; also of several files taken together',
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

/** All limits with their present values and the reasons for them. */
export function limitReference(): LimitReference[] {
  const values = { ...evaluationLimits, ...limits };
  return (Object.keys(limitTexts) as LimitName[]).map((name) => ({ ...limitTexts[name], name, value: values[name] }));
}

/** What is said beyond a limit. */
export function saidBeyond({ says }: LimitText, value: number): string {
  return says.replaceAll('{limit}', String(value));
}
