import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { repository } from './helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-reproductions-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Every file of a small run, by name. */
function smallRun(name: string, round: string): Map<string, string> {
  const out = join(folder, name, round);
  const script = join(repository, 'reproductions', `${name}.mjs`);
  execFileSync(process.execPath, [script, '--small', '--out', out, '--work', join(out, 'work')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !file.parentPath.endsWith('work'),
  );
  return new Map(files.map(({ parentPath, name: file }) => [file, readFileSync(join(parentPath, file), 'utf8')]));
}

it.each(['evaluation-rules', 'graded-objectives', 'judging-measures', 'registered-claims'])(
  '%s writes a page with verdicts, numbers and the same bytes each time',
  (name) => {
    const first = smallRun(name, 'one');
    expect(first.get(`${name}.md`)).toMatch(/\*\*(confirmed|refuted|undecided|supported|inconclusive with this data)\*\*/);
    expect(JSON.parse(first.get(`${name}.json`) ?? '')).toHaveProperty('hash');
    expect([...smallRun(name, 'two')]).toEqual([...first]);
  },
  120_000,
);

it('registered-claims looks at one claim, lists deviations first, and knows no claim outside the registry', () => {
  const script = join(repository, 'reproductions/registered-claims.mjs');
  const out = join(folder, 'one-claim');
  execFileSync(process.execPath, [script, '--small', '--only', 'A12A', '--out', out, '--work', join(out, 'work')]);
  const page = readFileSync(join(out, 'registered-claims.md'), 'utf8');
  expect(page.indexOf('**Deviations from the registry:**')).toBeLessThan(page.indexOf('## Verdicts'));
  expect(page).toContain('A12A');
  expect(page).not.toContain('A10n');
  // finished parts are compressed, and hold the value of every test query
  const parts = readdirSync(join(out, 'work')).filter((name) => name.endsWith('.json.gz'));
  expect(parts).toHaveLength(10);
  const { result } = JSON.parse(gunzipSync(readFileSync(join(out, 'work', parts[0]))).toString());
  expect(Object.keys(result.values)).toHaveLength(12);
  for (const [id, reason] of [
    ['A19', 'A19 is not in the registry'],
    ['A14a', 'A14a is registered, but not run by this script'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [script, '--small', '--only', id, '--out', out], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  }
}, 120_000);
