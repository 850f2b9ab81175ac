import { closest } from '../core/closest.js';
import { evaluationLimits } from '../core/evaluation-limits.js';
import { type GainTable, type ParamValue, paramProblem } from '../core/params.js';
import { InputError } from '../core/problem.js';
import { ABOVE_ZERO, type Measure, type MeasureDef, makeMeasure, paramsOf } from './measure.js';
import { allMeasures } from './registry.js';
import { measureAtCutoff, rewrittenParams, trecEvalLists, trecEvalMeasure, trecEvalNames, xgboostNames } from './spellings.js';

/** One measure from its text: `nDCG@10`, `P(rel=2)@5`, or another tool's spelling of it such as `ndcg_cut_10`. */
export function parseMeasure(text: string, known: readonly MeasureDef[] = allMeasures): Measure {
  const measures = parseMeasures(text, known);
  if (measures.length === 1) return measures[0];
  throw new InputError({ message: `${text} stands for ${measures.length} measures, expected one` });
}

/** All measures that a text stands for; `P@5,10`, `P.5,10` and `official` stand for several. Where two tools mean different things by one
 *  name, `fromTool` knows what the one means that is asked. */
export function parseMeasures(
  text: string,
  known: readonly MeasureDef[] = allMeasures,
  fromTool?: (text: string) => string[] | undefined,
): Measure[] {
  const trimmed = text.trim();
  const own = parseOwn(trimmed, known);
  if (own !== undefined) return own;
  const foreign = fromTool?.(trimmed) ?? fromTrecEval(trimmed) ?? fromNameAtCutoff(trimmed);
  if (foreign !== undefined) return foreign.flatMap((spelling) => parseOwn(spelling, known) ?? refuseUnknown(spelling, known));
  return refuseUnknown(trimmed, known);
}

