import { InputError } from '../../core/problem.js';
import { type Run, toRun } from '../../core/run.js';
import type { ScoreTable } from '../../core/score-table.js';
import { readRun } from '../../formats/read.js';
import { ChosenColumns } from '../../formats/tables/chosen-columns.js';
import {
  bayesianTTest,
  changedParts,
  deltaRelativeImprovement,
  documentLists,
  effectRatio,
  kendallTauUnion,
  metadataParts,
  metadataProblems,
  overlapToDepth,
  pairedReproductionTest,
  type RunMetadata,
  scoreDistance,
  type ThreeWays,
  tauOverUnion,
  unpairedReproductionTest,
} from '../../judging/index.js';
import { rankBiasedOverlap } from '../../stats/correlation/rank-biased-overlap.js';
import type { Interval } from '../../stats/moments.js';
import { pairedTTest } from '../../stats/t-test.js';
import { scoreExperiment } from '../experiment.js';
import { isReadable, type JudgementsInput, type ReadingSettings, type RunInput, sourceOf } from '../material.js';
import { noteText } from '../notes.js';
import type { JudgingSettings } from '../plan.js';
import type { Platform } from '../platform.js';
import { headerOf } from '../run-header.js';
import { readJudges } from './judges.js';

/** An experiment and its reproduction. */
export interface ReproduceRequest extends JudgingSettings, ReadingSettings {
  readonly judgements: JudgementsInput;
  readonly original: RunInput;
  readonly reproduced: RunInput;
  /** The system that improves on the first, in the original and in the reproduction. */
  readonly advanced?: { readonly original: RunInput; readonly reproduced: RunInput } | undefined;
  /** Judgements of another collection, if it was replicated there. */
  readonly replication?: JudgementsInput | undefined;
  readonly persistence?: number | undefined;
  readonly depth?: number | undefined;
  readonly rope?: number | undefined;
}

/** How alike the lists of two runs are, as means over topics. */
export interface ReproducedOrder {
  readonly run: string;
  readonly topics: number;
  /** As repro_eval computes them; tau union is null where lists differ in length or have fewer than two documents. */
  readonly tauUnion: number | null;
  readonly overlap: number;
  /** Tau of ranks, absent documents last, and extrapolated rank-biased overlap: these do not depend on names or lengths. */
  readonly tau: number | null;
  readonly rbo: number;
}

/** How alike the scores are, by one measure. */
export interface ReproducedScores {
  readonly measure: string;
  readonly run: string;
  readonly original: number;
  readonly reproduced: number;
  readonly rmse: number | null;
  readonly normalisedRmse: number | null;
  readonly pValue: number | null;
  readonly difference: number;
  /** Of the mean difference, reproduced less original; null where topics are others. */
  readonly interval: Interval | null;
  /** How probable it is that the mean difference is below, within or above the region of equivalence; null where topics are others. */
  readonly equivalence: ThreeWays | null;
}

/** Whether an experiment was reproduced. */
export interface Reproduced {
  readonly kind: 'reproduction' | 'replication';
  readonly orders: readonly ReproducedOrder[];
  readonly scores: readonly ReproducedScores[];
  readonly effects: readonly { readonly measure: string; readonly effectRatio: number | null; readonly deltaImprovement: number | null }[];
  /** What the headers of the runs say, where both have one: which of the six parts of an experiment differ, as letters (*priMad*: only the
   *  method), and their names. */
  readonly metadata: readonly { readonly run: string; readonly changed: string; readonly parts: readonly string[] }[];
  readonly notes: readonly string[];
}

