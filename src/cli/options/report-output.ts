import { type Problem, printable } from '../../core/index.js';
import { shownPaths } from '../../experiment/index.js';
import { type FigureForm, figureForms, reportForms, reportPage, reportWriter, saveReport } from '../../node/index.js';
import type { Report } from '../../report/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, Context, ListOption, OptionSpec } from '../parse/command.js';
import { outputOption, tableLook } from '../print/output.js';
import { say } from '../print/say.js';
import { formAsked, formOptions, formProblems } from './output-form.js';

/** In which form a report is written. */
export const reportFormOptions: ReturnType<typeof formOptions> = formOptions(reportForms, {
  help: 'what is written; csv has every number in one long table, json the whole report',
  otherwise: 'text',
});

/** Where a report goes, and its figures. */
export const reportOutputOptions: readonly [ListOption<'figures'>, typeof outputOption] = [
  {
    long: 'figures',
    value: 'FORM',
    repeatable: true,
    choices: figureForms,
    choiceTexts: { svg: 'drawings', tikz: 'TikZ, to be taken into a paper with \\input', pdf: 'printed by the Chromium of the system' },
    help: 'also write each figure to a file, in a folder beside the report',
  },
  outputOption,
];
type Args = ArgumentsOf<typeof reportOutputOptions>;

/** What is wrong with where a report is to go. */
export function reportOutputProblems(args: Args): Problem[] {
  const problems = formProblems(args, reportForms);
  if (args.has('figures') && outputOf(args) === undefined)
    problems.push({ message: '--figures needs a report to lie beside', wayOut: 'name it with -o report.html' });
  if (formAsked(args, reportForms, 'text') === 'pdf' && outputOf(args) === undefined)
    problems.push({ message: 'a PDF needs a file to go to', wayOut: 'name it with -o report.pdf' });
  return problems;
}

function outputOf(args: Args): string | undefined {
  const path = args.value('output');
  return path === '-' ? undefined : path;
}

/** Writes a report to where the arguments say. */
export async function writeReport(report: Report, args: Args, context: Context): Promise<void> {
  const form = formAsked(args, reportForms, 'text');
  const path = outputOf(args);
  if (path !== undefined) await saveReport(report, path, form, context.environment, [...new Set(args.values('figures') as FigureForm[])]);
  else if (form === 'html') context.stdout.write(await reportPage(report, true));
  else (await reportWriter(form, tableLook(context.stdout, context.environment)))(report, context.stdout);
  if (form === 'csv' || form === 'json') for (const note of report.notes) say(args, context, note);
}

/** The command as it could be typed again beside the files, in the order of the help, without where the result went. */
export function commandLine(command: string, options: readonly OptionSpec[], args: GivenArguments): string {
  const asked = options.filter(({ long }) => !['output', 'threads', 'figures'].includes(long));
  const files = asked.flatMap(({ long, file }) => (file === undefined ? [] : (args.given.get(long) ?? [])));
  const paths = shownPaths([...files, ...args.positionals]);
  const shown = (word: string): string => quoted(paths.get(word) ?? word);
  const words = asked.flatMap(({ long, value }) =>
    (args.given.get(long) ?? []).flatMap((given) => [`--${long}`, ...(value === undefined ? [] : [shown(given)])]),
  );
  return ['gradus', command, ...words, ...args.positionals.map(shown)].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${printable(word, Infinity).replaceAll("'", "'\\''")}'`;
}
