export { parameterDefaults, readMeasures } from '../conventions/read-measures.js';

/** What is computed if no measure is asked for: the top of the ranking with grades, the whole ranking, the first answer,
 *  and how far the numbers can be trusted. */
export const defaultMeasures: readonly string[] = ['nDCG@10', 'AP', 'RR', 'P@10', 'R@100', 'Judged@10'];
