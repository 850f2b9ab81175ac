// The scanner's inner loops in AssemblyScript. `line-scanner-js.ts` says the same in TypeScript and is what this must
// equal; `line-scanner-wasm.ts` fills the tables.
//
// Lines are taken in batches: first all lines of a batch are cut into fields, then the document ids are hashed, then
// the numbers are read. Each of these loops is small enough to stay in registers. Text is looked at in windows of 64
// bytes: one bit per byte tells white space, another line ends, and the places where the white bits change are the
// edges of the fields. Reads may pass the end of the text by up to 64 bytes and start up to 33 bytes before a number.
//
// Functions that are exported besides `scan` are so only because exported functions are not inlined: inlining a rare
// path into a loop costs the loop its registers.
// fits: all that is stored in 32 bits are places in this memory, counts of what is in it, and hashes of 32 bits.

import {
  POSITION, END, NUM_LINES, MAX_LINES, TOPIC_START, TOPIC_END, TAG_START, TAG_END, COMMENT_END, NEW_RECORDS,
  NEW_LINES, NUM_EDGES, EXTRA_EDGES, TOPIC_AT, DOC_AT, NUMBER_AT, TAG_AT, KEPT_AT, NUM_KEPT, BLANK_IS_BAD,
  COMMENT_BYTE, COMMENTS_SINGLE, PLAIN, DOC_START, DOC_END, DOC_HASH, KEPT, EDGES, NUMBER_START, NUMBER_END, BATCH,
  TEXT, constant,
} from './parts/line-scanner-memory.as';
import { readNumbers } from './parts/line-scanner-numbers.as';

export { anyDecimal, narrowNumbers, otherNumbers, scale, wideNumbers } from './parts/line-scanner-numbers.as';

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
  if (load<i32>(TOPIC_AT) >= 0) {
    const topicAt = <usize>load<u32>(TOPIC_AT);
    const topicStart = load<u32>(topicAt, EDGES);
    const topicEnd = load<u32>(topicAt, EDGES + 4);
    if (numLines == 0) {
      store<u32>(TOPIC_START, topicStart);
      store<u32>(TOPIC_END, topicEnd);
    } else if (!isCurrentTopic(topicStart, topicEnd)) return SCAN_TOPIC;
  }
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
