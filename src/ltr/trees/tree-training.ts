import { numQueries } from '../../core/feature-matrix.js';
import { type Random, shuffleInPlace } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { allMeasures } from '../../measures/registry.js';
import type { QueryObjective } from '../losses/query-objective.js';
import type { Objective, PreparedObjective } from '../objectives/objective.js';
import type { TrainingRequest } from '../ranker.js';
import { watchOf } from '../training/watch.js';
import { MAX_BINS } from './bin-edges.js';
import { type BinRule, binAll, type CellSource, findAllEdges, placeEdges } from './binned-data.js';
import type { ColumnCategories } from './bins/categories.js';
import { areShared } from './cells.js';
import { Grower } from './grower.js';
import type { GrownTree } from './grown-tree.js';
import type { GrowthRules } from './growth-limits.js';
import { JOB } from './job-control.js';
import { JobRunner } from './job-runner.js';
import { createMemory, makeRoom } from './kernel.js';
import { type Layout, planLayout } from './layout.js';
import type { PairRules } from './pair-gradients.js';
import { QueryGradientSource, taughtQueries } from './query-gradients.js';
import { columnOf, markLeftBins } from './splits/left-bins.js';
import { columnsFor, growthFor, placeShared } from './training-columns.js';
import { type GradientRule, QUERIES_PER_PART, type ThreadSetup, TreeThread } from './tree-thread.js';
import type { HelperTask } from './tree-worker.js';

/** How trees are grown and what they follow, the same for every tree of a model. */
export interface TreeTrainingPlan {
  readonly growth: GrowthRules;
  readonly bins: number;
  /** How bins are found. */
  readonly binning: BinRule;
  /** Columns of the data whose values are categories. */
  readonly categorical: readonly number[];
  /** How pairs make gradients under the objective; undefined where trees follow the labels. */
  readonly pairs: (PairRules & { readonly positionWeights: readonly number[] }) | undefined;
  /** What gives the gradients of a query in the place of both. */
  readonly gradients?: QueryObjective | undefined;
  /** Where all scores begin. */
  readonly base: number;
  /** Without WebAssembly. */
  readonly plain?: boolean | undefined;
}

/** Largest memory that 32-bit addresses reach. */
const MOST_BYTES = 65536 * 65536;

/** One training of trees: its data in the form in which trees are grown on them, and the threads that grow them. */
export class TreeTraining {
  readonly layout: Layout;
  /** The columns of the data that trees are grown on, where these are not all of them. Trees number them from 0 on. */
  readonly columns: Uint32Array | undefined;
  /** Of each of these columns. */
  readonly edges: readonly Float64Array[];
  /** Of the columns that have any. */
  readonly categories: readonly ColumnCategories[];
  /** Rows of the queries that teach, ascending; and those queries. */
  readonly rows: Uint32Array;
  readonly queries: Uint32Array;
  readonly grower: Grower;
  readonly scores: Float64Array;
  readonly validationScores: Float64Array;
  private readonly thread: TreeThread;
  private readonly runner: JobRunner;
  private readonly gradientsAlone: boolean;
  private readonly source: QueryGradientSource | undefined;
  private readonly validation: ((scores: Float64Array) => number) | undefined;
  private readonly training: ((scores: Float64Array) => number) | undefined;
  private readonly helpers: Promise<unknown>;
  private readonly queryWeights: Float64Array | undefined;
  private readonly numFeatures: number;

