import { InputError } from '../../core/problem.js';
import { type QrelsLike, toQrels } from '../../core/qrels.js';
import { requireDistinct } from '../../stats/alignment.js';

/** Which judge gave which document of which topic which grade. A unit is a pair of topic and document. */
export interface Ratings {
  readonly judges: readonly string[];
  readonly topics: readonly string[];
  /** The document of each unit. */
  readonly docs: readonly string[];
  /** The topic number of each unit. */
  readonly topicOf: Uint32Array;
  /** The grade that judge j gave unit u is at j * units + u; NaN where there is none. */
  readonly grades: Float64Array;
}

/** The judgements of one judge. */
export interface NamedJudgements {
  readonly name: string;
  readonly judgements: QrelsLike;
}

/** Joins the judgements of several judges by topic and document, never by position. */
export function ratingsOf(judges: readonly NamedJudgements[]): Ratings {
  requireDistinct(
    'judge',
    judges.map(({ name }) => name),
  );
  const topicNumbers = new Map<string, number>();
  const unitsOfTopic: Map<string, number>[] = [];
  const docs: string[] = [];
  const topicOf: number[] = [];
  const given: { unit: number; grade: number }[][] = [];
  for (const { judgements } of judges) {
    const qrels = toQrels(judgements);
    const own: { unit: number; grade: number }[] = [];
    for (let t = 0; t < qrels.topics.size; t++) {
      const topic = qrels.topics.text(t);
      let number = topicNumbers.get(topic);
      if (number === undefined) {
        number = topicNumbers.size;
        topicNumbers.set(topic, number);
        unitsOfTopic.push(new Map());
      }
      const units = unitsOfTopic[number];
      for (let row = qrels.offsets[t]; row < qrels.offsets[t + 1]; row++) {
        const doc = qrels.docs.text(qrels.docOf[row]);
        let unit = units.get(doc);
        if (unit === undefined) {
          unit = docs.length;
          units.set(doc, unit);
          docs.push(doc);
          topicOf.push(number);
        }
        own.push({ unit, grade: qrels.grades[row] });
      }
    }
    given.push(own);
  }
  const grades = new Float64Array(judges.length * docs.length).fill(Number.NaN);
  for (const [j, own] of given.entries()) for (const { unit, grade } of own) grades[j * docs.length + unit] = grade;
  return {
    judges: judges.map(({ name }) => name),
    topics: [...topicNumbers.keys()],
    docs,
    topicOf: Uint32Array.from(topicOf), // fits: entries
    grades,
  };
}

/** Makes ratings of a table with a row per judge and a column per unit, where null says that there is no grade. Every unit is a topic of its
 *  own unless topics are given.
 *  @param topics The topic of each unit. */
export function ratingsTable(rows: readonly (readonly (number | null)[])[], topics?: readonly string[]): Ratings {
  const numUnits = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== numUnits) || (topics !== undefined && topics.length !== numUnits)) {
    throw new InputError({
      message: 'the judges of a table have different numbers of units',
      wayOut: 'write null where a judge gave no grade',
    });
  }
  const names = topics ?? Array.from({ length: numUnits }, (_, u) => String(u + 1));
  const known = [...new Set(names)];
  const placeOf = new Map(known.map((topic, t) => [topic, t]));
  return {
    judges: rows.map((_, j) => `judge ${j + 1}`),
    topics: known,
    docs: names.map((_, u) => String(u + 1)),
    topicOf: Uint32Array.from(names, (topic) => placeOf.get(topic) ?? 0), // fits: entries
    grades: Float64Array.from(rows.flatMap((row) => row.map((grade) => grade ?? Number.NaN))),
  };
}

/** The ratings of some of the judges only, in the order asked for, without units that none of them graded. */
export function ratingsOfJudges(ratings: Ratings, judges: readonly number[]): Ratings {
  const all = ratings.docs.length;
  const kept: number[] = [];
  for (let u = 0; u < all; u++) if (judges.some((j) => !Number.isNaN(ratings.grades[j * all + u]))) kept.push(u);
  return {
    judges: judges.map((j) => ratings.judges[j]),
    topics: ratings.topics,
    docs: kept.map((u) => ratings.docs[u]),
    topicOf: Uint32Array.from(kept, (u) => ratings.topicOf[u]), // fits: entries
    grades: Float64Array.from(judges.flatMap((j) => kept.map((u) => ratings.grades[j * all + u]))),
  };
}

