import { previousDouble } from '../../src/ltr/models/float32.js';

/** The next larger double. */
export function nextDouble(x: number): number {
  return -previousDouble(-x);
}
