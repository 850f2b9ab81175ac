import { formatFixed, InputError, jsonText, type Problem } from '../../core/index.js';
import {
  type ByTopicRequest,
  bayesianComparison,
  type ComparableScores,
  comparableFiles,
  comparableRuns,
  compareScores,
  decidingTopics,
  measureToSortBy,
  reportSettings,
  reproduceSettings,
  type ScoredRuns,
  showingSettings,
  standingsOf,
  type TextFiles,
  textSettings,
  verdictChecks,
  verdictOf,
} from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import {
  type ComparisonPrinting,
  comparisonForms,
  comparisonJson,
  type DecidingTopics,
  methodsSentence,
  type Standings,
  type Verdict,
  writeComparison,
  writeDecidingTopics,
} from '../../report/index.js';
import type { Comparison } from '../../stats/index.js';
import { comparisonFrom, comparisonOptions, comparisonProblems } from '../options/comparison.js';
import { fingerprintOfFiles } from '../options/fingerprint.js';
import { askedMeasures, judgingFrom, measureOption, missingOption, nameOptions, readingFrom } from '../options/judging.js';
import { latexFrom, latexOptions, latexProblems } from '../options/latex.js';
import { digitsOption, formAsked, formOptions, formProblems } from '../options/output-form.js';
import { nameProblems, scoreFiles, scoringOptions, standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { bayesianGrid, bayesianWords } from '../print/bayesian.js';
import { differencePicture, type GlanceLook, systemsPicture } from '../print/glance.js';
import { type GridForm, outputOption, readableWriter, tableLook, withOutput, writeGrid } from '../print/output.js';
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
  ...optionsFor(reportSettings, 'margin'),
  { long: 'bayes', help: 'also the probabilities that either system is better and that they are practically equal, for every pair' },
  ...optionsFor(reproduceSettings, 'rope'),
  missingOption('zero for runs, error for --scores', 'topics that some system has no value for'),
  ...formOptions(comparisonForms, { help: 'how the result is printed; csv and tsv have a row per pair in full precision' }),
  digitsOption,
  ...optionsFor(showingSettings, 'sort', 'top', 'pairs', 'byTopic', 'topics'),
  ...optionsFor(textSettings, 'queries', 'documents'),
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
    'Compares every pair of systems, or each with a baseline: means with intervals, differences, effect sizes, p-values and p-values corrected for the number of tests. Scores are paired by topic id. Superscript letters mark the systems that a system is significantly better than, and the last sentence describes the methods as a paper would. The verdict comes first, in words, and what it depends on last; --format table prints the tables alone.',
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
      command: 'gradus compare qrels.txt before.run after.run --by-topic',
      explains: 'which topics make the difference, and what moved there',
    },
    {
      command: 'gradus compare qrels.txt old.run new.run --bayes --rope 0.01',
      explains: 'how probable is it that they are practically equal?',
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
    if (args.has('by-topic') && ['csv', 'tsv'].includes(formAsked(args, comparisonForms))) {
      problems.push({
        message: '--by-topic is not for csv and tsv, which have a row per pair',
        wayOut: 'add --json, or leave --by-topic out',
      });
    }
    if (args.has('bayes') && ['csv', 'tsv', 'latex'].includes(formAsked(args, comparisonForms))) {
      problems.push({ message: '--bayes is for tables, Markdown and JSON', wayOut: 'add --json, or leave --bayes out' });
    }
    if (args.given.has('rope') && !args.has('bayes')) problems.push({ message: '--rope belongs to --bayes', wayOut: 'add --bayes' });
    for (const option of ['topics', 'queries', 'documents'] as const) {
      if (args.has(option) && !args.has('by-topic'))
        problems.push({ message: `--${option} belongs to --by-topic`, wayOut: 'add --by-topic' });
    }
    problems.push(...comparisonProblems(args), ...standardInputProblems(args));
    problems.push(...nameProblems(args, numRuns));
    return problems;
  },

  async run(args, context) {
    const { scores, material, scored } = args.has('scores')
      ? { scores: await readyScores(args), material: undefined, scored: undefined }
      : await scoresOfRuns(args, context);
    const sort = args.value('sort');
    const sortMeasure = sort === undefined ? undefined : measureToSortBy(scores.measures, sort);
    const form = formAsked(args, comparisonForms);
    const program = `Gradus ${nodePlatform.version}`;
    const isForPrograms = ['csv', 'tsv', 'json'].includes(form);
    // tables for people show effect sizes without the intervals, which take longer than all the rest where systems are many
    const asked = { ...comparisonFrom(args), effectIntervals: isForPrograms };
    const comparison = await compareScores(scores, asked, nodePlatform, args.number('threads'));
    const verdict = verdictFor(args, form, scores, comparison, scored);
    if (verdict !== undefined) await context.take?.verdict(verdict);
    // against a baseline, and by another measure, the signs of the table say more than intervals
    const isPictured =
      comparison.systems.length > 2 && comparison.baseline === null && (sortMeasure ?? scores.measures[0]) === scores.measures[0];
    const standings = verdict !== undefined && form === 'table' && isPictured ? standingsFor(scores, comparison, scored) : undefined;
    const fingerprint = form === 'json' ? await fingerprintOfFiles(args) : undefined;
    const bayes = args.has('bayes')
      ? bayesianComparison(scores, { rope: args.number('rope'), seed: comparison.seed, baseline: args.value('baseline') })
      : undefined;
    const deciding = args.has('by-topic') ? await topicsOf(args, scores, material) : undefined;
    // tables for people have the notes in them
    if (isForPrograms) for (const note of comparison.notes) say(args, context, note);
    const bibliography = args.value('bibtex');
    const references = bibliography === undefined ? undefined : await import('../on-demand/bibliography.js');
    if (bibliography !== undefined && references !== undefined) {
      const { bibtex, comparisonEntries } = references;
      await withOutput(bibliography, context, (writer) => writer.write(bibtex(comparisonEntries(comparison))));
    }
    await withOutput(args.value('output'), context, (output) => {
      const writer = readableWriter(output, context.environment);
      const look = tableLook(writer, context.environment);
      const digits = args.number('digits');
      if (form === 'json' && (deciding !== undefined || bayes !== undefined)) {
        const methods = methodsSentence(comparison, program);
        writer.write(`${jsonText({ fingerprint, ...comparisonJson(comparison, verdict), methods, bayes, byTopic: deciding }, 2)}\n`);
        return;
      }
      const pairs = args.has('pairs') ? true : undefined;
      const latex = { ...latexFrom(args), pairs: args.has('pairs'), keysOf: references?.keysOf };
      writeComparison(form, comparison, writer, {
        verdict,
        picture:
          verdict === undefined || form !== 'table'
            ? undefined
            : pictureOf(verdict, comparison, standings, { ...look, digits, top: args.number('top') }),
        fingerprint,
        digits,
        program,
        look,
        pairs,
        sort: sortMeasure,
        top: args.number('top'),
        latex,
      });
      if (bayes !== undefined) {
        writer.write('\n');
        writeGrid(
          form as GridForm,
          bayesianGrid(bayes, (value) => formatFixed(value, digits)),
          writer,
          context.environment,
        );
        writer.write(`\n${bayesianWords(bayes)}\n`);
      }
      if (deciding !== undefined) writeDecidingTopics(form, deciding, writer, { digits, look });
    });
    return 0;
  },
});

