// The scanner's inner loops in AssemblyScript. `line-scanner-js.ts` says the same in TypeScript and is what this must
// equal; `line-scanner-wasm.ts` fills the tables and knows the same addresses.
//
// Lines are taken in batches: first all lines of a batch are cut into fields, then the document ids are hashed, then
// the numbers are read. Each of these loops is small enough to stay in registers. Text is looked at in windows of 64
// bytes: one bit per byte tells white space, another line ends, and the places where the white bits change are the
// edges of the fields. Reads may pass the end of the text by up to 64 bytes and start up to 33 bytes before a number.
//
// Functions that are exported besides `scan` are so only because exported functions are not inlined: inlining a rare
// path into a loop costs the loop its registers.

// header: one 32-bit word each; places in the text count from its start
const POSITION: usize = 0;
const END: usize = 4;
const NUM_LINES: usize = 8;
const MAX_LINES: usize = 12;
const NUM_ODD: usize = 16;
const TOPIC_START: usize = 20;
const TOPIC_END: usize = 24;
const TAG_START: usize = 28;
const TAG_END: usize = 32;
const COMMENT_END: usize = 36;
const NEW_RECORDS: usize = 40; // consumed by this call
const NEW_LINES: usize = 44;
// the layout of a line
const NUM_EDGES: usize = 48; // two per field
const EXTRA_EDGES: usize = 52; // how many more are allowed
const TOPIC_AT: usize = 56; // where in EDGES the fields stand, in bytes
const DOC_AT: usize = 60;
const NUMBER_AT: usize = 64;
const TAG_AT: usize = 68; // -1 if there is none
const KEPT_AT: usize = 72; // two words
const NUM_KEPT: usize = 80;
const INTEGERS: usize = 84;
const BLANK_IS_BAD: usize = 88;
const COMMENT_BYTE: usize = 92; // '#', or a number no byte has
const COMMENTS_SINGLE: usize = 96;
const PLAIN: usize = 100; // whether `plainLines` knows this layout
// addresses of the columns
const NUMBERS: usize = 104;
const DOC_START: usize = 108;
const DOC_END: usize = 112;
const DOC_HASH: usize = 116;
const ODD: usize = 120;
const ODD_START: usize = 124;
const ODD_END: usize = 128;
const KEPT: usize = 132; // start and end of each kept field: four words

// scratch
const EDGES: usize = 256; // of the line at hand: start and end of each field
const NUMBER_START: usize = 1024; // of the numbers of the batch
const NUMBER_END: usize = 2048;
const PENDING: usize = 3072; // numbers of the batch still to be read, as offsets into the two above
const BATCH: u32 = 256;

// tables
const CONSTANTS: usize = 4096; // see `constant`
const MASKS: usize = 4160; // 32 zero bytes, then 32 bytes of ones
const POWERS_OF_TEN: usize = 4224; // 10^0 to 10^22 as doubles
const SIGN_LENGTHS: usize = 4416; // by first byte of a number: 1 for + and -, else 0
const SIGNS: usize = 4672; // by first byte of a number: the double -1 for -, else 1
// by MAX_POWER - q, 32 bytes each: the first 128 bits of 5^q, high word first, and the exponent of 10^q
const POWERS_OF_FIVE: usize = 6720;
const MIN_POWER: i32 = -128;
const MAX_POWER: i32 = 64;
const POWER_ZERO: usize = POWERS_OF_FIVE + (MAX_POWER << 5);
const TEXT: usize = 13056;

const SCAN_END: i32 = 0;
const SCAN_TOPIC: i32 = 1;
const SCAN_FULL: i32 = 2;
const SCAN_BAD: i32 = 3;
const BATCH_FULL: i32 = 4;
const CONSUMED: i32 = 5;

let line: u32 = 0; // start of the next line
let lastLine: u32 = 0; // start of the last line collected
let numLines: u32 = 0;
let numSkipped: u32 = 0;

/** A vector with the same byte everywhere. It comes from memory because an engine builds a constant anew in each turn
 *  of a loop, but keeps a loaded value in a register. */
@inline
function constant(k: usize): v128 {
  return v128.load8_splat(CONSTANTS + k);
}

