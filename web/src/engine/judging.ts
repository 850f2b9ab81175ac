/** What to judge next, by the order that the command line has, and how far one agrees with the judgements that were given. */
import { type Qrels, toQrels } from 'gradus';
import { nextDocuments } from 'gradus/experiment';
import { pairAgreement, ratingsOf } from 'gradus/judging';
import type { Settings } from './protocol.js';
import type { Session } from './session.js';
import type { WholeDocument } from './texts.js';

/** A grade that somebody gave on the page. */
export interface OwnJudgement {
  readonly topic: string;
  readonly doc: string;
  readonly grade: number;
}

/** Which documents are judged. */
export interface JudgingChoice {
  /** *new*: what nobody judged yet; *again*: what is judged already, to see how far one agrees. */
  readonly documents: 'new' | 'again';
  /** For each topic. */
  readonly perTopic: number;
}

/** The next document, how far the work is, and how far it agrees. */
export interface JudgingStep {
  readonly next: ({ readonly topic: string; readonly doc: string } & WholeDocument) | null;
  readonly judged: number;
  readonly total: number;
  /** The grades that there are, lowest first. */
  readonly grades: readonly number[];
  /** With the judgements that were given, on the documents that both judged; null where there are none. */
  readonly agreement: {
    readonly pairs: number;
    readonly share: number | null;
    readonly kappa: number | null;
    /** By drawing topics; null where there are too few. */
    readonly interval: { readonly low: number; readonly high: number } | null;
  } | null;
}

const RESAMPLES = 1000;
/** Keys 0 to 9 are grades. */
const HIGHEST_KEY = 9;

export async function judgingStep(
  session: Session,
  settings: Settings,
  own: readonly OwnJudgement[],
  { documents, perTopic }: JudgingChoice,
): Promise<JudgingStep> {
  const plan = session.plan(settings);
  const page = await session.material(plan);
  const given = page.material.judgements.qrels;
  const mine = toQrels(own.map(({ topic, doc, grade }) => ({ topic, doc, grade })));
  const known = documents === 'again' ? mine : joined(given, own);
  const material = { qrels: known, runs: page.runs, names: page.names, notes: [] };
  const isGiven = (topic: string, doc: string): boolean => gradeIn(given, topic, doc) !== undefined;
  const counted = new Map<string, number>();
  for (const { topic, doc } of own) if (isGiven(topic, doc) === (documents === 'again')) counted.set(topic, (counted.get(topic) ?? 0) + 1);
  const open = nextDocuments(plan, material, {
    budget: documents === 'again' ? 1000 : perTopic,
    rel: settings.rel ?? undefined,
  }).documents.filter(({ topic, doc }) => documents === 'new' || isGiven(topic, doc));
  const left: { readonly topic: string; readonly doc: string }[] = [];
  for (const one of open) {
    const before = counted.get(one.topic) ?? 0;
    if (before >= perTopic) continue;
    counted.set(one.topic, before + 1);
    left.push(one);
  }
  const judged = [...counted.values()].reduce((sum, count) => sum + count, 0) - left.length;
  const [next] = left;
  return {
    next: next === undefined ? null : { ...next, ...(await session.texts.wordsOf(page, next.topic, next.doc)) },
    judged,
    total: judged + left.length,
    grades: gradesOf(given),
    agreement: agreementOf(given, mine),
  };
}

function gradeIn({ topics, docs, offsets, docOf, grades }: Qrels, topic: string, doc: string): number | undefined {
  const [t, d] = [topics.find(topic), docs.find(doc)];
  if (t < 0 || d < 0) return undefined;
  for (let row = offsets[t]; row < offsets[t + 1]; row++) if (docOf[row] === d) return grades[row];
  return undefined;
}

function joined(given: Qrels, own: readonly OwnJudgement[]): Qrels {
  const records: OwnJudgement[] = [];
  for (let t = 0; t < given.topics.size; t++) {
    for (let row = given.offsets[t]; row < given.offsets[t + 1]; row++) {
      records.push({ topic: given.topics.text(t), doc: given.docs.text(given.docOf[row]), grade: given.grades[row] });
    }
  }
  return toQrels([...records, ...own.filter(({ topic, doc }) => gradeIn(given, topic, doc) === undefined)]);
}

/** The whole grades from 0 to the highest that was given, at least 0 and 1. */
function gradesOf({ grades }: Qrels): number[] {
  const highest = grades.reduce((most, grade) => Math.max(most, grade), 1);
  return Array.from({ length: Math.min(HIGHEST_KEY, Math.floor(highest)) + 1 }, (_, grade) => grade);
}

function agreementOf(given: Qrels, mine: Qrels): JudgingStep['agreement'] {
  const ratings = ratingsOf([
    { name: 'given', judgements: given },
    { name: 'mine', judgements: mine },
  ]);
  const { pairs, agreement, kappa } = pairAgreement(ratings, { resamples: RESAMPLES });
  if (pairs === 0) return null;
  return { pairs, share: agreement.value, kappa: kappa.value, interval: kappa.interval };
}
