import { aggregateValues } from '../core/aggregate.js';
import type { JudgingRules } from '../core/judging/judge.js';
import { seededRandom } from '../core/numbers/random.js';
import { InputError } from '../core/problem.js';
import { type Qrels, type QrelsLike, toQrels } from '../core/qrels.js';
import { roomFor } from '../core/room.js';
import { type Run, type RunLike, toRun } from '../core/run.js';
import { type ScoreColumn, ScoreTable } from '../core/score-table.js';
import { type Evaluator, evaluator, type MeasureLike, toMeasures } from '../measures/evaluate.js';
import type { PlanOptions } from '../measures/plan.js';
import { contributionsOf, Fuser, type TopicContributions } from './combine.js';
import { writeRun, writtenTopics } from './fuse.js';
import { type JoinedRuns, joinRuns, TopicCandidates } from './join.js';
import { type FuseOptions, type FusionPlan, planFusion, tuningDirection } from './options.js';
import { splitTopics } from './split.js';
import { bestOf, coordinateSearch, simplexGrid, simplexGridSize, stepsOf, type WeightSearch } from './weight-search.js';

/** What weights are tuned for, on which topics, and how they are searched. */
export interface TuneOptions extends Omit<FuseOptions, 'weights'> {
  /** What the weights are to make large (or small, where less is better). */
  readonly measure: MeasureLike;
  /** Tests each of so many parts of the judged topics with weights that the others taught; 5 by default. */
  readonly folds?: number | undefined;
  /** Learns from these topics and tests on all other judged ones, in the place of folds. */
  readonly trainTopics?: readonly string[] | undefined;
  /** *grid* by default where it has at most 300 points, else *coordinate*. */
  readonly search?: WeightSearch | undefined;
  /** Distance of neighbouring weights, 0.1 by default. */
  readonly step?: number | undefined;
  /** Seed of the folds and of a coordinate search, 1 by default. */
  readonly seed?: number | undefined;
  /** How rankings meet judgements; the depth is that of the fusion. */
  readonly rules?: Partial<Omit<JudgingRules, 'depth'>> | undefined;
  readonly planOptions?: PlanOptions | undefined;
  /** Names of the runs in the result; their own by default. */
  readonly names?: readonly string[] | undefined;
  /** Called after each weight vector that was tried, with their largest number; a coordinate search does not know it. */
  readonly onProgress?: ((tried: number, atMost: number) => void) | undefined;
}

/** What the weights learned on some topics are worth on others. Values are the measure's over these topics. */
export interface TunedPart {
  readonly name: string;
  readonly trainTopics: readonly string[];
  readonly testTopics: readonly string[];
  readonly weights: readonly number[];
  readonly train: number;
  readonly test: number;
  /** The same for every single run, and for the fusion with equal weights. */
  readonly singles: readonly { readonly train: number; readonly test: number }[];
  readonly equal: { readonly train: number; readonly test: number };
}

/** Weights with the scores that they had on topics they were not tuned on. */
export interface TunedFusion {
  readonly method: string;
  readonly norm: string | null;
  readonly measure: string;
  readonly search: WeightSearch;
  readonly step: number;
  readonly seed: number;
  /** Weight vectors that were tried. */
  readonly tried: number;
  readonly systems: readonly string[];
  readonly parts: readonly TunedPart[];
  /** What to use from now on: learned on the training topics, or with folds on all judged topics. */
  readonly weights: readonly number[];
  /** The single runs, *equal weights* and *tuned weights* on the test topics, each topic fused with weights that it had no part in. */
  readonly heldOut: ScoreTable;
  /** The runs fused with the tuned weights: with folds every judged topic with those that the other folds taught, so that the run
   *  can be evaluated honestly; all other topics with `weights`. */
  readonly run: Run;
  readonly numPartial: number;
}

/** Largest grid that is searched without being asked for. */
const LARGEST_GRID = 300;
const LARGEST_ASKED_GRID = 100_000;

/** What the two fusions are called beside the single runs. */
export const EQUAL_WEIGHTS = 'equal weights';
/** What the fusion with tuned weights is called in the table of scores. */
export const TUNED_WEIGHTS = 'tuned weights';

/** Looks for the weights under which the fusion of runs is best by a measure, on some topics, and tells what they are worth on
 *  others. */