@inline
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16);
  const high = <u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16);
  return <u64>low | (<u64>high << 32);
}

/** Space, and 9 to 13: these five are the smallest signed bytes once 119 is added. */
@inline
function isWhite(bytes: v128, space: v128, shift: v128, bound: v128): v128 {
  return v128.or(i8x16.eq(bytes, space), i8x16.gt_s(bound, i8x16.add(bytes, shift)));
}

@inline
function headMask(length: u32): u64 {
  return length >= 8 ? ~(<u64>0) : ((<u64>1) << (<u64>length << 3)) - 1;
}

/** Collects lines as long as they are plain: of the topic at hand, shorter than a window, with exactly the fields asked
 *  for, the topic in field 0, the document in field 2 and the number in field 3 or 4, and nothing to keep. */
function plainLines(end: u32, batchStart: u32, maxLines: u32): void {
  const topicStart = load<u32>(TOPIC_START);
  const topicLength = load<u32>(TOPIC_END) - topicStart;
  if (topicLength > 16) return;
  const topicMask = headMask(topicLength);
  const topicHead = load<u64>(topicStart, TEXT) & topicMask;
  const topicTail = load<u64>(topicStart + topicLength, TEXT - 8);
  const numEdges = load<u32>(NUM_EDGES);
  const commentByte = load<u32>(COMMENT_BYTE);
  const skipsField = load<u32>(NUMBER_AT) == 32;
  const docStart = <usize>load<u32>(DOC_START) + (<usize>batchStart << 2);
  const docEnd = <usize>load<u32>(DOC_END) + (<usize>batchStart << 2);
  const space = constant(0);
  const shift = constant(1);
  const bound = constant(2);
  const lineFeed = constant(3);
  let cell = <usize>(numLines - batchStart) << 2;
  const cellEnd = <usize>(maxLines - batchStart) << 2;
  let at = line;
  let last = lastLine;

  while (cell < cellEnd) {
    if (at + 64 > end) break;
    const b0 = v128.load(at, TEXT);
    const b1 = v128.load(at, TEXT + 16);
    const b2 = v128.load(at, TEXT + 32);
    const b3 = v128.load(at, TEXT + 48);
    const lineEnds = bits(i8x16.eq(b0, lineFeed), i8x16.eq(b1, lineFeed), i8x16.eq(b2, lineFeed), i8x16.eq(b3, lineFeed));
    if (lineEnds == 0) break;
    const white = bits(isWhite(b0, space, shift, bound), isWhite(b1, space, shift, bound), isWhite(b2, space, shift, bound), isWhite(b3, space, shift, bound));
    let edges = (white ^ ((white << 1) | 1)) & (lineEnds ^ (lineEnds - 1));
    if (<u32>popcnt(edges) != numEdges) break;
    const topic = at + <u32>ctz(edges);
    edges &= edges - 1;
    if (at + <u32>ctz(edges) - topic != topicLength) break;
    if (<u32>load<u8>(topic, TEXT) == commentByte) break;
    if ((load<u64>(topic, TEXT) & topicMask) != topicHead) break;
    if (topicLength > 8) {
      if (load<u64>(topic + topicLength, TEXT - 8) != topicTail) break;
    }
    edges &= edges - 1;
    edges &= edges - 1;
    edges &= edges - 1;
    store<u32>(docStart + cell, at + <u32>ctz(edges));
    edges &= edges - 1;
    store<u32>(docEnd + cell, at + <u32>ctz(edges));
    edges &= edges - 1;
    if (skipsField) {
      edges &= edges - 1;
      edges &= edges - 1;
    }
    store<u32>(cell, at + <u32>ctz(edges), NUMBER_START);
    edges &= edges - 1;
    store<u32>(cell, at + <u32>ctz(edges), NUMBER_END);
    cell += 4;
    last = at;
    at += <u32>ctz(lineEnds) + 1;
  }
  line = at;
  lastLine = last;
  numLines = batchStart + (<u32>cell >> 2);
}

let numEdgesFound: u32 = 0;

