import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it.each(['evaluation-rules', 'graded-objectives', 'judging-measures'])(
  '%s writes a page with verdicts, numbers and the same bytes each time',
  (name) => {
    const first = smallRun(name, 'one');
    expect(first.get(`${name}.md`)).toMatch(/\*\*(confirmed|refuted|undecided)\*\*/);
    expect(JSON.parse(first.get(`${name}.json`) ?? '')).toHaveProperty('hash');
    expect([...smallRun(name, 'two')]).toEqual([...first]);
  },
  120_000,
);
