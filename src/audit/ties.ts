import { formatFixed } from '../core/numbers/print.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { evaluator } from '../measures/evaluate.js';
import { Cases, countedOf, eachTopic, type Finding } from './finding.js';

/** Decimals in which two values must differ to be worth a warning: those that tools print. */
const DECIMALS = 4;

/** Equal scores, and how far the order of equally scored documents can move the measures. */
export function tieFindings(qrels: Qrels, run: Run, cutoff: number): Finding[] {
  const { numTied, numGroups, cases } = countTies(run, (score) => score);
  const total = run.scores.length;
  const findings: Finding[] = [];
  if (numGroups > 0) {
    const measures = [`nDCG@${cutoff}`, 'AP'];
    const scored = (ties: 'optimistic' | 'pessimistic'): Record<string, number> =>
      evaluator(qrels, measures, { ties, unrelated: 'accept' }).evaluate(run).means();
    const best = scored('optimistic');
    const worst = scored('pessimistic');
    const bounds = measures.map((measure) => [formatFixed(worst[measure], DECIMALS), formatFixed(best[measure], DECIMALS)] as const);
    const matters = bounds.some(([low, high]) => low !== high);
    const words = measures.map((measure, i) => {
      const [low, high] = bounds[i];
      return low === high ? `${measure} is ${low} in any case` : `${measure} lies between ${low} and ${high}`;
    });
    findings.push({
      kind: 'ties',
      severity: matters ? 'warning' : 'info',
      count: numTied,
      of: total,
      examples: cases.examples,
      sentence: `${countedOf(numTied, total, 'documents', ['shares its', 'share their'])} score with others, in ${numGroups} ${numGroups === 1 ? 'group' : 'groups'} on ${cases.count} ${cases.count === 1 ? 'query' : 'queries'}. ${matters ? `Depending on how equal scores are ordered, ${words.join(', and ')}.` : `Their order does not move ${measures.join(' or ')} in ${DECIMALS} decimals.`}`,
      recommendation: matters
        ? "Say how ties are ordered, break them in the system, or report the mean over all orders (ties='expected')."
        : undefined,
      details: Object.fromEntries([
        ['groups', numGroups],
        ...measures.flatMap((measure) => [
          [`${measure} at least`, worst[measure]],
          [`${measure} at most`, best[measure]],
        ]),
      ]),
    });
  }
  const single = countTies(run, Math.fround, (score) => score);
  if (single.numTied > 0) {
    const more = single.numTied;
    findings.push({
      kind: 'ties-in-32-bits',
      severity: 'info',
      count: more,
      of: total,
      examples: single.cases.examples,
      sentence: `${countedOf(more, total, 'documents', ['has a score that is', 'have scores that are'])} equal to another only in 32 bits, which older releases of trec_eval compare.`,
      recommendation: 'Write scores that differ in their first seven digits.',
    });
  }
  return findings;
}

interface TieCount {
  readonly numTied: number;
  readonly numGroups: number;
  /** The topics that have ties. */
  readonly cases: Cases;
}

/** Counts documents of equal score, beyond those that are equal in a finer comparison, too. */
function countTies(run: Run, compared: (score: number) => number, finer?: (score: number) => number): TieCount {
  const cases = new Cases();
  let numTied = 0;
  let numGroups = 0;
  eachTopic(run.topics, (topic, id) => {
    const scores = run.scores.subarray(run.offsets[topic], run.offsets[topic + 1]);
    const all = tiesAmong(scores.map(compared));
    const known = finer === undefined ? { tied: 0, groups: 0 } : tiesAmong(scores.map(finer));
    numTied += all.tied - known.tied;
    numGroups += all.groups - known.groups;
    if (all.tied > known.tied) cases.add(id);
  });
  return { numTied, numGroups, cases };
}

function tiesAmong(scores: Float64Array): { tied: number; groups: number } {
  scores.sort();
  let tied = 0;
  let groups = 0;
  for (let start = 0, end = 0; start < scores.length; start = end) {
    while (end < scores.length && scores[end] === scores[start]) end++;
    if (end - start < 2) continue;
    tied += end - start;
    groups++;
  }
  return { tied, groups };
}
