// The two inner loops of resampling in AssemblyScript; `resampling-js.ts` says the same in TypeScript, bit for bit, and is
// what this must equal. All addresses are given by `resampling-wasm.ts`.

/** Where `permutedRanges` deals: room for one group of four topics. A constant, so that no address needs an addition. */
const WORK: usize = 1024;

/** Largest minus smallest system sum after the scores of every topic have been dealt out anew among the systems, for several
 *  resamples: group by group, so that what is read stays in the nearest cache.
 *
 *  scores   groups of four topics: for each group, `systems` rows of four f64 (short groups padded with zeros)
 *  sums     for each resample two f64 per system, all 0: the first and third topics of the groups, and the second and fourth
 *  tables   for each position, 32 bytes: the bounds of a step as eight u16, and for each bound the length of the incomplete
 *           stretch, 65536 mod bound
 *  states   for each resample four xoshiro128** generators side by side, 4 × 16 bytes
 *  ranges   for each resample an f64: the result */
export function permutedRanges(
  scores: usize,
  sums: usize,
  tables: usize,
  states: usize,
  ranges: usize,
  systems: i32,
  groups: i32,
  resamples: i32,
): void {
  for (let group = 0; group < groups; group++) {
    for (let resample = 0; resample < resamples; resample++) {
      dealGroup(scores, sums + ((resample * systems) << 4), tables, states + (resample << 6), systems << 5);
    }
    scores += systems << 5;
  }
  for (let resample = 0; resample < resamples; resample++) {
    let largest = -Infinity;
    let smallest = Infinity;
    for (const end = sums + (systems << 4); sums < end; sums += 16) {
      const sum = f64.load(sums) + f64.load(sums, 8);
      largest = max(largest, sum);
      smallest = min(smallest, sum);
    }
    f64.store(ranges + (resample << 3), largest - smallest);
  }
}

/** Fisher and Yates from the first position up (the form that builds the permuted list while reading the original), four topics at
 *  once and two positions per step: the eight 16-bit halves of four random words are scaled to the eight bounds by
 *  multiplication, and the step is drawn again when any of them falls into the incomplete stretch (Lemire, doi:10.1145/3230636).
 *  `rowsEnd` is the number of systems times 32. */
function dealGroup(scores: usize, sums: usize, tables: usize, state: usize, rowsEnd: usize): void {
  let a = v128.load(state, 0);
  let b = v128.load(state, 16);
  let c = v128.load(state, 32);
  let d = v128.load(state, 48);
  const wholeRows = i32x4.splat(~31);
  v128.store(WORK, v128.load(scores, 0), 0);
  v128.store(WORK, v128.load(scores, 16), 16);
  for (let row: usize = 32; row < rowsEnd; row += 64) {
    const bounds = v128.load(tables + row, 0);
    const stretches = v128.load(tables + row, 16);
    let words: v128;
    for (;;) {
      const timesFive = i32x4.add(b, i32x4.shl(b, 2));
      const rotated = v128.or(i32x4.shl(timesFive, 7), i32x4.shr_u(timesFive, 25));
      words = i32x4.add(rotated, i32x4.shl(rotated, 3));
      const shifted = i32x4.shl(b, 9);
      c = v128.xor(c, a);
      d = v128.xor(d, b);
      b = v128.xor(b, c);
      a = v128.xor(a, d);
      c = v128.xor(c, shifted);
      d = v128.or(i32x4.shl(d, 11), i32x4.shr_u(d, 21));
      // the lower halves of the products tell; the difference is not 0 where one is below its stretch
      if (!v128.any_true(i16x8.sub_sat_u(stretches, i16x8.mul(words, bounds)))) break;
    }
    // the upper halves of the products are the picked rows; times 32 they are addresses
    dealRow(row, scores + row, v128.and(i32x4.shr_u(i32x4.extmul_low_i16x8_u(words, bounds), 11), wholeRows));
    const next = row + 32;
    // an even number of systems leaves a last position alone
    if (next < rowsEnd) {
      dealRow(next, scores + next, v128.and(i32x4.shr_u(i32x4.extmul_high_i16x8_u(words, bounds), 11), wholeRows));
    }
  }
  for (let row: usize = 0; row < rowsEnd; row += 32, sums += 16) {
    v128.store(sums, f64x2.add(v128.load(sums), f64x2.add(v128.load(row, WORK), v128.load(row, WORK + 16))));
  }
  v128.store(state, a, 0);
  v128.store(state, b, 16);
  v128.store(state, c, 32);
  v128.store(state, d, 48);
}

