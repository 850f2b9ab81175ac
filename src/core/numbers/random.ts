/** A seeded stream of random numbers. Everything stochastic in Gradus takes one of these as an argument; there is no
 *  global generator, so the same seed gives the same bytes on every machine and with any number of threads. */
export interface Random {
  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number;
  /** A real number in [0, 1) with 53 random bits. */
  float(): number;
  /** A whole number in [0, bound), without modulo bias. */
  below(bound: number): number;
  /** A standard normal number. */
  normal(): number;
}

/** Whole numbers only: all that it takes to shuffle. */
export type RandomIntegers = Pick<Random, 'uint32' | 'below'>;

/** Blackman and Vigna's xoshiro128**, seeded through splitmix32 so that neighbouring seeds give unrelated streams.
 *  Work that is divided takes one generator per unit of work (`seededIntegers(seed, unit)`), never one per thread. */
export function seededIntegers(seed: number, stream = 0): RandomIntegers {
  let mix = (Math.floor(seed) ^ Math.imul(Math.floor(seed / 0x100000000), 0x85ebca6b)) | 0;
  mix = Math.imul(mix, 0x9e3779b1) ^ Math.imul(stream + 1, 0xc2b2ae35);
  const nextMix = (): number => {
    mix = (mix + 0x9e3779b9) | 0;
    let z = mix ^ (mix >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let a = nextMix();
  let b = nextMix();
  let c = nextMix();
  let d = nextMix();

  const uint32 = (): number => {
    const times5 = Math.imul(b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  };
  const below = (bound: number): number => {
    // reject the incomplete last stretch of 2^32, so that every value is equally likely
    const limit = 0x100000000 - (0x100000000 % bound);
    let draw = uint32();
    while (draw >= limit) draw = uint32();
    return draw % bound;
  };
  return { uint32, below };
}

/** The same stream, from which real numbers can be drawn too. */
export function seededRandom(seed: number, stream = 0): Random {
  const integers = seededIntegers(seed, stream);
  const { uint32 } = integers;
  const float = (): number => ((uint32() >>> 5) * 0x4000000 + (uint32() >>> 6)) / 0x20000000000000;
  const normal = (): number => {
    // Marsaglia's polar method; the second value is dropped to keep the stream a function of the call count alone
    for (;;) {
      const x = 2 * float() - 1;
      const y = 2 * float() - 1;
      const s = x * x + y * y;
      if (s > 0 && s < 1) return x * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
  return { ...integers, float, normal };
}

/** Fisher and Yates' shuffle, in place. */
export function shuffleInPlace(random: Pick<Random, 'below'>, array: { length: number; [index: number]: unknown }): void {
  for (let last = array.length - 1; last > 0; last--) {
    const pick = random.below(last + 1);
    const kept = array[last];
    array[last] = array[pick];
    array[pick] = kept;
  }
}
