import { jsonText } from '../../core/json-text.js';
import { limits } from '../../core/limits.js';
import type { Problem } from '../../core/problem.js';
import type { LinePicture } from '../../report/charts/index.js';
import type { Command } from '../command.js';
import { scoringOptions } from '../experiment-options.js';
import { measureOption } from '../measure-option.js';
import { informed, power, stable } from '../meta-answers.js';
import { type GridForm, outputOption, withOutput, writeGrid } from '../output.js';
import { endingProblems, formAsked, formProblems } from '../output-form.js';

const forms: readonly string[] = ['table', 'tsv', 'csv', 'md', 'latex', 'json'];
const questions: readonly string[] = ['power', 'informativeness', 'stability'];
const measuresOf: Readonly<Record<string, readonly string[]>> = {
  power: ['AP', 'nDCG', 'nDCG@10', 'P@10', 'RR', 'Rprec', 'Bpref', 'RBP', 'ERR@20', 'GAP'],
  informativeness: ['nDCG', "nDCG(gain='exp')", 'AP', 'GAP', 'RBP', 'P@10'],
  stability: ['AP', 'nDCG@10', 'P@10', 'RR'],
};

/** Evaluates measures by what they say about systems. */
export const metaCommand: Command = {
  name: 'meta',
  summary: 'judge the measures: what they tell apart, what they tell of a ranking, how stable they are',
  description: [
    'gradus meta power: discriminative power, the share of pairs of systems that a measure tells apart, by the bootstrap (the same samples of topics for all pairs and measures) or the randomised Tukey test; with the difference of means that would have been enough for every pair.',
    'gradus meta informativeness: how well the value of a measure predicts the ranking it was computed from. The most random ranking with that value is inferred, and its precision compared with the real one wherever recall changes; the smaller the error, the more the measure tells. Lists with fewer than 5 documents of some grade are left out. --sweep does it for graded average precision with 11 divisions of the users between two grades.',
    'gradus meta stability: how far measures, conventions, tie rules and pool depths agree about the order of systems (tau-b, tau AP), how often half of the topics reverse what the other half says, and what becomes of a run that was not pooled.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus meta power qrels.txt *.run --chart asl.svg', explains: 'which measure tells most systems apart?' },
    { command: 'gradus meta power qrels.txt *.run --test tukey --top 10', explains: 'the ten best systems only, all pairs together' },
    { command: 'gradus meta informativeness qrels.txt *.run --depth 100 --sweep', explains: 'what does each measure say of the ranking?' },
    { command: 'gradus meta stability qrels.txt *.run -m AP --pool 10', explains: 'would a shallower pool have ranked them alike?' },
  ],
  arguments: [
    { name: 'QUESTION', help: questions.join(', '), choices: questions },
    { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file', file: 'input' },
    { name: 'RUN', help: 'one or more runs', repeatable: true, file: 'input' },
  ],
  options: [
    measureOption('a set that suits the question'),
    { long: 'test', value: 'TEST', choices: ['bootstrap', 'tukey'], help: 'power: how pairs are tested, by the bootstrap if not given' },
    {
      long: 'resamples',
      short: 'B',
      value: 'N',
      integer: { min: 1, max: 10_000_000 },
      help: 'power: samples of the topics, 1000 if not given; stability: divisions of the topics, 1000 if not given',
    },
    { long: 'alpha', value: 'LEVEL', number: true, help: 'power: pairs below this level are told apart, 0.05 if not given' },
    { long: 'top', value: 'N', integer: { min: 2 }, help: 'power: only the best N systems by each measure' },
    { long: 'depth', value: 'N', integer: { min: 1 }, help: 'informativeness: lists are cut here, 1000 if not given' },
    {
      long: 'min-per-grade',
      value: 'N',
      integer: { min: 1 },
      help: 'informativeness: lists with fewer documents of some grade are left out, 5 if not given',
    },
    { long: 'sweep', help: 'informativeness: graded average precision with the share of users at grade 1 from 0 to 1' },
    {
      long: 'pool',
      value: 'DEPTH',
      integer: { min: 1 },
      help: 'stability: also with judgements pooled to this depth only, and with each run left out of the pool',
    },
    { long: 'as', value: 'NAMES', repeatable: true, help: 'stability: conventions to compare, separated by commas' },
    { long: 'seed', value: 'N', integer: { min: 0, max: limits.seed }, help: 'the seed of everything random, 1 if not given' },
    { long: 'chart', value: 'FILE', help: 'also draw the result as SVG', file: 'output' },
    { long: 'format', short: 'f', value: 'FORM', choices: forms, help: `how the result is printed: ${forms.join(', ')}` },
    { long: 'json', help: 'the same as --format json' },
    { long: 'digits', value: 'N', integer: { min: 0, max: 15 }, help: 'decimals that are printed, 4 if not given' },
    ...scoringOptions,
    outputOption,
  ],

  check(args) {
    const problems: Problem[] = [];
    const [question] = args.positionals;
    const only = (name: string, of: string): void => {
      if (args.has(name) && question !== undefined && question !== of)
        problems.push({ message: `--${name} has no meaning for gradus meta ${question}`, wayOut: `it belongs to ${of}` });
    };
    for (const name of ['test', 'alpha', 'top']) only(name, 'power');
    for (const name of ['depth', 'sweep', 'min-per-grade']) only(name, 'informativeness');
    for (const name of ['pool', 'as']) only(name, 'stability');
    if (args.has('chart') && question === 'stability') problems.push({ message: '--chart has no meaning for gradus meta stability' });
    // a question that is missing is reported as such
    if (question !== undefined && question !== 'informativeness' && args.positionals.length < 4)
      problems.push({ message: `gradus meta ${question} needs two runs or more` });
    problems.push(...formProblems(args, forms));
    if (args.has('chart')) problems.push(...endingProblems(args, 'chart', ['svg']));
    return problems;
  },

  async run(args, context) {
    const [question, qrels, ...runs] = args.positionals;
    const ask = question === 'power' ? power : question === 'informativeness' ? informed : stable;
    const answer = await ask({ args, context, qrels, runs, otherwise: measuresOf[question] });
    const chart = args.value('chart');
    if (chart !== undefined && answer.pictures.length > 0) await draw(chart, answer.pictures);
    const form = formAsked(args, forms);
    await withOutput(args.value('output'), context, (writer) => {
      if (form === 'json') writer.write(`${jsonText(answer.json, 2)}\n`);
      else {
        for (const [i, grid] of answer.grids.entries()) {
          if (i > 0) writer.write('\n');
          writeGrid(form as GridForm, grid, writer, context.environment);
        }
        if (form === 'table' || form === 'md') writer.write(`\n${answer.words.join('\n')}\n`);
      }
    });
    return 0;
  },
};

async function draw(path: string, pictures: readonly LinePicture[]): Promise<void> {
  const { createDocument, lineChart, svgFile } = await import('../../node/drawing.js');
  const { writeWholeFiles } = await import('../../node/output-file.js');
  const document = createDocument();
  writeWholeFiles(
    pictures.map((picture, i) => ({
      path: i === 0 ? path : path.replace(/(\.svg)?$/i, `-${i + 1}.svg`),
      content: new TextEncoder().encode(svgFile(lineChart(picture, { document }))),
    })),
  );
}
