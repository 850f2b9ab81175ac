/** What a report says of how far its judgements and ranks can be trusted. */

import { InputError } from '../core/problem.js';
import type { ReportTable } from '../report/model.js';
import { alignedScores } from '../stats/alignment.js';
import type { ComparableScores } from './comparison.js';
import { agreeOf } from './judging/agree.js';
import { completedScoresOf } from './judging/completions/completed-scores.js';
import { leaderboardsOf } from './judging/leaderboard.js';
import { agreementTables, boundsTables, rankTable } from './judging/trust-tables.js';
import { isReadable, openMaterial, readMaterial, sourceOf } from './material.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';
import type { ReportRequest } from './report.js';

/** Draws behind the sets of ranks; fewer where there are many systems. */
const DRAWS = 10_000;
const DRAWS_OF_MANY = 2000;
const MANY_SYSTEMS = 50;

/** The tables about trust that a report has room for: how sure the ranks are, and where they were asked for, how far other judges agree and
 *  what missing judgements can change. */
export async function trustTables(
  scores: ComparableScores,
  request: ReportRequest,
  plan: Plan,
  platform: Platform,
): Promise<readonly ReportTable[]> {
  const alpha = request.comparison?.alpha ?? 0.05;
  const tables: ReportTable[] = [];
  const [measure] = scores.measures;
  if (scores.table.systems.length > 1 && alignedScores(scores.table, measure, scores.missing).topics.length > 1) {
    const draws = scores.table.systems.length > MANY_SYSTEMS ? DRAWS_OF_MANY : DRAWS;
    const { seed } = request.comparison ?? {};
    const [board] = leaderboardsOf({ ...scores, measures: [measure], notes: [] }, { alpha, resamples: draws, seed });
    tables.push(rankTable(board));
  }
  const isAgreed = request.agree !== undefined && request.agree.length > 0;
  if (isAgreed || request.bounds === true) refusePipes(request, platform);
  if (request.agree !== undefined && isAgreed) {
    const agreed = await agreeOf(
      { ...request, measures: plan.measures, judgements: [request.judgements, ...request.agree], alpha },
      platform,
    );
    tables.push(...agreementTables(agreed));
  }
  if (request.bounds === true) {
    const material = await readMaterial(await openMaterial(request, plan, platform));
    tables.push(...boundsTables(await completedScoresOf(plan, material, { rel: request.rel })));
  }
  return tables;
}

/** What is read a second time has to be a file. */
function refusePipes({ judgements, runs }: ReportRequest, platform: Platform): void {
  const inputs = [judgements, ...runs].filter(isReadable).map((input) => sourceOf(input, platform));
  const pipe = inputs.find(({ isReopenable }) => !isReopenable);
  if (pipe === undefined) return;
  throw new InputError({
    source: pipe.name,
    message: 'a report with --agree or --bounds reads its files twice, and this can be read only once',
    wayOut: 'save it to a file first',
  });
}
