import type { Problem } from '../../core/index.js';
import {
  type ComparableScores,
  comparableRuns,
  type Leaderboard,
  leaderboardSettings,
  leaderboardsOf,
  type PreferenceBoard,
  preferenceBoardOf,
  readPreferences,
} from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { measureOption } from '../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../options/question.js';
import { readyScoresOption, scoredArguments, scoredProblems, scoresFrom } from '../options/ready-scores.js';
import { scoreFiles, standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import type { Grid } from '../print/output.js';
import { say } from '../print/say.js';
import { shownBy } from './agree.js';

const options = defineOptions([readyScoresOption, measureOption('nDCG@10'), ...optionsFor(leaderboardSettings), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How sure the ranks of systems are. */
export const leaderboardCommand: Command = defineCommand({
  name: 'leaderboard',
  summary: 'rank systems, and say how sure the ranks are',
  description: [
    'Ranks systems by their means, each with the set of ranks that the topics allow: all sets hold together with 95% (Mogstad and others 2023). Systems whose set holds rank 1 cannot be separated from the best. Also the set that holds for each system alone, how often it was best when topics were drawn again, and on how few topics its lead over the next one rests.',
    'With --preferences it ranks by who was preferred to whom (Bradley–Terry), from CSV with columns first, second and outcome (first, second or tie), or lines of JSON.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus leaderboard qrels.txt *.run', explains: 'which systems may be the best by nDCG@10?' },
    { command: 'gradus leaderboard --scores scores.csv --top 3 --json', explains: 'ready scores, a row per topic and a column per system' },
    {
      command: 'gradus leaderboard qrels.txt *.run -m nDCG@10 -m AP --stability',
      explains: 'would another measure or tie rule rank them alike?',
    },
    { command: 'gradus leaderboard --preferences votes.csv', explains: 'from comparisons of two systems at a time' },
  ],
  arguments: scoredArguments,
  options,

  check(args) {
    const problems: Problem[] = [...standardInputProblems(args), ...questionProblems(args, 'leaderboard', 1)];
    problems.push(...scoredProblems(args, 'leaderboard', ['scores', 'preferences']));
    for (const name of ['prior', 'shuffles']) {
      if (args.given.has(name) && !args.given.has('preferences')) {
        problems.push({ message: `--${name} has no meaning without --preferences`, wayOut: 'leave it out' });
      }
    }
    if (args.given.has('stability') && args.given.has('preferences')) {
      problems.push({ message: '--stability has no meaning with --preferences', wayOut: 'leave it out' });
    }
    return problems;
  },

  async run(args, context) {
    const { preferences, stability, ...settings } = settingsFrom(args, leaderboardSettings);
    if (preferences !== undefined) {
      const board = preferenceBoardOf(await readPreferences(nodePlatform.source(preferences)), settings);
      await printAnswer(args, context, preferenceAnswer(board, args), { scores: [preferences] });
      return 0;
    }
    const boards = leaderboardsOf(await scoresFrom(args, context, ['nDCG@10']), {
      ...settings,
      stability: stability === true ? await otherTieRules(args, context) : undefined,
    });
    for (const note of new Set(boards.flatMap(({ notes }) => notes))) say(args, context, note);
    await printAnswer(args, context, answerOf(boards, args));
    return 0;
  },
});

/** The same runs with equal scores in other orders; ready scores know none. */
async function otherTieRules(args: Args, context: Context): Promise<{ rule: string; scores: ComparableScores }[]> {
  if (args.has('scores')) return [];
  const [judgements, ...runs] = args.positionals;
  const found: { rule: string; scores: ComparableScores }[] = [];
  for (const ties of ['optimistic', 'pessimistic', 'expected'] as const) {
    const scored = await scoreFiles(args, context, { judgements, runs, missing: 'zero', ties }, { otherwise: ['nDCG@10'] });
    found.push({ rule: `ties ${ties}`, scores: comparableRuns(scored, 'zero') });
  }
  return found;
}

function answerOf(boards: readonly Leaderboard[], args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const set = ({ low, high }: { readonly low: number; readonly high: number }): string => `[${low}, ${high}]`;
  const [{ method }] = boards;
  const level = `${Math.round(100 * method.level)}%`;
  return {
    json: boards,
    grids: [
      ...boards.map(
        ({ measure, systems }): Grid => ({
          columns: [
            right('rank'),
            right(`${level} set`),
            right('alone'),
            { name: 'system' },
            right(measure),
            right('interval'),
            right('P(best)'),
            right('lead lost without'),
            ...(boards[0].stability === undefined ? [] : [right('elsewhere')]),
          ],
          rows: () =>
            systems.map((own) => [
              String(own.rank),
              set(own.set),
              set(own.marginal),
              own.system,
              text(own.mean),
              `[${text(own.interval.low)}, ${text(own.interval.high)}]`,
              text(own.probabilityBest),
              own.lostWithout === null ? '-' : own.lostWithout === 1 ? '1 topic' : `${own.lostWithout} topics`,
              ...(own.ranksElsewhere === undefined ? [] : [set(own.ranksElsewhere)]),
            ]),
        }),
      ),
      ...boards.flatMap(({ measure, stability }) =>
        stability === undefined || stability.length === 0 ? [] : [stabilityGrid(measure, stability, text)],
      ),
    ],
    words: [
      ...boards.map(
        ({ measure, notToldApart, groups, decidingTopics, numTopics }) =>
          `${measure}: not significantly below the best: ${notToldApart.join(', ')}. ${groupWords(groups)}${
            decidingTopics.length === 0
              ? `No single topic of ${numTopics} decides who comes first.`
              : `Topics without which the first ${args.number('top') === 1 ? 'system' : `${args.number('top')} systems`} would be other ones: ${decidingTopics.join(', ')}.`
          }`,
      ),
      `Rank sets hold together with ${level} (${method.method}, ${method.draws} draws, seed ${method.seed}); sets alone hold for one system each. P(best) is the share of ${method.draws} samples of topics in which a system was best; intervals of means by Student's t.`,
    ],
  };
}

/** Groups that cannot be told apart, unless there are so many that the best one says enough. */
function groupWords(groups: Leaderboard['groups']): string {
  if (groups.length < 2 || groups.length > 6) return '';
  return `Groups whose systems cannot be told apart: ${groups.map((group) => group.join(', ')).join(' / ')}. `;
}

function stabilityGrid(measure: string, stability: NonNullable<Leaderboard['stability']>, text: (value: number) => string): Grid {
  const shown = (value: number | null): string => (value === null ? '-' : text(value));
  return {
    columns: [
      { name: `order by ${measure} against` },
      { name: 'tau-b', numeric: true },
      { name: 'tau AP', numeric: true },
      { name: 'swapped', numeric: true },
      { name: 'best' },
    ],
    rows: () =>
      stability.map(({ condition, tau, tauAp, swapped, best }) => [
        condition,
        shown(tau),
        shown(tauAp),
        swapped === null ? '-' : String(swapped),
        best.join(', '),
      ]),
  };
}

function preferenceAnswer({ systems, comparisons, method, resampled }: PreferenceBoard, args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const level = `${Math.round(100 * method.level)}%`;
  const hasSequence = systems.some(({ eloInSequence }) => eloInSequence !== undefined);
  const { unit, units, resamples, undefinedSamples, isUsed } = resampled;
  const intervalWords = isUsed
    ? `Intervals are percentiles of ${resamples} samples of ${units} ${unit}${undefinedSamples === 0 ? '' : `, ${undefinedSamples} of which have no strengths and are left out`}.`
    : `In more than half of ${resamples} samples of ${units} ${unit} some system never lost, so that intervals are by the standard errors; ties make them slightly wide.`;
  return {
    json: { systems, comparisons, method, resampled },
    grids: [
      {
        columns: [
          right('rank'),
          right(`${level} set`),
          { name: 'system' },
          right('strength'),
          right('interval'),
          right('Elo scale'),
          right('P(best)'),
          ...(hasSequence ? [right('Elo in sequence')] : []),
        ],
        rows: () =>
          systems.map(({ system, rank, strength, interval, elo, set, probabilityBest, eloInSequence }) => [
            String(rank),
            `[${set.low}, ${set.high}]`,
            system,
            text(strength),
            `[${text(interval.low)}, ${text(interval.high)}]`,
            elo.toFixed(1),
            probabilityBest === null ? '-' : text(probabilityBest),
            ...(eloInSequence === undefined ? [] : [`${eloInSequence.mean.toFixed(1)} ± ${eloInSequence.standardDeviation.toFixed(1)}`]),
          ]),
      },
    ],
    words: [
      `Bradley–Terry strengths from ${comparisons} comparisons, by maximum likelihood; a tie is half a win of either. ${intervalWords} Rank sets hold together with ${level} (${method.method}, ${method.draws} draws, seed ${method.seed}).`,
    ],
  };
}
