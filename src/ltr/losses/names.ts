/** The names of all losses that trees and programs can follow, in reading order; known without loading them. */
export const lossNames = [
  'lambdarank',
  'ranknet',
  'lambdaloss',
  'ndcg-loss1',
  'ndcg-loss2',
  'approx-ndcg',
  'neural-ndcg',
  'softmax',
  'listmle',
  'p-listmle',
  'xe-ndcg',
  'yetirank',
  'yetirank-ndcg',
  'stochastic-rank',
] as const;

/** The name of a loss. */
export type LossName = (typeof lossNames)[number];

/** The loss that a text names, in any spelling of capitals, blanks, hyphens and underscores. */
export function findLossName(text: string): LossName | undefined {
  const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
  return lossNames.find((name) => plain(name) === plain(text));
}
