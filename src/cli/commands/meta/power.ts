import { powerOf, powerSettings } from '../../../experiment/index.js';
import type { MeasurePower } from '../../../meta/index.js';
import type { LinePicture } from '../../../report/charts/index.js';
import { measureOption } from '../../options/judging.js';
import { endingProblems } from '../../options/output-form.js';
import {
  answerOptions,
  chartOption,
  decimals,
  type IllustratedAnswer,
  questionArguments,
  questionProblems,
  showAnswer,
} from '../../options/question.js';
import { sayNotes, scoreFiles } from '../../options/scoring.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';

/** What is judged if no measure is asked for. */
const measures: readonly string[] = ['AP', 'nDCG', 'nDCG@10', 'P@10', 'RR', 'Rprec', 'Bpref', 'RBP', 'ERR@20', 'GAP'];

const options = defineOptions([measureOption(measures.join(', ')), ...optionsFor(powerSettings), chartOption, ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How many pairs of systems a measure separates. */
export const powerCommand: Command = defineCommand({
  name: 'meta power',
  summary: 'discriminative power: which measure separates the most systems',
  description:
    'Discriminative power: the share of pairs of systems that a measure finds significantly different, by the bootstrap (the same samples of topics for all pairs and measures) or the randomised Tukey test; with the difference of means that would have been enough for every pair.',
  examples: [
    { command: 'gradus meta power qrels.txt *.run --chart asl.svg', explains: 'which measure separates the most systems?' },
    { command: 'gradus meta power qrels.txt *.run --test tukey --top 10', explains: 'the ten best systems only, all pairs together' },
  ],
  arguments: questionArguments,
  options,

  check: (args) => [...questionProblems(args, 'meta power', 2), ...endingProblems(args, 'chart', ['svg', 'latex', 'pdf'])],

  run: async (args, context) => await showAnswer(args, context, await power(args, context)),
});

async function power(args: Args, context: Context): Promise<IllustratedAnswer> {
  const [judgements, ...runs] = args.positionals;
  const scored = await scoreFiles(args, context, { judgements, runs, missing: 'zero' }, { otherwise: measures });
  sayNotes(args, context, scored.notes);
  const { test: method, ...settings } = settingsFrom(args, powerSettings);
  const result = powerOf(scored, { ...settings, method });
  const text = decimals(args);
  const ranked = result.measures.toSorted((a, b) => b.share - a.share);
  const curve = ({ levels }: MeasurePower): { x: number; y: number }[] => Array.from(levels, (y, i) => ({ x: i + 1, y }));
  const picture = (title: string, yDomain: readonly [number, number]): LinePicture => ({
    title,
    xLabel: 'pair of systems',
    yLabel: 'achieved significance level',
    series: ranked.map((measure) => ({ name: measure.measure, points: curve(measure) })),
    xDomain: [0, result.pairs],
    yDomain,
  });
  return {
    json: {
      ...result,
      measures: result.measures.map(({ levels, pairLevels, ...rest }) => ({ ...rest, levels: [...levels], pairLevels: [...pairLevels] })),
    },
    grids: [
      {
        columns: [
          { name: 'measure' },
          { name: 'significant', numeric: true },
          { name: 'share', numeric: true },
          { name: 'difference needed', numeric: true },
        ],
        rows: () =>
          ranked.map(({ measure, significant, share, differenceNeeded }) => [
            measure,
            String(significant),
            text(share),
            text(differenceNeeded),
          ]),
      },
    ],
    words: [
      `${result.pairs} pairs of systems, ${result.topics} topics; ${result.method}, ${result.resamples} resamples, seed ${result.seed}; significant at ${result.alpha}.`,
    ],
    pictures: [picture('Achieved significance levels of all pairs', [0, 1]), picture('The same, levels up to 0.15', [0, 0.15])],
  };
}
