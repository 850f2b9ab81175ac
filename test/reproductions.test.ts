import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { applyConvention, findConvention, judgingRulesOf } from '../src/conventions/index.js';
import { parseLetor } from '../src/formats/letor/reader.js';
import { evaluateScores } from '../src/ltr/index.js';
import { parseMeasure } from '../src/measures/index.js';
import { repository } from './helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-reproductions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = join(repository, 'reproductions/registered-claims.mjs');

/** Every file of a run on made-up data, by name. */
function smallRun(only: string, round: string): Map<string, string> {
  const out = join(folder, round);
  execFileSync(process.execPath, [script, '--small', '--only', only, '--out', out, '--work', join(out, 'parts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !file.parentPath.startsWith(join(out, 'parts')),
  );
  return new Map(files.map(({ parentPath, name: file }) => [file, readFileSync(join(parentPath, file), 'utf8')]));
}

it('claims of every study get a page with verdicts, numbers and the same bytes each time', () => {
  const only = 'A3,A13w,A14b,G7,G12,N1';
  const first = smallRun(only, 'one');
  for (const name of ['six-tools', 'evaluation-rules', 'judging-measures', 'graded-objectives', 'headline-numbers']) {
    const page = first.get(`${name}.md`) ?? '';
    // deviations come before everything else
    expect(page.indexOf('**Deviations from the registry:**')).toBeLessThan(page.indexOf('## Question'));
    expect(page).toMatch(/\*\*(supported|contradicted|inconclusive with this data|not testable here|by construction: [^*]*)\*\*/);
    for (const heading of ['Question', 'Data', 'Method and rules', 'Verdicts', 'Threats', 'How to run', 'To cite'])
      expect(page).toContain(`\n## ${heading}\n`);
    expect(JSON.parse(first.get(`${name}.json`) ?? '')).toHaveProperty('rulesHash');
    expect(first.get(`${name}.csv`)).toMatch(/^claim,part,n,/);
  }
  // what was not asked for has no verdict, but the command that would give one
  expect(first.get('evaluation-rules.md')).toMatch(/\| A14a \|[^|]*\| not yet run \|/);
  expect(first.get('evaluation-rules.md')).toContain('--only A14a`');
  expect([...smallRun(only, 'two')]).toEqual([...first]);
}, 180_000);

it('what is kept of an arm are whole sums over partitions, so that no order of finishing changes them', () => {
  const [part] = readdirSync(join(folder, 'one/parts/values/R')).filter((name) => name.endsWith('.json.gz'));
  const { sums, partitions } = JSON.parse(gunzipSync(readFileSync(join(folder, 'one/parts/values/R', part))).toString());
  expect(sums['ranklib@10']).toHaveLength(60);
  expect(sums['ranklib@10'].every(Number.isInteger)).toBe(true);
  const [{ fits, folds }] = Object.values(partitions) as [{ fits: unknown[]; folds: Record<string, number[]> }];
  expect(fits).toHaveLength(5);
  const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);
  expect(total(folds['ranklib@10'])).toBe(total(sums['ranklib@10']));
});

it.each([
  ['A19', 'A19 is not in the registry'],
  ['A18-2a,A99', 'A99 is not in the registry'],
])('%s is refused', (only, reason) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--small', '--only', only, '--out', folder], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

it('A12 stands for the claims that it was taken apart into', () => {
  const out = join(folder, 'twelve');
  execFileSync(process.execPath, [script, '--small', '--only', 'A12', '--judge', '--out', out, '--work', join(out, 'parts')]);
  expect(readFileSync(join(out, 'evaluation-rules.md'), 'utf8')).toContain('| A12O |');
  expect(readdirSync(out)).not.toContain('judging-measures.md');
});

it('an archive is what tar reads, and has no dates', () => {
  const target = join(folder, 'two.tar');
  const program = `import { writeFileSync } from 'node:fs';
    import { tarOf } from ${JSON.stringify(join(repository, 'reproductions/src/tar.mjs'))};
    writeFileSync(${JSON.stringify(target)}, tarOf([['a/one.txt', 'first'], ['a/two.txt', 'x'.repeat(1000)]]));`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(execFileSync('tar', ['-xOf', target, 'a/one.txt'], { encoding: 'utf8' })).toBe('first');
  expect(execFileSync('tar', ['-xOf', target, 'a/two.txt'], { encoding: 'utf8' })).toHaveLength(1000);
  const listed = execFileSync('tar', ['--utc', '-tvf', target], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });
  expect(listed.match(/1970-01-01 00:00/g)).toHaveLength(2);
});

it('every claim of the registry stands on one page, and no page has a verdict of its own', () => {
  const { claims } = JSON.parse(readFileSync('reproductions/claims.json', 'utf8')) as { claims: { id: string }[] };
  const pages = readdirSync('docs/reproductions').filter((name) => name.endsWith('.json'));
  const found = pages.flatMap((name) => {
    const page = JSON.parse(readFileSync(`docs/reproductions/${name}`, 'utf8')) as { claims: { id: string }[] };
    return page.claims.map(({ id }) => id);
  });
  expect(found.toSorted()).toEqual(claims.map(({ id }) => id).toSorted());
  for (const name of readdirSync('docs/reproductions').filter((file) => file.endsWith('.md')))
    expect(readFileSync(`docs/reproductions/${name}`, 'utf8'), name).not.toMatch(/\b(confirmed|refuted|undecided)\b/i);
});

it('zeroing short lists can reverse two systems: the worked example', () => {
  // one relevant document in a list of 5 and in one of 20; the systems put it on ranks 1 and 4, and on ranks 2 and 3
  const lists = [5, 20].map((length, q) => Array.from({ length }, (_, d) => `${d === 0 ? 1 : 0} qid:${q + 1} 1:0 #docid = d${d}`));
  const { matrix } = parseLetor(`${lists.flat().join('\n')}\n`, { features: 'dense' });
  const ranked = (...ranks: number[]): Float64Array =>
    Float64Array.from(lists.flatMap((list, q) => list.map((_, d) => (d === 0 ? -ranks[q] + 0.5 : -(d < ranks[q] ? d : d + 1)))));
  const mean = (tool: string, scores: Float64Array): number => {
    const { rules } = findConvention(tool);
    const measure = applyConvention(parseMeasure('nDCG@10'), rules);
    return evaluateScores(scores, matrix, [measure], judgingRulesOf(rules)).aggregate(0);
  };
  const [first, second] = [ranked(1, 4), ranked(2, 3)];
  expect(mean('ranklib', first)).toBeCloseTo((1 + 1 / Math.log2(5)) / 2, 12);
  expect(mean('ranklib', second)).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(4)) / 2, 12);
  // LETOR 4.0 gives 0 to the list of 5, and divides by log2(rank)
  expect(mean('letor4', first)).toBeCloseTo(1 / Math.log2(4) / 2, 12);
  expect(mean('letor4', second)).toBeCloseTo(1 / Math.log2(3) / 2, 12);
});
