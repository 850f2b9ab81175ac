// The section of one measure, for the page of all measures and for the site, which gives each a page of its own.
import { exampleText } from '../dist/cli/print/measure-reference.js';

export const code = (text) => `\`${text}\``;
/** A cell of a table cannot hold a pipe. */
const cell = (text) => text.replaceAll('|', '\\|');
export const table = (header, rows) =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.map((text) => cell(text)).join(' | ')} |`).join('\n');
export const flat = (text) => text.replace(/\s+/g, ' ').trim();
export const anchor = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-');

export function parameterTable(parameters) {
  return table(
    ['parameter', 'value', 'default', 'meaning'],
    parameters.map(({ name, accepts, default: otherwise, required, help }) => [
      code(name),
      accepts,
      required ? 'must be given' : otherwise === undefined ? '' : code(otherwise),
      help,
    ]),
  );
}

/** What the reference says of a measure, part by part.
 *  @param level The heading's level, as number signs. */
export function measureSection(reference, level = '###') {
  const own = reference.parameters.filter(({ universal }) => !universal);
  const parts = [`${level} ${reference.name}`, `**${reference.title}.** ${reference.help}`];
  const lines = [`- written ${reference.usage.split(' or ').map(code).join(' or ')}`];
  if (reference.aliases.length > 0) lines[0] += `; also ${reference.aliases.map(code).join(', ')}`;
  if (reference.formula !== undefined) lines.push(`- formula: ${code(reference.formula)}`);
  lines.push(...reference.facts.map((fact) => `- ${fact}`));
  for (const { text, doi } of reference.citations)
    lines.push(`- ${text}${doi === undefined ? '' : `, [doi:${doi}](https://doi.org/${doi})`}`);
  parts.push(lines.join('\n'));
  for (const example of reference.examples) parts.push(`By hand: ${exampleText(example)}`);
  if (reference.tools !== undefined) parts.push(`Tools differ: ${reference.tools}`);
  if (own.length > 0) parts.push(parameterTable(own));
  if (reference.spellings.length > 0) {
    parts.push(
      table(
        ['in other tools', 'is', 'tool'],
        reference.spellings.map(({ text, ours, tools: known }) => [code(text), code(ours), known.join(', ')]),
      ),
    );
  }
  return parts;
}
