/** Learners and their options chosen by nested cross-validation. */
import { type FeatureMatrix, numQueries } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import { type ByteSource, readText } from '../../formats/source.js';
import { fingerprintOf } from '../../ltr/fingerprint.js';
import { foldsOf } from '../../ltr/folds.js';
import { findLossName } from '../../ltr/losses/names.js';
import type { GivenOptions } from '../../ltr/options.js';
import { sourceOf } from '../material.js';
import type { Platform } from '../platform.js';
import { type CrossValidationRequest, readingOf } from '../training/train.js';
import { type FeatureInput, readFeatureFiles, trainingPlanOf } from '../training/training-data.js';
import { chooseOn, type SearchChoice, sharesOf } from './halving.js';
import { type Candidate, candidatesOf, type SearchSpaceRequest } from './search-space.js';
import { type TrialJob, type TrialResult, type TrialSettings, Trials } from './trials.js';
import { type RankerVerdict, type TestedRanker, verdictOn } from './verdict.js';

/** What is searched, on what, and how. */
export interface TuneRequest
  extends Omit<CrossValidationRequest, 'learner' | 'options' | 'folders' | 'onFold' | 'history'>,
    SearchSpaceRequest {
  /** How many folds the training part of each fold is cut into to choose by; 3 by default. */
  readonly inner?: number | undefined;
  /** What an earlier search of the same kind wrote, to go on from there; a file that is not there yet is no mistake. */
  readonly state?: FeatureInput | undefined;
  /** Called with what is known so far, from which another search can go on. */
  readonly onState?: ((state: string) => Promise<void>) | undefined;
}

/** A learner with the options that were chosen. */
export interface ChosenRanker {
  readonly learner: string;
  /** What differs from the defaults. */
  readonly options: GivenOptions;
}

/** A ranker of the verdict with what it stands for. */
export interface TunedRanker {
  readonly name: string;
  /** What was chosen inside each fold. */
  readonly choices: readonly ChosenRanker[];
  /** What was chosen on all queries in the same way: what to train for use. */
  readonly final: ChosenRanker;
}

/** What came of a search. */
export interface TunedRankers {
  readonly verdict: RankerVerdict;
  /** Each learner with the options that were chosen for it, and with its defaults where those are others. */
  readonly rankers: readonly TunedRanker[];
  /** The choice of each fold among all learners, tested on that fold: what this search is worth as a whole. */
  readonly procedure: { readonly mean: number; readonly choices: readonly ChosenRanker[] };
  readonly folds: number;
  readonly inner: number;
  /** How many learners with options were tried in each fold. */
  readonly tried: number;
}

/** Searches learners and their options together. The queries are cut into folds; what is best is chosen on the training part of each by inner
 *  folds, trained again on all of that part, and tested once on the fold itself, which the choice has never seen.
 *  @returns undefined if the work was ended before its time; `onState` has what is known by then. */
export async function tune(request: TuneRequest, platform: Platform): Promise<TunedRankers | undefined> {
  const { train = [], folds: numFolds = 5, inner = 3, shuffle = true, seed = 1, signal, threads } = request;
  const { objective, metric, rel, convention, normalisation, missing } = request;
  if (objective !== undefined && findLossName(objective) !== undefined) {
    throw new InputError({
      message: `${objective} is a loss of LambdaMART, and no measure that all learners can be judged by`,
      wayOut: `give --learners lambdamart --grid loss=${findLossName(objective)}`,
    });
  }
  const settings: TrialSettings = { objective, metric, rel, convention, normalisation, missing, seed };
  const candidates = await candidatesOf(request);
  const { metric: measure } = trainingPlanOf({ ...settings, metric: metric ?? objective }, { objectives: 'own' });
  const whole = await readFeatureFiles(train, 'training', readingOf(request), platform);
  checkQueries(whole, numFolds, inner, train.map((file) => sourceOf(file, platform).name).join(' and '));
  const folds = foldsOf(numQueries(whole), numFolds, shuffle ? seed : undefined);
  const state = new SearchState(whole, { settings, candidates, numFolds, inner, shuffle });
  const total = expectedWork(candidates.length, numQueries(whole), numFolds, inner);
  const trials = new Trials(settings, whole, platform, {
    threads,
    signal,
    known: await state.read(request.state === undefined ? undefined : sourceOf(request.state, platform)),
    onKnown: async (known) => await request.onState?.(state.text(known)),
    onDone: (done) => request.onProgress?.(Math.min(done, total), total),
  });
  try {
    const choices: SearchChoice[] = [];
    for (const [f, { train: own }] of folds.entries()) {
      const choice = await chooseOn(`fold ${f + 1}`, own, candidates, inner, seed, trials);
      if (choice === undefined) return undefined;
      choices.push(choice);
    }
    const every = Uint32Array.from({ length: numQueries(whole) }, (_, q) => q); // fits: entries
    const final = await chooseOn('all', every, candidates, inner, seed, trials);
    if (final === undefined) return undefined;
    const wanted = wantedOf(candidates, choices, final);
    const tested = await testRankers(wanted, candidates, folds, trials);
    if (tested === undefined) return undefined;
    const chosen = ({ learner, options }: Candidate): ChosenRanker => ({ learner, options });
    const ofFold = choices.map(({ best }, f) => tested.results(f, best));
    return {
      verdict: verdictOn(measure, tested.rankers, seed),
      rankers: wanted.map(({ name, picks, last }) => ({
        name,
        choices: picks.map((c) => chosen(candidates[c])),
        final: chosen(candidates[last]),
      })),
      procedure: {
        mean: verdictOn(measure, [{ name: 'procedure', folds: ofFold }], seed).rankers[0].mean,
        choices: choices.map(({ best }) => chosen(candidates[best])),
      },
      folds: numFolds,
      inner,
      tried: candidates.length,
    };
  } finally {
    await trials.close();
  }
}

