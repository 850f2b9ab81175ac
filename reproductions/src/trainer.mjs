// Trains the arms of src/arms.mjs, partition by partition, and keeps what was measured on the test parts.
//
// What is kept of a partition are the values of each query in millionths, as whole numbers, so that sums over partitions are exact in
// whatever order they are finished. Finished partitions are added to one file for each arm, compressed and part of the repository.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { applyConvention, findConvention, judgingRulesOf } from '../../dist/conventions/index.js';
import { seededRandom } from '../../dist/core/numbers/random.js';
import { evaluateModel, loadLearner, scoreMatrix, summariseModel, trainRanker } from '../../dist/ltr/index.js';
import { parseMeasure } from '../../dist/measures/index.js';
import { collections, learners, letters, objectiveOf, rules } from './arms.mjs';
import { censusOf, factsOf, measuredBy } from './measured.mjs';
import { groupedParts, queriesOf, randomFolds, readParts, Steps } from './study.mjs';

export const UNIT = 1_000_000;

/** One arm on the five folds of one partition. */
export async function trainPartition(arm, seed, collection, { isLittle = false } = {}) {
  const { ids } = collection;
  const fits = [];
  const columns = {};
  for (const fold of randomFolds(ids, seed)) {
    const { values, ...fit } = await trainAndTest(arm, fold, collection, isLittle);
    fits.push(fit);
    for (const [name, byQuery] of Object.entries(values)) {
      columns[name] ??= new Array(ids.length);
      for (const [query, value] of byQuery) columns[name][collection.placeOf.get(query)] = Math.round(UNIT * value);
    }
  }
  return { fits, columns };
}

async function trainAndTest(arm, fold, collection, isLittle) {
  const { name, fixed, grid, little } = learners[arm.learner];
  const learner = await loadLearner(name);
  const { measure, judging, convention } = trainedFor(arm);
  const kept = keptQueries(arm, fold, collection);
  const [train, validation, test] = [kept, fold.validation, fold.test].map(collection.matrixOf);
  let best;
  for (const chosen of isLittle ? grid.slice(0, 1) : grid) {
    let afterFirst;
    const model = await trainRanker({
      learner,
      train,
      validation,
      ...(learner.objectives === 'own' ? {} : { objective: measure }),
      metric: measure,
      rules: judging,
      options: { ...fixed, ...chosen, ...(isLittle ? little : {}) },
      ...(arm.objective === undefined ? {} : { normalisation: 'query-zscore' }),
      seed: fold.modelSeed,
      ...(convention === undefined ? {} : { convention }),
      onIteration: ({ iteration, validation: value }) => {
        if (iteration === 1) afterFirst = value;
      },
    });
    const value = evaluateModel(model, validation, [measure], judging).aggregate(0);
    if (best === undefined || value > best.value) best = { value, model, chosen, rises: value > afterFirst };
  }
  const scores = scoreMatrix(best.model, test);
  return {
    chosen: best.chosen,
    features: summariseModel(best.model).features.used,
    rises: best.rises,
    validation: best.value,
    model: createHash('sha256').update(JSON.stringify(best.model.scorer, plain)).digest('hex').slice(0, 16),
    ...(arm.keeps === 'all' ? { census: censusOf(scores, test) } : {}),
    values: measuredBy(arm.keeps, scores, test),
  };
}

/** Numbers as JSON has them, typed arrays included. */
function plain(_, value) {
  return ArrayBuffer.isView(value) ? [...value] : value;
}

function trainedFor(arm) {
  const { rule } = arm;
  if (arm.objective !== undefined) return { measure: parseMeasure(objectiveOf(arm)), judging: { ties: 'file' } };
  const { rules: own } = findConvention(rules[rule]);
  return { measure: applyConvention(parseMeasure("nDCG(gain='exp')@10"), own), judging: judgingRulesOf(own), convention: rules[rule] };
}

/** The training queries of an arm: all, or without those with fewer than ten documents, without as many others that have relevant
 *  documents, drawn by the fold's seed, or without those that have none. */
function keptQueries({ without }, { train, modelSeed }, { facts }) {
  const isShort = (id) => facts.get(id).length < 10;
  const isEmpty = (id) => facts.get(id).relevant === 0;
  if (without === undefined) return train;
  if (without === 'without short') return train.filter((id) => !isShort(id));
  if (without === 'without empty') return train.filter((id) => !isEmpty(id));
  const others = train.filter((id) => !isEmpty(id));
  const random = seededRandom(modelSeed);
  const numShort = train.filter((id) => isShort(id) && !isEmpty(id)).length;
  const gone = new Set();
  while (gone.size < Math.min(numShort, others.length - 1)) gone.add(others[random.below(others.length)]);
  return train.filter((id) => !gone.has(id));
}

/** The values of an arm, in the repository: sums over the partitions that are finished. */
export class Archive {
  constructor(folder) {
    this.folder = folder;
    /** What `finished` has given so far: claims ask for the same arms again and again. */
    this.averaged = new Map();
    for (const protocol of Object.keys(collections)) mkdirSync(join(folder, protocol), { recursive: true });
  }

  path({ id, protocol }) {
    return join(this.folder, protocol, `${letters.get(id).replace(' ', '-')}.json.gz`);
  }