/** Writes the edges of the line that starts here to EDGES, as many as are asked for, and counts them all. Returns where
 *  the next line starts, or 0 if this one does not end before `end`. */
export function findEdges(start: u32, end: u32): u32 {
  const edgesEnd = EDGES + (<usize>load<u32>(NUM_EDGES) << 2);
  const space = constant(0);
  const shift = constant(1);
  const bound = constant(2);
  const lineFeed = constant(3);
  let carry: u64 = 1;
  let count: u32 = 0;
  for (let window = start; window < end; window += 64) {
    const b0 = v128.load(window, TEXT);
    const b1 = v128.load(window, TEXT + 16);
    const b2 = v128.load(window, TEXT + 32);
    const b3 = v128.load(window, TEXT + 48);
    const lineEnds = bits(i8x16.eq(b0, lineFeed), i8x16.eq(b1, lineFeed), i8x16.eq(b2, lineFeed), i8x16.eq(b3, lineFeed));
    const white = bits(isWhite(b0, space, shift, bound), isWhite(b1, space, shift, bound), isWhite(b2, space, shift, bound), isWhite(b3, space, shift, bound));
    let edges = white ^ ((white << 1) | carry);
    carry = white >> 63;
    if (lineEnds != 0) edges &= lineEnds ^ (lineEnds - 1);
    let at = EDGES + (<usize>count << 2);
    count += <u32>popcnt(edges);
    for (; edges != 0 && at < edgesEnd; at += 4) {
      store<u32>(at, window + <u32>ctz(edges));
      edges &= edges - 1;
    }
    if (lineEnds != 0) {
      numEdgesFound = count;
      const next = window + <u32>ctz(lineEnds) + 1;
      return next <= end ? next : 0;
    }
  }
  return 0;
}

/** Collects or skips one line of any kind (CONSUMED), or says why not. */
export function anyLine(end: u32, batchStart: u32, maxLines: u32): i32 {
  const next = findEdges(line, end);
  if (next == 0) return SCAN_END;
  const commentByte = load<u32>(COMMENT_BYTE);
  if (numEdgesFound > 0 && <u32>load<u8>(load<u32>(EDGES), TEXT) == commentByte) {
    if (!load<u32>(COMMENTS_SINGLE) || (<u32>load<u8>(line, TEXT) == commentByte && line != load<u32>(COMMENT_END))) {
      store<u32>(COMMENT_END, next);
      return skipTo(next);
    }
  }
  // fewer edges than needed make this difference a huge number
  if (numEdgesFound - load<u32>(NUM_EDGES) > load<u32>(EXTRA_EDGES)) {
    return numEdgesFound > 0 || load<u32>(BLANK_IS_BAD) ? SCAN_BAD : skipTo(next);
  }
  const topicAt = <usize>load<u32>(TOPIC_AT);
  const topicStart = load<u32>(topicAt, EDGES);
  const topicEnd = load<u32>(topicAt, EDGES + 4);
  if (numLines == 0) {
    store<u32>(TOPIC_START, topicStart);
    store<u32>(TOPIC_END, topicEnd);
  } else if (!isCurrentTopic(topicStart, topicEnd)) return SCAN_TOPIC;
  if (numLines == maxLines) return BATCH_FULL;

  const column = <usize>numLines << 2;
  const docAt = <usize>load<u32>(DOC_AT);
  store<u32>(<usize>load<u32>(DOC_START) + column, load<u32>(docAt, EDGES));
  store<u32>(<usize>load<u32>(DOC_END) + column, load<u32>(docAt, EDGES + 4));
  for (let k: usize = 0; k < load<u32>(NUM_KEPT); k++) {
    const keptAt = <usize>load<u32>(k << 2, KEPT_AT);
    store<u32>(<usize>load<u32>(k << 3, KEPT) + column, load<u32>(keptAt, EDGES));
    store<u32>(<usize>load<u32>(k << 3, KEPT + 4) + column, load<u32>(keptAt, EDGES + 4));
  }
  const numberAt = <usize>load<u32>(NUMBER_AT);
  const cell = <usize>(numLines - batchStart) << 2;
  store<u32>(cell, load<u32>(numberAt, EDGES), NUMBER_START);
  store<u32>(cell, load<u32>(numberAt, EDGES + 4), NUMBER_END);
  numLines++;
  lastLine = line;
  line = next;
  return CONSUMED;
}

