import { applyConvention } from '../../conventions/convention.js';
import { rankLibRules } from '../../conventions/ltr-conventions.js';
import type { RankLibVersion } from '../../conventions/ranklib-versions.js';
import { emptyView } from '../../core/judging/judge.js';
import { logTable } from '../../core/numbers/logarithm.js';
import { precision } from '../../measures/cutoff.js';
import { averagePrecision } from '../../measures/families/average-precision.js';
import { reciprocalRank } from '../../measures/families/first-answer.js';
import { type MeasureDef, makeMeasure, type Params, withParams } from '../../measures/measure.js';
import { EvaluationPlan } from '../../measures/plan.js';
import { ToolExit } from '../host.js';

/** Labels of judged documents by query, from `-qrel`. */
export type Judgements = ReadonlyMap<string, readonly number[]>;

/** A metric of RankLib, made for one command. It remembers the ideal value of each query id, as RankLib does: lists that
 *  share an id share the ideal of the first of them. */
export interface MetricScorer {
  /** As the console spells it: `NDCG@10`, `MAP`, `Best@1`. */
  readonly name: string;
  score(id: string, labels: Float64Array): number;
}

interface MetricSettings {
  readonly version: RankLibVersion;
  readonly gmax: number;
  readonly judgements: Judgements | undefined;
}

interface MetricDef {
  readonly printed: string;
  readonly defaultDepth: number;
  /** Whether a depth is part of the name. */
  readonly hasDepth: boolean;
  make(depth: number, settings: MetricSettings): MetricScorer['score'];
}

/** The metric that RankLib means by a text such as `NDCG@10`; ends as RankLib does if it knows none. */
export function makeScorer(text: string, settings: MetricSettings): MetricScorer {
  const [word, depthText] = text.split('@');
  const def = metrics[word.toUpperCase()];
  if (def === undefined || (depthText !== undefined && !/^-?\d+$/.test(depthText))) {
    throw new ToolExit(1, { out: `Unknown metric: ${text}\nSystem will now exit.\n` });
  }
  const depth = depthText === undefined ? def.defaultDepth : Number(depthText);
  const name = def.hasDepth ? `${def.printed}@${depth}` : def.printed;
  const score = def.make(depth, settings);
  return { name, score: (id, labels) => (labels.length === 0 ? settings.version.emptyList : score(id, labels)) };
}

const DEFAULT_DEPTH = 10;

// NDCG, DCG and ERR are computed here, although the rules of the convention have the same bits on ordinary data, because RankLib also takes
// what the measures cannot express: labels from 32 up, whose gains start again from 0 while the ideal ranking still goes by labels, and
// labels above -gmax, with probabilities above 1. Best is the label that comes first if no other is higher, NaN included.

const metrics: Readonly<Record<string, MetricDef>> = {
  NDCG: {
    printed: 'NDCG',
    defaultDepth: DEFAULT_DEPTH,
    hasDepth: true,
    make(depth, { version, judgements }) {
      const ideals = new Map<string, number>();
      return (id, labels) => {
        let ideal = ideals.get(id);
        if (ideal === undefined) {
          const all = Float64Array.from(judgements?.get(id) ?? labels, Math.trunc);
          ideal = dcg(
            all.sort((a, b) => b - a),
            depth,
            version,
          );
          ideals.set(id, ideal);
        }
        return ideal > 0 ? dcg(labels, depth, version) / ideal : 0;
      };
    },
  },
  DCG: {
    printed: 'DCG',
    defaultDepth: DEFAULT_DEPTH,
    hasDepth: true,
    make:
      (depth, { version }) =>
      (_, labels) =>
        dcg(labels, depth, version),
  },
  ERR: {
    printed: 'ERR',
    defaultDepth: DEFAULT_DEPTH,
    hasDepth: true,
    make(depth, { gmax }) {
      const highest = 2 ** gmax;
      return (_, labels) => {
        let value = 0;
        let stillLooking = 1;
        for (let i = 0; i < cut(depth, labels.length); i++) {
          const satisfied = (2 ** Math.trunc(labels[i]) - 1) / highest;
          value += (stillLooking * satisfied) / (i + 1);
          stillLooking *= 1 - satisfied;
        }
        return value;
      };
    },
  },
  MAP: {
    printed: 'MAP',
    defaultDepth: 0,
    hasDepth: false,
    make(_, { version, judgements }) {
      const ofList = byMeasure(averagePrecision, {}, version);
      if (judgements === undefined) return ofList;
      // a list may have relevant documents where the judgements of its query have none
      const ofJudgements = byMeasure(averagePrecision, { denominator: 'min' }, version);
      return (id, labels) => {
        const judged = judgements.get(id);
        return judged === undefined ? ofList(id, labels) : ofJudgements(id, labels, judged);
      };
    },
  },
  P: {
    printed: 'P',
    defaultDepth: DEFAULT_DEPTH,
    hasDepth: true,
    make: (depth, { version }) => byMeasure(precision, { cutoff: depth <= 0 ? Infinity : depth }, version),
  },
  RR: {
    printed: 'RR',
    defaultDepth: 0,
    hasDepth: true,
    make: (depth, { version }) => byMeasure(reciprocalRank, version.cutsReciprocalRank ? { cutoff: depth } : {}, version),
  },
  BEST: {
    printed: 'Best',
    defaultDepth: DEFAULT_DEPTH,
    hasDepth: true,
    make: (depth) => (_, labels) => {
      let best = labels[0];
      for (let i = 1; i < cut(depth, labels.length); i++) best = Math.max(best, labels[i]);
      return best;
    },
  },
};

/** A metric that is one of our measures by the rules of the convention, to the last bit. */
function byMeasure(
  def: MeasureDef,
  params: Params,
  version: RankLibVersion,
): (id: string, labels: Float64Array, judged?: readonly number[]) => number {
  const measure = makeMeasure(def, def.at !== undefined && def.params[def.at].required ? { [def.at]: 1 } : {});
  // RankLib takes depths that our own spelling would refuse
  const plan = new EvaluationPlan([withParams(applyConvention(measure, rankLibRules(version)), params)]);
  const view = emptyView();
  const value = new Float64Array(1);
  return (_, labels, judged = []) => {
    view.codes = labels;
    view.numRetrieved = labels.length;
    view.judged = Float64Array.from(judged).sort((a, b) => b - a);
    view.numJudged = judged.length;
    plan.evaluate(view, value, 0);
    return value[0];
  };
}

function cut(depth: number, length: number): number {
  return depth <= 0 || depth > length ? length : depth;
}

function dcg(labels: Float64Array, depth: number, { gain, term }: RankLibVersion): number {
  const size = cut(depth, labels.length);
  const logs = logTable(size + 1, 'e');
  let sum = 0;
  for (let i = 0; i < size; i++) {
    const label = Math.trunc(labels[i]);
    // a Java integer, which goes round where 1 is taken from the lowest
    const worth = gain === 'shift' ? ((1 << label) - 1) | 0 : 2 ** label - 1;
    const log2 = logs[i + 2] / logs[2];
    sum += term === 'inverse' ? worth * (1 / log2) : worth / log2;
  }
  return sum;
}
