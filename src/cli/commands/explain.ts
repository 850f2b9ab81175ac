import { type ConventionValue, conventionNames, type Explanation } from '../../conventions/index.js';
import { jsonText, type Problem, printable } from '../../core/index.js';
import {
  explainRun,
  explanationSettings,
  fingerprintOf,
  openMaterial,
  planOfAll,
  queryTexts,
  type ReadMaterial,
  readMaterial,
  readMeasuresOfAll,
  textSettings,
  topicsThatMatter,
} from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { columnOptions, lenientOptions, measureOption, readingFrom } from '../options/judging.js';
import { digitsOption, formAsked, formOptions, formProblems, numberText } from '../options/output-form.js';
import { sayNotes } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command, Context, TextWriter } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { type GridForm, outputOption, withOutput, writeGrid } from '../print/output.js';

const forms: readonly string[] = ['table', 'md', 'latex', 'csv', 'tsv', 'json'];
const defaultMeasure = 'nDCG@10';

const options = defineOptions([
  ...optionsFor(explanationSettings, 'conventions'),
  measureOption(defaultMeasure),
  ...optionsFor(explanationSettings, 'pairs', 'topics'),
  ...optionsFor(textSettings, 'queries'),
  ...formOptions(forms),
  digitsOption,
  ...lenientOptions,
  ...columnOptions,
  outputOption,
]);
type Args = ArgumentsOf<typeof options>;

