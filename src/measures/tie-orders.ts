import type { TopicView } from '../core/judge.js';
import { type Random, shuffleInPlace } from '../core/random.js';
import type { TieGroups } from '../core/tie-groups.js';

/** One order after another of the equal scores of a topic, as a view that measures can read. */
export class TieOrders {
  /** The topic in the order at hand. */
  readonly view: TopicView;
  private readonly codes: Float64Array;
  private readonly ties: TieGroups;
  private readonly judgedOnly: boolean;
  private readonly numRetrieved: number;
  private readonly condensed: Float64Array;

  constructor(topic: TopicView, ties: TieGroups, judgedOnly: boolean) {
    this.codes = topic.codes.slice(topic.start, topic.start + ties.starts[ties.count]);
    this.ties = ties;
    this.judgedOnly = judgedOnly;
    this.numRetrieved = topic.numRetrieved;
    this.condensed = judgedOnly ? new Float64Array(this.codes.length) : this.codes;
    this.view = { ...topic, codes: this.condensed, start: 0, ties: undefined };
  }

  /** How many different orders there are, documents of one grade not told apart. Counting stops above the limit. */
  count(limit: number): number {
    let product = 1;
    this.forEachGroup((group) => {
      const seen = new Map<number, number>();
      // a document of a grade that came up n times before adds a factor size so far / (n + 1)
      for (let i = 0; i < group.length && product <= limit; i++) {
        const times = (seen.get(group[i]) ?? 0) + 1;
        seen.set(group[i], times);
        product = Math.round((product * (i + 1)) / times);
      }
    });
    return product;
  }

  /** Visits all orders, each as often as every other. */
  forEach(visit: () => void): void {
    const groups: Float64Array[] = [];
    this.forEachGroup((group) => groups.push(group.sort()));
    for (;;) {
      this.show(visit);
      // like an odometer: the first group that has a next order takes it, those before begin anew
      let g = 0;
      while (g < groups.length && !nextOrder(groups[g])) g++;
      if (g === groups.length) return;
    }
  }

  /** Visits one order drawn at random. */
  shuffled(random: Random, visit: () => void): void {
    this.forEachGroup((group) => shuffleInPlace(random, group));
    this.show(visit);
  }

  private forEachGroup(visit: (group: Float64Array) => void): void {
    const { starts, count } = this.ties;
    for (let g = 0; g < count; g++) if (starts[g + 1] - starts[g] > 1) visit(this.codes.subarray(starts[g], starts[g + 1]));
  }

  private show(visit: () => void): void {
    const { codes, condensed, view } = this;
    if (this.judgedOnly) {
      let kept = 0;
      for (let i = 0; i < this.numRetrieved; i++) if (codes[i] >= 0) condensed[kept++] = codes[i];
      view.numRetrieved = kept;
    }
    visit();
  }
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
