// Writes docs/reference, docs/limits.md and the marked parts of other pages from the tables that the program itself goes by, and from the
// comments of what the package exports. With --check it writes nothing and fails if a page is not as it would be written.
//
//   npm run docs
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadAllEntries } from '../dist/cli/commands.js';
import { optionsOf } from '../dist/cli/parse/arguments.js';
import { isGroup, loadSubcommands, sharedOptions } from '../dist/cli/parse/group.js';
import { groupUsage, usageLine } from '../dist/cli/parse/help.js';
import { limitGroups, limitReference, saidBeyond } from '../dist/cli/print/limit-reference.js';
import { measureReference } from '../dist/cli/print/measure-reference.js';
import { tools } from '../dist/cli/tools/tools.js';
import { plainRules } from '../dist/conventions/convention.js';
import { conventions } from '../dist/conventions/registry.js';
import { settingHelp } from '../dist/experiment/index.js';
import { defaultMeasures } from '../dist/experiment/plan.js';
import { measureFamilies } from '../dist/measures/registry.js';
import { apiPages, readDoors } from './api-reference.mjs';
import { anchor, code, flat, measureSection, parameterTable, table } from './measure-section.mjs';

const folder = new URL('../', import.meta.url);
const generated = '<!-- Made by `npm run docs` from the source; do not edit. -->';

