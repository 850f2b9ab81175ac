import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { checkWeightCount } from '../models/check.js';
import type { LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { scoreLinear } from '../scoring/dense.js';
import { NetScoring } from '../scoring/net-scoring.js';
import { finishedModel } from '../training/finished-model.js';
import { Pause } from '../training/pause.js';
import {
  cellsOf,
  cellsOfColumns,
  noScale,
  requireTeaching,
  scaled,
  standardScale,
  type TrainingCells,
  usedColumns,
} from '../training/training-cells.js';
import { watchOf } from '../training/watch.js';
import { QueryBlocks } from './layer-kernel.js';
import { type Activation, Mlp, overAllColumns } from './mlp.js';
import { adam, sgd } from './optimiser.js';

/** What is asked of one query: the loss at these scores, and its derivative by each of them. */
export interface QueryLoss {
  /** 1 for each query that has anything to say. */
  readonly teaches: Uint8Array;
  /** Why no query might have, for the message. */
  readonly whyNot: string;
  /** What is minimised, in words or as a measure. */
  readonly objective: string;
  /** Adds nothing and keeps nothing: writes byScore[start … end) and returns the loss. With `loss` as a sum of non-negative
   *  costs, or the negative of a measure; either falls as ranking gets better. */
  compute(q: number, scores: Float64Array, byScore: Float64Array): number;
}

/** The options of a learner that trains a net. `usual` are its own defaults, compared with others by nDCG@10 on the validation parts of
 *  MQ2008 and OHSUMED (benchmarks/ltr-defaults.mjs): RankNet 0.5020 and 0.4457, LambdaRank 0.5065 and 0.4494, ListNet 0.5006 and 0.4418,
 *  SoftRank 0.5013 and 0.4480 (0.5027 and 0.4293 with sigma 1 and rate 0.001). Other rates, penalties and sizes of batches were worth as much
 *  or less, a hidden layer as much as none. */
export function netOptions(usual: {
  readonly epochs: number;
  readonly rate: number;
  readonly layers: number;
  readonly units: number;
  readonly batch: number;
}): Readonly<Record<string, LearnerOption>> {
  return {
    epochs: {
      type: 'integer',
      default: usual.epochs,
      min: 1,
      max: 1_000_000,
      help: 'passes over the training queries at most',
      ranklib: '-epoch',
    },
    layers: { type: 'integer', default: usual.layers, min: 0, max: 3, help: 'hidden layers; 0 for a linear ranker', ranklib: '-layer' },
    units: { type: 'integer', default: usual.units, min: 1, max: 10_000, help: 'units in each hidden layer', ranklib: '-node' },
    activation: { type: 'choice', default: 'tanh', choices: ['tanh', 'sigmoid', 'relu'], help: 'what hidden units compute' },
    optimiser: { type: 'choice', default: 'adam', choices: ['adam', 'sgd'], help: 'how gradients become steps' },
    rate: { type: 'number', default: usual.rate, min: 0, help: 'length of steps', ranklib: '-lr' },
    batch: { type: 'integer', default: usual.batch, min: 1, max: 1_000_000, help: 'queries per step' },
    l2: { type: 'number', default: 0, min: 0, help: 'weight of the squared parameters beside the loss per query' },
    patience: {
      type: 'integer',
      default: 20,
      min: 0,
      max: 1_000_000,
      help: 'ends after this many epochs without a better value on the validation data; 0 for never',
    },
    standardise: {
      type: 'boolean',
      default: true,
      help: 'trains on features of mean 0 and deviation 1; the model takes them as they are',
    },
  };
}

/** Trains a net, or a linear ranker, on any loss of one query's scores: mini-batches of queries in a new order each epoch, the
 *  best epoch on the validation data, or the last one without such data. */
export async function trainNet(name: string, request: TrainingRequest, lossFor: (data: TrainingCells) => QueryLoss): Promise<Model> {
  const { epochs, layers, units, rate, batch, l2, patience } = request.options as Record<
    'epochs' | 'layers' | 'units' | 'rate' | 'batch' | 'l2' | 'patience',
    number
  >;
  const {
    activation,
    optimiser: kind,
    standardise,
  } = request.options as {
    activation: Activation;
    optimiser: string;
    standardise: boolean;
  };
  const raw = cellsOf(request.train);
  const sizes = [raw.numFeatures, ...new Array<number>(layers).fill(units), 1];
  checkWeightCount(sizes.slice(1).reduce((sum, size, layer) => sum + size * (sizes[layer] + 1), 0));
  const scale = standardise ? standardScale(raw) : noScale(raw.numFeatures);
  const allCells = scaled(raw, scale);
  // the work is that of features which differ, however many there are
  const columns = usedColumns(allCells);
  const blocks = new QueryBlocks(cellsOfColumns(allCells, columns), columns.length, raw.queryOffsets);
  const shift = Float64Array.from(columns, (c) => scale.shift[c]);
  const factor = Float64Array.from(columns, (c) => scale.factor[c]);
  const validationCells = request.validation && cellsOfColumns(cellsOf(request.validation), columns);
  const loss = lossFor(raw);
  requireTeaching(loss.teaches, loss.whyNot);
  const watched = request.validation && watchOf(request.metric ?? request.objective, request.validation, request.rules);
  const longest = raw.queryOffsets.reduce((most, end, q) => (q === 0 ? 0 : Math.max(most, end - raw.queryOffsets[q - 1])), 0);
  const net = new Mlp(columns.length, new Array<number>(layers).fill(units), activation, longest);
  const random = seededRandom(request.seed);
  net.initialise(random, columns, raw.numFeatures);
  const optimiser = kind === 'sgd' ? sgd(rate) : adam(net.kernel, rate, net.parameters.length);
  const weightOf = (q: number): number => request.queryWeights?.[q] ?? 1;
  const queries = Uint32Array.from([...loss.teaches.keys()].filter((q) => loss.teaches[q] === 1 && weightOf(q) > 0)); // fits: entries
  const scores = new Float64Array(raw.numRows);
  const byScore = new Float64Array(raw.numRows);
  const validationScores = new Float64Array(request.validation?.numRows ?? 0);
  const pause = new Pause();
  const aborted = (): boolean => request.signal?.aborted === true;

  let scoring: NetScoring | undefined;
  let best: { parameters: Float64Array; iteration: number; validation: number } | undefined;
  let epoch = 0;
  while (epoch < epochs && !aborted()) {
    epoch++;
    shuffleInPlace(random, queries);
    let sum = 0;
    for (let from = 0; from < queries.length && !aborted(); from += batch) {
      const to = Math.min(from + batch, queries.length);
      net.gradient.fill(0);
      for (let i = from; i < to; i++) {
        const q = queries[i];
        const start = raw.queryOffsets[q];
        const end = raw.queryOffsets[q + 1];
        net.forward(blocks.values, blocks.startOf(q), end - start, scores, start);
        sum += weightOf(q) * loss.compute(q, scores, byScore);
        if (weightOf(q) !== 1) for (let row = start; row < end; row++) byScore[row] *= weightOf(q);
        net.backward(byScore, start, end - start);
      }
      for (let i = 0; i < net.gradient.length; i++) net.gradient[i] = net.gradient[i] / (to - from) + 2 * l2 * net.parameters[i];
      optimiser.step(net.parameters, net.gradient);
      await pause.ifDue();
    }
    refuseDiverged(sum, net.parameters, rate);
    let onValidation: number | undefined;
    if (validationCells !== undefined && watched !== undefined) {
      // by the model that would be kept, because rounding parts or joins documents in other places than on scaled features
      const scorer = net.toScorer(shift, factor);
      if (scorer.kind === 'linear') scoreLinear(scorer, validationCells, validationScores.length, validationScores);
      else {
        if (scoring === undefined) scoring = new NetScoring(scorer);
        else scoring.load(scorer);
        scoring.score(validationCells, validationScores.length, validationScores);
      }
      onValidation = watched(validationScores);
      if (best === undefined || onValidation > best.validation) {
        best = { parameters: net.parameters.slice(), iteration: epoch, validation: onValidation };
      }
    }
    request.onIteration?.({ iteration: epoch, of: epochs, training: sum / queries.length, validation: onValidation });
    if (patience > 0 && best !== undefined && epoch - best.iteration >= patience) break;
  }
  if (best !== undefined) net.parameters.set(best.parameters);
  const scorer = overAllColumns(net.toScorer(shift, factor), columns, raw.numFeatures);
  return finishedModel(name, request, raw, scorer, {
    objective: loss.objective,
    iterations: epoch,
    best: best && { iteration: best.iteration, validation: best.validation },
  });
}

function refuseDiverged(loss: number, parameters: Float64Array, rate: number): void {
  if (Number.isFinite(loss) && parameters.every(Number.isFinite)) return;
  throw new InputError({
    message: `training went out of bounds with steps of length ${rate}`,
    wayOut: 'take a smaller rate, or standardise=true',
  });
}
