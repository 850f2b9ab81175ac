/** The ranking that the Learn view plays with, and how it stands in the address: `#/learn?g=2,2,0,1&missed=1`. */
import type { Lesson, LessonDocument } from 'gradus/experiment';

/** What the address can say: grades from the top, grades of documents that were not retrieved, and measures. */
export type LessonWords = Readonly<Record<string, string>>;

/** Longer lists do not fit a formula. */
export const MOST_DOCUMENTS = 20;
export const HIGHEST_GRADE = 4;

const firstGrades = [2, 0, 1, 0, 0, 2, 1, 0, 0, 0];
const firstMissed = [1];

/** What is shown unless the address names others. */
export const lessonMeasures: readonly string[] = ['AP', 'nDCG@10', 'GAP', 'ERR@10', 'RBP', 'P@5', 'R@5', 'RR', 'IAP'];

/** Documents are named A, B, C … from the top, then those that were not retrieved. */
export function firstLesson(words: LessonWords = {}): Lesson {
  const grades = gradesIn(words.g) ?? firstGrades;
  const missed = words.missed === '' ? [] : (gradesIn(words.missed) ?? (words.g === undefined ? firstMissed : []));
  return named(grades.slice(0, MOST_DOCUMENTS), missed.slice(0, MOST_DOCUMENTS));
}

function named(grades: readonly number[], missed: readonly number[]): Lesson {
  return {
    ranking: grades.map((grade, i) => ({ id: letter(i), grade })),
    missed: missed.map((grade, i) => ({ id: letter(grades.length + i), grade })),
  };
}

/** A to Z, then A2 to Z2. */
function letter(i: number): string {
  return `${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : Math.floor(i / 26) + 1}`;
}

function gradesIn(text: string | undefined): number[] | undefined {
  if (text === undefined || !/^\d(,\d)*$/.test(text)) return undefined;
  const grades = text.split(',').map(Number);
  return grades.every((grade) => grade <= HIGHEST_GRADE) ? grades : undefined;
}

/** What the address has to say so that the same ranking is seen by somebody else. */
export function wordsOf({ ranking, missed }: Lesson): LessonWords {
  const text = (documents: readonly LessonDocument[]): string => documents.map(({ grade }) => grade).join(',');
  if (text(ranking) === String(firstGrades) && text(missed) === String(firstMissed)) return {};
  return { g: text(ranking), ...(missed.length === 0 ? {} : { missed: text(missed) }) };
}

/** The ranking with one document at another place. */
export function moved(lesson: Lesson, from: number, to: number): Lesson {
  const ranking = [...lesson.ranking];
  const [document] = ranking.splice(from, 1);
  ranking.splice(to, 0, document);
  return { ...lesson, ranking };
}

/** The ranking with one document's grade changed. */
export function graded(lesson: Lesson, at: number, grade: number): Lesson {
  return { ...lesson, ranking: lesson.ranking.map((document, i) => (i === at ? { ...document, grade } : document)) };
}

/** One more document at the end of the ranking. */
export function lengthened(lesson: Lesson): Lesson {
  return { ...lesson, ranking: [...lesson.ranking, { id: freeName(lesson), grade: 0 }] };
}

/** Without the last document of the ranking; it counts as not retrieved if it is relevant. */
export function shortened({ ranking, missed }: Lesson): Lesson {
  const last = ranking.at(-1);
  return { ranking: ranking.slice(0, -1), missed: last !== undefined && last.grade > 0 ? [...missed, last] : missed };
}

/** With one more relevant document that was not retrieved. */
export function missing(lesson: Lesson, grade: number): Lesson {
  return { ...lesson, missed: [...lesson.missed, { id: freeName(lesson), grade }] };
}

/** Without the last document that was not retrieved. */
export function found(lesson: Lesson): Lesson {
  return { ...lesson, missed: lesson.missed.slice(0, -1) };
}

function freeName({ ranking, missed }: Lesson): string {
  const taken = new Set([...ranking, ...missed].map(({ id }) => id));
  let i = 0;
  while (taken.has(letter(i))) i++;
  return letter(i);
}

/** The highest grade on the scale that is offered: at least 2. */
export function highestOf({ ranking, missed }: Lesson): number {
  return Math.max(2, ...[...ranking, ...missed].map(({ grade }) => grade));
}

const words: Readonly<Record<string, string>> = {
  AP: 'average precision',
  nDCG: 'gain = grade, discount = log₂(rank + 1)',
  GAP: 'as many users want each grade',
  ERR: 'a reader stops with (2^grade − 1) / 16',
  RBP: 'goes on with p = 0.8',
  P: 'precision',
  R: 'recall',
  RR: 'reciprocal rank',
  IAP: 'interpolated precision at 11 levels',
};

/** A few words about a measure in its usual form; none where somebody has set its parameters. */
export function aboutMeasure(measure: string): string {
  return measure.includes('(') ? '' : (words[measure.replace(/@.*/, '')] ?? '');
}
