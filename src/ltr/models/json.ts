import { tieRules } from '../../core/judging/judging-rules.js';
import { InputError } from '../../core/problem.js';
import type {
  CategorySplits,
  FeatureNormalisation,
  LinearScorer,
  Model,
  NetLayer,
  NetScorer,
  OptionValue,
  Scorer,
  TrainingRecord,
  TreeScorer,
} from '../ranker.js';
import { netActivations } from '../ranker.js';
import { checkFeatureCount, checkModel, LARGEST_ID } from './check.js';
import {
  arrayAt,
  checkedName,
  choiceAt,
  type JsonObject,
  member,
  numberAt,
  numbersAt,
  objectAt,
  onlyMembers,
  parseJson,
  refuse,
  shown,
  textAt,
  textsAt,
  wholeAt,
  wholesAt,
} from './json-places.js';
import { refusingTooLarge } from './model-file.js';

/** What the first member of a model file says. */
export const MODEL_FORMAT = 'gradus-model';
const MODEL_VERSION = 1;

/** The model as a JSON file: one member per line, numbers in the shortest form that reads back as the same double. The same
 *  model gives the same bytes. */
export function modelToJson(model: Model): string {
  checkModel(model);
  return refusingTooLarge(MODEL_FORMAT, () => jsonOf(model));
}

