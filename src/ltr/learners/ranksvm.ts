import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { selectQueries } from '../folds.js';
import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { type Start, solveByNewton } from '../svm/newton.js';
import { dot, type PairLoss, type SolverControl, SvmProblem, type SvmSolution } from '../svm/problem.js';
import { finishedModel } from '../training/finished-model.js';
import { Pause } from '../training/pause.js';
import {
  cellsOf,
  linearScores,
  NO_PAIRS,
  noScale,
  queriesOf,
  queriesWithPairs,
  requireTeaching,
  scaled,
  standardScale,
} from '../training/training-cells.js';
import { watchOf } from '../training/watch.js';

const options: Readonly<Record<string, LearnerOption>> = {
  c: {
    type: 'numbers',
    default: [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4],
    min: 0,
    help: 'weight of the losses against the size of the weights; of several, the one that is best on the validation data; the search ends where a larger one changes nothing any more',
  },
  loss: {
    type: 'choice',
    default: 'hinge',
    choices: ['hinge', 'squared-hinge'],
    help: 'what a pair costs that is not ranked rightly by a margin of 1',
  },
  tolerance: {
    type: 'number',
    default: 1e-3,
    min: 1e-12,
    max: 1,
    help: 'how far above the least objective a solution may be, as a share of it',
  },
  maxSteps: { type: 'integer', default: 1000, min: 1, max: 1_000_000, help: 'steps of the solver per value of c, at most' },
  standardise: {
    type: 'boolean',
    default: true,
    help: 'solves for features of mean 0 and deviation 1, so that c means the same to each; the model takes them as they are',
  },
};

/** RankSVM: the linear ranker with the largest margin between documents of different labels. */
export const ranksvm: Learner = {
  name: 'ranksvm',
  aliases: ['ranking-svm', 'svmrank'],
  title: 'RankSVM',
  help: 'A linear ranker that separates the documents of each pair by a margin. The objective chooses c on the validation data; without such data every fifth query is set aside to choose by.',
  citation: { text: 'Joachims, Optimizing search engines using clickthrough data, KDD 2002', doi: '10.1145/775047.775067' },
  options,
  objectives: 'own',
  train,
};

/** Without validation data, one query in so many is held back to choose c. */
const HELD_BACK = 5;
/** Share of the tolerance by which the losses must fall from one c to the next for the search to go on. */
const SETTLED = 0.3;

async function train(request: TrainingRequest): Promise<Model> {
  const { loss, standardise, tolerance } = request.options as { loss: PairLoss; standardise: boolean; tolerance: number };
  const grid = [...new Set(request.options.c as readonly number[])].sort((a, b) => a - b);
  const raw = cellsOf(request.train);
  const rawValidation = request.validation && cellsOf(request.validation);
  const holdsPairs = queriesWithPairs(raw);
  requireTeaching(holdsPairs, NO_PAIRS);
  const scale = standardise ? standardScale(raw) : noScale(raw.numFeatures);
  const data = standardise ? scaled(raw, scale) : raw;

  let learnFrom = data;
  // the features as the model will see them, so that rounding cannot part or join documents that it does not
  let chooseBy = rawValidation;
  let chosenRows: FeatureMatrix | undefined = request.validation;
  const splits = chooseBy === undefined && grid.length > 1;
  if (splits) {
    const queries = [...holdsPairs.keys()];
    const heldBack = queries.filter((q) => q % HELD_BACK === HELD_BACK - 1);
    chooseBy = queriesOf(raw, heldBack);
    chosenRows = selectQueries({ ...request.train, features: undefined }, Uint32Array.from(heldBack)); // fits: entries
    const kept = queriesOf(
      data,
      queries.filter((q) => q % HELD_BACK !== HELD_BACK - 1),
    );
    if (queriesWithPairs(kept).includes(1)) learnFrom = kept;
  }
  const solve = solverFor(request, new SvmProblem(learnFrom, loss));
  const watched = chosenRows && watchOf(request.metric ?? request.objective, chosenRows, request.rules);
  const scores = new Float64Array(chooseBy?.numRows ?? 0);
  let start: Start = { weights: new Float64Array(data.numFeatures) };
  let best: { weights: Float64Array; c: number; iteration: number; value: number | undefined } | undefined;
  let iteration = 0;
  let lastLoss = Number.POSITIVE_INFINITY;
  for (const c of grid) {
    if (best !== undefined && request.signal?.aborted === true) break;
    // the solution for the next smaller c is a good place to begin
    const solution = await solve(c, start);
    start = solution;
    const { weights } = solution;
    iteration++;
    let value: number | undefined;
    if (chooseBy !== undefined && watched !== undefined) {
      linearScores(chooseBy, unscaled(weights, scale.factor), scores);
      value = watched(scores);
    }
    if (best === undefined || (value ?? 0) > (best.value ?? 0)) best = { weights, c, iteration, value };
    request.onIteration?.({
      iteration,
      of: grid.length,
      training: solution.objective,
      validation: rawValidation === undefined ? undefined : value,
    });
    // once the losses have stopped falling, a larger c finds the same weights, and takes ever longer to be sure of it
    const lossNow = (solution.objective - 0.5 * dot(weights, weights)) / c;
    if (lastLoss - lossNow <= SETTLED * tolerance * lossNow) break;
    lastLoss = lossNow;
  }
  const c = best?.c ?? grid[0];
  let chosen = best?.weights ?? start.weights;
  if (splits && request.signal?.aborted !== true) {
    chosen = (await solverFor(request, new SvmProblem(data, loss))(c, { weights: chosen })).weights;
  }

  return finishedModel(
    'ranksvm',
    request,
    raw,
    { kind: 'linear', weights: unscaled(chosen, scale.factor), bias: 0 },
    {
      objective: loss === 'hinge' ? 'hinge loss of pairs' : 'squared hinge loss of pairs',
      iterations: iteration,
      options: { c: [c] },
      best: rawValidation === undefined || best?.value === undefined ? undefined : { iteration: best.iteration, validation: best.value },
    },
  );
}

function solverFor(request: TrainingRequest, problem: SvmProblem): (c: number, start: Start) => Promise<SvmSolution> {
  const { tolerance, maxSteps } = request.options as { tolerance: number; maxSteps: number };
  const pause = new Pause();
  const control: SolverControl = {
    tolerance,
    maxSteps,
    stop: async () => {
      await pause.ifDue();
      return request.signal?.aborted === true;
    },
  };
  return (c, start) => solveByNewton(problem, c, start, control);
}

/** Weights for features as they are; the shift adds the same to every score and is left out. */
function unscaled(weights: Float64Array, factor: Float64Array): Float64Array {
  return weights.map((weight, c) => weight * factor[c]);
}
