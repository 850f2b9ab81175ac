import { nameWords, type SharedWords } from './shared-words.js';

const names = ['next', 'numParts', 'done', 'stopped'] as const;

/** Words that `SharedParts` needs. */
export const SHARED_PARTS_WORDS: number = names.length;

/** Work that threads divide among themselves: each takes the next part that nobody has taken, until none is left. Which thread takes
 *  which is left to chance. A thread that fails stops the work: the others finish the part at hand and take no further one. */
export class SharedParts {
  private readonly words: SharedWords<(typeof names)[number]>;

  /** @param words  memory that all threads share, which begins with zeros */
  constructor(words: Int32Array) {
    this.words = nameWords(words, names);
  }

  /** Puts parts up to be taken, those from `first` on.
   *  @param numParts  how many there are in all */
  offer(numParts: number, first = 0): void {
    this.words.numParts.value = numParts;
    this.words.next.store(first);
  }

  /** Takes the next part; -1 if none is left or the work was stopped. */
  next(): number {
    const { next, numParts, stopped } = this.words;
    if (stopped.load() !== 0) return -1;
    const part = next.add(1);
    return part < numParts.value ? part : -1;
  }

  /** Takes parts as long as there are any.
   *  @param most  how many it takes at most */
  takeEach(perform: (part: number) => void, most: number = Infinity): void {
    try {
      for (let taken = 0; taken < most; taken++) {
        const part = this.next();
        if (part < 0) return;
        perform(part);
      }
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Reports progress, in whatever is counted. */
  advance(amount: number): void {
    this.words.done.add(amount);
  }

  /** The progress that all threads together have reported. */
  get done(): number {
    return this.words.done.load();
  }

  stop(): void {
    this.words.stopped.store(1);
  }

  get isStopped(): boolean {
    return this.words.stopped.load() !== 0;
  }
}

/** Memory for `SharedParts` and nothing else. */
export function wordsForParts(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * SHARED_PARTS_WORDS)); // fits: numbers of parts, which take milliseconds each, and flags
}
