import { InputError } from '../../core/problem.js';
import type { LinearScorer, Model, NetLayer, NetScorer, TreeScorer } from '../ranker.js';
import { checkFeatureCount } from './check.js';
import { asFinite, asFloat32, float32Text, LARGEST_FLOAT32 } from './float32.js';
import { withoutNormalisation } from './fold.js';
import type { WrittenModel } from './model-file.js';

/** Levels that are shown by their indentation. */
const DEEPEST_INDENT = 40;

/** What RankLib calls the normalisations by query that it can do itself. */
const rankLibNorms = { sum: 'sum', zscore: 'zscore', minmax: 'linear' } as const;

/** A file that RankLib reads: ensembles as MART, LambdaMART or Random Forests, stumps of RankBoost as RankBoost, linear models as
 *  Coordinate Ascent, AdaRank or Linear Regression, nets as RankNet, LambdaRank or ListNet. */
export function modelToRankLib(original: Model): WrittenModel {
  const notes: string[] = [];
  const { normalisation } = original;
  const byQuery = normalisation?.kind === 'query';
  if (byQuery) notes.push(`features are scaled query by query: give RankLib -norm ${rankLibNorms[normalisation.method]}`);
  const model = byQuery ? { ...original, normalisation: undefined } : withoutNormalisation(original, 'RankLib');
  if (model.firstFeature < 1 && usesFeatureZero(model)) {
    throw new InputError({ message: 'the model uses feature 0, and RankLib counts features from 1', wayOut: 'number the features from 1' });
  }
  // RankLib counts features from 1, whatever the first one is called
  checkFeatureCount(model.firstFeature + model.numFeatures - 1);
  if (model.missing !== 0) notes.push('RankLib takes 0 for a feature that is missing');
  const { scorer } = model;
  if (scorer.kind === 'linear') return { content: linearText(model, scorer), notes };
  if (scorer.kind === 'net') return { content: netText(model, scorer, notes), notes };
  if (scorer.zeroIsMissing) {
    throw new InputError({ message: 'zeros count as missing in this model, and RankLib knows no missing values' });
  }
  if (scorer.categories !== undefined) throw new InputError('the model splits by category, which RankLib cannot express');
  if (scorer.sums !== 'float32') notes.push('RankLib holds thresholds and leaves in 32 bits: scores differ from the seventh digit on');
  return { content: isRankBoost(model, scorer) ? stumpsText(model, scorer) : ensemblesText(model, scorer), notes };
}

function usesFeatureZero({ scorer, firstFeature }: Model): boolean {
  if (scorer.kind === 'trees') return scorer.feature.includes(-firstFeature);
  return scorer.kind === 'net' || scorer.weights[0] !== 0;
}

function linearText({ learner, firstFeature }: Model, { weights, bias }: LinearScorer): string {
  const pairs = Array.from(weights, (weight, column) => ({ id: firstFeature + column, weight })).filter(({ id }) => id > 0);
  const text = pairs.map(({ id, weight }) => `${id}:${weight}`).join(' ');
  if (bias !== 0 || learner === 'linear-regression') return `## Linear Regression\n## Lambda = 1.0E-10\n0:${bias} ${text}\n`;
  if (learner === 'adarank') return `## AdaRank\n${text}\n`;
  return `## Coordinate Ascent\n${text}\n`;
}

function isRankBoost({ learner }: Model, { nodeOffsets, treeWeights, feature, left, right, value, base, divisor }: TreeScorer): boolean {
  if (learner !== 'rankboost' || base !== 0 || divisor !== undefined) return false;
  return treeWeights.every((_, tree) => {
    const root = nodeOffsets[tree];
    return nodeOffsets[tree + 1] - root === 3 && feature[root] >= 0 && value[left[root]] === 0 && value[right[root]] === 1;
  });
}

function stumpsText({ firstFeature }: Model, { nodeOffsets, treeWeights, feature, threshold }: TreeScorer): string {
  const words = Array.from(treeWeights, (weight, tree) => {
    const root = nodeOffsets[tree];
    return `${firstFeature + feature[root]}:${threshold[root]}:${weight}`;
  });
  return `## RankBoost\n## Iteration = ${words.length}\n${words.join(' ')}\n`;
}

function ensemblesText({ learner, firstFeature }: Model, scorer: TreeScorer): string {
  const numTrees = scorer.treeWeights.length;
  const forest = scorer.divisor !== undefined && scorer.divisor === numTrees && scorer.base === 0;
  // a divisor that is not the number of trees, and a base, find their place in weights and in a tree of their own
  const scale = forest ? 1 : 1 / (scorer.divisor ?? 1);
  const trees = Array.from({ length: numTrees }, (_, tree) => (id: number) => treeXml(scorer, tree, id, firstFeature, scale));
  const title = forest ? 'Random Forests' : learner === 'mart' ? 'MART' : 'LambdaMART';
  const start = `## ${title}\n## No. of trees = ${numTrees}\n\n`;
  if (forest) return start + trees.map((tree) => `<ensemble>\n${tree(1)}</ensemble>\n`).join('\n');
  const base =
    scorer.base === 0
      ? ''
      : `\t<tree id="1" weight="1.0">\n\t\t<split>\n\t\t\t<output>${float32Text(asFloat32(scorer.base * scale, 'the base', 'RankLib'))} </output>\n\t\t</split>\n\t</tree>\n`;
  return `${start}<ensemble>\n${base}${trees.map((tree, t) => tree(t + (base === '' ? 1 : 2))).join('')}</ensemble>\n`;
}

