import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { alignTables } from '../stats/alignment.js';
import type { CompareOptions, Comparison } from '../stats/compare.js';
import { compareScores } from './comparison.js';
import type { EngineSettings } from './engine.js';
import { type MaterialRequest, openMaterial } from './material.js';
import { noteText } from './notes.js';
import { type JudgingSettings, type PlanManner, planOf } from './plan.js';
import type { Platform } from './platform.js';
import { type ScoredRuns, type ScoringManner, scoreByEngine, scoreRuns } from './score.js';
import { areCheckable, checkRules } from './verdict/checks.js';

/** Everything that a person can say about an experiment, under the names that the options of the command line have. */
export interface ExperimentRequest extends JudgingSettings, MaterialRequest, ScoringManner, EngineSettings {
  /** Score the runs by `checkRules` as well, where they are small enough, so that a verdict can say what it depends on. */
  readonly checked?: boolean | undefined;
  /** The program that reads and scores the files, if not this one: `duckdb` or `spark`. */
  readonly engine?: string | undefined;
  /** Called with what an engine is doing, and the share of it that is done. */
  readonly onEngine?: ((doing: string, share: number | undefined) => void) | undefined;
}

/** Scores runs: the settings become a plan, the files are opened once, and every run is scored in the way that suits it. */
export async function scoreExperiment(request: ExperimentRequest, platform: Platform, manner: PlanManner = {}): Promise<ScoredRuns> {
  const plan = planOf(request, manner);
  if (request.engine === undefined) {
    const material = await openMaterial(request, plan, platform);
    const isChecked = request.checked === true && material.runs.length > 1 && areCheckable(material.runs.map(({ source }) => source));
    const alongside = isChecked ? checkRules(plan.measures[0]) : [];
    return await scoreRuns(plan, material, platform, { ...request, alongside });
  }
  const engine = platform.engines?.[request.engine];
  if (engine === undefined) {
    throw new InputError({ message: `there is no engine ${request.engine} here`, wayOut: 'leave it out' });
  }
  const { judgements, runs, onEngine: onProgress, ...others } = request;
  return await scoreByEngine(plan, engine, { ...others, qrels: nameOf(judgements), runs: runs.map(nameOf), onProgress }, request.names);
}

function nameOf(input: unknown): string {
  if (typeof input === 'string') return input;
  throw new InputError({ message: 'an engine reads files itself, expected their names', wayOut: 'give paths' });
}

/** What came out of an experiment, and what follows from it. */
export class ExperimentResult {
  readonly scored: ScoredRuns;
  /** Systems × topics × measures. A system that was not scored on a topic has NaN there. */
  readonly table: ScoreTable;
  /** What a reader of the numbers must know, each once. */
  readonly notes: readonly string[];
  private readonly platform: Platform;

  constructor(scored: ScoredRuns, platform: Platform) {
    this.scored = scored;
    this.table = alignTables(scored.tables);
    this.notes = scored.notes.map(noteText);
    this.platform = platform;
  }

  /** Tests every pair of systems, or each against a baseline. */
  async compare(options: CompareOptions = {}): Promise<Comparison> {
    const { table } = this;
    return await compareScores({ table, measures: table.measures, missing: 'zero', notes: this.notes }, options, this.platform);
  }
}

/** Scores runs against judgements, to look at, compare and report:
 *
 *      const result = await experiment({ judgements: 'qrels.txt', runs: ['a.run', 'b.run'], measures: 'nDCG@10 AP' }, platform);
 *      result.table.means();
 *      await result.compare({ baseline: 'a' });
 */
export async function experiment(request: ExperimentRequest, platform: Platform): Promise<ExperimentResult> {
  return new ExperimentResult(await scoreExperiment(request, platform), platform);
}
