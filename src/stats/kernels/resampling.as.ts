// The two inner loops of resampling in AssemblyScript; `resampling-js.ts` says the same in TypeScript, bit for bit, and is
// what this must equal. All addresses are given by `resampling-wasm.ts`.

/** Largest minus smallest system sum after the scores of every topic have been dealt out anew among the systems.
 *
 *  scores   groups of four topics: for each group, `systems` rows of four f64 (short groups padded with zeros)
 *  work     room for one group
 *  sums     room for one f64 per system
 *  limits   one i32 per position i: 65536 mod (i + 1)
 *  state    four xoshiro128** generators side by side, 4 × 16 bytes; not written back
 *
 *  Fisher and Yates from the last position down, four topics at once and two positions per step: the eight 16-bit halves of
 *  four random words are scaled to the eight bounds by multiplication, and the step is drawn again when any of them
 *  falls into the incomplete stretch (Lemire, doi:10.1145/3230636). What is dealt to a position goes straight into its sum. */
export function permutedRange(scores: usize, work: usize, sums: usize, limits: usize, state: usize, systems: i32, groups: i32): f64 {
  let a = v128.load(state, 0);
  let b = v128.load(state, 16);
  let c = v128.load(state, 32);
  let d = v128.load(state, 48);
  const groupBytes = systems << 5;
  const wholeRows = i32x4.splat(~31);
  const lowHalf = i32x4.splat(0xffff);
  const oneLessAbove = i16x8(0, 0, 0, 0, 1, 1, 1, 1);
  memory.fill(sums, 0, systems << 3);
  for (let group = 0; group < groups; group++) {
    memory.copy(work, scores + group * groupBytes, groupBytes);
    let i = systems - 1;
    for (; i >= 1; i -= 2) {
      const bounds = i16x8.sub(i16x8.splat(<i16>(i + 1)), oneLessAbove);
      const limit = v128.load32_splat(limits + (i << 2));
      const limitBefore = v128.load32_splat(limits + ((i - 1) << 2));
      let here: v128;
      let before: v128;
      for (;;) {
        const timesFive = i32x4.add(b, i32x4.shl(b, 2));
        const rotated = v128.or(i32x4.shl(timesFive, 7), i32x4.shr_u(timesFive, 25));
        const words = i32x4.add(rotated, i32x4.shl(rotated, 3));
        const shifted = i32x4.shl(b, 9);
        c = v128.xor(c, a);
        d = v128.xor(d, b);
        b = v128.xor(b, c);
        a = v128.xor(a, d);
        c = v128.xor(c, shifted);
        d = v128.or(i32x4.shl(d, 11), i32x4.shr_u(d, 21));
        here = i32x4.extmul_low_i16x8_u(words, bounds);
        before = i32x4.extmul_high_i16x8_u(words, bounds);
        const refused = v128.or(i32x4.lt_s(v128.and(here, lowHalf), limit), i32x4.lt_s(v128.and(before, lowHalf), limitBefore));
        if (!v128.any_true(refused)) break;
      }

      // the upper halves of the products are the picked rows; times 32 they are addresses
      let offsets = v128.and(i32x4.shr_u(here, 11), wholeRows);
      let row = work + (i << 5);
      let low = v128.load(row, 0);
      let high = v128.load(row, 16);
      let two = i64x2.extract_lane(offsets, 0);
      let pick = work + <u32>two;
      const first = f64.load(pick, 0);
      v128.store64_lane(pick, low, 0, 0);
      pick = work + <u32>(two >> 32);
      const second = f64.load(pick, 8);
      v128.store64_lane(pick, low, 1, 8);
      two = i64x2.extract_lane(offsets, 1);
      pick = work + <u32>two;
      const third = f64.load(pick, 16);
      v128.store64_lane(pick, high, 0, 16);
      pick = work + <u32>(two >> 32);
      const fourth = f64.load(pick, 24);
      v128.store64_lane(pick, high, 1, 24);
      const sum = sums + (i << 3);
      f64.store(sum, f64.load(sum) + (first + second + (third + fourth)));

      // the same for the position before
      offsets = v128.and(i32x4.shr_u(before, 11), wholeRows);
      row -= 32;
      low = v128.load(row, 0);
      high = v128.load(row, 16);
      two = i64x2.extract_lane(offsets, 0);
      pick = work + <u32>two;
      const firstBefore = f64.load(pick, 0);
      v128.store64_lane(pick, low, 0, 0);
      pick = work + <u32>(two >> 32);
      const secondBefore = f64.load(pick, 8);
      v128.store64_lane(pick, low, 1, 8);
      two = i64x2.extract_lane(offsets, 1);
      pick = work + <u32>two;
      const thirdBefore = f64.load(pick, 16);
      v128.store64_lane(pick, high, 0, 16);
      pick = work + <u32>(two >> 32);
      const fourthBefore = f64.load(pick, 24);
      v128.store64_lane(pick, high, 1, 24);
      f64.store(sum - 8, f64.load(sum - 8) + (firstBefore + secondBefore + (thirdBefore + fourthBefore)));
    }
    // an odd number of systems leaves the first position with what nobody picked
    if (i == 0) f64.store(sums, f64.load(sums) + (f64.load(work, 0) + f64.load(work, 8) + (f64.load(work, 16) + f64.load(work, 24))));
  }
  let largest = f64.load(sums);
  let smallest = largest;
  for (let i = 1; i < systems; i++) {
    const sum = f64.load(sums + (i << 3));
    largest = max(largest, sum);
    smallest = min(smallest, sum);
  }
  return largest - smallest;
}

