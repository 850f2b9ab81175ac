/** One ranking of several, from files. */
import { refuseJudgements } from '../conventions/measures-of-tools.js';
import { refuseUnrelated } from '../core/common-topics.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { readJudgements, readRun } from '../formats/read.js';
import type { ByteSource } from '../formats/source.js';
import { ChosenColumns } from '../formats/tables/chosen-columns.js';
import { fuseRuns } from '../fusion/fuse.js';
import { type FuseOptions, tuningDirection } from '../fusion/options.js';
import { type TunedFusion, type TuneOptions, tuneFusion } from '../fusion/tune.js';
import { evaluator, needsGroups } from '../measures/evaluate.js';
import { type CompareOptions, type Comparison, compareSteps } from '../stats/compare.js';
import type { ReadingSettings } from './material.js';
import { namesOfRuns } from './names.js';
import { type Note, readingNotes } from './notes.js';
import { type JudgingSettings, type Plan, planOf } from './plan.js';
import { type Platform, resampled } from './platform.js';

/** Runs that are to be fused. */
export interface RunsToFuse {
  readonly runs: readonly Run[];
  /** Their tags; where two have the same, or one has none, their files. */
  readonly names: readonly string[];
  /** What they are called in messages. */
  readonly files: readonly string[];
  readonly notes: readonly Note[];
  /** What was said about columns, some of which may be in judgements. */
  readonly chosen: ChosenColumns;
}

/** Reads runs to be fused.
 *  @param hasJudgements Judgements are read afterwards, and may have the columns that no run has. */
export async function readRunsToFuse(
  sources: readonly ByteSource[],
  settings: ReadingSettings,
  hasJudgements: boolean,
): Promise<RunsToFuse> {
  const chosen = new ChosenColumns(settings);
  const runs: Run[] = [];
  const notes: Note[] = [];
  for (const source of sources) {
    const reading = await readRun(source, { lenient: settings.lenient, ...chosen.of('run') });
    runs.push(reading.run);
    notes.push(...readingNotes(source.name, reading));
  }
  if (!hasJudgements) chosen.refuseUnused();
  const files = sources.map(({ name }) => name);
  const names = namesOfRuns(
    runs.map(({ name }) => name),
    files,
  );
  return { runs: runs.map((run, r) => ({ ...run, name: names[r] })), names, files, notes, chosen };
}

/** A fused run with its scores. */
export interface ScoredFusion {
  readonly run: Run;
  readonly table: ScoreTable;
  /** Topics that some of the runs do not answer. */
  readonly numPartial: number;
}

/** Fuses runs by given weights and scores the result as the runs themselves are scored. */
export function fuseAndScore(
  { measures, rules, planOptions }: Pick<Plan, 'measures' | 'rules' | 'planOptions'>,
  qrels: Qrels,
  runs: readonly Run[],
  options: FuseOptions,
): ScoredFusion {
  const { run, numPartial } = fuseRuns(runs, options);
  return { run, numPartial, table: evaluator(qrels, measures, { ...rules, ...planOptions, unrelated: 'accept' }).evaluate(run) };
}

/** What weights are chosen by. */
export interface FusionTuning
  extends Omit<TuneOptions, 'measure' | 'names' | 'rules' | 'planOptions'>,
    Pick<JudgingSettings, 'convention' | 'rel'>,
    Pick<ReadingSettings, 'lenient'> {
  /** One measure. */
  readonly measure: string;
  readonly judgements: ByteSource;
  /** Of the test on topics that had no part in the choice. */
  readonly test?: Omit<CompareOptions, 'baseline' | 'directions'> | undefined;
}

/** Tuned weights, and whether they are worth more than the best single run. */
export interface TunedRuns {
  readonly tuned: TunedFusion;
  /** The tuned fusion against the best single run; undefined with too few topics for a test. */
  readonly comparison: Comparison | undefined;
  readonly notes: readonly Note[];
}

/** Chooses the weights of a fusion on some topics and tests them on others. */
export async function tuneRuns({ runs, names, files, chosen }: RunsToFuse, request: FusionTuning, platform: Platform): Promise<TunedRuns> {
  const { measure: text, judgements, test, convention: conventionName, rel, lenient, ...options } = request;
  const { convention, measures, rules } = planOf({ convention: conventionName, rel, measures: text, missing: 'zero' });
  const [measure] = measures;
  const { qrels, skipped } = await readJudgements(judgements, {
    lenient,
    ...chosen.of('qrels'),
    groups: needsGroups([measure]),
  });
  chosen.refuseUnused();
  for (const [r, run] of runs.entries()) refuseUnrelated(qrels, run, { run: files[r], qrels: judgements.name });
  refuseJudgements(convention, [measure], qrels);
  const tuned = tuneFusion(qrels, runs, { ...options, measure, names, rules, planOptions: convention.planOptions });
  const { heldOut } = tuned;
  const direction = tuningDirection(measure);
  const better = direction === 'lower' ? -1 : 1;
  const means = names.map((_, s) => better * heldOut.aggregate(0, s));
  const isTestable = heldOut.column(0).filter((value) => !Number.isNaN(value)).length >= 2;
  const baseline = names[means.indexOf(Math.max(...means))];
  return {
    tuned,
    comparison: isTestable
      ? await resampled(platform, compareSteps(heldOut, { ...test, baseline, directions: { [measure.text]: direction } }))
      : undefined,
    notes: [
      ...readingNotes(judgements.name, { skipped }),
      ...heldOut.notes.map((text): Note => ({ kind: 'about-scores', source: undefined, text })),
    ],
  };
}
