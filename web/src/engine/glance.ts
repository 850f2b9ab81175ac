/** The answer and what is behind it: the verdict, the leaderboard, and two systems topic by topic. */
import { InputError } from 'gradus';
import {
  type Board,
  boardOf,
  boardOfOne,
  type ComparableScores,
  checkRules,
  comparableRuns,
  compareScores,
  directionsOf,
  type Plan,
  type ScoredRuns,
  type VerdictChecks,
  verdictChecks,
  verdictOf,
  type WithoutTopics,
  withoutBestTopics,
} from 'gradus/experiment';
import { methodsSentence, type Verdict, type VerdictWords, verdictWords } from 'gradus/report';
import { type CompareOptions, type Comparison, isJointTest } from 'gradus/stats';
import type { Settings } from './protocol.js';
import type { Session } from './session.js';
import { pagePlatform } from './sources.js';

export interface VerdictAnswer {
  readonly verdict: Verdict;
  readonly words: VerdictWords;
  /** How it was computed, as a paper would say it. */
  readonly methods: string;
}

/** The leaderboard, with places as the list of systems of the page has them. */
export interface LeaderboardAnswer {
  readonly standings: Board;
  /** Share of each system's first ten documents that nobody judged, by mean over topics; null where that is not known. */
  readonly unjudged: readonly (number | null)[];
}

/** Two systems over all topics. */
export interface PairAnswer {
  readonly without: readonly WithoutTopics[];
}

/** The measure that decides: the one asked for, or the first that says which system is better. */
function decidingMeasure(plan: Plan, asked: string): string {
  const deciding = plan.measures.filter(({ def }) => def.direction !== 'neither').map(({ text }) => text);
  if (deciding.length === 0) {
    throw new InputError({ message: 'none of these measures says which system is better', wayOut: 'add one such as nDCG@10' });
  }
  return deciding.includes(asked) ? asked : deciding[0];
}

interface Ground {
  readonly measure: string;
  readonly scores: ComparableScores;
  readonly scored: ScoredRuns;
}

async function groundOf(session: Session, settings: Settings, asked: string): Promise<Ground> {
  const plan = session.plan(settings);
  const scored = await session.scores(plan, await session.material(plan));
  const measure = decidingMeasure(plan, asked);
  const missing = settings.missing === '' ? 'zero' : settings.missing;
  return { measure, scored, scores: { ...comparableRuns(scored, missing), measures: [measure] } };
}

function compared({ scores }: Ground, { test, correction, alpha, seed, baseline }: Settings): Promise<Comparison> {
  const options: CompareOptions = {
    test: test as CompareOptions['test'],
    correction: (isJointTest(test as NonNullable<CompareOptions['test']>) ? 'none' : correction) as CompareOptions['correction'],
    alpha,
    seed,
    effectIntervals: false,
    ...(scores.table.systems.includes(baseline) ? { baseline } : {}),
  };
  return compareScores(scores, options, pagePlatform);
}

/** @param withChecks Score by other rules too, to see what the verdict owes to them, which takes several times as long.
 *  @returns Null for one system, of which there is no verdict. */
export async function verdictAnswer(
  session: Session,
  settings: Settings,
  asked: string,
  withChecks: boolean,
): Promise<VerdictAnswer | null> {
  const ground = await groundOf(session, settings, asked);
  const { scores, measure } = ground;
  if (scores.table.systems.length < 2) return null;
  const comparison = await compared(ground, settings);
  const checks = withChecks ? await checksOf(session, settings, measure, scores) : undefined;
  const texts = await session.texts.queriesOrNote(scores.table.topics);
  const queries =
    texts.queries && new Map(scores.table.topics.flatMap((topic, t) => (texts.queries?.[t] ? [[topic, texts.queries[t]]] : [])));
  const verdict = verdictOf({ scores, comparison, measure, checks, queries });
  return { verdict, words: verdictWords(verdict), methods: methodsSentence(comparison, `Gradus ${pagePlatform.version}`) };
}

/** What the verdict owes to the usual rules, from scoring by others besides. */
async function checksOf(session: Session, settings: Settings, measure: string, { missing }: ComparableScores): Promise<VerdictChecks> {
  const plan = session.plan({ ...settings, measures: measure });
  const alongside = checkRules(plan.measures[0]);
  return verdictChecks(await session.scores(plan, await session.material(plan), undefined, alongside), measure, missing);
}

export async function leaderboardAnswer(session: Session, settings: Settings, asked: string): Promise<LeaderboardAnswer> {
  const ground = await groundOf(session, settings, asked);
  const { scores, measure } = ground;
  const { alpha } = settings;
  const standings =
    scores.table.systems.length < 2
      ? boardOfOne(scores, { measure, direction: directionsOf([measure])[measure], alpha })
      : boardOf(scores, await compared(ground, { ...settings, baseline: '' }), measure);
  return { standings, unjudged: await unjudgedShares(session, settings) };
}

async function unjudgedShares(session: Session, settings: Settings): Promise<(number | null)[]> {
  const plan = session.plan({ ...settings, measures: 'Judged@10', judgedOnly: false, convention: 'gradus' });
  const { tables } = await session.scores(plan, await session.material(plan));
  return tables.map((table) => {
    const judged = table.aggregate(0);
    return Number.isFinite(judged) ? 1 - judged : null;
  });
}

/** What is left of the lead of one system over another without the topics that speak most for it. */
export async function pairAnswer(session: Session, settings: Settings, asked: string, a: number, b: number): Promise<PairAnswer> {
  const { scores, measure } = await groundOf(session, settings, asked);
  const sign = directionsOf([measure])[measure] === 'lower' ? -1 : 1;
  const columns = [a, b].map((s) => scores.table.column(measure, scores.table.systems[s]));
  const both = scores.table.topics.map((_, t) => t).filter((t) => columns.every((own) => !Number.isNaN(own[t])));
  const [first, second] = columns.map((own) => Float64Array.from(both, (t) => sign * own[t]));
  return { without: withoutBestTopics([first, second], 10, 1 - settings.alpha) };
}
