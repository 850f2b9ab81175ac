import type { LinearScorer, NetLayer, NetScorer } from '../ranker.js';

/** Scores of rows side by side in cells, as a linear model gives them. */
export function scoreLinear({ weights, bias }: LinearScorer, cells: Float64Array, numRows: number, scores: Float64Array): void {
  const width = weights.length;
  for (let row = 0, i = 0; row < numRows; row++) {
    let score = bias;
    for (let column = 0; column < width; column++, i++) score += weights[column] * cells[i];
    scores[row] = score;
  }
}

/** Scores of rows side by side in cells, as a net gives them, one after the other; `NetScoring` is faster for many, with the same bits. */
export function scoreNet({ layers }: NetScorer, cells: Float64Array, numRows: number, scores: Float64Array): void {
  const widest = layers.reduce((most, layer) => Math.max(most, layer.inputs, layer.units), 0);
  let input: Float64Array = new Float64Array(widest);
  let output: Float64Array = new Float64Array(widest);
  const width = layers[0].inputs;
  for (let row = 0; row < numRows; row++) {
    for (let column = 0; column < width; column++) input[column] = cells[row * width + column];
    for (const layer of layers) {
      feedForward(layer, input, output);
      [input, output] = [output, input];
    }
    scores[row] = input[0];
  }
}

function feedForward({ inputs, units, weights, bias, activation }: NetLayer, input: Float64Array, output: Float64Array): void {
  for (let unit = 0, i = 0; unit < units; unit++) {
    let sum = bias[unit];
    for (let from = 0; from < inputs; from++, i++) sum += weights[i] * input[from];
    output[unit] = activate(activation, sum);
  }
}

/** What a unit makes of its sum. */
export function activate(activation: NetLayer['activation'], x: number): number {
  if (activation === 'relu' && !(x > 0)) return 0;
  if (activation === 'leakyrelu' && x < 0) return 0.01 * x;
  if (activation === 'identity' || activation === 'relu' || activation === 'leakyrelu') return x;
  return activation === 'tanh' ? Math.tanh(x) : 1 / (1 + Math.exp(-x));
}
