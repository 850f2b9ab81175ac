/** Compares recorded cases of learning to rank with what Gradus gives: imports of other tools' models, their scores and contributions, and
 *  exports as the tools that read them compute. A folder has one folder per topic; those it does not have are left out. Needs a build. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IdTable } from '../../dist/core/index.js';
import {
  approximateContributions,
  loadLearner,
  readModel,
  scoreContributions,
  scoreInteractions,
  scoreMatrix,
  trainRanker,
  writeModel,
} from '../../dist/ltr/index.js';
import { parseMeasures } from '../../dist/measures/index.js';
import { checkClicks } from './ltr-clicks.mjs';
import { checkObjectives } from './ltr-objectives.mjs';
import { readers } from './model-consumers.mjs';

/** What is checked in each folder. */
const topics = {
  shap: checkContributions,
  catboost: checkContributions,
  onnx: checkContributions,
  solr: checkSolr,
  dumps: checkDumps,
  elasticsearch: checkElasticsearch,
  categorical: checkTraining,
  options: checkTraining,
};

/** Counts comparisons and keeps those that fail. */
class Tally {
  total = 0;
  disagreements = [];

  /** Numbers are equal if they differ by at most the tolerance, relative to sizes above 1. */
  numbers(what, found, expected, tolerance) {
    const different = expected.findIndex((value, i) => !(Math.abs(found[i] - value) <= tolerance * Math.max(1, Math.abs(value))));
    this.holds(found.length === expected.length && different < 0, () =>
      different < 0
        ? `${what}: ${found.length} numbers, expected ${expected.length}`
        : `${what}: number ${different} is ${found[different]}, expected ${expected[different]}`,
    );
  }

  holds(condition, sentence) {
    this.total++;
    if (!condition) this.disagreements.push(sentence());
  }

  /** A refusal or a crash of the product is one disagreement. */
  attempt(what, run) {
    try {
      return run();
    } catch (error) {
      this.total++;
      this.disagreements.push(`${what}: ${error.message}`);
      return undefined;
    }
  }
}

/** How many cases agree, of how many, and a line for each that does not. */
export async function checkLtr(folder) {
  const tally = new Tally();
  for (const [topic, check] of Object.entries(topics)) {
    const path = join(folder, topic);
    if (!existsSync(path)) continue;
    for (const file of (await readdir(path)).sort()) {
      if (!file.endsWith('.expected.json')) continue;
      const expected = JSON.parse(await readFile(join(path, file), 'utf8'));
      const name = `${topic}/${file.replace('.expected.json', '')}`;
      await check(tally, name, expected, async (model) => new Uint8Array(await readFile(join(path, model))));
    }
  }
  for (const [topic, check] of Object.entries({ objectives: checkObjectives })) {
    const path = join(folder, topic);
    if (!existsSync(path)) continue;
    for (const file of (await readdir(path)).sort()) {
      if (!file.endsWith('.json')) continue;
      check(tally, `${topic}/${file.replace('.json', '')}`, JSON.parse(await readFile(join(path, file), 'utf8')));
    }
  }
  if (existsSync(join(folder, 'clicks'))) await checkClicks(tally, join(folder, 'clicks'), matrixOf);
  return { agreed: tally.total - tally.disagreements.length, total: tally.total, disagreements: tally.disagreements };
}

/** Documents of one query, or of queries of these sizes; null is missing. */
function matrixOf(rows, labels = new Float64Array(rows.length), group = [rows.length]) {
  const numFeatures = rows[0]?.length ?? 0;
  return {
    numRows: rows.length,
    numRecords: rows.length,
    labels: Float64Array.from(labels),
    lines: Uint32Array.from(rows, (_, row) => row + 1),
    queryOffsets: Uint32Array.from([0, ...group], (_, q) => group.slice(0, q).reduce((sum, size) => sum + size, 0)),
    queries: IdTable.of(group.map((_, q) => String(q + 1))),
    queryOf: Uint32Array.from(group, (_, q) => q),
    features: {
      layout: 'dense',
      firstFeature: 1,
      numFeatures,
      values: Float64Array.from(rows.flat(), (value) => value ?? Number.NaN),
    },
  };
}

