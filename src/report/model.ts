import type { MovedOnTopic } from './moved.js';
import type { Standings, Verdict } from './verdict/model.js';

/** What a report says, as plain JSON: every output and the browser app are made from it, and from nothing else. A value that does not
 *  exist is null, so that nothing is lost in JSON. */
export type Report = TrecReport | ComparisonReport | ModelReport;

/** Raised when a field changes its meaning or goes away; new fields may come without it. */
export const REPORT_VERSION = 1;

/** A number, or null where there is none. */
export type MaybeNumber = number | null;

interface ReportBase {
  readonly version: typeof REPORT_VERSION;
  readonly title: string;
  /** What a reader of the numbers should know about how they came about. */
  readonly notes: readonly string[];
  readonly provenance: Provenance;
}

/** Where the numbers come from, so that they can be made again. */
export interface Provenance {
  /** `Gradus 0.1.0` */
  readonly program: string;
  readonly command: string | null;
  /** Only if it was asked for: without it the same input gives the same bytes. */
  readonly date: string | null;
  readonly files: readonly ReportFile[];
  /** Whose rules were followed: `trec_eval@9.0.8`. */
  readonly convention: string;
  /** The rules in force, by name. */
  readonly rules: readonly { readonly name: string; readonly value: string }[];
  /** Where random draws started; null if nothing was drawn. */
  readonly seed: number | null;
  /** The SHA-256 of what the judgements say, whatever file they stood in, and of all rules; absent where hashes cannot be had. */
  readonly fingerprint?: { readonly judgements?: string | undefined; readonly rules?: string | undefined } | undefined;
}

/** A file that the numbers come from, so that a reader can tell whether theirs is the same. */
export interface ReportFile {
  readonly role: 'judgements' | 'run' | 'scores' | 'features' | 'predictions' | 'model';
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal, of the file as it is stored. */
  readonly sha256: string;
}

/** The evaluation report of the TREC conferences: three tables and two graphs for each run. */
export interface TrecReport extends ReportBase {
  readonly kind: 'trec';
  /** The lines of the header: what the task and who the participant was. */
  readonly header: readonly { readonly name: string; readonly value: string }[];
  /** Topics that some run was averaged over, in byte order of their ids. */
  readonly topics: readonly string[];
  /** Their texts, where they are known. */
  readonly queries?: readonly (string | null)[] | undefined;
  readonly runs: readonly TrecRun[];
  /** Whose median, best and worst `allRuns` holds: of *all* runs of the report, or of the *others* if it is about one of many. */
  readonly comparedWith: { readonly runs: 'all' | 'others'; readonly count: number };
  /** Average precision on each topic over the runs of `comparedWith` that answer it. */
  readonly allRuns: {
    readonly median: readonly MaybeNumber[];
    readonly best: readonly MaybeNumber[];
    readonly worst: readonly MaybeNumber[];
  };
}

/** One run in the manner of TREC's appendices. */
export interface TrecRun {
  readonly name: string;
  readonly summary: {
    readonly numTopics: number;
    /** These three are null where ready scores do not say them. */
    readonly numRetrieved: MaybeNumber;
    readonly numRelevant: MaybeNumber;
    readonly numRelevantRetrieved: MaybeNumber;
  };
  /** Interpolated precision at recall 0.0, 0.1, … 1.0, averaged over topics. */
  readonly recallLevels: readonly { readonly recall: number; readonly precision: MaybeNumber }[];
  /** Not interpolated, over all relevant documents, averaged over topics. */
  readonly averagePrecision: MaybeNumber;
  /** Precision after 5, 10, … 1000 documents, averaged over topics. */
  readonly documentLevels: readonly { readonly cutoff: number; readonly precision: MaybeNumber }[];
  readonly rPrecision: MaybeNumber;
  /** For each topic of the report; null where the run was not scored. */
  readonly averagePrecisionByTopic: readonly MaybeNumber[];
}