@inline
function skipTo(next: u32): i32 {
  numSkipped++;
  line = next;
  return CONSUMED;
}

function isCurrentTopic(start: u32, end: u32): bool {
  const topicStart = load<u32>(TOPIC_START);
  const length = end - start;
  if (length != load<u32>(TOPIC_END) - topicStart) return false;
  let at: u32 = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(start + at, TEXT) != load<u64>(topicStart + at, TEXT)) return false;
  return ((load<u64>(start + at, TEXT) ^ load<u64>(topicStart + at, TEXT)) & headMask(length - at)) == 0;
}

@inline
function mixWord(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593;
}

@inline
function addWord(hash: u32, word: u32): u32 {
  return rotl<u32>(hash ^ mixWord(word), 13) * 5 + 0xe6546b64;
}

/** `hashBytes` of src/core/hash.ts for these lines. */
export function hashDocs(fromLine: u32, toLine: u32): void {
  const docStart = <usize>load<u32>(DOC_START);
  const docEnd = <usize>load<u32>(DOC_END);
  const docHash = <usize>load<u32>(DOC_HASH);
  const columnEnd = <usize>toLine << 2;
  for (let column = <usize>fromLine << 2; column < columnEnd; column += 4) {
    let at = load<u32>(docStart + column);
    const length = load<u32>(docEnd + column) - at;
    const tail = at + (length & ~3);
    let hash: u32 = 0;
    // the first two words stand apart from the loop, which costs more to enter than they take
    if (length >= 4) {
      hash = addWord(0, load<u32>(at, TEXT));
      if (length >= 8) {
        hash = addWord(hash, load<u32>(at, TEXT + 4));
        for (at += 8; at < tail; at += 4) hash = addWord(hash, load<u32>(at, TEXT));
      }
    }
    // shifts count modulo 32, so this keeps length mod 4 bytes; without any the word is 0 and changes nothing
    hash ^= mixWord(load<u32>(tail, TEXT) & ((1 << (length << 3)) - 1));
    hash ^= length;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
    store<u32>(docHash + column, hash ^ (hash >> 16));
  }
}

/** Four numbers of four digits each from 16 digits. */
@inline
function joinFours(digits: v128, lowBytes: v128, ten: v128, hundredAndOne: v128): v128 {
  const pairs = i16x8.add(i16x8.mul(v128.and(digits, lowBytes), ten), i16x8.shr_u(digits, 8));
  return i32x4.dot_i16x8_s(pairs, hundredAndOne);
}

/** Reads the numbers of up to 15 characters with a point and no exponent, which most scores are: all digits at once,
 *  those before the point moved one place to the right, over the point. Returns the end of the list of those left. */
export function narrowNumbers(batchStart: u32, count: u32): usize {
  const point = constant(4);
  const zero = constant(5);
  const nine = constant(6);
  const lowBytes = v128.load16_splat(CONSTANTS + 8);
  const ten = v128.load16_splat(CONSTANTS + 10);
  const hundredAndOne = v128.load32_splat(CONSTANTS + 12);
  const tenThousandAndOne = v128.load32_splat(CONSTANTS + 16);
  const numbers = <usize>load<u32>(NUMBERS) + (<usize>batchStart << 3);
  const cellEnd = <usize>count << 2;
  let pendingEnd = PENDING;
  for (let cell: usize = 0; cell < cellEnd; cell += 4) {
    const start = load<u32>(cell, NUMBER_START);
    const end = load<u32>(cell, NUMBER_END);
    const first = <u32>load<u8>(start, TEXT);
    const length = end - start - <u32>load<u8>(first, SIGN_LENGTHS);
    if (length - 2 < 14) {
      const bytes = v128.load(end, TEXT - 16);
      const points = <u32>i8x16.bitmask(i8x16.eq(bytes, point)) >> (16 - length);
      if (points != 0) {
        const fraction = length - 1 - ctz(points);
        const joined = v128.bitselect(bytes, v128.load(end, TEXT - 17), v128.load(fraction, MASKS + 16));
        const digits = v128.and(i8x16.sub(joined, zero), v128.load(length, MASKS + 15));
        if (!v128.any_true(i8x16.sub_sat_u(digits, nine))) {
          const fours = joinFours(digits, lowBytes, ten, hundredAndOne);
          const eights = <u64>i64x2.extract_lane(i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(fours, fours), tenThousandAndOne), 0);
          const mantissa = (eights & 0xffffffff) * 100000000 + (eights >> 32);
          // Clinger's fast path, doi:10.1145/93542.93557: both operands are exact, so one division rounds correctly
          const magnitude = <f64>(<i64>mantissa) / load<f64>(fraction << 3, POWERS_OF_TEN);
          store<f64>(numbers + (cell << 1), magnitude * load<f64>(first << 3, SIGNS));
          continue;
        }
      }
    }
    store<u32>(pendingEnd, <u32>cell);
    pendingEnd += 4;
  }
  return pendingEnd;
}