  constructor(request: TrainingRequest, plan: TreeTrainingPlan) {
    const { train, validation, team } = request;
    const prepared = plan.pairs === undefined ? undefined : request.objective.prepare(train.labels, train.queryOffsets);
    const { discounted } = prepared ?? {};
    const weights = request.queryWeights;
    this.queryWeights = weights;
    const teaches = plan.gradients === undefined ? prepared?.teaches : taughtQueries(plan.gradients, train);
    this.queries = teachingQueries(teaches, numQueries(train), weights);
    this.rows = rowsOf(this.queries, train.queryOffsets);
    if (this.queries.length === 0) {
      throw new InputError({
        message: `the training data teach nothing: ${request.objective.measure.text} is the same for every order of every query`,
        wayOut: 'give queries with documents of different labels',
      });
    }
    this.numFeatures = train.features.numFeatures;
    const measure = request.metric ?? request.objective;
    this.training = request.watchesTraining === true ? watchOf({ ...measure, watched: undefined }, train, request.rules) : undefined;
    const { binned } = train;
    if (binned !== undefined && binned.maxValueBins !== plan.bins) throw new Error(`data of ${binned.maxValueBins} bins, not ${plan.bins}`);
    const shared = team !== undefined && team.size > 1 && typeof SharedArrayBuffer !== 'undefined';
    const trained = columnsFor(request, plan, this.rows, shared);
    const { features, validation: others, sample, wide, sparse, columns, numFeatures } = trained;
    this.categories = trained.categories;
    this.columns = columns;
    const growth = columns === undefined ? plan.growth : growthFor(plan.growth, columns);
    const dimensions = {
      numRows: train.numRows,
      numValidationRows: validation?.numRows ?? 0,
      numFeatures,
      sources: wide?.sources,
      numQueries: numQueries(train),
      longest: longestQuery(train.queryOffsets),
      maxLeaves: plan.growth.maxLeaves,
      // fits: at most MAX_BINS
      numBins:
        sparse?.shared.numCodes ?? new Uint16Array(shared ? new SharedArrayBuffer(numFeatures * 2) : new ArrayBuffer(numFeatures * 2)),
      shared: sparse?.shared,
      weighsDocuments: request.documentWeights !== undefined,
      hasCategories: plan.categorical.length > 0,
      placed: binned && { bins: binned.address, binStride: binned.stride, end: binned.end },
    };
    // where memory is short, each thread needs room that others could use
    let threads = shared ? team.size : 1;
    while (threads > 1 && planLayout({ ...dimensions, threads }).totalBytes > MOST_BYTES) threads = Math.ceil(threads / 2);
    this.layout = planLayout({ ...dimensions, threads });
    const { layout } = this;
    if (layout.totalBytes > MOST_BYTES) {
      throw new InputError({
        message: `${train.numRows} documents with ${layout.numFeatures} features need ${Math.ceil(layout.totalBytes / 2 ** 30)} GiB, more than the 4 GiB that trees can be grown in`,
        wayOut: 'take fewer documents or features',
      });
    }
    const cells: CellSource = {
      training: binned === undefined ? features : undefined,
      validation: others,
      sample,
      maxValueBins: plan.bins,
      binning: plan.binning,
    };
    const setup: ThreadSetup = {
      memory: binned === undefined ? createMemory(layout.totalBytes, shared) : makeRoom(binned.memory, binned.end, layout.totalBytes),
      layout,
      plain: plan.plain ?? false,
      gradients: gradientRule(plan, prepared),
      limits: growth,
      countBits: 32 - Math.clz32(this.rows.length),
      cells,
    };
    this.thread = new TreeThread(setup, 0, discounted === undefined ? prepared : undefined);
    const { thread } = this;
    this.scores = thread.reals.subarray(layout.scores / 8, layout.scores / 8 + train.numRows).fill(plan.base);
    this.validationScores = new Float64Array(layout.numValidationRows).fill(plan.base);
    if (request.initialScores !== undefined) this.scores.set(request.initialScores);
    if (request.start !== undefined) {
      this.scores.set(request.start.trainScores);
      this.validationScores.set(request.start.validationScores);
    }
    this.place(request, plan, prepared);
    this.source = plan.gradients && new QueryGradientSource(plan.gradients, request, layout, thread.reals);

    const known = asksSwaps(setup.gradients) ? knownMeasure(request.objective) : undefined;
    this.gradientsAlone = asksSwaps(setup.gradients) && known === undefined;
    // cells that others do not see are put into bins here
    const seen = binned === undefined ? areShared(features) : others !== undefined && areShared(others);
    const othersSeen = seen && others !== undefined && areShared(others);
    const seenCells = seen && sparse === undefined ? { ...cells, validation: othersSeen ? others : undefined } : undefined;
    const task: HelperTask = { setup: { ...setup, cells: seenCells }, measure: known };
    this.helpers = shared ? team.run(new URL('./tree-worker.js', import.meta.url), task) : Promise.resolve();
    // a failure is reported by `close`; until then nobody is to take it for unhandled
    this.helpers.catch(() => undefined);
    this.runner = new JobRunner(thread, threads - 1, () => team?.check?.());
    this.grower = new Grower(thread, this.runner, growth, setup.countBits);

    try {
      if (sparse !== undefined) {
        this.edges = sparse.edges;
        placeShared(thread, sparse);
      } else if (binned === undefined) {
        this.edges =
          wide === undefined
            ? withKnownEdges(thread, findAllEdges(this.runner, thread, cells, !seen), trained.knownEdges)
            : placeEdges(thread, wide.edges);
        binAll(this.runner, thread, cells, false, !seen);
      } else this.edges = placeEdges(thread, binned.edges);
      if (validation !== undefined) {
        if (sparse === undefined) binAll(this.runner, thread, cells, true, !othersSeen);
        this.validation = watchOf(request.metric ?? request.objective, validation, request.rules);
      }
    } catch (error) {
      // nobody else would, and the team could do nothing more
      this.runner.dismiss();
      throw error;
    }
  }

