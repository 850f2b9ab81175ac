import { evaluationLimits } from '../../core/evaluation-limits.js';
import { compareIds } from '../../core/ids.js';
import type { TopicView } from '../../core/judging/judge.js';
import { log2OfInteger } from '../../core/numbers/logarithm.js';
import type { ParamSpec } from '../../core/params.js';
import { precision, success } from '../cutoff.js';
import { define } from '../define.js';
import type { CompositeTopic, Measure, MeasureDef, Params } from '../measure.js';
import { depthOf, depthParam, fractionParam, makeMeasure, numberParam, relParam } from '../measure.js';
import { expectedCascade } from '../tied.js';
import { averagePrecision } from './average-precision.js';
import { numRel } from './counts.js';
import { setPrecision } from './sets.js';

/** Measures of rankings for several readings of a topic. Each is made of a value per subtopic, which only the subtopic's own
 *  relevant documents decide; subtopics without any are left aside. */
function ofSubtopics(
  name: string,
  aliases: readonly string[],
  params: Readonly<Record<string, ParamSpec>>,
  each: (params: Params) => Measure,
  finish: (sum: number, numSubtopics: number, topic: CompositeTopic, params: Params) => number = (sum, numSubtopics) => sum / numSubtopics,
): MeasureDef {
  return define(name, params, {
    aliases,
    needs: 'subtopics',
    compose: (given) => ({
      each: [each(given), makeMeasure(numRel, { rel: given.rel })],
      finish(parts, topic) {
        let sum = 0;
        let numSubtopics = 0;
        for (const [value, numRelevant] of parts) {
          if (numRelevant === 0) continue;
          sum += value;
          numSubtopics++;
        }
        return numSubtopics > 0 ? finish(sum, numSubtopics, topic, given) : 0;
      },
    }),
  });
}

const cutParams = { cutoff: depthParam, rel: relParam };

/** P_IA: precision for each subtopic, averaged over the subtopics. */
export const pIa: MeasureDef = ofSubtopics('P_IA', [], cutParams, ({ cutoff, rel }) =>
  cutoff === undefined ? makeMeasure(setPrecision, { rel }) : makeMeasure(precision, { cutoff, rel }),
);

/** AP_IA: average precision for each subtopic, averaged over the subtopics. */
export const apIa: MeasureDef = ofSubtopics('AP_IA', ['MAP_IA'], { rel: relParam }, ({ rel }) => makeMeasure(averagePrecision, { rel }));

/** StRecall: the share of subtopics with at least one relevant document down to a cutoff. */
export const stRecall: MeasureDef = ofSubtopics('StRecall', [], cutParams, ({ cutoff = evaluationLimits.cutoff, rel }) =>
  makeMeasure(success, { cutoff, rel }),
);

/** Each relevant document of a subtopic is worth (1 - alpha)^(relevant ones above), times the weight of its rank. */
type RankWeight = (params: Params) => (rank: number) => number;

function cascade(params: Params, weightOf: RankWeight): Measure {
  const level = numberParam(params, 'rel');
  const keep = 1 - numberParam(params, 'alpha');
  const depth = depthOf(params);
  const weightAt = weightOf(params);
  const isRelevant = (code: number): number => (code >= level ? 1 : 0);
  const bind =
    () =>
    ({ codes, start, numRetrieved }: TopicView) =>
      cascadeSum(Math.min(depth, numRetrieved), keep, weightAt, (i) => codes[start + i] >= level);
  const expected = () => (view: TopicView) => expectedCascade(view, depth, isRelevant, (code) => (code >= level ? keep : 1), weightAt);
  return makeMeasure(define('', {}, { bind, expected }));
}

function cascadeSum(depth: number, keep: number, weightAt: (rank: number) => number, isRelevantAt: (i: number) => boolean): number {
  let left = 1;
  let sum = 0;
  for (let i = 0; i < depth && left > 0; i++) {
    if (!isRelevantAt(i)) continue;
    sum += left * weightAt(i + 1);
    left *= keep;
  }
  return sum;
}

/** What the best order of the judged documents is worth. It is found by taking the document with the highest gain time and
 *  again, the one with the larger id if there are several; finding the really best order takes exponential time. */
