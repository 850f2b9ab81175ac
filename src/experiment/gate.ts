import { InputError } from '../core/problem.js';
import { ScoreTable } from '../core/score-table.js';
import { recogniseSource } from '../formats/recognise.js';
import { type ByteSource, openSource, readText } from '../formats/source.js';
import { parseGuardedTopics, parseTopicWeights } from '../formats/trec/topic-counts.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import type { GateReport, UnjudgedRate } from '../report/gate.js';
import { alignTables } from '../stats/alignment.js';
import { type GateOptions, gateSteps } from '../stats/gate.js';
import { readTopicScores } from './comparison.js';
import { type ExperimentRequest, scoreExperiment } from './experiment.js';
import { differencesFrom, type Fingerprint, fingerprintOf, storedFingerprint } from './fingerprint.js';
import { directionsOf, renamed } from './names.js';
import { noteText } from './notes.js';
import { type Plan, planOf } from './plan.js';
import { type Platform, resampled } from './platform.js';
import type { ScoredRuns } from './score.js';
import { verdictOf } from './verdict/verdict.js';

/** What a candidate is measured by if nothing else is asked for. */
export const gateMeasures: readonly string[] = ['nDCG@10'];

/** How much of the first documents may be without a judgement. */
export interface UnjudgedLimit {
  /** The share that is allowed. */
  readonly most: number;
  /** Of so many documents. */
  readonly cutoff: number;
}

/** A candidate that would take the place of a baseline. */
export interface GateRequest extends Omit<ExperimentRequest, 'runs'> {
  /** A run, or scores that were stored before. */
  readonly baseline: ByteSource;
  readonly candidate: ByteSource;
  readonly maxUnjudged?: UnjudgedLimit | undefined;
  /** What topics weigh: by topic, or where lines of a topic and a number can be read. */
  readonly weights?: ByteSource | ReadonlyMap<string, number> | undefined;
  /** Topics that may not fall, or that must reach a value: by topic, or where lines of topics can be read. */
  readonly mustNotFail?: ByteSource | ReadonlyMap<string, number | null> | undefined;
  /** Compare with stored scores although their fingerprint is another. */
  readonly trustBaseline?: boolean | undefined;
  /** How many of the topics that dropped most are listed. */
  readonly worst?: number | undefined;
  /** Of the test. */
  readonly test: GateOptions;
}

/** What a gate decides, and the scores that become the baseline if it passes. */
export interface Gated {
  readonly report: GateReport;
  readonly candidateScores: ScoreTable;
  /** What the scores depend on. */
  readonly fingerprint: Fingerprint | undefined;
  readonly plan: Plan;
}

/** Whether a baseline holds scores that were stored before. What cannot be looked at twice is taken for a run. */
export async function isStored(baseline: ByteSource): Promise<boolean> {
  if (!baseline.isReopenable || baseline.held !== undefined) return false;
  const input = await openSource(baseline);
  try {
    return (await recogniseSource(input, ['scores'])).found?.content === 'scores';
  } finally {
    await input.close();
  }
}

/** Compares a candidate with a baseline, topic by topic.
 *  @param score Scores runs by these settings; a caller may watch it. */
