/** Several rankers on the same folds. */
import { numQueries } from '../../core/feature-matrix.js';
import { foldsOf } from '../../ltr/folds.js';
import { loadLearner } from '../../ltr/registry.js';
import type { Platform } from '../platform.js';
import {
  type CrossValidationRequest,
  learnerOf,
  noteData,
  readingOf,
  type SearchRequest,
  trialOptions,
  withLoss,
} from '../training/train.js';
import { readFeatureFiles, trainingPlanOf } from '../training/training-data.js';
import type { Candidate } from './search-space.js';
import { ownSettings, Trials } from './trials.js';
import { type RankerVerdict, verdictOn } from './verdict.js';

/** A learner with combinations of options, and others beside it. */
export interface SeveralRequest extends Omit<CrossValidationRequest, 'folders' | 'onFold' | 'history'>, SearchRequest {
  /** Further learners, with their defaults. */
  readonly also?: readonly string[] | undefined;
}

/** What came of each ranker. */
export interface ComparedRankers {
  readonly verdict: RankerVerdict;
  /** The rankers by the names that the verdict gives them, in the order in which they were asked for. */
  readonly rankers: readonly (Candidate & { readonly name: string })[];
  readonly folds: number;
}

/** Trains and tests each combination of options, and each further learner, on the same folds.
 *  @returns undefined if the work was ended before its time. */
export async function crossValidateSeveral(asked: SeveralRequest, platform: Platform): Promise<ComparedRankers | undefined> {
  const learner = await learnerOf(asked);
  const request = withLoss(asked, learner);
  const { train: files = [], folds: numFolds = 5, shuffle = false, seed = 1, also = [], threads, signal } = request;
  const { objective, metric, rel, convention, normalisation, missing, validateShare } = request;
  const candidates: Candidate[] = trialOptions(learner, request).map((options) => ({ learner: learner.name, options }));
  for (const name of also) candidates.push({ learner: (await loadLearner(name)).name, options: {} });
  const plan = trainingPlanOf(ownSettings(request, learner.objectives === 'own'), learner);
  const whole = await readFeatureFiles(files, 'training', readingOf(request), platform);
  noteData(request, files, whole, plan, platform);
  const folds = foldsOf(numQueries(whole), numFolds, shuffle ? seed : undefined);
  const jobs = candidates.flatMap((candidate, c) => folds.map((fold, f) => ({ ...candidate, ...fold, key: `${c}/${f}` })));
  const total = jobs.reduce((sum, { train }) => sum + train.length, 0);
  const settings = { objective, metric: metric ?? plan.metric.text, rel, convention, normalisation, missing, seed, validateShare };
  const trials = new Trials(settings, whole, platform, { threads, signal, onDone: (done) => request.onProgress?.(done, total) });
  try {
    const results = await trials.run(jobs);
    if (results === undefined) return undefined;
    const names = distinct(candidates.map(nameOf));
    const tested = names.map((name, c) => ({ name, folds: results.slice(c * numFolds, (c + 1) * numFolds) }));
    return {
      verdict: verdictOn(plan.metric, tested, seed),
      rankers: candidates.map((candidate, c) => ({ name: names[c], ...candidate })),
      folds: numFolds,
    };
  } finally {
    await trials.close();
  }
}

function nameOf({ learner, options }: Candidate): string {
  return [learner, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** The names, with a number behind those that are there already. */
function distinct(names: readonly string[]): string[] {
  return names.map((name, n) => {
    const before = names.slice(0, n).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}