function idealCascade({ qrels, topic }: CompositeTopic, params: Params, weightOf: RankWeight): number {
  const { docOf, docs, grades, groups, offsets } = qrels;
  const level = numberParam(params, 'rel');
  const keep = 1 - numberParam(params, 'alpha');
  const weightAt = weightOf(params);
  const subtopicsOf = new Map<number, number[]>();
  for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
    if (!(grades[row] >= level) || groups === undefined) continue;
    const subtopics = subtopicsOf.get(docOf[row]) ?? [];
    subtopicsOf.set(docOf[row], subtopics);
    subtopics.push(groups.of[row]);
  }
  const open = [...subtopicsOf.keys()].sort((a, b) => compareIds(docs, b, docs, a)).map((doc) => subtopicsOf.get(doc) ?? []);
  const left = new Map<number, number>();
  const gainOf = (subtopics: readonly number[]): number => subtopics.reduce((gain, subtopic) => gain + (left.get(subtopic) ?? 1), 0);
  let sum = 0;
  for (let rank = 1; open.length > 0 && rank <= depthOf(params); rank++) {
    let best = 0;
    for (const [i, subtopics] of open.entries()) if (gainOf(subtopics) > gainOf(open[best])) best = i;
    const [taken] = open.splice(best, 1);
    sum += gainOf(taken) * weightAt(rank);
    for (const subtopic of taken) left.set(subtopic, (left.get(subtopic) ?? 1) * keep);
  }
  return sum;
}

/** The two measures of a cascade: one divided by what a ranking would have whose every document is relevant to every subtopic,
 *  the other by that of the best order of the judged documents. */
function cascadePair(
  names: readonly [plain: readonly string[], ideal: readonly string[]],
  params: Readonly<Record<string, ParamSpec>>,
  weightOf: RankWeight,
  perfect: (params: Params, depth: number) => number,
): [plain: MeasureDef, ideal: MeasureDef] {
  const [[plainName, ...plainAliases], [idealName, ...idealAliases]] = names;
  const each = (given: Params): Measure => cascade(given, weightOf);
  return [
    ofSubtopics(
      plainName,
      plainAliases,
      params,
      each,
      (sum, numSubtopics, { codes }, given) =>
        sum / numSubtopics / perfect(given, (given.cutoff as number | undefined) ?? Math.max(1, codes.length)),
    ),
    ofSubtopics(idealName, idealAliases, params, each, (sum, _, topic, given) => sum / idealCascade(topic, given, weightOf)),
  ];
}

/** All documents relevant to all subtopics, down to a depth. */
function perfectTo(weightOf: RankWeight): (params: Params, depth: number) => number {
  return (params, depth) => cascadeSum(depth, 1 - numberParam(params, 'alpha'), weightOf(params), () => true);
}

const alphaParam = { alpha: fractionParam(0.5) };
const byLog: RankWeight = () => (rank) => 1 / log2OfInteger(rank + 1);
const byRank: RankWeight = () => (rank) => 1 / rank;
const byPatience: RankWeight = (params) => (rank) => numberParam(params, 'beta') ** (rank - 1);

const byAlpha = cascadePair(
  [
    ['alpha_DCG', 'α_DCG', 'alpha-DCG'],
    ['alpha_nDCG', 'α_nDCG', 'alpha-nDCG'],
  ],
  { ...cutParams, ...alphaParam },
  byLog,
  perfectTo(byLog),
);
const byCascade = cascadePair(
  [
    ['ERR_IA', 'ERR-IA'],
    ['nERR_IA', 'nERR-IA'],
  ],
  { ...cutParams, ...alphaParam },
  byRank,
  perfectTo(byRank),
);
const byNovelty = cascadePair(
  [['NRBP'], ['nNRBP']],
  // a patience of 1 would never end
  { rel: relParam, ...alphaParam, beta: { type: 'number', default: 0.5, min: 0, below: 1 } },
  byPatience,
  ({ alpha, beta }) => 1 / (1 - (1 - (alpha as number)) * (beta as number)),
);

/** alpha_DCG: DCG in which repeating a subtopic is worth less each time. */
export const alphaDcg: MeasureDef = byAlpha[0];
/** alpha_nDCG: alpha_DCG relative to the best order of the judged documents, which is found greedily. */
export const alphaNdcg: MeasureDef = byAlpha[1];
/** ERR_IA: ERR for readers of each subtopic, averaged over the subtopics. */
export const errIa: MeasureDef = byCascade[0];
/** nERR_IA: ERR_IA relative to the best order of the judged documents. */
export const nErrIa: MeasureDef = byCascade[1];
/** NRBP: rank-biased precision in which repeating a subtopic is worth less each time. */
export const nrbp: MeasureDef = byNovelty[0];
/** nNRBP: NRBP relative to the best order of the judged documents. */
export const nNrbp: MeasureDef = byNovelty[1];
