import { judgedTopicsAnswered } from './judging/judge.js';
import { InputError, printable } from './problem.js';
import type { Qrels } from './qrels.js';
import type { Run } from './run.js';
import type { TextRun } from './text-run.js';

/** What run and judgements are called in a message, where they have names. */
export interface SourceNames {
  readonly run?: string | undefined;
  readonly qrels?: string | undefined;
}

/** Refuses a run that answers none of the judged topics. No system is so bad: its topics have other names, or it is for other
 *  judgements, and as empty rankings they would make a table of zeros that looks like a result. */
export function refuseUnrelated(qrels: Qrels, run: Run | TextRun, names: SourceNames = {}): void {
  if (judgedTopicsAnswered(qrels, run, 1) > 0) return;
  const [first] = 'topics' in run ? (run.topics.size > 0 ? [run.topics.text(0)] : []) : run.topicNumbers.keys();
  throw unrelated(qrels, { first, isEmpty: first === undefined }, names);
}

/** The first document of a run none of whose documents is judged: it is for another collection, or names documents in another way, and
 *  what it scores says nothing about it. Undefined for a run with judged documents, and for one without any. */
export function firstStrangeDocument({ docs: judged }: Pick<Qrels, 'docs'>, { docs }: Pick<Run, 'docs'>): string | undefined {
  for (let doc = 0; doc < docs.size; doc++) {
    if (judged.findHashed(docs.bytes, docs.offsets[doc], docs.offsets[doc + 1], docs.hashes[doc]) >= 0) return undefined;
  }
  return docs.size === 0 || judged.size === 0 ? undefined : docs.text(0);
}

/** The error that a run has no topic in common with the judgements.
 *  @param run Its first topic, as far as that is known. */
export function unrelated(
  qrels: Pick<Qrels, 'topics'>,
  run: { readonly first: string | undefined; readonly isEmpty?: boolean },
  names: SourceNames = {},
): InputError {
  const { size } = qrels.topics;
  return unrelatedTopics(size === 0 ? undefined : { count: size, first: qrels.topics.text(0) }, run, names);
}

/** The same, where the judgements are not at hand. */
export function unrelatedTopics(
  judged: { readonly count: number; readonly first: string } | undefined,
  run: { readonly first: string | undefined; readonly isEmpty?: boolean },
  { run: source, qrels }: SourceNames = {},
): InputError {
  const text = (id: string): string => printable(id, 60);
  if (judged === undefined) {
    return new InputError({ source: qrels, message: 'there are no judgements', wayOut: 'give at least one judged topic' });
  }
  const the = source === undefined ? 'the run ' : '';
  if (run.isEmpty) {
    return new InputError({
      source,
      message: `${the}is empty: it answers no topic`,
      wayOut: `the first judged one${qrels === undefined ? '' : ` in ${qrels}`} is ${text(judged.first)}`,
    });
  }
  const own = run.first === undefined ? '' : `its first topic is ${text(run.first)}, `;
  return new InputError({
    source,
    message: `${the}answers none of the ${judged.count} judged topics${qrels === undefined ? '' : ` of ${qrels}`}: ${own}the first judged one is ${text(judged.first)}`,
    wayOut: 'both must name topics in the same way',
  });
}
