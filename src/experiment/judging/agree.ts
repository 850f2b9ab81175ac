import { InputError } from '../../core/problem.js';
import type { ScoreTable } from '../../core/score-table.js';
import { ChosenColumns } from '../../formats/tables/chosen-columns.js';
import {
  type AgreementByTopic,
  agreementByTopic,
  type BinaryAgreement,
  binaryAgreement,
  type ChanceCorrected,
  type Conclusions,
  chanceCorrected,
  codedRatings,
  conclusionsUnder,
  type GradeScale,
  type JudgeAgreementOptions,
  type JudgeBias,
  judgeBias,
  krippendorffAlpha,
  onScale,
  type PairAgreement,
  pairAgreement,
  type Ratings,
  ratingsOf,
  ratingsOfJudges,
} from '../../judging/index.js';
import { alignTables } from '../../stats/alignment.js';
import { type ExperimentRequest, scoreExperiment } from '../experiment.js';
import type { JudgementsInput, ReadingSettings, RunInput } from '../material.js';
import { directionsOf } from '../names.js';
import { noteText } from '../notes.js';
import type { JudgingSettings } from '../plan.js';
import type { Platform } from '../platform.js';
import { type Judge, readJudges } from './judges.js';

/** Which judges are compared, and how. */
export interface AgreeRequest extends JudgeAgreementOptions, JudgingSettings, ReadingSettings {
  readonly judgements: readonly JudgementsInput[];
  /** Runs whose order under the judges is compared. */
  readonly runs?: readonly RunInput[] | undefined;
  readonly grades?: Pick<GradeScale, 'lowest' | 'highest'> | undefined;
  readonly outside?: GradeScale['outside'];
  /** Also for what is relevant from each of these grades on. */
  readonly relevant?: readonly number[] | undefined;
  readonly alpha?: number | undefined;
}

/** How far one judge agrees with the first. */
export interface JudgedPair extends PairAgreement {
  readonly bias: JudgeBias;
  readonly byTopic: AgreementByTopic;
  readonly binary: readonly BinaryAgreement[];
}

/** How far judges agree, and what it does to conclusions. */
export interface Agreed {
  readonly judges: readonly string[];
  /** Each judge with the first. */
  readonly pairs: readonly JudgedPair[];
  /** All judges together, where there are more than two. */
  readonly together: { readonly alpha: number | null; readonly fleiss: ChanceCorrected; readonly ac1: ChanceCorrected } | undefined;
  readonly outside: number;
  /** For each other judge and measure, the order of the runs under that judge and under the first. */
  readonly conclusions: readonly { readonly judge: string; readonly measure: string; readonly found: Conclusions }[];
  readonly notes: readonly string[];
}

/** Compares judges by their files, each with the first.
 *  @throws An `InputError` if there is one judge only, or nothing that two of them graded. */
export async function agreeOf(request: AgreeRequest, platform: Platform): Promise<Agreed> {
  const chosen = new ChosenColumns({ columns: request.columns, judgementColumns: request.judgementColumns });
  const { judges, notes: reading } = await readJudges(request.judgements, { chosen, lenient: request.lenient }, platform);
  chosen.refuseUnused();
  if (judges.length < 2) {
    throw new InputError({
      message: 'one judge has nobody to agree with',
      wayOut: 'give the judgements of at least 2 judges, the one to compare with first',
    });
  }
  const notes = reading.map(noteText);
  const all = ratingsOf(judges.map(({ name, qrels }) => ({ name, judgements: qrels })));
  const held = request.grades === undefined ? { ratings: all, outside: 0 } : onScale(all, { ...request.grades, outside: request.outside });
  if (held.outside > 0) {
    notes.push(`${held.outside} grades outside the scale were ${request.outside === 'drop' ? 'left out' : 'moved to its nearest end'}`);
  }
  const scale = scaleOf(request.grades);
  const pairs = judges.slice(1).map((_, j) => pairOf(ratingsOfJudges(held.ratings, [0, j + 1]), { ...request, scale }));
  for (const { first, second, pairs: common, topics } of pairs) {
    if (common === 0) {
      throw new InputError({
        message: `${first} and ${second} judged no document of a topic in common`,
        wayOut: 'topics and documents are matched by their ids: compare those of both files',
      });
    }
    if (topics < 10 && request.interval !== 'formula') {
      notes.push(`${second}: intervals from ${topics === 1 ? '1 topic' : `${topics} topics`} are rough`);
    }
  }
  const coded = codedRatings(held.ratings, scale);
  return {
    judges: judges.map(({ name }) => name),
    pairs,
    together:
      judges.length === 2
        ? undefined
        : {
            alpha: krippendorffAlpha(coded, request.measurement ?? 'ordinal'),
            fleiss: chanceCorrected(coded, 'fleiss'),
            ac1: chanceCorrected(coded, 'gwet'),
          },
    outside: held.outside,
    conclusions:
      request.runs === undefined || request.runs.length === 0 ? [] : await conclusionsOf(judges, request.runs, request, platform),
    notes,
  };
}

function scaleOf(grades: AgreeRequest['grades']): number[] {
  return grades === undefined ? [] : Array.from({ length: grades.highest - grades.lowest + 1 }, (_, i) => grades.lowest + i);
}

function pairOf(ratings: Ratings, request: AgreeRequest & { readonly scale: readonly number[] }): JudgedPair {
  return {
    ...pairAgreement(ratings, request),
    bias: judgeBias(ratings, request.scale),
    byTopic: agreementByTopic(ratings, request.measurement, request.scale),
    binary: (request.relevant ?? []).map((threshold) => binaryAgreement(ratings, threshold)),
  };
}

async function conclusionsOf(
  judges: readonly Judge[],
  runs: readonly RunInput[],
  request: AgreeRequest,
  platform: Platform,
): Promise<Agreed['conclusions']> {
  const { alpha, convention, measures, rel, ties, depth, judgedOnly, lenient, runColumns } = request;
  const tables: ScoreTable[] = [];
  for (const { qrels } of judges) {
    const asked: ExperimentRequest = {
      convention,
      measures,
      rel,
      ties,
      depth,
      judgedOnly,
      missing: 'zero',
      lenient,
      judgements: qrels,
      runs,
    };
    const named = runColumns === undefined ? asked : { ...asked, runColumns };
    tables.push(alignTables((await scoreExperiment(named, platform, { otherwise: ['nDCG@10', 'AP'] })).tables));
  }
  const [first, ...others] = tables;
  const directions = directionsOf(first.measures);
  return others.flatMap((second, j) => {
    // only topics that both sets judge
    const topics = first.topics.filter((topic) => second.topics.includes(topic));
    return first.measures.map((measure) => {
      const sign = directions[measure] === 'lower' ? -1 : 1;
      const columns = (table: ScoreTable): Float64Array[] =>
        first.systems.map((_, s) => Float64Array.from(topics, (topic) => sign * (table.value(topic, measure, s) || 0)));
      return {
        judge: judges[j + 1].name,
        measure,
        found: conclusionsUnder({ systems: first.systems, first: columns(first), second: columns(second) }, { alpha }),
      };
    });
  });
}
