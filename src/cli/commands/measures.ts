import { InputError, jsonText, type Problem } from '../../core/index.js';
import { allMeasures, docOf, type MeasureDef, measureFamilies, parseMeasures } from '../../measures/index.js';
import { wrapText } from '../../report/index.js';
import type { Command, Context, TextWriter } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { definitionList, helpWidth, painter } from '../parse/help.js';
import { exampleText, type MeasureReference, measureReference } from '../print/measure-reference.js';

/** Shows the reference of measures in the terminal. */
export const measuresCommand: Command = defineCommand({
  name: 'measures',
  summary: 'list the measures, or explain one',
  description:
    'Without a name it lists all measures by family. With one or more names, in any spelling that gradus eval understands, it explains each measure: its formula and parameters, its edge cases, who proposed it, and what other tools call it.',
  examples: [
    { command: 'gradus measures', explains: 'all measures, one line each' },
    { command: 'gradus measures nDCG', explains: 'everything about nDCG' },
    { command: 'gradus measures nDCG ERR --bibtex', explains: 'who to cite' },
    { command: 'gradus measures ndcg_cut_10 rbp.95', explains: 'what other tools mean by these names' },
  ],
  arguments: [{ name: 'NAME', help: 'a measure', optional: true, repeatable: true, complete: 'measure' }],
  options: [
    { long: 'json', help: 'print the same as JSON' },
    { long: 'bibtex', help: 'print the references as BibTeX' },
  ],

  async run(args, context) {
    const found = args.positionals.length === 0 ? undefined : findAll(args.positionals);
    if (args.has('bibtex')) {
      const { bibtex, entriesOfMeasure } = await import('../on-demand/bibliography.js');
      const entries = (found?.map(({ def }) => def) ?? allMeasures).flatMap(({ name }) => entriesOfMeasure(name));
      context.stdout.write(bibtex([...new Map(entries.map((entry) => [entry.key, entry])).values()]));
    } else if (args.has('json')) writeJson(found, context.stdout);
    else if (found === undefined) writeFamilies(context);
    else writeReferences(found, context);
    return 0;
  },
});

/** A measure that was asked for, and which exact measures the words stand for if they are not just its name. */
interface Found {
  readonly def: MeasureDef;
  readonly readings: string[];
}

function findAll(names: readonly string[]): Found[] {
  const problems: Problem[] = [];
  const found = new Map<MeasureDef, Found>();
  const add = (def: MeasureDef, reading?: string): void => {
    const known = found.get(def) ?? { def, readings: [] };
    found.set(def, known);
    if (reading !== undefined) known.readings.push(reading);
  };
  for (const name of names) {
    const own = allMeasures.find((def) => def.name === name || def.aliases?.includes(name));
    if (own !== undefined) {
      add(own);
      continue;
    }
    try {
      const measures = parseMeasures(name);
      for (const def of new Set(measures.map((measure) => measure.def))) {
        const meant = measures.filter((measure) => measure.def === def).map((measure) => measure.text);
        add(def, `${name} stands for ${meant.join(', ')}`);
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return [...found.values()];
}

function writeFamilies({ stdout, environment }: Context): void {
  const paint = painter(stdout, environment);
  const width = helpWidth(stdout);
  const widest = Math.max(...allMeasures.map((def) => def.name.length));
  for (const [f, { title, measures }] of measureFamilies.entries()) {
    const rows = measures.map((def): [string, string] => [def.name.padEnd(widest), docOf(def).title]);
    stdout.write(`${f === 0 ? '' : '\n'}${paint('bold', title)}\n${definitionList(rows, width, paint)}`);
  }
  stdout.write('\n');
  stdout.write(wrapText('gradus measures NAME explains one. P@10 sets a cutoff, P(rel=2)@10 other parameters as well.', width));
  stdout.write('\n');
}

function writeReferences(found: readonly Found[], { stdout, environment }: Context): void {
  const paint = painter(stdout, environment);
  const width = helpWidth(stdout);
  for (const [i, { def, readings }] of found.entries()) {
    if (i > 0) stdout.write('\n');
    const reference = measureReference(def);
    stdout.write(`${paint('bold', reference.name)}: ${reference.title}\n`);
    for (const reading of readings) stdout.write(`${wrapText(reading, width)}\n`);
    stdout.write(`\n${wrapText(plain(reference.help), width)}\n`);
    stdout.write(`\n${headed('Written', `${reference.usage}${aliasText(reference)}`, width, paint)}`);
    if (reference.formula !== undefined) stdout.write(headed('Formula', reference.formula, width, paint));
    for (const fact of reference.facts) stdout.write(`${wrapText(fact[0].toUpperCase() + fact.slice(1), width)}\n`);
    for (const [e, example] of reference.examples.entries()) {
      if (e === 0) stdout.write(`\n${paint('bold', 'By hand')}\n`);
      stdout.write(`${wrapText(exampleText(example), width, '  ')}\n`);
    }
    if (reference.tools !== undefined) stdout.write(`\n${paint('bold', 'Tools differ')}\n${wrapText(reference.tools, width, '  ')}\n`);
    const parameters = reference.parameters.map((parameter): [string, string] => [parameter.name, plain(parameterText(parameter))]);
    stdout.write(`\n${paint('bold', 'Parameters')}\n${definitionList(parameters, width, paint)}`);
    if (reference.spellings.length > 0) {
      const rows = reference.spellings.map(({ tools, text, ours }): [string, string] => [text, `${ours} (${tools.join(', ')})`]);
      stdout.write(`\n${paint('bold', 'In other tools')}\n${definitionList(rows, width, paint)}`);
    }
    for (const [c, { text, doi }] of reference.citations.entries()) {
      if (c === 0) stdout.write(`\n${paint('bold', 'Literature')}\n`);
      stdout.write(`${wrapText(text, width, '  ')}\n${doi === undefined ? '' : `  https://doi.org/${doi}\n`}`);
    }
  }
}

/** `Formula  hits(k) / k`, further lines set in. */
function headed(heading: string, text: string, width: number, paint: ReturnType<typeof painter>): string {
  const indent = ' '.repeat(heading.length + 2);
  return `${paint('bold', heading)}${wrapText(text, width, indent).slice(heading.length)}\n`;
}

function aliasText({ aliases }: MeasureReference): string {
  return aliases.length === 0 ? '' : `; also ${aliases.join(', ')}`;
}

/** `the lowest grade that counts as relevant (a number; default: 1)` */
export function parameterText({ help, accepts, default: otherwise, required }: MeasureReference['parameters'][number]): string {
  const ending = required ? '; must be given' : otherwise === undefined ? '' : `; default: ${otherwise}`;
  return `${help} (${accepts}${ending})`;
}

/** The help without the stars around values. */
function plain(text: string): string {
  return text.replace(/\*(\S[^*]*?)\*/g, '$1');
}

function writeJson(found: readonly Found[] | undefined, stdout: TextWriter): void {
  const families = measureFamilies.flatMap(({ title, measures }) => measures.map((def) => ({ def, family: title })));
  const chosen = found === undefined ? families : families.filter(({ def }) => found.some((one) => one.def === def));
  stdout.write(
    `${jsonText(
      chosen.map(({ def, family }) => ({ ...measureReference(def), family })),
      2,
    )}\n`,
  );
}