/** Reads those pending numbers that have up to 32 characters, of these up to 19 significant digits, a point and no
 *  exponent. Returns the end of the list of those left. */
export function wideNumbers(batchStart: u32, pendingEnd: usize): usize {
  const point = constant(4);
  const zero = constant(5);
  const nine = constant(6);
  const lowBytes = v128.load16_splat(CONSTANTS + 8);
  const ten = v128.load16_splat(CONSTANTS + 10);
  const hundredAndOne = v128.load32_splat(CONSTANTS + 12);
  const tenThousandAndOne = v128.load32_splat(CONSTANTS + 16);
  const numbers = <usize>load<u32>(NUMBERS) + (<usize>batchStart << 3);
  let leftEnd = PENDING;
  for (let pending = PENDING; pending < pendingEnd; pending += 4) {
    const cell = load<u32>(pending);
    const start = load<u32>(cell, NUMBER_START);
    const end = load<u32>(cell, NUMBER_END);
    const first = <u32>load<u8>(start, TEXT);
    const length = end - start - <u32>load<u8>(first, SIGN_LENGTHS);
    if (length - 2 < 31) {
      const high = v128.load(end, TEXT - 32);
      const low = v128.load(end, TEXT - 16);
      const points = (<u32>i8x16.bitmask(i8x16.eq(high, point)) | (<u32>i8x16.bitmask(i8x16.eq(low, point)) << 16)) >> (32 - length);
      if (points != 0) {
        const fraction = length - 1 - ctz(points);
        const highJoined = v128.bitselect(high, v128.load(end, TEXT - 33), v128.load(fraction, MASKS));
        const lowJoined = v128.bitselect(low, v128.load(end, TEXT - 17), v128.load(fraction, MASKS + 16));
        const highDigits = v128.and(i8x16.sub(highJoined, zero), v128.load(length, MASKS - 1));
        const lowDigits = v128.and(i8x16.sub(lowJoined, zero), v128.load(length, MASKS + 15));
        if (!v128.any_true(i8x16.sub_sat_u(v128.or(highDigits, lowDigits), nine))) {
          const fours = i16x8.narrow_i32x4_u(joinFours(highDigits, lowBytes, ten, hundredAndOne), joinFours(lowDigits, lowBytes, ten, hundredAndOne));
          const eights = i32x4.dot_i16x8_s(fours, tenThousandAndOne);
          const highest = rotl<u64>(i64x2.extract_lane(eights, 0), 32);
          if (highest <= 999) {
            const lowest = <u64>i64x2.extract_lane(eights, 1);
            const mantissa = highest * 10000000000000000 + (lowest & 0xffffffff) * 100000000 + (lowest >> 32);
            if (mantissa != 0) {
              // `scale` for the usual case; the rest waits for it
              const leading = <u32>clz(mantissa);
              const product = highProduct(mantissa << leading, load<u64>(fraction << 5, POWER_ZERO));
              if (((product + 1) & 511) > 1) {
                const upper = <u32>(product >> 63);
                const rounded = product >> (upper + 9);
                const exponent = load<u32>(fraction << 5, POWER_ZERO + 16) + upper - leading;
                const magnitude = reinterpret<f64>(((rounded + (rounded & 1)) >> 1) + (<u64>exponent << 52));
                store<f64>(numbers + (cell << 1), magnitude * load<f64>(first << 3, SIGNS));
                continue;
              }
            }
          }
        }
      }
    }
    store<u32>(leftEnd, <u32>cell);
    leftEnd += 4;
  }
  return leftEnd;
}

