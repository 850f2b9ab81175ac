import type { Problem } from '../../core/index.js';
import { type ComparableScores, comparableFiles, comparableRuns, compareScores } from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { comparisonForms, writeComparison } from '../../report/index.js';
import { comparisonFrom, comparisonOptions, comparisonProblems } from '../options/comparison.js';
import { askedMeasures, judgingFrom, measureOption, missingOption, nameOptions } from '../options/judging.js';
import { latexFrom, latexOptions, latexProblems } from '../options/latex.js';
import { digitsOption, formAsked, formOptions, formProblems } from '../options/output-form.js';
import { nameProblems, scoreFiles, scoringOptions, standardInputProblems } from '../options/scoring.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { outputOption, tableLook, withOutput } from '../print/output.js';
import { say } from '../print/say.js';

/** What systems are compared by if no measure is asked for. */
const compareMeasures: readonly string[] = ['nDCG@10', 'AP'];

const options = defineOptions([
  measureOption(compareMeasures.join(' and ')),
  {
    long: 'scores',
    value: 'FILE',
    repeatable: true,
    help: 'a file of scores, instead of judgements and runs; -m chooses among its measures, or names the one of a topic x system table',
    file: 'input',
  },
  ...comparisonOptions,
  missingOption('zero for runs, error for --scores', 'topics that some system has no value for'),
  ...formOptions(comparisonForms, { help: 'how the result is printed; csv and tsv have a row per pair in full precision' }),
  digitsOption,
  { long: 'pairs', help: 'with --format latex, the tables of pairs as well' },
  ...latexOptions,
  {
    long: 'bibtex',
    value: 'FILE',
    help: 'write the references of measures, test and correction to this BibTeX file; with --format latex the methods sentence cites them',
    file: 'output',
  },
  ...nameOptions,
  ...scoringOptions,
  outputOption,
]);
type Args = ArgumentsOf<typeof options>;

/** Compares systems that were scored now or before; the statistics are those of `compareSystems`. */
export const compareCommand: Command = defineCommand({
  name: 'compare',
  summary: 'test whether the differences between systems are real',
  description: [
    'Compares every pair of systems, or each with a baseline: means with intervals, differences, effect sizes, p-values and p-values corrected for the number of tests. Scores are paired by topic id. Superscript letters mark the systems that a system is significantly better than, and the last sentence describes the methods as a paper would.',
    'The scores come from runs and judgements, or with --scores from files: CSV or TSV with a row per topic and a column per system, or what gradus eval -q --json or trec_eval -q printed.',
    'If some systems have no value for a topic, it counts as an empty ranking with runs (--missing zero) and is an error with --scores (--missing error); --missing skip leaves the topic out for all systems. The output says how many such topics there were.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus compare qrels.txt bm25.run neural.run hybrid.run', explains: 'every pair, by nDCG@10 and AP' },
    {
      command: "gradus compare qrels.txt bm25.run neural.run -m 'nDCG@10 RR' --test randomization --seed 7",
      explains: "Fisher's randomisation test",
    },
    {
      command: 'gradus compare qrels.txt *.run --baseline bm25 --correction bh -f latex',
      explains: 'all against one, as a table for a paper',
    },
    {
      command: 'gradus compare --scores scores.csv --test randomized-tukey',
      explains: 'scores computed before, a row per topic and a column per system',
    },
  ],
  arguments: [
    { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file; not with --scores', optional: true, file: 'input' },
    { name: 'RUN', help: 'what a system retrieved; at least two', optional: true, repeatable: true, file: 'input' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [];
    const numRuns = Math.max(0, args.positionals.length - 1);
    if (args.has('scores') && args.positionals.length > 0) {
      problems.push({ message: '--scores takes the place of judgements and runs', wayOut: 'give one or the other' });
    }
    if (!args.has('scores') && numRuns < 2) {
      problems.push({ message: `found ${numRuns} ${numRuns === 1 ? 'run' : 'runs'}, expected judgements and at least 2 runs` });
    }
    problems.push(...formProblems(args, comparisonForms), ...latexProblems(args, formAsked(args, comparisonForms)));
    if (args.has('pairs') && formAsked(args, comparisonForms) !== 'latex') {
      problems.push({
        message: '--pairs belongs to LaTeX; the other formats have the pairs anyway',
        wayOut: 'leave it out, or add --format latex',
      });
    }
    problems.push(...comparisonProblems(args), ...standardInputProblems(args));
    problems.push(...nameProblems(args, numRuns));
    return problems;
  },

  async run(args, context) {
    const scores = args.has('scores') ? await readyScores(args) : await scoresOfRuns(args, context);
    const form = formAsked(args, comparisonForms);
    const isForPrograms = ['csv', 'tsv', 'json'].includes(form);
    // tables for people show effect sizes without the intervals, which take longer than all the rest where systems are many
    const asked = { ...comparisonFrom(args), effectIntervals: isForPrograms };
    const comparison = await compareScores(scores, asked, nodePlatform, args.number('threads'));
    // tables for people have the notes in them
    if (isForPrograms) for (const note of comparison.notes) say(args, context, note);
    const bibliography = args.value('bibtex');
    const references = bibliography === undefined ? undefined : await import('../on-demand/bibliography.js');
    if (bibliography !== undefined && references !== undefined) {
      const { bibtex, comparisonEntries } = references;
      await withOutput(bibliography, context, (writer) => writer.write(bibtex(comparisonEntries(comparison))));
    }
    await withOutput(args.value('output'), context, (writer) =>
      writeComparison(form, comparison, writer, {
        digits: args.number('digits'),
        program: `Gradus ${nodePlatform.version}`,
        look: tableLook(writer, context.environment),
        latex: { ...latexFrom(args), pairs: args.has('pairs'), keysOf: references?.keysOf },
      }),
    );
    return 0;
  },
});

async function scoresOfRuns(args: Args, context: Context): Promise<ComparableScores> {
  const [judgements, ...runs] = args.positionals;
  const missing = args.value('missing') ?? 'zero';
  const manner = { otherwise: compareMeasures, skippedWords: 'left out for all systems' };
  return comparableRuns(await scoreFiles(args, context, { judgements, runs, names: args.values('name'), missing }, manner), missing);
}

async function readyScores(args: Args): Promise<ComparableScores> {
  const asked = args.has('measure') ? askedMeasures(judgingFrom(args), []).map(({ text }) => text) : undefined;
  return await comparableFiles(args.values('scores').map(nodePlatform.source), asked, args.value('missing') ?? 'error');
}
