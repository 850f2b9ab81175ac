import { describe, expect, it } from 'vitest';
import { applyConvention } from '../../src/conventions/convention.js';
import { findConvention } from '../../src/conventions/registry.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import type { LinearScorer, Model, TreeScorer } from '../../src/ltr/ranker.js';
import { loadLearner } from '../../src/ltr/registry.js';
import { trainRanker } from '../../src/ltr/train.js';
import type { Measure } from '../../src/measures/measure.js';
import { parseMeasure } from '../../src/measures/parse.js';

/** Queries of four documents that feature 1 ranks rightly and feature 2 the wrong way round, and more queries of two documents
 *  with which it is the other way. */
function data({ long = 3, short = 6, empty = 0 } = {}): string {
  const lines: string[] = [];
  for (let q = 0; q < long; q++) {
    const labels = [2, 1, 1, 0];
    labels.forEach((label, d) => {
      lines.push(`${label} qid:long${q} 1:${4 - d} 2:${d}`);
    });
  }
  for (let q = 0; q < short; q++) lines.push(`1 qid:short${q} 1:0 2:1`, `0 qid:short${q} 1:1 2:0`);
  for (let q = 0; q < empty; q++) lines.push(`0 qid:empty${q} 1:0 2:9`, `0 qid:empty${q} 1:9 2:0`, `0 qid:empty${q} 1:5 2:5`);
  return `${lines.join('\n')}\n`;
}

const under = (convention: string, text = 'nDCG@3'): Measure => applyConvention(parseMeasure(text), findConvention(convention).rules);

async function trained(learner: string, text: string, objective: Measure): Promise<Model> {
  const { matrix } = parseLetor(text, { features: 'dense' });
  const options = learner === 'adarank' ? { rounds: 1 } : { trees: 1, leaves: 2, minDocs: 1, minHessian: 0 };
  return await trainRanker({ learner: await loadLearner(learner), train: matrix, objective, options });
}

/** The feature that the first step chose. */
function chosen({ scorer }: Model): number {
  if (scorer.kind === 'linear') return (scorer as LinearScorer).weights.findIndex((weight) => weight !== 0) + 1;
  return (scorer as TreeScorer).feature[0] + 1;
}

describe.each(['adarank', 'lambdamart'])('%s under the rules of different tools', (learner) => {
  it('learns from short lists by the definition, and not by the rule of LETOR, under which they are worth 0 anyway', async () => {
    const byDefinition = await trained(learner, data(), parseMeasure('nDCG@3'));
    const byLetor = await trained(learner, data(), under('letor4'));
    expect(byDefinition.scorer).not.toEqual(byLetor.scorer);
    // without the short lists the rule has nothing to say, and the same is learnt as by the rule with them
    const longOnly = await trained(learner, data({ short: 0 }), under('letor4'));
    expect(byLetor.training?.objective).toBe(longOnly.training?.objective);
    expect(chosen(byLetor)).toBe(chosen(longOnly));
  });

  it('takes the same first step with and without queries that a rule settles: worth 1 by the rule of Yahoo, 0 by the definition', async () => {
    for (const objective of [under('yahoo'), parseMeasure('nDCG@3')]) {
      const without = await trained(learner, data(), objective);
      const withEmpty = await trained(learner, data({ empty: 5 }), objective);
      expect(chosen(withEmpty)).toBe(chosen(without));
    }
  });
});

describe('adarank', () => {
  it('takes the feature for short lists by the definition and the one for long lists by the rule of LETOR', async () => {
    // by the definition feature 2 ranks six short lists perfectly, feature 1 three long ones
    expect(chosen(await trained('adarank', data(), parseMeasure('nDCG@3')))).toBe(2);
    expect(chosen(await trained('adarank', data(), under('letor4')))).toBe(1);
  });

  it('gives features other weights by the rule of Yahoo than by the definition, and ranks other documents first', async () => {
    // feature 1 is right twice, feature 2 once, and one query has nothing relevant: worth 1 by the rule of Yahoo, 0 by the definition
    const text = [
      ...['1 qid:a 1:2 2:1', '0 qid:a 1:1 2:2', '1 qid:b 1:1 2:2', '0 qid:b 1:2 2:1', '1 qid:c 1:2 2:1', '0 qid:c 1:1 2:2'],
      ...['0 qid:empty 1:5 2:7', '0 qid:empty 1:8 2:3'],
    ].join('\n');
    const { matrix } = parseLetor(`${text}\n`, { features: 'dense' });
    const learner = await loadLearner('adarank');
    const ranked = async (objective: Measure): Promise<boolean> => {
      const { scorer } = await trainRanker({ learner, train: matrix, objective, options: { rounds: 2 } });
      const [first, second] = (scorer as LinearScorer).weights;
      // a document with feature 1 alone against one with 1.24 of feature 2
      return first > 1.24 * second;
    };
    // ½ ln 7 : ½ ln(2 + e) = 1.254, ½ ln 5 : ½ ln(1 + e) = 1.226
    expect(await ranked(under('yahoo', 'nDCG@1'))).toBe(true);
    expect(await ranked(parseMeasure('nDCG@1'))).toBe(false);
  });

  it('is moved by what a grade gains: exponential gains of Yahoo make the best document matter more', async () => {
    // feature 1 puts the best document second and the others right, feature 2 the best first and the others wrong
    const text = [
      ...['3 qid:a 1:2 2:9', '2 qid:a 1:9 2:0', '2 qid:a 1:1.5 2:1', '1 qid:a 1:1 2:2', '0 qid:a 1:0 2:3'],
      ...['3 qid:b 1:2 2:9', '2 qid:b 1:9 2:0', '2 qid:b 1:1.5 2:1', '1 qid:b 1:1 2:2', '0 qid:b 1:0 2:3'],
    ].join('\n');
    expect(chosen(await trained('adarank', `${text}\n`, parseMeasure('nDCG@5')))).toBe(1);
    expect(chosen(await trained('adarank', `${text}\n`, under('yahoo', 'nDCG@1')))).toBe(2);
  });
});
