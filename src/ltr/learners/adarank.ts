import type { Learner, Model, OptionSpec, TrainingRequest } from '../ranker.js';
import { finishedModel } from './finished-model.js';
import { Pause } from './pause.js';
import { Rankings } from './rankings.js';
import { columnsOf, linearScores, requireTeaching, type TrainingData, trainingData, validationData } from './training-data.js';

const options: Readonly<Record<string, OptionSpec>> = {
  rounds: { type: 'integer', default: 500, min: 1, max: 100_000, help: 'rounds of boosting at most', ranklib: '-round' },
  tolerance: {
    type: 'number',
    default: 0.002,
    min: 0,
    max: 1,
    help: 'training ends when the training value of a round falls below the one before by this much',
    ranklib: '-tolerance',
  },
  maxRepeats: {
    type: 'integer',
    default: 5,
    min: 1,
    max: 100_000,
    help: 'a feature chosen this often in a row without changing the training value is set aside until the value changes',
    ranklib: '-max',
  },
  reweighting: {
    type: 'choice',
    default: 'current',
    choices: ['current', 'product'],
    help: 'weight of a query: exp(-value) of the ranker so far (current), or the product of such factors over the rounds, as RankLib has it (product)',
  },
};

/** AdaRank: boosting whose weak rankers are single features, and whose examples are whole queries. */
export const adarank: Learner = {
  name: 'adarank',
  aliases: [],
  title: 'AdaRank',
  help: 'Boosts single features: each round takes the feature that ranks best the queries which the ranker so far ranks badly.',
  citation: { text: 'Xu and Li, AdaRank: a boosting algorithm for information retrieval, SIGIR 2007', doi: '10.1145/1277741.1277809' },
  ranklib: 3,
  options,
  objectives: 'any',
  train,
};

async function train(request: TrainingRequest): Promise<Model> {
  const { rounds, tolerance, maxRepeats, reweighting } = request.options as {
    rounds: number;
    tolerance: number;
    maxRepeats: number;
    reweighting: string;
  };
  const data = trainingData(request.train);
  const validation = validationData(request.validation, data);
  const pause = new Pause();
  const rankings = new Rankings(request.objective, data.labels, data.queryOffsets);
  requireTeaching(rankings.prepared.teaches, `${request.objective.measure.text} is the same for every order of every query`);
  const watched =
    validation === undefined ? undefined : new Rankings(request.metric ?? request.objective, validation.labels, validation.queryOffsets);
  const { numFeatures } = data;
  const { teaching } = rankings;
  const columns = columnsOf(data);
  const values = await valuesOfFeatures(data, columns, rankings, pause);

  const queryWeights = new Float64Array(teaching.length).fill(1 / teaching.length);
  const weights = new Float64Array(numFeatures);
  const scores = new Float64Array(data.numRows);
  const validationScores = new Float64Array(validation?.numRows ?? 0);
  const setAside = new Uint8Array(numFeatures);
  let lastValue = Number.NEGATIVE_INFINITY;
  let lastFeature = -1;
  let repeats = 0;
  let round = 0;
  let best: { weights: Float64Array; iteration: number; validation: number } | undefined;
  while (round < rounds && request.signal?.aborted !== true) {
    const feature = bestFeature(values, queryWeights, setAside, numFeatures);
    if (feature < 0) break;
    const alpha = coefficient(values, feature, queryWeights);
    addColumn(columns, feature, alpha, scores);
    const value = reweigh(rankings, scores, queryWeights, reweighting === 'product' ? alpha : undefined);
    if (value + tolerance <= lastValue) break;
    round++;
    weights[feature] += alpha;

    if (value !== lastValue) {
      setAside.fill(0);
      repeats = 0;
    } else if (feature !== lastFeature) {
      repeats = 0;
    } else if (++repeats >= maxRepeats) {
      setAside[feature] = 1;
      repeats = 0;
    }
    lastFeature = feature;
    lastValue = value;

    let onValidation: number | undefined;
    if (validation !== undefined && watched !== undefined) {
      linearScores(validation, weights, validationScores);
      onValidation = watched.mean(validationScores);
      if (best === undefined || onValidation > best.validation) {
        best = { weights: weights.slice(), iteration: round, validation: onValidation };
      }
    }
    request.onIteration?.({ iteration: round, of: rounds, training: value, validation: onValidation });
    await pause.ifDue();
  }
  const scorer = { kind: 'linear' as const, weights: best?.weights ?? weights, bias: 0 };
  return finishedModel('adarank', request, data, scorer, {
    objective: request.objective.measure.text,
    iterations: round,
    best: best && { iteration: best.iteration, validation: best.validation },
  });
}

/** What each feature alone would make of each teaching query; it never changes, so that a round costs one look at this table. */
async function valuesOfFeatures(data: TrainingData, columns: Float64Array, rankings: Rankings, pause: Pause): Promise<Float64Array> {
  const { teaching } = rankings;
  const values = new Float64Array(data.numFeatures * teaching.length);
  for (let feature = 0; feature < data.numFeatures; feature++) {
    const column = columns.subarray(feature * data.numRows, (feature + 1) * data.numRows);
    for (let i = 0; i < teaching.length; i++) values[feature * teaching.length + i] = rankings.rank(teaching[i], column);
    await pause.ifDue();
  }
  return values;
}

/** The feature with the greatest weighted value, the first of equal ones; -1 if all are set aside. */
function bestFeature(values: Float64Array, queryWeights: Float64Array, setAside: Uint8Array, numFeatures: number): number {
  const numQueries = queryWeights.length;
  let best = -1;
  let bestSum = Number.NEGATIVE_INFINITY;
  for (let feature = 0; feature < numFeatures; feature++) {
    if (setAside[feature] === 1) continue;
    const base = feature * numQueries;
    let sum = 0;
    for (let i = 0; i < numQueries; i++) sum += queryWeights[i] * values[base + i];
    if (sum > bestSum) {
      bestSum = sum;
      best = feature;
    }
  }
  return best;
}

/** ½ ln(Σ P(q)(1 + E(q)) / Σ P(q)(1 - E(q))). */
function coefficient(values: Float64Array, feature: number, queryWeights: Float64Array): number {
  const base = feature * queryWeights.length;
  let above = 0;
  let below = 0;
  for (let i = 0; i < queryWeights.length; i++) {
    above += queryWeights[i] * (1 + values[base + i]);
    below += queryWeights[i] * (1 - values[base + i]);
  }
  // a feature that ranks everything perfectly would have an infinite weight, and nothing else would ever count
  return 0.5 * Math.log(above / Math.max(below, 1e-10 * above));
}

function addColumn(columns: Float64Array, feature: number, factor: number, scores: Float64Array): void {
  const base = feature * scores.length;
  for (let row = 0; row < scores.length; row++) scores[row] += factor * columns[base + row];
}

/** Ranks by the scores so far, weighs the queries by how badly that went, and tells the mean value of all queries. */
function reweigh(rankings: Rankings, scores: Float64Array, queryWeights: Float64Array, alpha: number | undefined): number {
  const { teaching, settledSum, numCounted } = rankings;
  let sum = settledSum;
  let total = 0;
  for (let i = 0; i < teaching.length; i++) {
    const value = rankings.rank(teaching[i], scores);
    sum += value;
    queryWeights[i] = alpha === undefined ? Math.exp(-value) : queryWeights[i] * Math.exp(-alpha * value);
    total += queryWeights[i];
  }
  for (let i = 0; i < teaching.length; i++) queryWeights[i] /= total;
  return sum / numCounted;
}
