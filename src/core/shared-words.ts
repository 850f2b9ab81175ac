/** One word of 32 bits in memory that threads share. */
export class SharedWord {
  private readonly words: Int32Array;
  private readonly at: number;

  constructor(words: Int32Array, at: number) {
    this.words = words;
    this.at = at;
  }

  /** Read and written as any number is: for what another thread looks at only after a word has told it to. */
  get value(): number {
    return this.words[this.at];
  }

  set value(value: number) {
    this.words[this.at] = value;
  }

  load(): number {
    return Atomics.load(this.words, this.at);
  }

  store(value: number): void {
    Atomics.store(this.words, this.at, value);
  }

  /** Adds, and tells what was there before. */
  add(value: number): number {
    return Atomics.add(this.words, this.at, value);
  }

  /** Stores the value if the expected one is there, and tells what was there before. */
  replace(expected: number, value: number): number {
    return Atomics.compareExchange(this.words, this.at, expected, value);
  }

  /** Sleeps while the word has this value; false if it still had after so many milliseconds. */
  waitWhile(value: number, milliseconds?: number): boolean {
    return Atomics.wait(this.words, this.at, value, milliseconds) !== 'timed-out';
  }

  /** Wakes all that sleep. */
  notify(): void {
    Atomics.notify(this.words, this.at);
  }
}

/** The words of a shared array by their names. */
export type SharedWords<Name extends string> = Readonly<Record<Name, SharedWord>>;

/** Words by name, one after the other from a place on. The array is what threads send to each other; each names its words itself. */
export function nameWords<Name extends string>(words: Int32Array, names: readonly Name[], from = 0): SharedWords<Name> {
  if (from + names.length > words.length) throw new RangeError(`${words.length} words are too few for ${names.join(', ')} from ${from} on`);
  const named = names.map((name, i) => [name, new SharedWord(words, from + i)] as const);
  return Object.fromEntries(named) as Record<Name, SharedWord>;
}
