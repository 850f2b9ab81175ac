/** The sequences of a block (RFC 8878, 3.1.1.3.2): literals to take, and content from before to repeat. */
import { damaged } from './damage.js';
import { readDistribution, StateTable } from './fse.js';
import { lastBitOf } from './huffman.js';
import type { Literals } from './literals.js';
import type { PaddedBytes } from './padded-bytes.js';

const PREDEFINED = 0;
const ONE_SYMBOL = 1;
const COMPRESSED = 2;

/** What the symbols of one of the three codes stand for: a base, and how many bits are added to it. */
interface Code {
  readonly bases: Uint32Array;
  readonly widths: Uint8Array;
  readonly largestLog: number;
  readonly predefined: readonly number[];
  readonly predefinedLog: number;
}

/** Bases that begin at `first`, each further on by what the bits of the one before can say. */
function code(first: number, widths: readonly number[], largestLog: number, predefined: readonly number[], predefinedLog: number): Code {
  const bases = new Uint32Array(widths.length); // fits: the largest base is that of an offset of 31 bits
  let base = first;
  for (let i = 0; i < widths.length; i++) {
    bases[i] = base; // an offset of 31 bits still fits
    base += 2 ** widths[i];
  }
  return { bases, widths: Uint8Array.from(widths), largestLog, predefined, predefinedLog }; // fits: up to 31 bits
}

const repeated = (value: number, times: number): number[] => new Array<number>(times).fill(value);

