/** The arithmetic of layers, over documents side by side. Arrays of documents have a row for each input or unit, in which the documents
 *  stand one after the other; `stride` of them, a multiple of four, whatever lies behind the last one counting as 0. Every sum has an order
 *  of its own, so that all kernels give the same bits. */
export interface LayerKernel {
  /** Room for so many numbers, all 0, that the functions below can work on. */
  room(count: number): Float64Array;
  /** outputs[u] = bias[u] + Σ weights[u][i] · inputs[i]. */
  forward(layer: Omit<Layer, 'weightGradient' | 'biasGradient'>, inputs: Float64Array, outputs: Float64Array, stride: number): void;
  /** below[i] = Σ weights[u][i] · deltas[u]. */
  backward(layer: Layer, deltas: Float64Array, below: Float64Array, stride: number): void;
  /** Adds to gradient[u][i] the sum of deltas[u] · inputs[i] over documents, and to the gradient of the bias that of deltas[u]. */
  addGradient(layer: Layer, deltas: Float64Array, inputs: Float64Array, stride: number): void;
  adamStep(step: AdamStep): void;
}

/** The parameters of a layer and their gradient, as made by `room`. */
export interface Layer {
  readonly inputs: number;
  readonly units: number;
  /** Unit by unit. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly weightGradient: Float64Array;
  readonly biasGradient: Float64Array;
}

/** What Adam keeps of each parameter, an even number of them, and how long its step is. */
export interface AdamStep {
  readonly parameters: Float64Array;
  readonly gradient: Float64Array;
  readonly mean: Float64Array;
  readonly meanSquare: Float64Array;
  /** 1 - decay of the two means. */
  readonly keep1: number;
  readonly keep2: number;
  readonly stepSize: number;
  readonly small: number;
}

/** Documents in a row, with what fills it up to a multiple of four. */
export function strideOf(numRows: number): number {
  return (numRows + 3) & ~3;
}

/** Rows side by side, as blocks that a kernel works on: one for each query.
 *  @param cells Row by row. */
export class QueryBlocks {
  readonly values: Float64Array;
  private readonly starts: Float64Array;

  constructor(cells: Float64Array, numFeatures: number, queryOffsets: Uint32Array) {
    const numQueries = queryOffsets.length - 1;
    this.starts = new Float64Array(numQueries + 1);
    for (let q = 0; q < numQueries; q++) {
      this.starts[q + 1] = this.starts[q] + numFeatures * strideOf(queryOffsets[q + 1] - queryOffsets[q]);
    }
    this.values = new Float64Array(this.starts[numQueries]);
    for (let q = 0; q < numQueries; q++) {
      turned(cells, queryOffsets[q], queryOffsets[q + 1] - queryOffsets[q], numFeatures, this.values, this.starts[q]);
    }
  }

  /** Where the block of a query begins. */
  startOf(q: number): number {
    return this.starts[q];
  }
}

/** Writes rows into a block, where each feature has a row of documents. */
export function turned(cells: Float64Array, firstRow: number, numRows: number, numFeatures: number, block: Float64Array, at: number): void {
  const stride = strideOf(numRows);
  for (let row = 0; row < numRows; row++) {
    const from = (firstRow + row) * numFeatures;
    for (let f = 0; f < numFeatures; f++) block[at + f * stride + row] = cells[from + f];
  }
}

/** The kernel in TypeScript, for where there is no WebAssembly. */
export function createJsLayerKernel(): LayerKernel {
  return {
    room: (count) => new Float64Array(count),

    forward({ inputs: numInputs, units, weights, bias }, inputs, outputs, stride) {
      for (let u = 0; u < units; u++) multiplyRow(weights, u * numInputs, 1, bias[u], inputs, numInputs, outputs, u * stride, stride);
    },

    backward({ inputs: numInputs, units, weights }, deltas, below, stride) {
      for (let i = 0; i < numInputs; i++) multiplyRow(weights, i, numInputs, 0, deltas, units, below, i * stride, stride);
    },

    addGradient({ inputs: numInputs, units, weightGradient, biasGradient }, deltas, inputs, stride) {
      for (let u = 0; u < units; u++) {
        const d = u * stride;
        for (let i = 0; i < numInputs; i++) {
          const x = i * stride;
          let even = 0;
          let odd = 0;
          for (let r = 0; r < stride; r += 2) {
            even += deltas[d + r] * inputs[x + r];
            odd += deltas[d + r + 1] * inputs[x + r + 1];
          }
          weightGradient[u * numInputs + i] += even + odd;
        }
        let even = 0;
        let odd = 0;
        for (let r = 0; r < stride; r += 2) {
          even += deltas[d + r];
          odd += deltas[d + r + 1];
        }
        biasGradient[u] += even + odd;
      }
    },

    adamStep({ parameters, gradient, mean, meanSquare, keep1, keep2, stepSize, small }) {
      for (let i = 0; i < parameters.length; i++) {
        const g = gradient[i];
        mean[i] += keep1 * (g - mean[i]);
        meanSquare[i] += keep2 * (g * g - meanSquare[i]);
        parameters[i] -= (stepSize * mean[i]) / (Math.sqrt(meanSquare[i]) + small);
      }
    },
  };
}

/** out[r] = start + Σ m[b] · x[b][r], four documents at a time. */
function multiplyRow(
  m: Float64Array,
  from: number,
  step: number,
  start: number,
  x: Float64Array,
  numB: number,
  out: Float64Array,
  outFrom: number,
  stride: number,
): void {
  for (let r = 0; r < stride; r += 4) {
    let s0 = start;
    let s1 = start;
    let s2 = start;
    let s3 = start;
    for (let b = 0, w = from, at = r; b < numB; b++, w += step, at += stride) {
      const weight = m[w];
      s0 += weight * x[at];
      s1 += weight * x[at + 1];
      s2 += weight * x[at + 2];
      s3 += weight * x[at + 3];
    }
    out[outFrom + r] = s0;
    out[outFrom + r + 1] = s1;
    out[outFrom + r + 2] = s2;
    out[outFrom + r + 3] = s3;
  }
}
