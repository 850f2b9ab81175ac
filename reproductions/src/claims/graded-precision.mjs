// What follows from the definition of graded average precision, tried on random lists: its properties, the experiment whose expected
// outcome it is, the area it approximates, and the maximum entropy problems that informativeness rests on.
import { emptyView } from '../../../dist/core/judging/judge.js';
import { seededRandom } from '../../../dist/core/numbers/random.js';
import { parseMeasure } from '../../../dist/measures/index.js';
import { EvaluationPlan } from '../../../dist/measures/plan.js';
import { expectedMeasure, maximizeEntropy } from '../../../dist/meta/index.js';

/** A measure's value of a list of grades, where so many documents of each grade were judged. */
function measured(measure, grades, judgedCounts) {
  const judged = Float64Array.from(judgedCounts.flatMap((count, grade) => new Array(count).fill(grade))).reverse();
  const codes = Float64Array.from(grades);
  const value = new Float64Array(1);
  new EvaluationPlan([measure], { highestGrade: judgedCounts.length - 1 }).evaluate(
    { ...emptyView(), codes, numRetrieved: codes.length, judged, numJudged: judged.length },
    value,
    0,
  );
  return value[0];
}

/** A list of up to twelve documents with grades up to four, and shares of users in sixteenths, some of them 0. */
function randomCase(random) {
  const highest = 1 + random.below(4);
  const grades = Array.from({ length: 1 + random.below(12) }, () => random.below(highest + 1));
  const judgedCounts = Array.from({ length: highest + 1 }, (_, grade) => grades.filter((own) => own === grade).length);
  // some that were not found
  for (let i = 0; i < 2; i++) judgedCounts[random.below(highest + 1)]++;
  const g = new Array(highest).fill(0);
  for (let i = 0; i < 16; i++) g[random.below(highest)]++;
  return { highest, grades, judgedCounts, g: g.map((sixteenths) => sixteenths / 16) };
}

const gapMeasure = (g) => parseMeasure(`GAP(g=[${g.join(',')}])`);

/** AP where documents from a grade up are relevant, by its definition. */
function averagePrecision(grades, judgedCounts, from) {
  const total = judgedCounts.slice(from).reduce((sum, count) => sum + count, 0);
  let found = 0;
  let sum = 0;
  for (const [n, grade] of grades.entries()) if (grade >= from) sum += ++found / (n + 1);
  return { total, value: total === 0 ? 0 : sum / total };
}

/** How often random lists do not behave as the definition says: GAP is a mean of APs weighted by g and the number of relevant documents,
 *  lies between 0 and 1, is greatest for the ideal order, and rises when a document of higher grade moves up past one of lower grade and
 *  some users begin between the two. */
export function propertyViolations(numLists) {
  const random = seededRandom(7302);
  let deviations = 0;
  let largest = 0;
  for (let i = 0; i < numLists; i++) {
    const { grades, judgedCounts, g } = randomCase(random);
    const measure = gapMeasure(g);
    const value = measured(measure, grades, judgedCounts);
    let above = 0;
    let below = 0;
    for (const [j, share] of g.entries()) {
      const { total, value: own } = averagePrecision(grades, judgedCounts, j + 1);
      above += share * total * own;
      below += share * total;
    }
    const deviation = Math.abs(value - (below === 0 ? 0 : above / below));
    largest = Math.max(largest, deviation);
    const ideal = measured(
      measure,
      grades.toSorted((a, b) => b - a),
      judgedCounts,
    );
    const isSound = deviation < 1e-12 && value >= 0 && value <= 1 + 1e-12 && ideal >= value - 1e-12;
    if (!isSound || !risesBySwap(measure, grades, judgedCounts, g, value, random)) deviations++;
  }
  return { deviations, lists: numLists, largestDeviation: largest };
}

function risesBySwap(measure, grades, judgedCounts, g, value, random) {
  if (grades.length < 2) return true;
  const upper = random.below(grades.length - 1);
  const lower = upper + 1 + random.below(grades.length - 1 - upper);
  if (grades[upper] >= grades[lower]) return true;
  const swapped = grades.with(upper, grades[lower]).with(lower, grades[upper]);
  const change = measured(measure, swapped, judgedCounts) - value;
  const matters = g.slice(grades[upper], grades[lower]).some((share) => share > 0);
  return matters ? change > 0 : Math.abs(change) < 1e-12 || change > 0;
}

/** The stated experiment, drawn many times for one list: (i) a user and a relevant document together, (ii) first a user, then a document.
 *  The second has another expectation; the example is the random list of ten on which the two lie farthest apart. */
export function gradedExperiments(numDraws) {
  const random = seededRandom(7302);
  const grades = [2, 0, 1, 0, 0, 2, 1, 0, 1, 0];
  const judgedCounts = [5, 4, 3];
  const g = [0.5, 0.5];
  const value = measured(gapMeasure(g), grades, judgedCounts);
  const pairs = drawnMean(numDraws, () => pairOutcome(random, grades, judgedCounts, g));
  const users = drawnMean(numDraws, () => userOutcome(random, grades, judgedCounts, g));
  const meanOfAps = g.reduce((sum, share, j) => sum + share * averagePrecision(grades, judgedCounts, j + 1).value, 0);
  let example = { difference: 0 };
  for (let i = 0; i < 2000; i++) {
    const list = Array.from({ length: 10 }, () => random.below(3));
    const counts = [0, 1, 2].map((grade) => list.filter((own) => own === grade).length);
    if (counts[1] === 0 || counts[2] === 0) continue;
    const gap = measured(gapMeasure(g), list, counts);
    const other = g.reduce((sum, share, j) => sum + share * averagePrecision(list, counts, j + 1).value, 0);
    if (Math.abs(gap - other) > Math.abs(example.difference)) example = { grades: list, gap, meanOfAps: other, difference: other - gap };
  }
  const isOff = Math.abs(pairs.mean - value) > 4 * pairs.error || Math.abs(users.mean - meanOfAps) > 4 * users.error;
  return { deviations: isOff || example.difference === 0 ? 1 : 0, gap: value, byPairs: pairs, meanOfAps, byUsers: users, example };
}