export function tuneFusion(judgements: QrelsLike, inputs: readonly RunLike[], options: TuneOptions): TunedFusion {
  const plan = planFusion(options);
  const { seed = 1, step = 0.1 } = options;
  const steps = stepsOf(step);
  const qrels = toQrels(judgements);
  const runs = inputs.map((input, r) => toRun(input, `run ${r + 1}`));
  refuseWhatCannotBeTuned(plan, runs.length);
  const names = namesOf(runs, options.names);
  const size = simplexGridSize(runs.length, steps);
  const search = options.search ?? (size <= LARGEST_GRID ? 'grid' : 'coordinate');
  if (search === 'grid' && size > LARGEST_ASKED_GRID) {
    throw new InputError({
      message: `a grid of ${size} weight vectors is too large, expected at most ${LARGEST_ASKED_GRID}`,
      wayOut: 'use the coordinate search, or a larger step',
    });
  }
  const values = new WeightValues(joinRuns(runs, plan), plan, qrels, options, search === 'grid' ? size + 1 : Number.POSITIVE_INFINITY);
  const { topics } = values;
  const parts = splitTopics(topics, { folds: options.folds, trainTopics: options.trainTopics, seed });

  const choose = (train: Uint32Array, stream: number): Float64Array => {
    const worthOf = (weights: Float64Array): number => values.sign * values.mean(values.of(weights), train);
    if (search === 'grid') return bestOf(simplexGrid(runs.length, steps), worthOf);
    return coordinateSearch(runs.length, steps, seededRandom(seed, stream), worthOf);
  };
  const chosen = parts.map(({ train }, part) => choose(train, part + 1));
  const everywhere = Uint32Array.from(topics, (_, t) => t); // fits: entries
  const weights = options.trainTopics === undefined ? choose(everywhere, parts.length + 1) : chosen[0];

  const singles = runs.map((run) => values.ofRun(run));
  const equal = values.of(new Float64Array(runs.length).fill(1 / runs.length));
  const learned = parts.map((_, part) => values.of(chosen[part]));
  const both = (own: Float64Array, part: number): { train: number; test: number } => ({
    train: values.mean(own, parts[part].train),
    test: values.mean(own, parts[part].test),
  });
  const tested = Uint32Array.from(parts.flatMap(({ test }) => [...test])).sort(); // fits: entries
  const partOf = new Map(parts.flatMap(({ test }, part) => [...test].map((place): [number, number] => [place, part])));
  const placeOf = new Map(topics.map((topic, place) => [topic, place]));
  const namedNotes = [...singles, equal].flatMap((own, s) => values.notesOn(own).map((note) => `${[...names, EQUAL_WEIGHTS][s]}: ${note}`));
  const crossed = Float64Array.from(topics, (_, place) => learned[partOf.get(place) ?? 0][place]);
  return {
    method: plan.method.name,
    norm: plan.norm ?? null,
    measure: values.column.name,
    search,
    step,
    seed,
    tried: values.tried,
    systems: names,
    parts: parts.map(({ name, train, test }, part) => ({
      name,
      trainTopics: Array.from(train, (place) => topics[place]),
      testTopics: Array.from(test, (place) => topics[place]),
      weights: [...chosen[part]],
      ...both(learned[part], part),
      singles: singles.map((own) => both(own, part)),
      equal: both(equal, part),
    })),
    weights: [...weights],
    heldOut: new ScoreTable(
      [...names, EQUAL_WEIGHTS, TUNED_WEIGHTS],
      Array.from(tested, (place) => topics[place]),
      [values.column],
      Float64Array.from([...singles, equal, crossed].flatMap((own) => Array.from(tested, (place) => own[place]))),
      [...new Set([...namedNotes, ...learned.flatMap((own) => values.notesOn(own).map((note) => `${TUNED_WEIGHTS}: ${note}`))])],
    ),
    run: values.run((topic) => {
      const part = partOf.get(placeOf.get(topic) ?? -1);
      return part === undefined ? weights : chosen[part];
    }),
    numPartial: values.numPartial,
  };
}

function refuseWhatCannotBeTuned({ method }: FusionPlan, numRuns: number): void {
  if (method.weights === 'none') {
    throw new InputError({ message: `${method.name} knows no weights that could be tuned`, wayOut: 'use wsum, or rrf with weights' });
  }
  if (numRuns < 2)
    throw new InputError(`found ${numRuns} ${numRuns === 1 ? 'run' : 'runs'}, expected at least 2 to weigh against each other`);
}

