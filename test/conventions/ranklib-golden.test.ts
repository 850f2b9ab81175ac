import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { rankLibVersions } from '../../src/conventions/ranklib-versions.js';
import { runRankLib } from '../../src/tools/ranklib/run-ranklib.js';
import { capturedHost, letorFolder } from '../helpers/letor-golden.js';

const folder = fileURLToPath(new URL('../golden/ranklib', import.meta.url));
const version = rankLibVersions.find(({ name }) => name === '2.10.1');
const cases = readFileSync(join(folder, 'cases.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' '));

it.each(cases.map(([name, ...argv]) => [name, argv] as const))('RankLib 2.10.1 wrote the same: %s', async (name, argv) => {
  const world = capturedHost(join(letorFolder, 'data'));
  if (version === undefined) throw new Error('no RankLib 2.10.1');
  expect(await runRankLib(argv, version, world.host)).toBe(0);
  expect(world.files.get('OUT')).toBe(readFileSync(join(folder, `${name}.out`), 'latin1'));
});
