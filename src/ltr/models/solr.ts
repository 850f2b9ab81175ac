import { InputError } from '../../core/problem.js';
import {
  type FeatureNormalisation,
  type Model,
  type NetLayer,
  type NetScorer,
  netActivations,
  type Scorer,
  type TreeScorer,
} from '../ranker.js';
import { checkModel, checkWeightCount } from './check.js';
import { asFloat32, float32Text, floorFloat32, LARGEST_FLOAT32, largestRoundedTo, nextFloat32, previousFloat32 } from './float32.js';
import { withoutNormalisation } from './fold.js';
import { arrayAt, choiceAt, type JsonObject, member, numbersAt, objectAt, parseJson, refuse, shown, textAt } from './json-places.js';
import type { ModelReading, ModelWriting, WrittenModel } from './model-file.js';
import { type LeafSpec, type NestedSplit, TreeBuilder } from './tree-builder.js';
import { bounded, nestedTrees } from './tree-dumps.js';

/** What the names of Solr's classes begin with. */
const MODELS = 'org.apache.solr.ltr.model.';
const NORMS = 'org.apache.solr.ltr.norm.';
/** Solr adds this to every threshold, in 32 bits. */
const SLACK = Math.fround(1e-6);

/** A model of Solr's learning to rank: trees, linear or net. Solr computes in 32-bit floats; trees give its scores to the bit, the others
 *  from the seventh digit on differ. */
export function modelFromSolr(text: string, { firstFeature = 1 }: ModelReading = {}): Model {
  const file = objectAt(parseJson(text, 'the Solr model'), 'the Solr model');
  const kind = textAt(member(file, 'class'), 'class').replace(MODELS, '');
  const features = arrayAt(member(file, 'features'), 'features').map((feature, i) => objectAt(feature, `features[${i}]`));
  const featureNames = features.map((feature, i) => textAt(member(feature, 'name'), `features[${i}].name`));
  const params = objectAt(member(file, 'params'), 'params');
  return checkModel({
    learner: 'solr',
    firstFeature,
    numFeatures: features.length,
    featureNames,
    missing: kind === 'MultipleAdditiveTreesModel' ? Number.NaN : 0,
    leftOut: 0,
    ...(kind === 'MultipleAdditiveTreesModel' ? { inputs: 'float32' as const } : {}),
    ...normalisationOf(features),
    scorer: scorerOf(kind, params, featureNames),
  });
}

function scorerOf(kind: string, params: JsonObject, featureNames: readonly string[]): Scorer {
  if (kind === 'MultipleAdditiveTreesModel') return readTrees(params, featureNames);
  if (kind === 'LinearModel') {
    const weights = objectAt(member(params, 'weights'), 'params.weights');
    return {
      kind: 'linear',
      bias: 0,
      weights: Float64Array.from(featureNames, (name) => numeral(member(weights, name), `params.weights.${name}`)),
    };
  }
  if (kind === 'NeuralNetworkModel') return readNet(params, featureNames.length);
  throw new InputError({
    message: `the class of the Solr model is ${shown(kind)}, which is not supported`,
    wayOut: 'MultipleAdditiveTreesModel, LinearModel and NeuralNetworkModel are',
  });
}

/** A number, or one in quotation marks. */
function numeral(value: unknown, path: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : refuse(path, shown(value), 'a number');
}

function normalisationOf(features: readonly JsonObject[]): { normalisation?: FeatureNormalisation } {
  const shift = new Float64Array(features.length);
  const factor = new Float64Array(features.length).fill(1);
  let method: 'zscore' | 'minmax' | undefined;
  features.forEach((feature, i) => {
    const norm = member(feature, 'norm');
    if (norm === undefined) return;
    const path = `features[${i}].norm`;
    const kind = textAt(member(objectAt(norm, path), 'class'), `${path}.class`).replace(NORMS, '');
    if (kind === 'IdentityNormalizer') return;
    const params = objectAt(member(objectAt(norm, path), 'params'), `${path}.params`);
    const of = (name: string): number => numeral(member(params, name), `${path}.params.${name}`);
    if (kind === 'MinMaxNormalizer') {
      shift[i] = of('min');
      factor[i] = 1 / (of('max') - of('min'));
      method ??= 'minmax';
    } else if (kind === 'StandardNormalizer') {
      shift[i] = of('avg');
      factor[i] = 1 / of('std');
      method = 'zscore';
    } else refuse(`${path}.class`, shown(kind), 'MinMaxNormalizer, StandardNormalizer or IdentityNormalizer');
    if (!Number.isFinite(factor[i])) refuse(path, 'a range of 0', 'one above 0');
  });
  return method === undefined ? {} : { normalisation: { kind: 'global', method, shift, factor } };
}

