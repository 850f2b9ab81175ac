/** A file that was read: how it is read, and what it is called and counted as. */
import { InputError, type Problem, type Run } from 'gradus';
import { type ByteSource, type ReadContent, readContent, type SourceReadOptions, type testLists } from 'gradus/formats';
import type { FileReading, FileSummary } from './protocol.js';

/** A file of the page with what was read from it. */
export interface Entry {
  readonly id: number;
  readonly file: File;
  readonly reading: FileReading;
  content: ReadContent;
  /** What is wrong with it where a document may not be repeated. */
  readonly repeats: readonly Problem[] | undefined;
  /** What was kept beyond the usual: stated ranks of a run, the second column of judgements. */
  ranks: boolean;
  groups: boolean;
}

/** Reads a file in the way that a person asked for. */
export async function readEntry(
  source: ByteSource,
  { as, lenient, columns, grades }: FileReading,
  options: SourceReadOptions,
): Promise<ReadContent> {
  const kind = as === 'queries' || as === 'documents' || as === 'sizes' ? undefined : as;
  return await readContent(source, kind, { lenient, columns, grades, ...options });
}

/** Reads a file that may repeat documents, which some conventions take: what speaks against it under the others is kept. */
export async function readRepeats(
  read: (repeatedDocuments: 'refused' | 'ranked') => Promise<ReadContent>,
): Promise<{ content: ReadContent; repeats: readonly Problem[] | undefined }> {
  try {
    return { content: await read('refused'), repeats: undefined };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const content = await read('ranked').catch(() => undefined);
    if (content?.kind !== 'run') throw error;
    return { content, repeats: error.problems };
  }
}

/** The run of a file: as it is, or a LETOR file ranked by its predictions. */
export function runOf({ content, file }: Entry, lists: ReturnType<typeof testLists> | undefined): Run {
  if (content.kind === 'run') return content.run;
  if (content.kind === 'predictions' && lists !== undefined) return lists.ranked(content.predictions, file.name);
  throw new Error(`${file.name} holds no run`);
}

/** Whether a file can say what is relevant. */
export function isJudgements({ kind }: ReadContent): boolean {
  return kind === 'judgements' || kind === 'features';
}

/** How many judgements, documents or numbers a file holds. */
export function numEntries(content: ReadContent): number {
  switch (content.kind) {
    case 'judgements':
      return content.qrels.grades.length;
    case 'run':
      return content.run.scores.length;
    case 'features':
      return content.matrix.labels.length;
    case 'predictions':
      return content.predictions.length;
  }
}

/** `, grades 0–2`; nothing where grades are no small whole numbers. */
function gradesText(grades: Float64Array): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const grade of grades) {
    if (!Number.isInteger(grade)) return '';
    if (grade < low) low = grade;
    if (grade > high) high = grade;
  }
  if (grades.length === 0 || high - low > 20) return '';
  return low < high ? `, grades ${minusSign(low)}–${minusSign(high)}` : `, grade ${minusSign(high)}`;
}

const minusSign = (value: number): string => String(value).replace('-', '−');

/** `1 topic`, `8,691 judgements`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** What the list of files says of it. */
export function summaryOf({ id, file, content, repeats }: Entry): FileSummary {
  const base = {
    repeats,
    id,
    name: file.name,
    bytes: file.size,
    kind: content.kind,
    ambiguous: content.isAmbiguous,
    format: content.format,
    label: file.name,
  };
  switch (content.kind) {
    case 'judgements': {
      const { qrels, skipped } = content;
      return {
        ...base,
        size: `${counted(qrels.topics.size, 'topic')}, ${counted(qrels.grades.length, 'judgement')}${gradesText(qrels.grades)}`,
        numSkipped: skipped.count,
      };
    }
    case 'run': {
      const { run, skipped } = content;
      const size = `${counted(run.topics.size, 'topic')}, ${counted(run.scores.length, 'document')}`;
      return { ...base, label: run.name || file.name, size, numSkipped: skipped.count };
    }
    case 'features': {
      const { labels, queryOffsets } = content.matrix;
      return {
        ...base,
        size: `${counted(queryOffsets.length - 1, 'query').replace(/querys$/, 'queries')}, ${counted(labels.length, 'document')}`,
        numSkipped: content.skipped.count,
      };
    }
    case 'predictions':
      return { ...base, size: counted(content.predictions.length, 'prediction'), numSkipped: 0 };
  }
}