/** Moves what stands in each topic's picked row to the new row, and puts the new row's scores in its place. */
@inline
function dealRow(row: usize, scores: usize, offsets: v128): void {
  const low = v128.load(scores, 0);
  const high = v128.load(scores, 16);
  const lowPicks = i64x2.extract_lane(offsets, 0);
  const highPicks = i64x2.extract_lane(offsets, 1);
  const first: usize = <u32>lowPicks;
  const second: usize = <u32>(lowPicks >> 32);
  const third: usize = <u32>highPicks;
  const fourth: usize = <u32>(highPicks >> 32);
  v128.store(row, v128.load64_lane(second, v128.load64_zero(first, WORK), 1, WORK + 8), WORK);
  v128.store(row, v128.load64_lane(fourth, v128.load64_zero(third, WORK + 16), 1, WORK + 24), WORK + 16);
  v128.store64_lane(first, low, 0, WORK);
  v128.store64_lane(second, low, 1, WORK + 8);
  v128.store64_lane(third, high, 0, WORK + 16);
  v128.store64_lane(fourth, high, 1, WORK + 24);
}

/** Bytes of a row of scores, ten topics, after which `bootstrapEight` looks whether a pair is decided. */
const PAUSE: i32 = 80;

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
      const ratio = v128.load64_splat(ratios);
      const sumJ = sums + (j << 6);
      // a sample counts if its squares stay below these
      let meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 0), v128.load(sumJ, 0)), mean);
      const boundA = f64x2.mul(f64x2.mul(meanStar, meanStar), ratio);
      meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 16), v128.load(sumJ, 16)), mean);
      const boundB = f64x2.mul(f64x2.mul(meanStar, meanStar), ratio);
      meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 32), v128.load(sumJ, 32)), mean);
      const boundC = f64x2.mul(f64x2.mul(meanStar, meanStar), ratio);
      meanStar = f64x2.sub(f64x2.sub(v128.load(sumI, 48), v128.load(sumJ, 48)), mean);
      const boundD = f64x2.mul(f64x2.mul(meanStar, meanStar), ratio);
      let squaresA = zero;
      let squaresB = zero;
      let squaresC = zero;
      let squaresD = zero;
      let hits = zero;
      let drawn = times;
      for (let t = 0; t < rowBytes; ) {
        // two topics per step: their centred squared differences, each against the eight counts
        for (const pause = min(t + PAUSE, rowBytes); t < pause; t += 16, drawn += 128) {
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
        // squares only grow: once all eight are above their bounds, the rest of the topics cannot change that
        const openA = f64x2.ge(boundA, squaresA);
        const openB = f64x2.ge(boundB, squaresB);
        const openC = f64x2.ge(boundC, squaresC);
        const openD = f64x2.ge(boundD, squaresD);
        hits = i64x2.add(
          i64x2.add(v128.and(openA, f64x2.gt(squaresA, zero)), v128.and(openB, f64x2.gt(squaresB, zero))),
          i64x2.add(v128.and(openC, f64x2.gt(squaresC, zero)), v128.and(openD, f64x2.gt(squaresD, zero))),
        );
        if (!v128.any_true(v128.or(v128.or(openA, openB), v128.or(openC, openD)))) break;
      }
      // a hit is −1
      i32.store(counts, i32.load(counts) - <i32>(i64x2.extract_lane(hits, 0) + i64x2.extract_lane(hits, 1)));
      means += 8;
      ratios += 8;
      counts += 4;
    }
  }
}
