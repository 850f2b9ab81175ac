import type { Problem } from '../../core/index.js';
import {
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
import { standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
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
    { command: 'gradus leaderboard --preferences votes.csv', explains: 'from comparisons of two systems at a time' },
  ],
  arguments: scoredArguments,
  options,

  check(args) {
    const problems: Problem[] = [...standardInputProblems(args), ...questionProblems(args, 'leaderboard', 1)];
    problems.push(...scoredProblems(args, 'leaderboard', ['scores', 'preferences']));
    if (args.given.has('prior') && !args.given.has('preferences')) {
      problems.push({ message: '--prior has no meaning without --preferences', wayOut: 'leave it out' });
    }
    return problems;
  },

  async run(args, context) {
    const { preferences, ...settings } = settingsFrom(args, leaderboardSettings);
    if (preferences !== undefined) {
      const board = preferenceBoardOf(await readPreferences(nodePlatform.source(preferences)), settings);
      await printAnswer(args, context, preferenceAnswer(board, args));
      return 0;
    }
    const boards = leaderboardsOf(await scoresFrom(args, context, ['nDCG@10']), settings);
    for (const note of new Set(boards.flatMap(({ notes }) => notes))) say(args, context, note);
    await printAnswer(args, context, answerOf(boards, args));
    return 0;
  },
});

function answerOf(boards: readonly Leaderboard[], args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const set = ({ low, high }: { readonly low: number; readonly high: number }): string => `[${low}, ${high}]`;
  const [{ method }] = boards;
  const level = `${Math.round(100 * method.level)}%`;
  return {
    json: boards,
    grids: boards.map(({ measure, systems }) => ({
      columns: [
        right('rank'),
        right(`${level} set`),
        right('alone'),
        { name: 'system' },
        right(measure),
        right('interval'),
        right('P(best)'),
        right('lead lost without'),
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
        ]),
    })),
    words: [
      ...boards.map(
        ({ measure, notToldApart, decidingTopics, numTopics }) =>
          `${measure}: not significantly below the best: ${notToldApart.join(', ')}. ${
            decidingTopics.length === 0
              ? `No single topic of ${numTopics} decides who comes first.`
              : `Topics without which the first ${args.number('top') === 1 ? 'system' : `${args.number('top')} systems`} would be other ones: ${decidingTopics.join(', ')}.`
          }`,
      ),
      `Rank sets hold together with ${level} (${method.method}, ${method.draws} draws, seed ${method.seed}); sets alone hold for one system each. P(best) is the share of ${method.draws} samples of topics in which a system was best; intervals of means by Student's t.`,
    ],
  };
}

function preferenceAnswer({ systems, comparisons, method }: PreferenceBoard, args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const level = `${Math.round(100 * method.level)}%`;
  return {
    json: { systems, comparisons, method },
    grids: [
      {
        columns: [right('rank'), right(`${level} set`), { name: 'system' }, right('strength'), right('interval'), right('Elo scale')],
        rows: () =>
          systems.map(({ system, rank, strength, interval, elo, set }) => [
            String(rank),
            `[${set.low}, ${set.high}]`,
            system,
            text(strength),
            `[${text(interval.low)}, ${text(interval.high)}]`,
            elo.toFixed(1),
          ]),
      },
    ],
    words: [
      `Bradley–Terry strengths from ${comparisons} comparisons, by maximum likelihood; a tie is half a win of either, which makes intervals slightly wide. Rank sets hold together with ${level} (${method.method}, ${method.draws} draws, seed ${method.seed}).`,
    ],
  };
}
