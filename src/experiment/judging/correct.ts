import { InputError } from '../../core/problem.js';
import {
  type CorrectedMean,
  type CorrectionQuantile,
  FEW_ITEMS,
  type LabelsNeeded,
  labelsNeeded,
  predictionPoweredMean,
} from '../../judging/index.js';
import { alignTables } from '../../stats/alignment.js';
import { pearsonCorrelation } from '../../stats/correlation/correlation.js';
import { meanOf, standardDeviationOf } from '../../stats/moments.js';
import { scoreExperiment } from '../experiment.js';
import type { JudgementsInput, ReadingSettings, RunInput } from '../material.js';
import { directionsOf } from '../names.js';
import { noteText } from '../notes.js';
import type { JudgingSettings } from '../plan.js';
import type { Platform } from '../platform.js';

/** A small sample of topics that people judged, beside many that a machine did. */
export interface CorrectRequest extends JudgingSettings, ReadingSettings {
  readonly human: JudgementsInput;
  readonly machine: JudgementsInput;
  readonly runs: readonly RunInput[];
  readonly quantile?: CorrectionQuantile | undefined;
  readonly lambda?: number | undefined;
  readonly halfWidth?: number | undefined;
  /** The system that the others are compared with; by default the best. */
  readonly baseline?: string | undefined;
  readonly threads?: number | undefined;
}

/** One system's score by the machine, by people, and corrected. */
export interface CorrectedSystem {
  readonly system: string;
  /** Its bias is not known, so it has no interval. */
  readonly machineOnly: number;
  readonly human: CorrectedMean;
  readonly corrected: CorrectedMean;
  /** The labels that the machine saves: one less the squared ratio of the widths; negative where it costs some. */
  readonly saves: number | null;
  /** Topics that people have to judge for an interval of the wanted width; null where nothing varies. */
  readonly needed: LabelsNeeded | null;
}

/** A corrected difference of two systems, from the differences on topics. */
export interface CorrectedDifference extends Omit<CorrectedSystem, 'system' | 'needed'> {
  readonly first: string;
  readonly second: string;
  /** Topics that people have to judge for the interval to leave 0 out, if the difference is as it seems; null where it is 0. */
  readonly toSettle: LabelsNeeded | null;
  /** How many of these are still to be judged; null where the difference is 0. */
  readonly moreTopics: number | null;
}

/** Scores of one measure, corrected. */
export interface CorrectedMeasure {
  readonly measure: string;
  readonly systems: readonly CorrectedSystem[];
  readonly differences: readonly CorrectedDifference[];
}

/** Scores of systems, corrected by what people say on some topics. */
export interface Corrected {
  readonly measures: readonly CorrectedMeasure[];
  readonly humanTopics: number;
  readonly machineTopics: number;
  readonly notes: readonly string[];
}

/** Scores of topics by people and by a machine, of every system. */
export interface CorrectionSamples {
  readonly humanTopics: number;
  readonly machineTopics: number;
  readonly systems: readonly string[];
  readonly measures: readonly { readonly measure: string; readonly sign: 1 | -1; readonly samples: readonly CorrectionSample[] }[];
  readonly notes: readonly string[];
}

/** Scores on the topics of people, by people and by the machine, and on the topics of the machine alone. */
export interface CorrectionSample {
  readonly human: Float64Array;
  readonly judged: Float64Array;
  readonly judgedElsewhere: Float64Array;
}

/** Scores the runs by both sets of judgements.
 *  @throws An `InputError` if people and machine have fewer than two topics in common. */
export async function correctionSamples(request: CorrectRequest, platform: Platform): Promise<CorrectionSamples> {
  const { human, machine, runs } = request;
  const score = async (judgements: JudgementsInput) => {
    const { tables, notes } = await scoreExperiment({ ...request, judgements, runs, missing: 'zero' }, platform, {
      otherwise: ['nDCG@10'],
    });
    return { table: alignTables(tables), notes: notes.map(noteText) };
  };
  const byPeople = await score(human);
  const byMachine = await score(machine);
  const both = byPeople.table.topics.filter((topic) => byMachine.table.topics.includes(topic));
  const others = byMachine.table.topics.filter((topic) => !byPeople.table.topics.includes(topic));
  if (both.length < 2) {
    throw new InputError({
      message: `people and machine judged ${both.length === 1 ? '1 topic' : `${both.length} topics`} in common, and a correction needs at least 2`,
      wayOut: 'let the machine judge the topics of people too; topics are matched by their ids',
    });
  }
  const notes = [...new Set([...byPeople.notes, ...byMachine.notes])];
  const alone = byPeople.table.topics.length - both.length;
  if (alone > 0) notes.push(`${alone} topics that people judged and the machine did not are left out`);
  if (others.length === 0) notes.push('the machine judged no further topics, so only the scores by people count');
  if (both.length < FEW_ITEMS) notes.push(`people judged ${both.length} topics; below ${FEW_ITEMS} the intervals are rough`);
  const directions = directionsOf(byPeople.table.measures);
  const measures = byPeople.table.measures.map((measure) => {
    const column = (table: typeof byPeople.table, topics: readonly string[], s: number): Float64Array =>
      Float64Array.from(topics, (topic) => table.value(topic, measure, s) || 0);
    const samples = byPeople.table.systems.map((_, s) => ({
      human: column(byPeople.table, both, s),
      judged: column(byMachine.table, both, s),
      judgedElsewhere: column(byMachine.table, others, s),
    }));
    return { measure, sign: directions[measure] === 'lower' ? (-1 as const) : (1 as const), samples };
  });
  return { humanTopics: both.length, machineTopics: others.length, systems: byPeople.table.systems, measures, notes };
}

