import { type Ids, idText, sortedIds } from '../core/ids.js';
import type { Problem } from '../core/problem.js';
import type { Skipped } from '../formats/reader.js';

/** How much a finding matters, from what is good to know to what makes numbers wrong. */
export type Severity = 'info' | 'warning' | 'error';

/** What was found, as a word that programs can go by; sentences may change. */
export type FindingKind =
  | 'duplicates'
  | 'unreadable-lines'
  | 'non-finite'
  | 'unreadable-ranks'
  | 'no-relevant'
  | 'short-lists'
  | 'one-document'
  | 'grades'
  | 'negative-grades'
  | 'fractional-grades'
  | 'labels-outside-table'
  | 'unanswered-topics'
  | 'unjudged-topics'
  | 'ties'
  | 'ties-in-32-bits'
  | 'unjudged'
  | 'rank-conflicts'
  | 'header'
  | 'split-queries'
  | 'constant-features'
  | 'features-never-given'
  | 'protocol';

/** One thing that a reader of the numbers should know about the files they come from. */
export interface Finding {
  readonly kind: FindingKind;
  /** *error*: numbers computed from this mean something else than they seem to; *warning*: tools disagree about it, or the
   *  numbers are less certain than they look; *info*: good to know. */
  readonly severity: Severity;
  /** How many cases there are, of how many that were looked at. */
  readonly count: number;
  readonly of: number;
  /** A few of them: ids or lines, as they stand in the file. */
  readonly examples: readonly string[];
  readonly sentence: string;
  /** What to do about it. */
  readonly recommendation?: string | undefined;
  /** The numbers behind the sentence, by name. */
  readonly details?: Readonly<Record<string, number>> | undefined;
}

/** What was found in one file. */
export interface AuditedFile {
  /** What the file is called in the report. */
  readonly name: string;
  readonly what: 'judgements' | 'run' | 'test set' | 'predictions';
  /** The size of the file's content, in words. */
  readonly size: string;
  readonly findings: readonly Finding[];
}

/** What an audit takes for short lists and for relevant documents. */
export interface AuditOptions {
  /** The cutoff that lists should reach; 10 by default. */
  readonly cutoff?: number | undefined;
  /** The lowest grade that counts as relevant; 1 by default. */
  readonly rel?: number | undefined;
}

const MOST_EXAMPLES = 5;
const severities: readonly Severity[] = ['info', 'warning', 'error'];

/** Whether a finding is as severe as a threshold. */
export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(threshold);
}

/** Collects cases, of which only the first few are kept. */
export class Cases {
  count = 0;
  readonly examples: string[] = [];

  add(example: () => string): void {
    this.count++;
    if (this.examples.length < MOST_EXAMPLES) this.examples.push(example());
  }
}

/** `1 query`, `2 queries`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `1 of 3 queries has`, `2 of 3 queries have`. */
export function countedOf(count: number, of: number, plural: string, [one, many]: readonly [string, string]): string {
  return `${count} of ${of} ${plural} ${count === 1 ? one : many}`;
}

/** The topics of a file in byte order of their ids, so that reports do not depend on the order of the lines. */
export function eachTopic(topics: Ids, visit: (topic: number, id: () => string) => void): void {
  for (const topic of sortedIds(topics)) visit(topic, () => idText(topics, topic));
}

/** What reading left out of a file, as findings. */
export function skippedFindings(skipped: Skipped, numRows: number, repeated?: string): Finding[] {
  const duplicates = skipped.kinds['duplicate document'] ?? 0;
  const nonFinite = skipped.kinds['not a finite number'] ?? 0;
  const unreadable = skipped.count - duplicates - nonFinite;
  const total = numRows + skipped.count;
  const findings: Finding[] = [];
  if (duplicates > 0) {
    findings.push({
      kind: 'duplicates',
      severity: 'error',
      count: duplicates,
      of: total,
      examples: examplesOf(skipped, isDuplicate),
      sentence: `${countedOf(duplicates, total, 'lines', ['names', 'name'])} a document that its topic has already; the first of each was kept.`,
      recommendation: repeated,
    });
  }
  if (nonFinite > 0) {
    findings.push({
      kind: 'non-finite',
      severity: 'error',
      count: nonFinite,
      of: total,
      examples: examplesOf(skipped, isNonFinite),
      sentence: `${countedOf(nonFinite, total, 'lines', ['has', 'have'])} NaN or an infinite number where a finite one belongs, and ${nonFinite === 1 ? 'was' : 'were'} left out.`,
      recommendation: 'Find out where they come from: tools read them as 0, refuse them, or rank them anywhere.',
    });
  }
  if (unreadable > 0) {
    findings.push({
      kind: 'unreadable-lines',
      severity: 'error',
      count: unreadable,
      of: total,
      examples: examplesOf(skipped, (problem) => !isDuplicate(problem) && !isNonFinite(problem)),
      sentence: `${countedOf(unreadable, total, 'lines', ['cannot be read and was', 'cannot be read and were'])} left out.`,
      recommendation: 'Mend or delete them: some tools skip such lines silently, others read something else.',
    });
  }
  return findings;
}

function isDuplicate({ message }: Problem): boolean {
  return message.includes(' already on line ');
}

function isNonFinite({ message }: Problem): boolean {
  return /found "[+-]?(nan|inf|infinity)"$/i.test(message);
}

function examplesOf({ problems }: Skipped, belongs: (problem: Problem) => boolean): string[] {
  return problems
    .filter(belongs)
    .slice(0, MOST_EXAMPLES)
    .map(({ line, message }) => (line === undefined ? message : `line ${line}: ${message}`));
}
