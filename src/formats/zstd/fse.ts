/** Finite State Entropy tables (RFC 8878, 4.1): how often each symbol comes, and the table of states that follows from it. */
import { damaged } from './damage.js';

/** A probability below one state, which still gets one. */
export const LESS_THAN_ONE = -1;
const SMALLEST_LOG = 5;

/** How the states of a table are shared among its symbols. */
export interface SymbolDistribution {
  /** States per symbol; their sum, each `LESS_THAN_ONE` counted as one, is 2 ** log. */
  readonly counts: Int16Array;
  readonly numSymbols: number;
  readonly log: number;
  /** Where the description ends in the bytes it was read from. */
  readonly end: number;
}

/** Reads bits upwards from bytes[start..end), which must have four readable bytes behind. */
export function readDistribution(
  bytes: Uint8Array,
  start: number,
  end: number,
  mostSymbols: number,
  largestLog: number,
): SymbolDistribution {
  const lastBit = end * 8;
  let bit = start * 8;
  const peek = (width: number): number => {
    const i = bit >> 3;
    return ((bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16)) >>> (bit & 7)) & ((1 << width) - 1);
  };
  const log = peek(4) + SMALLEST_LOG;
  bit += 4;
  if (log > largestLog) damaged(`a table of 2^${log} states, where at most 2^${largestLog} are allowed`);
  const counts = new Int16Array(mostSymbols); // fits: from -1 to the 512 states of the largest table
  let symbol = 0;
  let remaining = 1 << log;
  while (remaining > 0) {
    if (symbol >= mostSymbols) damaged('a table with too many symbols');
    // a value from 0 to remaining + 1, where the small ones take a bit less
    const width = 32 - Math.clz32(remaining + 1);
    const numShort = (1 << width) - 1 - (remaining + 1);
    const low = peek(width - 1);
    let value = low;
    if (low < numShort) bit += width - 1;
    else {
      value = peek(width);
      bit += width;
      if (value >= 1 << (width - 1)) value -= numShort;
    }
    const count = value - 1;
    counts[symbol++] = count; // at most 2^9
    remaining -= Math.abs(count);
    if (count === 0) {
      let more: number;
      do {
        more = peek(2);
        bit += 2;
        symbol += more;
        if (bit > lastBit) damaged('a table that ends too early');
      } while (more === 3);
    }
    if (bit > lastBit) damaged('a table that ends too early');
  }
  return { counts, numSymbols: symbol, log, end: (bit + 7) >> 3 };
}

/** The largest table there is. */
const MOST_STATES = 512;
const nextOf: Uint16Array = new Uint16Array(256); // fits: states, of which there are at most 512

/** For each state of a table: its symbol, how many bits lead to the next state, and what is added to them. */
export class StateTable {
  readonly symbols: Uint8Array = new Uint8Array(MOST_STATES); // fits: at most 256 symbols; the readers of tables refuse more
  readonly widths: Uint8Array = new Uint8Array(MOST_STATES); // fits: bits of a state, up to 9
  readonly bases: Uint16Array = new Uint16Array(MOST_STATES); // fits: states, of which there are at most 512
  log = 0;

  /** One state, which stays where it is and takes no bits. */
  fillWith(symbol: number): void {
    this.log = 0;
    this.symbols[0] = symbol;
    this.widths[0] = 0;
    this.bases[0] = 0;
  }

  fill(counts: ArrayLike<number>, numSymbols: number, log: number): void {
    const { symbols, widths, bases } = this;
    const size = 1 << log;
    this.log = log;
    let last = size - 1;
    for (let symbol = 0; symbol < numSymbols; symbol++) {
      if (counts[symbol] === LESS_THAN_ONE) {
        symbols[last--] = symbol;
        nextOf[symbol] = 1;
      } else nextOf[symbol] = counts[symbol];
    }
    const step = (size >> 1) + (size >> 3) + 3;
    let at = 0;
    for (let symbol = 0; symbol < numSymbols; symbol++) {
      for (let i = 0; i < counts[symbol]; i++) {
        symbols[at] = symbol;
        do at = (at + step) & (size - 1);
        while (at > last);
      }
    }
    for (let state = 0; state < size; state++) {
      const next = nextOf[symbols[state]]++; // below 2 ** (log + 1)
      const width = log - 31 + Math.clz32(next);
      widths[state] = width;
      bases[state] = (next << width) - size;
    }
  }
}
