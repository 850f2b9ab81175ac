import { applyConvention, type Convention, judgingRulesOf } from '../conventions/convention.js';
import { refuseJudgements, rulesFor } from '../conventions/measures-of-tools.js';
import { findConvention, gradusConvention } from '../conventions/registry.js';
import { refuseUnrelated } from '../core/common-topics.js';
import { formatFixed } from '../core/print.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { joinSystems, type ScoreTable } from '../core/score-table.js';
import { evaluator, followsCommonRules } from '../measures/evaluate.js';
import { type Measure, withParams } from '../measures/measure.js';
import type { InformativenessOptions, MeasurePower } from '../meta/index.js';
import { loadQrels, loadRun } from '../node/load.js';
import type { LinePicture } from '../report/charts/index.js';
import type { ParsedArguments } from './arguments.js';
import { chosenColumns } from './columns-option.js';
import type { Context } from './command.js';
import { readMeasuresOfAll } from './measure-arguments.js';
import type { Grid } from './output.js';
import { ProgressMeter } from './progress.js';
import { say } from './say.js';
import { scoreRuns } from './score-input.js';
import { readingNotes } from './skipped-note.js';

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

async function scores(
  args: ParsedArguments,
  context: Context,
  qrels: string,
  runs: readonly string[],
  measures: readonly Measure[],
): Promise<ScoreTable> {
  const { tables, notes } = await scoreRuns(args, context, qrels, runs, measures, 'zero');
  for (const note of notes) say(args, context, note);
  return joinSystems(tables);
}

