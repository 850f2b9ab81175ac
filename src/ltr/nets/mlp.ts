import type { Random } from '../../core/numbers/random.js';
import type { LinearScorer, NetLayer, NetScorer } from '../ranker.js';
import { type Layer, type LayerKernel, strideOf } from './layer-kernel.js';
import { createLayerKernel } from './layer-kernel-wasm.js';

/** Size of the weights that a net begins with, as a share of Glorot and Bengio's (AISTATS 2010). By nDCG@10 on the validation parts of
 *  MQ2008 and OHSUMED RankNet is worth 0.492 and 0.379 with 1, 0.502 and 0.444 with 0.1, and as much with 0.2 or 0.05. */
const START = 0.1;

/** What a unit makes of its sum. */
export type Activation = 'tanh' | 'sigmoid' | 'relu';

/** A scorer with hidden layers (none: a linear one) and one output, over blocks of documents. All parameters are in one
 *  array, layer by layer, each layer its weights (unit by unit) and then its biases, so that an optimiser needs no structure; one more that
 *  is always 0 makes their number even. */
export class Mlp {
  readonly parameters: Float64Array;
  readonly gradient: Float64Array;
  /** Units per layer, the inputs first and the one output last. */
  readonly sizes: readonly number[];
  readonly kernel: LayerKernel;
  private readonly activation: Activation;
  private readonly offsets: readonly number[];
  private readonly layers: readonly Layer[];
  /** What each layer put out for the block, unit by unit, the inputs first; filled by `forward`, read by `backward`. */
  private readonly outputs: readonly Float64Array[];
  private readonly deltas: readonly Float64Array[];

  /** @param mostRows Documents in the largest block.
   *  @param kernel For tests; the fastest one otherwise. */
  constructor(
    numInputs: number,
    hidden: readonly number[],
    activation: Activation,
    mostRows: number,
    kernel?: (numbers: number, arrays: number) => LayerKernel,
  ) {
    this.sizes = [numInputs, ...hidden, 1];
    this.activation = activation;
    const offsets = [0];
    for (let layer = 1; layer < this.sizes.length; layer++) {
      offsets.push(offsets[layer - 1] + (this.sizes[layer - 1] + 1) * this.sizes[layer]);
    }
    this.offsets = offsets;
    const count = (offsets[offsets.length - 1] + 1) & ~1;
    const stride = strideOf(mostRows);
    const units = this.sizes.reduce((sum, size) => sum + size, 0);
    // four arrays of parameters, those of the optimiser among them, and two of documents
    this.kernel = (kernel ?? createLayerKernel)(4 * count + 2 * units * stride, 4 + 2 * this.sizes.length);
    this.parameters = this.kernel.room(count);
    this.gradient = this.kernel.room(count);
    this.layers = this.sizes.slice(1).map((size, l) => {
      const inputs = this.sizes[l];
      const [from, bias, end] = [offsets[l], offsets[l] + inputs * size, offsets[l + 1]];
      return {
        inputs,
        units: size,
        weights: this.parameters.subarray(from, bias),
        bias: this.parameters.subarray(bias, end),
        weightGradient: this.gradient.subarray(from, bias),
        biasGradient: this.gradient.subarray(bias, end),
      };
    });
    this.outputs = this.sizes.map((size) => this.kernel.room(size * stride));
    this.deltas = this.sizes.map((size, l) => this.kernel.room(l === 0 ? 0 : size * stride));
  }

  /** Small weights, biases 0. Units begin in the straight part of their activation, so that training sets out from next to nothing and
   *  bends the net only as far as the data ask for it; from weights of full size it never quite forgets where it began.
   *  @param columns Which columns the inputs are.
   *  @param numColumns How many columns there are: weights do not depend on which of them are left out. */
  initialise(
    random: Random,
    columns: ArrayLike<number> = Array.from({ length: this.sizes[0] }, (_, c) => c),
    numColumns: number = columns.length,
  ): void {
    for (let layer = 1; layer < this.sizes.length; layer++) {
      const fanIn = this.sizes[layer - 1];
      const units = this.sizes[layer];
      const drawn = layer === 1 ? numColumns : fanIn;
      const widest = START * Math.sqrt(6 / (drawn + units));
      const from = this.offsets[layer - 1];
      for (let unit = 0; unit < units; unit++) {
        for (let c = 0, input = 0; c < drawn; c++) {
          const weight = (2 * random.float() - 1) * widest;
          if (layer === 1 && columns[input] !== c) continue;
          this.parameters[from + unit * fanIn + input] = weight;
          input++;
        }
      }
      this.parameters.fill(0, from + fanIn * units, this.offsets[layer]);
    }
  }

