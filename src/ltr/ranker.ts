import type { FeatureMatrix, Features } from '../core/feature-matrix.js';
import type { TieRule } from '../core/judging/judging-rules.js';
import type { ParamSpec } from '../core/params.js';
import type { EvaluationRules } from './evaluate-model.js';
import type { QueryObjective } from './losses/query-objective.js';
import type { Objective } from './objectives/objective.js';
import type { TrainingCurves } from './training/curves.js';

/** How features were brought to a common scale before training. It is a part of the model, so that a document is scored in
 *  the same way wherever the model goes. Column c of the features becomes (value - shift[c]) * factor[c]. */
export type FeatureNormalisation =
  /** one shift and factor per column, found on the training data */
  | { readonly kind: 'global'; readonly method: 'zscore' | 'minmax'; readonly shift: Float64Array; readonly factor: Float64Array }
  /** found again for each query that is scored: (x - mean) / deviation, (x - least) / range, or x / sum of |x| */
  | { readonly kind: 'query'; readonly method: 'zscore' | 'minmax' | 'sum' };

/** What a model computes for one document. Plain data: it can be saved, sent to a worker and looked at. */
export type Scorer = LinearScorer | TreeScorer | NetScorer;

/** bias + sum of weights[c] * feature c, added from column 0 on. */
export interface LinearScorer {
  readonly kind: 'linear';
  readonly weights: Float64Array;
  readonly bias: number;
}

/** Trees end to end in flat arrays. Tree t has the nodes nodeOffsets[t] to nodeOffsets[t + 1], its root first. A node with
 *  feature[n] < 0 is a leaf of value[n]; otherwise a document goes to node left[n] if its value is <= threshold[n], else to
 *  right[n] (numbers of nodes in the same arrays); NaN (missing) goes left where missingLeft[n] is 1. The score is
 *  base + the sum over trees in order of treeWeights[t] * leaf. */
export interface TreeScorer {
  readonly kind: 'trees';
  readonly base: number;
  readonly nodeOffsets: Uint32Array;
  readonly treeWeights: Float64Array;
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  readonly missingLeft: Uint8Array;
  readonly value: Float64Array;
  /** Gain of each split, and how many training documents reached each node; undefined where a model file did not say. */
  readonly gain?: Float64Array | undefined;
  readonly cover?: Float64Array | undefined;
  /** What the sum is divided by in the end: the number of trees of a forest that averages. */
  readonly divisor?: number | undefined;
  /** The sum is rounded to a 32-bit float after each tree, as XGBoost and RankLib do. */
  readonly sums?: 'float32' | undefined;
  /** Values of at most 1e-35 in size count as missing, as with LightGBM's zero_as_missing. */
  readonly zeroIsMissing?: boolean | undefined;
  /** Which nodes split by category instead of by threshold; undefined where none does. */
  readonly categories?: CategorySplits | undefined;
}

/** Splits by category. At a node with setOf[n] >= 0 a document goes left if its value is above threshold[n], which lies below 0, and the
 *  value without its fraction is in the set; any other value goes right, and NaN where missingLeft[n] says. */
export interface CategorySplits {
  /** The number of the set of each node, or -1 where it splits by threshold. */
  readonly setOf: Int32Array;
  /** Set s is words[offsets[s]] to words[offsets[s + 1]]; category c is in it if bit c % 32 of word floor(c / 32) is 1. */
  readonly offsets: Uint32Array;
  readonly words: Uint32Array;
}

/** Layers of units. Unit u of a layer computes activation(bias[u] + sum of weights[u * inputs + i] * input i). */
export interface NetScorer {
  readonly kind: 'net';
  readonly layers: readonly NetLayer[];
}

/** One layer of a net; the weights of unit u begin at u × inputs. */
export interface NetLayer {
  readonly inputs: number;
  readonly units: number;
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly activation: NetActivation;
}