const literalLengths: Code = code(
  0,
  [...repeated(0, 16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  9,
  [4, 3, ...repeated(2, 11), 1, 1, 1, ...repeated(2, 9), 3, 2, ...repeated(1, 5), ...repeated(-1, 4)],
  6,
);
const matchLengths: Code = code(
  3,
  [...repeated(0, 32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  9,
  [1, 4, 3, ...repeated(2, 6), ...repeated(1, 37), ...repeated(-1, 7)],
  6,
);
const offsets: Code = code(
  1,
  Array.from({ length: 32 }, (_, i) => i),
  8,
  [...repeated(1, 6), 2, 2, 2, ...repeated(1, 15), ...repeated(-1, 5)],
  5,
);

/** The states of one code, with all that a state says in two numbers. */
class CodeTable {
  /** The base of the state's symbol. */
  readonly values: Uint32Array = new Uint32Array(512); // fits: bases of codes, below 2^32
  /** The bits added to it (from 16), the bits that lead to the next state (from 10), and what is added to those. */
  readonly steps: Uint32Array = new Uint32Array(512); // fits: three numbers of at most 10, 6 and 5 bits
  log = 0;
  private isPredefined = false;
  private readonly states: StateTable = new StateTable();
  private readonly code: Code;

  constructor(code: Code) {
    this.code = code;
  }

  /** Reads what the mode says is there from bytes[start..end), and returns where it ends. */
  read(mode: number, bytes: Uint8Array, start: number, end: number, hasEarlier: boolean): number {
    const { states, code } = this;
    let at = start;
    if (mode === PREDEFINED) {
      if (this.isPredefined) return at;
      states.fill(code.predefined, code.predefined.length, code.predefinedLog);
    } else if (mode === ONE_SYMBOL) {
      if (at >= end) damaged('sequences that end in front of a table');
      if (bytes[at] >= code.bases.length) damaged('a symbol that no sequence has');
      states.fillWith(bytes[at++]);
    } else if (mode === COMPRESSED) {
      const distribution = readDistribution(bytes, at, end, code.bases.length, code.largestLog);
      states.fill(distribution.counts, distribution.numSymbols, distribution.log);
      at = distribution.end;
    } else {
      if (!hasEarlier) damaged('sequences that use an earlier table where there is none');
      return at;
    }
    this.isPredefined = mode === PREDEFINED;
    this.log = states.log;
    for (let state = 0; state < 1 << states.log; state++) {
      const symbol = states.symbols[state];
      this.values[state] = code.bases[symbol];
      this.steps[state] = (code.widths[symbol] << 16) | (states.widths[state] << 10) | states.bases[state];
    }
    return at;
  }
}

/** What is written to: the content before, and room for a block. */
export interface Output {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the next byte goes. */
  end: number;
  /** How far back a repetition may reach from `end`. */
  reach: number;
}

/** The sequences of a block, carried out into the window; code tables and the last three offsets are kept for later blocks. */
export class Sequences {
  private readonly lengthTable: CodeTable = new CodeTable(literalLengths);
  private readonly matchTable: CodeTable = new CodeTable(matchLengths);
  private readonly offsetTable: CodeTable = new CodeTable(offsets);
  private hasTables = false;
  private recent = 1;
  private second = 4;
  private third = 8;

  /** A frame knows nothing of the one before. */
  reset(): void {
    this.hasTables = false;
    this.recent = 1;
    this.second = 4;
    this.third = 8;
  }

  /** Reads the sequences of a block, content[start..end), and writes what they and the literals give: at most `mostBytes`,
   *  no offset beyond the window. */
  execute(content: PaddedBytes, start: number, end: number, literals: Literals, output: Output, mostBytes: number, window: number): void {
    const { bytes } = content;
    if (start >= end) damaged('a block without a number of sequences');
    let at = start + 1;
    let numSequences = bytes[start];
    if (numSequences === 0) {
      if (at !== end) damaged('a block with something behind its end');
      copyLiterals(literals, literals.start, literals.length, output);
      return;
    }
    if (numSequences === 255) {
      numSequences = (bytes[at] | (bytes[at + 1] << 8)) + 0x7f00;
      at += 2;
    } else if (numSequences >= 128) numSequences = ((numSequences - 128) << 8) | bytes[at++];
    if (numSequences === 0) damaged('no sequences, said in two bytes');
    if (at >= end) damaged('sequences that end too early');
    const modes = bytes[at++];
    if ((modes & 3) !== 0) damaged('a reserved bit that is set');
    at = this.lengthTable.read(modes >> 6, bytes, at, end, this.hasTables);
    at = this.offsetTable.read((modes >> 4) & 3, bytes, at, end, this.hasTables);
    at = this.matchTable.read((modes >> 2) & 3, bytes, at, end, this.hasTables);
    this.hasTables = true;
    this.run(content, at, lastBitOf(bytes, at, end), numSequences, literals, output, mostBytes, window);
  }

  private run(
    { view }: PaddedBytes,
    streamStart: number,
    lastBit: number,
    numSequences: number,
    literals: Literals,
    output: Output,
    mostBytes: number,
    window: number,
  ): void {
    const { values: lengthValues, steps: lengthSteps } = this.lengthTable;
    const { values: matchValues, steps: matchSteps } = this.matchTable;
    const { values: offsetValues, steps: offsetSteps } = this.offsetTable;
    const { bytes: target, view: targetView } = output;
    const literalView = literals.content.view;
    const literalEnd = literals.start + literals.length;
    const firstBit = streamStart * 8;
    const blockStart = output.end;
    const limit = blockStart + mostBytes;
    // how far back it may reach is the same as how far the first byte in reach is away, until the window is full
    const oldest = blockStart - output.reach;
    let literal = literals.start;
    let end = blockStart;
    let { recent, second, third } = this;
    let bit = lastBit;

    let width = this.lengthTable.log;
    bit -= width;
    let lengthState = (view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1);
    width = this.offsetTable.log;
    bit -= width;
    let offsetState = (view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1);
    width = this.matchTable.log;
    bit -= width;
    let matchState = (view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1);

    for (let left = numSequences; ; ) {
      const lengthStep = lengthSteps[lengthState];
      const matchStep = matchSteps[matchState];
      const offsetStep = offsetSteps[offsetState];
      let offset = offsetValues[offsetState];
      width = offsetStep >>> 16;
      if (width > 24) {
        // more than a word surely holds at any bit
        bit -= width - 16;
        offset += ((view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << (width - 16)) - 1)) * 65536;
        width = 16;
      }
      bit -= width;
      offset += (view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1);
      width = matchStep >>> 16;
      bit -= width;
      let matchLength = matchValues[matchState] + ((view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1));
      width = lengthStep >>> 16;
      bit -= width;
      let length = lengthValues[lengthState] + ((view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1));
      left--;
      if (left > 0) {
        width = (lengthStep >>> 10) & 15;
        bit -= width;
        lengthState = (lengthStep & 1023) + ((view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1));
        width = (matchStep >>> 10) & 15;
        bit -= width;
        matchState = (matchStep & 1023) + ((view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1));
        width = (offsetStep >>> 10) & 15;
        bit -= width;
        offsetState = (offsetStep & 1023) + ((view.getInt32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1));
      }
      if (bit < firstBit) damaged('sequences whose bits end too early');

      if (offset > 3) {
        offset -= 3;
        third = second;
        second = recent;
        recent = offset;
      } else {
        // one of the last three, where the first is not wanted again right after itself
        const which = length === 0 ? offset + 1 : offset;
        if (which === 1) offset = recent;
        else {
          offset = which === 2 ? second : which === 3 ? third : recent - 1;
          if (offset === 0) damaged('an offset of zero');
          if (which !== 2) third = second;
          second = recent;
          recent = offset;
        }
      }

      if (literal + length > literalEnd) damaged('a sequence that takes more literals than there are');
      if (end + length + matchLength > limit) damaged(`a block of more than ${mostBytes} bytes`);
      let source = literal;
      literal += length;
      for (; length > 0; length -= 4, source += 4, end += 4) targetView.setInt32(end, literalView.getInt32(source, true), true);
      end += length;
      if (offset > window || offset > end - oldest) damaged('an offset that reaches beyond the content or the window');
      source = end - offset;
      if (offset >= 4) {
        if (matchLength < 256 || offset < matchLength) {
          for (; matchLength > 0; matchLength -= 4, source += 4, end += 4)
            targetView.setInt32(end, targetView.getInt32(source, true), true);
          end += matchLength;
        } else {
          target.copyWithin(end, source, source + matchLength);
          end += matchLength;
        }
      } else for (; matchLength > 0; matchLength--) target[end++] = target[source++];
      if (left === 0) break;
    }
    if (bit !== firstBit) damaged('sequences whose bits are not used up exactly');
    this.recent = recent;
    this.second = second;
    this.third = third;
    if (end + literalEnd - literal > limit) damaged(`a block of more than ${mostBytes} bytes`);
    output.reach += end - blockStart;
    output.end = end;
    copyLiterals(literals, literal, literalEnd - literal, output);
  }
}

function copyLiterals(literals: Literals, start: number, length: number, output: Output): void {
  output.bytes.set(literals.content.bytes.subarray(start, start + length), output.end);
  output.end += length;
  output.reach += length;
}
