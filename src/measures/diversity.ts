import { emptyView, type TopicView } from '../core/judge.js';
import type { SubtopicTopic } from '../core/judge-subtopics.js';
import { log2OfInteger } from '../core/logarithm.js';
import { ExpectedPasses } from './expected-passes.js';
import type { MeasureDef, Params } from './measure.js';
import { depthOf, depthParam, fractionParam, numberParam, relParam } from './measure.js';
import { Passes } from './passes.js';
import { expectedAtFirst, expectedCascade } from './tied.js';

/** Measures of rankings for several readings of a topic. Each is a mean over the subtopics that have a relevant document, of
 *  a value that a subtopic's own relevant documents decide. */

const common = { needs: 'subtopics', aggregate: 'mean', range: [0, 1], direction: 'higher' } as const;
const cutParams = { cutoff: depthParam, rel: relParam };
const alphaParam = fractionParam(0.5);

/** Calls `visit` for each subtopic that has relevant documents, with the ranking as that subtopic sees it: 1 for a relevant
 *  document and 0 for any other. */
function forEachSubtopic(
  topic: SubtopicTopic,
  docAt: Int32Array,
  numRetrieved: number,
  level: number,
  visit: (view: TopicView) => void,
): number {
  const { numDocs, numSubtopics, offsets, subtopicOf, grades } = topic;
  const numRelevant = new Uint32Array(numSubtopics);
  for (let i = 0; i < offsets[numDocs]; i++) if (grades[i] >= level) numRelevant[subtopicOf[i]]++;
  const view: TopicView = { ...emptyView(), codes: new Float64Array(docAt.length), numRetrieved, ties: topic.ties };
  let numActual = 0;
  for (let subtopic = 0; subtopic < numSubtopics; subtopic++) {
    if (numRelevant[subtopic] === 0) continue;
    numActual++;
    for (let rank = 0; rank < docAt.length; rank++) view.codes[rank] = isRelevant(topic, docAt[rank], subtopic, level) ? 1 : 0;
    view.numJudged = numRelevant[subtopic];
    view.judged = new Float64Array(view.numJudged).fill(1);
    visit(view);
  }
  return numActual;
}

function isRelevant({ offsets, subtopicOf, grades }: SubtopicTopic, doc: number, subtopic: number, level: number): boolean {
  if (doc < 0) return false;
  for (let i = offsets[doc]; i < offsets[doc + 1]; i++) if (subtopicOf[i] === subtopic) return grades[i] >= level;
  return false;
}

/** The sum of a value over the subtopics, and how many there are. */
function sumOverSubtopics(topic: SubtopicTopic, level: number, value: (view: TopicView) => number): { sum: number; numActual: number } {
  let sum = 0;
  const numActual = forEachSubtopic(topic, topic.docAt, topic.numRetrieved, level, (view) => {
    sum += value(view);
  });
  return { sum, numActual };
}

/** A measure that is the plain mean of a value over the subtopics. */
function meanOverSubtopics(
  name: string,
  aliases: readonly string[],
  params: MeasureDef['params'],
  prepare: (params: Params) => (view: TopicView, passes: Passes) => number,
): MeasureDef {
  return {
    name,
    aliases,
    params,
    ...(params.cutoff === undefined ? {} : { at: 'cutoff' }),
    ...common,
    bindSubtopics(given) {
      const value = prepare(given);
      const level = numberParam(given, 'rel');
      const plain = new Passes();
      const expected = new ExpectedPasses();
      for (const passes of [plain, expected]) passes.precision(1);
      return (topic) => {
        const { sum, numActual } = sumOverSubtopics(topic, level, (view) => {
          const passes = view.ties === undefined ? plain : expected;
          passes.update(view);
          return value(view, passes);
        });
        return numActual > 0 ? sum / numActual : 0;
      };
    },
  };
}

export const pIa: MeasureDef = meanOverSubtopics('P_IA', [], cutParams, (params) => {
  const cutoff = depthOf(params);
  return ({ numRetrieved }, passes) => {
    const hits = passes.relevance(1).hits[Math.min(cutoff, numRetrieved)];
    return hits > 0 ? hits / (cutoff < Infinity ? cutoff : numRetrieved) : 0;
  };
});

export const apIa: MeasureDef = meanOverSubtopics('AP_IA', ['MAP_IA'], { rel: relParam }, () => (view, passes) => {
  return passes.precision(1).sums[view.numRetrieved] / view.numJudged;
});

export const stRecall: MeasureDef = meanOverSubtopics('StRecall', [], cutParams, (params) => {
  const cutoff = depthOf(params);
  return (view, passes) => {
    if (view.ties !== undefined) return expectedAtFirst(view, 1, cutoff, () => 1, 0);
    return passes.relevance(1).hits[Math.min(cutoff, view.numRetrieved)] > 0 ? 1 : 0;
  };
});

/** A cascade over the subtopics: each relevant document of a subtopic is worth (1 - alpha)^(relevant ones above), times the
 *  weight of its rank. */
interface Cascade {
  readonly alpha: number;
  readonly weightAt: (rank: number) => number;
}

