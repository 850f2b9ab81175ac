/** Runs recorded cases through the built product and prints every disagreement and, last, how many of how many agree.
 *
 *  node scripts/golden.mjs foreign|ltr|test-collections DIR [--data DIR]
 *
 *  foreign: DIR has folders `samples` (files of other tools with what is in them) and `metrics` (rankings with the numbers that other tools
 *  gave). ltr: DIR has a folder for each topic of learning to rank. test-collections: DIR has files such as `leaderboard.json`, and --only
 *  takes those whose names begin with a text.
 *  Run `npm run build` first. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const say = (line) => process.stdout.write(`${line}\n`);

const { positionals, values } = parseArgs({ allowPositionals: true, options: { data: { type: 'string' }, only: { type: 'string' } } });
const [area, folder] = positionals;
const areas = { foreign: ['samples', 'metrics'], ltr: [''], 'test-collections': [''] };
if (!Object.hasOwn(areas, area ?? '') || folder === undefined || positionals.length > 2) {
  process.stderr.write('usage: node scripts/golden.mjs foreign|ltr|test-collections DIR [--data DIR]\n');
  process.exit(2);
}

const { readFeatures, readJudgements, readRun } = await import('../dist/formats/index.js');
const { fileSource } = await import('../dist/node/index.js');
const product = { fileSource, readFeatures, readJudgements, readRun };
const here = dirname(fileURLToPath(import.meta.url));
let agreed = 0;
let total = 0;
for (const part of areas[area]) {
  const module = join(here, 'golden', part === '' ? `${area}.mjs` : `${area}-${part}.mjs`);
  if (!existsSync(join(folder, part)) || !existsSync(module)) continue;
  const { check } = await import(pathToFileURL(module).href);
  const result = await check(join(folder, part), { data: values.data, only: values.only, product });
  for (const line of result.disagreements) say(`${part === '' ? area : part}: ${line}`);
  for (const line of result.remarks ?? []) say(`${part === '' ? area : part}: ${line}`);
  say(`${part === '' ? area : part}: ${result.agreed} of ${result.total} agree`);
  agreed += result.agreed;
  total += result.total;
}
say(`${agreed} of ${total} agree`);
process.exitCode = agreed === total && total > 0 ? 0 : 1;
