import { InputError } from '../../core/problem.js';
import type { FeatureNormalisation, LinearScorer, Model, NetScorer, TreeScorer } from '../ranker.js';
import { checkModel } from './check.js';
import { previousDouble } from './float32.js';

/** A model for raw features: a global normalisation is worked into the scorer, because the file formats of other tools have
 *  no place for it. Thresholds stay exact: a document goes left after if and only if it did before. A normalisation by query
 *  cannot be worked in and is refused. */
export function withoutNormalisation(model: Model, format: string): Model {
  const { normalisation, scorer, ...rest } = model;
  if (normalisation === undefined) return model;
  if (normalisation.kind === 'query') {
    throw new InputError({
      message: `the model scales features query by query (${normalisation.method}), which ${format} cannot express`,
      wayOut: 'train it without normalisation, or with zscore or minmax over all data',
    });
  }
  if (scorer.kind === 'trees') return { ...rest, scorer: { ...scorer, threshold: rawThresholds(scorer, normalisation) } };
  // a scale can make numbers too large to be numbers
  if (scorer.kind === 'linear') return checkModel({ ...rest, scorer: foldLinear(scorer, normalisation) });
  return checkModel({ ...rest, scorer: foldNet(scorer, normalisation) });
}

type Global = Extract<FeatureNormalisation, { kind: 'global' }>;

function rawThresholds({ feature, threshold }: TreeScorer, { shift, factor }: Global): Float64Array {
  return threshold.map((limit, node) => (feature[node] < 0 ? limit : rawThreshold(limit, shift[feature[node]], factor[feature[node]])));
}

/** The largest x for which (x - shift) * factor, as it is rounded, is at most the limit. Rounding keeps order, so the border
 *  lies near limit / factor + shift and is found by steps from there. */
export function rawThreshold(limit: number, shift: number, factor: number): number {
  if (factor === 0) return 0 <= limit ? Infinity : -Infinity;
  if (!(factor > 0)) throw new InputError(`a feature is scaled by ${factor}, which turns its order round`);
  const passes = (x: number): boolean => (x - shift) * factor <= limit;
  if (!Number.isFinite(limit)) return limit;
  const most = Number.MAX_VALUE;
  if (passes(most)) return most;
  if (!passes(-most)) return -Infinity;
  let low = Math.min(most, Math.max(-most, limit / factor + shift));
  let step = Math.max(Math.abs(low), Math.abs(shift), Number.MIN_VALUE) * 2 ** -50 + Number.MIN_VALUE;
  for (; !passes(low); step *= 2) low = Math.max(-most, low - step);
  let high = Math.min(most, low + step);
  for (; passes(high); step *= 2) high = Math.min(most, high + step);
  // low passes, high does not: halve until they are neighbours
  while (low < previousDouble(high)) {
    const middle = low / 2 + high / 2;
    const inside = middle <= low || middle >= high ? previousDouble(high) : middle;
    if (passes(inside)) low = inside;
    else high = inside;
  }
  return low;
}

function foldLinear({ weights, bias }: LinearScorer, { shift, factor }: Global): LinearScorer {
  return {
    kind: 'linear',
    weights: weights.map((weight, column) => weight * factor[column]),
    bias: weights.reduce((sum, weight, column) => sum - weight * factor[column] * shift[column], bias),
  };
}

function foldNet({ layers }: NetScorer, { shift, factor }: Global): NetScorer {
  const [first, ...others] = layers;
  const { inputs, weights, bias } = first;
  return {
    kind: 'net',
    layers: [
      {
        ...first,
        weights: weights.map((weight, i) => weight * factor[i % inputs]),
        bias: bias.map((start, unit) => {
          let sum = start;
          for (let i = 0; i < inputs; i++) sum -= weights[unit * inputs + i] * factor[i] * shift[i];
          return sum;
        }),
      },
      ...others,
    ],
  };
}
