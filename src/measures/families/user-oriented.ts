import type { ParamSpec } from '../../core/params.js';
import { InputError } from '../../core/problem.js';
import { define } from '../define.js';
import type { CompositeTopic, MeasureDef, Params } from '../measure.js';
import { depthOf, depthParam, makeMeasure, numberParam, optionalNumber, relParam } from '../measure.js';
import { numRel, numRelRet } from './counts.js';

/** How many relevant documents were found, and how many there are. */
interface Counts {
  readonly found: number;
  readonly all: number;
}

const countsOf = ([found, all]: readonly number[]): Counts => ({ found, all });

/** A measure that asks what the reader knows already, or expects to find. The first part of the judgements is all of them, and
 *  each other part what one reader knows. */
function ofReaders(
  name: string,
  more: Readonly<Record<string, ParamSpec>>,
  value: (all: Counts, known: Counts, topic: CompositeTopic, params: Params) => number,
  rest: Partial<MeasureDef> = {},
): MeasureDef {
  return define(
    name,
    { cutoff: depthParam, rel: relParam, ...more },
    {
      needs: 'users',
      compose: (params) => ({
        each: [makeMeasure(numRelRet, { cutoff: params.cutoff, rel: params.rel }), makeMeasure(numRel, { rel: params.rel })],
        finish: ([all, ...readers], topic) =>
          readers.reduce((sum, known) => sum + value(countsOf(all), countsOf(known), topic, params), 0) / readers.length,
      }),
      ...rest,
    },
  );
}

const expectedParam = { expected: { type: 'integer', default: undefined, min: 1 } } as const;

function expectedCount(topic: CompositeTopic, params: Params, name: string): number {
  const expected = topic.expected ?? optionalNumber(params, 'expected');
  if (expected !== undefined) return expected;
  throw new InputError({
    message: `${name} needs to know how many relevant documents the reader expects`,
    wayOut: `give the number for each topic, or one for all as in ${name}(expected=5)`,
  });
}

/** Coverage: how much of what the reader knew to be relevant was found. */
export const coverage: MeasureDef = ofReaders('Coverage', {}, (_, { found, all }) => (all > 0 ? found / all : 0));

/** Novelty: how much of what was found is new to the reader. */
export const novelty: MeasureDef = ofReaders('Novelty', {}, ({ found }, known) => (found > 0 ? (found - known.found) / found : 0));

/** RelativeRecall: relevant documents found, relative to how many the reader expected. */
export const relativeRecall: MeasureDef = ofReaders(
  'RelativeRecall',
  expectedParam,
  ({ found }, _, topic, params) => found / expectedCount(topic, params, 'RelativeRecall'),
  { range: [0, Infinity] },
);

/** RecallEffort: how little had to be looked at until the expected number of relevant documents was found. */
export const recallEffort: MeasureDef = ofReaders('RecallEffort', expectedParam, (_, __, topic, params) => {
  const expected = expectedCount(topic, params, 'RecallEffort');
  const level = numberParam(params, 'rel');
  let found = 0;
  for (const [i, code] of topic.codes.subarray(0, depthOf(params)).entries()) {
    if (code >= level && ++found === expected) return expected / (i + 1);
  }
  return 0;
});