/** Reads the pending numbers one by one and lists the odd ones. */
export function otherNumbers(batchStart: u32, pendingEnd: usize): void {
  const numbers = <usize>load<u32>(NUMBERS) + (<usize>batchStart << 3);
  const integers = load<u32>(INTEGERS);
  for (let pending = PENDING; pending < pendingEnd; pending += 4) {
    const cell = load<u32>(pending);
    const start = load<u32>(cell, NUMBER_START);
    const end = load<u32>(cell, NUMBER_END);
    const first = <u32>load<u8>(start, TEXT);
    const digitsStart = start + <u32>load<u8>(first, SIGN_LENGTHS);
    const magnitude = integers ? shortInteger(digitsStart, end) : anyDecimal(digitsStart, end);
    // a C integer has no negative zero
    const value = magnitude * load<f64>(first << 3, SIGNS) + (integers ? 0.0 : -0.0);
    store<f64>(numbers + (cell << 1), value);
    if (value != value) {
      const odd = load<u32>(NUM_ODD);
      store<u32>(NUM_ODD, odd + 1);
      const column = <usize>odd << 2;
      store<u32>(<usize>load<u32>(ODD) + column, batchStart + (cell >> 2));
      store<u32>(<usize>load<u32>(ODD_START) + column, start);
      store<u32>(<usize>load<u32>(ODD_END) + column, end);
    }
  }
}

@inline
function shortInteger(start: u32, end: u32): f64 {
  if (end - start - 1 >= 15) return NaN;
  let value: u64 = 0;
  let at = start;
  do {
    const digit = <u32>load<u8>(at, TEXT) - 48;
    if (digit > 9) return NaN;
    value = value * 10 + digit;
  } while (++at < end);
  return <f64>(<i64>value);
}

/** Any unsigned decimal number; NaN if it is none, or too long, too large or too small to be settled here. */
export function anyDecimal(start: u32, end: u32): f64 {
  if (end - start > 1000) return NaN;
  let mantissa: u64 = 0;
  let power: i32 = 0;
  let numDigits: u32 = 0;
  let numSignificant: u32 = 0;
  let pointsSeen: i32 = 0;
  let dropped: bool = false;
  let at = start;
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at, TEXT);
    const digit = byte - 48;
    if (digit <= 9) {
      numDigits++;
      if (numSignificant < 19) {
        mantissa = mantissa * 10 + digit;
        if (mantissa != 0) numSignificant++;
        power -= pointsSeen;
      } else {
        dropped = dropped || digit != 0;
        power += 1 - pointsSeen;
      }
    } else if (byte == 46 && pointsSeen == 0) pointsSeen = 1;
    else break;
  }
  if (numDigits == 0) return NaN;
  if (at < end) {
    if ((<u32>load<u8>(at++, TEXT) | 32) != 101 || at == end) return NaN;
    const sign = load<u8>(at, TEXT);
    if (sign == 43 || sign == 45) at++;
    if (at == end) return NaN;
    let exponent: i32 = 0;
    for (; at < end; at++) {
      const digit = <u32>load<u8>(at, TEXT) - 48;
      if (digit > 9) return NaN;
      if (exponent < 100000000) exponent = exponent * 10 + digit;
    }
    power += sign == 45 ? -exponent : exponent;
  }
  if (mantissa == 0) return 0;
  if (power < MIN_POWER || power > MAX_POWER) return NaN;
  const value = scale(mantissa, power);
  // digits were left out: the number lies between this mantissa and the next, which must round alike
  return dropped && value != scale(mantissa + 1, power) ? NaN : value;
}

