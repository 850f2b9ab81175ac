import { InputError } from '../../core/problem.js';
import type { Model, NetLayer, Scorer } from '../ranker.js';
import { checkFeatureCount, checkModel, checkWeightCount, LARGEST_ID } from './check.js';
import { floorFloat32, largestRoundedTo } from './float32.js';
import { type RankLibTree, readEnsembles } from './ranklib-xml.js';
import { TreeBuilder } from './tree-builder.js';

/** What RankLib writes behind `## ` on the first line, and the learner it stands for. */
export const rankLibNames: Readonly<Record<string, string>> = {
  MART: 'mart',
  RankNet: 'ranknet',
  RankBoost: 'rankboost',
  AdaRank: 'adarank',
  'Coordinate Ascent': 'coordinate-ascent',
  LambdaRank: 'lambdarank',
  LambdaMART: 'lambdamart',
  ListNet: 'listnet',
  'Random Forests': 'random-forest',
  'Linear Regression': 'linear-regression',
};

/** A model file of RankLib. RankLib reads features as 32-bit floats, counts what is missing as 0 and, in ensembles, adds in
 *  32 bits; the model does the same. */
export function modelFromRankLib(text: string): Model {
  // by hand: a pattern would look at long runs of blanks over and over
  const firstLine = text.trimStart().split('\n', 1)[0].trim();
  const name = firstLine.startsWith('## ') ? firstLine.slice(3).trim() : '';
  if (!Object.hasOwn(rankLibNames, name)) {
    throw new InputError({
      message: `the first line names ${name === '' ? 'no' : JSON.stringify(name.slice(0, 40))} model of RankLib`,
      wayOut: `RankLib writes ${Object.keys(rankLibNames).join(', ')}`,
    });
  }
  const learner = rankLibNames[name];
  const body = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('##'));
  if (body.length === 0) throw new InputError({ message: `the ${name} model is empty`, wayOut: 'the file may have been cut off' });
  if (name === 'MART' || name === 'LambdaMART' || name === 'Random Forests') return ensemble(learner, readEnsembles(text));
  if (name === 'RankBoost') return stumps(learner, body[0]);
  if (name === 'RankNet' || name === 'LambdaRank' || name === 'ListNet') return net(learner, body);
  return linear(learner, body[0]);
}

function finished(learner: string, numFeatures: number, scorer: Scorer): Model {
  const single = scorer.kind === 'trees' ? {} : { inputs: 'float32' as const };
  return checkModel({ learner, firstFeature: 1, numFeatures, missing: 0, ...single, scorer });
}

function linear(learner: string, line: string): Model {
  const pairs = line.split(/\s+/).map((word) => {
    const [id, weight] = word.split(':');
    return { id: featureId(id, word, 0), weight: parsed(weight, word) };
  });
  const numFeatures = pairs.reduce((most, { id }) => Math.max(most, id), 0);
  checkFeatureCount(numFeatures);
  const weights = new Float64Array(numFeatures);
  let bias = 0;
  for (const { id, weight } of pairs) {
    if (id === 0) bias = weight;
    // a feature may be chosen several times
    else weights[id - 1] += weight;
  }
  return finished(learner, numFeatures, { kind: 'linear', weights, bias });
}

/** RankBoost: a weight for each document whose feature is above a threshold. */
function stumps(learner: string, line: string): Model {
  const builder = new TreeBuilder();
  let numFeatures = 0;
  for (const word of line.split(/\s+/)) {
    const [id, threshold, weight] = word.split(':');
    const feature = featureId(id, word, 1);
    numFeatures = Math.max(numFeatures, feature);
    const limit = largestRoundedTo(floorFloat32(parsed(threshold, word)));
    builder.add(0, parsed(weight, word), (node) => (node === 0 ? split(feature, limit) : { value: node === 1 ? 0 : 1 }));
  }
  return finished(learner, numFeatures, builder.finish());
}

function split(id: number, threshold: number): { feature: number; threshold: number; missingLeft: boolean; left: number; right: number } {
  return { feature: id - 1, threshold, missingLeft: 0 <= threshold, left: 1, right: 2 };
}

