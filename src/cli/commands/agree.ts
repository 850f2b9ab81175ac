import type { Problem } from '../../core/index.js';
import { type Agreed, agreeOf, agreeSettings, type JudgedPair, mergedJudgements } from '../../experiment/index.js';
import type { Coefficient } from '../../judging/index.js';
import { nodePlatform, saveQrels } from '../../node/index.js';
import { judgingFrom, measureOption, readingFrom } from '../options/judging.js';
import { type Answer, answerOptions, decimals, printAnswer, questionProblems } from '../options/question.js';
import { standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import type { Grid } from '../print/output.js';
import { say } from '../print/say.js';

const options = defineOptions([
  measureOption('nDCG@10 AP'),
  ...optionsFor(agreeSettings),
  {
    long: 'merged',
    value: 'FILE',
    help: 'also write one set of judgements: the grade that most judges gave, the lower one where as many gave another',
    file: 'output',
  },
  { long: 'normalise', value: 'WHAT', choices: ['row'], help: 'show the table of grades as shares of each row' },
  ...answerOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** How far judges agree, and whether it matters. */
export const agreeCommand: Command = defineCommand({
  name: 'agree',
  summary: 'say how far judges agree, and whether it matters',
  description: [
    "Compares each judge with the first one, on the documents that both judged: the share of equal grades, Cohen's kappa, weighted kappa, Krippendorff's alpha, Gwet's AC1 and AC2, and how much higher the second judge grades; then the table of grades, what became of each grade, and the topics on which they disagree most. With three judges or more also alpha, Fleiss' kappa and AC1 of all together. With --rel also for what is relevant.",
    'Intervals draw topics, because judgements of one topic are alike; formulas that take every pair for independent give intervals that are several times too narrow.',
    'With --runs it says what matters: how the order of systems changes from one judge to the other, and which significant differences are lost, gained or reversed.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus agree human.qrels gpt.qrels llama.qrels', explains: 'two machines against people' },
    {
      command: 'gradus agree human.qrels gpt.qrels --scale 0-3 --outside clip',
      explains: 'grades outside the scale are moved to its ends',
    },
    {
      command: 'gradus agree a.qrels b.qrels c.qrels --majority --merged merged.qrels',
      explains: 'each judge against the majority of the others, and one set of judgements from all',
    },
    {
      command: 'gradus agree human.qrels gpt.qrels --runs bm25.run --runs neural.run -m nDCG@10',
      explains: 'does the order of systems change?',
    },
  ],
  arguments: [{ name: 'JUDGE', help: 'judgements; the first judge is compared with all others', repeatable: true, file: 'input' }],
  options,

  check(args) {
    const problems: Problem[] = [...standardInputProblems(args), ...questionProblems(args, 'agree', 1)];
    if (args.positionals.length === 1)
      problems.push({ message: 'one judge has nobody to agree with', wayOut: 'give the judgements of two judges or more' });
    if (args.values('runs').length === 1) problems.push({ message: 'one run has no order', wayOut: 'give --runs twice or more' });
    if (args.given.has('run-columns') && args.values('runs').length === 0) {
      problems.push({ message: '--run-columns has no meaning without --runs', wayOut: 'leave it out' });
    }
    return problems;
  },

  async run(args, context) {
    const { rel } = judgingFrom(args);
    const found = await agreeOf(
      {
        ...judgingFrom(args),
        ...settingsFrom(args, agreeSettings),
        judgements: args.positionals,
        relevant: rel === undefined ? [] : [rel],
        ...readingFrom(args),
      },
      nodePlatform,
    );
    const merged = args.value('merged');
    if (merged !== undefined) {
      await saveQrels(merged, await mergedJudgements({ judgements: args.positionals, ...readingFrom(args) }, nodePlatform));
    }
    for (const note of found.notes) say(args, context, note);
    await printAnswer(args, context, answerOf(found, args), { judgements: args.positionals, runs: args.values('runs') });
    return 0;
  },
});

function answerOf(found: Agreed, args: Args): Answer {
  const text = shownBy(args);
  const { resamples, seed } = { resamples: args.number('resamples'), seed: args.number('seed') };
  const [first] = found.pairs;
  const worst = found.pairs.reduce((least, pair) => ((pair.kappa.value ?? 1) < (least.kappa.value ?? 1) ? pair : least), first);
  const grids: Grid[] = [
    {
      columns: [
        left('judge'),
        ...['pairs', 'topics', 'agreement', 'kappa', 'interval', 'weighted', 'alpha', 'interval', 'AC1', 'AC2', 'shift', 'interval'].map(
          right,
        ),
      ],
      rows: () =>
        found.pairs.map((pair) => [
          pair.second,
          String(pair.pairs),
          String(pair.topics),
          text(pair.agreement.value),
          text(pair.kappa.value),
          intervalText(pair.kappa, text),
          text(pair.weightedKappa.value),
          text(pair.alpha.value),
          intervalText(pair.alpha, text),
          text(pair.ac1.value),
          text(pair.ac2.value),
          text(pair.shift.value),
          intervalText(pair.shift, text),
        ]),
    },
    confusionGrid(worst, args.value('normalise') === 'row' ? text : undefined),
    byGradeGrid(worst, text),
    topicGrid(worst, text),
  ];
  if (found.pairs.some(({ binary }) => binary.length > 0)) grids.push(binaryGrid(found, text));
  if (found.conclusions.length > 0) grids.push(...conclusionGrids(found, text));
  return { json: { ...found, resamples, seed, interval: args.value('interval') }, grids, words: wordsOf(found, worst, args, text) };
}

function wordsOf(found: Agreed, worst: JudgedPair, args: Args, text: (value: number | null) => string): string[] {
  const [first] = found.pairs;
  const words = [
    `Agreement of ${found.pairs.length === 1 ? found.pairs[0].second : `${found.pairs.length} judges`} with ${first.first} on up to ${Math.max(...found.pairs.map(({ pairs }) => pairs))} pairs of topic and document; ${args.value('weights')} weights, alpha on the ${args.value('measurement')} level; ${args.value('interval') === 'formula' ? '95% intervals by formulas that take every pair for independent, which are several times too narrow' : `95% intervals by ${args.number('resamples')} resamples of ${args.value('interval') === 'units' ? 'pairs, as if they were independent' : 'topics'}, seed ${args.number('seed')}`}.`,
    `The tables below the first are of ${worst.second}. Its mean kappa over topics is ${text(worst.byTopic.meanKappa)}${worst.byTopic.undefinedKappas > 0 ? ` (not defined on ${worst.byTopic.undefinedKappas})` : ''}, which is not the kappa of all pairs. Kappa depends on how common the grades are.`,
  ];
  for (const { second, onlyFirst, onlySecond } of found.pairs) {
    if (onlyFirst + onlySecond > 0)
      words.push(`${second}: ${onlyFirst} pairs only ${first.first} judged and ${onlySecond} only ${second} did; they do not count.`);
  }
  if (found.together !== undefined) {
    const { alpha, fleiss, ac1 } = found.together;
    words.push(`All ${found.judges.length} together: alpha ${text(alpha)}, Fleiss' kappa ${text(fleiss.value)}, AC1 ${text(ac1.value)}.`);
  }
  for (const { judge, measure, found: own } of found.conclusions) {
    for (const { first: a, second: b } of own.reversed.slice(0, 20))
      words.push(`${measure}: ${a} is significantly better than ${b} by ${first.first}, and worse by ${judge}.`);
  }
  return words;
}

const left = (name: string): Grid['columns'][number] => ({ name });
const right = (name: string): Grid['columns'][number] => ({ name, numeric: true });

/** Numbers as they are printed, a dash for one that is not defined. */
export function shownBy(args: Parameters<typeof decimals>[0]): (value: number | null) => string {
  const text = decimals(args);
  return (value) => (value === null ? '-' : text(value));
}

function intervalText({ interval }: Pick<Coefficient, 'interval'>, text: (value: number | null) => string): string {
  return interval === null ? '-' : `[${text(interval.low)}, ${text(interval.high)}]`;
}

/** The first judge in rows.
 *  @param share How a share of a row is printed; counts are shown without it. */
function confusionGrid({ first, second, categories, confusion }: JudgedPair, share?: (value: number | null) => string): Grid {
  return {
    columns: [left(`${first} \\ ${second}`), ...categories.map((grade) => right(String(grade))), right('all')],
    *rows() {
      const sum = (values: readonly number[]): string => String(values.reduce((total, value) => total + value, 0));
      for (const [k, row] of confusion.entries()) {
        const total = row.reduce((a, b) => a + b, 0);
        const cells = row.map((count) => (share === undefined ? String(count) : share(total === 0 ? null : count / total)));
        yield [String(categories[k]), ...cells, String(total)];
      }
      yield ['all', ...categories.map((_, l) => sum(confusion.map((row) => row[l]))), sum(confusion.flat())];
    },
  };
}

function byGradeGrid({ first, second, bias }: JudgedPair, text: (value: number | null) => string): Grid {
  return {
    columns: [
      left(`grade by ${first}`),
      ...['pairs', `mean by ${second}`, 'higher', 'lower', `share by ${first}`, `share by ${second}`].map(right),
    ],
    rows: () =>
      bias.byGrade.map(({ grade, pairs, meanGrade, shareHigher, shareLower }, k) => [
        String(grade),
        String(pairs),
        text(meanGrade),
        text(shareHigher),
        text(shareLower),
        text(bias.margins[k].first),
        text(bias.margins[k].second),
      ]),
  };
}

/** Topics shown at most. */
const MOST_TOPICS = 10;

function topicGrid({ byTopic }: JudgedPair, text: (value: number | null) => string): Grid {
  const topics = byTopic.topics.toSorted((a, b) => (a.kappa ?? 2) - (b.kappa ?? 2) || a.agreement - b.agreement).slice(0, MOST_TOPICS);
  return {
    columns: [left('topics that disagree most'), ...['pairs', 'agreement', 'kappa', 'alpha'].map(right)],
    rows: () =>
      topics.map(({ topic, pairs, agreement, kappa, alpha }) => [topic, String(pairs), text(agreement), text(kappa), text(alpha)]),
  };
}

function binaryGrid({ pairs }: Agreed, text: (value: number | null) => string): Grid {
  return {
    columns: [
      left('judge'),
      ...['relevant from', 'agreement', 'kappa', 'alpha', 'rate', 'rate by the first', 'true positives', 'false positives'].map(right),
    ],
    rows: () =>
      pairs.flatMap(({ second, binary }) =>
        binary.map((own) => [
          second,
          String(own.threshold),
          text(own.agreement),
          text(own.kappa),
          text(own.alpha),
          text(own.secondRate),
          text(own.firstRate),
          text(own.truePositiveRate),
          text(own.falsePositiveRate),
        ]),
      ),
  };
}

function conclusionGrids({ conclusions }: Agreed, text: (value: number | null) => string): Grid[] {
  return [
    {
      columns: [
        left('judge'),
        left('measure'),
        ...['tau-b', 'tau AP', 'RBO', 'RMSE', 'shift', 'swapped', 'best is', 'its rank'].map(right),
      ],
      rows: () =>
        conclusions.map(({ judge, measure, found }) => [
          judge,
          measure,
          text(found.tau),
          text(found.tauAp),
          text(found.rbo),
          text(found.rmse),
          text(found.shift),
          `${found.swapped} of ${found.pairs}`,
          found.bestFirst,
          String(found.rankOfBest),
        ]),
    },
    {
      columns: [left('judge'), left('measure'), ...['both', 'reversed', 'lost', 'gained', 'neither', 'kept', 'confirmed'].map(right)],
      rows: () =>
        conclusions.map(({ judge, measure, found }) => [
          judge,
          measure,
          String(found.sameDirection),
          String(found.reversed.length),
          String(found.lost),
          String(found.gained),
          String(found.neither),
          text(found.kept),
          text(found.confirmed),
        ]),
    },
  ];
}