function drawnMean(numDraws, draw) {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < numDraws; i++) {
    const value = draw();
    sum += value;
    squares += value * value;
  }
  const mean = sum / numDraws;
  return { draws: numDraws, mean, error: Math.sqrt((squares / numDraws - mean * mean) / numDraws) };
}

/** A relevant document, found or not, and one of the users to whom it is: both at once. */
function pairOutcome(random, grades, judgedCounts, g) {
  const credit = (grade) => g.slice(0, grade).reduce((sum, share) => sum + share, 0);
  const total = judgedCounts.reduce((sum, count, grade) => sum + count * credit(grade), 0);
  let place = random.float() * total;
  for (const [n, grade] of grades.entries()) {
    for (let j = 0; j < grade; j++) {
      place -= g[j];
      if (place < 0) return grades[random.below(n + 1)] > j ? 1 : 0;
    }
  }
  return 0;
}

function userOutcome(random, grades, judgedCounts, g) {
  const j = random.float() < g[0] ? 0 : 1;
  const total = judgedCounts.slice(j + 1).reduce((sum, count) => sum + count, 0);
  const found = grades.flatMap((grade, n) => (grade > j ? [n] : []));
  const n = found[random.below(total)];
  if (n === undefined) return 0;
  return grades[random.below(n + 1)] > j ? 1 : 0;
}

/** GAP of a list with half of the users at each grade, the sum of graded precision times recall step, and the area by trapezoids. */
export function areaOf({ grades, judgedCounts }) {
  const g = new Array(judgedCounts.length - 1).fill(1 / (judgedCounts.length - 1));
  const credit = judgedCounts.map((_, grade) => g.slice(0, grade).reduce((sum, share) => sum + share, 0));
  const total = judgedCounts.reduce((sum, count, grade) => sum + count * credit[grade], 0);
  let steps = 0;
  let trapezoid = 0;
  let last;
  const seen = new Array(judgedCounts.length).fill(0);
  for (const [n, grade] of grades.entries()) {
    seen[grade]++;
    if (grade === 0) continue;
    const shared = seen.reduce((sum, count, other) => sum + count * credit[Math.min(other, grade)], 0);
    const precision = shared / (n + 1) / credit[grade];
    const step = credit[grade] / total;
    steps += step * precision;
    trapezoid += (step * (precision + (last ?? precision))) / 2;
    last = precision;
  }
  return { gap: measured(gapMeasure(g), grades, judgedCounts), steps, trapezoid };
}

/** Expectations of measures over independent grades against the sum over all lists, and how well the problems are solved. */
export function entropyDeviations(numProblems) {
  const random = seededRandom(7302);
  const measures = ['AP', 'GAP(g=[0.5,0.5])', "nDCG(gain='exp')"].map((text) => parseMeasure(text));
  let expectation = 0;
  let residual = 0;
  for (let i = 0; i < numProblems; i++) {
    const numRanks = 3 + random.below(6);
    const judgedCounts = [20, 10, 10];
    const p = new Float64Array(3 * numRanks);
    for (let n = 0; n < numRanks; n++) {
      const weights = [0, 1, 2].map(() => random.float());
      const sum = weights.reduce((total, weight) => total + weight, 0);
      for (let grade = 0; grade < 3; grade++) p[3 * n + grade] = weights[grade] / sum;
    }
    for (const measure of measures) {
      const expected = expectedMeasure(measure, { numRanks, judgedCounts });
      expectation = Math.max(expectation, Math.abs(expected.expectation(p) - enumerated(measure, p, numRanks, judgedCounts)));
      const grades = Array.from({ length: 30 }, () => random.below(3));
      const counts = [0, 1, 2].map((grade) => grades.filter((own) => own === grade).length);
      const { residuals } = maximizeEntropy({
        numRanks: 30,
        counts,
        measure: expectedMeasure(measure, { numRanks: 30, judgedCounts: counts }),
        value: measured(measure, grades, counts),
      });
      residual = Math.max(residual, residuals.value, residuals.counts);
    }
  }
  return { deviation: Math.max(expectation, residual), expectation, residual, problems: numProblems };
}

/** The mean of a measure over all lists of grades, each weighed by its probability. */
function enumerated(measure, p, numRanks, judgedCounts) {
  let sum = 0;
  for (let list = 0; list < 3 ** numRanks; list++) {
    const grades = new Array(numRanks);
    let chance = 1;
    for (let n = 0, rest = list; n < numRanks; n++, rest = Math.floor(rest / 3)) {
      grades[n] = rest % 3;
      chance *= p[3 * n + grades[n]];
    }
    sum += chance * measured(measure, grades, judgedCounts);
  }
  return sum;
}