/** Systems side by side: what differs, whether it is real, and where. */
export interface ComparisonReport extends ReportBase {
  readonly kind: 'comparison';
  readonly systems: readonly string[];
  /** All topics, in byte order of their ids. */
  readonly topics: readonly string[];
  /** Their texts, where they are known. */
  readonly queries?: readonly (string | null)[] | undefined;
  readonly measures: readonly ReportMeasure[];
  readonly test: ReportTest;
  /** One family for each grade from which documents count as relevant. */
  readonly recallPrecision: readonly CurveFamily[];
  /** Gain against rank: one family for each kind of gain. */
  readonly gain: readonly CurveFamily[];
  /** Null if there are fewer than two measures. */
  readonly correlation: MeasureCorrelation | null;
  /** Share of the first documents that nobody judged; null where that is not known, as for ready scores. */
  readonly unjudged: CurveFamily | null;
  readonly audit: readonly ReportAudit[];
  /** The answer, for more than one system. */
  readonly verdict?: Verdict | undefined;
  /** Where the systems stand under the measure of the verdict. */
  readonly standings?: Standings | undefined;
  /** The relevant documents that moved on the topics that decide, where their texts were given. */
  readonly moved?: readonly MovedOnTopic[] | undefined;
  /** How sure the ranks are, how far judges agree, and what missing judgements can change, as tables. */
  readonly trust?: readonly ReportTable[] | undefined;
  /** Whether every pair that the report has is listed; by default those with the best, where there are many. */
  readonly listsPairs?: boolean | undefined;
}

/** What a model is, how it was learnt, and what it makes of data. */
export interface ModelReport extends ReportBase {
  readonly kind: 'model';
  readonly tables: readonly ReportTable[];
  /** Each is a picture of its own; the beginning of its id says to which section it belongs. */
  readonly curves: readonly CurveFamily[];
  /** The same. */
  readonly bars: readonly BarFamily[];
}

/** Amounts below each other, each with its interval if it has one. */
export interface BarFamily {
  readonly id: string;
  readonly label: string;
  /** What the amounts are. */
  readonly xLabel: string;
  readonly items: readonly {
    readonly name: string;
    readonly value: number;
    readonly low: MaybeNumber;
    readonly high: MaybeNumber;
  }[];
}

/** How systems were tested, once for the whole report. */
export interface ReportTest {
  readonly test: string;
  readonly correction: string;
  readonly alpha: number;
  readonly alternative: string;
  readonly baseline: string | null;
  readonly resamples: number | null;
  /** How the numbers came about, as a paper would say it. */
  readonly methods: string;
}

/** The systems under one measure: scores, means, tested pairs, and what the charts show. */
export interface ReportMeasure {
  readonly name: string;
  /** Which values are good. */
  readonly direction: 'higher' | 'lower';
  /** scores[system][topic], topics as the report has them; null where the topic was left out or has no value. */
  readonly scores: readonly (readonly MaybeNumber[])[];
  /** Topics that were compared. */
  readonly numTopics: number;
  readonly systems: readonly ReportSystem[];
  /** Places in the list of systems, best mean first. */
  readonly order: readonly number[];
  readonly pairs: readonly ReportPair[];
  /** *all* pairs that were tested, or, where they are too many to read, those *with the best* system, or with the *baseline*. */
  readonly pairsShown: 'all' | 'with the best' | 'baseline';
  readonly numPairsTested: number;
  readonly criticalDifference: CriticalDifference | null;
}

/** One system's mean with its interval, and how its scores are spread over topics. */
export interface ReportSystem {
  readonly mean: MaybeNumber;
  readonly low: MaybeNumber;
  readonly high: MaybeNumber;
  /** Places of the systems that this one is significantly better than. */
  readonly better: readonly number[];
  /** Of the values on single topics. */
  readonly minimum: MaybeNumber;
  readonly lowerQuartile: MaybeNumber;
  readonly median: MaybeNumber;
  readonly upperQuartile: MaybeNumber;
  readonly maximum: MaybeNumber;
}

