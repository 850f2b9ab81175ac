import { InputError } from '../core/problem.js';
import { type Qrels, type QrelsLike, toQrels } from '../core/qrels.js';
import { type Measure, makeMeasure, type Params, paramsOf, withParams } from '../measures/measure.js';
import { type ComputedMeasures, type Convention, type ConventionRules, conventionParams } from './convention.js';

/** The part of the tool that computes a measure; undefined if the convention is about all measures alike.
 *  @throws An `InputError` that says so where the tool does not compute it, or not by rules that are known here. */
function partFor(convention: Convention, measure: Measure): ComputedMeasures | undefined {
  const { computes, name } = convention;
  if (computes === undefined) return undefined;
  const { def, params, text } = measure;
  const part = fittingPart(computes, measure);
  if (part?.refused !== undefined) throw new InputError({ message: `${text} under ${name}: ${part.refused}`, wayOut: wayOut(convention) });
  if (part?.writtenOut !== undefined && measure.written?.includes(part.writtenOut) === false) {
    const { writtenOut } = part;
    const message = `${text} under ${name}: ${name} computes ${def.name} only where ${writtenOut} is written out`;
    throw new InputError({ message, wayOut: `write ${withWritten(measure, writtenOut)}` });
  }
  for (const [param, decimals] of Object.entries(part?.decimals ?? {})) {
    const value = params[param] as number;
    if (Math.abs(Number(value.toFixed(decimals)) - value) > 1e-12) {
      const message = `${text} under ${name}: ${name} rounds ${param} to ${decimals} decimals and computes something else`;
      throw new InputError({ message, wayOut: `give ${param} with ${decimals} decimals` });
    }
  }
  if (part !== undefined) return part;
  const forms = computes.filter(({ measures, refused }) => measures.includes(def.name) && refused === undefined);
  const conditions = forms.map(({ fits = {} }) =>
    Object.entries(fits)
      .map(([param, wanted]) => `with ${param} ${wanted}`)
      .join(' and '),
  );
  const only = forms.length === 0 ? '' : `; it has ${def.name} ${conditions.join(' or ')}`;
  throw new InputError({ message: `${name} does not compute ${text}${only}`, wayOut: wayOut(convention) });
}