export async function gateExperiment(
  request: GateRequest,
  platform: Platform,
  score: (request: ExperimentRequest) => Promise<ScoredRuns> = (one) => scoreExperiment(one, platform),
): Promise<Gated> {
  const { baseline, candidate, maxUnjudged: limit, test, worst, weights, mustNotFail, trustBaseline, ...others } = request;
  const named = {
    weights: await topicNumbers(weights, parseTopicWeights),
    guarded: await topicNumbers(mustNotFail, parseGuardedTopics),
  };
  const { measures } = planOf(others, { otherwise: gateMeasures });
  const wanted = measures.map(({ text }) => text);
  const judged = limit === undefined ? undefined : parseMeasure(`Judged@${limit.cutoff}`);
  const stored = await isStored(baseline);
  const scored = await score({
    ...others,
    runs: stored ? [candidate] : [baseline, candidate],
    measures: [...measures, ...(judged === undefined ? [] : [judged])],
    // an unanswered topic of a run is an empty ranking unless something else was asked for
    missing: others.missing ?? 'zero',
  });
  const last = scored.runs.length - 1;
  const candidateScores = renamed(onlyMeasures(scored.tables[last], wanted), [scored.runs[last].tag]);
  const fingerprint =
    scored.qrels === undefined
      ? undefined
      : await fingerprintOf(
          { judgements: scored.qrels, plan: scored.plan, runs: [{ name: scored.runs[last].tag, source: candidate }] },
          platform,
        );
  const doubts = stored ? await checkFingerprint(baseline, fingerprint, trustBaseline === true) : [];
  const before = stored ? await storedBaseline(baseline, wanted) : renamed(onlyMeasures(scored.tables[0], wanted), [scored.runs[0].tag]);
  const tags = [before.systems[0], candidateScores.systems[0]];
  // the same system before and after a change has the same tag
  const names = tags[0] === tags[1] || tags.includes('') ? ['baseline', 'candidate'] : tags;
  const table = alignTables([renamed(onlyMeasures(before, wanted), [names[0]]), renamed(candidateScores, [names[1]])]);
  const options = { ...test, ...named, missing: others.missing, directions: directionsOf(table.measures) };
  const result = await resampled(platform, gateSteps(table, options), others.threads);
  return {
    report: {
      result,
      unjudged: limit === undefined || judged === undefined ? undefined : unjudgedRate(scored.tables[last], judged, limit),
      mostTopics: worst,
      // a weighted mean is no mean of the topics' differences
      verdict: result.numWeighted > 0 ? undefined : verdictOf({ scores: { table }, comparison: result.comparison }),
      notes: [...doubts, ...scored.notes.map(noteText), ...result.comparison.notes],
    },
    candidateScores,
    fingerprint,
    plan: scored.plan,
  };
}

async function topicNumbers<Value>(
  given: ByteSource | ReadonlyMap<string, Value> | undefined,
  parse: (text: string, source: string) => ReadonlyMap<string, Value>,
): Promise<ReadonlyMap<string, Value> | undefined> {
  return given !== undefined && 'isReopenable' in given ? parse(await readText(given), given.name) : given;
}

/** Refuses stored scores that were made under other circumstances, and says what cannot be known about them. */
async function checkFingerprint(source: ByteSource, now: Fingerprint | undefined, isTrusted: boolean): Promise<string[]> {
  const stored = await storedFingerprint(source);
  if (stored === undefined)
    return [`${source.name} has no fingerprint, so that nobody can tell whether its judgements and rules were these`];
  const changed = now === undefined ? [] : differencesFrom(stored, now);
  if (changed.length === 0) return [];
  const what = `was stored with ${changed.join(' and ')}`;
  if (isTrusted) return [`${source.name} ${what}; it was compared because that was asked for`];
  throw new InputError({
    source: source.name,
    message: what,
    wayOut: `store it again: gradus eval QRELS RUN -q --json -o ${source.name}; or compare nevertheless with --trust-baseline`,
  });
}

async function storedBaseline(source: ByteSource, wanted: readonly string[]): Promise<ScoreTable> {
  const table = await readTopicScores(source, wanted, 'store it again with gradus eval -q --json');
  if (table.systems.length !== 1) {
    throw new InputError({
      source: source.name,
      message: `holds the scores of ${table.systems.length} systems (${table.systems.slice(0, 5).join(', ')}), expected those of one`,
      wayOut: 'store the baseline alone',
    });
  }
  const absent = wanted.filter((name) => !table.measures.includes(name));
  if (absent.length > 0) {
    throw new InputError({
      source: source.name,
      message: `has no scores of ${absent.join(', ')}, only of ${table.measures.join(', ')}`,
      wayOut: `store it again: gradus eval QRELS RUN -q --json ${wanted.map((name) => `-m '${name}'`).join(' ')} -o ${source.name}`,
    });
  }
  return table;
}

/** The table without the columns that were computed for other reasons. */
function onlyMeasures(table: ScoreTable, names: readonly string[]): ScoreTable {
  const places = names.map((name) => table.measures.indexOf(name));
  const width = table.columns.length;
  const rows = table.values.length / width;
  const values = new Float64Array(rows * places.length);
  for (let row = 0; row < rows; row++) {
    for (const [m, place] of places.entries()) values[row * places.length + m] = table.values[row * width + place];
  }
  const columns = places.map((place) => table.columns[place]);
  return new ScoreTable(table.systems, table.topics, columns, values, table.notes);
}

/** The mean share of unjudged documents over the topics that the candidate answers. */
function unjudgedRate(table: ScoreTable, { text }: Measure, { cutoff, most }: UnjudgedLimit): UnjudgedRate {
  const judged = table.column(text).filter((value) => !Number.isNaN(value));
  const rate = judged.length === 0 ? 1 : 1 - judged.reduce((sum, value) => sum + value, 0) / judged.length;
  return { cutoff, rate, most };
}