  /** What is kept of an arm; nothing yet if it was never run, or was run with other settings. */
  read(arm) {
    const settings = learners[arm.learner];
    const fresh = { settings, partitions: {}, sums: {} };
    if (!existsSync(this.path(arm))) return fresh;
    const kept = JSON.parse(gunzipSync(readFileSync(this.path(arm))));
    return JSON.stringify(kept.settings) === JSON.stringify(settings) ? kept : fresh;
  }

  missing(arm) {
    const { partitions } = this.read(arm);
    return arm.partitions.filter((seed) => partitions[seed] === undefined);
  }

  /** Adds finished partitions, in the order of their seeds. */
  add(arm, parts, { ids, hash }) {
    const kept = this.read(arm);
    if (kept.hash !== undefined && kept.hash !== hash) throw new Error(`${this.path(arm)} was made from other data`);
    kept.hash = hash;
    for (const { seed, fits, columns } of parts) {
      if (kept.partitions[seed] !== undefined) continue;
      const places = randomFolds(ids, seed).map(({ test }) => test.map((id) => ids.indexOf(id)));
      kept.partitions[seed] = {
        fits,
        // the sum over the test queries of each fold
        folds: Object.fromEntries(
          Object.entries(columns).map(([name, values]) => [name, places.map((of) => of.reduce((sum, at) => sum + values[at], 0))]),
        ),
      };
      for (const [name, values] of Object.entries(columns)) kept.sums[name] = values.map((value, i) => value + (kept.sums[name]?.[i] ?? 0));
    }
    kept.partitions = Object.fromEntries(Object.entries(kept.partitions).sort(([a], [b]) => a - b));
    const target = this.path(arm);
    writeFileSync(`${target}.new`, gzipSync(JSON.stringify(kept), { level: 9 }));
    renameSync(`${target}.new`, target);
    this.averaged.clear();
  }

  /** Values of each query by column, averaged over partitions, and what is known of each fit; undefined if partitions are missing. */
  finished(arm, { atLeast = arm.partitions.length } = {}) {
    const key = `${arm.id} ${atLeast}`;
    if (!this.averaged.has(key)) this.averaged.set(key, this.averageOf(arm, atLeast));
    return this.averaged.get(key);
  }

  averageOf(arm, atLeast) {
    const { partitions, sums } = this.read(arm);
    const seeds = Object.keys(partitions);
    if (seeds.length < atLeast) return undefined;
    const average = (sum) => sum / (UNIT * seeds.length);
    return {
      seeds,
      values: Object.fromEntries(Object.entries(sums).map(([name, list]) => [name, list.map(average)])),
      fits: seeds.flatMap((seed) => partitions[seed].fits),
      folds: seeds.map((seed) => partitions[seed].folds),
    };
  }
}

/** The collections that are trained on, read when they are first asked for. */
export function trainingCollections(args) {
  const read = new Map();
  return (protocol) => {
    if (!read.has(protocol)) {
      const { madeUp, fileOf, folder } = collections[protocol];
      const parts = folder === undefined || args.small ? readParts(args, madeUp, fileOf) : groupedParts(join(args.data, folder));
      const collection = queriesOf(parts);
      const facts = new Map(factsOf(collection.matrixOf(collection.ids)).map((fact) => [fact.id, fact]));
      read.set(protocol, { ...collection, facts, placeOf: new Map(collection.ids.map((id, place) => [id, place])) });
    }
    return read.get(protocol);
  };
}

/** Trains what is missing of the given arms, one after the other, and adds it to the archive.
 *  @param partitions At most so many of each arm; all by default. */
export async function trainArms(list, args, archive, collectionOf, partitions = Number.POSITIVE_INFINITY) {
  const isLittle = args.small || args.quick;
  const steps = new Steps(args, `partitions ${args.small} ${args.quick}`);
  const wanted = list.flatMap((arm) =>
    archive.missing({ ...arm, partitions: arm.partitions.slice(0, partitions) }).map((seed) => ({ arm, seed })),
  );
  const stepOf = ({ arm, seed }) => ({
    key: `${arm.protocol} ${letters.get(arm.id)} ${seed}`,
    compute: () => trainPartition(arm, seed, collectionOf(arm.protocol), { isLittle }),
  });
  const found = await steps.all(wanted.map(stepOf));
  for (const arm of list) {
    const parts = wanted.flatMap(({ arm: own, seed }, i) => (own === arm ? [{ seed, ...found[i] }] : []));
    if (parts.length > 0) archive.add(arm, parts, collectionOf(arm.protocol));
  }
}

/** Adds to the archive what another process has finished so far. */
export function collectFinished(list, args, archive, collectionOf) {
  const steps = new Steps({ ...args, companion: 0 }, `partitions ${args.small} ${args.quick}`);
  for (const arm of list) {
    const parts = archive.missing(arm).flatMap((seed) => {
      const kept = steps.kept(`${arm.protocol} ${letters.get(arm.id)} ${seed}`);
      return kept === undefined ? [] : [{ seed, ...kept.result }];
    });
    if (parts.length > 0) archive.add(arm, parts, collectionOf(arm.protocol));
  }
}
