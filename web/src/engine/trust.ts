/** How far judgements and sizes can be trusted: what `agree`, `pool bounds` and `plan` answer on the command line. */
import { InputError } from 'gradus';
import {
  agreementFinding,
  agreementTables,
  agreeOf,
  boundsFinding,
  boundsTables,
  comparableRuns,
  completedScoresOf,
  confusionTables,
  planFinding,
  planReliability,
  planTables,
  planTopics,
  qualityMeasures,
  type ReliabilityPlan,
  type TopicPlan,
} from 'gradus/experiment';
import type { ReportTable } from 'gradus/report';
import type { Settings } from './protocol.js';
import { type PageMaterial, requestOf, type Session } from './session.js';
import { pagePlatform } from './sources.js';

/** What is asked. */
export type TrustAsked =
  | { readonly about: 'agreement' }
  | { readonly about: 'missing' }
  /** How many topics find a difference with this chance. */
  | { readonly about: 'topics'; readonly difference: number; readonly power: number };

/** A sentence that answers, and the numbers behind it. */
export interface TrustAnswer {
  readonly finding: string;
  readonly notes: readonly string[];
  readonly tables: readonly ReportTable[];
}

/** Samples of topics behind intervals of agreement: enough for two decimals, and an answer within seconds. */
const RESAMPLES = 2000;

export async function trustAnswer(session: Session, given: Settings, asked: TrustAsked): Promise<TrustAnswer> {
  // measures that do not say which system is better have no place here
  const measures = qualityMeasures(session.plan(given)).map(({ text }) => text);
  const settings = { ...given, measures: measures.join(' ') };
  const plan = session.plan(settings);
  const page = await session.material(plan);
  if (asked.about === 'agreement') return await agreementAnswer(session, settings, page);
  if (asked.about === 'missing') {
    const { material, runs, names } = page;
    const found = await completedScoresOf(
      plan,
      { qrels: material.judgements.qrels, runs, names, notes: [] },
      { rel: settings.rel ?? undefined },
    );
    return { finding: boundsFinding(found), notes: [], tables: boundsTables(found) };
  }
  const scores = comparableRuns(await session.scores(plan, page), settings.missing === '' ? 'zero' : settings.missing);
  if (scores.table.systems.length < 2) {
    return {
      finding: 'Add a second run to plan the number of topics.',
      notes: ['The spread of differences between systems is needed.'],
      tables: [],
    };
  }
  const { difference, power } = asked;
  const plans: TopicPlan[] = [];
  const reliability: ReliabilityPlan[] = [];
  const notes: string[] = [];
  // a measure by which nothing varies is said to be one, and the others are planned with
  for (const measure of measures) {
    try {
      const own = { ...scores, measures: [measure] };
      plans.push(...planTopics(own, { difference, power, alpha: settings.alpha }));
      reliability.push(...planReliability(own));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      notes.push(...error.problems.map(({ message }) => (message.startsWith(measure) ? message : `${measure}: ${message}`)));
    }
  }
  if (plans.length === 0) return { finding: 'The number of topics cannot be planned from these scores.', notes, tables: [] };
  return { finding: planFinding(plans[0], difference, power), notes, tables: planTables(plans, reliability, difference) };
}

async function agreementAnswer(session: Session, settings: Settings, { judgements, runs, names }: PageMaterial): Promise<TrustAnswer> {
  const judges = session.judges(judgements);
  if (judges.length < 2) {
    return {
      finding: 'One judge has nobody to agree with.',
      notes: ['Add a second file with judgements of the same topics: of another person, or of a language model.'],
      tables: [],
    };
  }
  const { seed, alpha } = settings;
  const found = await agreeOf(
    {
      ...requestOf(settings),
      judgements: judges.map(({ qrels }) => qrels),
      judgeNames: judges.map(({ name }) => name),
      runs: runs.map((run, r) => ({ ...run, name: names[r] })),
      resamples: RESAMPLES,
      seed,
      alpha,
    },
    pagePlatform,
  );
  return { finding: agreementFinding(found), notes: found.notes, tables: [...agreementTables(found), ...confusionTables(found)] };
}
