import { type Random, seededRandom } from '../../src/core/numbers/random.js';

/** Small choices from one seed. */
export class Dice {
  readonly random: Random;
  constructor(seed: number, stream = 0) {
    this.random = seededRandom(seed, stream);
  }
  chance(p: number): boolean {
    return this.random.float() < p;
  }
  below(n: number): number {
    return this.random.below(n);
  }
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
  sample<T>(items: readonly T[], count: number): T[] {
    const rest = [...items];
    return Array.from({ length: Math.min(count, items.length) }, () => rest.splice(this.below(rest.length), 1)[0]);
  }
  shuffled<T>(items: readonly T[]): T[] {
    return this.sample(items, items.length);
  }
}
