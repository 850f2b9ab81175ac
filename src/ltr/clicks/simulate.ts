import type { Random } from '../../core/numbers/random.js';

/** A model of users: which ranks are clicked when documents with these labels are shown in this order. */
export type ClickModel = (labels: ArrayLike<number>, random: Pick<Random, 'float'>) => Uint8Array;

/** What users do by position: they look at rank k with chance (1/k)^eta, and click what they look at by its label, or by mistake.
 *  @param noise  the chance to click something with label 0 that is looked at */
export function positionBasedModel({
  eta = 1,
  noise = 0.1,
  highest = 4,
}: {
  readonly eta?: number;
  readonly noise?: number;
  readonly highest?: number;
} = {}): ClickModel {
  return (labels, random) =>
    // fits: flags
    Uint8Array.from(Array.from(labels), (label, k) => {
      const looks = random.float() < (1 / (k + 1)) ** eta;
      return looks && random.float() < attraction(label, noise, highest) ? 1 : 0;
    });
}

/** noise + (1 - noise) (2^label - 1) / (2^highest - 1). */
function attraction(label: number, noise: number, highest: number): number {
  return noise + ((1 - noise) * (2 ** label - 1)) / (2 ** highest - 1);
}

/** Users who go down until the first click, and stop there. */
export function cascadeModel({ noise = 0.1, highest = 4 }: { readonly noise?: number; readonly highest?: number } = {}): ClickModel {
  return (labels, random) => {
    const clicks = new Uint8Array(labels.length); // fits: flags
    for (let k = 0; k < labels.length; k++) {
      if (random.float() >= attraction(labels[k], noise, highest)) continue;
      clicks[k] = 1;
      break;
    }
    return clicks;
  };
}

/** What users of a dynamic Bayesian network do at each label (Chapelle and Zhang 2009, doi:10.1145/1526709.1526711). */
export interface UserHabits {
  /** The chance to click a document with this label that is looked at. */
  readonly attraction: readonly number[];
  /** The chance to stop after clicking it. */
  readonly satisfaction: readonly number[];
  /** The chance to go on otherwise; 1 by default. */
  readonly persistence?: number | undefined;
}

/** Usual habits for labels 0 to 4. */
export const userHabits: Readonly<Record<'perfect' | 'navigational' | 'informational', UserHabits>> = {
  perfect: { attraction: [0, 0.2, 0.4, 0.8, 1], satisfaction: [0, 0, 0, 0, 0] },
  navigational: { attraction: [0.05, 0.3, 0.5, 0.7, 0.95], satisfaction: [0.2, 0.3, 0.5, 0.7, 0.9] },
  informational: { attraction: [0.4, 0.6, 0.7, 0.8, 0.9], satisfaction: [0.1, 0.2, 0.3, 0.4, 0.5] },
};

/** Users who go down the list, click what attracts them, and stop when they are satisfied or tired. */
export function dynamicBayesianModel({ attraction: attracts, satisfaction, persistence = 1 }: UserHabits): ClickModel {
  return (labels, random) => {
    const clicks = new Uint8Array(labels.length); // fits: flags
    for (let k = 0; k < labels.length; k++) {
      const label = Math.min(labels[k], attracts.length - 1);
      if (random.float() < attracts[label]) {
        clicks[k] = 1;
        if (random.float() < satisfaction[label]) break;
      }
      if (random.float() >= persistence) break;
    }
    return clicks;
  };
}
