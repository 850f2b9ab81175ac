import { type ExampleCurves, informativenessSettings, informednessOf } from '../../../experiment/index.js';
import type { CurvePoint } from '../../../meta/index.js';
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
  readQuestion,
  showAnswer,
} from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import type { Grid } from '../../print/output.js';
import { ProgressMeter } from '../../print/progress.js';

/** What is judged if no measure is asked for. */
const measures: readonly string[] = ['nDCG', "nDCG(gain='exp')", 'AP', 'GAP', 'RBP', 'P@10'];

const options = defineOptions([measureOption(measures.join(', ')), ...optionsFor(informativenessSettings), chartOption, ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How well the value of a measure predicts the ranking. */
export const informativenessCommand: Command = defineCommand({
  name: 'meta informativeness',
  summary: 'informativeness: what the value of a measure says about the ranking',
  description:
    'How well the value of a measure predicts the ranking it was computed from. The most random ranking with that value is inferred, and its precision compared with the real one wherever recall changes; the smaller the error, the more the measure tells. Lists with fewer than 5 documents of some grade are left out. --sweep does it for graded average precision with 11 divisions of the users between two grades.',
  examples: [
    { command: 'gradus meta informativeness qrels.txt *.run --depth 100 --sweep', explains: 'what does each measure say of the ranking?' },
  ],
  arguments: questionArguments,
  options,

  check: (args) => [...questionProblems(args, 'meta informativeness', 1), ...endingProblems(args, 'chart', ['svg', 'latex', 'pdf'])],

  run: async (args, context) => await showAnswer(args, context, await informed(args, context)),
});

async function informed(args: Args, context: Context): Promise<IllustratedAnswer> {
  const { plan, material } = await readQuestion(args, context, measures);
  const meter = new ProgressMeter(context.stderr, 'inferring rankings', args.has('quiet'));
  const { result, shares, example } = informednessOf(plan, material, {
    ...settingsFrom(args, informativenessSettings),
    onProgress: (done, total) => meter.update(done, total),
  });
  meter.clear();
  const text = decimals(args);
  const row = ({ measure, error, unmet }: (typeof result.measures)[number]): string[] => [
    measure,
    text(error.any),
    text(error.highest),
    String(unmet),
  ];
  const own = result.measures.slice(0, plan.measures.length);
  const sweep = result.measures.slice(plan.measures.length);
  const columns: Grid['columns'] = [
    { name: 'measure' },
    { name: 'error, any grade', numeric: true },
    { name: 'error, highest grade', numeric: true },
    { name: 'not solved', numeric: true },
  ];
  const grids: Grid[] = [{ columns, rows: () => own.toSorted((a, b) => a.error.any - b.error.any).map(row) }];
  if (sweep.length > 0) grids.push({ columns, rows: () => sweep.map(row) });
  const series = (['any', 'highest'] as const).map((relevance) => ({
    name: relevance === 'any' ? 'any grade' : 'highest grade',
    points: sweep.map(({ error }, i) => ({ x: shares[i], y: error[relevance] })),
  }));
  return {
    json: result,
    grids,
    words: [
      `${result.lists} lists, ${result.leftOut} left out; root mean square error of inferred precision; the largest residual of a constraint is ${result.largestResidual.toExponential(1)}.`,
    ],
    pictures:
      sweep.length > 0
        ? [
            {
              title: 'Error of inferred precision, GAP',
              xLabel: 'share of users at grade 1',
              yLabel: 'root mean square error',
              series,
              xDomain: [0, 1],
              dots: true,
            },
          ]
        : curvePictures(example),
  };
}

function curvePictures(example: ExampleCurves | undefined): LinePicture[] {
  if (example === undefined) return [];
  const points = (curve: readonly CurvePoint[]): { x: number; y: number }[] =>
    curve.map(({ recall, precision }) => ({ x: recall, y: precision }));
  return [
    {
      title: `Inferred and actual precision, ${example.system}, topic ${example.topic}`,
      xLabel: 'recall',
      yLabel: 'precision',
      series: [
        { name: 'actual', points: points(example.actual) },
        ...example.inferred.map(({ measure, curve }) => ({ name: measure, points: points(curve) })),
      ],
      xDomain: [0, 1],
      yDomain: [0, 1],
    },
  ];
}