/** A ranker to be tested: which candidate it is in each fold, and in the end. */
interface WantedRanker {
  readonly name: string;
  readonly picks: readonly number[];
  readonly last: number;
}

/** Each learner as it was chosen, and with its defaults where these were not chosen everywhere. */
function wantedOf(candidates: readonly Candidate[], choices: readonly SearchChoice[], final: SearchChoice): WantedRanker[] {
  return [...final.ofLearner.keys()].sort().flatMap((learner) => {
    const picks = choices.map(({ ofLearner }) => ofLearner.get(learner) ?? 0);
    const last = final.ofLearner.get(learner) ?? 0;
    const usual = candidates.findIndex((one) => one.learner === learner);
    const tuned = { name: learner, picks, last };
    if ([...picks, last].every((c) => c === usual)) return [tuned];
    return [tuned, { name: `${learner} (defaults)`, picks: picks.map(() => usual), last: usual }];
  });
}

/** Trains each ranker on all of each fold's training part, and tests it on the fold. */
async function testRankers(
  wanted: readonly WantedRanker[],
  candidates: readonly Candidate[],
  folds: readonly { readonly train: Uint32Array; readonly test: Uint32Array }[],
  trials: Trials,
): Promise<{ readonly rankers: TestedRanker[]; results(fold: number, candidate: number): TrialResult } | undefined> {
  const keyOf = (f: number, c: number): string => `test ${f + 1}/${c}`;
  const jobs = new Map<string, TrialJob>();
  for (const { picks } of wanted) {
    for (const [f, c] of picks.entries()) jobs.set(keyOf(f, c), { ...candidates[c], ...folds[f], key: keyOf(f, c) });
  }
  const results = await trials.run([...jobs.values()]);
  if (results === undefined) return undefined;
  const byKey = new Map([...jobs.keys()].map((key, i) => [key, results[i]]));
  const resultOf = (f: number, c: number): TrialResult => {
    const result = byKey.get(keyOf(f, c));
    if (result === undefined) throw new Error(`candidate ${c} was not tested on fold ${f + 1}`);
    return result;
  };
  return { rankers: wanted.map(({ name, picks }) => ({ name, folds: picks.map((c, f) => resultOf(f, c)) })), results: resultOf };
}

/** Refuses data in which nothing can be chosen. */
function checkQueries(whole: FeatureMatrix, numFolds: number, inner: number, source: string): void {
  const found = numQueries(whole);
  // the smallest training part of a fold must be cut again, and each of its parts hold a query
  const least = Math.max(numFolds, 2 * inner);
  if (found - Math.ceil(found / numFolds) < inner || found < least) {
    throw new InputError({
      source,
      message: `found ${found} ${found === 1 ? 'query' : 'queries'}, expected at least ${least} for ${numFolds} folds with ${inner} inner folds each`,
      wayOut: found < 4 ? 'add queries' : 'give --folds 2 --inner 2',
    });
  }
  const { labels, queryOffsets } = whole;
  const differs = queryOffsets
    .subarray(1)
    .some((end, q) => labels.subarray(queryOffsets[q], end).some((label) => label !== labels[queryOffsets[q]]));
  if (!differs) {
    throw new InputError({
      source,
      message: 'no query has documents with different labels, so that no ranking is better than another',
      wayOut: 'check the column of the labels',
    });
  }
}

/** Results of trials as text, and back, if they are of the same search. */
class SearchState {
  private readonly key: string;

  constructor(whole: FeatureMatrix, search: unknown) {
    this.key = `${fingerprintOf(whole)} ${JSON.stringify(search)}`;
  }

  text(known: ReadonlyMap<string, TrialResult>): string {
    return `${JSON.stringify({ search: this.key, trials: Object.fromEntries(known) })}\n`;
  }

  async read(source: ByteSource | undefined): Promise<Map<string, TrialResult>> {
    if (source === undefined || !source.isReopenable) return new Map();
    const { search, trials } = parsed(await readText(source));
    if (search !== this.key || trials === undefined) {
      throw new InputError({
        source: source.name,
        message: search === undefined ? 'the state is not that of a search' : 'the state is that of a search with other data or options',
        wayOut: 'name another --state FILE, or remove this one to begin again',
      });
    }
    return new Map(
      Object.entries(trials).map(([key, trial]) => [key, { ...trial, values: trial.values.map((value) => value ?? Number.NaN) }]),
    );
  }
}

function parsed(text: string): { search?: string; trials?: Record<string, TrialResult & { values: (number | null)[] }> } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** How many queries all trainings of a search are given together, about. */
function expectedWork(numCandidates: number, queries: number, folds: number, inner: number): number {
  const own = (queries * (folds - 1)) / folds;
  const part = (own * (inner - 1)) / inner;
  const steps = sharesOf(numCandidates, Math.floor(part));
  const perSearch = steps.reduce((sum, share, step) => sum + Math.ceil(numCandidates / 3 ** step) * inner * share * part, 0);
  return (folds + 1) * perSearch + 8 * folds * own;
}
