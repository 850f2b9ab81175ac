import { seededRandom } from '../../src/core/numbers/random.js';

/** A LETOR file in which feature 1 tells the label but for some noise, feature 2 does so weakly, feature 3 is noise and
 *  feature 4 is the same for all. */
export function letorText(seed: number, numQueries: number, { prefix = 'q', docs = 8 }: { prefix?: string; docs?: number } = {}): string {
  const random = seededRandom(seed);
  const lines: string[] = [];
  for (let q = 1; q <= numQueries; q++) {
    for (let d = 1; d <= docs; d++) {
      const label = Math.max(0, random.below(5) - 2);
      const strong = label + random.normal() * 0.7;
      const weak = label + random.normal() * 3;
      const cells = [strong, weak, random.normal(), 1].map((value, f) => `${f + 1}:${value.toFixed(4)}`);
      lines.push(`${label} qid:${prefix}${q} ${cells.join(' ')} # docid = ${prefix}${q}-d${d}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