/** `RBP(rel=1,p=0.5)` for `RBP(p=0.5)`. */
function withWritten({ def, params, text }: Measure, param: string): string {
  const [, inside, at = ''] = /^[^(@]*(?:\((.*)\))?(@.*)?$/s.exec(text) ?? [];
  return `${def.name}(${[`${param}=${params[param]}`, inside].filter((part) => part !== undefined).join(',')})${at}`;
}

function fittingPart(computes: readonly ComputedMeasures[], { def, params }: Measure): ComputedMeasures | undefined {
  const specs = paramsOf(def);
  const isGiven = (param: string): boolean =>
    Object.hasOwn(specs, param) && params[param] !== undefined && params[param] !== specs[param].default;
  return computes.find(
    ({ measures, fits = {} }) =>
      measures.includes(def.name) && Object.entries(fits).every(([param, wanted]) => isGiven(param) === (wanted === 'given')),
  );
}

function wayOut({ computes = [], name }: Convention): string {
  const names = [...new Set(computes.filter(({ refused }) => refused === undefined).flatMap(({ measures }) => measures))];
  return `${name} has ${names.join(', ')}; every other measure is there without --convention`;
}

/** The rules by which a tool computes one measure. */
export function rulesFor(convention: Convention, measure: Measure): ConventionRules {
  const part = partFor(convention, measure);
  return part?.rules === undefined ? convention.rules : { ...convention.rules, ...part.rules };
}

/** True if the tool computes the measure by rules that are known here. */
export function computes(convention: Convention, measure: Measure): boolean {
  try {
    partFor(convention, measure);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** The parameters that a convention gives to a measure whose text leaves them out. Rules of judging that hold for this measure and
 *  not for all go with it as parameters. */
export function paramsUnder(convention: Convention, measure: Measure): Params {
  const rules = rulesFor(convention, measure);
  const { rules: common } = convention;
  return {
    ...conventionParams(measure.def, rules),
    ...(rules.ties === common.ties ? {} : { ties: rules.ties }),
    ...(rules.scorePrecision === common.scorePrecision ? {} : { scores: rules.scorePrecision }),
    ...(rules.negativeGrades === common.negativeGrades ? {} : { negatives: rules.negativeGrades }),
  };
}

/** The measure by a definition under which all of these conventions can compute it. */
export function definedFor(conventions: readonly Convention[], measure: Measure): Measure {
  for (const { definitions = [] } of conventions) {
    const def = definitions.find(({ name }) => name === measure.def.name);
    if (def !== undefined) return { ...measure, ...makeMeasure(def, measure.params) };
  }
  return measure;
}

/** The measure as a convention computes it, among others by the same convention. */
export function measureUnder(convention: Convention, measure: Measure): Measure {
  const specs = paramsOf(measure.def);
  const changes = Object.entries(paramsUnder(convention, measure)).filter(([name]) => measure.params[name] === specs[name]?.default);
  return withParams(measure, Object.fromEntries(changes));
}

/** Refuses judgements that a tool does not take for one of these measures, or fails on: any number would be ours alone. Measures that the
 *  tool does not have were refused when they were read, unless they are asked for beside it. */
export function refuseJudgements(convention: Convention, measures: readonly Measure[], judgements: QrelsLike): void {
  if (convention.computes?.some(({ grades, needsRelevant }) => grades !== undefined || needsRelevant === true) !== true) return;
  const qrels = toQrels(judgements);
  for (const measure of measures) {
    const part = fittingPart(convention.computes, measure);
    if (part?.grades !== undefined) refuseGrades(convention, measure, qrels, part);
    if (part?.topics === 'numbers') refuseNames(convention, measure, qrels, part);
    if (part?.needsRelevant === true) refuseTopicsWithoutRelevant(convention, measure, qrels);
  }
}

function refuseGrades(convention: Convention, measure: Measure, qrels: Qrels, part: ComputedMeasures): void {
  const { least = -Infinity, most = Infinity, whole = false } = part.grades ?? {};
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
      const grade = qrels.grades[row];
      if (grade >= least && grade <= most && (!whole || Number.isInteger(grade))) continue;
      throw gradeRefusal(convention, measure, part, `topic ${qrels.topics.text(topic)} has a document of grade ${grade}`);
    }
  }
}

/** What is known of grades that are counted elsewhere. */
export interface GradeFacts {
  readonly lowestGrade: number;
  readonly highestGrade: number;
  readonly fractionalGrades: number;
}

/** Refuses grades that a tool does not take for one of these measures, where the judgements themselves are not at hand. */
export function refuseGradeFacts(convention: Convention, measures: readonly Measure[], facts: GradeFacts): void {
  const { lowestGrade, highestGrade, fractionalGrades } = facts;
  for (const measure of measures) {
    const part = fittingPart(convention.computes ?? [], measure);
    if (part?.grades === undefined) continue;
    const { least = -Infinity, most = Infinity, whole = false } = part.grades;
    const beyond = lowestGrade < least ? lowestGrade : highestGrade > most ? highestGrade : undefined;
    if (beyond !== undefined) throw gradeRefusal(convention, measure, part, `there are judgements of grade ${beyond}`);
    if (whole && fractionalGrades > 0) throw gradeRefusal(convention, measure, part, 'there are grades that are not whole numbers');
  }
}

function gradeRefusal(convention: Convention, { text }: Measure, { grades = {}, by }: ComputedMeasures, found: string): InputError {
  const { least = -Infinity, most = Infinity, whole = false } = grades;
  const limits = [least > -Infinity ? `from ${least}` : '', most < Infinity ? `up to ${most}` : ''].filter((limit) => limit !== '');
  return new InputError({
    message: `${found}, and ${by ?? convention.name} takes only ${whole ? 'whole ' : ''}grades ${limits.join(' ')} for ${text}`,
    wayOut: `change the grades, or leave out --convention ${convention.name}`,
  });
}

function refuseNames({ name }: Convention, { text }: Measure, { topics }: Qrels, { by = name }: ComputedMeasures): void {
  for (let topic = 0; topic < topics.size; topic++) {
    if (/^[0-9]+$/.test(topics.text(topic))) continue;
    throw new InputError({
      message: `topic ${topics.text(topic)} is not named by a whole number, and ${by}, by which ${name} computes ${text}, takes no others`,
      wayOut: `name topics by numbers, or leave out --convention ${name}`,
    });
  }
}

function refuseTopicsWithoutRelevant(convention: Convention, { text, params }: Measure, qrels: Qrels): void {
  const level = params.rel as number;
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    if (qrels.grades.subarray(qrels.offsets[topic], qrels.offsets[topic + 1]).some((grade) => grade >= level)) continue;
    throw new InputError({
      message: `topic ${qrels.topics.text(topic)} has no relevant document; there ${convention.name} gives up on ${text} for this and further topics, and which ones depends on its threads`,
      wayOut: `leave the topic out of the judgements, or leave out --convention ${convention.name}`,
    });
  }
}