  private place(request: TrainingRequest, plan: TreeTrainingPlan, prepared: PreparedObjective | undefined): void {
    const { layout, thread } = this;
    const { reals, words } = thread;
    const { labels, queryOffsets } = request.train;
    reals.set(labels, layout.labels / 8);
    if (request.documentWeights !== undefined) reals.set(request.documentWeights, layout.documentWeights / 8);
    words.set(queryOffsets, layout.queryOffsets / 4);
    const { discounted } = prepared ?? {};
    for (const q of this.queries) {
      reals[layout.queryScales / 8 + q] = 1 / (discounted?.norms[q] ?? 1);
      reals[layout.queryWeights / 8 + q] = request.queryWeights?.[q] ?? 1;
      for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) words[layout.order / 4 + row] = row - queryOffsets[q];
    }
    const positions = plan.pairs?.positionWeights ?? [];
    for (let rank = 0; rank < layout.longest + 2; rank++) {
      reals[layout.positionFactors / 8 + rank] = positions.length === 0 ? 1 : positions[Math.min(rank, positions.length - 1)];
      reals[layout.weights / 8 + rank] = discounted?.weights[rank] ?? 0;
    }
    if (discounted !== undefined) this.placeGains(discounted.gains, queryOffsets);
    thread.bytes.fill(1, layout.active, layout.active + layout.numFeatures);
    thread.bytes.fill(1, layout.activeColumns, layout.activeColumns + layout.numColumns);
  }

  private placeGains(gains: Float64Array, queryOffsets: Uint32Array): void {
    const { layout, thread } = this;
    thread.reals.set(gains, layout.gains / 8);
    for (const q of this.queries) {
      const from = queryOffsets[q];
      const docs = Uint32Array.from({ length: queryOffsets[q + 1] - from }, (_, doc) => doc); // fits: entries
      thread.words.set(
        docs.sort((a, b) => gains[from + b] - gains[from + a] || a - b),
        layout.byGain / 4 + from,
      );
    }
  }

  /** Multiplies the weights of queries by these for the next gradients. */
  weighQueries(factors: Float64Array): void {
    const { layout, thread } = this;
    for (const q of this.queries) thread.reals[layout.queryWeights / 8 + q] = (this.queryWeights?.[q] ?? 1) * factors[q];
  }

  computeGradients(): void {
    if (this.source !== undefined) {
      this.source.compute(this.queries);
      return;
    }
    this.runner.run(JOB.gradients, Math.ceil(this.layout.numQueries / QUERIES_PER_PART), this.gradientsAlone);
  }

  /** Lets the next trees use a share of the features only. */
  drawFeatures(share: number, random: Random): void {
    const { layout, thread, columns, numFeatures } = this;
    if (share >= 1) return;
    const features = Uint32Array.from({ length: numFeatures }, (_, f) => f); // fits: entries
    shuffleInPlace(random, features);
    const isDrawn = new Uint8Array(numFeatures); // fits: flags
    for (const f of features.subarray(0, Math.max(1, Math.round(share * numFeatures)))) isDrawn[f] = 1;
    thread.bytes.fill(0, layout.activeColumns, layout.activeColumns + layout.numColumns);
    for (let f = 0; f < layout.numFeatures; f++) {
      const isActive = isDrawn[columns?.[f] ?? f];
      thread.bytes[layout.active + f] = isActive;
      const column = columnOf(layout, f);
      if (isActive === 1 && column >= 0) thread.bytes[layout.activeColumns + column] = 1;
    }
  }

  /** Grows a tree on these rows.
   *  @param random  what splits and features of leaves are drawn from */
  grow(rows: Uint32Array, random: Random): GrownTree {
    this.thread.words.set(rows, this.layout.rows[0] / 4);
    return this.grower.grow(rows.length, random);
  }

  /** The gradients and hessians of all documents, as they are. */
  get gradients(): { readonly gradients: Float64Array; readonly hessians: Float64Array } {
    const { layout, thread } = this;
    const view = (address: number): Float64Array => thread.reals.subarray(address / 8, address / 8 + layout.numRows);
    return { gradients: view(layout.gradients), hessians: view(layout.hessians) };
  }

  /** Adds factor times a tree's values to the scores of all validation rows. */
  addToValidation(tree: GrownTree, factor: number): void {
    const { layout } = this;
    this.addByBins(tree, factor, layout.validationBins, layout.numValidationRows, this.validationScores, undefined);
  }

  /** Adds factor times a tree's values to the scores of training rows: those with 0 in `grown`, or all. */
  addToTraining(tree: GrownTree, factor: number, grown?: Uint8Array): void {
    this.addByBins(tree, factor, this.layout.bins, this.layout.numRows, this.scores, grown);
  }

  private addByBins(
    tree: GrownTree,
    factor: number,
    bins: number,
    numRows: number,
    scores: Float64Array,
    skip: Uint8Array | undefined,
  ): void {
    const { bytes } = this.thread;
    const { binStride } = this.layout;
    const { feature, left, right, value } = tree;
    const column = feature.map((f) => (f < 0 ? -1 : columnOf(this.layout, f)));
    const isLeft = new Uint8Array(tree.numNodes * MAX_BINS); // fits: flags
    for (let node = 0; node < tree.numNodes; node++) {
      if (feature[node] >= 0) markLeftBins(this.layout, tree.splitAt(node), isLeft.subarray(node * MAX_BINS, (node + 1) * MAX_BINS));
    }
    for (let row = 0; row < numRows; row++) {
      if (skip !== undefined && skip[row] === 1) continue;
      let node = 0;
      while (column[node] >= 0) {
        const bin = bytes[bins + row * binStride + column[node]];
        node = isLeft[node * MAX_BINS + bin] === 1 ? left[node] : right[node];
      }
      scores[row] += factor * value[node];
    }
  }

  /** The watched measure on the training data; undefined where it was not asked for. */
  trainingValue(): number | undefined {
    return this.training?.(this.scores);
  }

  /** The watched measure on the validation data; undefined without any. */
  validationValue(): number | undefined {
    return this.validation?.(this.validationScores);
  }

  async close(): Promise<void> {
    this.runner.dismiss();
    await this.helpers;
  }
}