function readTrees(params: JsonObject, featureNames: readonly string[]): TreeScorer {
  const builder = new TreeBuilder();
  const columns = new Map(featureNames.map((name, column) => [name, column]));
  arrayAt(member(params, 'trees'), 'params.trees').forEach((value, t) => {
    const path = `params.trees[${t}]`;
    const tree = objectAt(value, path);
    const weight = Math.fround(numeral(member(tree, 'weight'), `${path}.weight`));
    builder.addNested<JsonObject>(objectAt(member(tree, 'root'), `${path}.root`), 1, (node): LeafSpec | NestedSplit<JsonObject> => {
      // the weight is multiplied in 32 bits before the sum is
      if (member(node, 'value') !== undefined)
        return { value: Math.fround(weight * Math.fround(numeral(member(node, 'value'), `${path}: value`))) };
      const name = textAt(member(node, 'feature'), `${path}: feature`);
      const column = columns.get(name) ?? refuse(`${path}: feature`, shown(name), 'one of the features of the model');
      const branch = (side: string): JsonObject => objectAt(member(node, side), `${path}: ${side}`);
      const limit = Math.fround(Math.fround(numeral(member(node, 'threshold'), `${path}: threshold`)) + SLACK);
      const missingLeft = choiceAt(member(node, 'missing') ?? 'right', `${path}: missing`, ['left', 'right']) === 'left';
      return { feature: column, threshold: largestRoundedTo(limit), missingLeft, left: branch('left'), right: branch('right') };
    });
  });
  if (builder.numTrees === 0) throw new InputError('the Solr model has no trees');
  return builder.finish({ sums: 'float32' });
}

function readNet(params: JsonObject, numFeatures: number): NetScorer {
  let inputs = numFeatures;
  return {
    kind: 'net',
    layers: arrayAt(member(params, 'layers'), 'params.layers').map((value, l): NetLayer => {
      const path = `params.layers[${l}]`;
      const layer = objectAt(value, path);
      const rows = arrayAt(member(layer, 'matrix'), `${path}.matrix`).map((row, i) => numbersAt(row, `${path}.matrix[${i}]`, inputs));
      checkWeightCount(rows.length * inputs);
      const weights = new Float64Array(rows.length * inputs);
      rows.forEach((row, unit) => {
        weights.set(row, unit * inputs);
      });
      const made = {
        inputs,
        units: rows.length,
        weights,
        bias: numbersAt(member(layer, 'bias'), `${path}.bias`, rows.length),
        activation: choiceAt(member(layer, 'activation'), `${path}.activation`, netActivations),
      };
      inputs = rows.length;
      return made;
    }),
  };
}

/** A model for Solr's `PUT /schema/model-store`. Thresholds are written so that Solr, which adds a millionth to them, sends every 32-bit
 *  float where this model does. */
export function modelToSolr(original: Model, { solr = '8', functionName }: ModelWriting = {}): WrittenModel {
  const scaled = original.scorer.kind !== 'trees' && canBeScaled(original.normalisation);
  const model = scaled ? original : withoutNormalisation(original, 'Solr');
  const { scorer, numFeatures } = model;
  const names = model.featureNames ?? Array.from({ length: numFeatures }, (_, column) => `f${column}`);
  const features = names.map((name, column) => ({ name, ...(scaled ? normOf(original.normalisation, column) : {}) }));
  const notes: string[] = ['Solr computes in 32 bits: scores differ from the seventh digit on'];
  const made = (kind: string, params: string): WrittenModel => ({
    content: `{"class":${JSON.stringify(MODELS + kind)},"name":${JSON.stringify(functionName ?? 'gradus')},"features":${JSON.stringify(features)},"params":${params}}\n`,
    notes,
  });
  if (scorer.kind === 'linear') {
    if (scorer.bias !== 0) {
      notes.push(`Solr's linear models have no bias: scores are lower by ${scorer.bias}, which does not change their order`);
    }
    const weights = names.map((name, column) => `${JSON.stringify(name)}:${decimal(scorer.weights[column])}`);
    return made('LinearModel', `{"weights":{${weights.join(',')}}}`);
  }
  if (scorer.kind === 'net') return made('NeuralNetworkModel', `{"layers":[${scorer.layers.map(layerJson).join(',')}]}`);
  return made('MultipleAdditiveTreesModel', `{"trees":[${treesJson(model, scorer, names, solr, notes).join(',')}]}`);
}

