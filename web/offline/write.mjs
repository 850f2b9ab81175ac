// Writes the script that keeps the built page for times without a network. Runs when all files of the page are there.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../dist/app/', import.meta.url));
const script = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8');
const NAME = 'service-worker.js';

const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
  .filter((name) => name !== NAME && name !== 'files.gz' && !/\.(txt|md)$/.test(name))
  .sort();
const hash = createHash('sha256').update(script);
for (const name of names) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
const page = { version: hash.digest('hex').slice(0, 16), files: names.map((name) => (name === 'index.html' ? './' : name)) };
// comments are for those who read the source
const lines = script.replace(/\/\*[\s\S]*?\*\/\n?/g, '').replace(/^\s*\/\/.*\n/gm, '');
writeFileSync(join(folder, NAME), `self.gradusPage = ${JSON.stringify(page)};\n${lines}`);
