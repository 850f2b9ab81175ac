import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { finishedModel } from '../training/finished-model.js';
import { Pause } from '../training/pause.js';
import type { Rankings } from '../training/rankings.js';
import { cellsOf, columnsOf, linearScores, requireTeaching, type TrainingCells } from '../training/training-cells.js';
import { trainingRankings, watchOf } from '../training/watch.js';

const options: Readonly<Record<string, LearnerOption>> = {
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
  settled: {
    type: 'choice',
    default: 'worthy',
    choices: ['worthy', 'all'],
    help: 'of the queries whose value no order changes, those above 0 take part, so that one worth 1 by a rule is never boosted and one worth 0 weighs nothing (worthy), or all do, as in RankLib (all)',
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
  weighsQueries: true,
  options,
  objectives: 'any',
  train,
};

async function train(request: TrainingRequest): Promise<Model> {
  const { rounds, tolerance, maxRepeats, reweighting, settled } = request.options as {
    rounds: number;
    tolerance: number;
    maxRepeats: number;
    reweighting: string;
    settled: string;
  };
  const data = cellsOf(request.train);
  const validation = request.validation && cellsOf(request.validation);
  const pause = new Pause();
  const rankings = trainingRankings(request.objective, request.train, request.rules);
  requireTeaching(rankings.prepared.teaches, `${request.objective.measure.text} is the same for every order of every query`);
  const watched = request.validation && watchOf(request.metric ?? request.objective, request.validation, request.rules);
  const { numFeatures } = data;
  const columns = columnsOf(data);
  const values = await valuesOfFeatures(data, columns, rankings, pause);

  const attention = new Attention(rankings, { takesAll: settled === 'all', byProduct: reweighting === 'product' }, request.queryWeights);
  const weights = new Float64Array(numFeatures);
  const scores = new Float64Array(data.numRows);
  const validationScores = new Float64Array(validation?.numRows ?? 0);
  const setAside = new Uint8Array(numFeatures); // fits: flags
  let lastValue = Number.NEGATIVE_INFINITY;
  let lastFeature = -1;
  let repeats = 0;
  let round = 0;
  let best: { weights: Float64Array; iteration: number; validation: number } | undefined;
  while (round < rounds && request.signal?.aborted !== true) {
    const feature = attention.bestFeature(values, setAside, numFeatures);
    if (feature < 0) break;
    const alpha = attention.coefficient(values, feature);
    addColumn(columns, feature, alpha, scores);
    const value = attention.move(scores, alpha);
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
      onValidation = watched(validationScores);
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
async function valuesOfFeatures(data: TrainingCells, columns: Float64Array, rankings: Rankings, pause: Pause): Promise<Float64Array> {
  const { teaching } = rankings;
  const values = new Float64Array(data.numFeatures * teaching.length);
  for (let feature = 0; feature < data.numFeatures; feature++) {
    const column = columns.subarray(feature * data.numRows, (feature + 1) * data.numRows);
    for (let i = 0; i < teaching.length; i++) values[feature * teaching.length + i] = rankings.rank(teaching[i], column);
    await pause.ifDue();
  }
  return values;
}

function addColumn(columns: Float64Array, feature: number, factor: number, scores: Float64Array): void {
  const base = feature * scores.length;
  for (let row = 0; row < scores.length; row++) scores[row] += factor * columns[base + row];
}

/** How much each query counts in a round: the more, the worse it is ranked so far. */
class Attention {
  private readonly rankings: Rankings;
  private readonly byProduct: boolean;
  /** Weights of the teaching queries, and behind them of the settled ones that take part; they sum to 1. */
  private readonly weights: Float64Array;
  /** What the settled ones are worth. */
  private readonly settledValues: Float64Array;
  /** What weights are multiplied by from outside. */
  private readonly given: Float64Array;

  constructor(
    rankings: Rankings,
    { takesAll, byProduct }: { takesAll: boolean; byProduct: boolean },
    queryWeights: Float64Array | undefined,
  ) {
    this.rankings = rankings;
    this.byProduct = byProduct;
    const { prepared, teaching, orders } = rankings;
    const settled: { q: number; value: number }[] = [];
    for (const [q, order] of orders.entries()) {
      if (prepared.teaches[q] === 1 || prepared.counted[q] === 0) continue;
      const value = prepared.value(q, order);
      if (takesAll || value > 0) settled.push({ q, value });
    }
    this.settledValues = Float64Array.from(settled, ({ value }) => value);
    this.given = Float64Array.from([...teaching, ...settled.map(({ q }) => q)], (q) => queryWeights?.[q] ?? 1);
    this.weights = this.given.slice();
    this.normalise();
  }

  /** The feature with the greatest weighted value, the first of equal ones; -1 if all are set aside. Settled queries are worth the
   *  same whatever the feature. */
  bestFeature(values: Float64Array, setAside: Uint8Array, numFeatures: number): number {
    const { weights } = this;
    const numQueries = this.rankings.teaching.length;
    let best = -1;
    let bestSum = Number.NEGATIVE_INFINITY;
    for (let feature = 0; feature < numFeatures; feature++) {
      if (setAside[feature] === 1) continue;
      const base = feature * numQueries;
      let sum = 0;
      for (let i = 0; i < numQueries; i++) sum += weights[i] * values[base + i];
      if (sum > bestSum) {
        bestSum = sum;
        best = feature;
      }
    }
    return best;
  }

  /** ½ ln(Σ P(q)(1 + E(q)) / Σ P(q)(1 - E(q))). */
  coefficient(values: Float64Array, feature: number): number {
    const { weights, settledValues } = this;
    const numTeaching = this.rankings.teaching.length;
    const base = feature * numTeaching;
    let above = 0;
    let below = 0;
    for (let i = 0; i < weights.length; i++) {
      const value = i < numTeaching ? values[base + i] : settledValues[i - numTeaching];
      above += weights[i] * (1 + value);
      below += weights[i] * (1 - value);
    }
    // a feature that ranks everything perfectly would have an infinite weight, and nothing else would ever count
    return 0.5 * Math.log(above / Math.max(below, 1e-10 * above));
  }

  /** Ranks by the scores so far, weighs the queries by how badly that went, and tells the mean value of all queries. */
  move(scores: Float64Array, alpha: number): number {
    const { rankings, weights, settledValues, given } = this;
    const { teaching, settledSum, numCounted } = rankings;
    let sum = settledSum;
    for (let i = 0; i < weights.length; i++) {
      const isTeaching = i < teaching.length;
      const value = isTeaching ? rankings.rank(teaching[i], scores) : settledValues[i - teaching.length];
      if (isTeaching) sum += value;
      weights[i] = this.byProduct ? weights[i] * Math.exp(-alpha * value) : given[i] * Math.exp(-value);
    }
    this.normalise();
    return sum / numCounted;
  }

  private normalise(): void {
    const { weights } = this;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let i = 0; i < weights.length; i++) weights[i] /= total;
  }
}
