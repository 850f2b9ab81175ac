import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { matrixOfRows, randomTrees, treeModel } from '../../../test/helpers/slow-models.js';
import { seededRandom } from '../../core/numbers/random.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { readModel } from './read-model.js';
import { identifierOf, modelToC, modelToTypeScript } from './source.js';

const golden = new URL('../../../test/golden/ltr-models/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'gradus-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Case {
  readonly model: Model;
  readonly rows: readonly (readonly (number | null)[])[];
}

function cases(): [string, Case][] {
  const files = readdirSync(golden);
  const names = files.filter((name) => name.endsWith('.scores.json')).map((name) => name.replace('.scores.json', ''));
  const trained = names
    .filter((name) => !/ranknet|lambdarank|listnet/.test(name))
    .map((name): [string, Case] => {
      const model = readModel(
        readFileSync(new URL(files.find((file) => file.startsWith(`${name}.`) && !file.includes('scores'))!, golden), 'utf8'),
      );
      const { rows } = JSON.parse(readFileSync(new URL(`${name}.scores.json`, golden), 'utf8')) as Case;
      return [name, { model, rows: rows.map((row) => row.slice(0, model.numFeatures)) }];
    });
  const normalisation = {
    kind: 'global',
    method: 'zscore',
    shift: Float64Array.of(0.1, -1, 2),
    factor: Float64Array.of(3, 0.3, 1e-3),
  } as const;
  const rows = [
    [0, 1, 2],
    [null, -0.5, 1e300],
    [0.25, null, -1e-300],
  ];
  const own = treeModel(
    {
      ...randomTrees(seededRandom(9), 5, 3),
      threshold: randomTrees(seededRandom(9), 5, 3).threshold.map((t, n) => (n === 0 ? Infinity : t)),
    },
    3,
    { normalisation },
  );
  const linear: Model = { ...own, missing: 0.5, scorer: { kind: 'linear', weights: Float64Array.of(1, -2, 3e5), bias: -0 } };
  return [...trained, ['scaled trees', { model: own, rows }], ['a scaled linear model', { model: linear, rows }]];
}

const all = cases();

describe('modelToTypeScript(model)', () => {
  test.each(all)('of %s is a module that gives the same scores', async (name, { model, rows }) => {
    const path = join(folder, `${name.replace(/\W/g, '-')}.mjs`);
    writeFileSync(path, transformSync(String(modelToTypeScript(model).content), { loader: 'ts' }).code);
    const { scoreDocument } = (await import(/* @vite-ignore */ path)) as { scoreDocument: (features: readonly number[]) => number };
    const scores = rows.map((row) => scoreDocument(row.map((x) => x ?? Number.NaN)));
    expect(scores).toEqual([...scoreMatrix(model, matrixOfRows(rows))]);
  });
});

const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);

describe.runIf(compiler !== undefined)('modelToC(model)', () => {
  test('compiles without a warning and gives the same scores, all models in one program', () => {
    const sources = all.map(([, { model }], i) => {
      const path = join(folder, `model${i}.c`);
      writeFileSync(path, modelToC(model, { functionName: `score_${i}` }).content);
      return path;
    });
    const main = join(folder, 'main.c');
    const printed = (x: number | null): string => (x === null ? 'NAN' : x.toPrecision(17));
    const calls = all.flatMap(([, { rows }], i) =>
      rows.map((row) => `  { double x[] = { ${row.map(printed).join(', ')} }; printf("%.17g\\n", score_${i}(x)); }`),
    );
    const declarations = all.map((_, i) => `double score_${i}(const double *features);`);
    writeFileSync(
      main,
      `#include <math.h>\n#include <stdio.h>\n${declarations.join('\n')}\nint main(void) {\n${calls.join('\n')}\n  return 0;\n}\n`,
    );
    const program = join(folder, 'program');
    const compiled = spawnSync(
      compiler!,
      ['-std=c99', '-Wall', '-Werror', '-O1', '-ffp-contract=off', '-o', program, main, ...sources, '-lm'],
      { encoding: 'utf8' },
    );
    expect(compiled.stderr).toBe('');
    const { stdout } = spawnSync(program, [], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const expected = all.flatMap(([, { model, rows }]) => [...scoreMatrix(model, matrixOfRows(rows))]);
    expect(stdout.trim().split('\n').map(Number)).toEqual(expected);
  }, 60_000);
});

describe('identifierOf(text)', () => {
  test.each([
    ['score', 'score_'],
    ['2fast', '_2fast'],
    ['', '_'],
    ['a-b c;}', 'a_b_c__'],
    ['while', 'while_'],
    ['rank_1', 'rank_1'],
  ])('of %j is %s', (text, name) => {
    expect(identifierOf(text)).toBe(name);
  });
});

describe('text from a model file', () => {
  test('cannot end the comment it stands in', () => {
    const [, { model }] = all.find(([name]) => name === 'lightgbm-nan')!;
    const hostile = { ...model, learner: 'x */ system("ls"); /*', featureNames: ['*/ evil()', ...model.featureNames!.slice(1)] };
    expect(String(modelToC(hostile).content)).not.toMatch(/system\(|evil\(/);
    expect(String(modelToTypeScript(hostile).content)).not.toMatch(/system\(|evil\(/);
  });

  test('a net is refused', () => {
    const net: Model = { learner: 'n', firstFeature: 1, numFeatures: 1, missing: 0, scorer: { kind: 'net', layers: [] } };
    expect(() => modelToC(net)).toThrow(/nets are not written as C; write them as onnx/);
  });
});
