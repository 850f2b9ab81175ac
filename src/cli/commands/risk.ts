import { type RiskTable, riskSettings, risksOf } from '../../experiment/index.js';
import { measureOption } from '../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../options/question.js';
import { readyScoresOption, scoredArguments, scoredProblems, scoresFrom } from '../options/ready-scores.js';
import { standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { say } from '../print/say.js';
import { shownBy } from './agree.js';

const options = defineOptions([readyScoresOption, measureOption('nDCG@10'), ...optionsFor(riskSettings), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** What systems risk against a baseline. */
export const riskCommand: Command = defineCommand({
  name: 'risk',
  summary: 'say how much systems may lose against a baseline',
  description: [
    'A system that is better on average may ruin single topics. URisk is the mean difference from the baseline, in which losses count 1 + alpha times; TRisk is URisk over its standard error, beyond 2 in size more than chance; GeoRisk holds all systems against what topics and systems let expect, and needs no baseline: higher is better in all three.',
    'The first run is the baseline unless --baseline names another. gradus train --baseline trains a model by the same rule.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus risk qrels.txt bm25.run neural.run', explains: 'is the new system safe, compared with the first?' },
    { command: 'gradus risk --scores scores.csv --baseline bm25 --alpha 5', explains: 'ready scores; a loss counts six times' },
  ],
  arguments: scoredArguments,
  options,

  check: (args) => [...standardInputProblems(args), ...questionProblems(args, 'risk', 1), ...scoredProblems(args, 'risk')],

  async run(args, context) {
    const scores = await scoresFrom(args, context, ['nDCG@10']);
    for (const note of scores.notes) say(args, context, note);
    await printAnswer(args, context, answerOf(risksOf(scores, settingsFrom(args, riskSettings)), args));
    return 0;
  },
});

function answerOf(tables: readonly RiskTable[], args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const [{ baseline, alpha }] = tables;
  return {
    json: tables,
    grids: tables.map(({ measure, systems }) => ({
      columns: [
        { name: 'system' },
        right(measure),
        right('URisk'),
        right('TRisk'),
        right('p'),
        right('GeoRisk'),
        right('better'),
        right('worse'),
        { name: 'worst topic' },
        right('lost'),
      ],
      rows: () =>
        systems.map((own) => [
          own.system,
          text(own.mean),
          text(own.uRisk),
          text(own.tRisk),
          text(own.pValue),
          text(own.geoRisk),
          String(own.wins),
          String(own.losses),
          own.worst?.topic ?? '-',
          text(own.worst?.difference ?? null),
        ]),
    })),
    words: [
      `Against ${baseline}; losses count ${1 + alpha} times (alpha ${alpha}). URisk and GeoRisk: higher is safer. TRisk beyond 2 in size is more than chance; p by Student's t.`,
    ],
  };
}