function treeXml(scorer: TreeScorer, tree: number, id: number, firstFeature: number, scale: number): string {
  const { nodeOffsets, treeWeights, feature, threshold, left, right, value } = scorer;
  const lines: string[] = [];
  // a stack instead of calls, because a tree may be deeper than the calls that fit
  const pending: { node: number; depth: number; close?: boolean; attributes: string }[] = [
    { node: nodeOffsets[tree], depth: 2, attributes: '' },
  ];
  while (pending.length > 0) {
    const { node, depth, close, attributes } = pending.pop()!;
    // RankLib does not look at it, and in a deep tree it would be most of the file
    const indent = '\t'.repeat(Math.min(depth, DEEPEST_INDENT));
    if (close) {
      lines.push(`${indent}</split>`);
      continue;
    }
    lines.push(`${indent}<split${attributes}>`);
    pending.push({ node, depth, close: true, attributes });
    if (feature[node] < 0)
      lines.push(`${indent}\t<output>${float32Text(asFloat32(value[node], `a leaf of tree ${tree}`, 'RankLib'))} </output>`);
    else {
      lines.push(`${indent}\t<feature>${firstFeature + feature[node]} </feature>`);
      lines.push(`${indent}\t<threshold> ${float32Text(boundedFloat(threshold[node]))} </threshold>`);
      pending.push({ node: right[node], depth: depth + 1, attributes: ' pos="right"' });
      pending.push({ node: left[node], depth: depth + 1, attributes: ' pos="left"' });
    }
  }
  return `\t<tree id="${id}" weight="${float32Text(asFloat32(treeWeights[tree] * scale, `the weight of tree ${tree}`, 'RankLib'))}">\n${lines.join('\n')}\n\t</tree>\n`;
}

/** Rounded to the nearest float, as RankLib rounds the values: one that is at the threshold stays there. */
function boundedFloat(threshold: number): number {
  return Math.min(LARGEST_FLOAT32, Math.max(-LARGEST_FLOAT32, Math.fround(threshold)));
}

/** RankLib's nets have a sigmoid at every unit. A tanh is one, stretched: tanh(x) = 2 sigmoid(2x) - 1. A plain sum at the end
 *  keeps its order under a sigmoid. */
function netText({ learner, firstFeature }: Model, { layers }: NetScorer, notes: string[]): string {
  const sigmoid = layers.map((layer) => ({ ...layer, weights: Float64Array.from(layer.weights), bias: Float64Array.from(layer.bias) }));
  sigmoid.forEach((layer, l) => {
    if (layer.activation === 'sigmoid') return;
    const last = l === layers.length - 1;
    if (layer.activation === 'relu' || layer.activation === 'leakyrelu')
      throw new InputError({ message: "RankLib's nets have no relu", wayOut: 'train with tanh or sigmoid' });
    if (last) {
      notes.push('RankLib puts a sigmoid on the score, which changes the scores but not their order');
      return;
    }
    if (layer.activation === 'identity') throw new InputError({ message: "RankLib's nets have no layer of plain sums" });
    layer.weights.forEach((weight, i) => {
      layer.weights[i] = 2 * weight;
    });
    layer.bias.forEach((bias, unit) => {
      layer.bias[unit] = 2 * bias;
    });
    const next = sigmoid[l + 1];
    for (let unit = 0; unit < next.units; unit++) {
      for (let from = 0; from < next.inputs; from++) {
        next.bias[unit] -= next.weights[unit * next.inputs + from];
        next.weights[unit * next.inputs + from] *= 2;
      }
    }
    notes.push('tanh was written as a sigmoid: scores may differ in the last digits');
  });
  for (const { weights, bias } of sigmoid) {
    for (const weight of weights) asFinite(weight, 'a weight of the net');
    for (const one of bias) asFinite(one, 'a bias of the net');
  }
  const title = layers.length === 1 ? 'ListNet' : learner === 'lambdarank' ? 'LambdaRank' : 'RankNet';
  const numFeatures = layers[0].inputs;
  const lines = [
    `## ${title}`,
    `## No. of features = ${numFeatures}`,
    Array.from({ length: numFeatures }, (_, column) => firstFeature + column).join(' '),
    String(layers.length - 1),
    ...layers.slice(0, -1).map(({ units }) => String(units)),
    ...sigmoid.flatMap((layer, l) => unitLines(layer, l, l === 0 ? sigmoid.flatMap(({ bias }) => [...bias]) : undefined)),
  ];
  return `${lines.join('\n')}\n`;
}

function unitLines({ inputs, units, weights }: NetLayer, layer: number, biases: readonly number[] | undefined): string[] {
  const lines = Array.from(
    { length: inputs },
    (_, from) => `${layer} ${from} ${Array.from({ length: units }, (_, unit) => weights[unit * inputs + from]).join(' ')}`,
  );
  return biases === undefined ? lines : [...lines, `${layer} ${inputs} ${biases.join(' ')}`];
}
