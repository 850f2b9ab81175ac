import type { TopicView } from '../core/judging/judge.js';
import type { TieGroups } from '../core/judging/tie-groups.js';
import { type RandomIntegers, shuffleInPlace } from '../core/numbers/random.js';

/** One order after another of the equal scores of a topic, as a view that measures can read. */
export interface TieOrders {
  /** The topic in the order at hand. */
  readonly view: TopicView;
  /** How many different orders there are, documents of one grade not told apart. Counting stops above the limit. */
  count(limit: number): number;
  /** Visits all orders, each as often as every other. */
  forEach(visit: () => void): void;
  /** Visits one order drawn at random. */
  shuffled(random: RandomIntegers, visit: () => void): void;
}

/** Prepares a topic for being shown in all orders of its equal scores, one after another. */
export function tieOrders(topic: TopicView, { starts, count: numGroups }: TieGroups, judgedOnly: boolean): TieOrders {
  const codes = topic.codes.slice(topic.start, topic.start + starts[numGroups]);
  const view: TopicView = { ...topic, codes, start: 0, ties: undefined };
  const groups: Float64Array[] = [];
  for (let g = 0; g < numGroups; g++) if (starts[g + 1] - starts[g] > 1) groups.push(codes.subarray(starts[g], starts[g + 1]));

  const show = (visit: () => void): void => {
    if (judgedOnly) {
      view.codes = codes.subarray(0, topic.numRetrieved).filter((code) => code >= 0);
      view.numRetrieved = view.codes.length;
    }
    visit();
  };

  return {
    view,
    count(limit) {
      let product = 1;
      for (const group of groups) {
        const seen = new Map<number, number>();
        for (let i = 0; i < group.length && product <= limit; i++) {
          const times = (seen.get(group[i]) ?? 0) + 1;
          seen.set(group[i], times);
          product = Math.round((product * (i + 1)) / times);
        }
      }
      return product;
    },
    forEach(visit) {
      for (const group of groups) group.sort();
      for (;;) {
        show(visit);
        // like an odometer: the first group that has a next order takes it, those before begin anew
        let g = 0;
        while (g < groups.length && !nextOrder(groups[g])) g++;
        if (g === groups.length) return;
      }
    },
    shuffled(random, visit) {
      for (const group of groups) shuffleInPlace(random, group);
      show(visit);
    },
  };
}

/** The next order of a list with repetitions, in place; false, and the first order again, after the last one. */
function nextOrder(list: Float64Array): boolean {
  let pivot = list.length - 2;
  while (pivot >= 0 && list[pivot] >= list[pivot + 1]) pivot--;
  if (pivot >= 0) {
    let larger = list.length - 1;
    while (list[larger] <= list[pivot]) larger--;
    [list[pivot], list[larger]] = [list[larger], list[pivot]];
  }
  list.subarray(pivot + 1).reverse();
  return pivot >= 0;
}