/** Divides the difference between two tools among their rules. */
export const explainCommand: Command = defineCommand({
  name: 'explain',
  summary: 'explain why tools report different numbers for the same ranking',
  description: [
    'Scores one run under the rules of several tools, and says for each pair which rule makes how much of the difference: gain, discount, ideal list, empty queries, short lists, equal scores, topics averaged, precision of scores and the rest. The shares of the rules add up to the difference; where rules act on each other, each gets its mean effect over all orders of changing them.',
    'Instead of judgements and a run it takes a learning-to-rank test file and predictions (LETOR, MSLR, SVMlight); such a file is recognised by its first line.',
  ].join('\n\n'),
  examples: [
    {
      command: 'gradus explain qrels.txt run.txt --as trec_eval,ranx,ranklib',
      explains: 'three tools, nDCG@10, the first against the others',
    },
    { command: "gradus explain test.txt predictions.txt --as ranklib,yahoo,letor4 -m 'nDCG@5 nDCG@10'", explains: 'a LETOR test set' },
    { command: 'gradus explain qrels.txt run.txt --as gradus,sklearn --topics 10', explains: 'also the ten topics that matter most' },
  ],
  arguments: [
    { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file', file: 'input' },
    { name: 'RUN', help: 'the run, or one prediction per line of the test file', file: 'input' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [];
    const { conventions = [] } = settingsFrom(args, explanationSettings);
    if (conventions.length < 2) {
      problems.push({
        message: '--as needs two conventions or more',
        wayOut: `such as --as trec_eval,ranklib; there are ${conventionNames().join(', ')}`,
      });
    }
    if (args.has('queries') && !args.has('topics'))
      problems.push({ message: '--queries shows the texts of topics', wayOut: 'add --topics 10' });
    problems.push(...formProblems(args, forms));
    return problems;
  },

  async run(args, context) {
    const measures = readMeasuresOfAll(args.has('measure') ? args.values('measure') : [defaultMeasure]);
    const { conventions = [], pairs, topics: numTopics = 0 } = settingsFrom(args, explanationSettings);
    const { qrels, runs, notes } = await readFiles(args, conventions);
    sayNotes(args, context, notes);
    const { values, explanations } = explainRun(qrels, runs[0], {
      measures,
      conventions,
      pairs,
    });
    const { topics = [] } = explanations[0] ?? {};
    const texts = await queryTexts(args.value('queries'), topics, nodePlatform);
    const textOf = texts === undefined ? undefined : new Map(topics.map((topic, t) => [topic, texts[t] ?? '']));
    const digits = args.number('digits');
    const form = formAsked(args, forms);
    const run = { name: args.positionals[1], source: nodePlatform.source(args.positionals[1]) };
    const fingerprint = form === 'json' ? await fingerprintOf({ judgements: qrels, runs: [run] }, nodePlatform) : undefined;
    await withOutput(args.value('output'), context, (writer) => {
      if (form === 'json') writer.write(`${jsonText({ fingerprint, values: values.flat(), explanations: explanations.map(plain) }, 2)}\n`);
      else
        printAll(
          form as GridForm,
          values,
          explanations,
          { digits, number: numberText(args, form) },
          { count: numTopics, textOf },
          writer,
          context.environment,
        );
    });
    return 0;
  },
});

async function readFiles(args: Args, conventions: readonly string[]): Promise<ReadMaterial> {
  const [judgements, run] = args.positionals;
  const request = { judgements, runs: [run], ...readingFrom(args) };
  return await readMaterial(await openMaterial(request, planOfAll(conventions), nodePlatform));
}

function printAll(
  form: GridForm,
  values: readonly (readonly ConventionValue[])[],
  explanations: readonly Explanation[],
  { digits, number }: { readonly digits: number; readonly number: (value: number) => string },
  shownTopics: ShownTopics,
  writer: TextWriter,
  environment: Context['environment'],
): void {
  const signed = (value: number): string => (value >= 0 ? '+' : '') + number(value);
  const conventionColumns = values[0].map(({ convention }) => ({ name: convention, numeric: true }));
  writeGrid(
    form,
    {
      columns: [{ name: 'measure' }, ...conventionColumns],
      rows: () => values.map((row) => [row[0].measure, ...row.map(({ value }) => number(value))]),
    },
    writer,
    environment,
  );
  // what does not show in the digits printed is left to --json
  const visible = 0.5 * 10 ** -digits;
  for (const explanation of explanations) {
    writer.write(`\n${printable(explanation.sentence, Infinity)}\n`);
    const shown = explanation.contributions.filter(({ share, alone }) => Math.max(Math.abs(share), Math.abs(alone)) >= visible);
    if (shown.length === 0) continue;
    writer.write('\n');
    writeGrid(
      form,
      {
        columns: [{ name: 'rule' }, { name: 'share', numeric: true }, { name: 'alone', numeric: true }, { name: 'topics', numeric: true }],
        rows: () => [
          ...shown.map(({ label, share, alone, perTopic }) => [
            label,
            signed(share),
            signed(alone),
            String(perTopic.reduce((count, part) => count + (part !== 0 ? 1 : 0), 0)),
          ]),
          ['all together', signed(explanation.difference), signed(explanation.difference - explanation.interaction), ''],
        ],
      },
      writer,
      environment,
    );
    if (shownTopics.count > 0) printTopics(form, explanation, shownTopics, signed, writer, environment);
  }
}

/** How many topics are shown, and the texts of their queries, where they are known. */
interface ShownTopics {
  readonly count: number;
  readonly textOf: ReadonlyMap<string, string> | undefined;
}

/** The topics on which the two conventions differ most, with the rule that matters most there. */
function printTopics(
  form: GridForm,
  explanation: Explanation,
  { count, textOf }: ShownTopics,
  signed: (value: number) => string,
  writer: TextWriter,
  environment: Context['environment'],
): void {
  writer.write('\n');
  writeGrid(
    form,
    {
      columns: [
        { name: 'topic' },
        ...(textOf === undefined ? [] : [{ name: 'query' }]),
        { name: 'part of the difference', numeric: true },
        { name: 'mostly through' },
      ],
      rows: () =>
        topicsThatMatter(explanation, count).map(({ topic, part, rule }) => [
          topic,
          ...(textOf === undefined ? [] : [textOf.get(topic) ?? '']),
          signed(part),
          rule,
        ]),
    },
    writer,
    environment,
  );
}

function plain(explanation: Explanation): Record<string, unknown> {
  return {
    ...explanation,
    contributions: explanation.contributions.map((contribution) => ({ ...contribution, perTopic: Array.from(contribution.perTopic) })),
  };
}
