import type { Convention } from '../conventions/convention.js';
import { computes } from '../conventions/measures-of-tools.js';
import { parameterDefaults, readMeasures } from '../conventions/read-measures.js';
import { InputError } from '../core/problem.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';

export { parameterDefaults, readMeasures } from '../conventions/read-measures.js';

/** What is computed if no measure is asked for: the top of the ranking with grades, the whole ranking, the first answer,
 *  and how far the numbers can be trusted. */
export const defaultMeasures: readonly string[] = ['nDCG@10', 'AP', 'RR', 'P@10', 'R@100', 'Judged@10'];

/** The measures that were asked for, as a convention computes them; if none were, those of `otherwise` that it has. */
export function measuresUnder(
  convention: Convention,
  rel: number | undefined,
  asked: readonly string[],
  otherwise: readonly string[],
): Measure[] {
  const computed = otherwise.filter((text) => computes(convention, parseMeasure(text)));
  const wanted = asked.length > 0 ? asked : computed.length > 0 ? computed : otherwise;
  return readMeasures(wanted, parameterDefaults(convention, rel));
}

/** Measures by our own rules, whoever's spelling they have: a text that only ranx reads is read as ranx does. */
export function readMeasuresOfAll(texts: readonly string[]): Measure[] {
  try {
    return readMeasures(texts);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    try {
      return readMeasures(
        texts,
        Object.assign(() => ({}), { names: 'ranx' } as const),
      );
    } catch {
      throw error;
    }
  }
}

/** Refuses what no convention reads as a measure. */
export function checkMeasure(text: string): void {
  readMeasuresOfAll([text]);
}
