import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modelFromJson, modelToJson } from '../src/ltr/models/json.js';
import { modelToLightGbm } from '../src/ltr/models/lightgbm.js';
import { modelToRankLib } from '../src/ltr/models/ranklib-writer.js';
import { readModel, recogniseModel } from '../src/ltr/models/read-model.js';
import { modelToXgBoost } from '../src/ltr/models/xgboost.js';
import type { Model } from '../src/ltr/ranker.js';
import { scoreMatrix } from '../src/ltr/scoring/score.js';
import { matrixOfRows, slowScores } from './helpers/slow-models.js';

/** Models that LightGBM, XGBoost and RankLib trained, and the scores they gave: made by scripts/golden/ltr-models.py. */
const folder = new URL('golden/ltr-models/', import.meta.url);
const files = readdirSync(folder);
const names = files.filter((name) => name.endsWith('.scores.json')).map((name) => name.replace('.scores.json', ''));

const fileOf = (name: string): string => files.find((file) => file === `${name}.txt` || file === `${name}.json`)!;
const textOf = (name: string): string => readFileSync(new URL(fileOf(name), folder), 'utf8');
const goldenOf = (name: string): { rows: (number | null)[][]; scores: number[] } =>
  JSON.parse(readFileSync(new URL(`${name}.scores.json`, folder), 'utf8'));

/** Nets go through exp, which Java and JavaScript round differently in the last bit; AdaRank adds the weights of a feature that
 *  was chosen several times one by one; a forest whose bags have several trees rounds between them. */
const tolerances: Readonly<Record<string, number>> = {
  'ranklib-ranknet': 1e-15,
  'ranklib-lambdarank': 1e-15,
  'ranklib-listnet': 1e-15,
  'ranklib-adarank': 1e-15,
  'ranklib-forest-of-ensembles': 1e-7,
};

function largestDifference(ours: ArrayLike<number>, theirs: readonly number[]): number {
  const size = Math.max(...theirs.map(Math.abs));
  return Math.max(...theirs.map((score, i) => Math.abs(score - ours[i]))) / size;
}

describe('models of other tools', () => {
  test('every file of the folder is used', () => {
    expect(files.length).toBe(2 * names.length + 1);
    expect(names.length).toBeGreaterThan(20);
  });

  test.each(names)('%s scores as in the tool that trained it', (name) => {
    const { rows, scores } = goldenOf(name);
    const model = readModel(textOf(name));
    const ours = scoreMatrix(model, matrixOfRows(rows));
    if (Object.hasOwn(tolerances, name)) expect(largestDifference(ours, scores)).toBeLessThanOrEqual(tolerances[name]);
    else expect([...ours]).toEqual(scores);
    // the scores say something: they are not all alike
    expect(new Set(scores).size).toBeGreaterThan(5);
    expect([...ours]).toEqual(slowScores(model, matrixOfRows(rows)));
  });

  test.each(names)('%s is recognised by its content', (name) => {
    expect(name.startsWith(recogniseModel(textOf(name)))).toBe(true);
  });

  test.each(names)('%s as a file of Gradus gives the same scores', (name) => {
    const model = readModel(textOf(name));
    expect(modelFromJson(modelToJson(model))).toEqual(model);
  });
});

const writers: Readonly<Record<string, (model: Model) => { content: string | Uint8Array }>> = {
  lightgbm: modelToLightGbm,
  xgboost: modelToXgBoost,
  ranklib: modelToRankLib,
};

/** Formats that hold this model without loss. */
function exactFormats(name: string, { scorer }: Model): string[] {
  if (scorer.kind !== 'trees') return ['ranklib'];
  const own = name.split('-')[0];
  if (own === 'ranklib') {
    // RankLib's sums are those of 32-bit floats with weights that XGBoost multiplies before it adds
    return name.includes('forest-of')
      ? []
      : name === 'ranklib-rankboost'
        ? ['ranklib', 'lightgbm']
        : scorer.divisor === undefined
          ? ['ranklib']
          : ['ranklib', 'lightgbm'];
  }
  return [own];
}

describe('models written for other tools and read again', () => {
  test.each(names)('%s in its own format and where nothing is lost: the same scores to the bit', (name) => {
    const { rows } = goldenOf(name);
    const model = readModel(textOf(name));
    const matrix = matrixOfRows(rows);
    for (const format of exactFormats(name, model)) {
      const again = readModel(String(writers[format](model).content));
      expect([...scoreMatrix(again, matrix)]).toEqual([...scoreMatrix(model, matrix)]);
    }
  });

  test('all of them were read by the tools themselves and gave the scores of Gradus', () => {
    const { exports } = JSON.parse(readFileSync(new URL('exports.json', folder), 'utf8')) as {
      exports: Record<string, { documents: number; equal: number; largestDifference: number }>;
    };
    expect(Object.keys(exports).length).toBeGreaterThan(30);
    const inexact = Object.entries(exports).filter(([, { documents, equal }]) => equal !== documents);
    for (const [name, { largestDifference }] of inexact) {
      expect(largestDifference, name).toBeLessThan(/ranknet|lambdarank|listnet|adarank/.test(name) ? 1e-14 : 5e-7);
    }
    for (const name of names) {
      const model = readModel(textOf(name));
      for (const format of exactFormats(name, model)) {
        if (tolerances[name] !== undefined) continue;
        const result = exports[`${name} as ${format}`];
        expect(result, `${name} as ${format}`).toMatchObject({ equal: result.documents, largestDifference: 0 });
        expect(result.documents).toBe(name.startsWith(format) ? goldenOf(name).rows.length : 27);
      }
    }
  });
});
