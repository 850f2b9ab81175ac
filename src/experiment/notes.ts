import { firstStrangeDocument } from '../core/common-topics.js';
import { printable } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { Skipped } from '../formats/reader.js';

/** What a reader of the numbers must know, as data: one function words it, and terminals, JSON, reports and pages show the same. */
export type Note =
  /** What lenient reading left out of a file. */
  | { readonly kind: 'skipped-lines'; readonly source: string; readonly count: number; readonly kinds: Readonly<Record<string, number>> }
  /** How a file or its scores came about: ranks against scores, orders of equal scores that were drawn. */
  | { readonly kind: 'about-scores'; readonly source: string | undefined; readonly text: string }
  /** Judged topics that a run does not answer, and what becomes of them. */
  | { readonly kind: 'missing-topics'; readonly source: string; readonly missing: number; readonly judged: number; readonly fate: string }
  /** A run none of whose documents is judged: the first of each side. */
  | {
      readonly kind: 'no-common-documents';
      readonly source: string;
      readonly own: string;
      readonly judgements: string;
      readonly judged: string;
    }
  /** Topics without a judgement that the convention averages all the same. */
  | { readonly kind: 'unrated-topics'; readonly source: string; readonly unrated: number; readonly convention: string };

/** The sentence for a note. */
export function noteText(note: Note): string {
  switch (note.kind) {
    case 'skipped-lines': {
      const kinds = Object.entries(note.kinds).map(([kind, count]) => `${count} ${kind}`);
      return `${note.source}: ${note.count} ${note.count === 1 ? 'line was' : 'lines were'} skipped (${kinds.join(', ')})`;
    }
    case 'about-scores':
      return note.source === undefined ? note.text : `${note.source}: ${note.text}`;
    case 'missing-topics':
      return `${note.source}: ${note.missing} of ${note.judged} judged topics not answered, ${note.fate}`;
    case 'no-common-documents':
      return `${note.source}: none of its documents is judged, so no number says anything about it: its first document is ${printable(note.own, 60)}, the first judged one in ${note.judgements} is ${printable(note.judged, 60)}, and both must name documents in the same way`;
    case 'unrated-topics':
      return `${note.source}: ${note.unrated} ${note.unrated === 1 ? 'topic' : 'topics'} without judgements, counted as ${note.convention} counts them`;
  }
}

interface Reading {
  readonly skipped?: Skipped | undefined;
  readonly run?: Run;
  readonly notes?: readonly string[] | undefined;
}

/** Everything that there is to say about how a file was read. */
export function readingNotes(source: string, { skipped, run, notes: told }: Reading): Note[] {
  const notes: Note[] = [...(run?.notes ?? []), ...(told ?? [])].map((text) => ({ kind: 'about-scores', source, text }));
  if (skipped === undefined || skipped.count === 0) return notes;
  return [{ kind: 'skipped-lines', source, count: skipped.count, kinds: skipped.kinds }, ...notes];
}

/** What there is to say of a run that shares no document with the judgements. */
export function strangerNotes(
  source: string,
  run: Pick<Run, 'docs'>,
  judgements: { readonly name: string; readonly qrels: Qrels },
): Note[] {
  const own = firstStrangeDocument(judgements.qrels, run);
  if (own === undefined) return [];
  return [{ kind: 'no-common-documents', source, own, judgements: judgements.name, judged: judgements.qrels.docs.text(0) }];
}
