/** What can be chosen, in words: everything comes from the registries. */
import { InputError, type MeasureDef, parseMeasures } from 'gradus';
import { conventions } from 'gradus/conventions';
import { comparisonSettings, judgingSettings, type Setting } from 'gradus/experiment';
import { allMeasures, measureFamilies } from 'gradus/measures';
import { COMPARISON_TESTS, isJointTest } from 'gradus/stats';
import type { Catalogue, Choice, MeasureHelp } from './protocol.js';
import type { MeasureWords } from './words.js';

const jointTests: readonly string[] = COMPARISON_TESTS.filter(isJointTest);

type Words = Readonly<Record<string, MeasureWords>>;

export function catalogue(words: Words): Catalogue {
  return {
    measures: measureFamilies.flatMap((family) =>
      family.measures.map((def) => ({
        name: def.name,
        title: words[def.name]?.title ?? def.name,
        family: family.title,
        spellings: spellingsOf(def),
      })),
    ),
    conventions: conventions.map(({ name, title, help }) => ({ name, title, help: oneLine(help) })),
    ties: choicesOf(judgingSettings.ties),
    missing: choicesOf(judgingSettings.missing).filter(({ name }) => name !== 'error'),
    tests: choicesOf(comparisonSettings.test).map((test) => ({ ...test, isJoint: jointTests.includes(test.name) })),
    corrections: choicesOf(comparisonSettings.correction),
  };
}

function choicesOf({ choices = [], choiceTexts }: Setting): Choice[] {
  return choices.map((name) => ({ name, title: choiceTexts?.[name] ?? name }));
}

function spellingsOf(def: MeasureDef): string[] {
  if (def.at === undefined) return [def.name];
  const spec = def.params[def.at];
  const numbers = spec.type === 'integer' ? ['1', '5', '10', '20', '100', '1000'] : ['0.1', '0.5', '1'];
  const cut = numbers.map((number) => `${def.name}@${number}`);
  return spec.required === true ? cut : [def.name, ...cut];
}

/** The reference of a measure, by any of its spellings. */
export function measureHelp(text: string, words: Words): MeasureHelp {
  const def = definitionOf(text);
  const { title, help, formula, tools, cite = [], params } = words[def.name];
  return {
    name: def.name,
    spelling: spellingsOf(def)[0],
    title,
    help: oneLine(help),
    formula: formula === undefined ? null : oneLine(formula),
    tools: tools === undefined ? null : oneLine(tools),
    citations: cite.map(({ text: source, doi }) => ({ text: source, doi: doi ?? null })),
    params: Object.entries(def.params).map(([name, spec]) => ({
      name: name === def.at ? `@ (${name})` : name,
      value: spec.choices?.join(', ') ?? (spec.default === undefined ? '' : String(spec.default)),
      help: oneLine(params[name] ?? ''),
    })),
  };
}

function definitionOf(text: string): MeasureDef {
  const name = /^[^(@\s]+/.exec(text.trim())?.[0] ?? '';
  const known = allMeasures.find((def) => def.name.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  const [first] = parseMeasures(text);
  if (first === undefined) throw new InputError(`there is no measure ${text}`);
  return first.def;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
