/** What a report says of how far its judgements and ranks can be trusted. */

import { formatG } from '../core/numbers/print.js';
import { InputError } from '../core/problem.js';
import type { Coefficient } from '../judging/index.js';
import type { ReportCell, ReportColumn, ReportTable } from '../report/model.js';
import { intervalText } from '../report/number-text.js';
import { rankText } from '../report/standings.js';
import { alignedScores } from '../stats/alignment.js';
import type { Interval } from '../stats/moments.js';
import type { ComparableScores } from './comparison.js';
import { type Agreed, agreeOf } from './judging/agree.js';
import type { CompletedScore, CompletedScores } from './judging/completions/completed-scores.js';
import { completedScoresOf } from './judging/completions/completed-scores.js';
import { type Leaderboard, leaderboardsOf } from './judging/leaderboard.js';
import { isReadable, openMaterial, readMaterial, sourceOf } from './material.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';
import type { ReportRequest } from './report.js';

const DIGITS = 4;
/** Draws behind the sets of ranks; fewer where there are many systems. */
const DRAWS = 10_000;
const DRAWS_OF_MANY = 2000;
const MANY_SYSTEMS = 50;

const text = (name: string): ReportColumn => ({ name, kind: 'text' });
const number = (name: string, digits: number = DIGITS): ReportColumn => ({ name, kind: 'number', digits });
const shown = (interval: Interval | null | undefined): string => (interval ? intervalText(interval, DIGITS) : '');

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

function rankTable({ measure, systems, groups, method, numTopics, decidingTopics }: Leaderboard): ReportTable {
  const level = `${formatG(100 * method.level, 4)}%`;
  const grouped =
    groups.length > 6 ? '' : ` Groups whose systems cannot be told apart: ${groups.map((group) => group.join(', ')).join(' / ')}.`;
  const deciding =
    decidingTopics.length === 0 ? '' : ` Without any of these topics another system comes first: ${decidingTopics.join(', ')}.`;
  return {
    id: 'ranks',
    title: 'How sure the ranks are',
    caption: `${measure} on ${numTopics} topics. The sets of ranks hold for all systems together with ${level} (${method.method}, ${method.draws} draws, seed ${method.seed}), those alone for one system each; P(best) is the share of samples of topics in which a system was best.${grouped}${deciding}`,
    columns: [
      text('rank'),
      text(`${level} set`),
      text('alone'),
      text('system'),
      number(measure),
      text(`${level} interval`),
      number('P(best)'),
      text('lead lost without'),
    ],
    rows: systems.map((own): ReportCell[] => [
      String(own.rank),
      rankText(own.set),
      rankText(own.marginal),
      own.system,
      own.mean,
      intervalText(own.interval, DIGITS),
      own.probabilityBest,
      own.lostWithout === null ? '' : own.lostWithout === 1 ? '1 topic' : `${own.lostWithout} topics`,
    ]),
  };
}

function agreementTables({ pairs, conclusions }: Agreed): ReportTable[] {
  const withInterval = ({ value, interval }: Coefficient): ReportCell[] => [value, shown(interval)];
  const tables: ReportTable[] = [
    {
      id: 'agreement',
      title: 'Agreement of judges',
      caption: `Each judge against ${pairs[0].first}, on what both graded. 95% intervals by samples of topics; alpha is ordinal, weighted kappa quadratic; shift is the mean grade less that of ${pairs[0].first}.`,
      columns: [
        text('judge'),
        number('pairs', 0),
        number('topics', 0),
        ...['agreement', 'kappa', 'weighted kappa', 'alpha', 'AC1', 'shift'].flatMap((name) => [number(name), text('interval')]),
      ],
      rows: pairs.map((pair): ReportCell[] => [
        pair.second,
        pair.pairs,
        pair.topics,
        ...[pair.agreement, pair.kappa, pair.weightedKappa, pair.alpha, pair.ac1, pair.shift].flatMap(withInterval),
      ]),
    },
  ];
  if (conclusions.length === 0) return tables;
  tables.push({
    id: 'agreement-conclusions',
    title: 'What other judges conclude',
    caption:
      'The order of systems under each judge: tau-b with its 95% interval by samples of topics, pairs in the opposite order, significant differences that are lost, gained and reversed (paired t test), and the best system.',
    columns: [
      text('judge'),
      text('measure'),
      number('tau-b'),
      text('interval'),
      ...['swapped', 'lost', 'gained', 'reversed'].map((name) => number(name, 0)),
      text('best'),
    ],
    rows: conclusions.map(({ judge, measure, found, tauInterval }): ReportCell[] => [
      judge,
      measure,
      found.tau,
      shown(tauInterval),
      found.swapped,
      found.lost,
      found.gained,
      found.reversed.length,
      found.bestSecond,
    ]),
  });
  return tables;
}

function boundsTables(found: CompletedScores): ReportTable[] {
  const numbers = [number('now'), number('lowest'), number('highest'), number('expected'), text('95% of draws')];
  const cells = ({ value, low, high, expected, interval }: CompletedScore): ReportCell[] => [
    value,
    low,
    high,
    expected,
    intervalText(interval, DIGITS),
  ];
  const caption = `${found.openDocuments} documents without a judgement on ${found.openTopics} of ${found.topics} topics may turn out to have any of the grades ${found.grades.join(', ')}; expected values by ${found.chances}, ${found.draws} completions drawn (seed ${found.seed}).`;
  const pairs = found.measures.flatMap(({ measure, pairs: own }) => own.map((pair) => ({ measure, pair })));
  const tables: ReportTable[] = [
    {
      id: 'bounds',
      title: 'What missing judgements can change',
      caption,
      columns: [text('measure'), text('system'), ...numbers],
      rows: found.measures.flatMap(({ measure, runs }) => runs.map((run): ReportCell[] => [measure, run.run, ...cells(run)])),
    },
  ];
  if (pairs.length === 0) return tables;
  tables.push({
    id: 'bounds-differences',
    title: 'Comparisons that they can change',
    caption: `Certain: whatever the missing judgements say; probable: from ${found.confidence} on; open: judge on.`,
    columns: [text('measure'), text('difference'), ...numbers, text('ahead'), number('probability'), text('settled')],
    rows: pairs.map(({ measure, pair }): ReportCell[] => [
      measure,
      `${pair.first} - ${pair.second}`,
      ...cells(pair),
      pair.ahead ?? '',
      pair.probability,
      pair.settled,
    ]),
  });
  return tables;
}
