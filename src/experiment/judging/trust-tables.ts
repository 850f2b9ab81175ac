/** What is known of how far judgements, ranks and sizes can be trusted, as tables and as one sentence each: for reports and for the page. */

import { formatG } from '../../core/numbers/print.js';
import type { Coefficient } from '../../judging/index.js';
import type { ReportCell, ReportColumn, ReportTable } from '../../report/model.js';
import { intervalText } from '../../report/number-text.js';
import { rankText } from '../../report/standings.js';
import type { Interval } from '../../stats/moments.js';
import type { Agreed } from './agree.js';
import type { CompletedScore, CompletedScores } from './completions/completed-scores.js';
import type { Leaderboard } from './leaderboard.js';
import type { ReliabilityPlan, TopicPlan } from './planning.js';

const DIGITS = 4;

const text = (name: string): ReportColumn => ({ name, kind: 'text' });
const number = (name: string, digits: number = DIGITS): ReportColumn => ({ name, kind: 'number', digits });
const shown = (interval: Interval | null | undefined): string => (interval ? intervalText(interval, DIGITS) : '');
const fixed = (value: number | null): string => value?.toFixed(DIGITS) ?? '–';
const counted = (count: number, one: string, several: string = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

/** Ranks with the sets of ranks that hold together and alone. */
export function rankTable({ measure, systems, groups, method, numTopics, decidingTopics }: Leaderboard): ReportTable {
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

/** How far judges agree, and what each concludes. */
export function agreementTables({ pairs, conclusions }: Agreed): ReportTable[] {
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

/** What missing judgements can change. */
export function boundsTables(found: CompletedScores): ReportTable[] {
  const numbers = [number('now'), number('lowest'), number('highest'), number('expected'), text('95% of draws')];
  const cells = ({ value, low, high, expected, interval }: CompletedScore): ReportCell[] => [
    value,
    low,
    high,
    expected,
    intervalText(interval, DIGITS),
  ];
  const caption = `${counted(found.openDocuments, 'document')} without a judgement on ${found.openTopics} of ${found.topics} topics may turn out to have any of the grades ${found.grades.join(', ')}; expected values by ${found.chances}, ${found.draws} completions drawn (seed ${found.seed}).`;
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

/** Whom two judges gave which grades: a table for every judge that is compared. */
export function confusionTables({ pairs }: Agreed): ReportTable[] {
  return pairs.map(({ first, second, categories, confusion }, p) => ({
    id: `confusion-${p + 1}`,
    title: `Grades by ${first} and by ${second}`,
    caption: `Documents by their grade from ${first}, in rows, and from ${second}, in columns.`,
    columns: [text(first), ...categories.map((grade) => number(String(grade), 0)), number('all', 0)],
    rows: confusion.map((row, k): ReportCell[] => [String(categories[k]), ...row, row.reduce((sum, count) => sum + count, 0)]),
  }));
}

/** How far judges agree, in a sentence. */
export function agreementFinding({ pairs, conclusions }: Agreed): string {
  const [{ first, second, agreement, pairs: common }] = pairs;
  const share = agreement.value === null ? 'an unknown share' : `${Math.round(100 * agreement.value)}%`;
  const said = `${second} agrees with ${first} on ${share} of ${counted(common, 'document')}`;
  const [own] = conclusions;
  if (own === undefined) return `${said}.`;
  const { found, measure } = own;
  const best = found.bestFirst === found.bestSecond ? 'finds the same best system' : 'finds another best system';
  return `${said}, and ${best} by ${measure}.`;
}

/** What missing judgements can change, in a sentence. */
export function boundsFinding({ measures, openDocuments }: CompletedScores): string {
  if (openDocuments === 0) return 'No judgement is missing.';
  const pairs = measures.flatMap(({ pairs: own }) => own);
  if (pairs.length === 0) return `${counted(openDocuments, 'document')} without a judgement can change the score.`;
  const open = pairs.filter(({ settled }) => settled === 'open').length;
  if (open === 0) return 'The missing judgements are unlikely to turn any comparison.';
  return `The missing judgements can turn ${open} of ${counted(pairs.length, 'comparison')}.`;
}

/** How many topics a collection needs, in a sentence. */
export function planFinding({ measure, tTest, pilotTopics }: TopicPlan, difference: number, power: number): string {
  const chance = `with a chance of ${Math.round(100 * power)}%`;
  return tTest.topics <= pilotTopics
    ? `${counted(pilotTopics, 'topic')} are enough to find a difference of ${formatG(difference, 4)} in ${measure} ${chance}.`
    : `A difference of ${formatG(difference, 4)} in ${measure} needs ${counted(tTest.topics, 'topic')} to be found ${chance}; there are ${pilotTopics}.`;
}

/** How many topics find a difference, how the chance grows with topics, and how reliable scores and their order are. */
export function planTables(plans: readonly TopicPlan[], reliability: readonly ReliabilityPlan[], difference: number): ReportTable[] {
  const sizes: ReportTable = {
    id: 'plan-topics',
    title: 'Topics needed',
    caption: `Smallest numbers of topics (Sakai 2016) from the spread on the ${plans[0].pilotTopics} topics at hand, with those at the 95% limits of that spread.`,
    columns: [text('measure'), text('design'), number('topics', 0), text('at the limits'), text('reached')],
    rows: plans.flatMap(({ measure, tTest, anova, interval, pilotSystems }): ReportCell[][] => [
      [measure, 'paired t test', tTest.topics, `[${tTest.low}, ${tTest.high}]`, `power ${tTest.power.toFixed(DIGITS)}`],
      ...(anova === null
        ? []
        : [[measure, `analysis of variance, ${pilotSystems} systems`, anova.topics, '', `power ${anova.power.toFixed(DIGITS)}`]]),
      [measure, 'interval', interval.topics, `[${interval.low}, ${interval.high}]`, `width ${interval.width.toFixed(DIGITS)}`],
    ]),
  };
  const curve: ReportTable = {
    id: 'plan-power',
    title: 'Chance of finding it',
    caption: `Power of a paired t test for a difference of ${formatG(difference, 4)}, by the number of topics.`,
    columns: [text('measure'), number('topics', 0), number('power')],
    rows: plans.flatMap(({ measure, curve: own }) => own.map(({ topics, power }): ReportCell[] => [measure, topics, power])),
  };
  const reliable: ReportTable = {
    id: 'plan-reliability',
    title: 'Reliability',
    caption:
      'Generalisability theory (Brennan 2001; Urbano and others 2013): E rho² for the order of systems, Phi for their scores, with 95% intervals from F distributions.',
    columns: [text('measure'), text('coefficient'), number('topics', 0), number('value'), text('interval'), text('topics for 0.95')],
    rows: reliability.flatMap(({ measure, studies }) =>
      studies.flatMap(({ numTopics, relative, absolute }) =>
        [
          { name: 'E rho²', own: relative },
          { name: 'Phi', own: absolute },
        ].map(({ name, own }): ReportCell[] => [
          measure,
          name,
          numTopics,
          own.value,
          `[${fixed(own.low)}, ${fixed(own.high)}]`,
          own.topics === null ? '' : String(own.topics),
        ]),
      ),
    ),
  };
  return reliability.length === 0 ? [sizes, curve] : [sizes, curve, reliable];
}
