/**
 * The licences of what other people wrote and our built files contain, for `dist/THIRD-PARTY.txt`, which is published with them. Each
 * build records the packages whose code ended up in its files, and the text is made of all records.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const records = `${dist}.third-party/`;

const packageHead = `The command line (bin), the browser app and the parts of it that stand inside reports (app) contain code of the packages below.
Each is the work of its authors and under its own licence.
`;
const fileHead = 'This contains code of the packages below. Each is the work of its authors and under its own licence.';

/** For a package that names this licence and its author, and has no file with the words. */
const iscTerms = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that
the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

/** A plugin of Rolldown and Vite. `build` is one name for each build, so that a build replaces what it recorded before. What
 *  `leavesThePackage`, because it is copied into files of users, gets the licences as a comment at its beginning. */
export function recordThirdParty(build, { leavesThePackage = false } = {}) {
  return {
    name: 'record-third-party',
    generateBundle(_options, bundle) {
      const folders = new Set();
      for (const output of Object.values(bundle)) {
        for (const [id, { code }] of Object.entries(output.modules ?? {})) {
          const folder = code ? packageFolder(id) : undefined;
          if (folder !== undefined) folders.add(folder);
        }
      }
      const found = [...folders].map(describePackage);
      mkdirSync(records, { recursive: true });
      writeFileSync(`${records}${build}.json`, JSON.stringify(found));
      const recorded = readdirSync(records).flatMap((file) => JSON.parse(readFileSync(`${records}${file}`, 'utf8')));
      writeFileSync(`${dist}THIRD-PARTY.txt`, [packageHead, ...sections(recorded)].join(`\n${'-'.repeat(80)}\n\n`));
      if (!leavesThePackage) return;
      const comment = `/*\n${[fileHead, ...sections(found)].join('\n\n')}*/\n`;
      for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = comment + output.code;
    },
  };
}

/** The folder of the package that a module belongs to; undefined for our own. */
function packageFolder(id) {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
}

function describePackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
  if (texts.length === 0 && license === 'ISC' && author !== undefined) texts.push(`Copyright (c) ${author.name ?? author}\n\n${iscTerms}`);
  if (texts.length === 0) throw new Error(`${name}, which is put into the package, has no licence to put beside it`);
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/** The titles and words of licences, packages under the same words together. */
function sections(packages) {
  const titlesOf = new Map();
  for (const { title, text } of packages) titlesOf.set(text, (titlesOf.get(text) ?? new Set()).add(title));
  return [...titlesOf].map(([text, titles]) => `${[...titles].sort().join('\n')}\n\n${text}\n`).sort();
}