/** One pair, as places in the list of systems. The difference is system − against. Six digits are kept of what is not a mean. */
export interface ReportPair {
  readonly system: number;
  readonly against: number;
  readonly difference: number;
  readonly low: MaybeNumber;
  readonly high: MaybeNumber;
  /** Mean difference over the standard deviation of the differences; null where that is 0. */
  readonly effectSize: MaybeNumber;
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  readonly pValue: number;
  readonly correctedPValue: number;
  readonly significant: boolean;
}

/** Mean ranks over topics, with the difference beyond which Nemenyi's test calls two of them different. */
export interface CriticalDifference {
  /** For each system; 1 is best. */
  readonly meanRanks: readonly number[];
  readonly criticalDifference: number;
  readonly level: number;
  /** Of Friedman's test: is there any difference at all? */
  readonly omnibusPValue: number;
  /** Longest rows of systems that do not differ, as places in the order of mean ranks, first and last. */
  readonly cliques: readonly (readonly [first: number, last: number])[];
}

/** Curves of several systems over the same positions. */
export interface CurveFamily {
  readonly id: string;
  /** What sets this family apart from its sisters: `grade 2 and up`. */
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly x: readonly number[];
  readonly systems: readonly string[];
  /** values[system][position] */
  readonly values: readonly (readonly MaybeNumber[])[];
  /** Intervals of the values, where there are any: intervals[system][position]. */
  readonly intervals?: readonly (readonly (readonly [low: number, high: number])[])[] | undefined;
}

/** How alike measures are. */
export interface MeasureCorrelation {
  readonly measures: readonly string[];
  /** Kendall's tau between the orders in which two measures put the systems; null for fewer than three systems. */
  readonly bySystem: readonly (readonly MaybeNumber[])[] | null;
  /** Pearson's correlation between the scores of all systems on all topics. */
  readonly byTopic: readonly (readonly MaybeNumber[])[];
}

/** What the audit found in one file. */
export interface ReportAudit {
  readonly file: string;
  readonly what: string;
  readonly size: string;
  readonly findings: readonly ReportFinding[];
}

/** Something odd about an input file, as the audit puts it. */
export interface ReportFinding {
  readonly severity: 'info' | 'warning' | 'error';
  readonly kind: string;
  readonly sentence: string;
  readonly recommendation: string | null;
  readonly examples: readonly string[];
}

/** One topic's ranking by one system: exact and interpolated precision against recall. */
export interface TopicCurve {
  readonly topic: string;
  readonly system: string;
  /** After each relevant document. */
  readonly exact: readonly { readonly rank: number; readonly recall: number; readonly precision: number }[];
  /** At recall 0.0, 0.1, … 1.0. */
  readonly interpolated: readonly { readonly recall: number; readonly precision: number }[];
}

/** What each document of a ranking adds to the value of a measure. */
export interface ContributionData {
  readonly topic: string;
  readonly system: string;
  readonly measure: string;
  readonly value: MaybeNumber;
  readonly documents: readonly {
    readonly rank: number;
    readonly id: string;
    /** Null for a document that nobody judged. */
    readonly grade: MaybeNumber;
    readonly contribution: number;
  }[];
}

/** A table as every output prints it. */
export interface ReportTable {
  /** Letters, digits and hyphens: a name for files and anchors. */
  readonly id: string;
  readonly title: string;
  readonly caption: string | null;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly ReportCell[])[];
  /** Where the cells of a column lead, row by row; null where nowhere. */
  readonly links?: { readonly column: number; readonly addresses: readonly (string | null)[] } | undefined;
}

/** A column of a report's table, and how its values are printed. */
export interface ReportColumn {
  readonly name: string;
  readonly kind: 'text' | 'number';
  /** Decimals of a number, 4 by default; whole numbers are printed without. */
  readonly digits?: number | undefined;
}

/** Text, a number, nothing, or a number with superscripts behind it. */
export type ReportCell = string | number | null | { readonly value: MaybeNumber; readonly marks: string };

/** Turns NaN, which JSON does not know, into null. */
export function maybe(value: number | undefined): MaybeNumber {
  return value === undefined || !Number.isFinite(value) ? null : value;
}
