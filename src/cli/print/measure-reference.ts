import { expectationOf } from '../../core/index.js';
import {
  docOf,
  type MeasureDef,
  type MeasureExample,
  measureAtCutoff,
  namesAtCutoff,
  type ParamSpec,
  parameterHelp,
  paramsOf,
  paramText,
  parseMeasures,
  toolsOfName,
  trecEvalMeasure,
  trecEvalNames,
  universalParams,
  xgboostNames,
} from '../../measures/index.js';

/** What is to be said about a measure, for the terminal, the reference pages and scripts alike. */
export interface MeasureReference {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly title: string;
  /** How it is written, required parameters included. */
  readonly usage: string;
  readonly help: string;
  readonly formula: string | undefined;
  /** Where tools differ. */
  readonly tools: string | undefined;
  readonly parameters: readonly ParameterReference[];
  readonly facts: readonly string[];
  readonly citations: readonly { readonly text: string; readonly doi: string | undefined }[];
  readonly spellings: readonly ForeignSpelling[];
  /** Rankings worked out by hand. */
  readonly examples: readonly MeasureExample[];
}

/** How other tools write a measure. */
interface ForeignSpelling {
  readonly text: string;
  readonly ours: string;
  readonly tools: readonly string[];
}

interface ParameterReference {
  readonly name: string;
  readonly accepts: string;
  readonly default: string | undefined;
  readonly required: boolean;
  readonly help: string;
  /** Every measure has it. */
  readonly universal: boolean;
}

/** All there is to say about a measure, for the terminal and the page alike. */
export function measureReference(def: MeasureDef): MeasureReference {
  const { title, help, formula, tools, cite = [], examples } = docOf(def);
  return {
    name: def.name,
    aliases: def.aliases ?? [],
    title,
    usage: usageOf(def),
    help: oneLine(help),
    formula,
    tools: tools === undefined ? undefined : oneLine(tools),
    parameters: Object.entries(paramsOf(def)).map(([name, spec]) => parameterReference(name, spec, parameterHelp(def, name))),
    facts: factsOf(def),
    citations: cite.map(({ text, doi }) => ({ text, doi })),
    spellings: foreignSpellings(def),
    examples,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function usageOf(def: MeasureDef): string {
  if (def.at === undefined) return def.name;
  const number = def.at === 'cutoff' ? 'K' : 'X';
  return def.params[def.at]?.required ? `${def.name}@${number}` : `${def.name} or ${def.name}@${number}`;
}

function parameterReference(name: string, spec: ParamSpec, help: string): ParameterReference {
  return {
    name,
    accepts: expectationOf(spec, 'such as [0.5,0.5]'),
    default: spec.default === undefined ? undefined : paramText(spec.default),
    required: spec.required === true,
    help,
    universal: Object.hasOwn(universalParams, name),
  };
}

function factsOf(def: MeasureDef): string[] {
  const [low, high] = def.range;
  const range =
    high === Infinity
      ? low === -Infinity
        ? 'any number'
        : `${low} and above`
      : low === -Infinity
        ? `${high} and below`
        : `${low} to ${high}`;
  const direction = { higher: 'higher is better', lower: 'lower is better', neither: 'neither high nor low is better' }[def.direction];
  const aggregate = {
    mean: 'topics are averaged',
    sum: 'topics are added up',
    geometric: 'the geometric mean of the topics is taken',
    harmonic: 'the harmonic mean of the topics is taken',
    median: 'the median of the topics is taken',
    min: 'the lowest topic is taken',
    max: 'the highest topic is taken',
    sd: 'the standard deviation over topics is taken',
    se: 'the standard error over topics is taken',
  }[def.aggregate];
  const facts = [`range: ${range}; ${direction}`, aggregate];
  if (def.undefinedValue !== undefined) facts.push(`where the definition gives 0/0 the value is ${def.undefinedValue}`);
  if (def.needs === 'preferences') facts.push('computed from preferences between documents, not from grades');
  if (def.needs === 'subtopics') facts.push('computed from judgements per subtopic, which is the second column of the judgements');
  if (def.needs === 'users') facts.push('computed from what the reader of each topic knows or expects, besides grades');
  if (def.ties === 'expected') facts.push('equal scores: the mean over all their orders is taken');
  return facts;
}

/** How other tools write this measure. A cutoff appears as K. */
function foreignSpellings(def: MeasureDef): ForeignSpelling[] {
  const spellings: { text: string; ours: string; tools: string[] }[] = [];
  const add = (ours: string | undefined, text: string, tools: readonly string[]): void => {
    if (ours === undefined) return;
    if (!parseMeasures(ours.replace('{}', '1')).some((measure) => measure.def.name === def.name)) return;
    const known = spellings.find((spelling) => spelling.text === text && spelling.ours === ours.replace('{}', 'K'));
    if (known === undefined) spellings.push({ text, ours: ours.replace('{}', 'K'), tools: [...tools] });
    else known.tools.push(...tools);
  };
  for (const name of trecEvalNames) {
    const { ours, cutoffs } = trecEvalMeasure(name) ?? {};
    add(ours, cutoffs === undefined ? name : `${name}.K`, ['trec_eval']);
  }
  for (const name of namesAtCutoff) {
    const { whole, at } = measureAtCutoff(name) ?? {};
    add(whole, name, toolsOfName[name]);
    add(at, `${name}@K`, toolsOfName[name]);
  }
  for (const [name, ours] of Object.entries(xgboostNames)) add(`${ours}@{}`, `${name}@K-`, ['XGBoost']);
  return spellings;
}

/** `AP of a b c, judged a:1 c:1, is (1/1 + 2/3) / 2 = 0.8333. What else is to be seen.` */
export function exampleText({ measure, run, qrels, known, expected, worked, value, note }: MeasureExample): string {
  const groups = typeof qrels === 'string' ? [qrels] : Object.entries(qrels).map(([group, grades]) => `${grades} (${group})`);
  const given = [`judged ${groups.join(' and ')}`];
  if (known !== undefined) given.push(`with ${known} known`);
  if (expected !== undefined) given.push(`${expected} documents expected`);
  const result = worked === String(value) ? worked : `${worked} = ${value}`;
  const more = note === undefined ? '' : ` ${note[0].toUpperCase()}${note.slice(1).replace(/\.$/, '')}.`;
  return `${measure} of ${run}, ${given.join(', ')}, is ${result}.${more}`;
}