function jsonOf(model: Model): string {
  const { learner, firstFeature, numFeatures, featureNames, missing, leftOut, inputs, normalisation, scorer, training } = model;
  const lines = [
    `"format": ${JSON.stringify(MODEL_FORMAT)}`,
    `"version": ${MODEL_VERSION}`,
    `"learner": ${JSON.stringify(learner)}`,
    `"firstFeature": ${firstFeature}`,
    `"numFeatures": ${numFeatures}`,
  ];
  if (featureNames !== undefined) lines.push(`"featureNames": ${JSON.stringify(featureNames)}`);
  lines.push(`"missing": ${Number.isNaN(missing) ? 'null' : numberText(missing)}`);
  if (leftOut !== undefined) lines.push(`"leftOut": ${numberText(leftOut)}`);
  if (inputs !== undefined) lines.push(`"inputs": ${JSON.stringify(inputs)}`);
  if (normalisation !== undefined) lines.push(`"normalisation": ${valueText(normalisation)}`);
  if (training !== undefined) lines.push(`"training": ${valueText(training)}`);
  lines.push(`"scorer": ${scorerText(scorer)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Reads what `modelToJson` wrote. Anything else is refused in one sentence. */
export function modelFromJson(text: string): Model {
  const file = objectAt(parseJson(text, 'the model file'), 'the model file');
  if (member(file, 'format') !== MODEL_FORMAT) {
    throw new InputError({
      message: `the file is not a model of Gradus: its format is ${shown(member(file, 'format'))}, expected "${MODEL_FORMAT}"`,
      wayOut: 'gradus model convert reads the models of other tools',
    });
  }
  const version = member(file, 'version');
  if (version !== MODEL_VERSION) {
    throw new InputError({
      message: `the model file has version ${shown(version)}, this Gradus reads version ${MODEL_VERSION}`,
      wayOut: typeof version === 'number' && version > MODEL_VERSION ? 'a newer Gradus wrote it' : undefined,
    });
  }
  onlyMembers(file, 'the model file', [
    'format',
    'version',
    'learner',
    'firstFeature',
    'numFeatures',
    'featureNames',
    'missing',
    'leftOut',
    'inputs',
    'normalisation',
    'training',
    'scorer',
  ]);
  const numFeatures = wholeAt(member(file, 'numFeatures'), 'numFeatures', 0, LARGEST_ID);
  checkFeatureCount(numFeatures);
  const missing = member(file, 'missing');
  return checkModel({
    learner: textAt(member(file, 'learner'), 'learner'),
    firstFeature: wholeAt(member(file, 'firstFeature'), 'firstFeature', 0, LARGEST_ID),
    numFeatures,
    ...given('featureNames', optional(file, 'featureNames', textsAt)),
    missing: missing === null ? Number.NaN : numberAt(missing, 'missing'),
    ...given('leftOut', optional(file, 'leftOut', numberAt)),
    ...given(
      'inputs',
      optional(file, 'inputs', (value, path) => choiceAt(value, path, ['float32'] as const)),
    ),
    ...given(
      'normalisation',
      optional(file, 'normalisation', (value, path) => readNormalisation(value, path, numFeatures)),
    ),
    scorer: readScorer(member(file, 'scorer'), numFeatures),
    ...given('training', optional(file, 'training', readTraining)),
  });
}

function given<K extends string, V>(name: K, value: V | undefined): { readonly [name in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in K]?: V };
}

function optional<T>(object: JsonObject, name: string, read: (value: unknown, path: string) => T): T | undefined {
  const value = member(object, name);
  return value === undefined ? undefined : read(value, name);
}

function readNormalisation(value: unknown, path: string, numFeatures: number): FeatureNormalisation {
  const object = objectAt(value, path);
  if (choiceAt(member(object, 'kind'), `${path}.kind`, ['global', 'query']) === 'query') {
    onlyMembers(object, path, ['kind', 'method']);
    return { kind: 'query', method: choiceAt(member(object, 'method'), `${path}.method`, ['zscore', 'minmax', 'sum']) };
  }
  onlyMembers(object, path, ['kind', 'method', 'shift', 'factor']);
  return {
    kind: 'global',
    method: choiceAt(member(object, 'method'), `${path}.method`, ['zscore', 'minmax']),
    shift: numbersAt(member(object, 'shift'), `${path}.shift`, numFeatures),
    factor: numbersAt(member(object, 'factor'), `${path}.factor`, numFeatures),
  };
}

function readTraining(value: unknown, path: string): TrainingRecord {
  const object = objectAt(value, path);
  onlyMembers(object, path, ['objective', 'convention', 'ties', 'options', 'seed', 'data', 'iterations', 'best', 'history']);
  const best = member(object, 'best');
  return {
    objective: textAt(member(object, 'objective'), `${path}.objective`),
    ...given('convention', optional(object, 'convention', textAt)),
    ...given(
      'ties',
      optional(object, 'ties', (rule, at) => choiceAt(rule, `${path}.${at}`, tieRules)),
    ),
    options: Object.fromEntries(
      Object.entries(objectAt(member(object, 'options'), `${path}.options`)).map(([name, option]) => [
        checkedName(name, `${path}.options`),
        readOption(option, `${path}.options.${name}`),
      ]),
    ),
    seed: numberAt(member(object, 'seed'), `${path}.seed`),
    ...given('data', optional(object, 'data', textAt)),
    iterations: wholeAt(member(object, 'iterations'), `${path}.iterations`, 0, Infinity),
    ...given('best', best === undefined ? undefined : readBest(best, `${path}.best`)),
    ...given(
      'history',
      optional(object, 'history', (history) => readHistory(history, `${path}.history`)),
    ),
  };
}

function readHistory(value: unknown, path: string): NonNullable<TrainingRecord['history']> {
  const object = objectAt(value, path);
  onlyMembers(object, path, ['iterations', 'curves']);
  const iterations = [...numbersAt(member(object, 'iterations'), `${path}.iterations`)];
  const curves = arrayAt(member(object, 'curves'), `${path}.curves`).map((curve, c) => {
    const at = `${path}.curves[${c}]`;
    const own = objectAt(curve, at);
    onlyMembers(own, at, ['set', 'measure', 'values']);
    return {
      set: textAt(member(own, 'set'), `${at}.set`),
      measure: textAt(member(own, 'measure'), `${at}.measure`),
      values: [...numbersAt(member(own, 'values'), `${at}.values`, iterations.length)],
    };
  });
  return { iterations, curves };
}

function readBest(value: unknown, path: string): NonNullable<TrainingRecord['best']> {
  const object = objectAt(value, path);
  onlyMembers(object, path, ['iteration', 'validation']);
  return {
    iteration: wholeAt(member(object, 'iteration'), `${path}.iteration`, 0, Infinity),
    validation: numberAt(member(object, 'validation'), `${path}.validation`),
  };
}

function readOption(value: unknown, path: string): OptionValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return [...numbersAt(value, path, undefined, true)];
  return numberAt(value, path);
}

function readScorer(value: unknown, numFeatures: number): Scorer {
  const object = objectAt(value, 'scorer');
  const kind = choiceAt(member(object, 'kind'), 'scorer.kind', ['linear', 'trees', 'net']);
  if (kind === 'linear') return readLinear(object, numFeatures);
  return kind === 'trees' ? readTrees(object) : readNet(object);
}

function readLinear(object: JsonObject, numFeatures: number): LinearScorer {
  onlyMembers(object, 'scorer', ['kind', 'weights', 'bias']);
  return {
    kind: 'linear',
    weights: numbersAt(member(object, 'weights'), 'scorer.weights', numFeatures),
    bias: numberAt(member(object, 'bias'), 'scorer.bias'),
  };
}

const treeMembers = [
  'kind',
  'base',
  'divisor',
  'sums',
  'zeroIsMissing',
  'nodeOffsets',
  'treeWeights',
  'feature',
  'threshold',
  'left',
  'right',
  'missingLeft',
  'value',
  'categories',
  'gain',
  'cover',
];

function readTrees(object: JsonObject): TreeScorer {
  onlyMembers(object, 'scorer', treeMembers);
  // fits: at most LARGEST_ID, which wholesAt checks
  const nodeOffsets = Uint32Array.from(wholesAt(member(object, 'nodeOffsets'), 'scorer.nodeOffsets', 0, LARGEST_ID));
  const numNodes = nodeOffsets.at(-1) ?? 0;
  const wholes = (name: string, least: number, most: number): number[] =>
    wholesAt(member(object, name), `scorer.${name}`, least, most, numNodes);
  const numbers = (name: string, infinite = false): Float64Array => numbersAt(member(object, name), `scorer.${name}`, numNodes, infinite);
  const zeroIsMissing = member(object, 'zeroIsMissing');
  if (zeroIsMissing !== undefined && zeroIsMissing !== true) refuse('scorer.zeroIsMissing', shown(zeroIsMissing), 'true');
  return {
    kind: 'trees',
    base: numberAt(member(object, 'base'), 'scorer.base'),
    nodeOffsets,
    treeWeights: numbersAt(member(object, 'treeWeights'), 'scorer.treeWeights', Math.max(0, nodeOffsets.length - 1)),
    feature: Int32Array.from(wholes('feature', -1, LARGEST_ID)), // fits: from -1 to LARGEST_ID, which wholesAt checks
    threshold: numbers('threshold', true),
    left: Uint32Array.from(wholes('left', 0, LARGEST_ID)), // fits: at most LARGEST_ID, which wholesAt checks
    right: Uint32Array.from(wholes('right', 0, LARGEST_ID)), // fits: at most LARGEST_ID, which wholesAt checks
    missingLeft: Uint8Array.from(wholes('missingLeft', 0, 1)), // fits: flags
    value: numbers('value'),
    ...given('categories', member(object, 'categories') === undefined ? undefined : readCategories(member(object, 'categories'))),
    ...given('gain', member(object, 'gain') === undefined ? undefined : numbers('gain', true)),
    ...given('cover', member(object, 'cover') === undefined ? undefined : numbers('cover', true)),
    ...given('divisor', member(object, 'divisor') === undefined ? undefined : numberAt(member(object, 'divisor'), 'scorer.divisor')),
    ...given(
      'sums',
      member(object, 'sums') === undefined ? undefined : choiceAt(member(object, 'sums'), 'scorer.sums', ['float32'] as const),
    ),
    ...given('zeroIsMissing', zeroIsMissing),
  };
}

function readCategories(value: unknown): CategorySplits {
  const path = 'scorer.categories';
  const object = objectAt(value, path);
  onlyMembers(object, path, ['setOf', 'offsets', 'words']);
  const wholes = (name: string, least: number, most: number): number[] => wholesAt(member(object, name), `${path}.${name}`, least, most);
  return {
    setOf: Int32Array.from(wholes('setOf', -1, LARGEST_ID)), // fits: from -1 to LARGEST_ID, which wholesAt checks
    offsets: Uint32Array.from(wholes('offsets', 0, LARGEST_ID)), // fits: at most LARGEST_ID, which wholesAt checks
    words: Uint32Array.from(wholes('words', 0, 2 ** 32 - 1)), // fits: 32 bits, which wholesAt checks
  };
}

function readNet(object: JsonObject): NetScorer {
  onlyMembers(object, 'scorer', ['kind', 'layers']);
  return {
    kind: 'net',
    layers: arrayAt(member(object, 'layers'), 'scorer.layers').map((value, l): NetLayer => {
      const path = `scorer.layers[${l}]`;
      const layer = objectAt(value, path);
      onlyMembers(layer, path, ['inputs', 'units', 'activation', 'bias', 'weights']);
      return {
        inputs: wholeAt(member(layer, 'inputs'), `${path}.inputs`, 0, LARGEST_ID),
        units: wholeAt(member(layer, 'units'), `${path}.units`, 1, LARGEST_ID),
        activation: choiceAt(member(layer, 'activation'), `${path}.activation`, netActivations),
        bias: numbersAt(member(layer, 'bias'), `${path}.bias`),
        weights: numbersAt(member(layer, 'weights'), `${path}.weights`),
      };
    }),
  };
}

function scorerText(scorer: Scorer): string {
  const names = scorer.kind === 'trees' ? treeMembers : Object.keys(scorer);
  const members = new Map<string, unknown>(Object.entries(scorer));
  const lines = names
    .filter((name) => members.get(name) !== undefined && members.get(name) !== false)
    .map((name) => `  ${JSON.stringify(name)}: ${valueText(members.get(name))}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** JSON in one line, members in the order of their names, typed arrays as arrays, infinities as text. */
function valueText(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return `[${Array.from(value as Float64Array, numberText).join(',')}]`;
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  const members = Object.entries(value as object)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}: ${valueText(item)}`).join(', ')}}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) throw new InputError('the model holds a value that is not a number, which cannot be saved');
  if (!Number.isFinite(value)) return JSON.stringify(String(value));
  return Object.is(value, -0) ? '-0' : String(value);
}
