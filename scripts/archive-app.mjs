// Puts the files of the built page into one compressed file, which is all of them that the package carries: `gradus serve` answers from it.
// Without it they would be a fifth of what an installation takes.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ARCHIVE, archiveOf } from '../dist/node/serving/app-archive.js';

const folder = fileURLToPath(new URL('../dist/app', import.meta.url));

const files = readdirSync(folder, { recursive: true })
  .map((path) => join(folder, String(path)))
  .filter((path) => statSync(path).isFile())
  .map((path) => ({ path: relative(folder, path).split(sep).join('/'), content: readFileSync(path) }))
  // programs read these from the folder, with the page or without
  .filter(({ path }) => path !== ARCHIVE && !path.startsWith('report.'))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

writeFileSync(join(folder, ARCHIVE), archiveOf(files));
