import { type LayerKernel, strideOf, turned } from '../nets/layer-kernel.js';
import { createLayerKernel } from '../nets/layer-kernel-wasm.js';
import type { NetScorer } from '../ranker.js';
import { activate } from './dense.js';

/** Documents that are scored together: what they and a layer take stays in the nearest caches. */
const BLOCK_ROWS = 64;

/** Nets of one shape, scored block by block. */
export class NetScoring {
  private readonly kernel: LayerKernel;
  private readonly sizes: readonly number[];
  private readonly weights: readonly Float64Array[];
  private readonly biases: readonly Float64Array[];
  private readonly outputs: readonly Float64Array[];
  private scorer: NetScorer;

  constructor(scorer: NetScorer) {
    const { layers } = scorer;
    this.scorer = scorer;
    this.sizes = [layers[0].inputs, ...layers.map(({ units }) => units)];
    const parameters = layers.reduce((sum, { inputs, units }) => sum + (inputs + 1) * units, 0);
    const values = this.sizes.reduce((sum, size) => sum + size * BLOCK_ROWS, 0);
    this.kernel = createLayerKernel(parameters + values, 3 * layers.length + 1);
    this.weights = layers.map(({ weights }) => this.kernel.room(weights.length));
    this.biases = layers.map(({ bias }) => this.kernel.room(bias.length));
    this.outputs = this.sizes.map((size) => this.kernel.room(size * BLOCK_ROWS));
    this.load(scorer);
  }

  /** Takes the parameters of another net of the same shape. */
  load(scorer: NetScorer): void {
    this.scorer = scorer;
    scorer.layers.forEach(({ weights, bias }, l) => {
      this.weights[l].set(weights);
      this.biases[l].set(bias);
    });
  }

  /** Scores of rows side by side in cells. */
  score(cells: Float64Array, numRows: number, scores: Float64Array): void {
    const { kernel, outputs, weights, biases } = this;
    const { layers } = this.scorer;
    for (let start = 0; start < numRows; start += BLOCK_ROWS) {
      const rows = Math.min(BLOCK_ROWS, numRows - start);
      const stride = strideOf(rows);
      turned(cells, start, rows, layers[0].inputs, outputs[0], 0);
      layers.forEach(({ inputs, units, activation }, l) => {
        const out = outputs[l + 1];
        kernel.forward({ inputs, units, weights: weights[l], bias: biases[l] }, outputs[l], out, stride);
        if (activation !== 'identity') for (let i = 0; i < units * stride; i++) out[i] = activate(activation, out[i]);
      });
      const last = outputs[layers.length];
      for (let row = 0; row < rows; row++) scores[start + row] = last[row];
    }
  }
}