function measurePage() {
  const parts = [
    '# Measures',
    generated,
    'A measure is written as its name, its parameters in brackets, and a cutoff after `@`: `nDCG@10`, `P(rel=2)@5`, `RBP(p=0.5)`. Parameters that have their default value are left out when it is printed back. `P@5,10` stands for two measures. `gradus measures NAME` shows the same text in the terminal.',
    `Without \`-m\`, \`gradus eval\` computes ${defaultMeasures.map(code).join(', ')}.`,
    measureFamilies
      .map(
        ({ title, measures }) => `- [${title}](#${anchor(title)}): ${measures.map(({ name }) => `[${name}](#${anchor(name)})`).join(', ')}`,
      )
      .join('\n'),
    commonParameters(),
  ];
  for (const { title, measures } of measureFamilies) {
    parts.push(`## ${title}`);
    for (const def of measures) parts.push(...measureSection(measureReference(def)));
  }
  return `${parts.join('\n\n')}\n`;
}

function commonParameters() {
  const { parameters } = measureReference(measureFamilies[0].measures[0]);
  return `Every measure also has these parameters:\n\n${parameterTable(parameters.filter(({ universal }) => universal))}`;
}

async function commandPage() {
  const entries = await loadAllEntries();
  const parts = [
    '# Command line',
    generated,
    'The same text is shown by `gradus help COMMAND`. What all commands have in common, such as exit statuses, is described in [the guide to the command line](../command-line.md).',
    table(
      ['command', 'what it does'],
      entries.map(({ name, summary }) => [`[\`gradus ${name}\`](#gradus-${name})`, summary]),
    ),
  ];
  for (const entry of entries) parts.push(...(isGroup(entry) ? await groupSections(entry) : commandSection(entry, '##')));
  return `${parts.join('\n\n')}\n`;
}

/** What a group of commands has in common, and what is special about each. */
async function groupSections(group) {
  const commands = await loadSubcommands(group);
  const shared = sharedOptions(commands);
  return [
    ...introduction(group, groupUsage(group), '##'),
    `Options of all ${code(`gradus ${group.name}`)} commands:`,
    optionTable(optionsOf({ options: shared })),
    ...commands.flatMap((command) => {
      const own = command.options.filter(({ long }) => !shared.some((option) => option.long === long));
      return [
        ...introduction(command, usageLine(command), '###'),
        ...argumentTable(command),
        ...(own.length > 0 ? [tableOrReference(optionTable(own), command.name)] : []),
      ];
    }),
  ];
}

/** Learners have the same options wherever they are trained: a table stands in the place where it comes first. */
const tablesByText = new Map();

function tableOrReference(text, name) {
  const first = tablesByText.get(text);
  if (first !== undefined) return `The options of [\`gradus ${first}\`](#gradus-${first.replaceAll(' ', '-')}).`;
  tablesByText.set(text, name);
  return text;
}

function commandSection(command, level) {
  return [...introduction(command, usageLine(command), level), ...argumentTable(command), optionTable(optionsOf(command))];
}

function introduction({ name, description, examples }, usage, level) {
  const parts = [`${level} gradus ${name}`, `    ${usage}`, description];
  if (examples.length > 0) {
    parts.push('Examples:', examples.map(({ command: line, explains }) => `- ${code(line)}: ${explains}`).join('\n'));
  }
  return parts;
}

function argumentTable(command) {
  if (command.arguments.length === 0) return [];
  return [
    table(
      ['argument', 'meaning'],
      command.arguments.map(({ name, help }) => [code(name), help]),
    ),
  ];
}

function optionTable(options) {
  return table(
    ['option', 'meaning'],
    options.map((option) => {
      const long = `--${option.long}${option.value === undefined ? '' : ` ${option.value}`}`;
      return [option.short === undefined ? code(long) : `${code(`-${option.short}`)}, ${code(long)}`, settingHelp(option)];
    }),
  );
}

/** A rule's value in a cell of a table. */
function ruleText(value) {
  if (value === undefined) return '';
  if (value === Infinity) return 'all';
  if (value === Number.MIN_VALUE) return 'above 0';
  if (Array.isArray(value))
    return value.every(Array.isArray) && value.length > 0 ? value.map(([, gain]) => gain).join(' ') : value.join(' ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, x]) => (typeof x === 'object' ? `${name}: ${ruleText(x)}` : `${name} ${x}`))
      .join(', ');
  return String(value);
}

/** What a tool computes, part by part, with the rules of each part that differ from those of the tool. */
function computedTable(computes) {
  return table(
    ['measures', 'with', 'computed by', 'rules of its own'],
    computes.map(({ measures, fits = {}, by = '', rules = {}, refused, grades, needsRelevant, topics, decimals = {} }) => [
      measures.map(code).join(', '),
      Object.entries(fits)
        .map(([param, wanted]) => `${code(param)} ${wanted}`)
        .join(', '),
      by,
      refused !== undefined
        ? `refused: ${refused}`
        : [
            ...Object.entries(rules).map(([rule, value]) => `${code(rule)} ${ruleText(value)}`),
            ...Object.entries(decimals).map(([param, count]) => `${code(param)} with at most ${count} decimals`),
            ...(grades === undefined ? [] : [gradeText(grades)]),
            ...(needsRelevant === true ? ['every topic needs a relevant document'] : []),
            ...(topics === 'numbers' ? ['topics named by numbers'] : []),
          ].join('; '),
    ]),
  );
}

function gradeText({ least, most, whole }) {
  return [whole === true ? 'whole grades' : 'grades', least === undefined ? '' : `from ${least}`, most === undefined ? '' : `up to ${most}`]
    .filter((word) => word !== '')
    .join(' ');
}

function conventionPage() {
  const ruleNames = Object.keys(plainRules);
  const parts = [
    '# Conventions',
    generated,
    'Tools disagree about the same run because they follow different rules. A convention is such a set of rules, by name and version; `gradus eval --convention NAME` follows it.',
    table(
      ['convention', 'also', ...ruleNames.map(code)],
      conventions.map(({ name, aliases = [], rules }) => {
        return [`[\`${name}\`](#${anchor(name)})`, aliases.map(code).join(', '), ...ruleNames.map((rule) => ruleText(rules[rule]))];
      }),
    ),
  ];
  for (const { name, title, help, version, verified, unverified, deviations = [], computes } of conventions) {
    parts.push(`## ${name}`, `**${title}.** ${flat(help)}`);
    if (computes !== undefined) parts.push('It computes these measures; others are refused:', computedTable(computes));
    if (version !== undefined) parts.push(`Version: ${version}.`);
    if (verified !== undefined) parts.push(`Verified: ${flat(verified)}.`);
    if (unverified !== undefined) parts.push(`Not verified: ${flat(unverified)}.`);
    if (deviations.length > 0) {
      parts.push(
        'Its values of topics differ from what the same spelling gives here:',
        deviations.map(({ measure, reason }) => `- ${code(measure)}: ${reason}.`).join('\n'),
      );
    }
  }
  parts.push(
    '## Stand-ins',
    'A convention decides about numbers. `gradus as TOOL` goes further: it takes the tool’s own arguments and prints what the tool prints, byte for byte; of trec_eval only the help of `-h` and the traces of `-D` are not reproduced.',
    table(
      ['tool', 'versions', 'without a version', 'what it is'],
      tools.map(({ name, versions, defaultVersion, summary }) => [
        code(name),
        versions.map((version) => code(`${name}@${version}`)).join(', '),
        versions.length === 0 ? '' : code(`${name}@${defaultVersion}`),
        summary,
      ]),
    ),
  );
  return `${parts.join('\n\n')}\n`;
}

/** 67,108,864 (64 Mi) */
function amount(value) {
  const grouped = value.toLocaleString('en-US');
  const power = [40, 30, 20].find((exponent) => value >= 2 ** exponent && value % 2 ** exponent === 0);
  return power === undefined ? grouped : `${grouped} (${value / 2 ** power} ${{ 20: 'Mi', 30: 'Gi', 40: 'Ti' }[power]})`;
}

function limitPage() {
  const parts = [
    '# Limits',
    generated,
    'Gradus reads files from anywhere, so everything that a file or an argument can ask for has a limit. Beyond it Gradus stops with exit status 2 and a sentence that names the file and the line; it never runs out of memory first, and never prints a number made from part of the input. Tests try every limit at its value and one beyond.',
    'Time and memory are in proportion to the size of the input, not to what the input declares: a header that promises a billion rows costs nothing until the rows come.',
  ];
  for (const group of limitGroups) {
    const rows = limitReference().filter((limit) => limit.group === group);
    parts.push(
      `## ${group}`,
      table(
        ['what', 'at most', 'why', 'said beyond it'],
        rows.map((limit) => [limit.what, `${amount(limit.value)} ${limit.unit}`.trim(), limit.why, code(saidBeyond(limit, limit.value))]),
      ),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

/** A page with the text between two marks replaced: <!-- NAME: … --> and <!-- end of NAME -->. */
function withPart(page, name, text) {
  const before = readFileSync(new URL(page, folder), 'utf8');
  const marks = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  if (!marks.test(before)) throw new Error(`${page} has no place for ${name}: <!-- ${name}: … --> and <!-- end of ${name} -->`);
  return before.replace(marks, (_, start, end) => `${start}\n${text}\n\n${end}`);
}

function doorTable(doors) {
  return table(
    ['import', 'what it is for'],
    doors.map(({ name, page, summary }) => [`[\`${name}\`](reference/api/${page})`, summary]),
  );
}

/** The folders of src with what they may import; test/repo/imports.test.ts holds the source to the same file. */
function roomTable() {
  const rooms = JSON.parse(readFileSync(new URL('scripts/rooms.json', folder), 'utf8'));
  return table(
    ['folder', 'holds', 'may import'],
    rooms.map(({ folder: name, holds, imports }) => [
      code(name === '.' ? 'src/index.ts' : `src/${name}`),
      holds,
      imports.join(', ') || 'nothing',
    ]),
  );
}

const apiFolder = 'docs/reference/api/';
const doors = readDoors();
const pages = {
  'docs/reference/measures.md': measurePage(),
  'docs/reference/cli.md': await commandPage(),
  'docs/reference/conventions.md': conventionPage(),
  ...Object.fromEntries(Object.entries(apiPages(doors, generated)).map(([name, text]) => [`${apiFolder}${name}`, text])),
  'docs/limits.md': limitPage(),
  'docs/library.md': withPart('docs/library.md', 'entry points', doorTable(doors)),
  'CONTRIBUTING.md': withPart('CONTRIBUTING.md', 'folders', roomTable()),
};
/** Pages of entry points that are no more. */
const leftOver = existsSync(new URL(apiFolder, folder))
  ? readdirSync(new URL(apiFolder, folder))
      .map((name) => `${apiFolder}${name}`)
      .filter((name) => !Object.hasOwn(pages, name))
  : [];

if (process.argv.includes('--check')) {
  const stale = Object.entries(pages).filter(([name, text]) => {
    try {
      return readFileSync(new URL(name, folder), 'utf8') !== text;
    } catch {
      return true;
    }
  });
  const names = [...stale.map(([name]) => name), ...leftOver];
  for (const name of names) process.stderr.write(`${name} is not up to date; run npm run docs\n`);
  process.exitCode = names.length > 0 ? 1 : 0;
} else {
  mkdirSync(new URL(apiFolder, folder), { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(new URL(name, folder), text);
  for (const name of leftOver) rmSync(new URL(name, folder));
}
