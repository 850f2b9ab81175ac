import { formatFixed } from '../core/print.js';
import { openMaterial, type ReadMaterial, readMaterial } from '../experiment/material.js';
import { type ExampleCurves, informednessOf, powerOf, stabilityOf } from '../experiment/meta.js';
import { type Plan, planOf } from '../experiment/plan.js';
import type { CurvePoint, MeasurePower } from '../meta/index.js';
import { nodePlatform } from '../node/platform.js';
import type { LinePicture } from '../report/charts/index.js';
import type { ParsedArguments } from './arguments.js';
import type { Context } from './command.js';
import { judgingSettings, readingSettings, sayNotes, scoreFiles } from './experiment-options.js';
import type { Grid } from './output.js';
import { ProgressMeter } from './progress.js';
import { say } from './say.js';

/** What a question about measures is asked of. */
export interface Question {
  readonly args: ParsedArguments;
  readonly context: Context;
  readonly qrels: string;
  readonly runs: readonly string[];
  /** What is judged if no measure is asked for. */
  readonly otherwise: readonly string[];
}

/** What one question about measures is answered with. */
export interface Answer {
  readonly json: unknown;
  readonly grids: readonly Grid[];
  /** What the numbers mean and how they were made. */
  readonly words: readonly string[];
  readonly pictures: readonly LinePicture[];
}

function seedOf(args: ParsedArguments): number {
  return args.number('seed') ?? 1;
}

function decimals(args: ParsedArguments): (value: number) => string {
  const digits = args.number('digits') ?? 4;
  return (value) => (Number.isNaN(value) ? '-' : formatFixed(value, digits));
}

/** The answer of `gradus meta power`. */
export async function power({ args, context, qrels, runs, otherwise }: Question): Promise<Answer> {
  const scored = await scoreFiles(args, context, { judgements: qrels, runs, missing: 'zero', depth: undefined }, { otherwise });
  sayNotes(args, context, scored.notes);
  const method = args.value('test') === 'tukey' ? 'tukey' : 'bootstrap';
  const result = powerOf(scored, {
    seed: seedOf(args),
    method,
    resamples: args.number('resamples') ?? (method === 'tukey' ? 10_000 : 1000),
    alpha: args.number('alpha') ?? 0.05,
    top: args.number('top'),
  });
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
          { name: 'told apart', numeric: true },
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
      `${result.pairs} pairs of systems, ${result.topics} topics; ${result.method}, ${result.resamples} resamples, seed ${result.seed}; told apart at ${result.alpha}.`,
    ],
    pictures: [picture('Achieved significance levels of all pairs', [0, 1]), picture('The same, levels up to 0.15', [0, 0.15])],
  };
}

async function readFiles({ args, context, qrels, runs, otherwise }: Question): Promise<{ plan: Plan; material: ReadMaterial }> {
  const plan = planOf({ ...judgingSettings(args), depth: undefined }, { otherwise });
  const request = { judgements: qrels, runs, ...readingSettings(args) };
  const material = await readMaterial(await openMaterial(request, plan, nodePlatform));
  sayNotes(args, context, material.notes);
  return { plan, material };
}

/** The answer of `gradus meta informativeness`. */
export async function informed(question: Question): Promise<Answer> {
  const { args, context } = question;
  const { plan, material } = await readFiles(question);
  const meter = new ProgressMeter(context.stderr, 'inferring rankings', args.has('quiet'));
  const { result, shares, example } = informednessOf(plan, material, {
    depth: args.number('depth'),
    minPerGrade: args.number('min-per-grade'),
    sweep: args.has('sweep'),
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

/** The answer of `gradus meta stability`. */
export async function stable(question: Question): Promise<Answer> {
  const { args, context } = question;
  const { plan, material } = await readFiles(question);
  const seed = seedOf(args);
  const { agreements, swaps, leftOut, numTopics, notes } = stabilityOf(plan, material, {
    seed,
    splits: args.number('resamples') ?? 1000,
    conventions: args.values('as').flatMap((names) => names.split(',').map((name) => name.trim())),
    spelling: args.has('measure') ? args.values('measure') : undefined,
    pool: args.number('pool'),
  });
  for (const note of notes) say(args, context, note);
  const text = decimals(args);
  const right = (header: string): Grid['columns'][number] => ({ name: header, numeric: true });
  const left = (header: string): Grid['columns'][number] => ({ name: header });
  return {
    json: { seed, agreements, swaps, leftOut },
    grids: [
      {
        columns: [left('one order'), left('other order'), right('tau-b'), right('tau AP'), right('swapped')],
        rows: () =>
          agreements.map(({ first: a, second: b, tau, tauAp, swapped, pairs }) => [a, b, text(tau), text(tauAp), `${swapped} of ${pairs}`]),
      },
      {
        columns: [left('measure'), right('topics'), right('swap rate'), right('safe difference')],
        rows: () =>
          swaps.flatMap(({ measure, sizes }) =>
            sizes.map(({ size, rate, safeDifference }) => [
              measure,
              String(size),
              text(rate),
              safeDifference === undefined ? '-' : text(safeDifference),
            ]),
          ),
      },
      ...(leftOut.length === 0
        ? []
        : [
            {
              columns: [left('run'), right(plan.measures[0].text), right('not pooled'), right('change')],
              rows: () => leftOut.map(({ run, before, without }) => [run, text(before), text(without), text(without - before)]),
            },
          ]),
    ],
    words: [
      `${material.runs.length} systems, ${numTopics} topics, seed ${seed}. The swap rate says how often a difference on some topics is reversed on as many others; from the safe difference on, at most 5% are.`,
    ],
    pictures: [],
  };
}