  /** Scores the documents of a block, which has a row of `strideOf(numRows)` for each input. Remembers what `backward` needs.
   *  @param at Where the block begins in `blocks`, and the scores of its documents in `scores`. */
  forward(blocks: Float64Array, at: number, numRows: number, scores: Float64Array, scoresAt: number): void {
    const { layers, outputs, kernel } = this;
    const stride = strideOf(numRows);
    outputs[0].set(blocks.subarray(at, at + this.sizes[0] * stride));
    layers.forEach((layer, l) => {
      kernel.forward(layer, outputs[l], outputs[l + 1], stride);
      if (l + 1 < layers.length) activate(this.activation, outputs[l + 1], layer.units * stride);
    });
    const last = outputs[layers.length];
    for (let row = 0; row < numRows; row++) scores[scoresAt + row] = last[row];
  }

  /** Adds to `gradient` what the block of the last `forward` contributes, from the derivative by each of its scores. */
  backward(byScore: Float64Array, at: number, numRows: number): void {
    const { layers, outputs, deltas, kernel } = this;
    const stride = strideOf(numRows);
    const last = deltas[layers.length];
    // what fills a row up to its stride adds nothing
    for (let row = 0; row < stride; row++) last[row] = row < numRows ? byScore[at + row] : 0;
    for (let l = layers.length - 1; l >= 0; l--) {
      kernel.addGradient(layers[l], deltas[l + 1], outputs[l], stride);
      if (l === 0) return;
      kernel.backward(layers[l], deltas[l + 1], deltas[l], stride);
      timesSlope(this.activation, deltas[l], outputs[l], layers[l].inputs * stride);
    }
  }

  /** The net for features as they are, when it was trained on (value - shift) * factor. */
  toScorer(shift: Float64Array, factor: Float64Array): LinearScorer | NetScorer {
    const layers: NetLayer[] = [];
    for (let layer = 1; layer < this.sizes.length; layer++) {
      const inputs = this.sizes[layer - 1];
      const units = this.sizes[layer];
      const from = this.offsets[layer - 1];
      const weights = this.parameters.slice(from, from + inputs * units);
      const bias = this.parameters.slice(from + inputs * units, from + (inputs + 1) * units);
      if (layer === 1) {
        for (let unit = 0; unit < units; unit++) {
          for (let i = 0; i < inputs; i++) {
            weights[unit * inputs + i] *= factor[i];
            bias[unit] -= weights[unit * inputs + i] * shift[i];
          }
        }
      }
      layers.push({ inputs, units, weights, bias, activation: layer < this.sizes.length - 1 ? this.activation : 'identity' });
    }
    return layers.length === 1 ? { kind: 'linear', weights: layers[0].weights, bias: layers[0].bias[0] } : { kind: 'net', layers };
  }
}

/** The scorer of some columns as one of all columns, of which the others count for nothing. */
export function overAllColumns(scorer: LinearScorer | NetScorer, columns: ArrayLike<number>, numColumns: number): LinearScorer | NetScorer {
  const spread = (weights: Float64Array, units: number): Float64Array => {
    const all = new Float64Array(units * numColumns);
    for (let unit = 0; unit < units; unit++) {
      for (let i = 0; i < columns.length; i++) all[unit * numColumns + columns[i]] = weights[unit * columns.length + i];
    }
    return all;
  };
  if (scorer.kind === 'linear') return { ...scorer, weights: spread(scorer.weights, 1) };
  const [first, ...others] = scorer.layers;
  return { ...scorer, layers: [{ ...first, inputs: numColumns, weights: spread(first.weights, first.units) }, ...others] };
}

function activate(activation: Activation, values: Float64Array, n: number): void {
  if (activation === 'relu') {
    for (let i = 0; i < n; i++) if (values[i] < 0) values[i] = 0;
  } else if (activation === 'tanh') {
    for (let i = 0; i < n; i++) values[i] = Math.tanh(values[i]);
  } else {
    for (let i = 0; i < n; i++) values[i] = 1 / (1 + Math.exp(-values[i]));
  }
}

/** Multiplies by the derivative of the activation, which follows from what it put out. */
function timesSlope(activation: Activation, deltas: Float64Array, outputs: Float64Array, n: number): void {
  if (activation === 'relu') {
    for (let i = 0; i < n; i++) if (outputs[i] <= 0) deltas[i] = 0;
  } else if (activation === 'tanh') {
    for (let i = 0; i < n; i++) deltas[i] *= 1 - outputs[i] * outputs[i];
  } else {
    for (let i = 0; i < n; i++) deltas[i] *= outputs[i] * (1 - outputs[i]);
  }
}
