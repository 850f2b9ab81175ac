// Gathers the pages of the site in site/.pages: README and docs as they are, with links that lead to where things are on the site; a page
// for each measure; and the app and the classroom as files beside them.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import temml from 'temml';
import { measureReference } from '../dist/cli/print/measure-reference.js';
import { measureFamilies, parseMeasure, workedMeasures } from '../dist/measures/index.js';
import { saveApp } from '../dist/node/index.js';
import { measureSection } from '../scripts/measure-section.mjs';
import { formulas } from './formulas.mjs';
import { asText, withLinks } from './text.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = join(root, 'site/.pages');

/** Files of the repository that are pages of the site, by path, with the path of the page. */
function sourcesOfPages() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [`docs/${name}`, name.replace(/(^|\/)README\.md$/, '$1index.md')]);
  return new Map([
    ['README.md', 'overview.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['CONTRIBUTING.md', 'contributing.md'],
    ['SECURITY.md', 'security.md'],
    ...docs,
  ]);
}

function put(path, text) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}

/** Copies a file that a page points to, unless it is a folder or large. */
function copyFile(file) {
  const from = join(root, file);
  if (
    file.endsWith('.md') ||
    relative(root, from).startsWith('..') ||
    !existsSync(from) ||
    !statSync(from).isFile() ||
    statSync(from).size > 2 ** 20
  )
    return false;
  for (const place of [join(target, 'public/files', file), join(target, 'files', file)]) {
    mkdirSync(dirname(place), { recursive: true });
    cpSync(from, place);
  }
  return true;
}

/** The page of a measure: what the reference says, the formula typeset, and a ranking to play with. */
function measurePage(def, family) {
  const reference = measureReference(def);
  const [heading, ...parts] = measureSection(reference, '#').map(asText);
  const [summary, ...rest] = parts;
  const formula = formulas[def.name];
  const typeset =
    formula === undefined ? [] : [`<div class="formula">${temml.renderToString(formula, { displayMode: true, throwOnError: true })}</div>`];
  const spelling = workedMeasures.includes(def.name) ? [`<Classroom measure="${exampleSpelling(def)}" />`] : [];
  return [heading, summary, ...typeset, ...spelling, ...rest, `Family: [${family}](../reference/measures.md).`].join('\n\n');
}

function exampleSpelling(def) {
  try {
    return parseMeasure(def.name).text;
  } catch {
    return `${def.name}@5`;
  }
}

const home = `---
layout: home
hero:
  name: Gradus
  text: How good is this ranking?
  tagline: Exact numbers, honest verdicts, and the reason when two tools disagree. A library, a command line and a browser app.
  actions:
    - { theme: brand, text: Get started, link: /getting-started }
    - { theme: alt, text: Open the app, link: /app/, target: _self }
    - { theme: alt, text: Learn the measures, link: /measures/ }
features:
  - { title: Is B really better than A?, details: Tests aligned by topic with intervals and corrections, link: /guides/comparing }
  - { title: Why does your tool print another number?, details: Every rule by which twenty tools differ, link: /guides/which-number }
  - { title: Can these judgements be trusted?, details: Agreement and corrected scores, link: /guides/judgements-by-language-models }
  - { title: Train on the measure you care about, details: Twelve learners and models for other tools, link: /guides/learning-to-rank }
---
`;

export function writePages() {
  rmSync(target, { recursive: true, force: true });
  const pages = sourcesOfPages();
  for (const [source, page] of pages) put(page, withLinks(asText(readFileSync(join(root, source), 'utf8')), source, page, pages, copyFile));
  put('index.md', home);
  const index = measureFamilies.map(({ title, measures }) => `## ${title}\n\n${measures.map(indexLine).join('\n')}`);
  put(
    'measures/index.md',
    `# Measures\n\nEach has a page with its formula, an example worked out by hand and the names that other tools give it. [All on one page](../reference/measures.md).\n\n${index.join('\n\n')}\n`,
  );
  for (const { title, measures } of measureFamilies)
    for (const def of measures) put(`measures/${def.name}.md`, `${measurePage(def, title)}\n`);
  put(
    'learn.md',
    `---\nlayout: page\ntitle: Learn\n---\n\n<div class="wide">\n\n# Move a document and watch the measures\n\n<Classroom />\n\n</div>\n`,
  );
  saveApp(join(target, 'public/app'));
  return pages.size;
}

function indexLine(def) {
  return `- [${def.name}](./${def.name}.md): ${measureReference(def).title.toLowerCase()}`;
}
