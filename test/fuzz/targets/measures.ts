import { parameterDefaults, readMeasures } from '../../../src/conventions/read-measures.js';
import { conventions } from '../../../src/conventions/registry.js';
import { toQrels } from '../../../src/core/qrels.js';
import { toRun } from '../../../src/core/run.js';
import { evaluate, needsGroups } from '../../../src/measures/evaluate.js';
import { parseMeasures } from '../../../src/measures/parse.js';
import { allMeasures } from '../../../src/measures/registry.js';
import { namesAtCutoff, trecEvalLists, trecEvalNames } from '../../../src/measures/spellings.js';
import { compileSql } from '../../../src/sql/compile.js';
import { duckdb } from '../../../src/sql/dialects/duckdb.js';
import type { Dice } from '../../helpers/dice.js';
import { spellingsFor } from '../../helpers/measure-variants.js';
import { bytesOf, numberTexts } from '../mutate.js';
import { agree, outcomeOf, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const qrels = toQrels({ 1: { a: 1, b: 0, c: 2, d: 3, e: -1 }, 2: { a: 0, b: 0 }, 3: { z: 1 } });
const run = toRun({ 1: { a: 3, b: 3, x: 2.5, c: 2, y: 1, d: 1 }, 2: { a: 1, c: 2 }, 4: { a: 1 } });

function check(input: Uint8Array, dice: Dice): string {
  const text = Buffer.from(input).toString('utf8');
  const parsed = outcomeOf(() => parseMeasures(text), null);
  for (const measure of parsed.value ?? []) {
    const again = outcomeOf(() => parseMeasures(measure.text), null);
    if (again.value === undefined) throw new Disagreement('the spelling of a measure is refused', `${measure.text}: ${again.refused}`);
    agree('a measure, printed and read', [measure.text, measure.params], [again.value[0].text, again.value[0].params]);
    agree('a measure, printed and read, is one', 1, again.value.length);
  }
  const convention = dice.pick(conventions);
  const rel = dice.chance(0.2) ? dice.below(4) : undefined;
  const read = outcomeOf(() => readMeasures([text], parameterDefaults(convention, rel)), null);
  const measures = (read.value ?? []).slice(0, 12);
  // what has parameters of a convention's own can be read only with that convention
  for (const measure of convention.definitions === undefined ? measures : []) {
    agree(
      `a measure of ${convention.name}, printed and read`,
      measure.text,
      outcomeOf(() => parseMeasures(measure.text)[0].text, null).value,
    );
  }
  const values = outcomeOf(
    () =>
      evaluate(
        qrels,
        run,
        measures.filter((measure) => !needsGroups([measure])),
      ).values.every((value) => typeof value === 'number'),
    null,
  );
  if (values.value === false) throw new Disagreement('a value that is no number');
  const sql = outcomeOf(
    () => compileSql({ run: { relation: 'run' }, qrels: { relation: 'qrels' }, measures: measures.slice(0, 3), dialect: duckdb }),
    null,
  );
  return [parsed, read, values, sql].map((outcome) => shapeOfOutcome(outcome)).join('|');
}

const params = [...new Set(allMeasures.flatMap((def) => Object.keys(def.params)))];
const choices = [
  ...new Set(
    allMeasures.flatMap((def) =>
      Object.values(def.params).flatMap((spec) => ('choices' in spec && Array.isArray(spec.choices) ? spec.choices : [])),
    ),
  ),
];
const names = [
  ...allMeasures.flatMap((def) => [def.name, ...(def.aliases ?? [])]),
  ...trecEvalNames,
  ...Object.keys(trecEvalLists),
  ...namesAtCutoff,
];

function valueText(dice: Dice): string {
  const number = (): string => (dice.chance(0.7) ? String(dice.between(-1, 12)) : dice.pick(numberTexts));
  return dice.pick([
    number,
    number,
    () => `'${dice.pick(choices)}'`,
    () => dice.pick(['true', 'false', 'skip', "'x'", '""', "'"]),
    () => `[${number()},${number()}]`,
    () => `{${number()}:${number()},2:3}`,
  ])();
}

/** A name with parameters and a cutoff, ours or another tool's. */
function generate(dice: Dice): Uint8Array {
  const one = (): string => {
    const name = dice.pick(names);
    const given = Array.from({ length: dice.below(3) }, () => `${dice.pick(params)}=${valueText(dice)}`).join(dice.pick([',', ', ']));
    const at = dice.chance(0.5) ? `@${dice.chance(0.8) ? String(1 + dice.below(20)) : valueText(dice)}` : '';
    const tail = dice.chance(0.1) ? dice.pick(['_10', '.5', '.1=2,2=3', '-', '-l2', '.p=0.5', '@5,10']) : '';
    return `${name}${given === '' && dice.chance(0.9) ? '' : `(${given})`}${at}${tail}`;
  };
  return bytesOf(dice.chance(0.85) ? one() : `${one()} ${one()}`);
}

export const measureTargets: readonly FuzzTarget[] = [
  {
    name: 'measures',
    summary: 'the measure grammar and other tools’ spellings: printed and read, every convention, evaluated, as SQL',
    cases: 1000,
    words: [
      ...params.map((name) => `${name}=`),
      '(',
      ')',
      '@',
      ',',
      '=',
      "'",
      '[',
      ']',
      '{',
      '}',
      ':',
      '.',
      '_',
      '-l2',
      'true',
      ...choices,
    ],
    seeds: () => [...spellingsFor('ranking'), ...names].map((text) => bytesOf(text)),
    generate,
    check,
  },
];
