import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;
const two = { run: 'a b', qrels: 'a:1 b:0' } as const;
const three = { run: 'a b c', qrels: 'a:1 b:0 c:2' } as const;
const moffatZobel = {
  text: 'Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008',
  doi: '10.1145/1416950.1416952',
};
const cwl = {
  text: 'Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval, SIGIR 2019',
  doi: '10.1145/3331184.3331398',
};
const notErr = {
  text: 'Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and other metrics, ICTIR 2021',
  doi: '10.1145/3471158.3472239',
};
const chapelle = {
  text: 'Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009',
  doi: '10.1145/1645953.1646033',
};
const scaled = 'Grades are brought to gains from 0 to 1 by min_rel and max_rel; unjudged documents gain nothing.';
const cwlTools = 'ir_measures and cwl_eval compute it on lists of 1,000 documents, as here; ir_measures wants max_rel written out.';

/** The reference of `rank-biased.ts`, `cascade.ts` and `user-models.ts`. */
export const userModelDocs: FamilyDocs = {
  RBP: {
    title: 'Rank-biased precision',
    help: `The rate at which a reader gains relevant documents who goes on from each rank to the next with probability p. Documents without a
      judgement gain nothing; residual=true says how much they might add. Graded judgements can be used as they are scaled to the highest
      grade (gain='linear' or 'exp').`,
    formula: '(1 - p) sum over ranks i of gain(i) p^(i - 1)',
    tools: `p is 0.8 in ir_measures, 0.9 in trec_eval 10, whose graded form is gain='range'. ranx adds up the grades themselves: gain='grade'. The RBP(p=.5)
      of TREC-COVID is RBP(p=0.5,gain='linear',max_rel=2): a partially relevant document gains half.`,
    cite: [moffatZobel],
    params: {
      gain: 'what a document gains: 1 if it is relevant (*binary*), its grade divided by max_rel (*linear*), (2^grade - 1) / (2^max_rel - 1) (*exp*), its grade, shifted and scaled to lie between 0 and 1 where the grades of the topic do not (*range*), or the *grade* itself',
      gains: 'with *range* and *grade*: what single grades are worth, {1:0.5,2:1}',
      ideal_order: 'how gains of the table are sorted',
    },
    examples: [
      { measure: 'RBP', ...small, worked: '(1 - 0.8) * (1 + 0.8 ** 2)', value: 0.328 },
      { measure: "RBP(p=0.5,gain='linear',max_rel=2)", ...small, worked: '(1 - 0.5) * (1/2 + 2/2 * 0.5 ** 2)', value: 0.375 },
      {
        measure: 'RBP(residual=true)',
        ...small,
        worked: '(1 - 0.8) * (0.8 ** 3 + 0.8 ** 4) + 0.8 ** 5',
        value: 0.512,
        note: 'd, e and all below are unjudged',
      },
    ],
  },
  RBPResidual: {
    title: 'Residual of rank-biased precision',
    help: `What the value of RBP could still gain if every unjudged document, and everything below the end of the ranking, were relevant. A
      ranking without unjudged documents has 0.`,
    formula: 'p^n + (1 - p) sum over unjudged ranks i of p^(i - 1)',
    tools:
      'This is the rbp_resid of trec_eval 10. RBP(residual=true) also counts what is below the end of a ranking without unjudged documents.',
    cite: [moffatZobel],
    examples: [{ measure: 'RBPResidual', ...small, worked: '0.8 ** 5 + (1 - 0.8) * (0.8 ** 3 + 0.8 ** 4)', value: 0.512 }],
  },
  ERR: {
    title: 'Expected reciprocal rank',
    help: `The mean of 1/rank over the ranks where readers stop, each stopping at a document with a probability that grows with its grade. A good document
      makes those below it worth less. Grades above max_rel are refused.`,
    formula: 'sum over ranks i of (1/i) r(i) product over j < i of (1 - r(j)), r = (2^grade - 1) / 2^max_rel',
    tools: `gdeval (and through it ir_measures), RankLib and Yahoo take 4 as the highest grade whatever the data hold, as here; NTCIREVAL takes that of the
      data: max_rel='data'. RankLib cuts fractions off grades: gain='exp-floor'.`,
    cite: [chapelle],
    params: {
      max_rel: 'the highest grade of the scale; *data* takes the highest grade in the judgements',
      gain: 'the chance to stop: (2^grade - 1) / 2^max_rel (*exp*), with fractions of grades cut off (*exp-floor*), or grade / (max_rel + 1) (*linear*)',
    },
    examples: [
      { measure: 'ERR', ...small, worked: '1/16 + (1 - 1/16) * 3/16 / 3', value: 0.1211 },
      { measure: "ERR(max_rel='data')", ...small, worked: '1/4 + (1 - 1/4) * 3/4 / 3', value: 0.4375 },
    ],
  },
  nERR: {
    title: 'Normalised expected reciprocal rank',
    help: 'ERR divided by that of the best possible ranking of all judged documents, both cut at k. A topic without relevant documents has 0.',
    formula: 'ERR@k / ideal ERR@k',
    cite: [
      chapelle,
      {
        text: 'Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011',
        doi: '10.1145/2009916.2010055',
      },
    ],
    params: {
      gain: 'the chance to stop: (2^grade - 1) / 2^max_rel (*exp*), with fractions of grades cut off (*exp-floor*), or grade / (max_rel + 1) (*linear*)',
    },
    examples: [
      {
        measure: 'nERR',
        ...small,
        worked: '(1/4 + 3/4 * 3/4 / 3) / (3/4 + 1/4 * 1/4 / 2 + 1/4 * 3/4 * 1/4 / 3)',
        value: 0.549,
      },
    ],
  },
  INST: {
    title: 'INST',
    help: `The rate at which a reader gains who is after T documents, and is the less likely to go on the nearer that goal is and the further down the rank. ${scaled}`,
    formula: 'C(i) = ((i + T + T(i) - 1) / (i + T + T(i)))^2, T(i) = T - gain down to i',
    tools: cwlTools,
    cite: [
      {
        text: 'Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015',
        doi: '10.1145/2838931.2838938',
      },
      cwl,
    ],
    examples: [{ measure: 'INST(depth=2)', ...two, worked: '1 / (1 + (1/2) ** 2)', value: 0.8 }],
  },
  INSQ: {
    title: 'INSQ',
    help: `The rate at which a reader gains who came for T documents, and is the more likely to go on the further down the rank. ${scaled}`,
    formula: 'C(i) = ((i + 2 T - 1) / (i + 2 T))^2',
    tools: cwlTools,
    cite: [
      {
        text: 'Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012',
        doi: '10.1145/2407085.2407092',
      },
      cwl,
    ],
    examples: [{ measure: 'INSQ(depth=2)', ...two, worked: '1 / (1 + (2/3) ** 2)', value: 0.6923 }],
  },
  BPM: {
    title: 'Bejeweled player model',
    help: `The rate at which a reader gains who stops when the gain reaches T or the rank k. With hb and hc the two limits move after each
      document, by how much its gain differs from gain_med. ${scaled}`,
    formula: 'C(i) = 1 while gain down to i < T and i < k, else 0',
    tools: `${cwlTools} The dynamic form of cwl_eval 1.0.12 adds hc to the wrong limit; it agrees with this one where hc is 0.`,
    cite: [
      {
        text: 'Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating web search with a bejeweled player model, SIGIR 2017',
        doi: '10.1145/3077136.3080841',
      },
      cwl,
    ],
    params: {
      cutoff: 'the rank at which the reader gives up',
      hb: 'how much a surprise moves the goal T',
      hc: 'how much a surprise moves the rank of giving up',
      gain_med: 'the gain that is no surprise',
    },
    examples: [
      { measure: 'BPM@3', run: 'b a c', qrels: 'a:1 b:0', worked: '(0 + 1) / 2', value: 0.5 },
      {
        measure: 'BPM(T=5,hc=-4)@3',
        run: 'b a c',
        qrels: 'a:1 b:0',
        worked: '(0 + 1 + 0) / 3',
        value: 0.3333,
        note: 'b is a disappointment of 0.5, and the reader will look at 5 documents; a is a pleasure, and it is 3 again',
      },
    ],
  },
  SDCG: {
    title: 'Scaled discounted cumulated gain',
    help: `Discounted cumulated gain divided by that of a ranking whose first k documents all have full gain, whether or not there are as many. ${scaled}`,
    formula: '(sum over ranks i up to k of gain(i) / log2(i + 1)) / (sum of 1 / log2(i + 1))',
    tools: `${cwlTools} cwl_eval calls it NDCG-k@10.`,
    cite: [moffatZobel, cwl],
    examples: [{ measure: 'SDCG@2', ...two, worked: '1/log2(2) / (1/log2(2) + 1/log2(3))', value: 0.6131 }],
  },
  NERR8: {
    title: 'Nearly expected reciprocal rank, equation 8',
    help: `The rate at which a reader gains who stops at a document with a probability equal to its gain, and at rank k in any case. ${scaled}`,
    formula: 'C(i) = 1 - gain(i) for i < k, else 0',
    tools: cwlTools,
    cite: [notErr],
    examples: [{ measure: 'NERR8@3', ...three, worked: '(0.5 + 0.5 * 1) / (1 + 0.5 + 0.5)', value: 0.5 }],
  },
  NERR9: {
    title: 'Nearly expected reciprocal rank, equation 9',
    help: `As NERR8, and with each rank the reader becomes more patient. ${scaled}`,
    formula: 'C(i) = (i / (i + 1)) (1 - gain(i)) for i < k, else 0',
    tools: cwlTools,
    cite: [notErr],
    examples: [{ measure: 'NERR9@2', ...three, worked: '0.5 / (1 + 1/2 * 0.5)', value: 0.4 }],
  },
  NERR10: {
    title: 'Nearly expected reciprocal rank, equation 10',
    help: `The rate at which a reader gains who stops at a document with a probability equal to its gain, and otherwise goes on with probability p. ${scaled}`,
    formula: 'C(i) = p (1 - gain(i))',
    tools: cwlTools,
    cite: [notErr],
    examples: [{ measure: 'NERR10(depth=2)', ...three, worked: '0.5 / (1 + 0.9 * 0.5)', value: 0.3448 }],
  },
  NERR11: {
    title: 'Nearly expected reciprocal rank, equation 11',
    help: `The rate at which a reader gains who stops at a document with a probability equal to its gain, and otherwise goes on as for INSQ. ${scaled}`,
    formula: 'C(i) = ((i + 2 T - 1) / (i + 2 T))^2 (1 - gain(i))',
    tools: cwlTools,
    cite: [notErr],
    examples: [{ measure: 'NERR11(depth=2)', ...three, worked: '0.5 / (1 + (2/3) ** 2 * 0.5)', value: 0.4091 }],
  },
  UMeasure: {
    title: 'U-measure',
    help: `A document is worth the less the more was read before it, down to nothing after L documents. Each document is taken to be of length 1. ${scaled}`,
    formula: '(sum over ranks i of gain(i) max(0, 1 - (i - 1)/L)) / (sum of max(0, 1 - (i - 1)/L))',
    tools: 'cwl_eval gives rank 1,000 no weight, which matters for L above 999 only.',
    cite: [
      {
        text: 'Sakai and Dou, Summaries, ranked retrieval and sessions: a unified framework for information access evaluation, SIGIR 2013',
        doi: '10.1145/2484028.2484031',
      },
      cwl,
    ],
    params: { L: 'how much a reader reads' },
    examples: [{ measure: 'UMeasure(L=4)', ...three, worked: '(0.5 * 1 + 1 * 0.5) / (1 + 0.75 + 0.5 + 0.25)', value: 0.4 }],
  },
  IFT: {
    title: 'Information foraging',
    help: `The rate at which a reader gains who stops on reaching a goal (T), or when the gain per document falls below a rate (A), or for either reason. R1 and R2
      say how strictly, b1 and b2 what happens where neither matters. ${scaled}`,
    formula: 'C(i) = (1 - 1/(1 + b1 e^((T - gain down to i) R1))) / (1 + b2 e^((A - gain per document) R2))',
    tools: 'IFT-C1, IFT-C2 and IFT-C1-C2 of cwl_eval are the models goal, rate and goal-rate; it has no default parameters.',
    cite: [
      {
        text: 'Azzopardi, Thomas and Craswell, Measuring the utility of search engine result pages: an information foraging based measure, SIGIR 2018',
        doi: '10.1145/3209978.3210027',
      },
    ],
    params: {
      model: 'what the reader minds: the goal, the rate, or both',
      b1: 'weight of the goal',
      R1: 'how strictly the goal is kept',
      A: 'the gain per document that the reader expects',
      b2: 'weight of the rate',
      R2: 'how strictly the rate is kept',
    },
    examples: [{ measure: "IFT(model='goal',T=1,b1=1,R1=1,depth=2)", ...two, worked: '1 / (1 + 0.5)', value: 0.6667 }],
  },
  TBG: {
    title: 'Time-biased gain',
    help: `How many relevant documents a reader saves, each counting half as much for every 224 seconds that were spent before it. Time goes by reading summaries, and
      documents that were clicked on. The lengths of documents are not known here: all are taken to have the same number of words.`,
    formula: 'sum over relevant ranks i of click save 2^(-time before i / halflife)',
    tools: 'cwl_eval counts one unit of time per document and no clicks, which is RBP(p=2^(-1/h)).',
    cite: [{ text: 'Smucker and Clarke, Time-based calibration of effectiveness measures, SIGIR 2012', doi: '10.1145/2348283.2348300' }],
    params: {
      halflife: 'after how many seconds half of the readers have left',
      words: 'the length of a document; reading it takes 0.018 seconds per word and 7.8 more',
      summary: 'seconds to read a summary',
      click_rel: 'probability of a click on a relevant document',
      click_nonrel: 'probability of a click on any other',
      save: 'probability that a relevant document, once read, is saved',
    },
    examples: [
      {
        measure: 'TBG',
        run: 'b a',
        qrels: 'a:1 b:0',
        worked: '0.64 * 0.77 * 2 ** (-(4.4 + (0.018 * 500 + 7.8) * 0.39) / 224)',
        value: 0.4764,
      },
    ],
  },
};
