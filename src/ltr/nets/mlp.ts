import type { Random } from '../../core/numbers/random.js';
import type { LinearScorer, NetLayer, NetScorer } from '../ranker.js';

/** Size of the weights that a net begins with, as a share of Glorot and Bengio's (AISTATS 2010). By nDCG@10 on the validation parts of
 *  MQ2008 and OHSUMED RankNet is worth 0.492 and 0.379 with 1, 0.502 and 0.444 with 0.1, and as much with 0.2 or 0.05. */
const START = 0.1;

/** What a unit makes of its sum. */
export type Activation = 'tanh' | 'sigmoid' | 'relu';

/** A scorer with hidden layers (none: a linear one) and one output, over blocks of documents. All parameters are in one
 *  array, layer by layer, each layer its weights (unit by unit) and then its biases, so that an optimiser needs no structure. */
export class Mlp {
  readonly parameters: Float64Array;
  readonly gradient: Float64Array;
  /** Units per layer, the inputs first and the one output last. */
  readonly sizes: readonly number[];
  private readonly activation: Activation;
  private readonly offsets: readonly number[];
  /** What each layer put out for the block, document by document; filled by `forward`, read by `backward`. */
  private outputs: Float64Array[];
  private deltas: Float64Array[];
  private capacity = 0;
  private inputs: Float64Array = new Float64Array(0);
  private inputStart = 0;

  constructor(numInputs: number, hidden: readonly number[], activation: Activation) {
    this.sizes = [numInputs, ...hidden, 1];
    this.activation = activation;
    const offsets = [0];
    for (let layer = 1; layer < this.sizes.length; layer++) {
      offsets.push(offsets[layer - 1] + (this.sizes[layer - 1] + 1) * this.sizes[layer]);
    }
    this.offsets = offsets;
    this.parameters = new Float64Array(offsets[offsets.length - 1]);
    this.gradient = new Float64Array(this.parameters.length);
    this.outputs = [];
    this.deltas = [];
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

  /** scores[start … end) of the rows of `cells`. Remembers what `backward` needs. */
  forward(cells: Float64Array, start: number, end: number, scores: Float64Array): void {
    const { sizes, parameters, offsets } = this;
    const numRows = end - start;
    this.reserve(numRows);
    this.inputs = cells;
    this.inputStart = start * sizes[0];
    let input = cells;
    let inputStart = this.inputStart;
    for (let layer = 1; layer < sizes.length; layer++) {
      const fanIn = sizes[layer - 1];
      const units = sizes[layer];
      const weightsFrom = offsets[layer - 1];
      const biasFrom = weightsFrom + fanIn * units;
      const output = this.outputs[layer];
      for (let row = 0; row < numRows; row++) {
        const inputFrom = inputStart + row * fanIn;
        for (let unit = 0; unit < units; unit++) {
          let sum = parameters[biasFrom + unit];
          const from = weightsFrom + unit * fanIn;
          for (let i = 0; i < fanIn; i++) sum += parameters[from + i] * input[inputFrom + i];
          output[row * units + unit] = sum;
        }
      }
      if (layer < sizes.length - 1) activate(this.activation, output, numRows * units);
      input = output;
      inputStart = 0;
    }
    const last = this.outputs[sizes.length - 1];
    for (let row = 0; row < numRows; row++) scores[start + row] = last[row];
  }

  /** Adds to `gradient` what the block of the last `forward` contributes, from the derivative by each of its scores. */
  backward(byScore: Float64Array, start: number, end: number): void {
    const { sizes, parameters, gradient, offsets } = this;
    const numRows = end - start;
    const last = sizes.length - 1;
    const lastDelta = this.deltas[last];
    for (let row = 0; row < numRows; row++) lastDelta[row] = byScore[start + row];
    for (let layer = last; layer > 0; layer--) {
      const fanIn = sizes[layer - 1];
      const units = sizes[layer];
      const weightsFrom = offsets[layer - 1];
      const biasFrom = weightsFrom + fanIn * units;
      const delta = this.deltas[layer];
      const input = layer === 1 ? this.inputs : this.outputs[layer - 1];
      const inputStart = layer === 1 ? this.inputStart : 0;
      const below = this.deltas[layer - 1];
      if (layer > 1) below.fill(0, 0, numRows * fanIn);
      for (let row = 0; row < numRows; row++) {
        const inputFrom = inputStart + row * fanIn;
        const belowFrom = row * fanIn;
        for (let unit = 0; unit < units; unit++) {
          const change = delta[row * units + unit];
          if (change === 0) continue;
          const from = weightsFrom + unit * fanIn;
          gradient[biasFrom + unit] += change;
          for (let i = 0; i < fanIn; i++) gradient[from + i] += change * input[inputFrom + i];
          if (layer > 1) for (let i = 0; i < fanIn; i++) below[belowFrom + i] += change * parameters[from + i];
        }
      }
      if (layer > 1) timesSlope(this.activation, below, this.outputs[layer - 1], numRows * fanIn);
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

  private reserve(numRows: number): void {
    if (numRows <= this.capacity) return;
    this.capacity = numRows;
    this.outputs = this.sizes.map((units, layer) => new Float64Array(layer === 0 ? 0 : numRows * units));
    this.deltas = this.sizes.map((units, layer) => new Float64Array(layer === 0 ? 0 : numRows * units));
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
