// Reads features in their plainest form: the next id, a colon, a decimal number of up to 15 digits. `letor-lines.ts` reads all forms and
// takes over wherever this stops; `letor-row.ts` fills the tables.
// fits: ids have at most nine digits, and counts are of values in this memory.

const LF: u32 = 10;
const CR: u32 = 13;
const BLANK: u32 = 32;
const MINUS: u32 = 45;

/** Powers of ten (f64) from 10^0 to 10^15. */
const POWERS: usize = 1024;
/** For each length of a number and each place of its point, from which bytes the digits come: 16 bytes that end with the last. */
const PICKS: usize = 2048;
/** For each id its text ` 12:` in eight bytes, a mask of the bytes that count, and how many those are: 24 bytes. */
const ID_SIZE: usize = 24;

/** Reads features from `at` on, where a blank stands, into `values`, up to `limit`, as long as their ids are those from `id` to `lastId`
 *  (addresses in the table). Returns where it stopped: at the byte behind the last number that was read. The number of features read
 *  is stored at `numRead`. Up to 16 bytes behind the text may be read. */
export function readFeatures(at: usize, values: usize, limit: usize, id: usize, lastId: usize, numRead: usize): usize {
  const first = values;
  while (values < limit && id < lastId) {
    if ((load<u64>(at) & load<u64>(id, 8)) != load<u64>(id)) break;
    const start = at + load<u32>(id, 16);
    const length = readNumber(start, values);
    if (length == 0) break;
    values += 8;
    id += ID_SIZE;
    at = start + length;
  }
  store<u32>(numRead, u32((values - first) >> 3));
  return at;
}

const COLONS: u64 = 0x3a3a3a3a3a3a3a3a;
const ZEROS: u64 = 0x3030303030303030;
const LOWEST: u64 = 0x0101010101010101;
const HIGHEST: u64 = 0x8080808080808080;

/** The same for ids of up to seven digits that ascend from `leastId` on: stores what is left of each when `firstId` is taken away at
 *  `columns`. The least id that may follow is stored behind the number of features read. */
export function readSparse(at: usize, values: usize, limit: usize, columns: usize, leastId: u32, firstId: u32, numRead: usize): usize {
  const first = values;
  while (values < limit) {
    if (load<u8>(at) != BLANK) break;
    const word = load<u64>(at, 1);
    // the first byte that becomes zero is the colon
    const differing = word ^ COLONS;
    const colon = (differing - LOWEST) & ~differing & HIGHEST;
    const numDigits = ctz(colon) >> 3;
    if (colon == 0 || numDigits == 0) break;
    // the digits in the uppermost bytes, zeros below
    const unused = 64 - (numDigits << 3);
    const digits = (word << unused) - (ZEROS << unused);
    if (((digits | (digits + 0x7676767676767676)) & HIGHEST) != 0) break;
    const pairs = digits * 10 + (digits >> 8);
    const id = u32(
      ((pairs & 0x000000ff000000ff) * 0x000f424000000064 + ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >> 32,
    );
    if (id < leastId) break;
    const start = at + 2 + usize(numDigits);
    const length = readNumber(start, values);
    if (length == 0) break;
    store<u32>(columns, id - firstId);
    leastId = id + 1;
    columns += 4;
    values += 8;
    at = start + length;
  }
  store<u32>(numRead, u32((values - first) >> 3));
  store<u32>(numRead, leastId, 4);
  return at;
}

/** Reads the number that starts here, stores it at `target` and tells its length; 0 if it is not of the plainest form, or if neither a
 *  blank nor the end of the line follows. */
@inline
function readNumber(start: usize, target: usize): u32 {
  const text = v128.load(start);
  const isNegative = u32(load<u8>(start) == MINUS);
  const digits = i8x16.sub(text, i8x16.splat(48));
  const areDigits = i8x16.lt_u(digits, i8x16.splat(10));
  const points = i8x16.bitmask(i8x16.eq(text, i8x16.splat(46)));
  const length: u32 = ctz(~(i8x16.bitmask(areDigits) | points | isNegative));
  if (length > 15) return 0;
  const end = load<u8>(start + length);
  if (end != BLANK && end != LF && end != CR) return 0;
  const point: u32 = points & ((1 << length) - 1);
  const hasPoint = u32(point != 0);
  // one point at most, and a digit at least
  if ((point & (point - 1)) != 0 || length <= isNegative + hasPoint) return 0;
  const pointAt: u32 = hasPoint != 0 ? ctz(point) : length;
  const places: u32 = length - pointAt - hasPoint;
  // sixteen digits, then eight pairs, four fours, two eights
  const picked = i8x16.swizzle(v128.and(digits, areDigits), v128.load(PICKS + (((length << 4) | pointAt) << 4)));
  const tens = i8x16(10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1);
  const pairs = i16x8.narrow_i32x4_u(
    i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_low_i8x16_u(picked, tens)),
    i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_high_i8x16_u(picked, tens)),
  );
  const fours = i32x4.dot_i16x8_s(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const eights = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(fours, fours), i16x8(10000, 1, 10000, 1, 10000, 1, 10000, 1));
  const whole = f64(i32x4.extract_lane(eights, 0)) * 1e8 + f64(i32x4.extract_lane(eights, 1));
  // both exact, so that the quotient is rounded once (Clinger 1990, doi:10.1145/93542.93557)
  const magnitude = whole / load<f64>(POWERS + (places << 3));
  store<f64>(target, isNegative != 0 ? -magnitude : magnitude);
  return length;
}
