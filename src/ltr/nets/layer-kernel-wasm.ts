import { kernelLoader, kernelMemory, startKernel } from '../../core/kernel.js';
import { layersWasm } from './kernels/layers.wasm.js';
import { createJsLayerKernel, type LayerKernel } from './layer-kernel.js';

interface LayerFunctions {
  multiply(
    m: number,
    strideA: number,
    strideB: number,
    start: number,
    x: number,
    out: number,
    numA: number,
    numB: number,
    stride: number,
  ): void;
  addGradient(
    deltas: number,
    inputs: number,
    gradient: number,
    biasGradient: number,
    numUnits: number,
    numInputs: number,
    stride: number,
  ): void;
  adamStep(
    parameters: number,
    gradient: number,
    mean: number,
    meanSquare: number,
    count: number,
    keep1: number,
    keep2: number,
    stepSize: number,
    small: number,
  ): void;
}

/** Beyond this a net works on arrays of JavaScript. */
const MOST_BYTES = 2 ** 30;
/** Nothing lies at address 0, which stands for "none". */
const FIRST_ADDRESS = 16;

const loadKernel = kernelLoader(layersWasm);

/** The fastest kernel that runs here, with room for so many numbers in so many arrays; all give the same bits. */
export function createLayerKernel(numbers: number, arrays: number): LayerKernel {
  return createWasmLayerKernel(numbers, arrays) ?? createJsLayerKernel();
}

/** The kernel in WebAssembly, or undefined where there is none or the arrays do not fit. */
export function createWasmLayerKernel(numbers: number, arrays: number): LayerKernel | undefined {
  const module = loadKernel();
  const bytes = FIRST_ADDRESS + 8 * numbers + 16 * arrays;
  if (module === undefined || bytes > MOST_BYTES) return undefined;
  const memory = kernelMemory(bytes);
  if (memory === undefined) return undefined;
  const { multiply, addGradient, adamStep } = startKernel<LayerFunctions>(module, memory);
  let next = FIRST_ADDRESS;
  return {
    room(count) {
      const at = next;
      next += (8 * count + 15) & ~15;
      return new Float64Array(memory.buffer, at, count);
    },
    forward({ inputs: numInputs, units, weights, bias }, inputs, outputs, stride) {
      multiply(weights.byteOffset, 8 * numInputs, 8, bias.byteOffset, inputs.byteOffset, outputs.byteOffset, units, numInputs, 8 * stride);
    },
    backward({ inputs: numInputs, units, weights }, deltas, below, stride) {
      multiply(weights.byteOffset, 8, 8 * numInputs, 0, deltas.byteOffset, below.byteOffset, numInputs, units, 8 * stride);
    },
    addGradient({ inputs: numInputs, units, weightGradient, biasGradient }, deltas, inputs, stride) {
      addGradient(deltas.byteOffset, inputs.byteOffset, weightGradient.byteOffset, biasGradient.byteOffset, units, numInputs, 8 * stride);
    },
    adamStep({ parameters, gradient, mean, meanSquare, keep1, keep2, stepSize, small }) {
      adamStep(
        parameters.byteOffset,
        gradient.byteOffset,
        mean.byteOffset,
        meanSquare.byteOffset,
        parameters.length,
        keep1,
        keep2,
        stepSize,
        small,
      );
    },
  };
}
