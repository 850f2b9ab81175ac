import { InputError, type Problem, printable } from '../core/problem.js';
import { readText } from '../core/text.js';
import { type ReadOptions, type Skipped, sourceOf } from './reader.js';
import type { GradeReader } from './tables/grade-words.js';
import { parseDecimal } from './text/decimal.js';

/** What can be wrong with a line, as the keys of `Skipped.kinds`. */
export type ProblemKind =
  | 'wrong number of fields'
  | 'missing field'
  | 'repeated field'
  | 'empty id'
  | 'not a number'
  | 'not a finite number'
  | 'not a rank'
  | 'duplicate rank'
  | 'duplicate document'
  | 'duplicate measure'
  | 'NUL byte'
  | 'broken quotes'
  | 'broken JSON'
  | 'wrong shape';

/** The suggested fix for lines that can be left out. */
export const SKIPS_LINES = '--lenient skips such lines';

/** What a log holds, as plain data. */
export interface LoggedProblems {
  readonly count: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly kept: readonly (Problem & { readonly line: number })[];
}

/** Collects what is wrong with a file. Only the problems on the earliest lines are kept as text, so that a file of
 *  nothing but bad lines takes no more memory than a good one. */
export class ReadingLog {
  readonly source: string;
  readonly lenient: boolean;
  private readonly limit: number;
  private kept: (Problem & { readonly line: number })[] = [];
  /** The last line that a kept problem is on. */
  private latestLine = 0;
  private readonly kinds: Record<string, number> = {};
  count = 0;

  constructor(options: ReadOptions) {
    this.source = sourceOf(options);
    this.lenient = options.lenient ?? false;
    this.limit = Math.max(1, options.maxProblems ?? 20);
  }

  /** Whether a document or a rank was there twice. */
  get hasDuplicates(): boolean {
    return (this.kinds['duplicate document'] ?? 0) + (this.kinds['duplicate rank'] ?? 0) > 0;
  }

  add(kind: ProblemKind, line: number, message: () => string, wayOut: string = SKIPS_LINES): void {
    this.count++;
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    const full = this.kept.length >= this.limit;
    if (full && line >= this.latestLine) return;
    this.kept.push({ source: this.source, line, message: message(), wayOut });
    if (full) {
      // duplicates come to light only when everything is read, and may belong before what was found on the way
      this.kept.sort((a, b) => a.line - b.line);
      this.kept.length = this.limit;
      this.latestLine = this.kept[this.limit - 1].line;
    } else this.latestLine = Math.max(this.latestLine, line);
  }

  contents(): LoggedProblems {
    return { count: this.count, kinds: this.kinds, kept: this.kept };
  }

  /** Takes what was found wrong with the lines that follow the first `numLines`, where lines were counted anew. */
  append({ count, kinds, kept }: LoggedProblems, numLines: number): void {
    this.count += count;
    for (const [kind, times] of Object.entries(kinds)) this.kinds[kind] = (this.kinds[kind] ?? 0) + times;
    for (const problem of kept.slice(0, this.limit - this.kept.length)) {
      const line = numLines + problem.line;
      this.kept.push({ ...problem, line });
      this.latestLine = line;
    }
  }

  /** An error that lenient reading cannot get around either. */
  fatal(message: string, wayOut?: string, line?: number): InputError {
    return new InputError([...this.problems(), { source: this.source, line, message, wayOut }]);
  }

  /** An error that says all there is to say about the file. */
  only(message: string, wayOut: string, line: number): InputError {
    return new InputError({ source: this.source, line: line === 0 ? undefined : line, message, wayOut });
  }

  /** Whether every line is wrong in the same way, and in one that is known: the file is another one than was expected, which is one
   *  problem and not thousands. */
  private isOtherKind(): boolean {
    const [first] = this.kept;
    return this.kept.every(({ message, wayOut }) => message === first.message && wayOut === first.wayOut) && first.wayOut !== SKIPS_LINES;
  }

  /** Refuses the file if anything is wrong with it and nobody asked for leniency, or if there is nothing in it.
   *  @param expected What the file should hold.
   *  @param empty What to say of a file without rows in which nothing is wrong. */
  close(numRows: number, expected: string, sawBytes: boolean, empty: string = emptyFile(sawBytes)): Skipped {
    if (this.count > 0 && !this.lenient) throw new InputError(numRows === 0 && this.isOtherKind() ? this.inOrder()[0] : this.problems());
    if (numRows === 0) {
      if (this.count > 0) throw this.fatal('nothing is left, because every line was skipped', `expected ${expected}`);
      throw this.fatal(empty, `expected ${expected}`);
    }
    return { count: this.count, kinds: this.kinds, problems: this.inOrder() };
  }

  /** Line 0 stands for problems that no line can be named for. */
  private inOrder(): Problem[] {
    const sorted = this.kept.slice().sort((a, b) => a.line - b.line);
    return sorted.map((problem) => (problem.line === 0 ? { ...problem, line: undefined } : problem));
  }

  private problems(): Problem[] {
    const told = this.inOrder();
    const more = this.count - told.length;
    if (more > 0) told.push({ source: this.source, message: `and ${more} more ${more === 1 ? 'problem' : 'problems'}` });
    return told;
  }
}

/** What to say of a line-oriented file without rows. */
function emptyFile(sawBytes: boolean): string {
  return sawBytes ? 'holds nothing but blank lines and comments' : 'holds no lines';
}

/** What stands in the file, in quotes and not too long to be part of a sentence. */
export function shown(bytes: Uint8Array, start: number, end: number): string {
  const longest = 60;
  const text = printable(readText(bytes, start, Math.min(end, start + longest)));
  // the cut may go through a character
  return end - start > longest ? `"${text.replace(/\ufffd+$/, '')}…"` : `"${text}"`;
}

/** Adds the problem that a number was expected here. */
export function addNumberProblem(
  log: ReadingLog,
  line: number,
  what: string,
  bytes: Uint8Array,
  start: number,
  end: number,
  wayOut: string = isWord(bytes, start, end) && what === 'grade' ? `map words to numbers first; ${SKIPS_LINES}` : SKIPS_LINES,
): void {
  const message = (): string => `expected a finite number as ${what}, found ${start === end ? 'nothing' : shown(bytes, start, end)}`;
  log.add(isNumberWord(bytes, start, end) ? 'not a finite number' : 'not a number', line, message, wayOut);
}

/** Whether this is meant as a number, be it one that is not finite. */
function isNumberWord(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    !Number.isNaN(parseDecimal(bytes, start, end)) || /^[+-]?(nan|inf|infinity)$/i.test(readText(bytes, start, Math.min(end, start + 20)))
  );
}

function isWord(bytes: Uint8Array, start: number, end: number): boolean {
  return start < end && !isNumberWord(bytes, start, end);
}

/** Adds the problem that a grade is no number; if it is a word, it can be given one. */
export function addGradeProblem(log: ReadingLog, words: GradeReader, line: number, bytes: Uint8Array, start: number, end: number): void {
  const wayOut = isWord(bytes, start, end)
    ? `${words.missing(readText(bytes, start, Math.min(end, start + 100)), line)}; ${SKIPS_LINES}`
    : SKIPS_LINES;
  addNumberProblem(log, line, 'grade', bytes, start, end, wayOut);
}
