// Makes of each page an archive for a repository that gives DOIs: the page, its numbers as JSON and CSV, its figures as SVG and PDF, the
// values that its verdicts follow from, the registry and the script that judges, and how to cite it. The same pages give the same bytes,
// but for figures as PDF, which the browser of the system prints: they depend on its version.
//
//   npm run build && node reproductions/archive.mjs --out FOLDER [--only six-tools,headline-numbers]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { printToPdf } from '../dist/node/output/pdf.js';
import { armOf, letters } from './src/arms.mjs';
import { studies } from './src/claims/index.mjs';
import { bibliography } from './src/papers.mjs';
import { tarOf } from './src/tar.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } });
const wanted = options.only?.split(',') ?? studies.map(({ name }) => name);
const unknown = wanted.find((name) => studies.every((study) => study.name !== name));
if (options.out === undefined || unknown !== undefined) {
  const what = unknown === undefined ? '' : `there is no page ${unknown}; there are ${studies.map(({ name }) => name).join(', ')}\n`;
  process.stderr.write(`${what}usage: node reproductions/archive.mjs --out FOLDER [--only PAGE,PAGE]\n`);
  process.exit(2);
}
mkdirSync(options.out, { recursive: true });
const read = (path) => readFileSync(join(root, path));
const { version, license } = JSON.parse(read('package.json'));

for (const study of studies.filter(({ name }) => wanted.includes(name))) {
  const folder = `gradus-${study.name}-${version}`;
  const files = [
    [`${study.name}.md`, read(`docs/reproductions/${study.name}.md`)],
    ...['json', 'csv'].map((ending) => [`${study.name}.${ending}`, read(`docs/reproductions/${study.name}.${ending}`)]),
    ...(await figuresOf(study)),
    ...['claims.json', 'registry-notes.md', 'verdicts.sha256', 'src/verdicts.mjs'].map((name) => [
      `registry/${name.split('/').at(-1)}`,
      read(`reproductions/${name}`),
    ]),
    ...valuesOf(study).map((path) => [path, read(`reproductions/${path}`)]),
    ['CITATION.cff', citationOf(study)],
    ['references.bib', `${bibliography(study)}\n`],
    ['.zenodo.json', describedFor(study)],
    ['LICENSE', read('LICENSE')],
  ];
  const sums = files.map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`).join('');
  const all = [...files, ['SHA256SUMS', sums]].map(([path, content]) => [`${folder}/${path}`, content]);
  const target = join(options.out, `${folder}.tar.gz`);
  writeFileSync(target, gzipSync(tarOf(all), { level: 9 }));
  process.stdout.write(`${target}: ${all.length} files\n`);
}

/** The figures of a page, each as SVG and as PDF. */
async function figuresOf({ name }) {
  const pictures = readdirSync(join(root, 'docs/reproductions/pictures')).filter(
    (file) => file.startsWith(`${name}-`) && file.endsWith('.svg'),
  );
  const files = [];
  for (const file of pictures.sort()) {
    const svg = read(`docs/reproductions/pictures/${file}`);
    files.push([`pictures/${file}`, svg], [`pictures/${file.replace(/svg$/, 'pdf')}`, await pdfOf(svg.toString('utf8'))]);
  }
  return files;
}

/** A page as large as the figure, printed; without the time of printing. */
async function pdfOf(svg) {
  const [width, height] = ['width', 'height'].map((name) => new RegExp(`<svg[^>]* ${name}="([\\d.]+)"`).exec(svg)?.[1]);
  const style = `@page { size: ${width}px ${height}px; margin: 0 } body { margin: 0 } svg { display: block }`;
  const html = `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${svg}</body></html>`;
  const pdf = Buffer.from(await printToPdf(html, process.env)).toString('latin1');
  return Buffer.from(pdf.replaceAll(/(\/(?:CreationDate|ModDate) \(D:)\d{14}/g, '$120260101000000'), 'latin1');
}

/** Files of values that the claims of a study are judged by, as far as they are there. */
function valuesOf({ name, claims }) {
  const arms = [...new Set(Object.values(claims).flatMap((claim) => claim.arms ?? []))].map((id) => {
    const { protocol } = armOf(id);
    return `values/${protocol}/${letters.get(id).replace(' ', '-')}.json.gz`;
  });
  const own = join(root, 'reproductions/values', name);
  const sources = existsSync(own) ? readdirSync(own).map((file) => `values/${name}/${file}`) : [];
  return [...arms, ...sources].filter((path) => existsSync(join(root, 'reproductions', path))).sort();
}

function citationOf({ title }) {
  const lines = [
    'cff-version: 1.2.0',
    'message: If you use these results, please cite them as below.',
    `title: ${JSON.stringify(title)}`,
    'type: dataset',
    'authors:',
    '  - name: Gradus contributors',
    `version: ${version}`,
    `license: ${license}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describedFor({ title, question }) {
  const described = {
    title,
    upload_type: 'dataset',
    description: question,
    creators: [{ name: 'Gradus contributors' }],
    version,
    license: license.toLowerCase(),
    keywords: ['information retrieval', 'evaluation', 'reproduction'],
  };
  return `${JSON.stringify(described, null, 1)}\n`;
}
