// Whether zeroing short queries reverses learners (claim A9b), with two controls for chance.
import { seededRandom } from '../../../dist/core/numbers/random.js';
import { correctPValues } from '../../../dist/stats/index.js';
import { meanOf, pAbove } from './comparing.mjs';

const LEAST = 0.002;

/** @param arms Values of each query by both rules, by learner.
 *  @param short Whether each query is zeroed by the second rule and is not worth 0 anyway. */
export function reversalsOf(arms, short, { sets = 10_000, samples = 2000 } = {}) {
  const names = Object.keys(arms);
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  const differencesOf = (rule) => pairs.map(([a, b]) => arms[a][rule].map((value, q) => value - arms[b][rule][q]));
  const [byFirst, bySecond] = [differencesOf('ranklib'), differencesOf('letor4')];
  const isReversed = (x, y) => x * y < 0 && Math.min(Math.abs(x), Math.abs(y)) >= LEAST;
  const numReversed = pairs.filter((_, k) => isReversed(meanOf(byFirst[k]), meanOf(bySecond[k]))).length;
  const negated = (list) => list.map((value) => -value);
  const directed = pairs.flatMap(([a, b], k) => [
    { pair: `${a} over ${b}`, p: Math.max(pAbove(byFirst[k]), pAbove(negated(bySecond[k]))) },
    { pair: `${b} over ${a}`, p: Math.max(pAbove(negated(byFirst[k])), pAbove(bySecond[k])) },
  ]);
  const corrected = correctPValues({ pValues: directed.map(({ p }) => p), method: 'holm' }).pValues;

  const random = seededRandom(7301);
  const numQueries = short.length;
  const numShort = short.filter(Boolean).length;
  const order = Array.from({ length: numQueries }, (_, q) => q);
  let asMany = 0;
  const sums = byFirst.map((list) => list.reduce((sum, value) => sum + value, 0));
  for (let set = 0; set < sets; set++) {
    for (let i = 0; i < numShort; i++) {
      const j = i + random.below(numQueries - i);
      [order[i], order[j]] = [order[j], order[i]];
    }
    let count = 0;
    for (const [k, list] of byFirst.entries()) {
      let rest = sums[k];
      for (let i = 0; i < numShort; i++) rest -= list[order[i]];
      if (isReversed(sums[k] / numQueries, rest / numQueries)) count++;
    }
    if (count >= numReversed) asMany++;
  }

  const kept = pairs.map(() => 0);
  let byItself = 0;
  for (let sample = 0; sample < samples; sample++) {
    const drawn = order.map(() => random.below(numQueries));
    const again = order.map(() => random.below(numQueries));
    for (const k of pairs.keys()) {
      const at = (list, places) => places.reduce((sum, q) => sum + list[q], 0);
      const first = at(byFirst[k], drawn);
      if (Math.sign(first) === Math.sign(at(bySecond[k], drawn))) kept[k]++;
      if (isReversed(first / numQueries, at(byFirst[k], again) / numQueries)) byItself++;
    }
  }
  return {
    numbers: { numReversed, pBothSides: Math.min(...corrected), pCount: asMany / sets, signsKept: Math.min(...kept) / samples },
    facts: {
      reversed: pairs.flatMap(([a, b], k) => (isReversed(meanOf(byFirst[k]), meanOf(bySecond[k])) ? [`${a} and ${b}`] : [])),
      zeroed: numShort,
      reversalsOfOneRuleAgainstItself: byItself / samples,
    },
  };
}