/** Corrects the scores that a machine's judgements give to systems by a sample of topics that people judged too. */
export async function correctScores(request: CorrectRequest, platform: Platform): Promise<Corrected> {
  const { halfWidth = 0.05 } = request;
  const { humanTopics, machineTopics, systems, notes, ...scored } = await correctionSamples(request, platform);
  const measures = scored.measures.map(({ measure, sign, samples }): CorrectedMeasure => {
    const found = samples.map(
      (sample, s): CorrectedSystem => ({ system: systems[s], ...correctedOf(sample, request), needed: neededFor(sample, halfWidth) }),
    );
    const baseline = baselineOf(found, request.baseline, sign);
    const differences = samples.flatMap((sample, s): CorrectedDifference[] => {
      if (s === baseline) return [];
      const less = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, t) => value - b[t]);
      const base = samples[baseline];
      const difference = {
        human: less(base.human, sample.human),
        judged: less(base.judged, sample.judged),
        judgedElsewhere: less(base.judgedElsewhere, sample.judgedElsewhere),
      };
      const { corrected, ...rest } = correctedOf(difference, request);
      const settled = Math.abs(corrected.estimate) > 1e-12 ? neededFor(difference, Math.abs(corrected.estimate)) : null;
      const more = settled === null ? null : Math.max(0, settled.humanItems - humanTopics);
      return [{ first: systems[baseline], second: systems[s], ...rest, corrected, toSettle: settled, moreTopics: more }];
    });
    return { measure, systems: found, differences };
  });
  return { measures, humanTopics, machineTopics, notes: [...notes, ...measures.flatMap(raritiesOf)] };
}

/** Where nearly all values by people are the same, which intervals around a mean do not allow for. */
function raritiesOf({ measure, systems, differences }: CorrectedMeasure): string[] {
  const named = [
    ...systems.map(({ system, corrected }) => [system, corrected] as const),
    ...differences.map(({ first, second, corrected }) => [`${first} - ${second}`, corrected] as const),
  ].filter(([, { hasFewValues }]) => hasFewValues);
  if (named.length === 0) return [];
  const [[name]] = named;
  return [
    `${measure}: people gave ${named.length === 1 ? name : `${name} and ${named.length - 1} more`} nearly the same value on every topic, so the interval may be too short`,
  ];
}

function correctedOf(
  sample: CorrectionSample,
  { quantile, lambda }: CorrectRequest,
): Pick<CorrectedSystem, 'machineOnly' | 'human' | 'corrected' | 'saves'> {
  const human = predictionPoweredMean({ ...sample, lambda: 0, quantile });
  const corrected = predictionPoweredMean({ ...sample, lambda: lambda ?? 'tuned', quantile });
  return {
    machineOnly: meanOf([...sample.judged, ...sample.judgedElsewhere]),
    human,
    corrected,
    saves: human.standardError > 0 ? 1 - (widthOf(corrected) / widthOf(human)) ** 2 : null,
  };
}

function widthOf({ interval: { low, high } }: CorrectedMean): number {
  return high - low;
}

function neededFor({ human, judged, judgedElsewhere }: CorrectionSample, halfWidth: number): LabelsNeeded | null {
  const standardDeviation = standardDeviationOf(human);
  if (standardDeviation === 0) return null;
  const varied = judged.some((value) => value !== judged[0]);
  const correlation = varied ? pearsonCorrelation({ first: human, second: judged }) : 0;
  return labelsNeeded({ standardDeviation, correlation, judgeItems: judgedElsewhere.length }, halfWidth);
}

function baselineOf(systems: readonly CorrectedSystem[], asked: string | undefined, sign: number): number {
  if (asked === undefined) {
    return systems.reduce((best, { corrected }, s) => (sign * corrected.estimate > sign * systems[best].corrected.estimate ? s : best), 0);
  }
  const found = systems.findIndex(({ system }) => system === asked);
  if (found >= 0) return found;
  throw new InputError({ message: `no system is called ${asked}`, wayOut: `they are ${systems.map(({ system }) => system).join(', ')}` });
}