export async function power(
  args: ParsedArguments,
  context: Context,
  qrels: string,
  runs: readonly string[],
  measures: readonly Measure[],
): Promise<Answer> {
  const { discriminativePower } = await import('../meta/index.js');
  const table = await scores(args, context, qrels, runs, measures);
  const method = args.value('test') === 'tukey' ? 'tukey' : 'bootstrap';
  const result = discriminativePower(table, {
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

async function loadAll(
  args: ParsedArguments,
  context: Context,
  qrelsPath: string,
  paths: readonly string[],
): Promise<{ qrels: Qrels; runs: Run[] }> {
  const lenient = args.has('lenient');
  const chosen = chosenColumns(args);
  const { qrels, lists, skipped } = await loadQrels(qrelsPath, { lenient, ...chosen.options });
  for (const note of readingNotes(qrelsPath, { skipped })) say(args, context, note);
  const runs: Run[] = [];
  for (const path of paths) {
    const reading = await loadRun(path, { lenient, ...chosen.options, lists });
    for (const note of readingNotes(path, reading)) say(args, context, note);
    refuseUnrelated(reading.run, qrels, { run: path, qrels: qrelsPath });
    runs.push(reading.run);
  }
  chosen.refuseUnused();
  return { qrels, runs };
}

/** The rules by which lists are made, which have to be one order for all measures. */
function listsAsked(args: ParsedArguments, measures: readonly Measure[]): InformativenessOptions {
  const convention = conventionAsked(args);
  const { missingTopics: _, ...rules } = judgingRulesOf(convention.rules);
  const ownOrder = measures.find((measure) => !followsCommonRules(measure));
  if (ownOrder !== undefined || rules.ties === 'expected') {
    throw new InputError({
      message:
        ownOrder === undefined
          ? `${convention.name} takes the mean over all orders of equal scores, and a ranking is inferred from one order`
          : `${ownOrder.text} has rules of its own about scores or judgements, and rankings are inferred by the same rules for all measures`,
      wayOut: args.has('convention')
        ? 'ask by another convention, or leave --convention out'
        : 'write the measure without rules of its own, as in AP',
    });
  }
  return { depth: args.number('depth') ?? 1000, minPerGrade: args.number('min-per-grade') ?? 5, rules };
}

function conventionAsked(args: ParsedArguments): Convention {
  return findConvention(args.value('convention') ?? gradusConvention.name);
}

export async function informed(
  args: ParsedArguments,
  context: Context,
  qrelsPath: string,
  paths: readonly string[],
  asked: readonly Measure[],
): Promise<Answer> {
  const { informativeness } = await import('../meta/index.js');
  const { parseMeasure } = await import('../measures/parse.js');
  const { qrels, runs } = await loadAll(args, context, qrelsPath, paths);
  const shares = Array.from({ length: 11 }, (_, i) => i / 10);
  const swept = args.has('sweep') ? shares.map((share) => parseMeasure(`GAP(g=[${share},${formatFixed(1 - share, 1)}])`)) : [];
  const highest = qrels.grades.reduce((most, grade) => Math.max(most, grade), 0);
  if (swept.length > 0 && highest !== 2) {
    throw new InputError({
      message: `--sweep divides users between grades 1 and 2, and the highest grade is ${highest}`,
      wayOut: 'give GAP with shares of your own by -m',
    });
  }
  const lists = listsAsked(args, asked);
  refuseJudgements(conventionAsked(args), asked, qrels);
  const meter = new ProgressMeter(context.stderr, 'inferring rankings', args.has('quiet'));
  const total = runs.reduce((sum, run) => sum + run.topics.size, 0);
  const result = informativeness(qrels, runs, [...asked, ...swept], {
    ...lists,
    onList: (done) => meter.update(done, total),
  });
  meter.clear();
  if (result.lists === 0) {
    throw new InputError({
      message: 'no list holds enough documents of every grade',
      wayOut: 'give runs that go deeper, judgements with fewer grades, or a lower --min-per-grade',
    });
  }
  const text = decimals(args);
  const row = ({ measure, error, unmet }: (typeof result.measures)[number]): string[] => [
    measure,
    text(error.any),
    text(error.highest),
    String(unmet),
  ];
  const own = result.measures.slice(0, asked.length);
  const sweep = result.measures.slice(asked.length);
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
        : await curvePictures(qrels, runs, asked, lists),
  };
}

/** The curves of the first list that every measure was asked about. */
async function curvePictures(
  qrels: Qrels,
  runs: readonly Run[],
  measures: readonly Measure[],
  lists: InformativenessOptions,
): Promise<LinePicture[]> {
  const { forEachList, inferList } = await import('../meta/index.js');
  let picture: LinePicture | undefined;
  forEachList(qrels, runs, lists, (list) => {
    if (list === undefined || picture !== undefined) return;
    const points = (curve: readonly { recall: number; precision: number }[]): { x: number; y: number }[] =>
      curve.map(({ recall, precision }) => ({ x: recall, y: precision }));
    const inferred = measures.map((measure) => ({ name: measure.text, curve: inferList(list, measure).curves.any }));
    picture = {
      title: `Inferred and actual precision, ${list.system}, topic ${list.topic}`,
      xLabel: 'recall',
      yLabel: 'precision',
      series: [
        { name: 'actual', points: points(inferred[0].curve.actual) },
        ...inferred.map(({ name, curve }) => ({ name, points: points(curve.inferred) })),
      ],
      xDomain: [0, 1],
      yDomain: [0, 1],
    };
  });
  return picture === undefined ? [] : [picture];
}

export async function stable(
  args: ParsedArguments,
  context: Context,
  qrelsPath: string,
  paths: readonly string[],
  measures: readonly Measure[],
): Promise<Answer> {
  const { orderAgreements, poolsWithoutEach, poolToDepth, swapRates } = await import('../meta/index.js');
  const { qrels, runs } = await loadAll(args, context, qrelsPath, paths);
  const convention = conventionAsked(args);
  refuseJudgements(convention, measures, qrels);
  const common = { ...judgingRulesOf(convention.rules), ...convention.planOptions, missingTopics: convention.missingTopicsOfAll };
  const notes = new Set<string>();
  const scored = (judgements: Qrels, wanted: readonly Measure[], rules: Parameters<typeof evaluator>[2]): ScoreTable => {
    const scoring = evaluator(judgements, wanted, { ...rules, ...(judgements === qrels ? {} : { unrelated: 'accept' }) });
    const joined = joinSystems(runs.map((run, r) => scoring.evaluate(run, paths[r])));
    for (const note of joined.notes) notes.add(note);
    return joined;
  };
  const table = scored(qrels, measures, common);
  const sign = measures.map(({ def }) => (def.direction === 'lower' ? -1 : 1));
  const means = (of: ScoreTable, m: number): Float64Array => Float64Array.from(of.systems, (_, s) => sign[m] * of.aggregate(m, s));
  const conditions = measures.map((measure, m) => ({ name: measure.text, values: means(table, m) }));
  const first = measures[0];
  const under = (name: string, variant: Measure, judgements: Qrels, rules: Parameters<typeof evaluator>[2]): void => {
    conditions.push({ name, values: means(scored(judgements, [variant], rules), 0) });
  };
  for (const ties of ['optimistic', 'pessimistic', 'expected'] as const) {
    under(`${first.text}, ties ${ties}`, withParams(first, { ties }), qrels, common);
  }
  const [plain] = readMeasuresOfAll(args.has('measure') ? args.values('measure') : [first.text]);
  for (const name of args.values('as').flatMap((names) => names.split(','))) {
    const other = findConvention(name.trim());
    refuseJudgements(other, [plain], qrels);
    const rules = rulesFor(other, plain);
    under(`${plain.text} by ${name.trim()}`, applyConvention(plain, rules), qrels, { ...judgingRulesOf(rules), ...other.planOptions });
  }
  const depth = args.number('pool');
  if (depth !== undefined) under(`${first.text}, pool of depth ${depth}`, first, poolToDepth(qrels, runs, depth), common);
  const agreements = orderAgreements(conditions);
  const seed = seedOf(args);
  const swaps = measures.map((measure, m) => ({
    measure: measure.text,
    sizes: swapRates(table, m, { seed, splits: args.number('resamples') ?? 1000 }),
  }));
  const leftOut =
    depth === undefined
      ? []
      : poolsWithoutEach(qrels, runs, depth).map((judgements, r) => ({
          run: paths[r],
          before: table.aggregate(0, r),
          without: evaluator(judgements, [first], { ...common, unrelated: 'accept' })
            .evaluate(runs[r])
            .aggregate(0),
        }));
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
              columns: [left('run'), right(first.text), right('not pooled'), right('change')],
              rows: () => leftOut.map(({ run, before, without }) => [run, text(before), text(without), text(without - before)]),
            },
          ]),
    ],
    words: [
      `${runs.length} systems, ${table.topics.length} topics, seed ${seed}. The swap rate says how often a difference on some topics is reversed on as many others; from the safe difference on, at most 5% are.`,
    ],
    pictures: [],
  };
}
