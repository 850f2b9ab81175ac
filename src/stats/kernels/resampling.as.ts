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

/** Bootstrap samples that `bootstrapBlock` looks at together: eight registers of four sums each. */
const LANES: i32 = 32;
/** Squares are rounded to units of which the largest of a pair has this many. */
const LARGEST_SQUARE: f64 = 32767;

/** A block of bootstrap samples of the topics against all pairs of systems: adds to each pair's count how many of them have a
 *  studentised mean at least as extreme as the observed one. Nearly all samples are decided by bounds: squares rounded down to 15
 *  bits, eight products to an instruction, and means in single precision with room for their error. A group of samples with one that
 *  lies between the bounds is counted anew in double precision, so the counts are those of `resampling-js.ts`.
 *
 *  scores   one row of `topics` f64 per system
 *  times    groups of 32 samples: for every two topics (the last one alone if they are odd) 32 pairs of i16, how often each sample
 *           has drawn the one and the other
 *  valid    one i32 per sample of the block: −1, or 0 where the last group is not full
 *  centred  one row of `samples` f32 per system: the mean of each sample less the system's own mean, as `centreMeans` made them
 *  squares  room for one f64 and one i16 per topic, and another i16
 *  pairs    two f64 per pair: the observed mean difference, and the ratio; −1 if the pair needs no sampling
 *  counts   one i32 per pair
 *  spread   the unit of the centred means
 *  slack    how far a difference of two of them may be off, in that unit */
export function bootstrapBlock(
  scores: usize,
  times: usize,
  valid: usize,
  centred: usize,
  squares: usize,
  pairs: usize,
  counts: usize,
  systems: i32,
  topics: i32,
  samples: i32,
  spread: f64,
  slack: f32,
): void {
  const rowBytes = topics << 3;
  const steps = (topics + 1) >> 1;
  const groupBytes = steps << 7;
  const rounded = squares + rowBytes;
  const error = f32x4.splat(slack);
  const draws = f32x4.splat(<f32>topics);
  i32.store16(rounded + (topics << 1), 0);
  for (let i = 0; i < systems; i++) {
    const rowI = scores + i * rowBytes;
    for (let j = i + 1; j < systems; j++, pairs += 16, counts += 4) {
      const rowJ = scores + j * rowBytes;
      const mean = f64.load(pairs);
      const ratio = f64.load(pairs, 8);
      if (ratio < 0) continue;
      let largest: f64 = 0;
      for (let at: usize = 0; at < <usize>rowBytes; at += 8) {
        const difference = f64.load(rowI + at) - f64.load(rowJ + at) - mean;
        const square = difference * difference;
        f64.store(squares + at, square);
        largest = max(largest, square);
      }
      const perUnit = LARGEST_SQUARE / largest;
      for (let t = 0; t < topics; t++) i32.store16(rounded + (t << 1), <i32>(f64.load(squares + (t << 3)) * perUnit));
      // a part in a million covers the rounding of everything that follows
      const scaled = ratio * perUnit * spread * spread;
      const above = f32x4.splat(<f32>(scaled * (1 + 1e-6)));
      const below = f32x4.splat(<f32>(scaled * (1 - 1e-6)));
      let found = 0;
      let drawn = times;
      for (let first = 0; first < samples; first += LANES, drawn += groupBytes) {
        let sumA = i32x4.splat(0);
        let sumB = i32x4.splat(0);
        let sumC = i32x4.splat(0);
        let sumD = i32x4.splat(0);
        let sumE = i32x4.splat(0);
        let sumF = i32x4.splat(0);
        let sumG = i32x4.splat(0);
        let sumH = i32x4.splat(0);
        let square = rounded;
        for (let at = drawn, end = drawn + groupBytes; at < end; at += 128, square += 4) {
          const two = v128.load32_splat(square);
          sumA = i32x4.add(sumA, i32x4.dot_i16x8_s(two, v128.load(at, 0)));
          sumB = i32x4.add(sumB, i32x4.dot_i16x8_s(two, v128.load(at, 16)));
          sumC = i32x4.add(sumC, i32x4.dot_i16x8_s(two, v128.load(at, 32)));
          sumD = i32x4.add(sumD, i32x4.dot_i16x8_s(two, v128.load(at, 48)));
          sumE = i32x4.add(sumE, i32x4.dot_i16x8_s(two, v128.load(at, 64)));
          sumF = i32x4.add(sumF, i32x4.dot_i16x8_s(two, v128.load(at, 80)));
          sumG = i32x4.add(sumG, i32x4.dot_i16x8_s(two, v128.load(at, 96)));
          sumH = i32x4.add(sumH, i32x4.dot_i16x8_s(two, v128.load(at, 112)));
        }
        const meansI = centred + ((i * samples + first) << 2);
        const meansJ = centred + ((j * samples + first) << 2);
        const mask = valid + (first << 2);
        hits = i32x4.splat(0);
        open = i32x4.splat(0);
        decide(sumA, meansI, meansJ, mask, error, above, below, draws);
        decide(sumB, meansI + 16, meansJ + 16, mask + 16, error, above, below, draws);
        decide(sumC, meansI + 32, meansJ + 32, mask + 32, error, above, below, draws);
        decide(sumD, meansI + 48, meansJ + 48, mask + 48, error, above, below, draws);
        decide(sumE, meansI + 64, meansJ + 64, mask + 64, error, above, below, draws);
        decide(sumF, meansI + 80, meansJ + 80, mask + 80, error, above, below, draws);
        decide(sumG, meansI + 96, meansJ + 96, mask + 96, error, above, below, draws);
        decide(sumH, meansI + 112, meansJ + 112, mask + 112, error, above, below, draws);
        if (v128.any_true(open)) found += countExactly(rowI, rowJ, drawn, mask, mean, ratio, topics);
        else {
          // a hit is −1
          found -= i32x4.extract_lane(hits, 0) + i32x4.extract_lane(hits, 1) + i32x4.extract_lane(hits, 2) + i32x4.extract_lane(hits, 3);
        }
      }
      i32.store(counts, i32.load(counts) + found);
    }
  }
}

