import { satisfaction } from '../../measures/families/cascade.js';
import { depthOf, type Measure } from '../../measures/measure.js';
import { Passes } from '../../measures/passes.js';
import type { PreparedObjective } from './objective.js';
import { codesOf, highestOf, longestList, preparedWith, settleQueries, varies } from './settled.js';

/** Below this a product of probabilities has lost its digits, and is multiplied out again where it is needed. */
const vanishing = 1e-290;

/** ERR. A swap leaves what is above the first rank and what is below the second as it was, apart from how likely the reader
 *  is to get there; with the probability of reaching each rank, and the value of the list from each rank on for a reader who
 *  has reached it, the change is a handful of operations. */
export function prepareCascade(measure: Measure, labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective {
  const cutoff = depthOf(measure.params);
  const passes = new Passes({ highestGrade: highestOf(labels) });
  const satisfies = satisfaction(measure.params, passes);
  const codes = codesOf(labels);
  const satisfied = codes.map((code) => satisfies(code));

  const longest = longestList(queryOffsets);
  const inOrderOfRows = Uint32Array.from({ length: longest }, (_, i) => i); // fits: entries
  const settled = settleQueries(measure, codes, queryOffsets, passes, (q) =>
    varies(satisfied, queryOffsets[q], queryOffsets[q + 1]) ? 'ordered' : valueIn(q, inOrderOfRows),
  );

  function valueIn(q: number, order: Uint32Array): number {
    const from = queryOffsets[q];
    const depth = Math.min(cutoff, queryOffsets[q + 1] - from);
    let goesOn = 1;
    let sum = 0;
    for (let i = 0; i < depth; i++) {
      const stops = satisfied[from + order[i]];
      if (stops === 0) continue;
      sum += (goesOn * stops) / (i + 1);
      goesOn *= 1 - stops;
    }
    return sum;
  }

  const stops = new Float64Array(longest);
  /** The probability of reaching rank index i, and the value of what stands there and below for whoever reaches it. */
  const reach = new Float64Array(longest + 1);
  const rest = new Float64Array(longest + 1);
  let depth = 0;

  /** The probability of going on past all ranks between a and b. */
  function passesBetween(a: number, b: number): number {
    if (reach[a + 1] > vanishing) return reach[b] / reach[a + 1];
    let product = 1;
    for (let i = a + 1; i < b; i++) product *= 1 - stops[i];
    return product;
  }

  return preparedWith(settled, {
    value: valueIn,
    fixOrder(q, order) {
      const from = queryOffsets[q];
      const length = queryOffsets[q + 1] - from;
      depth = Math.min(cutoff, length);
      reach[0] = 1;
      for (let i = 0; i < length; i++) {
        stops[i] = satisfied[from + order[i]];
        reach[i + 1] = reach[i] * (1 - stops[i]);
      }
      rest.fill(0, depth, length + 1);
      for (let i = depth - 1; i >= 0; i--) rest[i] = stops[i] / (i + 1) + (1 - stops[i]) * rest[i + 1];
    },
    swapDelta(a, b) {
      const upper = stops[a];
      const lower = stops[b];
      if (a >= depth || upper === lower || reach[a] === 0) return 0;
      let after = rest[a + 1];
      if (b < depth) {
        const passed = passesBetween(a, b);
        const between = rest[a + 1] - passed * rest[b];
        after = between + passed * (upper / (b + 1) + (1 - upper) * rest[b + 1]);
      }
      return reach[a] * (lower / (a + 1) + (1 - lower) * after - rest[a]);
    },
  });
}
