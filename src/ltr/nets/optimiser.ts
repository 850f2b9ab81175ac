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

/** Steps scaled by running means of the gradient and its square. Kingma and Ba, Adam, ICLR 2015, arXiv:1412.6980. */
export function adam(rate: number, size: number, decay1 = 0.9, decay2 = 0.999, small = 1e-8): Optimiser {
  const mean = new Float64Array(size);
  const meanSquare = new Float64Array(size);
  let power1 = 1;
  let power2 = 1;
  return {
    step(parameters, gradient) {
      power1 *= decay1;
      power2 *= decay2;
      const stepSize = (rate * Math.sqrt(1 - power2)) / (1 - power1);
      const smallNow = small * Math.sqrt(1 - power2);
      for (let i = 0; i < size; i++) {
        const g = gradient[i];
        mean[i] += (1 - decay1) * (g - mean[i]);
        meanSquare[i] += (1 - decay2) * (g * g - meanSquare[i]);
        parameters[i] -= (stepSize * mean[i]) / (Math.sqrt(meanSquare[i]) + smallNow);
      }
    },
  };
}
