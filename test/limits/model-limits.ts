import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFilledCells } from '../../src/core/limits.js';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { modelFromLightGbm } from '../../src/ltr/models/lightgbm.js';
import { modelFromRankLib } from '../../src/ltr/models/ranklib.js';
import { modelFromXgBoost } from '../../src/ltr/models/xgboost.js';
import { loadModel } from '../../src/node/letor/load-model.js';
import { readRankLists } from '../../src/tools/ranklib/lists.js';
import type { LimitCase, LimitCases } from './limit-case.js';

const small = (name: string, use: LimitCase['use'], lowered = 20): LimitCase => ({ name, lowered, use });

const repeated = <T>(count: number, item: T): T[] => new Array<T>(count).fill(item);

/** A model of Gradus with trees of the given shape: each a chain of so many splits with a leaf at every side. */
function chains(depths: readonly number[], numFeatures = 1): string {
  const nodeOffsets = [0];
  const feature: number[] = [];
  const left: number[] = [];
  const right: number[] = [];
  for (const depth of depths) {
    for (let split = 0; split < depth; split++) {
      const at = feature.length;
      feature.push(0, -1);
      left.push(at + 1, 0);
      right.push(at + 2, 0);
    }
    feature.push(-1);
    left.push(0);
    right.push(0);
    nodeOffsets.push(feature.length);
  }
  const zeros = repeated(feature.length, 0);
  const scorer = { kind: 'trees', base: 0, nodeOffsets, treeWeights: depths.map(() => 1), feature, left, right };
  return model({ ...scorer, threshold: zeros, missingLeft: zeros, value: zeros }, numFeatures);
}

function model(scorer: unknown, numFeatures: number): string {
  return JSON.stringify({ format: 'gradus-model', version: 1, learner: 'mart', firstFeature: 1, numFeatures, missing: 0, scorer });
}

function net(numWeights: number): string {
  const inputs = numWeights - 1;
  const layer = { inputs, units: 1, activation: 'identity', bias: [0], weights: repeated(inputs, 1) };
  return model({ kind: 'net', layers: [layer] }, inputs);
}

function lightGbm(numFeatures: number, numTrees = 1): string {
  const header = `tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=${numFeatures - 1}\n\n`;
  return `${header}${repeated(numTrees, 'Tree=0\nnum_leaves=1\nleaf_value=1\n\n').join('')}end of trees\n`;
}

function xgBoost(numFeatures: number, numTrees = 1): string {
  const tree = { left_children: [-1], right_children: [-1], split_indices: [0], split_conditions: [1], default_left: [0] };
  return JSON.stringify({
    learner: {
      objective: { name: 'rank:ndcg' },
      learner_model_param: { num_feature: String(numFeatures), base_score: '0' },
      gradient_booster: { name: 'gbtree', model: { trees: repeated(numTrees, tree) } },
    },
  });
}

function rankLib(numTrees: number, depth = 0): string {
  const leaf = (side: string): string => `<split${side}><output>1</output></split>`;
  const split = '<feature>1</feature><threshold>1</threshold>';
  const chain = `${repeated(depth, `<split pos="right">${split}${leaf(' pos="left"')}`).join('')}${leaf(' pos="right"')}${'</split>'.repeat(depth)}`;
  const tree = `<tree id="1" weight="1">${chain}</tree>`;
  return `## LambdaMART\n<ensemble>${tree.repeat(numTrees)}</ensemble>\n`;
}

async function saved<T>(text: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-limits-'));
  try {
    writeFileSync(join(folder, 'model'), text);
    return await work(join(folder, 'model'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const modelLimits: LimitCases = {
  features: [
    small('a LETOR file', (amount) => parseLetor(`1 qid:1 1:1\n1 qid:1 ${amount}:1\n`)),
    small('a LETOR file that counts from 0', (amount) => parseLetor(`1 qid:1 ${amount - 1}:1\n`, { firstFeature: 0 })),
    small('a stated number of features', (amount) => parseLetor('1 qid:1 1:1\n', { numFeatures: amount })),
    small('as RankLib', (amount) =>
      readRankLists(
        {
          read(_path, take) {
            take(new TextEncoder().encode(`1 qid:1 ${amount}:1\n`));
            return true;
          },
          write: () => true,
          writeOut() {},
          writeErr() {},
        },
        'test.txt',
        true,
      ),
    ),
    { name: 'a LETOR file at the true limit', use: (amount) => parseLetor(`1 qid:1 ${amount}:1\n`) },
    small('a model of Gradus', (amount) => modelFromJson(chains([1], amount))),
    small('a model of LightGBM', (amount) => modelFromLightGbm(lightGbm(amount))),
    small('a model of XGBoost', (amount) => modelFromXgBoost(xgBoost(amount))),
    small('a linear model of RankLib', (amount) => modelFromRankLib(`## Coordinate Ascent\n${amount}:1\n`)),
    small('RankBoost of RankLib', (amount) => modelFromRankLib(`## RankBoost\n${amount}:1:1\n`)),
    small('a net of RankLib', (amount) => modelFromRankLib(`## ListNet\n${amount}\n0\n0 0 1\n0 1 1\n`)),
  ],
  cells: [small('dense rows', (amount) => parseLetor(`1 qid:1 ${amount}:1\n`, { features: 'dense' }))],
  filledCells: [small('sparse rows to be filled', (amount) => checkFilledCells(1, amount, amount))],
  cellsPerValue: [{ name: 'sparse rows to be filled', use: (amount) => checkFilledCells(4096, amount, 4096) }],
  modelBytes: [small('a model file', (amount) => saved(`${chains([0])}${' '.repeat(amount - chains([0]).length)}`, loadModel), 400)],
  modelTrees: [
    small('a model of Gradus', (amount) => modelFromJson(chains(repeated(amount, 0)))),
    small('a model of LightGBM', (amount) => modelFromLightGbm(lightGbm(1, amount))),
    small('a model of XGBoost', (amount) => modelFromXgBoost(xgBoost(1, amount))),
    small('a model of RankLib', (amount) => modelFromRankLib(rankLib(amount))),
    small('RankBoost of RankLib', (amount) => modelFromRankLib(`## RankBoost\n${repeated(amount, '1:1:1').join(' ')}\n`)),
  ],
  modelNodes: [
    small('a model of Gradus', (amount) => modelFromJson(chains(repeated(amount, 0)))),
    small('a model of LightGBM', (amount) => modelFromLightGbm(lightGbm(1, amount))),
    small('a model of XGBoost', (amount) => modelFromXgBoost(xgBoost(1, amount))),
    small('a model of RankLib', (amount) => modelFromRankLib(rankLib(amount))),
  ],
  treeDepth: [
    small('a model of Gradus', (amount) => modelFromJson(chains([1, amount]))),
    small('a model of RankLib', (amount) => modelFromRankLib(rankLib(1, amount))),
    { name: 'a model of Gradus at the true limit', use: (amount) => modelFromJson(chains([amount])) },
  ],
  modelWeights: [
    small('a net of Gradus', (amount) => modelFromJson(net(amount))),
    small('a net of RankLib', (amount) => modelFromRankLib(`## ListNet\n${amount - 1}\n0\n0 0 1\n0 1 1\n`)),
  ],
};