/** Eight bootstrap samples of the topics against all pairs of systems: adds to each pair's count how many of them have a
 *  studentised mean at least as extreme as the observed one.
 *
 *  scores   one row of `topics` f64 per system; `topics` is even (padded with a zero)
 *  times    for each topic eight f64: how often each sample has drawn it
 *  sums     room for eight f64 per system
 *  means    one f64 per pair: the observed mean difference
 *  ratios   one f64 per pair: see `bootstrapExceedances` in resampling-js.ts
 *  counts   one i32 per pair */
export function bootstrapEight(
  scores: usize,
  times: usize,
  sums: usize,
  means: usize,
  ratios: usize,
  counts: usize,
  systems: i32,
  topics: i32,
  perTopic: f64,
): void {
  const rowBytes = topics << 3;
  const share = f64x2.splat(perTopic);
  const zero = f64x2.splat(0);
  // every system's mean score in every sample
  for (let s = 0; s < systems; s++) {
    let sumA = zero;
    let sumB = zero;
    let sumC = zero;
    let sumD = zero;
    let drawn = times;
    const row = scores + s * rowBytes;
    for (let at = row; at < row + rowBytes; at += 8, drawn += 64) {
      const score = v128.load64_splat(at);
      sumA = f64x2.add(sumA, f64x2.mul(score, v128.load(drawn, 0)));
      sumB = f64x2.add(sumB, f64x2.mul(score, v128.load(drawn, 16)));
      sumC = f64x2.add(sumC, f64x2.mul(score, v128.load(drawn, 32)));
      sumD = f64x2.add(sumD, f64x2.mul(score, v128.load(drawn, 48)));
    }
    const sum = sums + (s << 6);
    v128.store(sum, f64x2.mul(sumA, share), 0);
    v128.store(sum, f64x2.mul(sumB, share), 16);
    v128.store(sum, f64x2.mul(sumC, share), 32);
    v128.store(sum, f64x2.mul(sumD, share), 48);
  }
  for (let i = 0; i < systems; i++) {
    const rowI = scores + i * rowBytes;
    const sumI = sums + (i << 6);
    for (let j = i + 1; j < systems; j++) {
      const rowJ = scores + j * rowBytes;
      const mean = v128.load64_splat(means);
      let squaresA = zero;
      let squaresB = zero;
      let squaresC = zero;
      let squaresD = zero;
      let drawn = times;
      // two topics per step: their centred squared differences, each against the eight counts
      for (let t = 0; t < rowBytes; t += 16, drawn += 128) {
        const centred = f64x2.sub(f64x2.sub(v128.load(rowI + t), v128.load(rowJ + t)), mean);
        const squared = f64x2.mul(centred, centred);
        let square = v128.shuffle<i64>(squared, squared, 0, 0);
        squaresA = f64x2.add(squaresA, f64x2.mul(square, v128.load(drawn, 0)));
        squaresB = f64x2.add(squaresB, f64x2.mul(square, v128.load(drawn, 16)));
        squaresC = f64x2.add(squaresC, f64x2.mul(square, v128.load(drawn, 32)));
        squaresD = f64x2.add(squaresD, f64x2.mul(square, v128.load(drawn, 48)));
        square = v128.shuffle<i64>(squared, squared, 1, 1);
        squaresA = f64x2.add(squaresA, f64x2.mul(square, v128.load(drawn, 64)));
        squaresB = f64x2.add(squaresB, f64x2.mul(square, v128.load(drawn, 80)));
        squaresC = f64x2.add(squaresC, f64x2.mul(square, v128.load(drawn, 96)));
        squaresD = f64x2.add(squaresD, f64x2.mul(square, v128.load(drawn, 112)));
      }
      const ratio = v128.load64_splat(ratios);
      const sumJ = sums + (j << 6);
      let meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 0), v128.load(sumJ, 0)), mean);
      let hits = v128.and(f64x2.ge(f64x2.mul(f64x2.mul(meanStar, meanStar), ratio), squaresA), f64x2.gt(squaresA, zero));
      meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 16), v128.load(sumJ, 16)), mean);
      hits = i64x2.add(hits, v128.and(f64x2.ge(f64x2.mul(f64x2.mul(meanStar, meanStar), ratio), squaresB), f64x2.gt(squaresB, zero)));
      meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 32), v128.load(sumJ, 32)), mean);
      hits = i64x2.add(hits, v128.and(f64x2.ge(f64x2.mul(f64x2.mul(meanStar, meanStar), ratio), squaresC), f64x2.gt(squaresC, zero)));
      meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 48), v128.load(sumJ, 48)), mean);
      hits = i64x2.add(hits, v128.and(f64x2.ge(f64x2.mul(f64x2.mul(meanStar, meanStar), ratio), squaresD), f64x2.gt(squaresD, zero)));
      // a hit is −1
      i32.store(counts, i32.load(counts) - <i32>(i64x2.extract_lane(hits, 0) + i64x2.extract_lane(hits, 1)));
      means += 8;
      ratios += 8;
      counts += 4;
    }
  }
}
