import { settingHelp } from '../../experiment/index.js';
import { displayWidth, wrapText } from '../../report/index.js';
import { loadByQuestion } from '../commands.js';
import { type Style, styled, wantsColour } from '../print/colour.js';
import { optionsOf } from './arguments.js';
import type { Command, CommandGroup, Context, OptionSpec, TextWriter } from './command.js';
import { isGroup, loadSubcommands, sharedOptions } from './group.js';

/** Puts a style on a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** A painter for this output: none if it is no terminal or colour is not wanted. */
export function painter(writer: TextWriter, environment: Context['environment']): Paint {
  return wantsColour(writer.isTerminal, environment) ? styled : (_, text) => text;
}

/** `gradus --help` */
export async function overviewText(writer: TextWriter, environment: Context['environment']): Promise<string> {
  const paint = painter(writer, environment);
  const width = helpWidth(writer);
  const groups = await loadByQuestion();
  const widest = Math.max(...groups.flatMap(({ entries }) => entries.map(({ name }) => displayWidth(name))));
  return [
    'Gradus says how good a ranking is: gradus COMMAND [options] arguments\n',
    ...groups.flatMap(({ question, entries }) => [
      `\n${paint('bold', question)}\n`,
      ...entries.map(({ name, summary }) => overviewLine(name, summary, widest, width, paint)),
    ]),
    heading(paint, 'Examples'),
    '  gradus eval qrels.txt bm25.run neural.run -m nDCG@10 -m AP --format md\n',
    '  gradus as trec_eval -q -m ndcg_cut.10 qrels.txt run.txt\n',
    '\n',
    wrapText('gradus help COMMAND explains one of them, and gradus --version prints the version.', width),
    '\n',
  ].join('');
}

/** A command in one line, so that all of them are on one screen. */
function overviewLine(name: string, summary: string, widest: number, width: number, paint: Paint): string {
  const room = Math.max(20, width - widest - 4);
  const [first] = wrapText(summary, room).split('\n');
  const cut = displayWidth(first) < displayWidth(summary);
  return `  ${paint('cyan', name)}${' '.repeat(widest - displayWidth(name) + 2)}${cut ? first.replace(/[:,;]?$/, ' …') : first}\n`;
}

/** `gradus help NAME` */
export async function entryText(entry: Command | CommandGroup, writer: TextWriter, environment: Context['environment']): Promise<string> {
  return isGroup(entry) ? await groupText(entry, writer, environment) : commandText(entry, writer, environment);
}

/** `gradus meta --help`: what the group can do, and what its commands have in common. */
async function groupText(group: CommandGroup, writer: TextWriter, environment: Context['environment']): Promise<string> {
  const paint = painter(writer, environment);
  const width = helpWidth(writer);
  const { name, argument } = group;
  const commands = await loadSubcommands(group);
  const shared = optionsOf({ options: sharedOptions(commands) });
  return [
    ...introduction(group, groupUsage(group), width, paint),
    heading(paint, argument),
    definitionList(
      commands.map((command): [string, string] => [command.name.slice(name.length + 1), command.summary]),
      width,
      paint,
    ),
    '\n',
    wrapText(`gradus ${name} ${argument} --help shows all options of one of them.`, width),
    '\n',
    heading(paint, 'Options of all'),
    definitionList(optionRows(shared), width, paint),
  ].join('');
}

/** `gradus help NAME`, or `gradus help NAME SUBCOMMAND` */
export function commandText(command: Command, writer: TextWriter, environment: Context['environment']): string {
  const paint = painter(writer, environment);
  const width = helpWidth(writer);
  const parts = introduction(command, usageLine(command), width, paint);
  if (command.arguments.length > 0) {
    const rows = command.arguments.map((argument): [string, string] => [argument.name, argument.help]);
    parts.push(heading(paint, 'Arguments'), definitionList(rows, width, paint));
  }
  parts.push(heading(paint, 'Options'), definitionList(optionRows(optionsOf(command)), width, paint));
  return parts.join('');
}

function introduction(
  { name, summary, description, examples }: Pick<CommandGroup, 'name' | 'summary' | 'description' | 'examples'>,
  usage: string,
  width: number,
  paint: Paint,
): string[] {
  const parts = [wrapText(`gradus ${name}: ${summary}`, width), '\n'];
  if (examples.length > 0) {
    parts.push(heading(paint, 'Examples'));
    for (const { command: line, explains } of examples) {
      parts.push(`  ${paint('bold', line)}\n`, wrapText(explains, width, '      '), '\n');
    }
  }
  parts.push(heading(paint, 'Usage'), `  ${usage}\n`);
  for (const paragraph of description.split('\n\n')) parts.push('\n', wrapText(paragraph, width), '\n');
  return parts;
}

function optionRows(options: readonly OptionSpec[]): [string, string][] {
  return options.map((option) => [optionSpelling(option), settingHelp(option)]);
}

/** `gradus meta QUESTION [options] arguments` */
export function groupUsage({ name, argument }: CommandGroup): string {
  return `gradus ${name} ${argument} [options] arguments`;
}

/** `gradus eval [options] QRELS RUN...` */
export function usageLine(command: Command): string {
  const words = command.arguments.map(({ name, optional, repeatable }) => {
    const word = repeatable ? `${name}...` : name;
    return optional ? `[${word}]` : word;
  });
  return ['gradus', command.name, '[options]', ...words].join(' ');
}

/** `-m, --measure MEASURE` */
export function optionSpelling(option: OptionSpec): string {
  const long = `--${option.long}${option.value === undefined ? '' : ` ${option.value}`}`;
  return option.short === undefined ? `    ${long}` : `-${option.short}, ${long}`;
}

/** How wide help is set in this terminal. */
export function helpWidth(writer: TextWriter): number {
  // lines longer than this are hard to read, however wide the terminal
  return Math.max(40, Math.min(writer.columns, 100));
}

function heading(paint: Paint, title: string): string {
  return `\n${paint('bold', `${title}:`)}\n`;
}

/** Terms in a left column, their explanations wrapped in the right one; a long term has a line of its own. */
export function definitionList(rows: readonly (readonly [term: string, text: string])[], width: number, paint: Paint): string {
  const widest = Math.max(...rows.map(([term]) => displayWidth(term)));
  const column = Math.min(widest, 28) + 4;
  const indent = ' '.repeat(column);
  return rows
    .map(([term, text]) => {
      const shown = `  ${paint('cyan', term)}`;
      const used = displayWidth(term) + 2;
      const lines = wrapText(text, width, indent);
      return used > column - 2 ? `${shown}\n${lines}\n` : `${shown}${' '.repeat(column - used)}${lines.slice(column)}\n`;
    })
    .join('');
}
