import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;
const sakaiQ = {
  text: 'Sakai, On the reliability of information retrieval metrics based on graded relevance, Information Processing and Management 43(2), 2007',
  doi: '10.1016/j.ipm.2006.07.020',
};
const sakaiOne = {
  text: 'Sakai, On the properties of evaluation metrics for finding one highly relevant document, IPSJ Transactions on Databases 48, 2007',
};
const population = { text: 'Sakai and Robertson, Modelling a user population for designing information retrieval metrics, EVIA 2008' };
const beta = { beta: 'how much gain counts in the blended ratio; with 0 it is precision' };
const ratio = 'The blended ratio at rank i is (hits(i) + beta cg(i)) / (i + beta ideal cg(i)).';

/** The reference of `blended.ts`. */
export const blendedDocs: FamilyDocs = {
  Q: {
    title: 'Q-measure',
    help: `Average precision with the blended ratio in place of precision, so that grades count. ${ratio} With a cutoff the divisor is at most k. A topic without
      relevant documents has 0.`,
    formula: '(1/R) sum over relevant ranks i of (hits(i) + beta cg(i)) / (i + beta ideal cg(i))',
    tools: 'NTCIREVAL asks for the gain of each grade, which is gains={1:1,2:2} here; the grade itself by default.',
    cite: [sakaiQ],
    params: beta,
    examples: [{ measure: 'Q', ...small, worked: '((1 + 1)/(1 + 2) + (2 + 3)/(3 + 4)) / 3', value: 0.4603 }],
  },
  OMeasure: {
    title: 'O-measure',
    help: `The blended ratio at the first relevant document: reciprocal rank with grades. ${ratio} 0 if there is none.`,
    formula: '(1 + beta gain) / (i + beta ideal cg(i)) at the first relevant rank i',
    cite: [sakaiOne],
    params: beta,
    examples: [{ measure: 'OMeasure', ...small, worked: '(1 + 1) / (1 + 2)', value: 0.6667 }],
  },
  PMeasure: {
    title: 'P-measure',
    help: `The blended ratio at the preferred rank: that of the first document with the highest gain in the ranking. ${ratio} 0 if nothing relevant was retrieved.`,
    formula: '(hits(i) + beta cg(i)) / (i + beta ideal cg(i)) at the preferred rank i',
    cite: [sakaiOne],
    params: beta,
    examples: [{ measure: 'PMeasure', ...small, worked: '(2 + 3) / (3 + 4)', value: 0.7143 }],
  },
  PPlus: {
    title: 'P-plus',
    help: `The blended ratio averaged over the relevant documents down to the preferred rank: that of the first document with the highest gain in the
      ranking. ${ratio} 0 if nothing relevant was retrieved.`,
    formula: 'mean over relevant ranks i up to the preferred one of (hits(i) + beta cg(i)) / (i + beta ideal cg(i))',
    cite: [sakaiOne],
    params: beta,
    examples: [{ measure: 'PPlus', ...small, worked: '((1 + 1)/(1 + 2) + (2 + 3)/(3 + 4)) / 2', value: 0.6905 }],
  },
  NCU: {
    title: 'Normalised cumulative utility',
    help: `The mean of the blended ratio over the relevant documents at which users stop. ${ratio} They stop at each equally often, more often at
      higher grades, or more often at earlier ones. Stops at relevant documents that were not retrieved are worth 0.`,
    formula: 'sum over relevant ranks i of stop(i) (hits(i) + beta cg(i)) / (i + beta ideal cg(i))',
    tools: "NTCIREVAL's NCUgu,P, NCUgu,BR, NCUrb,P and NCUrb,BR: stop='graded' or 'rank-biased', with beta=0 for P.",
    cite: [population],
    params: {
      ...beta,
      stop: 'where users stop: at each relevant document equally often, in proportion to stops (*graded*), or gamma times as often at each next relevant document (*rank-biased*)',
      stops: 'for *graded*: how often they stop at documents of grade 1, 2 …; in proportion to the grade by default',
      gamma: 'for *rank-biased*: how much less often they stop at the next relevant document',
    },
    examples: [
      { measure: "NCU(stop='graded')", ...small, worked: '(1/4 * (1 + 1)/(1 + 2) + 2/4 * (2 + 3)/(3 + 4))', value: 0.5238 },
      { measure: "NCU(stop='rank-biased',gamma=0.5,beta=0)", ...small, worked: '(1 * 1/1 + 0.5 * 2/3) / (1 + 0.5 + 0.25)', value: 0.7619 },
    ],
  },
};
