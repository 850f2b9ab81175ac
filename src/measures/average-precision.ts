import { logTable } from '../core/logarithm.js';
import type { MeasureDef } from './measure.js';
import { depthParam, numberParam, optionalNumber, relParam } from './measure.js';

const buckley: { readonly text: string; readonly doi: string } = {
  text: 'Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000',
  doi: '10.1145/345508.345543',
};

export const averagePrecision: MeasureDef = {
  name: 'AP',
  aliases: ['MAP', 'AveragePrecision'],
  title: 'Average precision',
  help: `The mean of the precisions at the ranks of the relevant documents; a relevant document that was not retrieved counts as
    precision 0. With a cutoff only the first k documents are looked at, and the divisor stays the number of all relevant documents. A
    topic without relevant documents has 0. Averaged over topics it is called MAP.`,
  formula: '(1/R) sum over relevant ranks i of hits(i) / i',
  cite: [buckley],
  params: { cutoff: depthParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const cutoff = optionalNumber(params, 'cutoff');
    const relevance = passes.relevance(level);
    const precision = passes.precision(level);
    if (cutoff === undefined) {
      return ({ numRetrieved }) => (relevance.hits[numRetrieved] > 0 ? precision.sums[numRetrieved] / relevance.numRelevant : 0);
    }
    return ({ numRetrieved }) => (relevance.numRelevant === 0 ? 0 : precision.sums[Math.min(cutoff, numRetrieved)] / relevance.numRelevant);
  },
};

const roundingParam = {
  type: 'choice',
  default: 'up',
  choices: ['up', 'nearest'],
  help: 'how a recall level becomes a number of documents: rounded up from a tenth on (*up*), or to the nearest whole number',
} as const;

/** The number of relevant documents that reach a recall level. A level so high that a C integer cannot hold the number
 *  counts as none, because that is what the conversion leaves there. */
function documentsAtRecall(level: number, numRelevant: number, rounding: string): number {
  const exact = level * numRelevant;
  const rounded = rounding === 'up' ? Math.trunc(exact + 0.9) : roundHalfAway(exact);
  return Math.abs(rounded) < 2 ** 63 ? rounded : 0;
}

/** `Math.round` goes towards positive infinity on ties, and adding a half first is wrong just below a tie. */
function roundHalfAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

export const interpolatedPrecision: MeasureDef = {
  name: 'IPrec',
  title: 'Interpolated precision at a recall level',
  help: `The highest precision at any rank where recall is at least the given level: the stairs of the recall-precision graph. Levels
    that the ranking never reaches have 0. An empty ranking has 0 at every level.`,
  formula: 'max of hits(i) / i over ranks i from the k-th relevant document on, k documents reaching the recall level',
  params: {
    recall: { type: 'real', default: undefined, required: true, help: 'the recall level, from 0 to 1' },
    rel: relParam(),
    rounding: roundingParam,
  },
  at: 'recall',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  undefinedValue: 0,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const recall = numberParam(params, 'recall');
    const rounding = String(params.rounding);
    const relevance = passes.relevance(level);
    const interpolated = passes.interpolated(level);
    return () => {
      const wanted = documentsAtRecall(recall, relevance.numRelevant, rounding);
      if (wanted > relevance.numRelevantRetrieved) return 0;
      return interpolated.best[Math.max(0, wanted)];
    };
  },
};

export const interpolatedAverage: MeasureDef = {
  name: 'IAP',
  aliases: ['11ptAvg'],
  title: 'Interpolated average precision',
  help: `The mean of the interpolated precisions at several recall levels; at the eleven levels 0, 0.1 … 1 it is the 11-point average.`,
  formula: '(1/m) sum over levels x of IPrec@x',
  params: {
    levels: { type: 'reals', default: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], help: 'the recall levels, ascending' },
    rel: relParam(),
    rounding: roundingParam,
  },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  undefinedValue: 0,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const levels = params.levels as readonly number[];
    const rounding = String(params.rounding);
    const relevance = passes.relevance(level);
    const interpolated = passes.interpolated(level);
    return () => {
      // levels are taken from the last to the first; one that is out of order waits until the walk is over
      const { numRelevant, numRelevantRetrieved } = relevance;
      const wanted = (at: number): number => documentsAtRecall(levels[at], numRelevant, rounding);
      let next = levels.length - 1;
      while (next >= 0 && wanted(next) > numRelevantRetrieved) next--;
      let sum = 0;
      for (let hits = numRelevantRetrieved; hits > 0; hits--) {
        while (next >= 0 && wanted(next) === hits) {
          sum += interpolated.best[hits];
          next--;
        }
      }
      for (; next >= 0; next--) sum += interpolated.best[0];
      return sum / levels.length;
    };
  },
};

export const inferredAp: MeasureDef = {
  name: 'infAP',
  title: 'Inferred average precision',
  help: `An estimate of average precision for judgements that are a random sample of the pool: documents with a negative grade are in the
    pool but were not drawn. Where everything is judged it is average precision. A topic without relevant documents has 0.`,
  cite: [
    {
      text: 'Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006',
      doi: '10.1145/1183614.1183633',
    },
  ],
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    const smoothing = 0.00001;
    return ({ codes, start, numRetrieved }) => {
      let nonRelevant = 0;
      let relevant = 0;
      let pooled = 0;
      let sum = 0;
      for (let above = 0; above < numRetrieved; above++) {
        const code = codes[start + above];
        if (code === -1) continue;
        if (code < 0) pooled++;
        else if (code < level) nonRelevant++;
        else {
          relevant++;
          if (above === 0) sum += 1;
          else {
            const rank = above + 1;
            const relevantAbove = relevant - 1;
            const inPool = relevantAbove + nonRelevant + pooled;
            sum +=
              1 / rank + (above / rank) * (inPool / above) * ((relevantAbove + smoothing) / (relevantAbove + nonRelevant + 2 * smoothing));
          }
        }
      }
      return relevance.numRelevant > 0 ? sum / relevance.numRelevant : sum;
    };
  },
};

export const yaap: MeasureDef = {
  name: 'YAAP',
  title: 'Yet another average precision',
  help: `The log-odds of average precision with one more relevant document added to either side, which spreads out values near 0 and 1 so
    that they are closer to a normal distribution. Negative values are ordinary.`,
  formula: 'ln((1 + s) / (1 + R - s)), s the sum of precisions at relevant documents',
  cite: [
    {
      text: 'Robertson, On GMAP: and other transformations, CIKM 2006',
      doi: '10.1145/1183614.1183630',
    },
  ],
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [-Infinity, Infinity],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    const precision = passes.precision(level);
    return ({ numRetrieved }) => {
      const sum = precision.sums[numRetrieved];
      return Math.log((1 + sum) / (1 + relevance.numRelevant - sum));
    };
  },
};

export const binG: MeasureDef = {
  name: 'BinG',
  title: 'Binary G',
  help: `Each relevant document is worth 1, divided by the logarithm of how many documents that are not relevant stand above it, so that a
    long stretch of relevant documents costs nothing. A topic without relevant documents has 0.`,
  formula: '(1/R) sum over relevant ranks i of 1 / log2(2 + i - hits(i))',
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    return ({ codes, start, numRetrieved }) => {
      const logs = logTable(numRetrieved + 2, 2);
      let hits = 0;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        if (codes[start + i] < level) continue;
        hits++;
        sum += 1 / logs[2 + (i + 1) - hits];
      }
      return hits > 0 ? sum / relevance.numRelevant : 0;
    };
  },
};
