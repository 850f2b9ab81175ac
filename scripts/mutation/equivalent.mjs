// Mutants that cannot change any result, each with the reason. They are left out of the score. `line` is the source line without the
// space around it, `column` and `change` are as the list of survivors has them.
const guard = 'narrows a type: means over orders are asked for topics that tell their ties only';
const shortcut = 'a shortcut to the same answer';

const EQUIVALENT = [
  {
    file: 'src/core/stated-ranks.ts',
    line: 'let descending = true;',
    column: 20,
    change: 'BooleanLiteral → false',
    reason: `${shortcut}: a list that falls throughout is looked through for repetitions, and has none`,
  },
  {
    file: 'src/core/run.ts',
    line: 'if (row > 0 && topicOf[row] < topicOf[row - 1]) grouped = false;',
    column: 11,
    change: 'ConditionalExpression → true',
    reason: 'nothing is less than what stands before the first row, which is undefined',
  },
  {
    file: 'src/stats/moments.ts',
    line: 'if (difference > most) most = difference;',
    column: 9,
    change: 'EqualityOperator → difference >= most',
    reason: 'the largest of equal numbers is the same number',
  },
  {
    file: 'src/core/order.ts',
    line: 'if (to - from > 24) {',
    column: 23,
    change: 'BlockStatement → {}',
    reason: `${shortcut}: insertion gives the same order, in more steps`,
  },
  {
    file: 'src/measures/expected-passes.ts',
    line: 'if (ties === undefined) return;',
    column: 9,
    change: 'ConditionalExpression → false',
    reason: guard,
  },
  {
    file: 'src/core/text.ts',
    line: 'while (at < end && bytes[at] < 0x80) text += String.fromCharCode(bytes[at++]);',
    column: 12,
    change: 'EqualityOperator → at <= end',
    reason: 'one letter too many is noticed, because the place is no longer the end, and the text is decoded anew',
  },
  {
    file: 'src/stats/studentized-range.ts',
    line: 'if (range === undefined) {',
    column: 7,
    change: 'ConditionalExpression → true',
    reason: `${shortcut}: the range is computed again instead of being kept`,
  },
  {
    file: 'src/measures/tied.ts',
    line: 'for (let k = Math.min(size, means.length - 1); k > 0; k--) means[k] = (1 - k / size) * means[k] + (k / size) * keep * means[k - 1];',
    column: 33,
    change: 'ArithmeticOperator → means.length + 1',
    reason: 'what is written beyond the end of a typed array is dropped',
  },
  {
    file: 'src/core/ids.ts',
    line: 'if (id > 0 && sorted && compareIds(ids, id - 1, ids, id) > 0) sorted = false;',
    column: 9,
    change: 'LogicalOperator → id > 0 || sorted',
    reason: `${shortcut}: ids that are in order already are sorted once more`,
  },
  {
    file: 'src/core/ids.ts',
    line: 'if (id > 0 && sorted && compareIds(ids, id - 1, ids, id) > 0) sorted = false;',
    column: 29,
    change: 'EqualityOperator → compareIds(ids, id - 1, ids, id) >= 0',
    reason: `${shortcut}: ids that are in order already are sorted once more`,
  },
  {
    file: 'src/stats/ap-correlation.ts',
    line: 'if (i === 0 || values[order[i]] !== values[order[i - 1]]) level++;',
    column: 9,
    change: 'ConditionalExpression → false',
    reason: 'the first value differs from what stands before it, which is undefined',
  },
  {
    file: 'src/measures/average-precision.ts',
    line: 'return (rank) => (rank < count && below[rank + 1] > 0 ? below[rank + 1] / below[rank] : 0);',
    column: 21,
    change: 'EqualityOperator → rank <= count',
    reason: 'below the last rank there is nothing: the second condition fails there too',
  },
  {
    file: 'src/measures/cutoff.ts',
    line: 'if (depth > topic.numRetrieved) return numRelevantRetrieved / depth;',
    column: 11,
    change: 'EqualityOperator → depth >= topic.numRetrieved',
    reason: 'at the last rank both formulas are the same',
  },
  {
    file: 'src/core/id-columns.ts',
    line: 'if (!table.mayHold(count, numBytes)) {',
    column: 7,
    change: 'ConditionalExpression → true',
    reason: `${shortcut}: ids are entered one by one instead of together, with the same numbers`,
  },
  {
    file: 'src/measures/gain-pass.ts',
    line: 'if (rule.scaled && this.top > 1) for (let i = 0; i < numRetrieved; i++) ranked[i] /= this.top;',
    column: 24,
    change: 'EqualityOperator → this.top >= 1',
    reason: 'a division by 1 changes nothing',
  },
  {
    file: 'src/stats/kendall-tau.ts',
    line: 'for (let start = 0; start < n; ) {',
    column: 23,
    change: 'EqualityOperator → start <= n',
    reason: 'one group more, of one value, has no pairs',
  },
  {
    file: 'src/core/order.ts',
    line: 'if (row > 0 && score > keys[row - 1]) sorted = false;',
    column: 11,
    change: 'LogicalOperator → row > 0 || score > keys[row - 1]',
    reason: `${shortcut}: a stable sort leaves a list as it is that is in order already`,
  },
  {
    file: 'src/core/topic-lines.ts',
    line: 'isJudgedDoc: () => false,',
    column: 16,
    change: 'ArrowFunction → () => undefined',
    reason: 'undefined is as false as false where it is asked',
  },
  {
    file: 'src/core/logarithm.ts',
    line: 'if (10n * k > 14n << BigInt(e)) e++; // 2^e the nearer one of the powers of two around k',
    column: 7,
    change: 'EqualityOperator → 10n * k <= 14n << BigInt(e)',
    reason: 'the series takes more terms from the power of two that is further away, and ends at the same number',
  },
  {
    file: 'src/measures/discounted-pass.ts',
    line: 'if (this.factors.length < deepest) this.factors = discountFactors(this.rule, Math.max(1024, 2 * deepest));',
    column: 9,
    change: 'EqualityOperator → this.factors.length <= deepest',
    reason: `${shortcut}: the same factors are computed once more`,
  },
  {
    file: 'src/measures/counts.ts',
    line: 'for (let i = start; i < start + Math.min(cutoff, numRetrieved); i++) if (codes[i] > highest) highest = codes[i];',
    column: 82,
    change: 'EqualityOperator → codes[i] >= highest',
    reason: 'the highest of equal grades is the same grade',
  },
  {
    file: 'src/stats/ranks.ts',
    line: 'for (let start = 0; start < order.length; ) {',
    column: 23,
    change: 'EqualityOperator → start <= order.length',
    reason: 'one group more, beyond the last value, gives no value a rank and has no ties',
  },
  {
    file: 'src/core/ranked-lists.ts',
    line: 'for (let topic = 0; topic + 1 < offsets.length; topic++) {',
    column: 23,
    change: 'EqualityOperator → topic + 1 <= offsets.length',
    reason: 'one topic more, which has no rows',
  },
  {
    file: 'src/stats/resampling-wasm.ts',
    line: 'const found = new Int32Array(buffer, counts, numPairs).slice(); // fits: at most limits.resamples',
    column: 17,
    change: 'MethodExpression → new Int32Array(buffer, counts, numPairs)',
    reason: 'nobody else writes to that memory; it is copied so that the rest of it is not kept',
  },
  {
    file: 'src/stats/chi-mixture.ts',
    line: 'if (sum > 0 && value < sum * 1e-18) break;',
    column: 9,
    change: 'ConditionalExpression → false',
    reason: `${shortcut}: what is added after that is too small to change the sum`,
  },
  {
    file: 'src/core/judge-preferences.ts',
    line: 'return this.groupRank === undefined ? 0 : this.groupRank[this.qrels.groups?.of[row] ?? 0];',
    column: 62,
    change: 'OptionalChaining → this.qrels.groups.of',
    reason: 'narrows a type: groups have ranks only where there are groups',
  },
];

const used = new Set();

export function reasonWhyEquivalent({ file, line, column, change }) {
  const entry = EQUIVALENT.find((one) => one.file === file && one.line === line && one.column === column && one.change === change);
  used.add(entry);
  return entry?.reason;
}

/** Entries for mutants that are no longer there. */
export const unusedEntries = () => EQUIVALENT.filter((entry) => !used.has(entry));