async function checkContributions(tally, name, expected, content) {
  const bytes = await content(expected.model);
  const categories = (expected.categorical ?? []).length > 0;
  if (name.startsWith('catboost') && categories) {
    // categories of CatBoost are hashed by a function that nobody has reproduced
    let refused = '';
    try {
      readModel(bytes);
    } catch (error) {
      refused = error.message;
    }
    tally.holds(/category/.test(refused), () => `${name}: read, although it splits by hashed categories`);
    return;
  }
  const model = tally.attempt(name, () => readModel(bytes));
  if (model === undefined) return;
  const matrix = matrixOf(expected.rows);
  const { tolerance = 1e-6, background } = expected;
  const forest = model.scorer.kind === 'trees' && model.scorer.divisor !== undefined;
  // contributions of a forest are of the sum, and so are the recorded scores
  const whole = forest ? { ...model, scorer: { ...model.scorer, divisor: undefined } } : model;
  tally.attempt(`${name} scores`, () => {
    tally.numbers(`${name} scores`, [...scoreMatrix(whole, matrix)], expected.scores, Math.min(tolerance, 1e-6));
  });
  if (expected.contributions !== undefined) {
    tally.attempt(`${name} contributions`, () => {
      const options = background === undefined ? { method: 'path' } : { method: 'interventional', background: matrixOf(background) };
      const { values, base } = scoreContributions(whole, matrix, options);
      tally.numbers(`${name} contributions`, [...values], expected.contributions.flat(), tolerance);
      tally.numbers(`${name} base`, [...base], expected.base, tolerance);
    });
  }
  if (expected.interactions !== undefined) {
    tally.attempt(`${name} interactions`, () => {
      const first = matrixOf(expected.rows.slice(0, expected.interactions.length));
      const found = scoreInteractions(whole, first).flatMap((square) => [...square]);
      tally.numbers(`${name} interactions`, found, expected.interactions.flat(2), tolerance);
    });
  }
  if (expected.approximate_contributions !== undefined) {
    tally.attempt(`${name} approximate contributions`, () => {
      const rows = expected.approximate_contributions;
      const { values, base, numFeatures } = approximateContributions(whole, matrixOf(expected.rows.slice(0, rows.length)));
      const found = rows.flatMap((_, row) => [...values.subarray(row * numFeatures, (row + 1) * numFeatures), base[row]]);
      tally.numbers(`${name} approximate contributions`, found, rows.flat(), tolerance);
    });
  }
}

/** What LightGBM calls the options of trees. */
const optionNames = {
  num_leaves: 'leaves',
  min_data_in_leaf: 'minDocs',
  learning_rate: 'rate',
  lambda_l1: 'l1',
  lambda_l2: 'l2',
  path_smooth: 'smoothing',
  max_delta_step: 'maxStep',
  max_bin: 'bins',
  min_data_in_bin: 'minBinDocs',
  min_gain_to_split: 'minGain',
  min_sum_hessian_in_leaf: 'minHessian',
  max_depth: 'depth',
  min_data_per_group: 'minCategoryDocs',
  cat_smooth: 'categorySmoothing',
  cat_l2: 'categoryL2',
  max_cat_threshold: 'maxCategories',
  max_cat_to_onehot: 'oneHotBins',
};
/** What says nothing about the model, or what is the same here. */
const settled = ['objective', 'boost_from_average', 'verbosity', 'num_threads', 'seed', 'feature_pre_filter'];

/** The same training here: every document must reach leaves of the same value, tree by tree. LightGBM's gradients are 32-bit floats. */
async function checkTraining(tally, name, expected, content) {
  const imported = await checkImported(tally, name, expected, content);
  if (imported === undefined) return;
  const { parameters, rows, labels, group, categorical = [], weights, init_score: initial } = expected;
  const options = { trees: imported.scorer.treeWeights.length, growth: 'lightgbm', categorical: categorical.map((c) => c + 1).join(',') };
  for (const [key, value] of Object.entries(parameters)) {
    if (key === 'interaction_constraints') options.interactions = value.map((set) => set.map((c) => c + 1).join(',')).join(';');
    else if (key in optionNames) options[optionNames[key]] = key === 'max_depth' ? Math.max(0, value) : value;
    else if (!settled.includes(key)) tally.holds(false, () => `${name}: no option for ${key}`);
  }
  if (parameters.objective !== 'regression') {
    tally.holds(false, () => `${name}: the objective is ${parameters.objective}`);
    return;
  }
  const train = matrixOf(rows, labels, group ?? undefined);
  try {
    const model = await trainRanker({
      learner: await loadLearner('mart'),
      train,
      metric: parseMeasures('nDCG@10')[0],
      options,
      documentWeights: weights ? Float64Array.from(weights) : undefined,
      // without an average to begin with
      initialScores: Float64Array.from(initial ?? new Float64Array(rows.length)),
    });
    for (let tree = 1; tree <= options.trees; tree++) {
      const first = (whole) => scoreMatrix({ ...whole, scorer: firstTrees(whole.scorer, tree) }, train);
      tally.numbers(
        `${name} scores of all documents after tree ${tree} of our own training`,
        [...first(model)],
        [...first(imported)],
        1e-5,
      );
    }
    const found = [...scoreMatrix(model, matrixOf(rows.slice(0, expected.scores.length)))];
    tally.numbers(`${name} scores of our own training`, found, expected.scores, 1e-5);
  } catch (error) {
    tally.holds(false, () => `${name}: ${error.message}`);
  }
}

/** The first trees of a model. */
function firstTrees(scorer, count) {
  return { ...scorer, nodeOffsets: scorer.nodeOffsets.slice(0, count + 1), treeWeights: scorer.treeWeights.slice(0, count) };
}