/** What units can do with their sums. A leaky relu lets a hundredth of a negative sum through. */
export const netActivations = ['identity', 'tanh', 'sigmoid', 'relu', 'leakyrelu'] as const;
/** What the units of a layer do with their sums. */
export type NetActivation = (typeof netActivations)[number];

/** A trained ranker, with all that is needed to use it again and to know where it came from. */
export interface Model {
  /** Name of the learner: `lambdamart`. */
  readonly learner: string;
  /** Ids of the features as files write them: column c of the scorer is feature firstFeature + c. */
  readonly firstFeature: number;
  readonly numFeatures: number;
  readonly featureNames?: readonly string[] | undefined;
  /** What stands for a feature that a document does not have: NaN (missing) or a number, usually 0. */
  readonly missing: number;
  /** What a feature counts as that a document of a sparse file leaves out, where that is not `missing`: LightGBM takes 0 for it, and
   *  NaN, which a file can write too, for a missing one. */
  readonly leftOut?: number | undefined;
  /** Values are rounded to 32-bit floats before anything else, as RankLib reads them. */
  readonly inputs?: 'float32' | undefined;
  readonly normalisation?: FeatureNormalisation | undefined;
  readonly scorer: Scorer;
  readonly training?: TrainingRecord | undefined;
}

/** Where a model came from. */
export interface TrainingRecord {
  /** Canonical spelling of the measure or loss that was optimised. */
  readonly objective: string;
  readonly convention?: string | undefined;
  /** What became of equal scores wherever rankings were judged; a model file of before this was recorded does not say. */
  readonly ties?: TieRule | undefined;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly seed: number;
  /** Hash of the training data. */
  readonly data?: string | undefined;
  readonly iterations: number;
  /** The iteration that was kept, counted from 1, and the value on the validation data there. */
  readonly best?: { readonly iteration: number; readonly validation: number } | undefined;
  /** What was seen after each iteration, where that was asked for. */
  readonly history?: TrainingCurves | undefined;
}

/** What an option of a learner can be set to. */
export type OptionValue = number | boolean | string | readonly number[];

/** One option of a learner, declared once: the command line, the checks and the reference are made from it. */
export interface LearnerOption extends ParamSpec {
  readonly default: OptionValue;
  readonly help: string;
  /** What RankLib calls it: `-tree`. */
  readonly ranklib?: string;
}

/** How far training has come, for those who watch. */
export interface Iteration {
  /** Counted from 1. */
  readonly iteration: number;
  /** How many there will be at most. */
  readonly of: number;
  /** What the learner minimises or maximises, on the training data; undefined where it is not computed as it goes. */
  readonly training?: number | undefined;
  /** The validation measure, where there is validation data. */
  readonly validation?: number | undefined;
}

/** Documents that a learner can rely on, because `trainRanker` has looked at them: there are some, they have features, their labels are
 *  finite, and so are their features, or NaN where they are not known. Where only bins were read, which is done for learners that grow
 *  trees and for no others, the features say what columns there are, and have no cells. */
export interface TrainingSet extends FeatureMatrix {
  readonly features: Features;
}

/** Trees that training goes on from. */
export interface StartingTrees {
  readonly scorer: TreeScorer;
  /** What they give to the training and the validation data. */
  readonly trainScores: Float64Array;
  readonly validationScores: Float64Array;
  /** How many iterations they are the result of. */
  readonly iterations: number;
  /** The best of these iterations, where that is known. */
  readonly best?: { readonly iteration: number; readonly validation: number } | undefined;
  /** Whether the same training goes on, up to as many trees as it was asked for; otherwise so many are added. */
  readonly resumes: boolean;
  /** What one of them alone gives to the training data. */
  treeScores(tree: number): Float64Array;
}

/** When the model is saved on the way, and where. */
export interface TrainingSnapshots {
  isDue(iteration: number): boolean;
  save(model: Model): Promise<void>;
}