/** Every measure of a list; all that cannot be read are reported together. */
export function parseMeasureList(texts: readonly string[], known: readonly MeasureDef[] = allMeasures): Measure[] {
  const measures: Measure[] = [];
  const problems = [];
  for (const text of texts) {
    try {
      for (const measure of parseMeasures(text, known)) measures.push(measure);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  checkNumMeasures(measures.length);
  return measures;
}

/** Refuses more measures than a table can have columns. */
export function checkNumMeasures(numMeasures: number): void {
  if (numMeasures <= evaluationLimits.measures) return;
  throw new InputError({
    message: `found ${numMeasures} measures, expected at most ${evaluationLimits.measures} measures`,
    wayOut: 'take fewer at a time',
  });
}

/** `Name(param=value,…)@value`. Undefined if the name is not one of ours; a known name with bad parameters is an error. */
function parseOwn(text: string, known: readonly MeasureDef[]): Measure[] | undefined {
  const parts = /^([\p{L}\p{N}_+-]+)\s*(?:\(([\s\S]*)\))?\s*(?:@([\s\S]*))?$/u.exec(text);
  if (parts === null) return undefined;
  const [, name, inside, at] = parts;
  const named = findMeasure(name, known);
  if (named === undefined) return undefined;
  const { def, given } = rewrite(named, readParams(text, inside ?? ''), known);
  if (at === undefined) return [measureOf(def, given)];
  if (def.at === undefined) throw new InputError({ message: `${text}: ${def.name} takes no @`, wayOut: `write ${def.name} alone` });
  const atParam = def.at;
  if (Object.hasOwn(given, atParam)) {
    throw new InputError({
      message: `${text}: ${atParam} was given twice: ${String(given[atParam])} and ${at.trim()}`,
      wayOut: 'give it once',
    });
  }
  return at.split(',').map((part) => {
    const value = parseValue(part.trim());
    if (typeof value !== 'number')
      throw new InputError({ message: `${text}: expected a number after @, found ${part.trim() || 'nothing'}` });
    return measureOf(def, { ...given, [atParam]: value });
  });
}

/** A measure that remembers what its text has written out: a parameter with its usual value looks like one that was left out. */
function measureOf(def: MeasureDef, given: Record<string, ParamValue>): Measure {
  return { ...makeMeasure(def, given), written: Object.keys(given) };
}

function findMeasure(name: string, known: readonly MeasureDef[]): MeasureDef | undefined {
  return known.find((candidate) => candidate.name === name || candidate.aliases?.includes(name));
}

/** Goes over from another tool's parameter to the measure that it makes. */
function rewrite(
  def: MeasureDef,
  given: Record<string, ParamValue>,
  known: readonly MeasureDef[],
): { def: MeasureDef; given: Record<string, ParamValue> } {
  const rules = Object.hasOwn(rewrittenParams, def.name) ? rewrittenParams[def.name] : {};
  for (const [param, value] of Object.entries(given)) {
    if (!Object.hasOwn(rules, param)) continue;
    const wanted = Object.hasOwn(rules[param], String(value)) ? rules[param][String(value)] : rules[param]['*'];
    const target = wanted && findMeasure(wanted[0], known);
    if (target === undefined) {
      throw new InputError(paramProblem(`${param} of ${def.name}`, { type: 'choice', choices: Object.keys(rules[param]) }, value) ?? []);
    }
    const { [param]: taken, ...rest } = given;
    const kept = Object.hasOwn(rules[param], '*') ? { [param]: taken } : {};
    return { def: target, given: { ...rest, ...kept, ...wanted[1] } };
  }
  return { def, given };
}

/** `param=value,…` */
function readParams(text: string, inside: string): Record<string, ParamValue> {
  const given: Record<string, ParamValue> = {};
  for (const assignment of splitOutside(inside, ',')) {
    if (assignment.trim() === '') continue;
    const equals = assignment.indexOf('=');
    if (equals < 0) throw new InputError({ message: `${text}: expected parameter=value, found ${assignment.trim()}` });
    const param = assignment.slice(0, equals).trim();
    const raw = assignment.slice(equals + 1).trim();
    const value = parseValue(raw);
    if (value === undefined) {
      throw new InputError({
        message: `${text}: ${raw === '' ? `nothing after ${param}=` : `cannot read ${raw}`}`,
        wayOut: "write a number, 'text', true, [0.5,0.5] or {1:1,2:3}",
      });
    }
    if (Object.hasOwn(given, param)) throw new InputError({ message: `${text}: ${param} was given twice`, wayOut: 'give it once' });
    given[param] = value;
  }
  return given;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a text stands for; -0 is printed as 0, and is the same. */
function numberOf(text: string): number {
  return Number(text) + 0;
}

function parseValue(text: string): ParamValue {
  if (decimal.test(text)) return numberOf(text);
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted !== null) return `'${quoted[2]}'` === ABOVE_ZERO ? Number.MIN_VALUE : quoted[2];
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  if (/^\[[\s\S]*\]$/.test(text)) {
    const numbers = listItems(text).map(numberOf);
    return numbers.some(Number.isNaN) ? undefined : numbers;
  }
  if (/^\{[\s\S]*\}$/.test(text)) {
    const pairs: GainTable = listItems(text).map((item) => {
      const [grade, gain, ...rest] = item.split(':');
      return rest.length > 0 || gain === undefined || gain.trim() === ''
        ? [Number.NaN, Number.NaN]
        : [numberOf(unquote(grade)), numberOf(gain)];
    });
    return pairs.flat().some(Number.isNaN) ? undefined : pairs;
  }
  return /^[A-Za-z][\w.-]*$/.test(text) ? text : undefined;
}

function unquote(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/, '$2');
}

function listItems(text: string): string[] {
  const inside = text.slice(1, -1).trim();
  return inside === '' ? [] : inside.split(',').map((item) => (item.trim() === '' ? 'missing' : item));
}

/** Splits at a separator that stands outside of brackets and quotes. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === "'" || c === '"') quote = c;
    else if (c === '[' || c === '{' || c === '(') depth++;
    else if (c === ']' || c === '}' || c === ')') depth--;
    else if (c === separator && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** `map`, `P_5`, `P.5,10`, `ndcg_cut.10`, `official`; gain parameters as in `ndcg.1=1,2=3`. */
function fromTrecEval(text: string): string[] | undefined {
  if (Object.hasOwn(trecEvalLists, text)) return trecEvalLists[text].flatMap((name) => fromTrecEval(name) ?? []);
  const dot = text.indexOf('.');
  const dotted = dot > 0 ? text.slice(0, dot) : text;
  if (trecEvalNames.includes(dotted)) return trecEvalSpelling(dotted, dot > 0 ? text.slice(dot + 1) : undefined);
  const underlined = /^(.+)_(\d+(?:\.\d+)?)$/.exec(text);
  return underlined === null ? undefined : trecEvalSpelling(underlined[1], underlined[2]);
}

/** A number in its usual spelling; what is none stays as it was, to be named in the message. */
function plainNumber(text: string): string {
  return decimal.test(text) ? String(Number(text)) : text;
}

function trecEvalSpelling(name: string, params: string | undefined): string[] | undefined {
  const measure = trecEvalMeasure(name);
  if (measure === undefined) return undefined;
  const { ours, cutoffs } = measure;
  if (params === undefined) return cutoffs === undefined ? [ours] : cutoffs.map((cutoff) => ours.replace('{}', String(cutoff)));
  if (cutoffs !== undefined) return params.split(',').map((cutoff) => ours.replace('{}', () => plainNumber(cutoff)));
  if (params.includes('=')) {
    const table = params.split(',').map((pair) => pair.replace('=', ':'));
    const persistence = table.find((pair) => pair.startsWith('p:'));
    if (persistence !== undefined && /^RBP/.test(ours)) return [ours.replace('p=0.9', `p=${persistence.slice(2)}`)];
    return [`${ours}(gains={${table.join(',')}})`];
  }
  if (name === 'set_F') return [`SetF(weight=${params})`];
  if (name === 'utility') return [`Utility(coefficients=[${params}])`];
  if (name === '11pt_avg') return [`IAP(levels=[${params}])`];
  return undefined;
}

/** `ndcg@10`, `map@100-l2`, `mrr`, `rbp.95`: ranx; `ndcg@10-`: XGBoost; names in capitals: RankLib. */
function fromNameAtCutoff(text: string): string[] | undefined {
  const persistence = /^rbp\.(\d+)(?:-l(\d+))?$/i.exec(text);
  if (persistence !== null) {
    const [, digits, level] = persistence;
    return [`RBP(p=${Number(`0.${digits}`)}${level === undefined ? '' : `,rel=${level}`})`];
  }
  const minus = /^([a-z]+)(@\d+)?-$/i.exec(text);
  if (minus !== null && Object.hasOwn(xgboostNames, minus[1].toLowerCase()))
    return [xgboostNames[minus[1].toLowerCase()] + (minus[2] ?? '')];
  const parts = /^([A-Za-z][\w-]*?)(?:@(\d+))?(?:-l(\d+))?$/.exec(text);
  if (parts === null) return undefined;
  const [, name, cutoff, level] = parts;
  const lower = name.toLowerCase();
  const foreign = measureAtCutoff(lower);
  const ours = cutoff === undefined ? foreign?.whole : foreign?.at?.replace('{}', cutoff);
  if (ours === undefined) return undefined;
  return [level === undefined ? ours : atLevel(ours, level)];
}

/** The spelling with a relevance level, which goes in with the parameters that are there already. Where grades are gains, the level is the
 *  lowest that gains anything. */
export function atLevel(ours: string, level: string): string {
  const [head, at = ''] = ours.split('@');
  const given = `${/^n?DCG/.test(head) ? 'level' : 'rel'}=${level}`;
  const withLevel = head.endsWith(')') ? `${head.slice(0, -1)},${given})` : `${head}(${given})`;
  return at === '' ? withLevel : `${withLevel}@${at}`;
}

function refuseUnknown(text: string, known: readonly MeasureDef[]): never {
  const name = /^[^(@]*/.exec(text)?.[0] ?? text;
  const close = closest(name, [...known.flatMap((def) => [def.name, ...(def.aliases ?? [])]), ...trecEvalNames]);
  const malformed = findMeasure(name, known);
  if (malformed !== undefined) {
    throw new InputError({
      message: `cannot read the measure ${text}`,
      wayOut: `write it as ${malformed.name}(${Object.keys(paramsOf(malformed))[0]}=…)`,
    });
  }
  if (/^ndcg2$/i.test(name)) {
    throw new InputError({
      message: "there is no measure NDCG2: the LETOR tools' document announces it without a definition, and no script prints it",
      wayOut: "LETOR's NDCG is nDCG(gain='exp',discount='jk')@10",
    });
  }
  throw new InputError({
    message: `there is no measure ${text === '' ? 'with an empty name' : text}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}gradus measures lists them all`,
  });
}