/** Scores, and the files that they were made from. */
interface ScoresOfFiles {
  readonly scores: ComparableScores;
  readonly material: ByTopicRequest['material'];
  readonly scored: ScoredRuns | undefined;
}

async function scoresOfRuns(args: Args, context: Context): Promise<ScoresOfFiles> {
  const [judgements, ...runs] = args.positionals;
  const missing = args.value('missing') ?? 'zero';
  const manner = { otherwise: compareMeasures, skippedWords: 'left out for all systems' };
  const checked = saysVerdict(args, formAsked(args, comparisonForms));
  const scored = await scoreFiles(args, context, { judgements, runs, names: args.values('name'), missing, checked }, manner);
  return { scores: comparableRuns(scored, missing), material: { judgements, runs, ...readingFrom(args), plan: scored.plan }, scored };
}

/** Tables of pairs for programs have no verdict, nor has the plain table that was asked for by its name. */
function saysVerdict(args: Args, form: string): boolean {
  return !['csv', 'tsv', 'latex'].includes(form) && !(form === 'table' && args.has('format'));
}

function verdictFor(
  args: Args,
  form: string,
  scores: ComparableScores,
  comparison: Comparison,
  scored: ScoredRuns | undefined,
): Verdict | undefined {
  if (!saysVerdict(args, form)) return undefined;
  const checks = scored === undefined ? undefined : verdictChecks(scored, comparison.measures[0].measure, scores.missing);
  return verdictOf({ scores, comparison, margin: args.number('margin'), checks });
}

/** The evidence in characters: of two systems their difference, of more all of them. */
function pictureOf(
  verdict: Verdict,
  comparison: Comparison,
  standings: Standings | undefined,
  look: GlanceLook,
): ComparisonPrinting['picture'] {
  if (comparison.systems.length === 2) return { difference: differencePicture(verdict, look) };
  return standings === undefined ? undefined : { systems: systemsPicture(comparison, standings, look) };
}

function standingsFor(scores: ComparableScores, comparison: Comparison, scored: ScoredRuns | undefined): Standings {
  const checks = scored === undefined ? undefined : verdictChecks(scored, comparison.measures[0].measure, scores.missing);
  return standingsOf(scores, comparison, checks);
}

/** The topics that decide: of the only pair, or of every system against the baseline. */
async function topicsOf(
  args: Args,
  { table, measures }: ComparableScores,
  material: ByTopicRequest['material'],
): Promise<DecidingTopics[]> {
  const baseline = args.value('baseline');
  if (baseline === undefined && table.systems.length > 2) {
    throw new InputError({
      message: `--by-topic looks at one difference, found ${table.systems.length} systems`,
      wayOut: `say what the others are held against: --baseline ${table.systems[0]}`,
    });
  }
  const reference = baseline ?? table.systems[0];
  const others = table.systems.filter((system) => system !== reference);
  return await decidingTopics(
    { table, measures, reference, others, most: args.number('topics') ?? 10, material, ...textsFrom(args) },
    nodePlatform,
  );
}

function textsFrom(args: Args): TextFiles {
  return settingsFrom(args, textSettings, 'queries', 'documents');
}

async function readyScores(args: Args): Promise<ComparableScores> {
  const asked = args.has('measure') ? askedMeasures(judgingFrom(args), []).map(({ text }) => text) : undefined;
  return await comparableFiles(args.values('scores').map(nodePlatform.source), asked, args.value('missing') ?? 'error');
}