/** mantissa × 10^power, correctly rounded; mantissa is not 0 and MIN_POWER ≤ power ≤ MAX_POWER, so that the result is
 *  neither subnormal nor infinite. Lemire, "Number parsing at a gigabyte per second", doi:10.1002/spe.2984; that it
 *  needs no fallback: Mushtak and Lemire, doi:10.1002/spe.3198. */
export function scale(mantissa: u64, power: i32): f64 {
  const leading = <u32>clz(mantissa);
  const entry = POWERS_OF_FIVE + (<usize>(MAX_POWER - power) << 5);
  const shifted = mantissa << leading;
  const factor = load<u64>(entry);
  let low = shifted * factor;
  let high = highProduct(shifted, factor);
  if ((high & 511) == 511) {
    // a carry from the lower half of the power may still change the bits that count
    const carry = highProduct(shifted, load<u64>(entry, 8));
    low += carry;
    if (low < carry) high++;
  }
  const upper = <u32>(high >> 63);
  let rounded = high >> (upper + 9);
  // exactly half way between two doubles: to the even one
  if (low <= 1 && power >= -4 && power <= 23 && (rounded & 3) == 1 && rounded << (upper + 9) == high) rounded &= ~1;
  // the leading bit of the fraction adds the 1 that the exponent lacks, and so does a carry out of it
  const exponent = load<u32>(entry, 16) + upper - leading;
  return reinterpret<f64>(((rounded + (rounded & 1)) >> 1) + (<u64>exponent << 52));
}

/** The upper 64 of the 128 bits of a product. */
@inline
function highProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const middle = aHigh * bLow + ((aLow * bLow) >> 32);
  return aHigh * bHigh + (middle >> 32) + ((aLow * bHigh + (middle & 0xffffffff)) >> 32);
}

function allPending(count: u32): usize {
  const cellEnd = <usize>count << 2;
  for (let cell: usize = 0; cell < cellEnd; cell += 4) store<u32>(cell, <u32>cell, PENDING);
  return PENDING + cellEnd;
}

function readNumbers(batchStart: u32, count: u32): void {
  let pendingEnd: usize;
  if (load<u32>(INTEGERS)) pendingEnd = allPending(count);
  else {
    // the numbers of a file are alike: if the first is wide, trying the narrow way for all does not pay
    const isWide = load<u32>(NUMBER_END) - load<u32>(NUMBER_START) > 16;
    pendingEnd = isWide ? allPending(count) : narrowNumbers(batchStart, count);
    if (pendingEnd > PENDING) pendingEnd = wideNumbers(batchStart, pendingEnd);
  }
  if (pendingEnd > PENDING) otherNumbers(batchStart, pendingEnd);
}

export function scan(): i32 {
  const end = load<u32>(END);
  const maxLines = load<u32>(MAX_LINES);
  const plain = load<u32>(PLAIN);
  const oldLines = load<u32>(NUM_LINES);
  line = load<u32>(POSITION);
  numLines = oldLines;
  numSkipped = 0;
  let stop: i32;
  do {
    const batchStart = numLines;
    const batchEnd = min(batchStart + BATCH, maxLines);
    do {
      if (plain && numLines > 0) plainLines(end, batchStart, batchEnd);
      stop = anyLine(end, batchStart, batchEnd);
    } while (stop == CONSUMED);
    hashDocs(batchStart, numLines);
    readNumbers(batchStart, numLines - batchStart);
    if (stop == BATCH_FULL && numLines == maxLines) stop = SCAN_FULL;
  } while (stop == BATCH_FULL);

  const newRecords = numLines - oldLines;
  if (newRecords > 0 && load<i32>(TAG_AT) >= 0) {
    findEdges(lastLine, end);
    store<u32>(TAG_START, load<u32>(load<u32>(TAG_AT), EDGES));
    store<u32>(TAG_END, load<u32>(load<u32>(TAG_AT), EDGES + 4));
  }
  store<u32>(POSITION, line);
  store<u32>(NUM_LINES, numLines);
  store<u32>(NEW_RECORDS, newRecords);
  store<u32>(NEW_LINES, newRecords + numSkipped);
  return stop;
}
