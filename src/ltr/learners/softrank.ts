import { netOptions, trainNet } from '../nets/train-net.js';
import type { Learner } from '../ranker.js';
import { softLoss, softNames } from '../soft/soft-measures.js';

/** SoftRank: scores are taken for the means of normal distributions, which makes measures smooth functions of them. */
export const softrank: Learner = {
  name: 'softrank',
  aliases: [],
  title: 'SoftRank',
  help: 'A neural net (or a linear ranker, with layers=0) that follows the exact gradient of a smoothed measure: what it would be on average if scores were uncertain.',
  citation: {
    text: 'Taylor, Guiver, Robertson and Minka, SoftRank: optimizing non-smooth rank metrics, WSDM 2008',
    doi: '10.1145/1341531.1341544',
  },
  weighsQueries: true,
  options: {
    ...netOptions({ epochs: 100, rate: 0.003, layers: 0, units: 10, batch: 1 }),
    sigma: { type: 'number', default: 0.3, min: 1e-6, help: 'deviation of each score; the larger, the smoother' },
  },
  objectives: softNames,
  train: (request) => trainNet('softrank', request, (data) => softLoss(data, request.objective, request.options.sigma as number)),
};
