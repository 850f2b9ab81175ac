import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../../../core/numbers/random.js';
import { evaluate } from '../../../measures/evaluate.js';
import type { Measure, MeasureDef } from '../../../measures/measure.js';
import { makeMeasure } from '../../../measures/measure.js';
import { parseMeasure } from '../../../measures/parse.js';
import { EvaluationPlan } from '../../../measures/plan.js';
import { allMeasures } from '../../../measures/registry.js';
import { additiveParts, boundsByShape, completedValueOf, forEachCompletion } from './completion-bounds.js';
import { CompletedTopic, openTopic } from './open-topic.js';

const ofRankings = allMeasures.filter(({ bind }) => bind !== undefined);

/** Every way a measure of the registry is tried: whole, at a cutoff, and with another lowest relevant grade. */
function variantsOf(def: MeasureDef): Measure[] {
  const at = def.at === undefined ? {} : { [def.at]: def.params[def.at].type === 'number' ? 0.5 : 3 };
  const whole = def.at !== undefined && def.params[def.at].required !== true ? [makeMeasure(def)] : [];
  return [makeMeasure(def, at), ...whole, ...(def.params.rel === undefined ? [] : [makeMeasure(def, { ...at, rel: 2 })])];
}

/** A small topic with some documents that nobody judged. */
function drawTopic(random: Random) {
  const scale = random.float() < 0.5 ? [0, 1] : [0, 1, 2];
  const length = 1 + random.below(6);
  const lists = [0, 1].map(() =>
    Array.from({ length: 8 }, (_, d) => ({ doc: `d${d}`, at: random.float() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, length)
      .map(({ doc }) => doc),
  );
  const known = new Map<string, number>();
  const open: string[] = [];
  for (let d = 0; d < 8; d++) {
    const where = random.float();
    // some documents stay without a judgement, as those below the depth do
    if (where < 0.45) known.set(`d${d}`, scale[random.below(scale.length)]);
    else if (where < 0.85 && open.length < 4) open.push(`d${d}`);
  }
  return { scale, lists, known, open };
}

function enumerated(scale: readonly number[], size: number, value: (grades: Float64Array) => number): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const even = Array.from({ length: size }, () => scale.map(() => 1 / scale.length));
  forEachCompletion(scale, even, (grades) => {
    const found = value(grades);
    low = Math.min(low, found);
    high = Math.max(high, found);
  });
  return { low, high };
}

describe('bounds over all completions', () => {
  test.each(ofRankings.map((def) => [def.name, def] as const))('of %s are those that counting through finds', (name, def) => {
    for (const measure of variantsOf(def)) {
      const random = seededRandom(name.length);
      const plan = new EvaluationPlan([measure], { highestGrade: 2 });
      for (let round = 0; round < 40; round++) {
        const { scale, lists, known, open } = drawTopic(random);
        const topic = openTopic('t', lists, known, open);
        const completed = new CompletedTopic(topic, scale);
        const values = [0, 1].map((run) => completedValueOf(plan, completed, run));
        const bounds = boundsByShape(measure, topic, 0, scale, values[0]);
        const exact = enumerated(scale, open.length, values[0]);
        expect(bounds.attained).toBe(true);
        expect(bounds.low).toBeCloseTo(exact.low, 12);
        expect(bounds.high).toBeCloseTo(exact.high, 12);
        const parts = [0, 1].map((run) => additiveParts(measure, topic, run, scale, values[run]));
        if (parts[0] === undefined || parts[1] === undefined) continue;
        const [first, second] = [parts[0], parts[1]];
        const between = enumerated(scale, open.length, (grades) => values[0](grades) - values[1](grades));
        const side = (sign: number): number =>
          first.parts.reduce((sum, part, d) => {
            const difference = part - second.parts[d];
            return sum + (sign * difference > 0 ? difference : 0);
          }, first.base - second.base);
        expect(side(-1)).toBeCloseTo(between.low, 12);
        expect(side(1)).toBeCloseTo(between.high, 12);
      }
    }
  });

  test('are of the same numbers as evaluating with the completed judgements', () => {
    const random = seededRandom(11);
    for (const def of ofRankings) {
      const measure = makeMeasure(def, def.at === undefined ? {} : { [def.at]: def.params[def.at].type === 'number' ? 0.5 : 3 });
      const { scale, lists, known, open } = drawTopic(random);
      const completed = new CompletedTopic(openTopic('t', lists, known, open), scale);
      const grades = Float64Array.from(open, () => scale[random.below(scale.length)]);
      const qrels = { t: Object.fromEntries([...known, ...open.map((doc, d) => [doc, grades[d]] as const)]) };
      if (Object.keys(qrels.t).length === 0) continue;
      const run = { t: Object.fromEntries(lists[0].map((doc, i) => [doc, 100 - i])) };
      const plan = new EvaluationPlan([measure], { highestGrade: scale[scale.length - 1] });
      const found = completedValueOf(plan, completed, 0)(grades);
      expect(found, measure.text).toBeCloseTo(evaluate(qrels, run, measure, { highestGrade: scale[scale.length - 1] }), 12);
    }
  });

  // the worked case of the definitions: ranking a b c d, a = 2, c = 0, candidate e, linear gains
  test('of nDCG with grades reach what was recorded', () => {
    const measure = parseMeasure("nDCG(gain='linear')@4");
    const topic = openTopic(
      't',
      [['a', 'b', 'c', 'd']],
      new Map([
        ['a', 2],
        ['c', 0],
      ]),
      ['b', 'd', 'e'],
    );
    const scale = [0, 1, 2];
    const value = completedValueOf(new EvaluationPlan([measure]), new CompletedTopic(topic, scale), 0);
    const { low, high, attained } = boundsByShape(measure, topic, 0, scale, value);
    expect([low, high, attained]).toEqual([expect.closeTo(0.613147, 6), expect.closeTo(1, 12), true]);
  });

  test('of many open documents with many grades are outer ones, which hold all values', () => {
    const measure = parseMeasure('nDCG');
    const list = Array.from({ length: 60 }, (_, d) => `d${d}`);
    const topic = openTopic(
      't',
      [list],
      new Map([
        ['d0', 3],
        ['d1', 0],
      ]),
      list.slice(2),
    );
    const scale = [0, 1, 2, 3];
    const value = completedValueOf(new EvaluationPlan([measure]), new CompletedTopic(topic, scale), 0);
    const bounds = boundsByShape(measure, topic, 0, scale, value);
    expect(bounds.attained).toBe(false);
    const random = seededRandom(3);
    for (let i = 0; i < 200; i++) {
      const found = value(Float64Array.from({ length: 58 }, () => random.below(4)));
      expect(found).toBeGreaterThanOrEqual(bounds.low);
      expect(found).toBeLessThanOrEqual(bounds.high);
    }
    // d0 alone counts, over an ideal of 60 threes: 3 / (3 · the sum of 1/log2(rank + 1) but for d1, whose grade is 0)
    let ideal = 0;
    for (let rank = 1; rank <= 59; rank++) ideal += 1 / Math.log2(rank + 1);
    expect(bounds.low).toBeCloseTo(1 / ideal, 12);
    expect(bounds.high).toBe(1);
  });
});
