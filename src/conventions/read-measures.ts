import { InputError, type Problem } from '../core/problem.js';
import { type Measure, type MeasureDef, makeMeasure, type Params, universalParams, withParams } from '../measures/measure.js';
import { checkNumMeasures, parseMeasures, splitOutside } from '../measures/parse.js';
import { fromRanx } from '../measures/ranx-names.js';
import { allMeasures } from '../measures/registry.js';
import type { Convention } from './convention.js';
import { paramsUnder } from './measures-of-tools.js';

/** `'nDCG@10 AP P(rel=2, gain=…)@5'` as single measures: blanks separate, except inside brackets and quotes. */
export function splitMeasures(text: string): string[] {
  return splitOutside(text.replace(/\s/g, ' '), ' ').filter((part) => part !== '');
}

/** Values of parameters for a measure whose text leaves them out. */
export type ParameterDefaults = ((measure: Measure) => Params) & Partial<Pick<Convention, 'names' | 'definitions'>>;

/** Measures as a person writes them, in the order they were asked for, each once. */
export function readMeasures(texts: readonly string[], defaults: ParameterDefaults = () => ({})): Measure[] {
  const problems: Problem[] = [];
  const measures = new Map<string, Measure>();
  const parts = texts.flatMap(splitMeasures);
  const fromTool = defaults.names === 'ranx' ? fromRanx : undefined;
  const defined = definitionsWith(defaults.definitions ?? []);
  if (parts.length === 0) problems.push({ message: 'no measure was given, only empty text', wayOut: 'gradus measures lists them all' });
  for (const text of parts) {
    try {
      for (const [i, plain] of parseMeasures(text, defined, fromTool).entries()) {
        // the text is read once more with these defaults, so that what it spells out goes before them even if it is the usual value
        const { def } = plain;
        const given = defaults(plain);
        const known = defined.map((candidate) => (candidate.name === def.name ? withDefaults(candidate, given) : candidate));
        const { params } = parseMeasures(text, known, fromTool)[i];
        // the canonical spelling follows from the measure's own defaults, not by those of this call
        const universal = Object.keys(universalParams).map((name) => [name, params[name] ?? given[name]]);
        const measure = makeMeasure(def, { ...params, ...Object.fromEntries(universal) });
        measures.set(measure.text, measure);
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  checkNumMeasures(measures.size);
  return [...measures.values()];
}

/** All measures, some of them as they are defined elsewhere. */
function definitionsWith(others: readonly MeasureDef[]): readonly MeasureDef[] {
  if (others.length === 0) return allMeasures;
  return allMeasures.map((def) => others.find(({ name }) => name === def.name) ?? def);
}

function withDefaults(def: MeasureDef, defaults: Params): MeasureDef {
  const applicable = Object.entries(defaults).filter(([name, value]) => value !== undefined && Object.hasOwn(def.params, name));
  if (applicable.length === 0) return def;
  const params = { ...def.params };
  for (const [name, value] of applicable) params[name] = { ...params[name], default: value };
  return { ...def, params };
}

/** What a convention and `--rel` give to measures that do not say it themselves. */
export function parameterDefaults(convention: Convention, rel: number | undefined): ParameterDefaults {
  const defaults = (measure: Measure): Params => {
    const level = rel !== undefined && Object.hasOwn(measure.def.params, 'rel') ? { rel } : {};
    const { written } = measure;
    const asked = { ...withParams(measure, level), ...(written === undefined ? {} : { written: [...written, ...Object.keys(level)] }) };
    return { ...paramsUnder(convention, asked), ...level };
  };
  const { names, definitions } = convention;
  return Object.assign(defaults, names === undefined ? {} : { names }, definitions === undefined ? {} : { definitions });
}