function namesOf(runs: readonly Run[], given: readonly string[] | undefined): readonly string[] {
  const names = given ?? runs.map(({ name }) => name);
  if (names.length !== runs.length) throw new InputError(`found ${names.length} names for ${runs.length} runs`);
  const twice = [...names, EQUAL_WEIGHTS, TUNED_WEIGHTS].find((name, i, all) => all.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError({ message: `two systems are called ${twice}`, wayOut: 'give each run a name of its own' });
  return names;
}

/** The values of the measure on every judged topic under any weights, each vector of weights computed once. */
class WeightValues {
  readonly topics: readonly string[];
  readonly column: ScoreColumn;
  /** 1 where more is better, −1 where less is. */
  readonly sign: 1 | -1;
  readonly numPartial: number;
  private readonly joined: JoinedRuns;
  private readonly plan: FusionPlan;
  private readonly judged: Evaluator;
  private readonly contributions: readonly TopicContributions[];
  private readonly fuser: Fuser;
  /** All candidates of all topics as one run, whose scores are written anew for every vector of weights. */
  private readonly scratch: Run;
  private readonly known: Map<string, Float64Array> = new Map();
  private readonly notes: Map<Float64Array, readonly string[]> = new Map();
  private readonly onProgress: (tried: number) => void;

  constructor(joined: JoinedRuns, plan: FusionPlan, qrels: Qrels, options: TuneOptions, atMost: number) {
    this.joined = joined;
    this.plan = plan;
    this.numPartial = joined.numPartial;
    this.onProgress = (tried) => options.onProgress?.(tried, atMost);
    const measures = toMeasures([options.measure]);
    if (measures.length !== 1) throw new InputError(`found ${measures.length} measures to tune for, expected one`);
    this.sign = tuningDirection(measures[0]) === 'higher' ? 1 : -1;
    // every run must have a value on every topic
    const missingTopics = options.rules?.missingTopics === 'placeholder' ? 'placeholder' : 'empty';
    this.judged = evaluator(qrels, measures, {
      ...options.rules,
      ...options.planOptions,
      missingTopics,
      depth: plan.depth,
      unrelated: 'accept',
    });
    this.fuser = new Fuser(plan, joined);
    const candidates = new TopicCandidates(joined, plan);
    this.contributions = Array.from(joined.order, (topic) => {
      candidates.moveTo(topic);
      return contributionsOf(candidates, joined, topic, plan);
    });
    this.scratch = this.emptyRun();
    const table = this.judged.evaluate(this.scratch);
    this.topics = table.topics;
    this.column = table.columns[0];
  }

  get tried(): number {
    return this.known.size;
  }

  of(weights: Float64Array): Float64Array {
    const key = weights.join(' ');
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const { scratch, contributions } = this;
    for (let t = 0; t < contributions.length; t++) this.fuser.fuse(contributions[t], weights, scratch.scores, scratch.offsets[t]);
    const values = this.ofRun(scratch);
    this.known.set(key, values);
    this.onProgress(this.known.size);
    return values;
  }

  ofRun(run: Run): Float64Array {
    const table = this.judged.evaluate(run);
    const values = table.column(0);
    // what is odd about a run was said when it was read
    this.notes.set(
      values,
      table.notes.filter((note) => run.notes?.includes(note) !== true),
    );
    return values;
  }

  /** How the values were found, where they are means over orders of equal scores. */
  notesOn(values: Float64Array): readonly string[] {
    return this.notes.get(values) ?? [];
  }

  /** The measure over some of the topics, in the way it is summed up. */
  mean(values: Float64Array, places: Uint32Array): number {
    const { aggregate, floor, empty } = this.column;
    let kept = Float64Array.from(places, (place) => values[place]);
    if (empty === 'skip') kept = kept.filter((value) => !Number.isNaN(value));
    return aggregateValues(aggregate, kept, 0, 1, kept.length, floor);
  }

  run(weightsOf: (topic: string) => Float64Array): Run {
    const { joined, plan, contributions } = this;
    let place = 0;
    return writeRun(joined, plan, (topic) => ({ contributions: contributions[place++], weights: weightsOf(joined.topics.text(topic)) }));
  }

  private emptyRun(): Run {
    const { contributions, joined } = this;
    roomFor(
      contributions.reduce((sum, { docs }) => sum + docs.length, 0),
      0,
      'fused rows',
    );
    const offsets = new Uint32Array(contributions.length + 1); // fits: entries
    for (const [t, { docs }] of contributions.entries()) offsets[t + 1] = offsets[t] + docs.length;
    const docOf = new Uint32Array(offsets[contributions.length]); // fits: entries
    for (const [t, { docs }] of contributions.entries()) docOf.set(docs, offsets[t]);
    return { name: '', topics: writtenTopics(joined), docs: joined.docs, offsets, docOf, scores: new Float64Array(docOf.length) };
  }
}