function ensemble(learner: string, bags: readonly (readonly RankLibTree[])[]): Model {
  const forest = learner === 'random-forest';
  const builder = new TreeBuilder();
  let numFeatures = 0;
  for (const bag of bags) {
    for (const { weight, nodes } of bag) {
      const single = Math.fround(weight);
      const premultiplied = forest && bag.length === 1;
      builder.add(0, premultiplied ? 1 : single, (n) => {
        const node = nodes[n];
        // a bag's sum is a 32-bit float, the mean over bags is not: exact for bags of one tree, which is the default
        if ('output' in node) return { value: premultiplied ? Math.fround(Math.fround(node.output) * single) : Math.fround(node.output) };
        numFeatures = Math.max(numFeatures, featureId(String(node.feature), `<feature>${node.feature}`, 1));
        const threshold = largestRoundedTo(Math.fround(node.threshold));
        return { ...split(node.feature, threshold), left: node.left, right: node.right };
      });
    }
  }
  return finished(learner, numFeatures, builder.finish(forest ? { divisor: bags.length } : { sums: 'float32' }));
}

/** Lines: the ids of the features, the number of hidden layers, the units of each, then for each unit of each layer its
 *  weights to the next layer. The last input is always 1 and has weights to all layers. */
function net(learner: string, lines: readonly string[]): Model {
  const ids = lines[0].split(/\s+/).map((word) => featureId(word, lines[0], 1));
  const numHidden = whole(lines[1], 'the number of hidden layers', 0, 100);
  const sizes = [
    ids.length,
    ...Array.from({ length: numHidden }, (_, layer) => whole(lines[2 + layer], `the size of layer ${layer + 1}`, 1, 100_000)),
    1,
  ];
  const rows = new Map<string, number[]>();
  for (const line of lines.slice(2 + numHidden)) {
    const [layer, unit, ...weights] = line.split(/\s+/);
    rows.set(
      `${layer} ${unit}`,
      weights.map((weight) => parsed(weight, line)),
    );
  }
  const rowOf = (layer: number, unit: number, length: number): number[] => {
    const row = rows.get(`${layer} ${unit}`);
    if (row?.length !== length) {
      throw new InputError(`unit ${unit} of layer ${layer} of the net has ${row?.length ?? 'no'} weights, expected ${length}`);
    }
    return row;
  };
  const numFeatures = ids.reduce((most, id) => Math.max(most, id), 0);
  checkFeatureCount(numFeatures);
  checkWeightCount(sizes.slice(1).reduce((sum, units, l) => sum + units * ((l === 0 ? numFeatures : sizes[l]) + 1), 0));
  const biases = rowOf(
    0,
    ids.length,
    sizes.slice(1).reduce((sum, size) => sum + size, 0),
  );
  let biasAt = 0;
  const layers = sizes.slice(1).map((units, l): NetLayer => {
    const inputs = l === 0 ? numFeatures : sizes[l];
    const weights = new Float64Array(inputs * units);
    for (let from = 0; from < sizes[l]; from++) {
      const row = rowOf(l, from, units);
      const column = l === 0 ? ids[from] - 1 : from;
      for (let unit = 0; unit < units; unit++) weights[unit * inputs + column] = row[unit];
    }
    const bias = Float64Array.from(biases.slice(biasAt, biasAt + units));
    biasAt += units;
    return { inputs, units, weights, bias, activation: 'sigmoid' };
  });
  return finished(learner, numFeatures, { kind: 'net', layers });
}

function featureId(text: string, where: string, least: number): number {
  return whole(text, `a feature id in ${JSON.stringify(where.slice(0, 40))}`, least, LARGEST_ID);
}

function whole(text: string | undefined, what: string, least: number, most: number): number {
  const number = Number(text);
  if (text === undefined || !/^\d+$/.test(text.trim()) || number < least || number > most) {
    throw new InputError(
      `the RankLib model: ${what} is ${text === undefined ? 'absent' : text.slice(0, 40)}, expected a whole number from ${least}`,
    );
  }
  return number;
}

function parsed(text: string | undefined, where: string): number {
  const number = Number(text);
  if (text === undefined || text === '' || !Number.isFinite(number)) {
    throw new InputError(`the RankLib model: found ${JSON.stringify(where.slice(0, 60))}, expected numbers`);
  }
  return number;
}
