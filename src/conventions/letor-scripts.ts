/** One of the evaluation scripts that came with the LETOR and MSLR collections, as data. The engine looks at these fields
 *  and never at the name. */
export interface LetorScript {
  readonly name: string;
  /** What a label is worth; the position is the label. Labels that are not listed, or not written as listed (`02`), are
   *  worth nothing and not relevant. */
  readonly gains: readonly number[];
  /** The lowest label that precision and average precision count as relevant. */
  readonly relevantFrom: number;
  /** How a discounted gain is computed from natural logarithms: *product* is gain · ln 2 / ln rank, *ratio* is
   *  gain / (ln rank / ln 2). */
  readonly term: 'product' | 'ratio';
  /** The last position that is printed and averaged. */
  readonly cutoff: number;
  readonly line: LineGrammar;
  /** In which order queries are evaluated, averaged and printed. */
  readonly queryOrder: 'numeric' | 'file';
  /** Whether averages have all positions up to the cutoff even if no query reaches that far. */
  readonly fullAverages: boolean;
  /** Precision below the last document: *omit* prints nothing and averages as if it were 0, *pad* goes on as if
   *  irrelevant documents followed. */
  readonly shortPrecision: 'omit' | 'pad';
  /** NDCG below the last document; *zero* prints and averages 0. */
  readonly shortNdcg: 'omit' | 'pad' | 'zero';
  readonly layout: BlockLayout | TableLayout;
  /** What the usage text calls the script. */
  readonly usageName: string;
  /** Where Perl says that it died when there is no query to average over. */
  readonly divisionByZeroAt: string;
}

/** What a data line must look like after its label, one space, `qid:` and the query id. */
export interface LineGrammar {
  /** Words that must end the line, each followed by a run of characters without white space, the last one first. None
   *  if anything may follow. */
  readonly endings: readonly string[];
  /** Whether the run after the first of these words names the document, so that a repeated name replaces the earlier line. */
  readonly keyed: boolean;
}

/** One block per measure, a line per query, queries numbered from 0; numbers as Perl prints them. */
export interface BlockLayout {
  readonly kind: 'blocks';
  /** What stands before the averages of precision. */
  readonly averagePrecisionStart: string;
  /** Whether a query's line of precision stops one value early and, unless it is full, has no line end. */
  readonly cutsPrecisionLines: boolean;
  /** What ends the file. */
  readonly end: string;
}

/** A table with a header, queries by their ids, four decimals. */
export interface TableLayout {
  readonly kind: 'table';
}

const letor3Line: LineGrammar = { endings: ['#docid = '], keyed: true };

/** Eval-Score-3.0.pl of LETOR 3.0. */
export const letor3: LetorScript = {
  name: 'letor3',
  gains: [0, 1, 3],
  relevantFrom: 1,
  term: 'product',
  cutoff: 16,
  line: letor3Line,
  queryOrder: 'numeric',
  fullAverages: false,
  shortPrecision: 'omit',
  shortNdcg: 'omit',
  layout: { kind: 'blocks', averagePrecisionStart: 'precision:\t', cutsPrecisionLines: false, end: '\t\n\n' },
  usageName: 'Eval.pl',
  divisionByZeroAt: ' at Eval-Score-3.0.pl line 96',
};

/** eval.pl of LETOR 1 and 2. */
export const letor2: LetorScript = {
  ...letor3,
  name: 'letor2',
  term: 'ratio',
  queryOrder: 'file',
  fullAverages: true,
  shortNdcg: 'pad',
  layout: { kind: 'blocks', averagePrecisionStart: 'precision:', cutsPrecisionLines: true, end: '\t' },
  divisionByZeroAt: '',
};

/** Eval-Score-4.0.pl of LETOR 4.0. */
export const letor4: LetorScript = {
  name: 'letor4',
  gains: [0, 1, 3],
  relevantFrom: 1,
  term: 'product',
  cutoff: 10,
  line: { endings: [' prob = ', ' inc = ', '#docid = '], keyed: true },
  queryOrder: 'numeric',
  fullAverages: true,
  shortPrecision: 'pad',
  shortNdcg: 'zero',
  layout: { kind: 'table' },
  usageName: 'Eval.pl',
  divisionByZeroAt: '',
};

/** eval-score-mslr.pl of the MSLR-WEB data. */
export const mslr: LetorScript = {
  ...letor4,
  name: 'mslr',
  gains: [0, 1, 3, 7, 15],
  relevantFrom: 2,
  line: { endings: [], keyed: false },
  usageName: 'eval-score-mslr.pl',
  divisionByZeroAt: ' at eval-score-mslr.pl line 91',
};

/** All evaluation scripts of LETOR, the oldest first. */
export const letorScripts: readonly LetorScript[] = [letor2, letor3, letor4, mslr];