/** What becomes of a grade that is not on the declared scale. */
export const OUTSIDE_POLICIES = ['refuse', 'clip', 'drop'] as const;
/** One of `OUTSIDE_POLICIES`: refuse such a grade, move it to the nearer end of the scale, or treat it as missing. */
export type OutsidePolicy = (typeof OUTSIDE_POLICIES)[number];

/** The grades of a declared scale, from the lowest to the highest whole number. */
export interface GradeScale {
  readonly lowest: number;
  readonly highest: number;
  /** *refuse* by default. */
  readonly outside?: OutsidePolicy | undefined;
}

/** Holds ratings to a declared scale.
 *  @returns The ratings, and how many grades were moved or dropped. */
export function onScale(ratings: Ratings, { lowest, highest, outside = 'refuse' }: GradeScale): { ratings: Ratings; outside: number } {
  let changed = 0;
  const grades = ratings.grades.map((grade, at) => {
    if (Number.isNaN(grade) || (grade >= lowest && grade <= highest && Number.isInteger(grade))) return grade;
    changed++;
    if (outside === 'refuse') {
      const unit = at % ratings.docs.length;
      const judge = ratings.judges[Math.floor(at / ratings.docs.length)];
      throw new InputError({
        message: `${judge} gave document ${ratings.docs[unit]} of topic ${ratings.topics[ratings.topicOf[unit]]} grade ${grade}, expected a whole number from ${lowest} to ${highest}`,
        wayOut: 'move such grades to the nearest of the scale with --outside clip, or leave them out with --outside drop',
      });
    }
    return outside === 'drop' ? Number.NaN : Math.min(highest, Math.max(lowest, Math.round(grade)));
  });
  return { ratings: { ...ratings, grades }, outside: changed };
}

/** The ratings as 1 for grades from `threshold` on and 0 below it. */
export function asBinary(ratings: Ratings, threshold: number): Ratings {
  return { ...ratings, grades: ratings.grades.map((grade) => (Number.isNaN(grade) ? grade : grade >= threshold ? 1 : 0)) };
}

/** Grades as numbers of categories. */
export interface CodedRatings {
  readonly numJudges: number;
  readonly numTopics: number;
  readonly topicOf: Uint32Array;
  /** The grades that are categories, ascending. */
  readonly categories: Float64Array;
  /** The category of the grade that judge j gave unit u is at j * units + u; -1 where there is none. */
  readonly codes: Int32Array;
}

/** Codes ratings by category.
 *  @param scale Grades to count as categories even where nobody gave them. */
export function codedRatings(ratings: Ratings, scale: readonly number[] = []): CodedRatings {
  const seen = new Set(scale);
  for (const grade of ratings.grades) if (!Number.isNaN(grade)) seen.add(grade);
  const categories = Float64Array.from(seen).sort();
  const codeOf = new Map(Array.from(categories, (grade, k) => [grade, k]));
  return {
    numJudges: ratings.judges.length,
    numTopics: ratings.topics.length,
    topicOf: ratings.topicOf,
    categories,
    codes: Int32Array.from(ratings.grades, (grade) => codeOf.get(grade) ?? -1), // fits: numbers of categories, or -1
  };
}

/** The grade that most judges gave each unit, the lower one where as many gave another; NaN where none gave any. */
export function majorityGrades(ratings: Ratings, judges: readonly number[]): Float64Array {
  const numUnits = ratings.docs.length;
  return Float64Array.from({ length: numUnits }, (_, u) => {
    const counts = new Map<number, number>();
    for (const j of judges) {
      const grade = ratings.grades[j * numUnits + u];
      if (!Number.isNaN(grade)) counts.set(grade, (counts.get(grade) ?? 0) + 1);
    }
    let best = Number.NaN;
    let most = 0;
    for (const [grade, count] of counts) {
      if (count > most || (count === most && grade < best)) {
        best = grade;
        most = count;
      }
    }
    return best;
  });
}
