import type { UserTopic } from '../core/judge-users.js';
import { InputError } from '../core/problem.js';
import type { MeasureDef, ParamSpec, Params } from './measure.js';
import { depthOf, depthParam, numberParam, optionalNumber, relParam } from './measure.js';

/** Measures that ask what the reader knows already, or expects to find. */

const common = { needs: 'users', aggregate: 'mean' } as const;
const expectedParam: ParamSpec = { type: 'integer', default: undefined, min: 1 };

/** How many documents at or above the level are among the first k; with `known` given, only those known (1) or new (0). */
function countFound({ view, known }: UserTopic, level: number, depth: number, wanted?: 0 | 1): number {
  let count = 0;
  for (let i = 0; i < Math.min(depth, view.numRetrieved); i++) {
    if (view.codes[view.start + i] >= level && (wanted === undefined || known[i] === wanted)) count++;
  }
  return count;
}

function expectedCount(topic: UserTopic, params: Params, name: string): number {
  const expected = topic.expected ?? optionalNumber(params, 'expected');
  if (expected !== undefined) return expected;
  throw new InputError({
    message: `${name} needs to know how many relevant documents the reader expects`,
    wayOut: `give the number for each topic, or one for all as in ${name}(expected=5)`,
  });
}

export const coverage: MeasureDef = {
  name: 'Coverage',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...common,
  range: [0, 1],
  direction: 'higher',
  bindUsers(params) {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => {
      const numKnown = topic.knownGrades.reduce((count, grade) => (grade >= level ? count + 1 : count), 0);
      return numKnown > 0 ? countFound(topic, level, cutoff, 1) / numKnown : 0;
    };
  },
};

export const novelty: MeasureDef = {
  name: 'Novelty',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...common,
  range: [0, 1],
  direction: 'higher',
  bindUsers(params) {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => {
      const found = countFound(topic, level, cutoff);
      return found > 0 ? countFound(topic, level, cutoff, 0) / found : 0;
    };
  },
};

export const relativeRecall: MeasureDef = {
  name: 'RelativeRecall',
  params: { cutoff: depthParam, rel: relParam, expected: expectedParam },
  at: 'cutoff',
  ...common,
  range: [0, Infinity],
  direction: 'higher',
  bindUsers(params) {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => countFound(topic, level, cutoff) / expectedCount(topic, params, 'RelativeRecall');
  },
};

export const recallEffort: MeasureDef = {
  name: 'RecallEffort',
  params: { cutoff: depthParam, rel: relParam, expected: expectedParam },
  at: 'cutoff',
  ...common,
  range: [0, 1],
  direction: 'higher',
  bindUsers(params) {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => {
      const expected = expectedCount(topic, params, 'RecallEffort');
      const { codes, start, numRetrieved } = topic.view;
      let found = 0;
      for (let i = 0; i < Math.min(cutoff, numRetrieved); i++) {
        if (codes[start + i] >= level && ++found === expected) return expected / (i + 1);
      }
      return 0;
    };
  },
};
