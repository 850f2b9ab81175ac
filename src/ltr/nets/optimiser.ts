import type { LayerKernel } from './layer-kernel.js';

/** A way to turn gradients into steps downhill. */
export interface Optimiser {
  step(parameters: Float64Array, gradient: Float64Array): void;
}

/** Plain steps against the gradient. */
export function sgd(rate: number): Optimiser {
  return {
    step(parameters, gradient) {
      for (let i = 0; i < parameters.length; i++) parameters[i] -= rate * gradient[i];
    },
  };
}

/** Steps scaled by running means of the gradient and its square. Kingma and Ba, Adam, ICLR 2015, arXiv:1412.6980.
 *  @param kernel What parameters and gradients are from. */
export function adam(kernel: LayerKernel, rate: number, size: number, decay1 = 0.9, decay2 = 0.999, small = 1e-8): Optimiser {
  const mean = kernel.room(size);
  const meanSquare = kernel.room(size);
  let power1 = 1;
  let power2 = 1;
  return {
    step(parameters, gradient) {
      power1 *= decay1;
      power2 *= decay2;
      kernel.adamStep({
        parameters,
        gradient,
        mean,
        meanSquare,
        keep1: 1 - decay1,
        keep2: 1 - decay2,
        stepSize: (rate * Math.sqrt(1 - power2)) / (1 - power1),
        small: small * Math.sqrt(1 - power2),
      });
    },
  };
}
