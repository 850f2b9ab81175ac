import { type AuditedFile, isAtLeast, type Severity } from '../../audit/index.js';
import { jsonText } from '../../core/index.js';
import { auditSettings, auditSources } from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { columnOptions, columnsFrom } from '../options/judging.js';
import { formAsked, formProblems } from '../options/output-form.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { Command, Context, TextWriter } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { styled, wantsColour } from '../print/colour.js';
import { outputOption, visible, withOutput } from '../print/output.js';

/** Text for people, or JSON. */
const auditForms: readonly string[] = ['table', 'json'];

/** Reads files leniently, on purpose: what is wrong with them is the answer. */
export const auditCommand: Command = defineCommand({
  name: 'audit',
  summary: 'check judgements, runs and learning-to-rank sets for anomalies',
  description: [
    'Looks for what makes numbers differ between tools, or mean less than they seem to: queries without relevant documents, lists shorter than the cutoff, equal scores and how far their order can move a measure, unjudged documents, duplicates, ranks that contradict scores, topics on one side only, odd grades, and, in learning-to-rank sets, constant features, NaN, split queries and labels that a tool has no gain for. Says for each what the tools make of it, and what to do.',
    'What is said of short lists: on MQ2008, ranked by its best single feature, LETOR 4.0 gives less than half of the nDCG@10 that RankLib gives. Statements about learners (does it reorder six of them, does training by such rules make rankings worse) have decision rules that were registered before the numbers, and get a verdict when the runs are done: in a clone of Gradus, docs/reproductions/evaluation-rules.md has what is decided so far.',
    'The first file is either judgements, and runs follow, or a learning-to-rank test file (recognised by its first line), and predictions follow. Lines that cannot be read are reported, not refused.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus audit qrels.txt run.txt', explains: 'judgements and one run' },
    { command: 'gradus audit test.txt predictions.txt --cutoff 5', explains: 'a LETOR test set with predictions' },
    {
      command: 'gradus audit qrels.txt *.run --fail-on error --json -o audit.json',
      explains: 'for a script: status 1 if something is wrong',
    },
  ],
  arguments: [
    { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file', file: 'input' },
    { name: 'RUN', help: 'runs, or predictions, one number per line of the test file', optional: true, repeatable: true, file: 'input' },
  ],
  options: [
    ...optionsFor(auditSettings),
    {
      long: 'fail-on',
      value: 'SEVERITY',
      choices: ['warning', 'error'],
      help: 'end with status 1 if there is a finding as severe as this',
      defaultText: 'the status is 0',
    },
    ...columnOptions,
    { long: 'json', help: 'findings with all their numbers, for scripts' },
    outputOption,
  ],

  check: (args) => formProblems(args, auditForms),

  async run(args, context) {
    const [first, ...others] = args.positionals;
    const files = await auditSources(nodePlatform.source(first), others.map(nodePlatform.source), {
      ...settingsFrom(args, auditSettings),
      ...columnsFrom(args),
    });
    await withOutput(args.value('output'), context, (writer) => {
      if (formAsked(args, auditForms) === 'json') writer.write(`${jsonText({ worst: worstOf(files), files }, 2)}\n`);
      else for (const [i, file] of files.entries()) printFile(file, i > 0, writer, context);
    });
    const threshold = args.value('fail-on');
    return threshold !== undefined && isAtLeast(worstOf(files), threshold) ? 1 : 0;
  },
});

function worstOf(files: readonly AuditedFile[]): Severity {
  const found = files.flatMap(({ findings }) => findings.map(({ severity }) => severity));
  return found.includes('error') ? 'error' : found.includes('warning') ? 'warning' : 'info';
}

const marks: Readonly<Record<Severity, string>> = { error: 'error  ', warning: 'warning', info: 'info   ' };

function printFile({ name, what, size, findings }: AuditedFile, apart: boolean, writer: TextWriter, { environment }: Context): void {
  const heading = `${visible(name)}: ${what}, ${size}`;
  writer.write(`${apart ? '\n' : ''}${wantsColour(writer.isTerminal, environment) ? styled('bold', heading) : heading}\n`);
  if (findings.length === 0) writer.write('nothing odd was found\n');
  for (const { severity, sentence, examples, count, recommendation } of findings) {
    writer.write(`${marks[severity]}  ${visible(sentence)}\n`);
    // the count of a finding is not always that of its examples, so no number of further ones is given
    if (examples.length > 0)
      writer.write(`         ${count > examples.length ? 'such as: ' : ''}${examples.map((id) => visible(id)).join('; ')}\n`);
    if (recommendation !== undefined) writer.write(`         -> ${visible(recommendation)}\n`);
  }
}