/** The model that a tool trained, imported. */
async function checkImported(tally, name, expected, content) {
  const model = tally.attempt(name, await content(expected.model).then((bytes) => () => readModel(bytes)));
  if (model === undefined) return undefined;
  const rows = expected.rows.slice(0, expected.scores.length);
  tally.numbers(`${name} scores of the imported model`, [...scoreMatrix(model, matrixOf(rows))], expected.scores, 1e-12);
  return model;
}

async function checkSolr(tally, name, expected, content) {
  const bytes = await content(expected.model);
  const model = tally.attempt(name, () => readModel(bytes));
  if (model === undefined) return;
  const scores = [...scoreMatrix(model, matrixOf(expected.rows))];
  tally.numbers(`${name} scores`, scores, expected.scores, model.scorer.kind === 'trees' ? 0 : 1e-5);
  const source = expected.source_model === undefined ? model : readModel(await content(expected.source_model));
  const written = tally.attempt(`${name} written`, () => JSON.parse(writeModel(source, 'solr').content));
  if (written === undefined) return;
  tally.numbers(`${name} written, as Solr computes it`, readers.solr(written, expected.rows), expected.scores, 1e-6);
}

async function checkDumps(tally, name, expected, content) {
  const model = tally.attempt(name, await content(expected.model).then((bytes) => () => readModel(bytes)));
  if (model === undefined) return;
  const { rows } = expected;
  const matrix = matrixOf(rows);
  if (expected.lightgbm !== undefined) {
    const text = expected.source_model ?? expected.model.replace('.json', '.txt');
    const source = tally.attempt(`${name} model text`, await content(text).then((bytes) => () => readModel(bytes)));
    if (source === undefined) return;
    tally.numbers(`${name} scores of the model text`, [...scoreMatrix(source, matrix)], expected.lightgbm, 0);
    // a dump whose thresholds were moved for Vespa is read by Vespa's rule
    if (expected.source_model === undefined)
      tally.numbers(`${name} scores of the dump`, [...scoreMatrix(model, matrix)], expected.lightgbm, 0);
    const dumped = JSON.parse(new TextDecoder().decode(await content(expected.model)));
    tally.numbers(`${name} as Vespa computes it`, readers.vespaLightGbm(dumped, rows), expected.vespa, 0);
    const written = tally.attempt(`${name} written`, () => JSON.parse(writeModel(source, 'lightgbm-dump').content));
    if (written !== undefined)
      tally.numbers(`${name} written, as Vespa computes it`, readers.vespaLightGbm(written, rows), expected.lightgbm, 0);
    return;
  }
  tally.numbers(`${name} scores of the dump`, [...scoreMatrix(model, matrix)], expected.plugin, 0);
  for (const extension of ['.model.json', '.ubj']) {
    const file = expected.model.replace('.json', extension);
    const whole = tally.attempt(`${name}${extension}`, await content(file).then((bytes) => () => readModel(bytes)));
    if (whole === undefined) continue;
    tally.numbers(`${name}${extension} scores`, [...scoreMatrix(whole, matrix)], expected.xgboost_margin, 1e-7);
    const written = tally.attempt(`${name}${extension} written`, () => JSON.parse(writeModel(whole, 'xgboost-dump').content));
    if (written === undefined) continue;
    tally.numbers(`${name}${extension} written, as the plugin computes it`, readers.plugin(written, rows), expected.plugin, 0);
    const rounded = rows.map((row) => row.map((value) => (value === null ? null : Math.fround(value))));
    tally.numbers(
      `${name}${extension} written, as Vespa computes it`,
      readers.vespaXgBoost(written, rounded),
      expected.vespa_rows_rounded_to_float32,
      1e-12,
    );
  }
  const [json, binary] = await Promise.all(['.model.json', '.ubj'].map((extension) => content(expected.model.replace('.json', extension))));
  const again = tally.attempt(`${name} written as UBJSON`, () => readModel(writeModel(readModel(json), 'xgboost-ubj').content));
  if (again !== undefined) tally.numbers(`${name} UBJSON`, [...scoreMatrix(again, matrix)], [...scoreMatrix(readModel(binary), matrix)], 0);
}

async function checkElasticsearch(tally, name, expected, content) {
  const model = tally.attempt(name, await content(expected.model).then((bytes) => () => readModel(bytes)));
  if (model === undefined) return;
  const matrix = matrixOf(expected.rows);
  tally.numbers(`${name} scores`, [...scoreMatrix(model, matrix)], expected.scores_by_the_definition, 1e-12);
  const written = tally.attempt(`${name} written`, () => JSON.parse(writeModel(model, 'elasticsearch').content));
  if (written !== undefined) {
    tally.numbers(
      `${name} written, by the definition`,
      readers.elasticsearch(written, expected.rows),
      expected.scores_by_the_definition,
      1e-12,
    );
  }
}

/** The name by which `scripts/golden.mjs` calls each part. */
export { checkLtr as check };
