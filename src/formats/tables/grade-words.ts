/** Judgements whose grades are letters or words, such as the E, S, C and I of Amazon's shopping queries. */
import { InputError } from '../../core/problem.js';
import type { ReadOptions } from '../reader.js';

/** The number that each word stands for. */
export type GradeWords = Readonly<Record<string, number>>;

/** Scales that are well known, the best grade first. */
const knownScales: readonly (readonly string[])[] = [
  ['E', 'S', 'C', 'I'],
  ['Exact', 'Substitute', 'Complement', 'Irrelevant'],
  ['Exact', 'Partial', 'Irrelevant'],
  ['Perfect', 'Excellent', 'Good', 'Fair', 'Bad'],
  ['Relevant', 'Irrelevant'],
  ['true', 'false'],
  ['yes', 'no'],
];

/** Understands `E=3,S=2,C=1,I=0`. */
export function parseGradeWords(text: string): GradeWords {
  const grades = new Map<string, number>();
  for (const part of text.split(',')) {
    const equals = part.lastIndexOf('=');
    const word = part.slice(0, Math.max(0, equals)).trim();
    const number = part.slice(equals + 1).trim();
    if (word === '' || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(number)) {
      throw new InputError({
        message: `invalid grades: expected word=number, found "${part}"`,
        wayOut: 'write a number for each word, as in --grades E=3,S=2,C=1,I=0',
      });
    }
    if (grades.has(word)) {
      throw new InputError({ message: `--grades names ${word} twice: ${grades.get(word)} and ${number}`, wayOut: 'name it once' });
    }
    grades.set(word, Number(number));
  }
  return Object.fromEntries(grades);
}

/** What to type for grades that are words. */
export function gradesAdvice(words: readonly string[]): string {
  const sameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const scale = knownScales.find((names) => words.every((word) => names.some((name) => sameWord(name, word))));
  const parts =
    scale?.map((name, place) => `${words.find((word) => sameWord(word, name)) ?? name}=${scale.length - 1 - place}`) ??
    words.map((word) => `${word}=NUMBER`);
  const list = parts.join(',');
  return `map words to numbers first: --grades ${/[^\w=,.-]/.test(list) ? `'${list.replaceAll("'", "'\\''")}'` : list}`;
}

/** Messages name at most this many words. */
const MOST_WORDS = 20;

/** The grades of one file, as far as they are words. */
export class GradeReader {
  private readonly numbers: GradeWords | undefined;
  private readonly onChoice: ReadOptions['onChoice'];
  /** Words without a number, and the line of the first. */
  private readonly words: Set<string> = new Set();
  private firstLine = 0;

  constructor({ grades, onChoice }: Pick<ReadOptions, 'grades' | 'onChoice'>) {
    this.numbers = grades;
    this.onChoice = onChoice;
  }

  /** Whether any word has a number, so that grades are worth looking up. */
  get hasNumbers(): boolean {
    return this.numbers !== undefined;
  }

  /** The number that was given for a word, if one was. */
  numberFor(word: string): number | undefined {
    if (this.numbers === undefined || !Object.hasOwn(this.numbers, word)) return undefined;
    this.onChoice?.('grades');
    return this.numbers[word];
  }

  /** Remembers a word that has no number, and says what to do about it. */
  missing(word: string, line: number): string {
    if (this.words.size === 0) this.firstLine = line;
    if (this.words.size < MOST_WORDS) this.words.add(word);
    return gradesAdvice([word]);
  }

  /** What is wrong with a file all of whose grades are words without a number; undefined if none is. */
  problem(): { readonly message: string; readonly wayOut: string; readonly line: number } | undefined {
    const words = [...this.words];
    if (words.length === 0) return undefined;
    const shown = words.map((word) => JSON.stringify(word.slice(0, 60))).join(', ');
    const message = `expected numbers as grades, found ${words.length === MOST_WORDS ? `${shown}, …` : shown}`;
    return { message, wayOut: gradesAdvice(words), line: this.firstLine };
  }
}