/** Whether Solr can scale the features itself: it divides, so no factor may be 0. */
function canBeScaled(normalisation: FeatureNormalisation | undefined): boolean {
  return normalisation?.kind === 'global' && normalisation.factor.every((factor) => factor !== 0);
}

function normOf(normalisation: FeatureNormalisation | undefined, column: number): object {
  if (normalisation?.kind !== 'global' || (normalisation.shift[column] === 0 && normalisation.factor[column] === 1)) return {};
  const params = { avg: String(normalisation.shift[column]), std: String(1 / normalisation.factor[column]) };
  return { norm: { class: `${NORMS}StandardNormalizer`, params } };
}

/** Solr reads the numbers of nets as doubles only if they have a point. */
function decimal(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function layerJson({ inputs, units, weights, bias, activation }: NetLayer): string {
  const list = (values: ArrayLike<number>): string => `[${Array.from(values, decimal).join(',')}]`;
  const rows = Array.from({ length: units }, (_, unit) => list(weights.subarray(unit * inputs, (unit + 1) * inputs)));
  return `{"matrix":[${rows.join(',')}],"bias":${list(bias)},"activation":"${activation}"}`;
}

function treesJson(model: Model, scorer: TreeScorer, featureNames: readonly string[], solr: '8' | '9.2', notes: string[]): string[] {
  const { feature, threshold, missingLeft, value, treeWeights, divisor, categories, base } = scorer;
  if (categories !== undefined) throw new InputError('the model splits by category, which Solr cannot express');
  if (scorer.zeroIsMissing) throw new InputError('zeros count as missing in this model, which Solr cannot express');
  const hasMissing = Number.isNaN(model.missing) && feature.some((column, node) => column >= 0 && missingLeft[node] === 1);
  if (hasMissing && solr === '8')
    notes.push('Solr before 9.2 knows no missing values: give every feature a value, or write the model with --solr 9.2');
  let moved = 0;
  const trees = nestedTrees<string>(scorer, (node, tree, _id, _depth, children) => {
    if (children === undefined) {
      const own = (treeWeights[tree] * value[node]) / (divisor ?? 1);
      return `{"value":"${float32Text(asFloat32(own, `a leaf of tree ${tree}`, 'Solr'))}"}`;
    }
    const { text, exact } = solrThreshold(threshold[node]);
    if (!exact) moved++;
    const missing = solr === '9.2' ? `"missing":"${missingLeft[node] === 1 ? 'left' : 'right'}",` : '';
    return `{"feature":${JSON.stringify(featureNames[feature[node]])},"threshold":"${text}",${missing}"left":${children.left},"right":${children.right}}`;
  });
  if (moved > 0) notes.push(`${moved} thresholds cannot be said to Solr exactly: the float after each goes left as well`);
  const roots = trees.map((root) => `{"weight":"1","root":${root}}`);
  const start = asFloat32(base / (divisor ?? 1), 'the base', 'Solr');
  return start === 0 ? roots : [`{"weight":"1","root":{"value":"${float32Text(start)}"}}`, ...roots];
}

/** The number that becomes the largest 32-bit float of the left branch when Solr has added its millionth. */
function solrThreshold(threshold: number): { readonly text: string; readonly exact: boolean } {
  const limit = bounded(floorFloat32(threshold), LARGEST_FLOAT32);
  const near = Math.fround(limit - SLACK);
  const candidates = [
    previousFloat32(previousFloat32(near)),
    previousFloat32(near),
    near,
    nextFloat32(near),
    nextFloat32(nextFloat32(near)),
  ];
  const found = candidates.find((candidate) => Math.fround(candidate + SLACK) === limit);
  const nearest = found ?? candidates.find((candidate) => Math.fround(candidate + SLACK) >= limit) ?? limit;
  return { text: float32Text(nearest), exact: found !== undefined };
}
