import { nameWords, SharedWord, type SharedWords } from '../../core/shared-words.js';
import { LetorLines } from '../../formats/letor/lines.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import type { FeatureRoom } from '../../formats/letor/parts.js';
import { createLetorRowKernel } from '../../formats/letor/row.js';

/** Bytes of a part at most, for others to read; larger ones are left to the thread that has them. */
export const SLOT_BYTES: number = 4 << 20;

const names = ['produced', 'taken', 'isEnded', 'news', 'turn'] as const;

/** What a thread needs to read parts of a text that comes from a pipe or a decompressor; plain data. */
export interface StreamedTextTask {
  readonly options: LetorOptions;
  /** What `StreamedParts` names the words of. */
  readonly control: Int32Array;
  /** Room for the text of some parts. */
  readonly slots: Uint8Array;
  /** How many values have been placed in the room; only for the thread whose turn it is. */
  readonly numPlaced: Float64Array;
  readonly room: FeatureRoom;
}

/** Words and room by which a text is handed over, for so many parts at a time. */
export function streamMemory(numSlots: number): Pick<StreamedTextTask, 'control' | 'slots' | 'numPlaced'> {
  return {
    control: new Int32Array(new SharedArrayBuffer((names.length + numSlots) * 4)), // fits: numbers of parts, lengths of slots, flags
    slots: new Uint8Array(new SharedArrayBuffer(numSlots * SLOT_BYTES)), // fits: bytes
    numPlaced: new Float64Array(new SharedArrayBuffer(8)),
  };
}

/** The parts of a text as one thread puts them into slots and any thread takes them out. Part p is in slot p modulo the number of slots,
 *  which holds its length, and 0 when it is free. */
export class StreamedParts {
  readonly control: SharedWords<(typeof names)[number]>;
  private readonly lengths: readonly SharedWord[];
  private readonly slots: Uint8Array;

  constructor({ control, slots }: Pick<StreamedTextTask, 'control' | 'slots'>) {
    this.control = nameWords(control, names);
    this.slots = slots;
    this.lengths = Array.from({ length: control.length - names.length }, (_, slot) => new SharedWord(control, names.length + slot));
  }

  /** Takes the next part that has come; -1 if there is none at the moment. */
  take(): number {
    const { taken, produced } = this.control;
    for (;;) {
      const part = taken.load();
      if (part >= produced.load()) return -1;
      if (taken.replace(part, part + 1) === part) return part;
    }
  }

  /** Takes a part that has not come for the thread that hands parts over, once all others are taken. */
  keepNext(): number {
    // in this order, or somebody else could take it in between
    const part = this.control.taken.add(1);
    this.control.produced.add(1);
    return part;
  }

  /** Whether the next part can be put into its slot. */
  hasRoom(): boolean {
    return this.lengths[this.control.produced.load() % this.lengths.length].load() === 0;
  }

  /** Puts the next part into its slot, which must be free. */
  put(text: Uint8Array): void {
    const { produced } = this.control;
    const slot = produced.load() % this.lengths.length;
    this.slots.set(text, slot * SLOT_BYTES);
    this.lengths[slot].store(text.length);
    produced.add(1);
    this.tell();
  }

  /** Says that no more parts come. */
  end(): void {
    this.control.isEnded.store(1);
    this.tell();
  }

  /** Lets the others know that there is nothing to wait for. */
  giveUp(): void {
    this.control.turn.store(-1);
    this.control.turn.notify();
    this.end();
  }

  get hasFailed(): boolean {
    return this.control.turn.load() < 0;
  }

  private tell(): void {
    this.control.news.add(1);
    this.control.news.notify();
  }

  /** Moves the text of a part that was taken out of its slot. */
  moveTo(part: number, parser: TextParser): LetorLines {
    const slot = part % this.lengths.length;
    const from = slot * SLOT_BYTES;
    return parser.parse(this.slots.subarray(from, from + this.lengths[slot].load()), () => this.lengths[slot].store(0));
  }
}

/** Reads whole lines, over and over again. */
export class TextParser {
  private readonly lines: LetorLines;
  private readonly usualRoom: Uint8Array;

  constructor(options: LetorOptions) {
    const kernel = createLetorRowKernel(SLOT_BYTES, options.firstFeature ?? 1);
    this.lines = new LetorLines(options, kernel);
    this.usualRoom = kernel?.text ?? new Uint8Array(SLOT_BYTES);
  }

  /** @param onCopied  called when the text is needed no longer, before it is read */
  parse(text: Uint8Array, onCopied?: () => void): LetorLines {
    const { lines, usualRoom } = this;
    lines.reset();
    if (text.length <= usualRoom.length) usualRoom.set(text);
    const bytes = text.length <= usualRoom.length ? usualRoom : text.slice();
    const { length } = text;
    onCopied?.();
    lines.parseLines(bytes, 0, length);
    return lines;
  }
}
