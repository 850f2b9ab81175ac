import { jsonText, type Problem } from '../../core/index.js';
import { type Fingerprint, openMaterial, type Plan, planOf, type ReadMaterial, readMaterial } from '../../experiment/index.js';
import { nodePlatform, saveLineCharts } from '../../node/index.js';
import type { LinePicture } from '../../report/charts/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentSpec, ArgumentsOf, Context, TextOption } from '../parse/command.js';
import { type Grid, type GridForm, outputOption, withOutput, writeGrid } from '../print/output.js';
import { type AnswerFiles, fingerprintOfFiles } from './fingerprint.js';
import { type JudgingArguments, judgingFrom, readingFrom } from './judging.js';
import { digitsOption, formAsked, formOptions, formProblems, numberText } from './output-form.js';
import { sayNotes, scoringOptions } from './scoring.js';

const forms: readonly string[] = ['table', 'tsv', 'csv', 'md', 'latex', 'json'];

/** What every question about measures is asked of. */
export const questionArguments: readonly ArgumentSpec[] = [
  { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file', file: 'input' },
  { name: 'RUN', help: 'one or more runs', repeatable: true, file: 'input' },
];

/** Where pictures go. */
export const chartOption: TextOption<'chart'> = {
  long: 'chart',
  value: 'FILE',
  help: 'also draw the result: .svg, .tex (TikZ) or .pdf (printed by Chromium)',
  file: 'output',
};

/** How files are read and answers printed. */
export const answerOptions: readonly [
  ...ReturnType<typeof formOptions>,
  typeof digitsOption,
  ...typeof scoringOptions,
  typeof outputOption,
] = [...formOptions(forms), digitsOption, ...scoringOptions, outputOption];

/** The arguments that every question has. */
export type QuestionArguments = JudgingArguments & ArgumentsOf<typeof answerOptions>;

/** What one question about measures is answered with. */
export interface Answer {
  readonly json: unknown;
  readonly grids: readonly Grid[];
  /** What the numbers mean and how they were made. */
  readonly words: readonly string[];
}

/** An answer that can be drawn. */
export interface IllustratedAnswer extends Answer {
  readonly pictures: readonly LinePicture[];
}

/** A document with the fingerprint of what it was made from; a list becomes its `results`. */
function withFingerprint(json: unknown, fingerprint: Fingerprint | undefined): unknown {
  return Array.isArray(json) ? { fingerprint, results: json } : { fingerprint, ...(json as object) };
}

/** What is wrong with the form that was asked for, or with the number of runs. */
export function questionProblems(args: GivenArguments, name: string, leastRuns: number): Problem[] {
  const problems: Problem[] = [];
  // files that are missing are reported as such
  if (args.positionals.length === 2 && leastRuns > 1) problems.push({ message: `gradus ${name} needs two runs or more` });
  problems.push(...formProblems(args, forms));
  return problems;
}

/** Numbers as they are printed. */
export function decimals(args: QuestionArguments): (value: number) => string {
  const text = numberText(args, formAsked(args, forms));
  return (value) => (Number.isNaN(value) ? '-' : text(value));
}

/** Reads all files, and says what is odd about them. */
export async function readQuestion(
  args: QuestionArguments,
  context: Context,
  otherwise: readonly string[],
): Promise<{ plan: Plan; material: ReadMaterial }> {
  const [judgements, ...runs] = args.positionals;
  const plan = planOf(judgingFrom(args), { otherwise });
  const material = await readMaterial(await openMaterial({ judgements, runs, ...readingFrom(args) }, plan, nodePlatform));
  sayNotes(args, context, material.notes);
  return { plan, material };
}

/** Prints an answer as the arguments say. JSON has the fingerprint of what it was made from.
 *  @param files The files it was made from, if they are not judgements and runs, or scores. */
export async function printAnswer(args: QuestionArguments, context: Context, answer: Answer, files?: AnswerFiles): Promise<void> {
  const isJson = formAsked(args, forms) === 'json';
  const json = isJson ? withFingerprint(answer.json, await fingerprintOfFiles(args, files)) : undefined;
  await writeAnswer(args, context, { ...answer, json });
}

/** Prints an answer that has nothing to do with judgements and runs. */
export async function writeAnswer(
  args: ArgumentsOf<[...ReturnType<typeof formOptions>, typeof outputOption]>,
  context: Context,
  answer: Answer,
): Promise<void> {
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
}

/** Draws and prints the answer to a question that has pictures. */
export async function showAnswer(
  args: QuestionArguments & ArgumentsOf<[typeof chartOption]>,
  context: Context,
  { pictures, ...answer }: IllustratedAnswer,
): Promise<number> {
  await drawPictures(args, context, pictures);
  await printAnswer(args, context, answer);
  return 0;
}

/** Draws pictures to the file that `--chart` names, and those after the first beside it. */
async function drawPictures(args: ArgumentsOf<[typeof chartOption]>, context: Context, pictures: readonly LinePicture[]): Promise<void> {
  const path = args.value('chart');
  if (path === undefined || pictures.length === 0) return;
  await saveLineCharts(path, pictures, context.environment);
}
