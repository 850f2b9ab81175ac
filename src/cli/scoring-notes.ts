import type { FilesEvaluation } from '../node/evaluate-files.js';
import { readingNotes } from './skipped-note.js';

/** What a person should know about scores before trusting them, in every command that makes some: how the files were read, how means over
 *  orders of equal scores were found and how exact they are, and topics that a run does not answer, with what becomes of them. */
export function scoringNotes(qrelsPath: string, { qrels, qrelsSkipped, runs }: FilesEvaluation, fateOfMissing: string): string[] {
  const notes = readingNotes(qrelsPath, { skipped: qrelsSkipped });
  for (const { path, numMissing, skipped, table } of runs) {
    if (skipped !== undefined) notes.push(...readingNotes(path, { skipped }));
    notes.push(...table.notes.map((note) => `${path}: ${note}`));
    if (numMissing > 0) notes.push(`${path}: ${numMissing} of ${qrels.topics.size} judged topics not answered, ${fateOfMissing}`);
  }
  return notes;
}