/** All that a learner is given; the data is complete and checked. */
export interface TrainingRequest {
  readonly train: TrainingSet;
  /** In the columns of the training data. */
  readonly validation?: TrainingSet | undefined;
  /** How much each query of the training data counts, for the learners that can weigh them; 1 each by default. */
  readonly queryWeights?: Float64Array | undefined;
  /** How much each document of the training data counts, for the learners that can weigh them; 1 each by default. */
  readonly documentWeights?: Float64Array | undefined;
  /** Scores that the training documents have already, which the model is to add to; for the learners that can begin with them. They are
   *  no part of the model. */
  readonly initialScores?: Float64Array | undefined;
  /** What is optimised. Learners with a loss of their own (RankNet, RankSVM, …) use it to choose on validation data only. */
  readonly objective: Objective;
  /** What gives the gradients in the place of the objective, for the learners that take them from a program. */
  readonly gradients?: QueryObjective | undefined;
  /** What is watched on the validation data; the objective by default. */
  readonly metric?: Objective | undefined;
  /** The rules by which rankings are judged; those of Gradus by default. */
  readonly rules?: EvaluationRules | undefined;
  /** Complete and checked by `checkOptions`. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly seed: number;
  readonly onIteration?: ((progress: Iteration) => void) | undefined;
  /** When it fires, training ends and the best model so far is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the watched measure is also asked of the training data, and told after each iteration; other learners tell their loss. */
  readonly watchesTraining?: boolean | undefined;
  /** What trees are added to, for the learners that can go on from a model. */
  readonly start?: StartingTrees | undefined;
  /** Saves the model after an iteration, complete as it is then. */
  readonly snapshots?: TrainingSnapshots | undefined;
  /** Helpers for the learners that can use them; the result is the same with any number. */
  readonly team?: Team | undefined;
}

/** Threads that share memory with the caller. The node room makes one of worker threads; without one, learners work alone. */
export interface Team {
  /** Threads in all, the caller's among them. */
  readonly size: number;
  /** Calls the exported function `work(data, number)` of a module once in every other thread, numbered from 1. The promise is
   *  kept with what they have returned when all have, and broken when one has failed. Buffers of shared memory in `data` are
   *  shared, everything else is copied. */
  run(module: URL, data: unknown): Promise<readonly unknown[]>;
  /** Resolves when every other thread runs, or is known not to. */
  started?(): Promise<void>;
  /** Throws if a thread has died; for callers that wait without giving way to events, once all threads have started. */
  check?(): void;
  close(): Promise<void>;
}

/** A way of learning to rank. */
export interface Learner {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly help: string;
  readonly citation?: { readonly text: string; readonly doi?: string } | undefined;
  /** Number after RankLib's `-ranker`. */
  readonly ranklib?: number | undefined;
  /** Whether queries can have weights. */
  readonly weighsQueries?: boolean | undefined;
  /** Whether documents can have weights and scores to begin with. */
  readonly weighsDocuments?: boolean | undefined;
  /** Whether it needs the bins of features only, of which there are at most as many as its option `bins` says. */
  readonly growsOnBins?: boolean | undefined;
  readonly options: Readonly<Record<string, LearnerOption>>;
  /** Whether it can be trained not to lose against a baseline. */
  readonly weighsRisk?: boolean | undefined;
  /** Whether it asks what swaps of documents change, and nothing else, of what it optimises. */
  readonly asksSwaps?: boolean | undefined;
  /** Whether it can go on from a model, and save what it has on the way. */
  readonly continues?: boolean | undefined;
  /** Whether a program can give the gradients. */
  readonly takesGradients?: boolean | undefined;
  /** Names of the measures it can optimise (`nDCG`), *any* measure, or *own*: a loss of its own. */
  readonly objectives: 'any' | 'own' | readonly string[];
  train(request: TrainingRequest): Promise<Model>;
}