/** Compares a reproduction with its original: orders, scores, and the effect of an advanced system over a baseline. */
export async function reproduceOf(request: ReproduceRequest, platform: Platform): Promise<Reproduced> {
  const { lenient, advanced, persistence = 0.95, depth = 1000, rope = 0.01 } = request;
  const chosen = new ChosenColumns(request);
  const judged = [request.judgements, ...(request.replication === undefined ? [] : [request.replication])];
  const { judges, notes: reading } = await readJudges(judged, { chosen, lenient }, platform);
  const [first, replication] = judges.map(({ qrels }) => qrels);
  const read = async (input: RunInput): Promise<Run> =>
    isReadable(input) ? (await readRun(sourceOf(input, platform), { lenient, ...chosen.of('run') })).run : toRun(input);
  const inputs = [
    { run: 'baseline', original: request.original, reproduced: request.reproduced },
    ...(advanced === undefined ? [] : [{ run: 'advanced', ...advanced }]),
  ];
  const pairs: { run: string; original: Run; reproduced: Run }[] = [];
  for (const { run, original, reproduced } of inputs)
    pairs.push({ run, original: await read(original), reproduced: await read(reproduced) });
  chosen.refuseUnused();
  const notes = new Set(reading.map(noteText));
  const { convention, measures: asked, rel, ties } = request;
  const judging: JudgingSettings = { convention, measures: asked, rel, ties };
  const table = async (judgements: JudgementsInput, run: Run): Promise<ScoreTable> => {
    const { tables, notes: own } = await scoreExperiment({ ...judging, judgements, runs: [run], missing: 'zero' }, platform, {
      otherwise: ['nDCG@10', 'AP'],
    });
    for (const note of own) notes.add(noteText(note));
    return tables[0];
  };
  const scored: { run: string; original: ScoreTable; reproduced: ScoreTable }[] = [];
  for (const { run, original, reproduced } of pairs) {
    scored.push({
      run,
      original: await table(first, original),
      reproduced: await table(replication ?? first, reproduced),
    });
  }
  const measures = scored[0].original.measures;
  const paired = replication === undefined;
  const scores = measures.flatMap((measure, m) =>
    scored.map(({ run, original, reproduced }): ReproducedScores => {
      const [before, after] = [original.column(m), reproduced.column(m)];
      const test = paired ? pairedReproductionTest(before, after) : unpairedReproductionTest(before, after);
      if (test.note !== undefined) notes.add(`${measure}, ${run}: ${test.note}`);
      const distance = paired ? scoreDistance(before, after) : undefined;
      const [meanBefore, meanAfter] = [original.aggregate(m), reproduced.aggregate(m)];
      const enough = paired && before.length > 1;
      return {
        measure,
        run,
        original: meanBefore,
        reproduced: meanAfter,
        rmse: distance?.rmse ?? null,
        normalisedRmse: distance?.normalised ?? null,
        pValue: test.pValue,
        difference: meanAfter - meanBefore,
        interval: enough ? pairedTTest({ first: after, second: before }).interval : null,
        equivalence: enough ? bayesianTTest({ first: before, second: after, rope }) : null,
      };
    }),
  );
  return {
    kind: paired ? 'reproduction' : 'replication',
    orders: paired ? pairs.map(({ run, original, reproduced }) => orderOf(run, original, reproduced, persistence, depth, notes)) : [],
    scores,
    effects:
      scored.length < 2
        ? []
        : measures.map((measure, m) => {
            const [base, better] = scored;
            const before = { baseline: base.original.column(m), advanced: better.original.column(m) };
            const after = { baseline: base.reproduced.column(m), advanced: better.reproduced.column(m) };
            return { measure, effectRatio: effectRatio(before, after), deltaImprovement: deltaRelativeImprovement(before, after) };
          }),
    metadata: await metadataOf(inputs, platform, notes),
    notes: [...notes],
  };
}

async function metadataOf(
  inputs: readonly { readonly run: string; readonly original: RunInput; readonly reproduced: RunInput }[],
  platform: Platform,
  notes: Set<string>,
): Promise<Reproduced['metadata']> {
  const header = async (input: RunInput): Promise<RunMetadata | undefined> => {
    if (!isReadable(input)) return undefined;
    const source = sourceOf(input, platform);
    const found = (await headerOf(source))?.metadata;
    for (const problem of found === undefined ? [] : metadataProblems(found)) notes.add(`${source.name}: in the header, ${problem}`);
    return found;
  };
  const found: Reproduced['metadata'][number][] = [];
  for (const { run, original, reproduced } of inputs) {
    const [before, after] = [await header(original), await header(reproduced)];
    if (before === undefined || after === undefined) {
      if (before !== after)
        notes.add(`${run}: only one of the two runs has a header by ir_metadata, so that what was changed is not known`);
      continue;
    }
    const changed = changedParts(before, after);
    found.push({ run, changed, parts: metadataParts.filter((_, p) => changed[p] !== changed[p].toLowerCase()) });
  }
  return found;
}

function orderOf(run: string, original: Run, reproduced: Run, p: number, depth: number, notes: Set<string>): ReproducedOrder {
  const [before, after] = [original, reproduced].map((own) => documentLists(own, { depth }));
  const topics = [...after.keys()].filter((topic) => before.has(topic));
  if (topics.length === 0) {
    throw new InputError({
      message: 'the two runs have no topic in common',
      wayOut: 'topics are matched by their ids; compare those of both files',
    });
  }
  const alone = after.size + before.size - 2 * topics.length;
  if (alone > 0)
    notes.add(`${run}: ${alone === 1 ? '1 topic is' : `${alone} topics are`} in one of the runs only and left out of the order`);
  const mean = (values: readonly (number | null)[]): number | null => {
    const defined = values.filter((value) => value !== null);
    return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
  };
  const lists = topics.map((topic): [readonly string[], readonly string[]] => [before.get(topic) ?? [], after.get(topic) ?? []]);
  const uneven = lists.filter(([a, b]) => a.length !== b.length).length;
  if (uneven > 0) notes.add(`${run}: on ${uneven} of ${topics.length} topics the lists differ in length, and tau union is not defined`);
  const tied = (list: readonly string[]): string[][] => list.map((doc) => [doc]);
  return {
    run,
    topics: topics.length,
    tauUnion: uneven > 0 ? null : mean(lists.map(([a, b]) => kendallTauUnion(a, b))),
    overlap: mean(lists.map(([a, b]) => overlapToDepth(a, b, p, depth))) ?? 0,
    tau: mean(lists.map(([a, b]) => tauOverUnion(a, b))),
    rbo: mean(lists.map(([a, b]) => rankBiasedOverlap({ first: tied(a), second: tied(b), p }).ext)) ?? 0,
  };
}
