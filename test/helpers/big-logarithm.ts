/** ln k times 2^bits, nearly: Newton's iteration on exp, whose series is summed with whole numbers. */
export function bigLn(k: number, bits: number): bigint {
  const guard = bits + 64;
  const one = 1n << BigInt(guard);
  // start from what the machine says, and halve the error's digits in each step: y + 2 (k - e^y) / (k + e^y)
  let y = BigInt(Math.round(Math.log(k) * 2 ** 40)) << BigInt(guard - 40);
  for (let step = 0; step < 6; step++) {
    const power = bigExp(y, guard);
    const target = BigInt(k) * one;
    y += (2n * (target - power) * one) / (target + power);
  }
  return y >> 64n;
}

/** e^(y / 2^bits) times 2^bits: the series at y / 2^16, then squared sixteen times. */
function bigExp(y: bigint, bits: number): bigint {
  const one = 1n << BigInt(bits);
  const small = y >> 16n;
  let term = one;
  let sum = one;
  for (let n = 1n; term !== 0n; n++) {
    term = (term * small) / (n * one);
    sum += term;
  }
  for (let i = 0; i < 16; i++) sum = (sum * sum) / one;
  return sum;
}