function cascadeOf(view: TopicView, depth: number, { alpha, weightAt }: Cascade): number {
  if (view.ties !== undefined) {
    return expectedCascade(
      view,
      depth,
      (code) => code,
      (code) => (code === 1 ? 1 - alpha : 1),
      weightAt,
    );
  }
  let left = 1;
  let sum = 0;
  for (let rank = 1; rank <= Math.min(depth, view.numRetrieved); rank++) {
    if (view.codes[rank - 1] === 0) continue;
    sum += left * weightAt(rank);
    left *= 1 - alpha;
  }
  return sum;
}

/** The best order of the judged documents, found by taking the document with the highest gain time and again; finding the
 *  really best one takes exponential time. Of equal documents the one with the larger id is taken, which no value notices
 *  unless such documents differ in their subtopics. */
function idealOrder(topic: SubtopicTopic, level: number, alpha: number, depth: number): Int32Array {
  const { numDocs, numSubtopics, offsets, subtopicOf, grades } = topic;
  const left = new Float64Array(numSubtopics).fill(1);
  const open = Array.from({ length: numDocs }, (_, doc) => doc).filter((doc) =>
    grades.subarray(offsets[doc], offsets[doc + 1]).some((grade) => grade >= level),
  );
  const ideal: number[] = [];
  while (open.length > 0 && ideal.length < depth) {
    let best = 0;
    let highest = -1;
    for (const [at, doc] of open.entries()) {
      let gain = 0;
      for (let i = offsets[doc]; i < offsets[doc + 1]; i++) if (grades[i] >= level) gain += left[subtopicOf[i]];
      if (gain < highest) continue;
      highest = gain;
      best = at;
    }
    const [doc] = open.splice(best, 1);
    ideal.push(doc);
    for (let i = offsets[doc]; i < offsets[doc + 1]; i++) if (grades[i] >= level) left[subtopicOf[i]] *= 1 - alpha;
  }
  return Int32Array.from(ideal);
}

/** A measure that is a cascade, divided by what a ranking would have whose every document is relevant to every subtopic, or
 *  by that of the best order of the judged documents. */
function cascadeMeasure(
  name: string,
  aliases: readonly string[],
  params: MeasureDef['params'],
  normal: 'collection-independent' | 'ideal',
  prepare: (params: Params) => Cascade & { readonly perfect?: number },
): MeasureDef {
  return {
    name,
    aliases,
    params,
    ...(params.cutoff === undefined ? {} : { at: 'cutoff' }),
    ...common,
    bindSubtopics(given) {
      const cascade = prepare(given);
      const level = numberParam(given, 'rel');
      const cutoff = depthOf(given);
      return (topic) => {
        const depth = Math.min(cutoff, Math.max(topic.numRetrieved, topic.numDocs));
        const { sum, numActual } = sumOverSubtopics(topic, level, (view) => cascadeOf(view, cutoff, cascade));
        if (numActual === 0) return 0;
        if (normal === 'collection-independent') {
          return (
            sum / numActual / (cascade.perfect ?? perfectCascade(cascade, cutoff < Infinity ? cutoff : Math.max(1, topic.numRetrieved)))
          );
        }
        const order = idealOrder(topic, level, cascade.alpha, depth);
        let ideal = 0;
        forEachSubtopic({ ...topic, ties: undefined }, order, order.length, level, (view) => {
          ideal += cascadeOf(view, cutoff, cascade);
        });
        return sum / ideal;
      };
    },
  };
}

function perfectCascade({ alpha, weightAt }: Cascade, depth: number): number {
  let left = 1;
  let sum = 0;
  for (let rank = 1; rank <= depth && left > 0; rank++) {
    sum += left * weightAt(rank);
    left *= 1 - alpha;
  }
  return sum;
}

const alphaDcgCascade = (params: Params): Cascade => ({
  alpha: numberParam(params, 'alpha'),
  weightAt: (rank) => 1 / log2OfInteger(rank + 1),
});
const errCascade = (params: Params): Cascade => ({ alpha: numberParam(params, 'alpha'), weightAt: (rank) => 1 / rank });
const nrbpCascade = (params: Params): Cascade & { perfect: number } => {
  const alpha = numberParam(params, 'alpha');
  const beta = numberParam(params, 'beta');
  return { alpha, weightAt: (rank) => beta ** (rank - 1), perfect: 1 / (1 - (1 - alpha) * beta) };
};

const alphaParams = { ...cutParams, alpha: alphaParam };
/** A patience of 1 would never end. */
const nrbpParams = { rel: relParam, alpha: alphaParam, beta: { ...fractionParam(0.5), max: 0.999999 } };

export const alphaDcg: MeasureDef = cascadeMeasure(
  'alpha_DCG',
  ['α_DCG', 'alpha-DCG'],
  alphaParams,
  'collection-independent',
  alphaDcgCascade,
);
export const alphaNdcg: MeasureDef = cascadeMeasure('alpha_nDCG', ['α_nDCG', 'alpha-nDCG'], alphaParams, 'ideal', alphaDcgCascade);
export const errIa: MeasureDef = cascadeMeasure('ERR_IA', ['ERR-IA'], alphaParams, 'collection-independent', errCascade);
export const nErrIa: MeasureDef = cascadeMeasure('nERR_IA', ['nERR-IA'], alphaParams, 'ideal', errCascade);
export const nrbp: MeasureDef = cascadeMeasure('NRBP', [], nrbpParams, 'collection-independent', nrbpCascade);
export const nNrbp: MeasureDef = cascadeMeasure('nNRBP', [], nrbpParams, 'ideal', nrbpCascade);
