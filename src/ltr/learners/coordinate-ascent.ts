import { type Random, seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { LineSearch } from '../linear/line-search.js';
import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { finishedModel } from '../training/finished-model.js';
import { Pause } from '../training/pause.js';
import { cellsOf, columnsOf, linearScores, requireTeaching } from '../training/training-cells.js';
import { trainingRankings, watchOf } from '../training/watch.js';

/** Defaults are RankLib's but for slack: on the validation parts of MQ2008 and OHSUMED (benchmarks/ltr-defaults.mjs) nDCG@10 is 0.5064 and
 *  0.4399 with 0.001, 0.5029 and 0.4443 with 0.003, 0.5058 and 0.4304 with none; other tolerances and numbers of starts change less. */
const options: Readonly<Record<string, LearnerOption>> = {
  restarts: {
    type: 'integer',
    default: 5,
    min: 1,
    max: 10_000,
    help: 'how often to start: first from equal weights, then from random ones',
    ranklib: '-r',
  },
  iterations: { type: 'integer', default: 25, min: 1, max: 10_000, help: 'passes over all features after each start, at most' },
  steps: {
    type: 'integer',
    default: 25,
    min: 1,
    max: 60,
    help: 'steps tried in each direction along a weight, each twice as long as the one before',
    ranklib: '-i',
  },
  tolerance: {
    type: 'number',
    default: 0.001,
    min: 0,
    max: 1,
    help: 'a start is done when a pass over all features gains less than this',
    ranklib: '-tolerance',
  },
  slack: {
    type: 'number',
    default: 0.001,
    min: 0,
    help: 'value given up per unit of distance from equal weights; 0 for none',
    ranklib: '-reg',
  },
};

/** Coordinate ascent: a linear ranker whose weights are moved one at a time to where the measure itself is best. */
export const coordinateAscent: Learner = {
  name: 'coordinate-ascent',
  aliases: ['ca', 'coordinateascent', 'coorascent'],
  title: 'Coordinate Ascent',
  help: 'Moves one weight of a linear ranker at a time to where the measure is best, from several starts; the validation data choose between the starts.',
  citation: {
    text: 'Metzler and Croft, Linear feature-based models for information retrieval, Information Retrieval 10, 2007',
    doi: '10.1007/s10791-006-9019-z',
  },
  ranklib: 4,
  options,
  weighsRisk: true,
  objectives: 'any',
  train,
};

async function train(request: TrainingRequest): Promise<Model> {
  const { restarts, iterations, steps, tolerance, slack } = request.options as Record<
    'restarts' | 'iterations' | 'steps' | 'tolerance' | 'slack',
    number
  >;
  const data = cellsOf(request.train);
  const validation = request.validation && cellsOf(request.validation);
  const rankings = trainingRankings(request.objective, request.train, request.rules);
  requireTeaching(rankings.prepared.teaches, `${request.objective.measure.text} is the same for every order of every query`);
  const watched = request.validation && watchOf(request.metric ?? request.objective, request.validation, request.rules);
  const validationScores = new Float64Array(validation?.numRows ?? 0);
  const columns = columnsOf(data);
  const features = changingFeatures(columns, data.numRows, data.numFeatures);
  const { numFeatures } = data;
  const search = new LineSearch(data.queryOffsets, rankings, steps);
  const pause = new Pause();
  const aborted = (): boolean => request.signal?.aborted === true;

  let best: { weights: Float64Array; iteration: number; value: number } | undefined;
  let iteration = 0;
  for (let restart = 0; restart < restarts && !(aborted() && best !== undefined); restart++) {
    const random = seededRandom(request.seed, restart);
    const weights = startWeights(restart, features, numFeatures, random);
    const equal = 1 / Math.max(1, features.length);
    // what the measure gives up for weights far from equal ones
    const penalty = (feature: number, weight: number): number => {
      if (slack === 0) return 0;
      let distance = 0;
      for (const c of features) distance += ((c === feature ? weight : weights[c]) - equal) ** 2;
      return slack * distance;
    };
    let value = search.start(data, weights) - penalty(-1, 0);
    for (let pass = 0; pass < iterations && !(aborted() && best !== undefined); pass++) {
      const valueBefore = value;
      const order = Uint32Array.from(features); // fits: entries
      shuffleInPlace(random, order);
      let failures = 0;
      for (const feature of order) {
        const column = columns.subarray(feature * data.numRows, (feature + 1) * data.numRows);
        const found = search.along(column, weights[feature], value, (weight) => penalty(feature, weight));
        if (found.value > value) {
          weights[feature] = found.weight;
          value = found.value;
          normalise(weights);
          // scores afresh, so that no rounding gathers in them
          search.start(data, weights);
        } else failures++;
        await pause.ifDue();
        if (aborted() && best !== undefined) break;
      }
      iteration++;
      if (request.watchesTraining === true && validation !== undefined && watched !== undefined) {
        // only to be seen: the model is chosen among the ends of restarts
        linearScores(validation, weights, validationScores);
        watched(validationScores);
      }
      request.onIteration?.({
        iteration,
        of: restarts * iterations,
        training: value,
        validation: watched === undefined ? undefined : best?.value,
      });
      if (failures === order.length || value - valueBefore < tolerance || aborted()) break;
    }
    let chosenBy = value;
    if (validation !== undefined && watched !== undefined) {
      linearScores(validation, weights, validationScores);
      chosenBy = watched(validationScores);
    }
    if (best === undefined || chosenBy > best.value) best = { weights: weights.slice(), iteration, value: chosenBy };
  }
  const scorer = { kind: 'linear' as const, weights: best?.weights ?? new Float64Array(numFeatures), bias: 0 };
  return finishedModel('coordinate-ascent', request, data, scorer, {
    objective: request.objective.measure.text,
    iterations: iteration,
    best: best === undefined || validation === undefined ? undefined : { iteration: best.iteration, validation: best.value },
  });
}

/** A feature with one value everywhere orders nothing. */
function changingFeatures(columns: Float64Array, numRows: number, numFeatures: number): number[] {
  const changing: number[] = [];
  for (let feature = 0; feature < numFeatures; feature++) {
    const base = feature * numRows;
    for (let row = 1; row < numRows; row++) {
      if (columns[base + row] !== columns[base]) {
        changing.push(feature);
        break;
      }
    }
  }
  return changing;
}

/** Equal weights, then points drawn evenly from the simplex. */
function startWeights(restart: number, features: readonly number[], numFeatures: number, random: Random): Float64Array {
  const weights = new Float64Array(numFeatures);
  for (const feature of features) weights[feature] = restart === 0 ? 1 : -Math.log(1 - random.float());
  normalise(weights);
  return weights;
}

/** Makes the sizes of the weights sum to 1: scaling orders nothing anew, and steps keep their meaning. */
function normalise(weights: Float64Array): void {
  let sum = 0;
  for (const weight of weights) sum += Math.abs(weight);
  if (sum > 0) for (let c = 0; c < weights.length; c++) weights[c] /= sum;
}