function gradientRule(plan: TreeTrainingPlan, prepared: PreparedObjective | undefined): GradientRule {
  const { pairs } = plan;
  if (pairs === undefined) return { kind: 'labels' };
  const { sigma, normalise, truncation } = pairs;
  const weights = prepared?.discounted?.weights;
  if (weights === undefined) return { kind: 'swaps', sigma, normalise, truncation };
  // below the rank from which all weigh the same, nothing is won or lost
  let varying = weights.length;
  while (varying > 0 && weights[varying - 1] === weights[weights.length - 1]) varying--;
  return { kind: 'discounted', sigma, normalise, truncation: Math.min(truncation, varying) };
}

/** The edges of all features; those of categories lie between their numbers. */
function withKnownEdges(thread: TreeThread, edges: Float64Array[], known: ReadonlyMap<number, Float64Array>): readonly Float64Array[] {
  if (known.size === 0) return edges;
  return placeEdges(
    thread,
    edges.map((found, column) => known.get(column) ?? found),
  );
}

const asksSwaps = ({ kind }: GradientRule): boolean => kind === 'swaps';

/** What another thread needs to make the same objective; undefined if it would not find the measure. */
function knownMeasure({ measure, ownThread }: Objective): HelperTask['measure'] {
  if (ownThread === true || !allMeasures.includes(measure.def)) return undefined;
  return { name: measure.def.name, text: measure.text, params: measure.params };
}

function teachingQueries(teaches: Uint8Array | undefined, count: number, weights: Float64Array | undefined): Uint32Array {
  const teaching: number[] = [];
  for (let q = 0; q < count; q++) if ((teaches === undefined || teaches[q] === 1) && weights?.[q] !== 0) teaching.push(q);
  return Uint32Array.from(teaching); // fits: entries
}

/** The rows of some queries, one query after the other. */
export function rowsOf(queries: Uint32Array, queryOffsets: Uint32Array): Uint32Array {
  const count = queries.reduce((sum, q) => sum + queryOffsets[q + 1] - queryOffsets[q], 0);
  const rows = new Uint32Array(count); // fits: entries
  let to = 0;
  for (const q of queries) for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) rows[to++] = row;
  return rows;
}

function longestQuery(queryOffsets: Uint32Array): number {
  let longest = 0;
  for (let q = 1; q < queryOffsets.length; q++) longest = Math.max(longest, queryOffsets[q] - queryOffsets[q - 1]);
  return longest;
}
