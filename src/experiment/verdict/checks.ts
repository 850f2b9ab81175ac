import type { ScoreTable } from '../../core/score-table.js';
import type { ByteSource } from '../../formats/source.js';
import type { Measure } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { alignedScores, alignTables, type MissingPolicy } from '../../stats/alignment.js';
import { plainMean } from '../../stats/moments.js';
import type { OtherRules, ScoredRuns } from '../score.js';
import type { VerdictChecks } from './verdict.js';

/** How many documents are looked at for judgements. */
const CUTOFF = 10;

/** What is scored beside the measure itself. */
const judgedMeasure = `Judged@${CUTOFF}`;

/** Runs of more bytes than this together are not scored three times more unless somebody asks for it. */
const MOST_CHECKED_BYTES = 64 * 2 ** 20;

/** The rules by which runs are scored besides, to see what a verdict by this measure owes to the usual ones: unjudged documents out, and
 *  equal scores in their best and worst order. */
export function checkRules(measure: Measure): OtherRules[] {
  return [
    // a topic without an answer has no share
    { measures: [parseMeasure(judgedMeasure)], rules: { missingTopics: 'skip' } },
    { measures: [measure], rules: { judgedOnly: true } },
    { measures: [measure], rules: { ties: 'optimistic' } },
    { measures: [measure], rules: { ties: 'pessimistic' } },
  ];
}

/** Whether runs are small enough to be scored by `checkRules` as well. */
export function areCheckable(sources: readonly (ByteSource | undefined)[]): boolean {
  return sources.reduce((sum, source) => sum + (source?.size ?? 0), 0) <= MOST_CHECKED_BYTES;
}

/** What scoring by `checkRules` came to. */
export function verdictChecks(
  { runs, alongside = [] }: Pick<ScoredRuns, 'runs' | 'alongside'>,
  measure: string,
  missing: MissingPolicy,
): VerdictChecks {
  const missingTopics = runs.map(({ numMissing }) => numMissing);
  if (alongside.length === 0) return { missingTopics };
  const [judged, judgedOnly, best, worst] = alongside;
  const means = (tables: readonly ScoreTable[]): number[] => alignedScores(alignTables(tables), measure, missing).systems.map(plainMean);
  return {
    unjudged: { cutoff: CUTOFF, shares: judged.map(unjudgedShare) },
    judgedOnly: means(judgedOnly),
    ties: { best: means(best), worst: means(worst) },
    missingTopics,
  };
}

/** The mean share of unjudged documents over the topics with a value. */
function unjudgedShare(table: ScoreTable): number {
  const known = table.column(judgedMeasure).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? 1 : 1 - plainMean(known);
}