let hits: v128 = i32x4.splat(0);
let open: v128 = i32x4.splat(0);

/** Four samples: the true sum of squares lies from `sum` to `sum + draws` units, since every drawn square lost less than one. */
@inline
function decide(sum: v128, meansI: usize, meansJ: usize, mask: usize, error: v128, above: v128, below: v128, draws: v128): void {
  const squares = f32x4.convert_i32x4_s(sum);
  const size = f32x4.abs(f32x4.sub(v128.load(meansI), v128.load(meansJ)));
  const most = f32x4.add(size, error);
  const least = f32x4.max(f32x4.sub(size, error), f32x4.splat(0));
  const hit = f32x4.ge(f32x4.mul(f32x4.mul(least, least), below), f32x4.add(squares, draws));
  const miss = f32x4.lt(f32x4.mul(f32x4.mul(most, most), above), squares);
  const counted = v128.load(mask);
  hits = i32x4.add(hits, v128.and(hit, counted));
  open = v128.or(open, v128.andnot(counted, v128.or(hit, miss)));
}

/** The same for a group of samples, in the order of additions that `resampling-js.ts` has. */
function countExactly(rowI: usize, rowJ: usize, drawn: usize, mask: usize, mean: f64, ratio: f64, topics: i32): i32 {
  const share = 1 / <f64>topics;
  let found = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (i32.load(mask + (lane << 2)) == 0) continue;
    let squares: f64 = 0;
    let sumI: f64 = 0;
    let sumJ: f64 = 0;
    for (let t = 0; t < topics; t++) {
      const times = <f64>i32.load16_s(drawn + ((t >> 1) << 7) + (lane << 2) + ((t & 1) << 1));
      const scoreI = f64.load(rowI + (t << 3));
      const scoreJ = f64.load(rowJ + (t << 3));
      const difference = scoreI - scoreJ - mean;
      squares += difference * difference * times;
      sumI += scoreI * times;
      sumJ += scoreJ * times;
    }
    const sampleMean = sumI * share - sumJ * share - mean;
    if (squares > 0 && sampleMean * sampleMean * ratio >= squares) found++;
  }
  return found;
}

/** The means of a block of samples less each system's own mean, in single precision.
 *
 *  deviations  one row of `topics` f64 per system: its scores less its mean, in units of `spread` times the number of topics
 *  times       as `bootstrapBlock` has them
 *  drawn       room for 32 f64 per topic
 *  centred     the result: one row of `samples` f32 per system */
export function centreMeans(deviations: usize, times: usize, drawn: usize, centred: usize, systems: i32, topics: i32, samples: i32): void {
  const groupBytes = ((topics + 1) >> 1) << 7;
  for (let first = 0; first < samples; first += LANES, times += groupBytes, centred += LANES << 2) {
    for (let t = 0; t < topics; t++) {
      const from = times + ((t >> 1) << 7) + ((t & 1) << 1);
      for (let lane = 0; lane < LANES; lane++) f64.store(drawn + (((t << 5) + lane) << 3), <f64>i32.load16_s(from + (lane << 2)));
    }
    for (let s = 0; s < systems; s++) {
      const row = deviations + ((s * topics) << 3);
      const out = centred + ((s * samples) << 2);
      sumSixteen(row, drawn, out, topics);
      sumSixteen(row, drawn + 128, out + 64, topics);
    }
  }
}

/** One system's sums over sixteen samples. */
function sumSixteen(row: usize, drawn: usize, out: usize, topics: i32): void {
  let sumA = f64x2.splat(0);
  let sumB = f64x2.splat(0);
  let sumC = f64x2.splat(0);
  let sumD = f64x2.splat(0);
  let sumE = f64x2.splat(0);
  let sumF = f64x2.splat(0);
  let sumG = f64x2.splat(0);
  let sumH = f64x2.splat(0);
  for (const end = row + (topics << 3); row < end; row += 8, drawn += 256) {
    const deviation = v128.load64_splat(row);
    sumA = f64x2.add(sumA, f64x2.mul(deviation, v128.load(drawn, 0)));
    sumB = f64x2.add(sumB, f64x2.mul(deviation, v128.load(drawn, 16)));
    sumC = f64x2.add(sumC, f64x2.mul(deviation, v128.load(drawn, 32)));
    sumD = f64x2.add(sumD, f64x2.mul(deviation, v128.load(drawn, 48)));
    sumE = f64x2.add(sumE, f64x2.mul(deviation, v128.load(drawn, 64)));
    sumF = f64x2.add(sumF, f64x2.mul(deviation, v128.load(drawn, 80)));
    sumG = f64x2.add(sumG, f64x2.mul(deviation, v128.load(drawn, 96)));
    sumH = f64x2.add(sumH, f64x2.mul(deviation, v128.load(drawn, 112)));
  }
  storeFour(out, sumA, sumB);
  storeFour(out + 16, sumC, sumD);
  storeFour(out + 32, sumE, sumF);
  storeFour(out + 48, sumG, sumH);
}

@inline
function storeFour(out: usize, low: v128, high: v128): void {
  const lowHalf = f32x4.demote_f64x2_zero(low);
  const highHalf = f32x4.demote_f64x2_zero(high);
  v128.store(out, v128.shuffle<i64>(lowHalf, highHalf, 0, 2));
}
