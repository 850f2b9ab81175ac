/** What the page and the worker say to each other: plain data only. */
import type { JudgingRules, Problem } from 'gradus';
import type { Columns } from 'gradus/formats';
import type { ContributionData } from 'gradus/report';

/** What a file holds: judgements, a run, a LETOR file, predictions for it, the texts of queries or documents,
 *  or how many lines of a LETOR file each query has. */
export type FileKind = 'judgements' | 'run' | 'features' | 'predictions' | 'queries' | 'documents' | 'sizes';

/** How a person wants a file to be read. */
export interface FileReading {
  readonly as?: FileKind | undefined;
  readonly lenient?: boolean | undefined;
  /** Which column holds what, where somebody said so. */
  readonly columns?: Columns | undefined;
  /** The numbers of grades that are words or letters. */
  readonly grades?: Readonly<Record<string, number>> | undefined;
  /** The file beside a LETOR file that says how many lines each query has. */
  readonly sizes?: File | undefined;
}
export type TieRule = JudgingRules['ties'];

/** Everything that a person can set, and nothing about the data: this is what goes into the address. */
export interface Settings {
  /** Measures as they were typed, separated by blanks. */
  readonly measures: string;
  readonly convention: string;
  /** Empty: as the convention has it. */
  readonly ties: TieRule | '';
  readonly rel: number | null;
  readonly depth: number | null;
  readonly judgedOnly: boolean;
  readonly missing: '' | 'zero' | 'skip';
  readonly test: string;
  readonly correction: string;
  readonly alpha: number;
  readonly seed: number;
  /** The system that the others are compared with; empty: every pair. */
  readonly baseline: string;
}

export const defaultSettings: Settings = {
  measures: 'nDCG@10 AP RR P@10 R@100 Judged@10',
  convention: 'gradus',
  ties: '',
  rel: null,
  depth: null,
  judgedOnly: false,
  missing: '',
  test: 't',
  correction: 'holm',
  alpha: 0.05,
  seed: 1,
  baseline: '',
};

/** A file that was read. */
export interface FileSummary {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  readonly kind: FileKind;
  /** True if the same file could also be read as the other kind, so that a person may have to say which it is. */
  readonly ambiguous: boolean;
  /** `trec-run`, `qrels`, `json` … */
  readonly format: string;
  /** What the run is called; the file's name for everything else. */
  readonly label: string;
  /** `12 topics, 673 judgements` */
  readonly size: string;
  /** How many lines lenient reading left out. */
  readonly numSkipped: number;
  /** What is wrong with a run under all but the conventions that take repeated documents. */
  readonly repeats?: readonly Problem[] | undefined;
}

/** What can be chosen, with the words that explain it. */
export interface Catalogue {
  readonly measures: readonly MeasureEntry[];
  readonly conventions: readonly { readonly name: string; readonly title: string; readonly help: string }[];
  readonly ties: readonly Choice[];
  readonly missing: readonly Choice[];
  readonly tests: readonly (Choice & { readonly isJoint: boolean })[];
  readonly corrections: readonly Choice[];
}

/** A word that a setting takes, and what it means. */
export interface Choice {
  readonly name: string;
  readonly title: string;
}

export interface MeasureEntry {
  readonly name: string;
  readonly title: string;
  readonly family: string;
  /** What completion offers: the name, or the name with usual cutoffs. */
  readonly spellings: readonly string[];
}

/** The reference of one measure. */
export interface MeasureHelp {
  readonly name: string;
  /** How it is written in its simplest form. */
  readonly spelling: string;
  readonly title: string;
  readonly help: string;
  readonly formula: string | null;
  readonly tools: string | null;
  readonly citations: readonly { readonly text: string; readonly doi: string | null }[];
  readonly params: readonly { readonly name: string; readonly value: string; readonly help: string }[];
}

export interface ResultMeasure {
  readonly name: string;
  readonly direction: 'higher' | 'lower' | 'neither';
  /** Counts are shown without decimals. */
  readonly whole: boolean;
}

/** Scores of every run, ready to be shown. */
export interface Results {
  readonly systems: readonly ResultSystem[];
  readonly topics: readonly string[];
  /** The text of each topic's query, where a file with texts was given. */
  readonly queries: readonly (string | null)[] | undefined;
  readonly measures: readonly ResultMeasure[];
  /** The value of system s, topic t, measure m is at (s * topics + t) * measures + m; NaN where there is none. */
  readonly values: Float64Array;
  readonly notes: readonly string[];
  readonly convention: string;
  readonly milliseconds: number;
}

export interface ResultSystem {
  readonly name: string;
  readonly file: number;
  /** Over all topics, measure by measure. */
  readonly means: readonly number[];
  readonly numAnswered: number;
}

/** One topic's ranking by one system, as a measure sees it. */
export interface TopicRanking extends ContributionData {
  readonly file: number;
  /** The text of the query, where a file with texts was given. */
  readonly query?: string | undefined;
  readonly numRetrieved: number;
  readonly numJudged: number;
  /** How many judged documents have each grade, highest grade first. */
  readonly grades: readonly { readonly grade: number; readonly judged: number; readonly retrieved: number }[];
  readonly rows: readonly RankedDocument[];
  /** Judged documents with a grade above 0 that the run does not have, highest grade first. */
  readonly missed: readonly ({ readonly id: string; readonly grade: number } & DocumentWords)[];
  readonly numMissed: number;
  /** True if the file states ranks and no scores. */
  readonly ranksOnly: boolean;
  /** True if what single documents add is known. */
  readonly additive: boolean;
}

/** What a file with texts says of a document. */
export interface DocumentWords {
  readonly title?: string | undefined;
  readonly url?: string | undefined;
}

export interface RankedDocument extends DocumentWords {
  readonly rank: number;
  readonly id: string;
  /** Null in rankings by ranks alone. */
  readonly score: number | null;
  readonly grade: number | null;
  /** What the file says, in rankings by ranks alone: it may count from 0, or have gaps. */
  readonly statedRank: number | null;
  /** The document was in the pool, but has a negative grade: nobody judged it. */
  readonly pooled: boolean;
  /** How many documents of the ranking share the score. */
  readonly tied: number;
  readonly contribution: number;
  /** The value if the ranking ended here. */
  readonly soFar: number;
}

/** How far something has come. */
export type Progress = (done: number, total: number, what: string) => void;

/** An answer, or the problems that stood in its way. Errors do not survive the way between threads with all their parts. */
export type Answer<T> = { readonly ok: T } | { readonly problems: readonly Problem[] };
